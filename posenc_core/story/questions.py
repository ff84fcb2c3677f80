"""Questions that people ask, each with the document that shows its answer: one plain sentence, then the numbers."""

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Generic

import msgspec
from msgspec import Struct, field
from msgspec.structs import asdict

from posenc_core.fields import shortened
from posenc_core.session import LETTERS, Document
from posenc_core.story.answers import Call, Value, check_call, compute
from posenc_core.story.lessons import Begin, Start, filled, names_in
from posenc_core.story.reading import Places, StartRecord, read_json, start_of

FORMAT, VERSION = "posenc questions", 1

CONFIGS = "lessons/configs"
"""The folder of the models' files, beside the file of questions."""

_SHORTEST = 1e-3
"""Smaller numbers are written with an exponent."""


class Number(Call, frozen=True, forbid_unknown_fields=True):
    """The call of a number in an answer; ``letter`` names an encoding of the document, "" the chosen one."""

    letter: str = ""


class QuestionFrom(Struct, Generic[Begin], frozen=True, forbid_unknown_fields=True):
    """A question in a user's words, with its answer and its view. ``Begin`` is ``Start``, or the record in the file.

    ``words`` are further search words. ``is_door``: the question is shown at the first start. ``start``
    None keeps the user's document. ``answer`` has the names of ``numbers`` in braces. ``dock`` is the name
    of a dock to raise, empty for none. ``copies`` is the call for a text to copy, ``checks`` the call for
    numbers to check, None for none. ``action`` is the name of an action of the window to offer, empty for none.
    """

    number: int
    text: str = field(name="question")
    words: str
    answer: str
    is_door: bool = field(default=False, name="door")
    dock: str = ""
    start: Begin | None = None
    copies: Call | None = None
    checks: Number | None = None
    action: str = ""
    numbers: Mapping[str, Number] = {}


class Question(QuestionFrom[Start], frozen=True):
    """A question whose start is a document."""

    @property
    def document(self) -> Document:
        """The start's document; the default document without a start."""
        return Document() if self.start is None else self.start.document

    @property
    def given(self) -> str:
        """The printed numbers to check, empty for none."""
        return "" if self.checks is None else str(compute(self.checks, _chosen(self.document, self.checks.letter)))

    def values(self) -> dict[str, Value]:
        """The numbers of the answer by name; ValueError for one that the start's document does not have."""
        return {name: compute(call, _chosen(self.document, call.letter)) for name, call in self.numbers.items()}

    def answered(self) -> str:
        """The answer with its numbers."""
        values = self.values()
        usual = {name: _usual(value) for name, value in values.items() if f"{{{name}}}" in self.answer}
        return filled(self.answer, values | usual)


class _FileRecord(Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    version: int
    questions: list[Any]


def read_questions(
    path: Path, workspaces: Collection[str], panels: Collection[str], docks: Collection[str] = ()
) -> tuple[tuple[Question, ...], tuple[str, ...]]:
    """The questions of a file in its order, and a sentence for each unreadable question, which is left out.

    ``workspaces``, ``panels`` and ``docks`` are the existing names. Any other file has no questions
    and one sentence.
    """
    try:
        records = read_json(path, _FileRecord, FORMAT, VERSION).questions
    except (ValueError, OSError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        return (), (f"The questions {shortened(path.name)} cannot be read: {why}.",)
    places = Places(workspaces, panels, path.parent / CONFIGS)
    found: dict[int, Question] = {}
    refusals = []
    for place, record in enumerate(records, 1):
        try:
            question = _question(record, places, docks)
            if question.number in found:
                raise ValueError(f"its number {question.number} is taken")
            found[question.number] = question
        except ValueError as error:
            refusals.append(f"The question at place {place} of {shortened(path.name)} cannot be read: {error}.")
    return tuple(found.values()), tuple(refusals)


def _question(values: Any, places: Places, docks: Collection[str]) -> Question:
    try:
        record = msgspec.convert(values, QuestionFrom[StartRecord])
    except msgspec.ValidationError as error:
        raise ValueError(re.sub(r"[`$]", "", str(error))) from None
    if not all(each.isprintable() and each for each in (record.text, record.words, record.answer)):
        raise ValueError("its question, words and answer must each be one line")
    if record.dock and record.dock not in docks:
        raise ValueError(f"there is no dock {shortened(record.dock)}")
    start = None if record.start is None else start_of(record.start, places)
    question = Question(**{**asdict(record), "start": start})
    asked = set(names_in(question.answer))
    if asked != question.numbers.keys():
        raise ValueError(f"its answer asks for {_listed(asked)}, and its numbers are {_listed(question.numbers)}")
    for call in question.numbers.values():
        check_call(call)
        _chosen(question.document, call.letter)
    if question.copies is not None:
        compute(question.copies, question.document)
    question.answered()  # ValueError without an answer
    _ = question.given  # or no numbers
    return question


def _listed(names: Collection[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def _chosen(document: Document, letter: str) -> Document:
    """The document with the encoding of that letter chosen; ValueError for one that it does not have."""
    if not letter:
        return document
    if letter not in LETTERS[: len(document.encodings)]:
        raise ValueError(f"the document has no encoding {shortened(letter)}")
    return document.with_encodings(document.encodings, LETTERS.index(letter))


def _usual(value: Value) -> Value:
    """A number as text: whole ones and large ones in groups, others to four digits."""
    if isinstance(value, bool | str | tuple):
        return value
    if value == round(value) or abs(value) >= 10_000:
        return f"{value:,.0f}".replace("-", "−")
    return f"{value:{'.4g' if abs(value) < _SHORTEST else ',.4g'}}".replace("-", "−")
