"""The tensors of a ``.safetensors`` file, read from its header only.

The format: eight bytes with the length of the header, the header as JSON with each tensor's type, shape and offsets,
then the numbers (https://github.com/huggingface/safetensors, "Format").
"""

import math
import re
from itertools import pairwise
from typing import Any, BinaryIO, TypeGuard

from msgspec import Struct

from posenc_core.fields import decode_json, shortened

MAXIMUM_HEADER = 100_000_000
"""The format's own bound, in bytes."""

MAXIMUM_VALUES = 2_000_000
"""Largest number of names and numbers in a header: a hundred times that of the largest models."""

_MAXIMUM_AXES = 32
_LARGEST = 2**62

READABLE = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
"""The types whose numbers can be shown, as numpy types; numpy has only the bits of bfloat16."""

_SIZES = {
    "BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1, "U16": 2, "I16": 2, "F16": 2, "BF16": 2,
    "U32": 4, "I32": 4, "F32": 4, "U64": 8, "I64": 8, "F64": 8,
}  # fmt: skip

_POSITIONAL = re.compile(
    r"(^|[._/])(wpe|position_embeddings?|embed_positions?|positions_embed|pos_embed(ding)?s?|positional_embeddings?"
    r"|positions?_emb|position_embeds_layer|position_embd|position_ids_emb|pos_emb|rel_pos_emb|rel_pos_[hw]"
    r"|relative_attention_bias|relative_position_bias_table|distance_embedding)([._/]|$)",
    re.IGNORECASE,
)
_OF_OTHER_THINGS = re.compile(r"query_position|token_type|(^|[._/])[xyhw]_position", re.IGNORECASE)
"""Tables other than positions: queries of detected objects, kinds of tokens, places on a page."""


class Tensor(Struct, frozen=True):
    """A tensor of a file: its name, its type as the file names it, its shape, and its range of bytes in the file."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    stop: int

    @property
    def table_shape(self) -> tuple[int, ...]:
        """The shape without axes of length 1, if two axes remain: models store tables as (1, N, d) and (N, 1, d)."""
        long = tuple(each for each in self.shape if each != 1)
        return long if len(self.shape) > 2 and len(long) == 2 else self.shape

    @property
    def is_table(self) -> bool:
        """Whether it has rows and columns of a readable type."""
        return len(self.table_shape) == 2 and min(self.shape) > 0 and self.dtype in READABLE

    @property
    def is_positional(self) -> bool:
        """Whether its name is common for positions, such as ``wpe.weight``."""
        return is_positional_name(self.name)


def is_positional_name(name: str) -> bool:
    """Whether a tensor's name is common for positions."""
    return _POSITIONAL.search(name) is not None and not _OF_OTHER_THINGS.search(name)


def is_safetensors(start: bytes) -> bool:
    """Whether a file that starts with these nine bytes is a ``.safetensors`` file."""
    return len(start) >= 9 and int.from_bytes(start[:8], "little") <= MAXIMUM_HEADER and start[8:9] == b"{"


def read_tensors(stream: BinaryIO, size: int) -> tuple[Tensor, ...]:
    """All tensors of a file of ``size`` bytes, in the order of its header; the stream must be at its beginning.

    ValueError with a reason for a damaged header, and for tensors that overlap or exceed the file.
    """
    length = int.from_bytes(stream.read(8), "little")
    if length > MAXIMUM_HEADER:
        raise ValueError(f"its header is announced with {length} bytes, more than {MAXIMUM_HEADER // 10**6} MB")
    text = stream.read(length)
    if len(text) < length:
        raise ValueError(f"it is cut off in its header: {8 + length} bytes are announced, {size} are there")
    tensors = [_tensor(name, value, 8 + length) for name, value in _parsed(text).items() if name != "__metadata__"]
    places = sorted((tensor.start, tensor.stop, tensor.name) for tensor in tensors if tensor.stop > tensor.start)
    for (_, stop, one), (start, _, other) in pairwise(places):
        if start < stop:
            raise ValueError(f"its tensors {shortened(one)} and {shortened(other)} overlap")
    announced = max((tensor.stop for tensor in tensors), default=0)
    if announced > size:
        raise ValueError(f"it is cut off: {announced} bytes are announced, {size} are there")
    return tuple(tensors)


def _parsed(text: bytes) -> dict[str, Any]:
    """The header's names and values; ValueError for a name that comes twice, and for anything but such a header."""
    if text.count(b",") + text.count(b"[") + text.count(b"{") > MAXIMUM_VALUES:
        raise ValueError("its header lists too many tensors to be read")
    return decode_json(text, "its header", unique_names=True)


def _tensor(name: str, value: Any, data: int) -> Tensor:
    """The tensor of a header entry, whose offsets count from ``data``; ValueError with a reason if it is damaged."""
    wrong = f"its tensor {shortened(name)} is damaged: "
    if not isinstance(value, dict) or not isinstance(value.get("dtype"), str):
        raise ValueError(f"{wrong}it has no dtype")
    shape, offsets = value.get("shape"), value.get("data_offsets")
    if not are_sizes(shape) or len(shape) > _MAXIMUM_AXES:
        raise ValueError(f"{wrong}its shape is {shortened(shape)}")
    if not are_sizes(offsets) or len(offsets) != 2 or offsets[0] > offsets[1]:
        raise ValueError(f"{wrong}its data_offsets are {shortened(offsets)}")
    dtype, (start, stop) = value["dtype"], offsets
    if dtype in _SIZES and math.prod(shape) * _SIZES[dtype] != stop - start:
        raise ValueError(f"{wrong}{shortened(tuple(shape))} of {dtype} do not take {stop - start} bytes")
    return Tensor(name, dtype, tuple(shape), data + start, data + stop)


def are_sizes(values: Any) -> TypeGuard[list[int]]:
    """Whether the values are a list of integers >= 0 that a size or an offset can have."""
    return isinstance(values, list) and all(type(each) is int and 0 <= each <= _LARGEST for each in values)
