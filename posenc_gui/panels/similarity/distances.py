"""Distances at which rows are compared, how many rows a mean is taken of, and the line of one row."""

from functools import lru_cache

import numpy as np

from posenc_core import Document, Encoding
from posenc_core.analysis import similarity_row
from posenc_core.numerics import FloatArray, IntArray
from posenc_gui.model import PositionAxis

_MOST_MEANT = 512

_MOST, _FEWEST, _ENTRIES = 1024, 64, 1 << 20
"""Distances on a line, and products of a distance and a column that are computed for it."""


def step_of(document: Document) -> int:
    """The difference of two neighbouring distances that are drawn, in tokens."""
    widest = max(each.encoding.n_columns for each in document.encodings)
    return max(1, -(-_reach(document) // min(_MOST, max(_FEWEST, _ENTRIES // widest))))


def _reach(document: Document) -> int:
    return len(PositionAxis.of(document).shown) - 1


def distances_of(document: Document) -> IntArray:
    """The distances of both signs that are drawn, in equal steps."""
    reach, step = _reach(document), step_of(document)
    return np.arange(-(reach // step), reach // step + 1, dtype=np.int64) * step


def n_meant(encoding: Encoding) -> int:
    """Number of positions over which the mean is taken of a table whose likeness is not the same at each."""
    most = min(_MOST_MEANT, max(_FEWEST, _ENTRIES // 2 // encoding.n_columns))
    first, last = encoding.domain
    return int(min(most, last - first + 1))


@lru_cache(maxsize=4)
def row_line(encoding: Encoding, position: int, shown: range, reach: int, step: int, measure: str) -> FloatArray:
    """The likeness of one position's row with those at each distance from it; nan beyond the positions shown."""
    others = position + np.arange(-reach, reach + 1, step, dtype=np.int64)
    inside = (others >= shown.start) & (others < shown.stop)
    found = np.full(len(others), np.nan)
    with np.errstate(over="ignore", invalid="ignore"):
        found[inside] = similarity_row(encoding, position, others[inside], measure)
    return np.where(np.isfinite(found), found, np.nan)
