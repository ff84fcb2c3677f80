"""Lessons in a dock, questions in a row and a list, and a search over everything in the window."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.story.doors import QuestionRow, door_texts
    from posenc_gui.story.lesson_dock import LessonDock
    from posenc_gui.story.progress import Progress
    from posenc_gui.story.questions_dialog import Finder
    from posenc_gui.story.stage import Stage
else:
    __getattr__ = on_demand(__name__)
