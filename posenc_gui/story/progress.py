"""Progress of each lesson between starts."""

from posenc_core.story import Lesson
from posenc_gui.files import LessonProgress, Settings

_NEW = LessonProgress()


class Progress:
    """The last step of each lesson, and whether it was completed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def step(self, lesson: Lesson) -> int:
        """The index of the step to go on with; 0 for a lesson that is new, finished, or shorter than it was."""
        step = self._of(lesson).step
        return step if 0 <= step < len(lesson.steps) else 0

    def is_done(self, lesson: Lesson) -> bool:
        """Whether the lesson was taken to its end."""
        return self._of(lesson).done

    def record(self, lesson: Lesson, step: int) -> None:
        """Remember the step that is shown."""
        self._write(lesson, LessonProgress(step, self.is_done(lesson)))

    def finish(self, lesson: Lesson) -> None:
        """Record that the lesson was completed; it begins with its first step the next time."""
        self._write(lesson, LessonProgress(0, True))

    def _of(self, lesson: Lesson) -> LessonProgress:
        return self._settings.now.lessons.get(lesson.name, _NEW)

    def _write(self, lesson: Lesson, progress: LessonProgress) -> None:
        if self._of(lesson) != progress:
            self._settings.revise(lambda now: {"lessons": {**now.lessons, lesson.name: progress}})
