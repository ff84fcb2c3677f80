"""The header of a GGUF file: its names and values, and the places of its tensors. Weights are not read.

Source: the GGUF specification (ggml, docs/gguf.md), versions 2 and 3.
"""

import math
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from msgspec import Struct

from posenc_core.fields import open_regular, shortened
from posenc_core.model_config.gguf.architectures import Architecture, architecture_named
from posenc_core.numerics import FloatArray

MAGIC = b"GGUF"

_MOST_KEYS, _MOST_TENSORS = 100_000, 1_000_000
_LONGEST_TEXT = 1 << 20
_LONGEST_LIST = 4096
"""Numbers of a list that are kept: one for each layer at most; longer ones belong to a vocabulary."""

_MOST_AXES = 8
_MOST_NUMBER = 2**53
_LARGEST_ALIGNMENT = 1 << 16

_BLOCK = 1 << 18
"""Bytes that are read at a time."""

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
"""By the number of a type, its code in ``struct``."""

_TEXT, _LIST = 8, 9
_FLOATS = {0: "<f4", 1: "<f2", 30: "<u2"}
"""By the number of a tensor's type, how numpy reads it; 30 is bfloat16, the upper half of a float32."""


class GgufTensor(Struct, frozen=True):
    """A tensor: its axes, the one whose numbers are neighbours first; the number of its type; its first byte."""

    axes: tuple[int, ...]
    kind: int
    start: int


class GgufHeader(Struct, frozen=True):
    """The values by key, without long lists and lists of texts, and the tensors by name."""

    path: Path
    values: dict[str, Any]
    tensors: dict[str, GgufTensor]

    def numbers(self, name: str, most: int) -> FloatArray:
        """The numbers of a tensor with one axis, float64 ``(n,)``; ValueError for other tensors or over ``most``."""
        tensor = self.tensors[name]
        if len(tensor.axes) != 1 or not 0 < tensor.axes[0] <= most:
            shown = " x ".join(map(str, tensor.axes))
            raise ValueError(f"the tensor {shortened(name)} must have one axis of 1 to {most} numbers, has {shown}")
        if tensor.kind not in _FLOATS:
            raise ValueError(f"the tensor {shortened(name)} is of type {tensor.kind}; F32, F16 and BF16 can be read")
        dtype, count = np.dtype(_FLOATS[tensor.kind]), tensor.axes[0]
        size = count * dtype.itemsize
        with open_regular(self.path) as stream:
            if tensor.start + size > os.fstat(stream.fileno()).st_size:
                raise ValueError(f"the tensor {shortened(name)} reaches beyond the end of the file")
            stream.seek(tensor.start)
            raw = stream.read(size)
        found = np.frombuffer(raw, dtype)
        if dtype.kind == "u":
            found = (found.astype(np.uint32) << 16).view(np.float32)
        return found.astype(np.float64)


class Keys(Struct, frozen=True):
    """The values of a header under the name of its architecture."""

    header: GgufHeader
    architecture: str

    @property
    def facts(self) -> Architecture:
        """Facts of the architecture that the header omits."""
        return architecture_named(self.architecture)

    def find(self, key: str) -> Any:
        """The value under the key; None if the file does not have the key."""
        return self.header.values.get(f"{self.architecture}.{key}")

    def whole(self, key: str, default: int | None = None) -> int | None:
        """A whole number from 1; the largest of a list with one for each layer. ValueError for other values."""
        value = self.find(key)
        if isinstance(value, list):
            value = max((each for each in value if type(each) is int), default=None)
        if value is None:
            return default
        if type(value) is not int or not 0 < value < _MOST_NUMBER:
            raise ValueError(f"{self.architecture}.{key} must be a whole number from 1, got {shortened(value)}")
        return value

    def number(self, key: str, default: float) -> float:
        """A finite number; ValueError for other values."""
        value = self.find(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError(f"{self.architecture}.{key} must be a number, got {shortened(value)}")
        return float(value)

    def each(self, key: str, n_layers: int) -> list[Any] | None:
        """A list with a number for each layer; None if the file has none. ValueError for another length."""
        value = self.find(key)
        if not isinstance(value, list):
            return None
        if len(value) < n_layers:
            raise ValueError(f"{self.architecture}.{key} has {len(value)} entries for {n_layers} layers")
        return value[:n_layers]


def read_gguf(path: Path) -> GgufHeader:
    """The header of the file; ValueError with one sentence for any other or damaged file, OSError as usual."""
    with open_regular(path) as stream:
        reader = _Reader(stream)
        reader.check_start()
        n_tensors, n_keys = reader.number("Q"), reader.number("Q")
        if n_keys > _MOST_KEYS or n_tensors > _MOST_TENSORS:
            most = f"{_MOST_KEYS:,} keys and {_MOST_TENSORS:,} tensors"
            raise ValueError(f"its header counts {n_keys:,} keys and {n_tensors:,} tensors; at most {most} are read")
        values: dict[str, Any] = {}
        for _ in range(n_keys):
            key = reader.text()
            if key in values:
                raise ValueError(f"its header has the key {shortened(key)} twice")
            values[key] = reader.value(reader.number("I"))
        found = [reader.tensor() for _ in range(n_tensors)]
        start = reader.aligned(values.get("general.alignment", 32))
    tensors = {name: GgufTensor(axes, kind, start + offset) for name, axes, kind, offset in found}
    if len(tensors) < n_tensors:
        raise ValueError("its header has the name of a tensor twice")
    return GgufHeader(path, {key: value for key, value in values.items() if value is not None}, tensors)


class _Reader:
    """Reads the parts of a header; every read is checked against the size of the file."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._left = os.fstat(stream.fileno()).st_size
        self._passed, self._block, self._at = 0, b"", 0
        self._by_kind: dict[int, Callable[[], Any]] = {_TEXT: self.text, _LIST: self._list}

    def check_start(self) -> None:
        """ValueError unless the file begins like GGUF of a version that is read."""
        if self._bytes(4) != MAGIC:
            raise ValueError("this is not a GGUF file: it does not begin with 'GGUF'")
        version = self.number("I")
        if version not in (2, 3):
            swapped = version in (2 << 24, 3 << 24)
            raise ValueError(
                "this GGUF file is big-endian; only little-endian files are read"
                if swapped
                else f"this GGUF file is of version {version}; versions 2 and 3 are read"
            )

    def number(self, code: str) -> Any:
        """The next number, ``code`` as in ``struct``."""
        return struct.unpack(f"<{code}", self._bytes(struct.calcsize(f"<{code}")))[0]

    def text(self) -> str:
        """The next text; invalid UTF-8 in it is replaced."""
        length = self.number("Q")
        if length > _LONGEST_TEXT:
            raise ValueError(f"its header has a text of {length:,} bytes; at most {_LONGEST_TEXT:,} are read")
        return self._bytes(length).decode("utf-8", "replace")

    def value(self, kind: int) -> Any:
        """The next value of the type with this number; None for a list that is skipped."""
        if kind in _SCALARS:
            return self.number(_SCALARS[kind])
        if kind not in self._by_kind:
            raise ValueError(f"its header has a value of the unknown type {kind}")
        return self._by_kind[kind]()

    def tensor(self) -> tuple[str, tuple[int, ...], int, int]:
        """Name, axes, type and offset of the next tensor."""
        name, n_axes = self.text(), self.number("I")
        if n_axes > _MOST_AXES:
            raise ValueError(f"the tensor {shortened(name)} has {n_axes} axes; at most {_MOST_AXES} are read")
        axes = tuple(self.number("Q") for _ in range(n_axes))
        return name, axes, self.number("I"), self.number("Q")

    def aligned(self, alignment: object) -> int:
        """The first byte of the tensors' data."""
        if type(alignment) is not int or not 1 <= alignment <= _LARGEST_ALIGNMENT:
            raise ValueError(f"general.alignment must be from 1 to {_LARGEST_ALIGNMENT}, got {shortened(alignment)}")
        return math.ceil((self._passed + self._at) / alignment) * alignment

    def _list(self) -> list[Any] | None:
        kind, count = self.number("I"), self.number("Q")
        if kind in _SCALARS and count <= _LONGEST_LIST:
            code = f"{count}{_SCALARS[kind]}"
            return list(struct.unpack(f"<{code}", self._bytes(struct.calcsize(f"<{code}"))))
        self._skip_list(kind, count, inner=False)
        return None

    def _skip_list(self, kind: int, count: int, inner: bool) -> None:
        if kind in _SCALARS:
            self._skip(count * struct.calcsize(f"<{_SCALARS[kind]}"))
        elif kind == _TEXT:
            self._skip_texts(count)
        elif kind == _LIST and not inner:
            for _ in range(count):  # each needs at least twelve bytes, so that a false count ends with the file
                self._skip_list(self.number("I"), self.number("Q"), inner=True)
        else:
            raise ValueError(f"its header has a list of values of type {kind}, or lists nested more than twice")

    def _skip_texts(self, count: int) -> None:
        """Skip the texts of a vocabulary, each of at least the eight bytes of its length."""
        while count:
            self._fill(8)
            block, at, stop = self._block, self._at, len(self._block) - 8
            while count and at <= stop:
                at += 8 + int.from_bytes(block[at : at + 8], "little")
                count -= 1
            self._skip(at - self._at)

    def _bytes(self, count: int) -> bytes:
        self._fill(count)
        found = self._block[self._at : self._at + count]
        self._at += count
        return found

    def _skip(self, count: int) -> None:
        beyond = self._at + count - len(self._block)
        if beyond <= 0:
            self._at += count
            return
        if beyond > self._left:
            raise ValueError(_ENDS)
        self._stream.seek(beyond, os.SEEK_CUR)
        self._left -= beyond
        self._passed, self._block, self._at = self._passed + self._at + count, b"", 0

    def _fill(self, count: int) -> None:
        """Have at least ``count`` bytes in the block; ValueError if the file has no more."""
        missing = count - (len(self._block) - self._at)
        if missing <= 0:
            return
        if missing > self._left:
            raise ValueError(_ENDS)
        more = self._stream.read(min(max(missing, _BLOCK), self._left))
        if len(more) < missing:
            raise ValueError(_ENDS)
        self._left -= len(more)
        self._passed, self._block, self._at = self._passed + self._at, self._block[self._at :] + more, 0


_ENDS = "this GGUF file ends too early, or its header counts more than it contains"
