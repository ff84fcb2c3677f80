"""How far each lesson was taken, from one start to the next."""

from posenc_core.story import Lesson
from posenc_gui.files.settings import Settings

_STEP, _DONE = "step", "done"


class Progress:
    """The step at which each lesson was left, and whether it was taken to its end."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def step(self, lesson: Lesson) -> int:
        """The index of the step to go on with; 0 for a lesson that is new, finished, or shorter than it was."""
        step = self._of(lesson).get(_STEP)
        return step if isinstance(step, int) and 0 <= step < len(lesson.steps) else 0

    def is_done(self, lesson: Lesson) -> bool:
        """Whether the lesson was taken to its end."""
        return self._of(lesson).get(_DONE) is True

    def record(self, lesson: Lesson, step: int) -> None:
        """Remember the step that is shown."""
        self._write(lesson, step, self.is_done(lesson))

    def finish(self, lesson: Lesson) -> None:
        """Remember that the lesson was taken to its end; it begins with its first step the next time."""
        self._write(lesson, 0, True)

    def _of(self, lesson: Lesson) -> dict[str, object]:
        """What is remembered of the lesson; nothing where that is damaged."""
        known = self._settings.lessons.get(lesson.name)
        return known if isinstance(known, dict) else {}

    def _write(self, lesson: Lesson, step: int, done: bool) -> None:
        known = {_STEP: step, _DONE: done}
        if self._of(lesson) != known:
            self._settings.lessons = {**self._settings.lessons, lesson.name: known}
