"""The two pictures of a card: the waves and the heatmap of a family, drawn by the layers of those panels."""

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QGraphicsItem

from posenc_core import Document, Encoding
from posenc_core.gallery import StoryFamily
from posenc_core.progressive import slow_work
from posenc_core.scripts import DrawnFamily
from posenc_core.tables import LONG_WORK
from posenc_gui.figures import PictureRenderer
from posenc_gui.layers import (
    Curves,
    Grid,
    HeatCells,
    HeatView,
    RowLines,
    RowScale,
    Span,
    TokenLines,
    WaveView,
    curve_range,
    spread_columns,
)
from posenc_gui.look import Style
from posenc_gui.model import PositionAxis, seen_by, valued
from posenc_gui.panels.gallery.layout import card_order
from posenc_gui.plotting import SENTENCE, Layer, PlotArea, PositionArea, Range, fitting, shades_of, table_colors

_ROW_PX = 9.0
_FEWEST_ROWS, _MOST_ROWS = 4, 12
_WORK = LONG_WORK // 8
"""Entries that a card reads of a learned table."""


class CardPictures:
    """The plot areas of a card with their layers, which belong to the ``parent`` item."""

    def __init__(self, parent: QGraphicsItem, family: StoryFamily, document: Document, style: Style) -> None:
        self._style = style
        self._columns: tuple[int, ...] = ()
        self._show(family, document)
        self.waves, self.heat = PositionArea(), PlotArea(down=True)
        for area in (self.waves, self.heat):
            area.setParentItem(parent)
            area.setMouseEnabled(False, False)
        curves = Curves(self.waves, self._wave_view, PictureRenderer(_no_request).render)
        cells = HeatCells(self.heat, self._heat_view, PictureRenderer(_no_request).render)
        rows, tokens = RowLines(self.waves, self._wave_view), TokenLines(self.waves, self._wave_view)
        self.layers: tuple[Layer, ...] = (rows, curves, tokens, cells)

    def show_document(self, family: StoryFamily, document: Document) -> None:
        """Show this family with the document's sentence."""
        self._show(family, document)
        self._fit()

    def show_style(self, style: Style) -> None:
        """Draw in this style."""
        self._style = style

    def place(self, waves: QRectF, heat: QRectF) -> None:
        """Draw the pictures there, in the parent's pixels."""
        for area, rect in ((self.waves, waves), (self.heat, heat)):
            area.setGeometry(rect)
        self._fit()

    def remove(self) -> None:
        """Remove both pictures."""
        for area in (self.waves, self.heat):
            area.setParentItem(None)
            if area.scene() is not None:
                area.scene().removeItem(area)

    def update(self) -> None:
        """Repaint both in the next frame."""
        for layer in self.layers:
            layer.update()

    def drawn(self, title: str, words: str) -> DrawnFamily:
        """The card for a script, under its title and words."""
        encoding, style = self.encoding, self._style
        curves = tuple((each, style.part(encoding.column_info(each).part).name()) for each in self._columns)
        positions = valued(encoding, range(*_whole(*self._window)))
        shades = shades_of(table_colors(self._document, style, shared=True).scale)
        return DrawnFamily(title, words, encoding, positions, curves, (self._rows.low, self._rows.high), shades)

    def _show(self, family: StoryFamily, document: Document) -> None:
        self._document = seen_by(document.with_encoding(family.encoding), None)
        self._axis = PositionAxis.of(self._document)
        self._window = window_of(self._document)
        self._rows = RowScale(*self._document.encoding.range_over(*(round(end + 0.5) for end in self._window)))

    @property
    def encoding(self) -> Encoding:
        """The encoding that is shown, its sines and cosines apart where the colours would mix them."""
        return card_order(self._document.encoding, self.heat.rect())

    def _fit(self) -> None:
        """Show the sentence's positions: the columns that fit as waves, and all columns as colours."""
        room = min(max(int(self.waves.rect().height() / _ROW_PX), _FEWEST_ROWS), _MOST_ROWS)
        self._columns = tuple(spread_columns(self.encoding, room).tolist())
        down, across = (-0.5, len(self._columns) - 0.5), (-0.5, self.encoding.n_columns - 0.5)
        self.waves.turn(across=self.encoding.relative, upright=False)
        self.heat.turn(across=False, upright=self.encoding.relative)
        self.waves.set_extent(self._window, down)
        self.waves.show_window(self._window, down)
        self.heat.set_extent(across, self._window)
        self.heat.show_window(across, self._window)
        self.update()

    def _wave_view(self) -> WaveView:
        columns, (first, stop) = self._columns, self._window
        drawn = curve_range(self.encoding, self._window, first + 0.5, stop - 0.5)
        row_px = self.waves.rect().height() / max(1, len(columns))
        return WaveView(
            self.encoding, columns, 0, drawn, self._rows, row_px, self._axis, None, self._style
        )  # fmt: skip

    def _heat_view(self, scale: float) -> HeatView:
        rect = self.heat.rect()
        across = Span.over(self.heat.across, max(1, round(rect.width() * scale)))
        down = Span.over(self.heat.upright, max(1, round(rect.height() * scale)))
        return HeatView(
            Grid(self.encoding, down, across, False), table_colors(self._document, self._style), self._style
        )


def window_of(document: Document) -> Range:
    """The positions of a card: those of the sentence; of a table in a file, at most as many as are read in a moment."""
    axis = PositionAxis.of(document)
    first, stop = fitting(axis, SENTENCE)
    while stop - first > 2 and slow_work(document.encoding, *_whole(first, stop), document.encoding.n_columns) > _WORK:
        middle = np.floor((first + stop) / 2) + 0.5
        first, stop = (float(middle), stop) if document.encoding.relative else (first, float(middle))
    return (first, stop)


def _whole(first: float, stop: float) -> tuple[int, int]:
    return round(first + 0.5), round(stop + 0.5)


def _no_request(scale: float, vector: bool) -> None:
    """Nothing is computed in a thread: a slow card appears a moment later."""
