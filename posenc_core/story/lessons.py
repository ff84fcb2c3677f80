"""Lessons as values: steps with a start, a prediction, a check, and texts with computed numbers.

Texts contain ``{name}`` for a computed number, ``$...$`` for a formula in LaTeX, and ``[[word]]`` for a word of the
glossary, or ``[[words|word]]`` for another form of it. A text whose first line is ``{`` is code.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from msgspec import Struct

from posenc_core.fields import shortened
from posenc_core.session import Document
from posenc_core.story.answers import Call, JsonValue, Value

COVERED_PARTS = ("number", "vector", "model", "status")
"""Parts of the window beside panels that a prediction can cover: docks, and the status line."""


class _Asked(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    question: str
    choices: tuple[str, ...] = ()
    answer: Call
    tolerance: float = 0.0
    unit: str = ""


class Prediction(_Asked, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The learner's expectation before *Show*.

    ``answer`` is for a ``choice`` one of ``choices`` (a bool means yes or no), for a ``number`` a number in
    ``unit``, for a ``click`` the cell's position and column, -1 for any, and for a ``drawing`` the values at the
    positions 0, 1, 2, ... of a column in the panel. ``tolerance`` is relative.

    ``reveal`` are the document's fields that *Show* edits, in their order. ``line`` has the values at the positions
    0, 1, 2, ... of a line that *Show* draws over its column. Until *Show*, the panel has no labels of columns with
    ``hides_labels``, and ``covers`` are the panels, and the parts of the window in ``COVERED_PARTS``, that would reveal
    the answer.
    """

    kind: Literal["choice", "number", "click", "drawing"]
    panel: str
    reveal: Mapping[str, JsonValue] = {}
    hides_labels: bool = False
    covers: tuple[str, ...] = ()
    line: Call | None = None


class Check(_Asked, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The question at the end of a step; ``answer`` and ``tolerance`` as for a prediction."""

    kind: Literal["choice", "number"]


@dataclass(frozen=True)
class Start:
    """Start of a step or a question: a document, a workspace, the panel to look at, and (position, column).

    Only the panels in ``alone`` are shown; without any, all panels of the workspace.
    """

    document: Document
    workspace: str
    panel: str | None = None
    cursor: tuple[int, int] | None = None
    alone: tuple[str, ...] = ()


Begin = TypeVar("Begin")


class StepFrom(Struct, Generic[Begin], frozen=True, forbid_unknown_fields=True):
    """One page of a lesson, whose start is a ``Start``, or its record in the lesson's file.

    ``gap`` is the sentence on the prediction, ``attempt`` the exercise, with the fields named in ``controls``.
    ``derivation`` is the (position, column) marked by *Show*, or None. ``numbers`` are the calls behind the
    texts' ``{name}`` beside ``{answer}``, ``{prediction}`` and ``{check}``.
    """

    title: str
    text: tuple[str, ...]
    start: Begin
    predict: Prediction
    gap: str
    attempt: str
    check: Check
    derivation: tuple[int, int] | None = None
    numbers: Mapping[str, Call] = {}
    controls: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of the step."""
        told = (self.title, *self.text, self.predict.question, *self.predict.choices, self.gap, self.attempt)
        return (*told, self.check.question, *self.check.choices)


Step = StepFrom[Start]


@dataclass(frozen=True)
class Lesson:
    """A lesson of a few steps; its title is a question, ``name`` is its file's."""

    name: str
    title: str
    steps: tuple[Step, ...]


class Piece(Struct, frozen=True):
    """A part of a text: ``words``, a LaTeX ``formula``, or a ``term`` as written for the glossary's ``word``."""

    kind: Literal["words", "formula", "term"]
    text: str
    word: str = ""


_PIECE = re.compile(r"\$(?P<formula>[^$]+)\$|\[\[(?P<term>[^\]|]+)(?:\|(?P<word>[^\]]+))?\]\]")
_NAME = re.compile(r"\{([a-z_]\w*)(?::(\.\d+f|\.\d+g|,))?\}")
_EXPECTED = re.compile(r"^You expected[^{]*\{prediction\}[^;.]*[;.] ")
_DIGITS = ".6g"


def pieces(text: str) -> tuple[Piece, ...]:
    """The parts of a text in their order."""
    return tuple(_pieces(text))


def _pieces(text: str) -> Iterator[Piece]:
    end = 0
    for found in _PIECE.finditer(text):
        if found.start() > end:
            yield Piece("words", text[end : found.start()])
        if found["formula"]:
            yield Piece("formula", found["formula"])
        else:
            yield Piece("term", found["term"], found["word"] or found["term"])
        end = found.end()
    if end < len(text):
        yield Piece("words", text[end:])


def names_in(text: str) -> tuple[str, ...]:
    """The names of the numbers that the text contains."""
    return tuple(found[1] for part in _formulas_apart(text)[::2] for found in _NAME.finditer(part))


def filled(text: str, values: Mapping[str, Value]) -> str:
    """The text with values in place of their names; a name without a value is unchanged.

    ``{name}`` has up to 6 digits, ``{name:.2f}`` two decimals, ``{name:.3g}`` three digits, ``{name:,}`` groups.
    Formulas are unchanged.
    """

    def shown(found: re.Match[str]) -> str:
        return shown_value(values[found[1]], found[2] or "") if found[1] in values else found[0]

    parts = _formulas_apart(text)
    parts[::2] = [_NAME.sub(shown, part) for part in parts[::2]]
    return "".join(parts)


def without_prediction(gap: str) -> str:
    """The text on a gap for one who predicted nothing: without "You expected {prediction};"."""
    rest = _EXPECTED.sub("", gap)
    return rest[:1].upper() + rest[1:]


def _formulas_apart(text: str) -> list[str]:
    """Words and formulas in turns, the words first."""
    return re.split(r"(\$[^$]+\$)", text)


def shown_value(value: Value, form: str = "") -> str:
    """The value in words: yes or no, a text, a number, or numbers with commas between them."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return ", ".join(shown_value(each, form) for each in value)
    form = form.lstrip(",")
    if not form and not isinstance(value, int):
        form = _DIGITS
    return f"{value:,{form}}".replace("-", "−")


def choice_of(answer: Value, choices: tuple[str, ...]) -> int:
    """The index of the choice that the answer is; ValueError with one sentence for one that is not among them."""
    if shown_value(answer) not in choices:
        raise ValueError(f"the answer {shortened(shown_value(answer))} is not among the choices")
    return choices.index(shown_value(answer))


def is_near(given: float, answer: float, tolerance: float) -> bool:
    """Whether a number is the answer within the relative tolerance, absolute if the answer is 0."""
    return math.isfinite(given) and abs(given - answer) <= tolerance * (abs(answer) or 1.0)
