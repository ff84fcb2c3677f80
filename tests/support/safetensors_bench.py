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
    return write_raw(path, header, data)


def write_raw(path: Path, header: Any, data: bytes = b"") -> bytes:
    """Write a header, a text or what JSON makes one of, and what follows it."""
    text = (header if isinstance(header, str) else json.dumps(header)).encode()
    content = struct.pack("<Q", len(text)) + text + data
    path.write_bytes(content)
    return content
