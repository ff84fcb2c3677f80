"""A lesson as a film: for each step its panel as *Show* leaves it, after its beginning if that is seen; no Qt."""

from collections.abc import Iterator

from posenc_core.fields import shortened
from posenc_core.story import Lesson, Places, edited, read_lesson
from posenc_gui.film.shots import Film, Shot
from posenc_gui.look import resource
from posenc_gui.model import Cursor
from posenc_gui.panels import PANELS, WORKSPACES

LESSON = "lesson:"

_FRAME_SECONDS = 1.0
_MOST_SECONDS = 10.0


def lesson_film(number: str, seconds: float | None) -> Film:
    """The film of the lesson of that number; ValueError with one sentence if there is none.

    ``seconds`` is the film's length, None for 1 s per frame and at most 10 s.
    """
    folder = resource("lessons")
    paths = sorted(folder.glob("*.json"))
    if not number.isdecimal() or int(number) not in range(1, len(paths) + 1):
        raise ValueError(f"lessons have the numbers 1 to {len(paths)}, got {shortened(number)}")
    lesson = read_lesson(paths[int(number) - 1], Places(WORKSPACES, PANELS, folder / "configs"))
    shots = tuple(_shots(lesson))
    return Film(f"lesson-{int(number)}", shots, seconds or min(_MOST_SECONDS, _FRAME_SECONDS * len(shots)))


def _shots(lesson: Lesson) -> Iterator[Shot]:
    for step in lesson.steps:
        predict, begun = step.predict, step.start.document
        if predict.panel not in predict.covers and predict.kind != "drawing":  # else it would tell the answer
            yield Shot(predict.panel, begun, _cursor(step.start.cursor))
        revealed = edited(begun, dict(predict.reveal))
        yield Shot(predict.panel, revealed, _cursor(step.derivation or step.start.cursor))


def _cursor(cell: tuple[int, int] | None) -> Cursor | None:
    return None if cell is None else Cursor(*cell)
