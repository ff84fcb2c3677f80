"""Files of the .safetensors format, written by its description and with no code of the program's reader."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np


def bfloat16_bits(numbers: Any) -> np.ndarray[Any, Any]:
    """The upper halves of the float32 numbers, whose lower ones must be zero."""
    bits = np.asarray(numbers, np.float32).view(np.uint32)
    assert not (bits & 0xFFFF).any()
    return (bits >> 16).astype("<u2")


def write(path: Path, tensors: dict[str, tuple[str, Any]], metadata: dict[str, str] | None = None) -> bytes:
    """Write tensors (type, array) by name; the file's bytes."""
    content = tensors_as_bytes(tensors, metadata)
    path.write_bytes(content)
    return content


def tensors_as_bytes(tensors: dict[str, tuple[str, Any]], metadata: dict[str, str] | None = None) -> bytes:
    """The bytes of a file with these tensors (type, array) by name."""
    header: dict[str, Any] = {} if metadata is None else {"__metadata__": metadata}
    data = b""
    for name, (dtype, array) in tensors.items():
        held = np.ascontiguousarray(array).tobytes()
        header[name] = {
            "dtype": dtype,
            "shape": list(np.shape(array)),
            "data_offsets": [len(data), len(data) + len(held)],
        }
        data += held
    return _raw(header, data)


def safetensors(tensors: dict[str, Any]) -> bytes:
    """The bytes of a file with these arrays of float32 by name."""
    return tensors_as_bytes({name: ("F32", np.asarray(array, np.float32)) for name, array in tensors.items()})


def write_raw(path: Path, header: Any, data: bytes = b"") -> bytes:
    """Write a header, a text or what JSON makes one of, and what follows it."""
    content = _raw(header, data)
    path.write_bytes(content)
    return content


def _raw(header: Any, data: bytes) -> bytes:
    text = (header if isinstance(header, str) else json.dumps(header)).encode()
    return struct.pack("<Q", len(text)) + text + data
