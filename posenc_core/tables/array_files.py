"""Arrays of any shape in ``.npy``, ``.npz`` and ``.safetensors`` files, mapped into memory if the file allows.

Nothing in a file is executed: pickled objects are refused.
"""

import math
import zipfile
import zlib
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from posenc_core.fields import shortened
from posenc_core.tables.printed import TEXT_SUFFIXES
from posenc_core.tables.safetensors import READABLE, Tensor, is_positional_name, read_tensors
from posenc_core.tables.table_files import holds_tensors, opened, read_header, size_of

Numbers = npt.NDArray[Any]

_LARGEST_LOADED = 2**28
"""Largest number of numbers of an array that cannot be mapped: a zip file may contain far more than its own size."""

_MOST_ARRAYS = 4096

_OF_TORCH = (
    "it is a file of torch.save, whose objects are never unpickled; save the tensor with numpy.save or as .safetensors"
)
_KINDS = (
    ".npy, .npz or .safetensors file; numbers in text are read from files named "
    f"{', '.join(TEXT_SUFFIXES[:-1])} or {TEXT_SUFFIXES[-1]}"
)


def arrays_in(path: str | Path) -> dict[str, Numbers]:
    """The arrays of numbers in a file by name, "" for a ``.npy`` file; bfloat16 becomes float32. Texts are left out.

    From a ``.safetensors`` file come the tensors of readable types, or only the likely positions if there are any.
    ValueError with one sentence for a file that is missing, damaged, of another kind, or without numbers.
    """
    with opened(path, "the file") as stream:
        if holds_tensors(stream):
            found = {tensor.name: _of_tensor(stream, tensor) for tensor in _likely(stream)}
        elif zipfile.is_zipfile(stream):
            found = _of_zip(stream)
        else:
            stream.seek(0)
            found = {"": _of_array(stream)}
        if not found:
            raise ValueError("it contains no numbers")
        return found


def tensors_ending(path: str | Path, endings: tuple[str, ...]) -> dict[str, Numbers]:
    """The readable tensors of a ``.safetensors`` file whose names end so, by name; errors of ``open_table``."""
    with opened(path, "the table") as stream:  # "the table" as in all notes on a model's weights
        if not holds_tensors(stream):
            raise ValueError("it is not a .safetensors file")
        found = read_tensors(stream, size_of(stream))
        wanted = [each for each in found if each.name.endswith(endings) and each.dtype in READABLE]
        return {each.name: _of_tensor(stream, each) for each in wanted}


def _of_array(stream: BinaryIO) -> Numbers:
    """The mapped array of a ``.npy`` file."""
    shape, by_column, dtype = read_header(stream, _KINDS)
    start, size = stream.tell(), size_of(stream)
    _check_kind(dtype)
    stop = start + math.prod(shape) * dtype.itemsize
    if size < stop:
        raise ValueError(f"it is cut off: {stop} bytes are announced, {size} are there")
    if not math.prod(shape):
        return np.empty(shape, dtype)
    return np.memmap(stream, dtype, "r", start, shape, "F" if by_column else "C").view(np.ndarray)


def _of_zip(stream: BinaryIO) -> dict[str, Numbers]:
    try:
        with zipfile.ZipFile(stream) as archive:
            if any(name.endswith("data.pkl") for name in archive.namelist()):
                raise ValueError(_OF_TORCH)
            names = [name for name in archive.namelist() if name.endswith(".npy")]
            if len(names) > _MOST_ARRAYS:
                raise ValueError(f"it contains {len(names)} arrays, more than {_MOST_ARRAYS}")
            found = {name.removesuffix(".npy"): _member(archive, name) for name in names}
            return {name: array for name, array in found.items() if array is not None}
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, zlib.error):
        raise ValueError("it is damaged") from None


def _member(archive: zipfile.ZipFile, name: str) -> Numbers | None:
    """The array of a member; None for an array of texts."""
    with archive.open(name) as member:
        shape, by_column, dtype = read_header(member)
        if dtype.kind in "US":
            return None
        _check_kind(dtype)
        _check_size(shape)
        data = member.read(math.prod(shape) * dtype.itemsize)
    if len(data) < math.prod(shape) * dtype.itemsize:
        raise ValueError(f"its array {shortened(name)} is cut off")
    return np.frombuffer(data, dtype).reshape(shape, order="F" if by_column else "C")


def _likely(stream: BinaryIO) -> list[Tensor]:
    """The tensors with readable numbers, only those named for positions if there are any."""
    found = [each for each in read_tensors(stream, size_of(stream)) if each.dtype in READABLE]
    return [each for each in found if is_positional_name(each.name) or "inv_freq" in each.name] or found


def _of_tensor(stream: BinaryIO, tensor: Tensor) -> Numbers:
    dtype = np.dtype(READABLE[tensor.dtype])
    if not math.prod(tensor.shape):
        return np.empty(tensor.shape, dtype)
    entries = np.memmap(stream, dtype, "r", tensor.start, tensor.shape).view(np.ndarray)
    if tensor.dtype != "BF16":
        return entries
    _check_size(tensor.shape)
    return (entries.astype(np.uint32) << 16).view(np.float32)


def _check_kind(dtype: np.dtype[Any]) -> None:
    if dtype.hasobject:
        raise ValueError("it contains Python objects, which are never unpickled; save plain numbers")
    if dtype.kind not in "fiuc":
        raise ValueError(f"it must contain numbers, got {shortened(str(dtype))}")


def _check_size(shape: tuple[int, ...]) -> None:
    if math.prod(shape) > _LARGEST_LOADED:
        raise ValueError(f"its array {shortened(shape)} is too large to be unpacked in memory; save it as .npy")
