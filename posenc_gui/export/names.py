"""The folder and the files of an export by name, and the captions of pictures; no Qt is imported here."""

import math
from collections.abc import Collection
from pathlib import Path

from posenc_core import Document
from posenc_core.encodings import GRID, has_text
from posenc_core.fields import one_line
from posenc_gui.export.grid import FIGURE_NAME
from posenc_gui.export.numbers import NUMBER_FORMATS
from posenc_gui.export.sources import SOURCES_FORMAT, SOURCES_NAME
from posenc_gui.files import FileError, make_folder, remove_leftover
from posenc_gui.look import as_written, counted
from posenc_gui.model import PanelSpec
from posenc_gui.panels import PANELS

PICTURE_FORMATS = ("png", "svg", "pdf")
CAPTION_FORMAT, SCRIPT_FORMAT = "txt", "py"
NUMBERS_NAME = "vectors"

_LONGEST_SENTENCE, _LONGEST_VALUE = 80, 40
"""Characters in a caption."""


def named_path(text: str) -> Path:
    """The typed path, with ``~`` for the home folder; FileError for the home of an unknown user."""
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise FileError(f"cannot find {one_line(text)}: there is no such user") from error


def prepared_folder(text: str, base: Path) -> Path:
    """The typed folder, relative to ``base``; its last level is created if missing.

    FileError with one sentence if the folder does not exist and cannot be created.
    """
    if not text:
        raise FileError("there is no folder to write to; type one")
    folder = base / named_path(text)
    make_folder(folder)
    return folder


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files of killed exports into the folder, but none of a running export.

    Only files with an export's names are removed: other programs call their unfinished files ``.part`` too.
    """
    pictures = [
        f"{panel}.{format}"
        for panel in (*PANELS, FIGURE_NAME)
        for format in (*PICTURE_FORMATS, CAPTION_FORMAT, SCRIPT_FORMAT)
    ]
    numbers = [f"{name}.{format}" for name in (NUMBERS_NAME, *PANELS) for format in NUMBER_FORMATS]
    for name in (*pictures, *numbers, f"{SOURCES_NAME}.{SOURCES_FORMAT}"):
        remove_leftover(folder / name)


def caption(document: Document, note: str = "", drawn: str = "", compared: Collection[int] = ()) -> str:
    """The caption in one line: family, name and all parameters of the encodings, the sentence, and the length.

    The name is the user's, or else that of the model or preset; a letter precedes each encoding if several are
    compared. ``note`` is the figure's note, such as averaging, ``drawn`` names the drawn lengths, ``compared`` are the
    indices of the encodings that are drawn beside the chosen one.
    """
    encodings = document.encodings
    shown = [document.with_encodings(encodings, index) for index in sorted({document.current, *compared})]
    parts = [_described(each, note) for each in shown]
    return " · ".join(filter(None, (*parts, _sentence(document), f"length {counted(document.seq_len)}", drawn, note)))


def _described(document: Document, note: str) -> str:
    """The chosen encoding: letter, family, other name, parameters, and the source of its numbers unless in the note."""
    encoding, chosen = document.encoding, document.encodings[document.current]
    title = f"{document.letter}: {encoding.title}" if document.letter else encoding.title
    name = chosen.name or chosen.source
    named = "" if name == encoding.title else name
    label = "" if encoding.label in note else encoding.label
    return " · ".join(filter(None, (title, named, _parameters(document), label)))


def _parameters(document: Document) -> str:
    """All parameters with their values, long ones cut and empty ones omitted."""
    own = {field.name for field in document.OWN_FIELDS if field is not GRID}  # the grid has no other place
    parameters = document.encoding.parameters()
    fields = [field for field in document.encoding.fields if field.name not in own]
    texts = {field.name: _cut(as_written(field.format(parameters[field.name]))) for field in fields}
    return ", ".join(f"{name} = {text}" for name, text in texts.items() if text)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE].rstrip()}…"


def drawn_lengths(document: Document, spec: PanelSpec, positions: tuple[float, float] | None) -> str:
    """The ``positions`` in view unless these are all, and both lengths if the panel shows them; else ""."""
    parts = []
    if positions is not None and not document.encoding.relative:
        first, last = max(0, math.ceil(positions[0])), min(document.seq_len - 1, math.floor(positions[1]))
        if (first, last) != (0, document.seq_len - 1):
            parts.append(f"positions {counted(first)}–{counted(last)} drawn")
    if "target_length" in spec.used_controls(document):
        parts.append(f"L = {counted(document.lengths.trained)}, L′ = {counted(document.lengths.target)}")
    return " · ".join(parts)


def _sentence(document: Document) -> str:
    """The sentence in quotation marks, shortened, with its tokenization unless words; empty for a picture alone."""
    text = one_line(document.sentence).strip()
    short = text if len(text) <= _LONGEST_SENTENCE else f"{text[:_LONGEST_SENTENCE].rstrip()}…"
    field = next(field for field in document.OWN_FIELDS if field.name == "tokens")
    cut = "" if document.tokens == field.default else f" as {document.tokens}"
    return f"“{short}”{cut}" if text and has_text(document.encoding) else ""
