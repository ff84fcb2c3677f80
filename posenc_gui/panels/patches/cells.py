"""The coloured patches of the map, and the mark of the query."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_core.encodings import Cells
from posenc_core.numerics import FloatArray
from posenc_gui.figures import Shown
from posenc_gui.layers import CellRanges, CellsLayer
from posenc_gui.look import LAYER_TOKENS
from posenc_gui.panels.patches.derive import PatchScore
from posenc_gui.panels.patches.numbers import PatchScores
from posenc_gui.panels.patches.spec import axis_of
from posenc_gui.plotting import ColorScale, Extents, PlotArea, ViewLayer, widened

_MOST = 256
"""Rows or columns that are computed."""

_CROSS = 5.0


class PatchView(Shown, frozen=True):
    """The patches in view of an area."""

    area: PlotArea

    @property
    @override
    def scales(self) -> Extents:
        return {"colors": (self.colors.low, self.colors.high)}

    @property
    def grid_cells(self) -> Cells | None:
        """The cells of a picture; None for a text, and for an encoding without a grid."""
        cells = self.encoding.cells
        return cells if cells is not None and cells.grid.is_picture else None

    @property
    def size(self) -> tuple[int, int]:
        """Numbers of rows and columns of the picture; 1 without one."""
        cells = self.grid_cells
        if cells is None:
            return (1, 1)
        *_, tall, wide = cells.grid.sizes
        return tall, wide

    @property
    def query(self) -> int:
        """The query's position: the chosen one, else the cursor's, else the patch in the middle."""
        cells, cursor = self.grid_cells, self.seen_from
        if cells is None:
            return 0
        chosen = cursor.subject if cursor is not None else None
        if isinstance(chosen, PatchScore) and self.encoding.has_value(chosen.query):
            return chosen.query
        if cursor is not None and cells.grid.indices(cursor.position) is not None:
            return cursor.position
        return cells.grid.position({"h": self.size[0] // 2, "w": self.size[1] // 2})

    @property
    def frame_index(self) -> int:
        """The frame of the map: the cursor's, else the query's."""
        cells, cursor = self.grid_cells, self.seen_from
        if cells is None:
            return 0
        at = None if cursor is None else cells.grid.indices(cursor.position)
        return (at or cells.grid.indices(self.query) or {}).get("t", 0)

    @property
    def axis_shown(self) -> str:
        """The axis whose pairs are summed, empty for all of them."""
        return axis_of(self.document)

    @property
    def cells(self) -> CellRanges:
        """The rows and columns in view."""
        tall, wide = self.size
        return CellRanges.of(self.area, range(tall), _MOST, range(wide))

    @property
    def request(self) -> PatchScores:
        """The scores in view."""
        cells = self.cells
        return PatchScores(self.encoding, self.axis_shown, self.query, self.frame_index, cells.rows, cells.columns)

    @property
    def reach(self) -> int:
        """The largest score: twice the number of pairs, at least 1."""
        cells = self.grid_cells
        return 1 if cells is None else max(1, 2 * len(cells.pairs_of(self.axis_shown)))

    @property
    def colors(self) -> ColorScale:
        """The colours from the least score in the frame to the largest that there can be."""
        tall, wide = self.size
        if self.grid_cells is None:
            return ColorScale.suited(self.document.view.color_map, 0.0, 1.0, self.style.is_dark)
        rows, columns = (range(0, count, -(-count // _MOST)) for count in (tall, wide))
        least = PatchScores(self.encoding, self.axis_shown, self.query, self.frame_index, rows, columns).compute().min()
        ends = widened((float(least), self.reach), self.least.get("colors"))
        return ColorScale.suited(self.document.view.color_map, *ends, self.style.is_dark)

    def place_of(self, position: int) -> tuple[int, int] | None:
        """The row and the column of a position in this frame; None for another frame, and for text."""
        cells = self.grid_cells
        indices = None if cells is None else cells.grid.indices(position)
        if indices is None or indices.get("t", 0) != self.frame_index:
            return None
        return indices["h"], indices["w"]

    def position_at(self, row: int, column: int) -> int:
        """The position of a patch of this frame."""
        cells = self.grid_cells
        return 0 if cells is None else cells.grid.position({"t": self.frame_index, "h": row, "w": column})


class PatchCells(CellsLayer[PatchView]):
    """The scores of the patches."""

    @override
    def _values_of(self, view: PatchView) -> FloatArray:
        return view.request.compute()

    @override
    def draw(self, painter: QPainter) -> None:
        if self._view().grid_cells is not None:
            super().draw(painter)


_RING_EDGE = 1.75
"""Half the width of a ring's white line, in pixels."""


_AROUND = 26.0, 14.0
"""Radii of a ring around the number of a large patch, in pixels."""


class QueryMark(ViewLayer[PatchView]):
    """A ring in the query's patch, around its number if the patch is large."""

    Z = LAYER_TOKENS

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        place = None if view.grid_cells is None else view.place_of(view.query)
        if place is None:
            return
        row, column = place
        cell: QRectF = self.area.to_rect((column - 0.5, column + 0.5), (row - 0.5, row + 0.5))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        wide, high = (each / 2 - 2 * _RING_EDGE for each in (cell.width(), cell.height()))
        across = max(_CROSS, min(wide, _AROUND[0]))
        radii = across, max(_CROSS, min(high, _AROUND[1], across))
        for colour, width in (("#ffffff", 3.5), ("#000000", 1.5)):
            painter.setPen(view.style.pen(colour, width))
            painter.drawEllipse(self._inside(cell.center()), *radii)

    def _inside(self, centre: QPointF) -> QPointF:
        """The centre of a ring that is whole, also in a small patch at the edge."""
        least, room = _CROSS + _RING_EDGE, self.area.rect()
        return QPointF(
            min(max(centre.x(), least), max(least, room.width() - least)),
            min(max(centre.y(), least), max(least, room.height() - least)),
        )
