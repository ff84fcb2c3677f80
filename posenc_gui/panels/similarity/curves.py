"""The lines of likeness by distance, of all encodings of a document, and of the rows of one position."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from posenc_core import Document, Encoding, similarity
from posenc_core.analysis import MEASURES, is_toeplitz, similarity_row
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.session import LETTERS
from posenc_gui.figures.line_plot import Line
from posenc_gui.model.cursor import PositionAxis

MEANT = 512
"""Positions over which the mean is taken of a table whose likeness is not the same at every position."""

MEASURE_WORDS = {"dot": "dot product", "cosine": "cosine", "euclidean": "Euclidean distance"}

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


def lines_of(document: Document, measure: str) -> tuple[Line, ...]:
    """The likeness by distance of the chosen encoding, and of the others beside it."""
    distances, several = distances_of(document), len(document.encodings) > 1
    order = sorted(range(len(document.encodings)), key=document.current.__ne__)
    lines = []
    for index in order:
        letter = LETTERS[index] if several else ""
        name = f"{letter} {document.encodings[index].title}".strip()
        y = _by_distance(document.encodings[index].encoding, int(distances[-1]), step_of(document), measure)
        lines.append(Line(name, y, int(index != document.current), letter))
    return tuple(lines)


def columns_of(document: Document) -> Mapping[str, FloatArray]:
    """The table of all measures: the distances from 0 on, then each measure of each encoding."""
    distances = distances_of(document)
    half = distances >= 0
    columns = {"distance": distances[half].astype(np.float64)}
    for measure in MEASURES:
        for line in lines_of(document, measure):
            columns[f"{MEASURE_WORDS[measure]}: {line.name}"] = line.y[half]
    return columns


@lru_cache(maxsize=16)
def _by_distance(encoding: Encoding, reach: int, step: int, measure: str) -> FloatArray:
    """The likeness at the distances -reach..reach; equal for both signs."""
    half = np.arange(0, reach + 1, step, dtype=np.int64)
    with np.errstate(over="ignore", invalid="ignore"):
        found = similarity(encoding, half, measure, None if is_toeplitz(encoding) else MEANT)
    found = np.where(np.isfinite(found), found, np.nan)
    return np.concatenate([found[:0:-1], found])


@lru_cache(maxsize=4)
def row_line(encoding: Encoding, position: int, shown: range, reach: int, step: int, measure: str) -> FloatArray:
    """The likeness of one position's row with those at each distance from it; nan beyond the positions shown."""
    others = position + np.arange(-reach, reach + 1, step, dtype=np.int64)
    inside = (others >= shown.start) & (others < shown.stop)
    found = np.full(len(others), np.nan)
    with np.errstate(over="ignore", invalid="ignore"):
        found[inside] = similarity_row(encoding, position, others[inside], measure)
    return np.where(np.isfinite(found), found, np.nan)
