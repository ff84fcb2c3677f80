"""Similarity of two rows of any table, by distance and from one row to others.

The similarity of whole pairs depends on the distance alone. Other tables are read by blocks of rows.
"""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core.analysis.pair_waves import cosine_similarity, dot_products, squared_distances, whole_pairs
from posenc_core.encodings import Computed, Encoding
from posenc_core.fields import check_length, check_positions, shortened
from posenc_core.numerics import FloatArray, IntArray, Spans, blocks
from posenc_core.tables import UnreadableError

MEASURES = ("dot", "cosine", "euclidean")
"""Dot product, cosine of the angle, Euclidean distance."""

N_POSITIONS = 2048
"""Positions over which the mean is taken of a table without whole pairs, by default."""

_BLOCK = 512
_ENTRIES_AT_A_TIME = 1 << 20
_EXAMINED, _FEWEST_EXAMINED = 64, 4
_ENTRIES_EXAMINED = 1 << 19

_NEAR = 1e-6
"""A squared distance below this share of the rows' squares has lost half of its digits."""


def similarity(
    encoding: Encoding, distances: Any, measure: str = "cosine", n_positions: int | None = None
) -> FloatArray:
    """Similarity of two rows by distance, float64 ``(n_distances,)``: ``"dot"``, ``"cosine"`` or ``"euclidean"``.

    For tables of whole pairs it is exact and equal at every position: ``a**2 sum_i cos(w_i distance)``, a the
    attention factor, the same over the squared norm, and ``2 a sqrt(sum_i sin(w_i distance/2)**2)``. For other tables
    it is the mean over all pairs of rows at that distance (of either sign) among the first ``n_positions``, by default
    2048 or as many as the table has; among the last in a table with a last position only. nan if no two rows are so
    far apart, and for the cosine of a zero row.
    Source: Vaswani et al. 2017, section 3.5.
    """
    rows = check_positions(distances)
    check_measure(measure)
    if is_toeplitz(encoding):
        if measure == "euclidean":
            return np.sqrt(squared_distances(encoding, rows))
        return dot_products(encoding, rows) if measure == "dot" else cosine_similarity(encoding, rows)
    count = N_POSITIONS if n_positions is None else check_length(n_positions, "n_positions")
    found, places = np.unique(np.abs(rows), return_inverse=True)
    return _means_by_distance(encoding, found.astype(np.int64).tobytes(), count)[measure][places]


def similarity_row(encoding: Encoding, position: int, others: Any, measure: str = "cosine") -> FloatArray:
    """Similarity of the row of a position to ``others``, float64 ``(n_others,)``; nan without a row."""
    check_measure(measure)
    one, places = check_positions([position]), check_positions(others)
    parts = (places[some] for some in blocks(len(places), encoding.n_columns, _ENTRIES_AT_A_TIME))
    return np.concatenate([np.empty(0), *(_likeness(encoding, one, some, measure)[0] for some in parts)])


@lru_cache(maxsize=8)
def pair_similarity(encoding: Encoding, position: int, other: int) -> Mapping[str, float]:
    """Similarity of the rows of two positions by each measure, as by ``similarity_row``; each row is read once."""
    one, place = check_positions([position]), check_positions([other])
    rows = known_rows(encoding, one), known_rows(encoding, place)
    return {measure: float(_compared(*rows, one[:, None] == place, measure)[0, 0]) for measure in MEASURES}


def similarity_reach(encoding: Encoding, positions: range, measure: str = "cosine") -> float:
    """The largest absolute similarity among up to 64 of the positions, spread evenly; 1 for the cosine.

    For wide tables fewer rows are compared, at least 4: as many as are read in a few hundredths of a second. The dot
    products of whole pairs are largest at distance 0, where the result is exact. 0 if no similarity is finite.
    """
    check_measure(measure)
    if measure == "cosine" or not positions:
        return float(measure == "cosine")
    count = max(_FEWEST_EXAMINED, min(_EXAMINED, _ENTRIES_EXAMINED // max(row_cost(encoding), encoding.n_columns)))
    some = np.unique(np.linspace(positions[0], positions[-1], count).round().astype(np.int64))
    with np.errstate(over="ignore", invalid="ignore"):
        found = np.abs(_likeness(encoding, some, some, measure))
    return float(found[np.isfinite(found)].max(initial=0.0))


@lru_cache(maxsize=64)
def is_toeplitz(encoding: Encoding) -> bool:
    """Whether the similarity of two rows depends on their distance alone: all columns are pairs of sine and cosine."""
    try:
        whole_pairs(encoding)
    except ValueError:
        return False
    return True


def row_cost(encoding: Encoding) -> int:
    """The cost of reading a row, in entries of a file's table."""
    return max(1, rows_cost(encoding, np.zeros(1, np.int64)))


def rows_cost(encoding: Encoding, positions: IntArray) -> int:
    """The cost of reading the rows at ascending positions, in entries of a file's table; equal rows are read once."""
    reading, each = encoding.reading or Computed(encoding), Spans(positions, np.ones_like(positions))
    return int(reading.costs(each, encoding.n_columns).sum())


def known_rows(encoding: Encoding, positions: IntArray) -> FloatArray:
    """The rows at the positions, float64 ``(n_positions, n_columns)``; nan for a position without a value."""
    first, last = encoding.domain
    known = (positions >= first) & (positions <= last)
    rows, columns = np.full((len(positions), encoding.n_columns), np.nan), np.arange(encoding.n_columns)
    if not known.any():
        return rows
    try:
        rows[known] = encoding.values(positions[known], columns)
    except UnreadableError:  # of a large table, whose rows are examined one by one
        known = np.array([encoding.has_value(position) for position in positions.tolist()], bool)
        rows[known] = encoding.values(positions[known], columns)
    return rows


@lru_cache(maxsize=8)
def _means_by_distance(encoding: Encoding, distances: bytes, count: int) -> Mapping[str, FloatArray]:
    """The means of all measures over all pairs of the first, or without a first the last, ``count`` positions.

    ``distances`` are the bytes of int64 numbers >= 0 in ascending order.
    """
    asked = np.frombuffer(distances, np.int64)
    first, last = encoding.domain
    start = int(first) if math.isfinite(first) else 0
    if math.isinf(first) and math.isfinite(last):  # distances up to the query's own, as xPos has
        start = int(last) + 1 - count
    stop = start + count if math.isinf(last) else min(start + count, int(last) + 1)
    sums, counts = np.zeros((len(MEASURES), count + 1)), np.zeros((len(MEASURES), count + 1), np.int64)
    wanted = asked[asked < stop - start]
    tall = max(1, min(_BLOCK, _ENTRIES_AT_A_TIME // encoding.n_columns))
    for near in range(start, stop, tall):
        one = np.arange(near, min(near + tall, stop))
        left = known_rows(encoding, one)
        for far in range(near, stop, tall):
            lowest, highest = far - near - tall + 1, far - near + tall - 1
            if not ((wanted >= lowest) & (wanted <= highest)).any():
                continue
            other = np.arange(far, min(far + tall, stop))
            right = left if far == near else known_rows(encoding, other)
            apart = other[None, :] - one[:, None]
            for row, measure in enumerate(MEASURES):
                numbers = _compared(left, right, apart == 0, measure)
                known = (apart >= 0) & ~np.isnan(numbers)
                sums[row] += np.bincount(apart[known], weights=numbers[known], minlength=count + 1)
                counts[row] += np.bincount(apart[known], minlength=count + 1)
    places = np.minimum(asked, count)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(asked < count, sums[:, places] / counts[:, places], np.nan)
    return dict(zip(MEASURES, means, strict=True))


def _compared(left: FloatArray, right: FloatArray, same: npt.NDArray[np.bool_], measure: str) -> FloatArray:
    """The similarity of rows by a measure, float64 ``(n, m)``; ``same`` flags pairs of one position."""
    if measure == "euclidean":
        distances = row_distances(left, right)
        distances[same] *= 0  # two computations of one row may differ in the last digit; nan stays nan
        return distances
    products = np.asarray(left @ right.T)
    if measure == "dot":
        return products
    squares, others = np.square(left).sum(axis=1)[:, None], np.square(right).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(products / np.sqrt(squares * others))


def row_distances(left: FloatArray, right: FloatArray) -> FloatArray:
    """The Euclidean distances of rows, float64 ``(n, m)``, 0 for equal ones; nan for a row without a value.

    They are differences of squares and products, after subtracting one row to keep both small. For rows that are
    nearly equal, this would lose digits; their distances are computed from differences of entries.
    """
    centre = np.nan_to_num(left[0]) if len(left) else 0.0
    one, other = left - centre, right - centre
    sums = np.square(one).sum(axis=1)[:, None] + np.square(other).sum(axis=1)
    squared = np.maximum(sums - 2 * (one @ other.T), 0)
    down, across = np.nonzero(squared < _NEAR * sums)
    if len(down):
        numbers: dict[bytes, int] = {}
        kinds, others = (
            np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in rows]) for rows in (left, right)
        )
        is_equal = kinds[down] == others[across]
        squared[down[is_equal], across[is_equal]] = 0
        down, across = down[~is_equal], across[~is_equal]
    for block in blocks(len(down), left.shape[1], _ENTRIES_AT_A_TIME):
        some = down[block], across[block]
        squared[some] = np.square(left[some[0]] - right[some[1]]).sum(axis=1)
    return np.asarray(np.sqrt(squared))


def _likeness(encoding: Encoding, one: IntArray, other: IntArray, measure: str) -> FloatArray:
    """The similarity of rows at some positions and at others, float64 ``(n, m)``; nan for a position without a row."""
    left = known_rows(encoding, one)
    right = left if one is other else known_rows(encoding, other)
    return _compared(left, right, one[:, None] == other, measure)


def check_measure(measure: str) -> None:
    """ValueError with one sentence for another measure."""
    if measure not in MEASURES:
        raise ValueError(f"measure must be one of {', '.join(MEASURES)}, got {shortened(measure)}")
