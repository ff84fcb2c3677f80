"""The folder and the files of an export by name, and the captions of pictures; no Qt is imported here."""

import math
from pathlib import Path

from posenc_core import Document
from posenc_core.fields import one_line
from posenc_gui.export.grid import FIGURE_NAME
from posenc_gui.export.numbers import NUMBER_FORMATS
from posenc_gui.export.sources import SOURCES_FORMAT, SOURCES_NAME
from posenc_gui.files import FileError, make_folder, remove_leftover
from posenc_gui.look import as_written, counted
from posenc_gui.model import PanelSpec
from posenc_gui.panels import PANELS

PICTURE_FORMATS = ("png", "svg", "pdf")
CAPTION_FORMAT = "txt"
NUMBERS_NAME = "vectors"

_LONGEST_SENTENCE, _LONGEST_VALUE = 80, 40
"""Characters in a caption."""


def named_path(text: str) -> Path:
    """The path that was typed, where ``~`` is the home folder; FileError for the home of an unknown user."""
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise FileError(f"cannot find {one_line(text)}: there is no such user") from error


def prepared_folder(text: str, base: Path) -> Path:
    """The folder that was typed, relative to ``base``; its last level is created if it is missing.

    FileError with one sentence if the folder does not exist and cannot be created.
    """
    if not text:
        raise FileError("there is no folder to write to; type one")
    folder = base / named_path(text)
    make_folder(folder)
    return folder


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files that exports into the folder left when they were killed, but none of a living one.

    Only those with an export's own names: other programs call their unfinished files ``.part`` too.
    """
    pictures = [
        f"{panel}.{format}" for panel in (*PANELS, FIGURE_NAME) for format in (*PICTURE_FORMATS, CAPTION_FORMAT)
    ]
    numbers = [f"{name}.{format}" for name in (NUMBERS_NAME, *PANELS) for format in NUMBER_FORMATS]
    for name in (*pictures, *numbers, f"{SOURCES_NAME}.{SOURCES_FORMAT}"):
        remove_leftover(folder / name)


def caption(document: Document, note: str = "", drawn: str = "") -> str:
    """Family, name, all parameters, sentence, and length, in one line.

    The name is the user's, or else that of the model or preset; the letter stands before all where several encodings
    are compared. ``note`` is the figure's own, such as averaging, ``drawn`` says which lengths are drawn.
    """
    encoding, chosen = document.encoding, document.encodings[document.current]
    parts = [
        f"{document.letter}: {encoding.title}" if document.letter else encoding.title,
        chosen.name or chosen.source,
        _parameters(document),
        _sentence(document),
        f"length {counted(document.seq_len)}",
        drawn,
    ]
    if encoding.label and encoding.label not in note:
        parts.append(encoding.label)
    return " · ".join(filter(None, (*parts, note)))


def _parameters(document: Document) -> str:
    """All parameters with their values, of which long ones are cut."""
    own = {field.name for field in document.OWN_FIELDS}
    parameters = document.encoding.parameters()
    fields = [field for field in document.encoding.fields if field.name not in own]
    return ", ".join(f"{field.name} = {_cut(as_written(field.format(parameters[field.name])))}" for field in fields)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE].rstrip()}…"


def drawn_lengths(document: Document, spec: PanelSpec, positions: tuple[float, float] | None) -> str:
    """The ``positions`` in view where they are a part, and the two lengths if the panel shows those; else ""."""
    parts = []
    if positions is not None and not document.encoding.relative:
        first, last = max(0, math.ceil(positions[0])), min(document.seq_len - 1, math.floor(positions[1]))
        if (first, last) != (0, document.seq_len - 1):
            parts.append(f"positions {counted(first)}–{counted(last)} drawn")
    if "target_length" in spec.used_controls(document):
        parts.append(f"L = {counted(document.lengths.trained)}, L′ = {counted(document.lengths.target)}")
    return " · ".join(parts)


def _sentence(document: Document) -> str:
    """The sentence in quotation marks, shortened, and how it is cut unless into words."""
    text = one_line(document.sentence).strip()
    short = text if len(text) <= _LONGEST_SENTENCE else f"{text[:_LONGEST_SENTENCE].rstrip()}…"
    field = next(field for field in document.OWN_FIELDS if field.name == "tokens")
    cut = "" if document.tokens == field.default else f" as {document.tokens}"
    return f"“{short}”{cut}" if text else ""
