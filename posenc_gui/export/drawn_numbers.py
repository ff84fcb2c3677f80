"""The numbers of figures that draw others than the tokens' vectors, as CSV."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy.typing as npt

from posenc_core import Document
from posenc_core.tables import Cancelled, ProgressCallback, never_cancelled
from posenc_gui.files import FileError, writing
from posenc_gui.model import Cursor, seen_by
from posenc_gui.panels import drawn_numbers, spec_of

OWN_FORMAT = "csv"
"""The format of a figure's own numbers."""


def drawn_panels(panels: Iterable[str]) -> tuple[str, ...]:
    """The panels that draw their own numbers, in the given order."""
    return tuple(panel for panel in panels if spec_of(panel).has_numbers)


def write_drawn_numbers(
    panel: str,
    document: Document,
    path: Path,
    progress: ProgressCallback = never_cancelled,
    query: int | None = None,
) -> bool:
    """Write the numbers of a panel as CSV; True if they are written, False, without a file, if ``progress`` cancels.

    The file has a head and a row for each value of the horizontal axis; tables are those of the token ``query``, by
    default the last one. Numbers have the fewest digits that represent them exactly. Long work calls ``progress`` with
    the fraction done. FileError with one sentence if the panel cannot be drawn for the document, or if the file cannot
    be written; an older file then stays.
    """
    check_drawable(panel, document)
    document = seen_by(document, Cursor(0, 0, query=query))
    try:
        columns = drawn_numbers(panel, document, progress)
    except Cancelled:
        return False
    except ValueError as error:
        raise FileError(str(error)) from error
    content = csv_of(columns).encode()
    with writing(path) as stream:
        stream.write(content)
    return True


def check_drawable(panel: str, document: Document) -> None:
    """FileError with one sentence if the document does not meet the panel's need."""
    need = spec_of(panel).missing(document)
    if need is not None:
        raise FileError(need.sentence)


def csv_of(columns: Mapping[str, npt.NDArray[Any]]) -> str:
    """The columns as CSV with their heads, whole numbers without a decimal point."""
    texts: list[Sequence[str]] = [[_number(value) for value in values.tolist()] for values in columns.values()]
    rows = [",".join(map(_cell, columns)), *map(",".join, zip(*texts, strict=True))]
    return "\n".join(rows) + "\n"


def _number(value: float | str) -> str:
    if isinstance(value, str):
        return _cell(value)
    return str(int(value)) if float(value).is_integer() else repr(value)  # Python 3.11 asks no int


def _cell(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in ',"\n') else text
