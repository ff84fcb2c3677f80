"""Files that hold a table: ``.npy``, mapped into memory so that only the rows that are asked for are read."""

from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np

from posenc_core.fields import shortened
from posenc_core.tables import ArrayTable, check_entries

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def open_table(path: str | Path) -> ArrayTable:
    """The table in a ``.npy`` file, opened and not read; pickled objects are never loaded.

    ValueError with one plain sentence for a file that is missing, is no ``.npy``, is cut off or holds no table.
    """
    file = Path(path)
    try:
        if not file.is_file():
            raise ValueError("there is no such file")
        return _mapped(file)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ValueError(f"the table {shortened(str(path))} cannot be opened: {reason}") from None
    except ValueError as error:
        raise ValueError(f"the table {shortened(str(path))} cannot be opened: {error}") from None


def _mapped(file: Path) -> ArrayTable:
    """The table of an existing file; ValueError with the reason why there is none."""
    with file.open("rb") as opened:
        shape, by_column, dtype = _header(opened)
        start, status = opened.tell(), file.stat()
    check_entries(shape, dtype)
    size = start + shape[0] * shape[1] * dtype.itemsize
    if status.st_size < size:
        raise ValueError(f"it is cut off: {size} bytes are announced, {status.st_size} are there")
    entries = np.memmap(file, dtype, "r", start, shape, "F" if by_column else "C")
    return ArrayTable(str(file), (status.st_mtime_ns, status.st_size), entries)


def _header(opened: Any) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Shape, whether by columns, and the type of the entries; ValueError for anything but a ``.npy``."""
    try:
        return _HEADERS[np.lib.format.read_magic(opened)](opened)
    except (ValueError, KeyError, TypeError, SyntaxError, EOFError, RecursionError, MemoryError, TokenError):
        raise ValueError("it is no .npy file that can be read") from None
