"""The table as colours: positions down and columns across, or transposed."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures import AxisLabel, CellFigure, State
from posenc_gui.layers import AxisBand, BandView, Grid, HeatCells, HeatView, words_view
from posenc_gui.look import Style
from posenc_gui.model import PositionAxis
from posenc_gui.panels.heatmap.pointing import HeatmapPointing
from posenc_gui.panels.heatmap.spec import SPEC, TRANSPOSE, axis_rows
from posenc_gui.panels.heatmap.view import HeatmapView
from posenc_gui.panels.heatmap.viewport import HeatmapViewport
from posenc_gui.plotting import Axis, ColorKey, PlaceNumbers, Ranges, TokenWords

if TYPE_CHECKING:  # loaded when they are chosen
    from posenc_core.analysis import AxisRows

_TOP, _TOP_OF_FIRST, _TOP_OF_KEY = 3.0, 6.0, 8.0
"""Room above a narrow picture: usually, for half a number beside a thin first row, or half one of the colour bar."""

_THIN_PX = 3.0
"""Height of the figure per row below which the first row is thin."""

_NUMBER_PX = 11.0
_NARROW, _LOW = 320.0, 260.0  # narrower figures have no words at the side, and low ones no names either

_LABEL_ROW, _ABOVE_KEY = 4, 6.0
"""Row of the layout with the name of the lower axis, and pixels below its numbers if a colour bar follows them."""


class HeatmapFigure(CellFigure):
    """Coloured cells between numbers, names and words."""

    spec, pointing_class, viewport_class = SPEC, HeatmapPointing, HeatmapViewport
    viewport: HeatmapViewport

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._rows: AxisRows | None = None
        self._drawn = self.document
        self._left = Axis(self.area, style, upright=True, size=24)
        self._bottom = Axis(self.area, style, upright=False, size=16)
        self._left_label = AxisLabel(self.area, style, upright=True)
        self._bottom_label = AxisLabel(self.area, style, upright=False)
        words = partial(words_view, self)
        self._words = TokenWords(self.area, words, upright=True)
        self._words_above = TokenWords(self.area, words, upright=False)
        self._key, self._key_below = ColorKey(style), ColorKey(style, across=True)
        self.addItem(self._words_above, 0, 2)
        self.addItem(self._left_label, 1, 0)
        self.addItem(self._left, 1, 1)
        self.addItem(self.area, 1, 2)
        self.addItem(self._words, 1, 3)
        self.addItem(self._key, 1, 4)
        self._bands = AxisBand(self.area, self._band), AxisBand(self.area, self._band, upright=True)
        self.addItem(self._bands[1], 1, 5)
        self.addItem(self._bands[0], 2, 2)
        self.addItem(self._bottom, 3, 2)
        self.addItem(self._bottom_label, _LABEL_ROW, 2)
        self.addItem(self._key_below, _LABEL_ROW + 1, 0, 1, 5)
        HeatCells(self.area, self._cells, self.pictures.render)
        self.geometryChanged.connect(self._style_shown)
        self.area.sigResized.connect(self._fit_order)
        self._document_shown(self.document)

    @override
    def shown(self) -> State:
        state, rows = super().shown(), self._rows
        if rows is None:
            return state
        _, style, _, cursor, seen_from, problem, frame, least = state
        row = None if cursor is None else rows.row_of(cursor.position)
        marked = None if cursor is None or row is None else msgspec.structs.replace(cursor, position=row)
        axis = PositionAxis(range(len(rows)), 0, None)
        return self._drawn, style, axis, marked, seen_from, problem, frame, least

    @override
    def view(self, scale: float = 1.0) -> HeatmapView:
        narrow = self.frame is None and self.size().width() < _NARROW * max(1.0, self.style.text_scale)
        order = self.viewport.keeps_order, self.viewport.halved
        return HeatmapView(*self.shown(), self.area, scale, *order, narrow, self._rows)

    @override
    def request(self, scale: float, vector: bool) -> Grid | None:
        grid = self.view(scale).grid.valued()
        return grid.in_dots() if grid is not None and vector else grid

    def _cells(self, scale: float) -> HeatView:
        return self.view(scale).cells

    def _band(self) -> BandView:
        return self.view().band

    def _numbers(self) -> PlaceNumbers | None:
        return self.view().numbers

    def _fast(self, scale: float) -> Ranges:
        return self.view(scale).fast

    @override
    def _document_shown(self, before: Document) -> None:
        self._rows = rows = axis_rows(self.document) if self.frame is None else None
        self._drawn = self.document if rows is None else replace(self.document, encoding=rows, seq_len=len(rows))
        view = self.view()
        transpose, is_turned = view.transpose, view.encoding.relative
        self.area.turn(across=is_turned and transpose, upright=is_turned and not transpose)
        self.viewport.fit(bool(before.option(TRANSPOSE)))
        self._name_columns()
        self._left.mark(self._fast if transpose else None)
        self._bottom.mark(None if transpose else self._fast)
        self._left.number(self._numbers if transpose else None)
        self._bottom.number(None if transpose else self._numbers)
        has_words = view.rows is None
        self._words.setVisible(has_words and not transpose)
        self._words_above.setVisible(has_words and transpose)
        counted = range(view.count) if transpose else view.axis.shown
        self._left.fit(counted[0], counted[-1])
        self._style_shown()

    def _name_columns(self) -> None:
        """Name the axes after positions and columns in the order of the picture."""
        view = self.view()
        self._named, parts, transpose = view.ordered, view.ordered != view.encoding, view.transpose
        self._left_label.name(view.ordered, columns=transpose, pairs=view.n_pairs, parts=parts)
        self._bottom_label.name(view.ordered, columns=not transpose, pairs=view.n_pairs, parts=parts)

    def _fit_order(self) -> None:
        """Adapt to a width at which columns begin or cease to share pixels."""
        if self.view().ordered != self._named:
            self.show_order()

    def show_order(self) -> None:
        """Show columns in another order."""
        self._name_columns()
        self.update_all()
        self.noteChanged.emit()

    @override
    def _style_shown(self) -> None:
        """Give words and axes room in a large figure; in a narrow one, the picture, and the colour bar below it."""
        view = self.view()
        small, frame = view.narrow and self.size().height() < _LOW * max(1.0, self.style.text_scale), self.frame
        has_words = view.rows is None
        self._words.fit(has_words and not view.transpose and not view.narrow and frame is None)
        self._words_above.fit(has_words and view.transpose)
        for band, is_along in zip(self._bands, (not view.transpose, view.transpose), strict=True):
            band.fit(view.encoding if is_along and not view.narrow else None)
        is_first = frame is None or frame.is_first
        self._left.setVisible(is_first)
        self._left.take_room(is_first)  # a hidden item keeps its place in Qt's grid
        self._left_label.take_room(is_first and not small)
        self._bottom_label.take_room(not small)
        self.layout.setRowSpacing(_LABEL_ROW, _ABOVE_KEY if small else 0.0)
        larger = _NUMBER_PX * max(0.0, self.style.text_scale - 1)
        n_rows = view.count if view.transpose else len(view.axis.shown)
        begins = view.transpose or not view.encoding.relative  # numbers of distances begin elsewhere
        top = _TOP_OF_FIRST if begins and self.size().height() < _THIN_PX * n_rows else _TOP
        self.layout.setContentsMargins(0, (top if view.narrow else _TOP_OF_KEY) + larger, 0, 0)
        shown, hidden = (self._key_below, self._key) if view.narrow else (self._key, self._key_below)
        hidden.hide_scale()
        if frame is None or frame.is_last:
            shown.show_scale(view.colors.scale, view.color_title, self.style)
        else:
            shown.hide_scale()


FIGURE = HeatmapFigure
