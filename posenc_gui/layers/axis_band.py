"""The axis of each pair as a band of colours along the columns or pairs of a picture."""

from collections.abc import Callable, Iterable
from itertools import groupby

from msgspec import Struct
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter
from typing_extensions import override

from posenc_core import Encoding
from posenc_gui.look import Style
from posenc_gui.plotting import Lettering, Margin, PlotArea, readable_on

_PX, _FONT_PX = 11, 9
_NAMED = 12.0
"""Pixels of a run of places that has the letter of its axis."""


_MOST_NAMED = 1024
"""Places whose axes are drawn, about."""

AxisRun = tuple[int, int, str, QColor]
"""The first place of a run, the one after the last, the axis, and its colour."""


class BandView(Struct, frozen=True):
    """The places from the first on with the axis of each, empty for a place without one, and the style."""

    encoding: Encoding
    first: int
    names: tuple[str, ...]
    style: Style
    step: int = 1


def band_step(count: int) -> int:
    """The distance of drawn places, for ``count`` places with axes: odd, to keep alternating axes."""
    return count // _MOST_NAMED | 1


def axis_of_column(encoding: Encoding, column: int) -> str:
    """The axis that turns the pair of a column, such as ``h``; empty for an encoding without a grid.

    The columns of a difference have the axes that both tables have.
    """
    encoding = _with_axes(encoding)
    cells = encoding.cells
    if cells is None or not 0 <= column < encoding.n_columns:
        return ""
    halves = len(encoding.column_blocks()) > 1
    return cells.axis_of_pairs[column % len(cells.axis_of_pairs) if halves else column // 2]


def _with_axes(encoding: Encoding) -> Encoding:
    """The first table of a difference if both have the same axes in all columns, else the encoding."""
    tables = [table for _, table in encoding.compared] or [encoding]
    axes = [None if each.cells is None else (each.cells.axis_of_pairs, len(each.column_blocks())) for each in tables]
    return tables[0] if axes.count(axes[0]) == len(tables) else encoding


def axis_bands(encoding: Encoding, columns: Iterable[int], style: Style) -> list[AxisRun]:
    """The runs of columns whose pairs turn by the same axis."""
    return axis_runs(encoding, [axis_of_column(encoding, column) for column in columns], style)


def axis_runs(encoding: Encoding, names: Iterable[str], style: Style) -> list[AxisRun]:
    """The runs of places with the same axis; places without one are omitted."""
    cells = _with_axes(encoding).cells
    known = [] if cells is None else list(dict.fromkeys((*cells.names, *cells.axis_of_pairs)))
    runs, first = list[AxisRun](), 0
    for name, members in groupby(names):
        stop = first + len(list(members))
        if name:
            runs.append((first, stop, name, style.token(known.index(name))))
        first = stop
    return runs


class AxisBand(Margin):
    """A band beside a plot area, below it or ``upright`` at its side, of no width if no pair has an axis."""

    def __init__(self, area: PlotArea, view: Callable[[], BandView], upright: bool = False) -> None:
        super().__init__(area)
        self._view, self._upright = view, upright
        self.fit(None)

    def fit(self, encoding: Encoding | None) -> None:
        """Reserve the room of a band for an encoding with a grid; none for other encodings."""
        room = _PX if encoding is not None and _with_axes(encoding).cells is not None else 0
        (self.setFixedWidth if self._upright else self.setFixedHeight)(room)
        self.setVisible(bool(room))

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        letters, whole = Lettering(painter, view.style.scaled(1.0), _FONT_PX), self.rect()  # within the band's width
        for first, stop, name, colour in axis_runs(view.encoding, view.names, view.style):
            begin, end = (view.first + view.step * each - 0.5 for each in (first, stop))
            if self._upright:
                top, bottom = sorted((self.area.to_y(begin), self.area.to_y(end)))
                place = QRectF(1, top, whole.width() - 2, bottom - top).intersected(whole)
            else:
                left, right = self.area.to_x(begin), self.area.to_x(end)
                place = QRectF(left, 1, right - left, whole.height() - 2).intersected(whole)
            painter.fillRect(place, colour)
            if (place.height() if self._upright else place.width()) >= _NAMED:
                painter.setPen(readable_on(colour))
                letters.write_in(place, name)
