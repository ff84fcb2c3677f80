"""Numbers and JSON in a form for pages: exact, and never read as markup."""

import base64
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

_KINDS = {"f": ("f4", "f8"), "u": ("u1",), "i": ("i4",)}


def packed(numbers: npt.NDArray[Any]) -> dict[str, str]:
    """The numbers row by row, little-endian, in base64; of float32, float64, uint8 or int32, others as float64."""
    kind = f"{numbers.dtype.kind}{numbers.dtype.itemsize}"
    if kind not in _KINDS.get(numbers.dtype.kind, ()):
        kind = "f8"
    stored = np.ascontiguousarray(numbers, f"<{kind}")
    return {"type": kind, "data": base64.b64encode(stored.tobytes()).decode("ascii")}


def embedded(text: str, element: str) -> str:
    """JSON as a data block of HTML, in which no typed text ends the block or begins a comment."""
    return f'<script type="application/json" id="{element}">{text.replace("<", chr(92) + "u003c")}</script>'


def json_of(values: Any) -> str:
    """The values as JSON on one line."""
    return msgspec.json.encode(values).decode()
