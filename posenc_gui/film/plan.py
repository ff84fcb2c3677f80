"""The frames of a film: a document and a cursor each, from a text such as ``sweep:base=1e3..1e6``; no Qt."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from posenc_core import Document
from posenc_core.fields import IntegerField, RealField, shortened
from posenc_gui.film.lesson import LESSON, lesson_film
from posenc_gui.film.shots import Film, Shot
from posenc_gui.model import POSITIONS, TOKENS, Course, Cursor
from posenc_gui.panels import PANELS, spec_of

FILM_FORMATS = ("gif", "apng", "webp", "mp4")
FILM_HELP = (
    "sweep:FIELD=FROM..TO, play:position, play:tokens, play:NAME for another timeline, such as play:k in Shift, "
    "or lesson:NUMBER for the steps of a lesson"
)

SECONDS = RealField(
    name="seconds",
    label="&Seconds",
    help="Length of the film, which repeats.",
    default=6.0,
    above=0.0,
    slider=(1.0, 10.0),
    most=60.0,
    unit="s",
)

MOST_FRAMES = 600
_FRAMES_A_SECOND = 20
_SWEEP = re.compile(r"sweep:([\w-]+)=(.*?)\.\.(.*)")


def film_of(text: str, panel: str, document: Document, cursor: Cursor | None, seconds: float | None = None) -> Film:
    """The film that a text names; ValueError with one sentence for a text, a field or a value that does not fit.

    ``seconds`` is the film's length, None for the usual one: 6 s for a sweep, at most 10 s for a playback. A lesson has
    its own panels, documents and cursors.
    """
    length = None if seconds is None else SECONDS.check(seconds)
    if is_lesson(text):
        return lesson_film(text.strip().removeprefix(LESSON), length)
    sweep, (kind, _, name) = _SWEEP.fullmatch(text.strip()), text.strip().partition(":")
    if sweep is not None:
        return _sweep(panel, document, cursor, (sweep[1], sweep[2], sweep[3]), length or SECONDS.default)
    if kind == "play" and name:
        return _play(panel, document, cursor, _course(panel, name), length)
    raise ValueError(f"a film is {FILM_HELP}; got {shortened(text)}")


def is_lesson(text: str) -> bool:
    """Whether the text of a film names a lesson, which has its own panels and documents."""
    return text.strip().startswith(LESSON)


def sweepable(document: Document) -> tuple[IntegerField | RealField, ...]:
    """The fields of the document's encoding that a film can sweep."""
    return tuple(field for field in document.encoding.fields if isinstance(field, IntegerField | RealField))


def playable(panel: str) -> tuple[Course, ...]:
    """Playable variables of the panel's films."""
    own = spec_of(panel).course
    return (TOKENS, POSITIONS) if own is None or own is POSITIONS else (TOKENS, POSITIONS, own)


def _sweep(panel: str, document: Document, cursor: Cursor | None, given: tuple[str, str, str], seconds: float) -> Film:
    """The film of a field's name and the texts of its first and last value."""
    name, first, last = given
    field = _field(document, name)
    count = _frames(seconds)
    values = _values(field, field.parse(first), field.parse(last), count)
    return Film(panel, tuple(Shot(panel, document.edited(field.name, value), cursor) for value in values), seconds)


def _field(document: Document, name: str) -> IntegerField | RealField:
    """The field of that name, of that spoken one, or of that name in brackets, as in ``base (rope_theta)``."""
    wanted = name.replace("-", "_")
    fields = sweepable(document)
    for field in fields:
        if wanted in (field.name.replace(" ", "_"), field.spoken) or f"({wanted})" in field.spoken:
            return field
    known = ", ".join(field.name.rpartition(" ")[2] for field in fields) or "none"
    raise ValueError(f"the encoding has no number {shortened(name)} that a film can sweep; it has {known}")


def _values(field: IntegerField | RealField, first: Any, last: Any, count: int) -> Iterator[Any]:
    """Values from the first to the last: in whole steps, in equal ratios for a logarithmic field, or evenly spaced.

    Real numbers between the ends have four digits, which captions show in full.
    """
    shares = [index / (count - 1) for index in range(count)]
    if isinstance(field, IntegerField):
        n_steps = abs(last - first) // field.step
        direction = field.step if last >= first else -field.step
        yield from (first + direction * round(n_steps * share) for share in shares)
        return
    has_ratios = field.logarithmic and first > 0 and last > 0
    yield first
    for share in shares[1:-1]:
        value = first ** (1 - share) * last**share if has_ratios else (1 - share) * first + share * last
        yield field.check(float(f"{value:.4g}"))
    yield last


def _play(panel: str, document: Document, cursor: Cursor | None, course: Course, seconds: float | None) -> Film:
    start = cursor or Cursor(0, 0)
    stops = course.stops(document, start)
    if not stops:
        raise ValueError(f"there is no {course.title} to play")
    length = seconds or min(10.0, len(stops) * course.milliseconds / 1000)
    chosen = _spread(stops, min(len(stops), _frames(length)))
    return Film(panel, tuple(_at(panel, course, document, start, stop) for stop in chosen), length)


def _at(panel: str, course: Course, document: Document, cursor: Cursor, stop: int) -> Shot:
    if course.field:
        return Shot(panel, document.edited(course.field, stop), cursor)
    return Shot(panel, document, replace(cursor, position=stop))


def _course(panel: str, name: str) -> Course:
    """The panel's variable of that name: the symbol, the first word of the title, or either in the plural."""
    courses = playable(panel)
    for course in courses:
        if name.removesuffix("s") in {course.symbol, course.field, course.title.split()[0].removesuffix("s")}:
            return course
    known = ", ".join(course.symbol for course in courses)
    raise ValueError(f"{PANELS[panel].title} does not play {shortened(name)}; it plays {known}")


def _frames(seconds: float) -> int:
    """The number of frames of a film of that length; ValueError for more than are made."""
    count = max(2, round(seconds * _FRAMES_A_SECOND))
    if count > MOST_FRAMES:
        raise ValueError(f"a film has at most {MOST_FRAMES} frames, {MOST_FRAMES // _FRAMES_A_SECOND} s, got {count:,}")
    return count


def _spread(stops: Sequence[int], count: int) -> list[int]:
    """``count`` evenly spaced stops, with the first and the last."""
    if count == 1:
        return [stops[0]]
    return [stops[round(index * (len(stops) - 1) / (count - 1))] for index in range(count)]
