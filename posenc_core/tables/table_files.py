"""Tables in ``.npy`` and ``.safetensors`` files, mapped into memory: only the requested rows are read.

Nothing in a file is executed: pickled objects are refused.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tokenize import TokenError
from typing import Any, BinaryIO

import numpy as np

from posenc_core.fields import one_line, open_regular, shortened
from posenc_core.tables.array_table import ArrayTable, TableOrigin, check_entries, digest_of
from posenc_core.tables.safetensors import READABLE, Tensor, are_sizes, is_safetensors, read_tensors

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
_NUMPY = b"\x93NUMPY"
_NAMED, _LONGEST = 3, 240
"""Largest number of names in a sentence; characters of a path at most, its last ones."""


def open_table(path: str | Path, tensor: str | None = None) -> ArrayTable:
    """The table in a ``.npy`` file, or a tensor of a ``.safetensors`` file; only a few places of the file are read.

    ``tensor`` is optional if only one tensor of the file is a table. ValueError with one plain sentence for a file that
    is missing, of another kind, truncated or without such a table.
    """
    file = Path(path)
    with opened(path) as stream:
        if holds_tensors(stream):
            return _of_tensor(stream, file, tensor)
        if tensor:
            raise ValueError("it is not a .safetensors file: only these have named tensors")
        return _of_array(stream, file)


def tables_in(path: str | Path) -> tuple[Tensor, ...]:
    """The tensors of a ``.safetensors`` file that are tables, likely positions first; empty for any other file.

    ValueError with one plain sentence for an unreadable file, and for a file without tables.
    """
    with opened(path) as stream:
        return _tables(stream) if holds_tensors(stream) else ()


def is_table_file(start: bytes) -> bool:
    """Whether a file that starts with these nine bytes is a ``.npy`` or ``.safetensors`` file."""
    return start.startswith(_NUMPY) or is_safetensors(start)


def holds_tensors(stream: BinaryIO) -> bool:
    """Whether the file is a ``.safetensors`` file; rewinds the stream."""
    start = stream.read(9)
    stream.seek(0)
    return is_safetensors(start)


@contextmanager
def opened(path: str | Path, what: str = "the table") -> Iterator[BinaryIO]:
    """Context manager for the file's bytes; an OSError or ValueError in the body becomes a ValueError with its name."""
    name = one_line(str(path))
    named = f"{what} '{name if len(name) <= _LONGEST else f'...{name[-_LONGEST:]}'}' cannot be opened"
    try:
        with open_regular(path) as stream:
            yield stream
    except FileNotFoundError:
        raise ValueError(f"{named}: there is no such file") from None
    except OSError as error:
        raise ValueError(f"{named}: {(error.strerror or str(error)).lower()}") from None
    except ValueError as error:
        raise ValueError(f"{named}: {error}") from None


def _of_array(stream: BinaryIO, file: Path) -> ArrayTable:
    """The table of a ``.npy`` file; ValueError with the reason if it has none."""
    shape, by_column, dtype = read_header(stream)
    check_entries(shape, dtype)
    return _mapped(stream, file, stream.tell(), shape, dtype, "F" if by_column else "C")


def _of_tensor(stream: BinaryIO, file: Path, name: str | None) -> ArrayTable:
    """The tensor of that name; ValueError with the reason if it is missing or unusable."""
    if name is None:
        found = _tables(stream)
        if len(found) > 1:
            raise ValueError(f"it contains {len(found)} tables ({_names(found)}); say which")
        return _of_one(stream, file, found[0])
    tensors = read_tensors(stream, size_of(stream))
    for tensor in tensors:
        if tensor.name == name:
            return _of_one(stream, file, tensor)
    raise ValueError(f"it contains no tensor {shortened(name)}; it has {_names(tensors)}")


def _of_one(stream: BinaryIO, file: Path, tensor: Tensor) -> ArrayTable:
    if tensor.dtype not in READABLE:
        raise ValueError(
            f"its tensor {shortened(tensor.name)} is of type {shortened(tensor.dtype)}; readable types are "
            f"{', '.join(READABLE)}"
        )
    dtype = np.dtype(READABLE[tensor.dtype])
    check_entries(tensor.table_shape, dtype)
    return _mapped(stream, file, tensor.start, tensor.table_shape, dtype, "C", tensor.name, tensor.dtype == "BF16")


def _mapped(
    stream: BinaryIO,
    file: Path,
    start: int,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    order: Any,
    name: str = "",
    bfloat16: bool = False,
) -> ArrayTable:
    """The table that begins at the byte ``start``; ValueError if the file is too short."""
    status = file.stat()
    stop = start + shape[0] * shape[1] * dtype.itemsize
    if status.st_size < stop:
        raise ValueError(f"it is cut off: {stop} bytes are announced, {status.st_size} are there")
    entries = np.memmap(stream, dtype, "r", start, (shape[0], shape[1]), order)
    origin = TableOrigin(file, name, status.st_mtime_ns, status.st_size)
    return ArrayTable(origin.label, digest_of(entries), entries, bfloat16, origin)


def _tables(stream: BinaryIO) -> tuple[Tensor, ...]:
    """The tensors that can be shown, those with names for positions first; ValueError if there are none."""
    tensors = read_tensors(stream, size_of(stream))
    found = [tensor for tensor in tensors if tensor.is_table]
    if not found:
        raise ValueError(
            f"it contains no table: none of its {len(tensors)} tensors has rows and columns of real numbers"
        )
    return tuple(sorted(found, key=lambda tensor: not tensor.is_positional))


def size_of(stream: BinaryIO) -> int:
    """The file's size in bytes; rewinds the stream."""
    size = stream.seek(0, 2)
    stream.seek(0)
    return size


def _names(tensors: tuple[Tensor, ...]) -> str:
    """The first names, for a sentence."""
    named = ", ".join(shortened(tensor.name) for tensor in tensors[:_NAMED])
    return f"{named} and {len(tensors) - _NAMED} more" if len(tensors) > _NAMED else named or "none"


def read_header(stream: Any, kinds: str = ".npy or .safetensors file") -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """The shape, whether in column order, and the type of the entries; ValueError for anything but a ``.npy``.

    ``kinds`` are the files that the reader accepts.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about headers written by Python 2
            shape, by_column, dtype = _HEADERS[np.lib.format.read_magic(stream)](stream)
    except (ValueError, KeyError, TypeError, SyntaxError, EOFError, RecursionError, MemoryError, TokenError):
        raise ValueError(f"it is not a readable {kinds}") from None
    if not are_sizes(list(shape)):  # numpy accepts True as a size
        raise ValueError(f"its shape must be of whole numbers, got {shortened(shape)}")
    return shape, by_column, dtype
