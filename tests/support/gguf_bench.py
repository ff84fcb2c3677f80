"""Small GGUF files, written by the format's own description."""

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

TEXT, LIST = 8, 9
_CODES = {"B": 0, "b": 1, "H": 2, "h": 3, "I": 4, "i": 5, "f": 6, "?": 7, "Q": 10, "q": 11, "d": 12}


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def value(given: Any) -> bytes:
    """A value with the number of its type: text, bool, whole number, number (f32), or a list of one of them."""
    if isinstance(given, str):
        return struct.pack("<I", TEXT) + text(given)
    if isinstance(given, list):
        if given and isinstance(given[0], str):
            return struct.pack("<IIQ", LIST, TEXT, len(given)) + b"".join(map(text, given))
        code = "?" if given and isinstance(given[0], bool) else "i" if all(type(each) is int for each in given) else "f"
        return struct.pack(f"<IIQ{len(given)}{code}", LIST, _CODES[code], len(given), *given)
    whole = "I" if isinstance(given, int) and 0 <= given < 2**32 else "Q" if given > 0 else "q"
    code = "?" if isinstance(given, bool) else whole if isinstance(given, int) else "f"
    return struct.pack(f"<I{code}", _CODES[code], given)


def gguf(values: Mapping[str, Any], tensors: Mapping[str, Sequence[float]] = {}, version: int = 3) -> bytes:
    """A file with these values and tensors of float32 with one axis, or two for nested lists."""
    head, data = bytearray(), bytearray()
    for name, numbers in tensors.items():
        array = np.asarray(numbers, "<f4")
        axes = array.shape[::-1]
        head += text(name) + struct.pack(f"<I{len(axes)}QIQ", len(axes), *axes, 0, len(data))
        data += array.tobytes() + bytes(-array.nbytes % 32)
    start = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(values))
    start += b"".join(text(key) + value(each) for key, each in values.items()) + bytes(head)
    return start + bytes(-len(start) % 32) + bytes(data)


def llama(**more: Any) -> dict[str, Any]:
    """The values of Llama 3.1 8B's file; ``more`` are keys below ``llama.`` with dots as double underscores."""
    return {
        "general.architecture": "llama",
        "general.name": "Llama 3.1 8B",
        "llama.block_count": 4,
        "llama.context_length": 131072,
        "llama.embedding_length": 4096,
        "llama.attention.head_count": 32,
        "llama.rope.dimension_count": 128,
        "llama.rope.freq_base": 500000.0,
        "tokenizer.ggml.tokens": ["a", "b"],
        **{f"llama.{key.replace('__', '.')}": each for key, each in more.items()},
    }


def written(path: Path, *arguments: Any, **more: Any) -> Path:
    path.write_bytes(gguf(*arguments, **more))
    return path
