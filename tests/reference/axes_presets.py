"""The presets of several axes, and their tables as the libraries lay theirs out."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from posenc_core.encodings import RopeAxes

PRESETS = Path(__file__).parents[2] / "resources" / "presets"


def preset(name: str) -> RopeAxes:
    """The encoding of a shipped preset, with its grid."""
    stored = json.loads((PRESETS / f"{name}.json").read_text(encoding="utf-8"))
    return RopeAxes.from_parameters(stored["encoding"])


def n_cells(encoding: RopeAxes) -> int:
    """The number of cells of the grid, text included."""
    return int(encoding.domain[1]) + 1


def cosines_and_sines(encoding: RopeAxes) -> list[Any]:
    """The cosine and the sine by which each column is turned in every cell, float64 ``(n_cells, head_dim)`` each."""
    half, positions = encoding.head_dim // 2, np.arange(n_cells(encoding))
    table = encoding.in_halves().values(positions, np.arange(encoding.head_dim))
    parts = table[:, :half], table[:, half:]
    if encoding.pairing == "interleaved":
        return [np.repeat(part, 2, axis=1) for part in parts]
    return [np.tile(part, 2) for part in parts]


def fastest_angle(encoding: RopeAxes) -> float:
    """The largest angle of the grid in rad, which float32 rounds most."""
    last = np.array([encoding.cells.grid.n_text, n_cells(encoding) - 1])
    return float(np.abs(encoding.cells.angles(last, np.arange(encoding.head_dim // 2))).max())
