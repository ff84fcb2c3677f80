"""Lessons and questions as data: documents to start from, and texts whose numbers the core computes."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_core.story.answers import ANSWERS, Call, JsonValue, Value, check_call, compute, edited
    from posenc_core.story.lessons import Check, Lesson, Piece, Prediction, Start, Step, choice_of, filled, is_near
    from posenc_core.story.lessons import names_in, pieces, shown_value, without_prediction
    from posenc_core.story.questions import Question, read_questions
    from posenc_core.story.reading import Places, read_lesson, read_lessons, start_of
else:
    __getattr__ = on_demand(__name__)
