"""Lessons from their JSON files, checked as a whole: a readable lesson can be shown, with all its answers."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from posenc_core.explain import GLOSSARY
from posenc_core.fields import decode_json, open_regular, shortened
from posenc_core.model_config import open_model
from posenc_core.session import Document, NamedEncoding
from posenc_core.story.answers import check_call, compute, edited
from posenc_core.story.lessons import COVERED_PARTS, Lesson, Start, Step, StepFrom, choice_of, names_in, pieces

FORMAT, VERSION = "posenc lesson", 1
MAXIMUM_BYTES = 2**20

_MOST_ROWS = 1024

_CONFIG_NAME = re.compile(r"[\w-]{1,64}\.json")
"""A name cannot lead to another folder."""

_ANSWERS = ("answer", "prediction", "check")
"""The names of numbers that every step has."""

_Read = TypeVar("_Read")


class GivenRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """Tables of ``rows`` rows by name, each the document's encoding with a fault, or right for an empty code."""

    rows: int
    tables: dict[str, str]


class StartRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A start as its file has it: ``document`` is a session, ``config`` the name of a model's file beside the lessons.

    A model replaces the session's encoding by that of its ``layer``, None for the first layer that adds positions.
    ``given`` are tables with typical mistakes of programs, in place of the encoding.
    """

    document: dict[str, Any]
    workspace: str
    panel: str | None = None
    cursor: tuple[int, int] | None = None
    config: str | None = None
    layer: int | None = None
    given: GivenRecord | None = None
    alone: tuple[str, ...] = ()


class _LessonRecord(Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    version: int
    title: str
    steps: tuple[StepFrom[StartRecord], ...]


class Places(Struct, frozen=True):
    """The workspaces and panels that there are, by name, and the folder of the models' files."""

    workspaces: Collection[str]
    panels: Collection[str]
    configs: Path


def read_lessons(
    folder: Path, workspaces: Collection[str], panels: Collection[str]
) -> tuple[tuple[Lesson, ...], tuple[str, ...]]:
    """The lessons in a folder's ``*.json`` in the order of their names, and a sentence for each unreadable file.

    Models' files are in the folder's ``configs``. ``workspaces`` and ``panels`` are the names that a lesson may use.
    """
    lessons, refusals = [], []
    places = Places(workspaces, panels, folder / "configs")
    for path in sorted(folder.glob("*.json")):
        try:
            lessons.append(read_lesson(path, places))
        except (ValueError, OSError) as error:
            why = (isinstance(error, OSError) and error.strerror) or error
            refusals.append(f"The lesson {shortened(path.name)} cannot be read: {why}.")
    return tuple(lessons), tuple(refusals)


def read_lesson(path: Path, places: Places) -> Lesson:
    """The lesson of a file; ValueError with a reason for a file that is no lesson, OSError if it cannot be opened."""
    record = read_json(path, _LessonRecord, FORMAT, VERSION)
    if not record.steps:
        raise ValueError("it has no steps")
    return Lesson(path.stem, record.title, tuple(_steps(record, places)))


def read_json(path: Path, kind: type[_Read], file_format: str, version: int) -> _Read:
    """The record of that kind in a file of a format and a version; errors as ``read_lesson``."""
    with open_regular(path) as stream:
        data = stream.read(MAXIMUM_BYTES + 1)
    if len(data) > MAXIMUM_BYTES:
        raise ValueError(f"it is larger than {MAXIMUM_BYTES // 1024} kB")
    values = decode_json(data, "it", unique_names=True)
    if not _is_unicode(values):
        raise ValueError("it contains half of a character (a lone surrogate)")
    if values.get("format") != file_format:
        raise ValueError(f"its format is not {file_format!r}")
    if values.get("version") != version:
        raise ValueError(f"its version is {shortened(values.get('version'))}, this program reads {version}")
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:  # Expected `str`, got `int` - at `$.title`
        problem, _, place = str(error).replace("`", "").partition(" - at $")
        raise ValueError(f"{place.lstrip('.') or 'the file'}: {problem[:1].lower()}{problem[1:]}") from None


def _is_unicode(values: dict[str, Any]) -> bool:
    """Whether all texts can be encoded: an escape in JSON can name half of a character."""
    try:
        msgspec.json.encode(values)
    except UnicodeEncodeError:
        return False
    return True


def start_of(record: StartRecord, places: Places) -> Start:
    """The start of a record; ValueError with a reason for a document, workspace, panel or cursor that is not there."""
    if record.workspace not in places.workspaces:
        raise ValueError(f"there is no workspace {shortened(record.workspace)}")
    for name in (record.panel, *record.alone):
        _check_panel(name, places)
    document = Document.from_json(msgspec.json.encode(record.document))
    if document.unknown.text:
        raise ValueError(f"its document has unknown fields: {shortened(document.unknown.text)}")
    if record.config is not None:
        model = open_model(_config(record.config, places.configs))
        if record.layer is not None and record.layer not in range(len(model.layers)):
            raise ValueError(f"the model has no layer {record.layer}")
        document = document.with_model(model, record.layer)
    elif record.layer is not None:
        raise ValueError("a layer needs a config")
    if record.given is not None:
        document = _with_tables(document, record.given)
    _check_cell(record.cursor, document)
    return Start(document, record.workspace, record.panel, record.cursor, record.alone)


def _with_tables(document: Document, given: GivenRecord) -> Document:
    """The document with tables to compare that have faults; ValueError for an unknown fault or too many tables."""
    from posenc_core.identify import FAULTS, table_with  # loaded for the lesson that has tables

    if not 1 <= given.rows <= _MOST_ROWS or set(given.tables.values()) - {"", *FAULTS}:
        raise ValueError(f"tables have 1 to {_MOST_ROWS} rows and known faults, got {shortened(given.tables)}")
    faults = {name: ((code, 1.0),) if code else () for name, code in given.tables.items()}
    listed = [NamedEncoding(table_with(document.encoding, given.rows, each), name) for name, each in faults.items()]
    return document.with_encodings(listed, 0)


def _steps(record: _LessonRecord, places: Places) -> Iterator[Step]:
    for number, each in enumerate(record.steps, start=1):
        try:
            step = Step(**{**asdict(each), "start": start_of(each.start, places)})
            _check(step, places)
        except (ValueError, OSError) as error:
            why = (isinstance(error, OSError) and error.strerror) or error
            raise ValueError(f"step {number}: {why}") from None
        yield step


def _check(step: Step, places: Places) -> None:
    """ValueError with a reason if a name of the step is unknown, or an answer cannot be computed."""
    document, predict = step.start.document, step.predict
    _check_panel(predict.panel, places)
    for name in set(predict.covers) - set(COVERED_PARTS):
        _check_panel(name, places)
    if predict.line is not None and not isinstance(compute(predict.line, document), tuple):
        raise ValueError(f"{predict.line.name} does not return a curve")
    _check_cell(step.derivation, document)
    fields = {field.name for field in edited(document, predict.reveal).fields}
    if unknown := [name for name in step.controls if name not in fields]:
        raise ValueError(f"the document has no field {shortened(unknown[0])}")
    for call in step.numbers.values():
        compute(call, document)
    for asked in (predict, step.check):
        check_call(asked.answer)
        answer = compute(asked.answer, document)
        if asked.kind == "choice":
            choice_of(answer, asked.choices)
        elif asked.choices:
            raise ValueError("choices belong to a prediction or a check of the kind choice")
        elif asked.kind == "number" and isinstance(answer, str | bool | tuple):
            raise ValueError(f"{asked.answer.name} does not return a number")
        elif asked.kind in ("click", "drawing") and not isinstance(answer, tuple):
            raise ValueError(f"{asked.answer.name} does not return a {'cell' if asked.kind == 'click' else 'curve'}")
    known = {*_ANSWERS, *step.numbers}
    for text in step.texts:
        if unknown := [name for name in names_in(text) if name not in known]:
            raise ValueError(f"a text asks for the number {shortened(unknown[0])}, which the step does not compute")
        if words := [piece.word for piece in pieces(text) if piece.kind == "term" and piece.word not in GLOSSARY]:
            raise ValueError(f"the glossary has no word {shortened(words[0])}")


def _check_panel(panel: str | None, places: Places) -> None:
    if panel is not None and panel not in places.panels:
        raise ValueError(f"there is no panel {shortened(panel)}")


def _check_cell(cell: tuple[int, int] | None, document: Document) -> None:
    if cell is None:
        return
    position, column = cell
    if not document.encoding.has_value(position) or column not in range(document.encoding.n_columns):
        raise ValueError(f"its document has no cell at position {position}, column {column}")


def _config(name: str, folder: Path) -> Path:
    if not _CONFIG_NAME.fullmatch(name):
        raise ValueError(f"config must be the name of a file beside the lessons, got {shortened(name)}")
    return folder / name
