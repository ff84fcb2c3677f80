"""Qt's polygons, filled through their memory instead of point by point, and kept to be filled again."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import repeat

import pyqtgraph as pg
from PySide6.QtGui import QPolygonF

from posenc_core.numerics import FloatArray


class Polygons:
    """As many polygons as are needed at a time; those made before ``begin`` are filled anew after it."""

    def __init__(self) -> None:
        self._free: dict[int, list[tuple[QPolygonF, FloatArray]]] = defaultdict(list)
        self._taken: list[tuple[QPolygonF, FloatArray]] = []

    def begin(self) -> None:
        """Take all polygons back; those that were not needed last time are let go."""
        self._free.clear()
        for made in self._taken:
            self._free[len(made[1])].append(made)
        self._taken = []

    def filled(self, x: FloatArray, y: FloatArray) -> Iterator[QPolygonF]:
        """A polygon for each row of ``y`` (m, n), with ``x`` (n,) or (m, n)."""
        free = self._free[y.shape[1]]
        for across, up in zip(x if x.ndim == 2 else repeat(x), y, strict=False):
            polygon, memory = made = free.pop() if free else _made(len(up))
            memory[:, 0], memory[:, 1] = across, up
            self._taken.append(made)
            yield polygon


def _made(size: int) -> tuple[QPolygonF, FloatArray]:
    """A polygon of so many points, and its memory (n, 2)."""
    polygon: QPolygonF = pg.functions.create_qpolygonf(size)
    return polygon, pg.functions.ndarray_from_qpolygonf(polygon)
