"""The numbers of the cells of the matrix of positions, each the mean over its positions."""

from functools import lru_cache

from msgspec import Struct

from posenc_core import Encoding
from posenc_core.analysis import cells_work, comparable_rows, is_toeplitz, known_cells, partial_cells, similarity_cells
from posenc_core.numerics import FloatArray
from posenc_core.progressive import Arrays, Flags, PartialPicture
from posenc_gui.layers import CellRanges
from posenc_gui.plotting import PlotArea

_MOST = 1 << 16
"""Cells of either axis of a table that is not read: as many as a picture has pixels."""


class Likeness(Struct, frozen=True):
    """The numbers of the cells in view, by a measure: a slow picture."""

    encoding: Encoding
    measure: str
    cells: CellRanges

    @classmethod
    def of(cls, area: PlotArea, encoding: Encoding, positions: range, measure: str) -> "Likeness":
        """The cells in view: a position each, or as many as share a pixel, or as can be read at once."""
        most = _MOST if is_toeplitz(encoding) else comparable_rows(encoding)
        return cls(encoding, measure, CellRanges.of(area, positions, most))

    @property
    def work(self) -> int:
        """The number of entries to read; 0 for a formula."""
        return cells_work(self.encoding, self.cells.rows, self.cells.columns)

    def compute(self) -> FloatArray:
        """The numbers, ``(n_rows, n_columns)``, nan for a missing one."""
        return _numbers(self)

    def begin(self) -> PartialPicture:
        """The numbers of a table that is read, to be computed part by part."""
        return partial_cells(self.encoding, self.cells.rows, self.cells.columns, self.measure)

    def assemble(self, arrays: Arrays, known: Flags) -> FloatArray:
        """The numbers of the known parts, and nan; only those that came since the last call are computed."""
        return _growing(self).grown(self, arrays, known)


@lru_cache(maxsize=4)
def _numbers(likeness: Likeness) -> FloatArray:
    return similarity_cells(likeness.encoding, likeness.cells.rows, likeness.cells.columns, likeness.measure)


class _Growing:
    """The cells that are known by now of a picture that is computed part by part."""

    def __init__(self) -> None:
        self._arrays: Arrays = ()
        self._before: tuple[Flags, FloatArray] | None = None

    def grown(self, likeness: Likeness, arrays: Arrays, known: Flags) -> FloatArray:
        """The cells with the new parts; from the beginning for other arrays, or fewer parts."""
        before = self._before
        if self._arrays is not arrays or (before is not None and (before[0] & ~known).any()):
            before = None
        rows, columns = likeness.cells.rows, likeness.cells.columns
        cells = known_cells(likeness.encoding, rows, columns, likeness.measure, arrays, known, before)
        self._arrays, self._before = arrays, (known.copy(), cells)
        return cells


@lru_cache(maxsize=1)
def _growing(likeness: Likeness) -> _Growing:
    return _Growing()
