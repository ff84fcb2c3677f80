"""Two heatmaps and that of their difference, side by side, with one scale, one window and one cursor."""

from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from typing_extensions import override

from posenc_core import Document
from posenc_core.scripts import compared_heatmap_script
from posenc_gui.figures import AxisLabel, CellFrame, Rendered, RenderRequest, WindowedFigure
from posenc_gui.layers import AngleDifference, Compared, Grid, HeatCells, HeatView, JointRenderer, JointRequest, Span
from posenc_gui.look import Style, significant
from posenc_gui.model import Cursor, position_noun
from posenc_gui.panels.heatmap.columns import PictureColumns
from posenc_gui.plotting import Axis, ColorKey, PlotArea, TableColors, moved_to_hold, seen_in, shades_of, wheel_zoom

_GAP = 24.0  # between the numbers at the ends of two axes
_STEPS = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}


class ComparedHeatmap(WindowedFigure):
    """Three heatmaps side by side: two tables, and the first minus the second."""

    name = "difference"
    title = "Difference"
    hint = "A, another encoding, and A minus it"
    explanation = "The tables of two encodings and their difference as colours."
    pictures: JointRenderer

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.steps = _STEPS
        self._is_fitting, self._scale = False, 1.0
        self.pictures = JointRenderer(self._request)
        self.areas = [PlotArea(down=True) for _ in range(3)]
        self.area = self.areas[0]
        self._left = Axis(self.area, style, upright=True, size=24)
        self._left_label = AxisLabel(self.area, style, upright=True)
        self._key = ColorKey(style)
        self._titles = [AxisLabel(area, style, upright=False) for area in self.areas]
        self._bottoms = [Axis(area, style, upright=False, size=16) for area in self.areas]
        self._names = [AxisLabel(area, style, upright=False) for area in self.areas]
        self.addItem(self._left_label, 1, 0)
        self.addItem(self._left, 1, 1)
        for which, area in enumerate(self.areas):
            self._add_picture(which, area)
        self.addItem(self._key, 1, 5)

    def _add_picture(self, which: int, area: PlotArea) -> None:
        column = 2 + which
        for row, item in enumerate((self._titles[which], area, self._bottoms[which], self._names[which])):
            self.addItem(item, row, column)
        self.layout.setColumnStretchFactor(column, 1)
        self.layout.setColumnPreferredWidth(column, 200.0)
        self.layout.setColumnSpacing(column, _GAP if which < 2 else 0.0)
        HeatCells(area, partial(self._view, which), partial(self._render, which))
        CellFrame(area, partial(self._frame, area), self._is_held)
        area.hovered.connect(partial(self._point, pinned=False))
        area.clicked.connect(partial(self._point, pinned=True))
        area.wheeled.connect(partial(self._wheeled, area))
        area.resetAsked.connect(self.reset_window)
        area.sigRangeChanged.connect(partial(self._follow, area))

    @property
    def compared(self) -> Compared:
        """What is compared."""
        return Compared.of(self.document)

    def grid(self, scale: float) -> Grid:
        """The window of the first table at ``scale`` device pixels per logical pixel; all pictures have its parts."""
        rect, compared = self.area.rect(), self.compared
        across = Span.over(self.area.across, max(1, round(rect.width() * scale)))
        down = Span.over(self.area.upright, max(1, round(rect.height() * scale)))
        return Grid(compared.one, down, across, False, angles=compared.angles)

    def _grid_of(self, which: int, scale: float) -> Grid:
        """The window of the first (0) or the second table (1), or of their difference (2)."""
        return self.grid(scale).of(self.compared.tables[which])

    def _view(self, which: int, scale: float) -> HeatView:
        self._scale = scale
        colors = TableColors(self.compared.scale(self.document, self.style.is_dark))
        return HeatView(self._grid_of(which, scale), colors, self.style)

    def _request(self, scale: float, vector: bool) -> JointRequest:
        """All three pictures."""
        if not self.document.encodings[1:]:
            return JointRequest(())
        compared = self.compared
        grids = [self._grid_of(which, scale).valued() for which in range(3)]
        grids = [grid.in_dots() if grid is not None and vector else grid for grid in grids]
        both = grids[2]
        if both is None or not compared.angles:
            return JointRequest(tuple(grids))
        return JointRequest((*grids[:2], AngleDifference(both.of(compared.one), compared.other)))

    def _render(self, which: int, grid: Grid) -> Rendered:
        """The picture of a grid that ``_view`` gave, which a file has in dots."""
        requests = (self._request(self._scale, vector) for vector in (False, True))
        joint = next(each for each in requests if self._is_of(grid, each.requests[which]))
        return self.pictures.render_one(joint, which)

    def _is_of(self, grid: Grid, request: RenderRequest | None) -> bool:
        if isinstance(request, AngleDifference):
            return request.grid == grid.of(request.grid.encoding)
        return request == grid

    @override
    def note(self, scale: float = 1.0) -> str:
        compared = self.compared
        rows, columns = self.grid(scale).cells_a_pixel
        mean = "difference of the mean directions" if compared.angles else "mean"
        amounts = [
            f"{significant(amount, 3)} {each}s"
            for amount, each in ((rows, position_noun(compared.one)), (columns, compared.noun))
            if amount > 1
        ]
        parts = [
            "angles in (−π, π]" if compared.angles else "",
            f"1 pixel = {' × '.join(amounts)}, {mean}" if amounts else "",
            compared.widths_words,
            self.pictures.standing(scale),
            self.spoken(),
        ]
        return " · ".join(filter(None, parts))

    @override
    def spoken(self) -> str:
        return self.compared.words_at(self.axis, self.cursor, self._place())

    @override
    def number(self) -> float | None:
        """The difference under the cursor."""
        cursor = self.cursor
        numbers = None if cursor is None else self.compared.numbers_at(cursor.position, self._place())
        return None if numbers is None else numbers[2]

    @override
    def script(self) -> str:
        compared = self.compared
        positions = seen_in(self.area.upright, self.positions)
        places = seen_in(self.area.across, range(min(compared.widths)))
        shades = shades_of(compared.scale(self.document, self.style.is_dark))
        return compared_heatmap_script(compared.difference, compared.names, positions, places, compared.angles, shades)

    @property
    def _columns(self) -> PictureColumns:
        compared, encoding = self.compared, self.document.encoding
        chosen = compared.one if self.document.current == 0 else compared.other
        return PictureColumns(encoding, encoding, compared.widths[chosen is compared.other] if compared.angles else 0)

    def _place(self) -> int | None:
        """The cursor's column, or its pair where angles are shown."""
        return None if self.cursor is None else self._columns.place_of(self.cursor.column)

    def _frame(self, area: PlotArea) -> QRectF | None:
        place = self._place()
        if place is None or self.cursor is None:
            return None
        y = self.cursor.position
        return area.to_rect((place - 0.5, place + 0.5), (y - 0.5, y + 0.5))

    def _is_held(self) -> bool:
        return self.cursor is not None and self.cursor.pinned

    def _point(self, x: float, y: float, pinned: bool) -> None:
        column = self._columns.column_at(int(np.floor(x + 0.5)))
        if column is not None:
            self.point_at(int(np.floor(y + 0.5)), column, pinned)

    def _wheeled(self, area: PlotArea, event: Any) -> None:
        factor = wheel_zoom(event)
        area.zoom((factor, factor), QPointF(event.pos()))

    def _follow(self, area: PlotArea, *_: object) -> None:
        """Show the same window in all pictures."""
        if self._is_fitting:
            return
        for other in self.areas:
            if (other.across, other.upright) != (area.across, area.upright):
                other.show_window(area.across, area.upright)
        self.noteChanged.emit()

    @override
    def show_cell(self, cursor: Cursor) -> None:
        place = self._columns.place_of(cursor.column)
        if place is not None and cursor.position in self.positions:
            area = self.area
            area.show_window(moved_to_hold(area.across, place), moved_to_hold(area.upright, cursor.position))

    @override
    def _document_shown(self, before: Document) -> None:
        compared = self.compared
        positions, columns = (self.positions.start - 0.5, self.positions.stop - 0.5), min(compared.widths)
        self._is_fitting = True
        for area in self.areas:  # each finds the new window from the same old one
            area.set_extent((-0.5, columns - 0.5), positions)
        self._is_fitting = False
        for title, name, label in zip(self._titles, compared.names, self._names, strict=True):
            title.show_text(name, short=name.partition(" ")[0])
            label.show_text(compared.noun)
        self._left_label.name(compared.one)
        self._left.fit(self.positions[0], self.positions[-1])
        self._show_key(compared)

    def _show_key(self, compared: Compared) -> None:
        title = "angle (rad)" if compared.angles else "value, and difference"
        self._key.show_scale(compared.scale(self.document, self.style.is_dark), title, self.style)

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        self.update_all()
        self.noteChanged.emit()

    @override
    def _style_shown(self) -> None:
        labels: list[Axis | AxisLabel] = [self._left, self._left_label]
        for item in (*labels, *self._titles, *self._bottoms, *self._names):
            item.show_style(self.style)
        if self.document.encodings[1:]:
            self._show_key(self.compared)
