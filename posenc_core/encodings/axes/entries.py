"""Entries of the cells of a box: each axis is evaluated once for each of its indices, then the axes are combined."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.numerics import (
    FloatArray,
    IntArray,
    arithmetic_step,
    on_all_processors,
    phasor_rows,
    phasors,
    products,
)

Rows = Callable[[IntArray], npt.NDArray[Any]]
Piece = tuple[slice, npt.NDArray[Any], npt.NDArray[Any]]
FloatKind = type[np.float32] | type[np.float64]
FactorsOf = Callable[[int, int], Iterator[Piece]]

_CELLS_AT_A_TIME = 64
"""Rows computed together: they stay in the processor's cache."""

_SHORT = 8
"""Runs of fewer cells are computed together, with a copy of the factors of each cell."""

_SHARED_ENTRIES = 1 << 20
"""Entries of a processor's share of a table."""


class Line(Struct, frozen=True, eq=False):
    """An axis of the box: the turns of pairs from one index to the next, float64 ``(n_pairs,)`` in rad.

    ``values`` are the distinct indices, int64 ``(n,)`` ascending, and ``where`` the place among them of each cell's.
    """

    steps: FloatArray
    values: IntArray
    where: IntArray

    def angles(self) -> FloatArray:
        """The turn of each pair up to each distinct index, float64 ``(n, n_pairs)`` in rad."""
        return np.multiply.outer(self.values.astype(np.float64), self.steps)

    def units(self, some: Any, origin: FloatArray, single: bool) -> npt.NDArray[np.complex128]:
        """``exp(i (origin + angle))`` of ``some`` pairs, whose angles at index 0 are ``origin``, complex128 ``(n, m)``.

        For float32, evenly spaced indices are evaluated by doubling, with an error below 1e-12; others from their own
        angle.
        """
        apart = arithmetic_step(self.values) if single else None
        if apart is None:
            return phasors(-(origin[some] + self.angles()[:, some]))
        rows = phasor_rows(-self.steps[some], float(self.values[0]), float(apart), len(self.values))
        return rows * phasors(-origin[some]) if origin.any() else rows


def cell_entries(
    origin: FloatArray, steps: FloatArray, indices: Sequence[IntArray], columns: IntArray, single: bool
) -> npt.NDArray[Any]:
    """Cosines (column 2k of pair k) and sines (2k + 1) of cells, ``(n_cells, m)``, float64 or with ``single`` float32.

    ``origin`` are the angles of the first cell, float64 ``(n_pairs,)`` in rad, ``steps`` the increments along each
    axis, float64 ``(n_axes, n_pairs)``, and ``indices`` those of the cells, int64 ``(n_cells,)`` for each axis. A pair
    that turns along one axis is evaluated once for each index of the axis; a pair that turns along several is a
    product of such unit vectors.
    """
    shape, kind = (len(indices[0]), len(columns)), np.float32 if single else np.float64
    if not all(shape):
        return np.empty(shape, kind)
    lines = list[Line]()
    for each, index in zip(steps, indices, strict=True):
        values, where = _distinct(index)
        if len(values) > 1 and each.any():
            lines.append(Line(each, values, where))
        else:
            origin = origin + values[0] * each
    if not lines:
        lines = [Line(np.zeros(len(origin)), np.zeros(1, np.int64), np.zeros(shape[0], np.int64))]
    if (np.sum([line.steps != 0 for line in lines], axis=0) <= 1).all():
        return _filled(shape, kind, _terms(lines, origin, columns, kind), np.add)
    if single:
        return products(_phasors(lines, origin), shape[0], len(origin), columns)
    return _filled(shape, kind, _angles(lines, origin), partial(_cosines, columns))


def _distinct(index: IntArray) -> tuple[IntArray, IntArray]:
    """The distinct indices, ascending, and the place of each index among them; without sorting if they lie closely."""
    least, most = int(index.min()), int(index.max())
    if most - least > 2 * len(index):
        values, where = np.unique(index, return_inverse=True)
        return values, where
    occurs = np.zeros(most - least + 1, np.bool_)
    occurs[index - least] = True
    values = least + np.flatnonzero(occurs)
    return values, index - least if occurs.all() else np.searchsorted(values, index)


def _terms(lines: list[Line], origin: FloatArray, columns: IntArray, kind: FloatKind) -> FactorsOf:
    """Terms of entries whose pairs turn along one axis each: each axis has a table with 0 in the columns of others."""
    owner, tables = np.argmax([line.steps != 0 for line in lines], axis=0), list[npt.NDArray[Any]]()
    for place, line in enumerate(lines):
        own = owner == place
        chosen, rank = own[columns // 2], np.cumsum(own) - 1
        wanted = 2 * rank[columns[chosen] // 2] + columns[chosen] % 2
        table = np.zeros((len(line.values), len(columns)), kind)
        table[:, chosen] = line.units(own, origin, kind is np.float32).view(np.float64).take(wanted, axis=1)
        tables.append(table)

    def begun(cells: IntArray) -> npt.NDArray[Any]:
        total = np.zeros((len(cells), 1), tables[0].dtype)  # also makes a -0.0 a 0.0
        for line, table in zip(lines[:-1], tables[:-1], strict=True):
            total = total + table[line.where[cells]]
        return total

    return partial(_pieces, begun, tables[-1], lines[-1].where, _begins(lines))


def _phasors(lines: list[Line], origin: FloatArray) -> FactorsOf:
    """Factors of entries whose pairs turn along several axes, for float32: a unit vector of the last axis is one."""
    every, nowhere = slice(None), np.zeros(len(origin))
    *before, along = (line.units(every, nowhere, single=True) for line in lines)

    def begun(cells: IntArray) -> npt.NDArray[Any]:
        product = phasors(-origin)
        for line, units in zip(lines[:-1], before, strict=True):
            product = product * units[line.where[cells]]
        return product.astype(np.complex64)

    return partial(_pieces, begun, along.astype(np.complex64), lines[-1].where, _begins(lines))


def _angles(lines: list[Line], origin: FloatArray) -> FactorsOf:
    """Terms of the angles of pairs that turn along several axes."""

    def begun(cells: IntArray) -> npt.NDArray[Any]:
        total = np.broadcast_to(origin, (len(cells), len(origin)))
        for line in lines[:-1]:
            total = total + line.angles()[line.where[cells]]
        return total

    return partial(_pieces, begun, lines[-1].angles(), lines[-1].where, _begins(lines))


def _cosines(columns: IntArray, one: FloatArray, other: FloatArray, out: FloatArray) -> None:
    """The cosines and sines of sums of angles."""
    phasors(-(one + other)).view(np.float64).take(columns, axis=1, out=out)


def _begins(lines: list[Line]) -> IntArray:
    """The first cell of each run of neighbours along the last axis."""
    breaks = np.diff(lines[-1].where) != 1
    for line in lines[:-1]:
        breaks |= np.diff(line.where) != 0
    return np.concatenate([[0], np.flatnonzero(breaks) + 1])


def _pieces(
    begun: Rows, along: npt.NDArray[Any], where: IntArray, begins: IntArray, first: int, stop: int
) -> Iterator[Piece]:
    """Cells first..stop-1 in pieces: what they share on all axes but the last, and their rows of ``along``."""
    starts = begins[np.searchsorted(begins, first, "right") : np.searchsorted(begins, stop)].tolist()
    if len(starts) * _SHORT > stop - first:
        for start in range(first, stop, _CELLS_AT_A_TIME):
            cells = np.arange(start, min(start + _CELLS_AT_A_TIME, stop))
            yield slice(start, start + len(cells)), begun(cells), along[where[cells]]
        return
    runs = pairwise([first, *starts, stop])
    edges = [each for start, end in runs for each in range(start, end, _CELLS_AT_A_TIME)]
    rows = where[edges].tolist()
    for start, end, row, shared in zip(edges, [*edges[1:], stop], rows, begun(np.array(edges)), strict=True):
        yield slice(start, end), shared, along[row : row + end - start]


def _filled(
    shape: tuple[int, int], kind: FloatKind, pieces: FactorsOf, combined: Callable[..., object]
) -> npt.NDArray[Any]:
    """The entries, each piece made from its two parts, on all processors."""
    found = np.empty(shape, kind)

    def fill(rows: tuple[int, int]) -> None:
        for some, one, other in pieces(*rows):
            combined(one, other, out=found[some])

    tall = max(_CELLS_AT_A_TIME, _SHARED_ENTRIES // shape[1])
    on_all_processors(fill, [(first, min(first + tall, shape[0])) for first in range(0, shape[0], tall)])
    return found
