"""The parts of the window that its menus act on, and the actions that involve several of them."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow

from posenc_core import Rotary, __version__
from posenc_core.model_config import written_back
from posenc_core.tables import Cancelled
from posenc_gui.docks.sentence.sentence_bar import SentenceBar
from posenc_gui.docks.timeline_bar import TimelineBar
from posenc_gui.figures.panel import Panel
from posenc_gui.files.errors import FileError
from posenc_gui.files.opener import FileOpener
from posenc_gui.files.presets import preset, preset_title
from posenc_gui.files.session_commands import SessionCommands
from posenc_gui.files.settings import Settings
from posenc_gui.look.message_boxes import inform, show_about, warn
from posenc_gui.look.resources import resource
from posenc_gui.model.cursor_control import CursorControl
from posenc_gui.model.document_store import DocumentStore
from posenc_gui.panels import PANEL_NAMES, WORKSPACES, figure_class
from posenc_gui.story.doors import QuestionRow
from posenc_gui.window.layout import WindowLayout
from posenc_gui.window.panel_shelf import LateLessons, PanelShelf
from posenc_gui.window.text_size import TextSize
from posenc_gui.window.workspaces import Workspaces

if TYPE_CHECKING:  # loaded when it is first shown
    from posenc_gui.story.lesson_dock import LessonDock
    from posenc_gui.story.questions_dialog import Finder

_SHOWN_MS = 8000


class WindowParts(Struct, frozen=True):
    """The parts of the window that its menus act on; an action's path begins with the name of one of them."""

    window: QMainWindow
    store: DocumentStore
    cursor: CursorControl
    files: SessionCommands
    opener: FileOpener
    settings: Settings
    layout: WindowLayout
    shelf: PanelShelf
    workspaces: Workspaces
    timeline_bar: TimelineBar
    text: TextSize
    docks: tuple[QDockWidget, ...]
    sentence_bar: SentenceBar
    lessons: LateLessons


class Commands:
    """One method per action."""

    def __init__(self, parts: WindowParts) -> None:
        self._parts = parts
        self._used = PANEL_NAMES[0]
        self._questions = QuestionRow(parts.settings, parts.window)
        self._questions.questionAsked.connect(self.open_question)
        parts.sentence_bar.add_row(self._questions)
        parts.lessons.make = self._make_lessons

    @property
    def current(self) -> Panel:
        """The panel that had the keyboard focus last, or if it is not on the screen, the first one that is."""
        seen = self._parts.workspaces.seen
        return self._parts.shelf.panel(self._used if self._used in seen or not seen else seen[0])

    def use(self, panel: Panel) -> None:
        """Take the panel for the one that was used last."""
        self._used = panel.figure_class.name

    def slot(self, path: str) -> Callable[[], object]:
        """The method at a path such as ``files.save``; AttributeError if there is no such part or method.

        ``commands`` is this object, the other parts are those of ``WindowParts``.
        """
        part, _, method = path.partition(".")
        slot: Callable[[], object] = getattr(self if part == "commands" else getattr(self._parts, part), method)
        return slot

    def open_preset(self, name: str) -> None:
        """Replace the encoding by the preset's; what the preset does not name stays."""
        try:
            document, title = preset(name, self._parts.store.document), preset_title(name)
        except ValueError as error:
            warn(self._parts.window, "Cannot open", str(error))
        else:
            self._parts.store.replace(document, f"preset {title}")

    def export_panel(self) -> None:
        """Export the panel that was used last."""
        self._export([self.current.figure_class.name])

    def export_all(self) -> None:
        """Export all panels of the workspace."""
        self._export(list(self._parts.workspaces.shown))

    def _export(self, panels: list[str]) -> None:
        from posenc_gui.export.dialog import ExportDialog  # imported on first use, to keep the start of the window fast

        parts, style = self._parts, self.current.figure.style
        windows = {name: panel.figure.window() for name, panel in parts.shelf.made.items()}
        folder, document, cursor = parts.settings.folder("exports"), parts.store.document, parts.cursor.cursor
        seen = {name: panel.view for name, panel in parts.shelf.made.items() if panel.isVisible()}
        sizes = {name: (view.width(), view.height()) for name, view in seen.items()}
        dialog = ExportDialog(document, cursor, windows, panels, folder, style, parts.window, sizes)
        if dialog.exec() and dialog.written:
            folder = dialog.written[0].parent
            parts.settings.set_folder("exports", folder)
            self._show_message(f"Wrote {', '.join(path.name for path in dialog.written)} to {folder}")
        dialog.deleteLater()

    def copy_picture(self) -> None:
        """Copy the panel that was used last to the clipboard, in its size on the screen."""
        from posenc_gui.export.page import Picture, PictureOptions
        from posenc_gui.export.pictures import copy_picture
        from posenc_gui.look.message_boxes import ProgressDialog

        parts, figure, view = self._parts, self.current.figure, self.current.view
        picture = Picture(figure.name, parts.store.document, parts.cursor.cursor, figure.window())
        options = PictureOptions(theme=figure.style.name, size=(view.width(), view.height()), mark=True)
        try:
            with ProgressDialog("Computing the exact picture", parts.window) as progress:
                copy_picture(picture, options, progress)
        except Cancelled:
            self._show_message("Nothing was copied")
        except FileError as error:
            warn(parts.window, "Cannot copy", str(error))
        else:
            self._show_message(f"Copied {figure.title} as a picture")

    def copy_number(self) -> None:
        """Copy the number under the cursor of the panel that was used last, in full precision."""
        number = self.current.figure.number()
        if number is None:
            self._show_message("There is no number under the cursor")
        else:
            QGuiApplication.clipboard().setText(repr(number))
            self._show_message(f"Copied {number!r}")

    def copy_numpy(self) -> None:
        """Copy a NumPy script that computes the table to the clipboard."""
        self._copy_script("numpy")

    def copy_torch(self) -> None:
        """Copy a PyTorch script that computes the table to the clipboard."""
        self._copy_script("torch")

    def copy_matplotlib(self) -> None:
        """Copy a Matplotlib script that draws the panel that was used last to the clipboard."""
        from posenc_gui.export.pictures import copy_plot

        try:
            self._show_message(copy_plot(self.current.figure))
        except ValueError as error:
            warn(self._parts.window, "Cannot copy", str(error))

    def copy_settings(self, form: str) -> None:
        """Copy the rotation as settings of another program, and say what they leave out."""
        encoding = self._parts.store.document.encoding
        if not isinstance(encoding, Rotary):
            return
        written = written_back(encoding, form)
        limits = "; ".join(written.limits)
        if written.text:
            QGuiApplication.clipboard().setText(written.text)
            self._show_message(f"Copied as {form}: {limits}")
        else:
            warn(self._parts.window, "Cannot copy", f"{limits[:1].upper()}{limits[1:]}.")

    def _copy_script(self, dialect: str) -> None:
        from posenc_gui.export.pictures import copy_script

        try:
            self._show_message(copy_script(self._parts.store.document, dialect))
        except ValueError as error:
            warn(self._parts.window, "Cannot copy", str(error))

    def edit_sentence(self) -> None:
        """Move the keyboard focus to the sentence, and show its bar if it is hidden."""
        bar = self._parts.sentence_bar.parentWidget()
        if bar is not None:
            bar.show()
        self._parts.sentence_bar.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def reset_view(self) -> None:
        """Show the whole table in every panel."""
        for panel in self._parts.shelf.made.values():
            panel.figure.reset_window()

    def toggle_full_screen(self) -> None:
        """Enter or leave full screen."""
        window = self._parts.window
        window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)

    def release_cursor(self) -> None:
        """Stop what plays or is being computed, else bring the other panels back, else release the held cell."""
        stopped = [
            self._parts.timeline_bar.timeline.stop(),
            *(panel.stop() for panel in self._parts.shelf.made.values()),
        ]
        if not any(stopped) and not self._parts.workspaces.restore():
            self._parts.cursor.release()

    def maximise(self) -> None:
        """Show the panel that was used last alone, or bring the others back."""
        self._parts.workspaces.maximise(self.current)

    def move_panel(self, workspace: str) -> None:
        """Move the panel that was used last to this workspace."""
        self._parts.workspaces.move_panel(self.current.figure_class.name, workspace)

    def show_view(self, workspace: str, panel: str) -> None:
        """Go to a workspace, and to a panel in it, which is shown there from now on."""
        workspaces = self._parts.workspaces
        workspaces.choose(workspace)
        if panel not in workspaces.shown:
            workspaces.show_panel(panel, True)
        self._parts.shelf.panel(panel).setFocus(Qt.FocusReason.OtherFocusReason)

    def copy_text(self, title: str, make: Callable[[], str]) -> None:
        """Copy the text that ``make`` returns to the clipboard."""
        text = make()
        QGuiApplication.clipboard().setText(text)
        self._show_message(f"Copied {title}, {len(text.splitlines())} lines")

    @cached_property
    def finder(self) -> "Finder":
        """What opens questions and searches for everything."""
        from posenc_gui.story.questions_dialog import Finder

        return Finder(self._parts, self._questions)

    def open_question(self, number: int) -> None:
        """Set up the view that answers a question, and say the answer."""
        self.finder.open_question(number)

    def show_questions(self) -> None:
        """Show the list of all questions."""
        self.finder.show_questions()

    def show_palette(self) -> None:
        """Search questions, commands, presets, panels and families, or stop searching."""
        self.finder.show_palette()

    def show_doors(self) -> None:
        """Show the first questions again."""
        self._questions.show_doors()

    def explain_panel(self) -> None:
        """Show a text that explains the panel that was used last, and offer the lessons."""
        figure = self.current.figure
        text = f"{figure.explanation}\n\nThe lessons (Help > Lessons) explain it from the beginning."
        if inform(self._parts.window, f"What am I looking at? — {figure.title}", text, "&Lessons"):
            self.show_lessons()

    @property
    def lessons(self) -> "LessonDock":
        """The lessons, which are read now if they were not."""
        return self._parts.lessons.dock

    def show_lessons(self) -> None:
        """Show the list of lessons, or the page of the one that is taken."""
        self._parts.layout.show_lessons()

    def take_lesson(self, name: str) -> None:
        """Take the lesson of that name."""
        self._parts.layout.show_lessons()
        self.lessons.take_named(name)

    def protect_document(self) -> None:
        """Bring an unsaved document back that a lesson or a question replaced: the user is asked about it."""
        for maker in (self._parts.lessons.made, self.__dict__.get("finder")):
            if maker is not None:
                maker.protect_home()

    def _make_lessons(self) -> "LessonDock":
        from posenc_core.story import read_lessons
        from posenc_gui.story.lesson_dock import LessonDock
        from posenc_gui.story.progress import Progress
        from posenc_gui.story.stage import Stage

        parts = self._parts
        stage = Stage(parts.store, parts.cursor, parts.workspaces, parts.shelf)
        lessons, refusals = read_lessons(resource("lessons"), WORKSPACES, PANEL_NAMES)
        dock = LessonDock(lessons, refusals, stage, Progress(parts.settings))
        dock.left.connect(parts.layout.hide_lessons)
        dock.derivationAsked.connect(parts.layout.show_number)
        return dock

    def show_shortcuts(self) -> None:
        """Show a list of all keys."""
        from posenc_gui.window.shortcuts import show_all_keys  # imported on first use

        show_all_keys(self._parts.window, map(figure_class, PANEL_NAMES), self.current.figure.style)

    def about(self) -> None:
        """Show the version of the program and the source of the encoding."""
        encoding = self._parts.store.document.encoding
        purpose = "A desktop laboratory for transformer positional encodings."
        source = f"{encoding.title}: {encoding.citation}."
        show_about(self._parts.window, "About PosEnc", f"PosEnc {__version__}", f"{purpose}\n\n{source}")

    def _show_message(self, sentence: str) -> None:
        self._parts.window.statusBar().showMessage(sentence, _SHOWN_MS)
