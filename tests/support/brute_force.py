"""A window of a table by definition: the mean of each pixel's entries, computed pixel by pixel."""

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import strategies as st

from posenc_core import Encoding

Window = tuple[float, float]


def cells(window: Window, pixels: int) -> list[list[int]]:
    """The integers in each part of the window by exact arithmetic; where none is, the cell the part lies in."""
    first, stop = Fraction(window[0]), Fraction(window[1])
    edges = [first + (stop - first) * k / pixels for k in range(pixels + 1)]
    inside = [list(range(math.ceil(one), math.ceil(other))) for one, other in pairwise(edges)]
    centres = [(one + other) / 2 for one, other in pairwise(edges)]
    return [found or [math.floor(centre)] for found, centre in zip(inside, centres, strict=True)]


def mean_of_entries(encoding: Encoding, rows: list[list[int]], columns: list[list[int]]) -> np.ndarray[Any, Any]:
    """The definition, entry by entry."""
    positions = sorted({position for row in rows for position in row})
    table = encoding.values(np.array(positions), np.arange(encoding.n_columns))
    index = {position: k for k, position in enumerate(positions)}
    down = np.array([table[[index[position] for position in row]].mean(axis=0) for row in rows])
    return np.array([down[:, column].mean(axis=1) for column in columns]).T


@st.composite
def windows(draw: st.DrawFn, low: int, high: int) -> Window:
    """A window whose ends are whole numbers or 64ths, which float64 holds exactly."""
    part = draw(st.sampled_from([1, 2, 64]))
    first = draw(st.integers(low * part, high * part - 1))
    return first / part, draw(st.integers(first + 1, high * part)) / part
