"""Questions, the search over everything, and lessons, imported on first use."""

from collections.abc import Callable
from functools import cached_property, partial

from PySide6.QtWidgets import QMenu, QToolButton

from posenc_gui import story
from posenc_gui.look import HIT_PX, menu_text, resource
from posenc_gui.panels import PANELS, WORKSPACES
from posenc_gui.window.parts import WindowParts


class StoryCommands:
    """Opens questions and lessons."""

    def __init__(self, parts: WindowParts, check: Callable[[str], object]) -> None:
        """``check`` shows whether printed numbers are right."""
        self._parts, self._check = parts, check
        self._row = story.QuestionRow(parts.settings, parts.window)
        self._row.questionAsked.connect(self.open_question)
        self._row.lessonAsked.connect(self.take_first_lesson)
        self._row.homeAsked.connect(parts.store.end_visit)
        parts.sentence_bar.add_row(self._row)

    @cached_property
    def finder(self) -> "story.Finder":
        """Finder of questions and of everything else."""
        return story.Finder(self._parts, self._row, self._check)

    def open_question(self, number: int, _checked: bool = False) -> None:
        """Set up the view that answers a question, and show the answer."""
        self.finder.open_question(number)

    def show_questions(self) -> None:
        """Show the list of all questions."""
        self.finder.show_questions()

    def offer_questions(self, button: QToolButton) -> None:
        """Add the first questions as a menu to the button of all questions, for windows too small for their row."""
        menu = QMenu(button)
        menu.setAccessibleName("first questions")
        menu.aboutToShow.connect(partial(self._list_questions, menu))  # not at the start
        button.setMinimumHeight(HIT_PX)
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)

    def _list_questions(self, menu: QMenu) -> None:
        if menu.isEmpty():
            for number, question in story.door_texts().items():
                menu.addAction(menu_text(question)).triggered.connect(partial(self.open_question, number))

    def show_palette(self) -> None:
        """Search questions, commands, presets, panels and families, or stop searching."""
        self.finder.show_palette()

    def show_doors(self) -> None:
        """Show the first questions again."""
        self._row.show_doors()

    @property
    def lessons(self) -> "story.LessonDock":
        """The lessons, which are read now if they were not."""
        return self._parts.lessons.content

    def take_lesson(self, name: str) -> None:
        """Open the lesson of that name."""
        self._parts.layout.show_lessons()
        self.lessons.take_named(name)

    def take_first_lesson(self) -> None:
        """Open the first readable lesson, or show why there is none."""
        self._parts.layout.show_lessons()
        for lesson in self.lessons.lessons[:1]:
            self.lessons.take(lesson)

    def make_lessons(self) -> "story.LessonDock":
        """Read the lessons, and make their dock."""
        from posenc_core.story import read_lessons  # imported on first use

        parts = self._parts
        covered = {name: dock.widget() for name, dock in parts.docks.items()} | {"status": parts.window.statusBar()}
        stage = story.Stage(parts, covered)
        lessons, refusals = read_lessons(resource("lessons"), WORKSPACES, PANELS)
        dock = story.LessonDock(lessons, refusals, stage, story.Progress(parts.settings))
        dock.taken.connect(self._row.close_answer)
        dock.left.connect(parts.layout.hide_lessons)
        dock.derivationAsked.connect(parts.layout.show_number)
        return dock
