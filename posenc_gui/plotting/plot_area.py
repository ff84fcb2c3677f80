"""The rectangle in which data is drawn: a pyqtgraph view box with its own wheel, drag and click."""

import math
from typing import Any, TypeVar

import pyqtgraph as pg
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from typing_extensions import override

from posenc_core.numerics import FloatArray
from posenc_gui.plotting.scale import Range as Range

Number = TypeVar("Number", float, FloatArray)

_ZOOM_PER_NOTCH = 0.8

_TOUCHING = 1e-6
"""The share of a cell that rounding alone puts into a window."""


class Window(Struct, frozen=True):
    """The part of a figure that is in view: its horizontal and vertical range, in the figure's own coordinates.

    ``spread``: the rows of the waves are columns from the whole table instead of neighbours; ``halves``: the
    heatmap has the sines of an interleaved table before its cosines.
    """

    x: Range
    y: Range
    spread: bool = False
    halves: bool = False


class PlotArea(pg.ViewBox):
    """Shows a window of an extent; dragging pans, a double click requests a reset.

    ``hovered`` and ``clicked`` carry the mouse's (x, y) in data coordinates, ``wheeled`` the wheel event for
    the figure. The window stays within the extent and shows at least ``least`` of it.
    """

    hovered = Signal(float, float)
    clicked = Signal(float, float)
    wheeled = Signal(object)
    resetAsked = Signal()

    logarithmic = False
    """Whether positions run across on a logarithmic axis."""

    turned = (False, False)
    """Whether the axes across and upright are turned round."""

    def __init__(self, down: bool = False) -> None:
        super().__init__(enableMenu=False, defaultPadding=0.0)
        self.disableAutoRange()
        self.invertY(down)
        self.down = self._is_down = down
        self._extent: tuple[Range, Range] | None = None
        self._least = (0.0, 0.0)

    def turn(self, across: bool, upright: bool) -> None:
        """Turn axes round: distances key - query, as the table has them, are shown as query - key."""
        if self.turned != (across, upright):
            self.turned, self.down = (across, upright), self._is_down != upright
            self.invertX(across)
            self.invertY(self.down)

    @property
    def across(self) -> Range:
        """The visible range of the horizontal axis, smaller number first."""
        low, high = self.state["viewRange"][0]
        return (low, high)

    @property
    def upright(self) -> Range:
        """The visible range of the vertical axis, smaller number first."""
        low, high = self.state["viewRange"][1]
        return (low, high)

    def set_extent(
        self, x: Range, y: Range, least: tuple[float, float] = (1.0, 1.0), upright: Range | None = None
    ) -> None:
        """Bound the window to the extent, and show the range ``upright`` of it.

        By default a window on the whole old extent becomes one on the whole new extent.
        """
        old = self._extent
        if old == (x, y):
            if upright is not None and upright != self.upright:
                self.show_window(self.across, upright)
            return
        self._extent = (x, y)
        self._least = (min(least[0], x[1] - x[0]), min(least[1], y[1] - y[0]))
        shown = (self.across, self.upright)
        (left, right), least_across = self._places(x), self._least_place(x, self._least[0])
        self.setLimits(
            xMin=left, xMax=right, yMin=y[0], yMax=y[1], minXRange=least_across, minYRange=self._least[1],
        )  # fmt: skip
        if self._extent != (x, y):  # a listener to the new limits showed another document
            return
        wanted = [
            new if old is None or same_range(window, whole) else _within(window, new)
            for window, whole, new in zip(shown, old or (x, y), (x, y), strict=True)
        ]
        self.show_window(wanted[0], wanted[1] if upright is None else upright)

    def show_window(self, x: Range, y: Range) -> None:
        """Show this window, clipped to the extent."""
        self.setRange(xRange=self._places(x), yRange=y, padding=0, disableAutoRange=True)

    def _places(self, x: Range) -> Range:
        """A range across in the coordinates of the view box."""
        return x

    def _least_place(self, x: Range, least: float) -> float:
        """The least range across of a window on the extent ``x``, in the coordinates of the view box."""
        return least

    def show_all(self) -> None:
        """Show the whole extent."""
        if self._extent is not None:
            self.show_window(*self._extent)

    def zoom(self, factors: tuple[float, float], centre: QPointF) -> None:
        """Show ``factors`` times as much across and upright, with the pixel ``centre`` in place."""
        x, y = self.to_data(centre)
        self.show_window(
            _scaled(self.across, factors[0], x, self._least[0]), _scaled(self.upright, factors[1], y, self._least[1])
        )

    def zoom_by_wheel(self, event: Any) -> None:
        """Zoom in both directions at the pointer."""
        factor = wheel_zoom(event)
        self.zoom((factor, factor), QPointF(event.pos()))

    def to_data(self, pixel: QPointF) -> tuple[float, float]:
        """The data coordinates of a pixel of the area."""
        y0, y1 = self.upright
        part = pixel.y() / self.rect().height()
        return self._across_at(self._turned_part(pixel)), y0 + (y1 - y0) * (part if self.down else 1 - part)

    def _turned_part(self, pixel: QPointF) -> float:
        """The share of the visible range across from its smaller end to a pixel."""
        part = pixel.x() / self.rect().width()
        return 1 - part if self.turned[0] else part

    def _across_at(self, part: float) -> float:
        """The data coordinate across at a share of the visible range."""
        low, high = self.across
        return low + (high - low) * part

    def to_x(self, x: Number) -> Number:
        """Pixels from the left for data coordinates."""
        part = self._part_across(x)
        return (1 - part if self.turned[0] else part) * float(self.rect().width())

    def _part_across(self, x: Number) -> Number:
        """The share of the visible range across from its smaller end to data coordinates."""
        low, high = self.across
        return (x - low) / (high - low)

    def to_y(self, y: Number) -> Number:
        """Pixels from the top for data coordinates."""
        low, high = self.upright
        part = (y - low) / (high - low)
        return (part if self.down else 1 - part) * float(self.rect().height())

    def to_rect(self, x: Range, y: Range) -> QRectF:
        """The rectangle in pixels of ranges in data coordinates."""
        return QRectF(QPointF(self.to_x(x[0]), self.to_y(y[0])), QPointF(self.to_x(x[1]), self.to_y(y[1]))).normalized()

    @override
    def hoverEvent(self, event: Any) -> None:
        # pyqtgraph sends no clicks to disabled items, but hover events.
        if self.isEnabled() and not event.isExit() and not self.rect().isEmpty():
            self.hovered.emit(*self.to_data(event.pos()))

    @override
    def mouseClickEvent(self, event: Any) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        event.accept()
        if event.double():
            self.resetAsked.emit()
        elif not self.rect().isEmpty():
            self.clicked.emit(*self.to_data(event.pos()))

    @override
    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            super().mouseDragEvent(event, axis)
        else:
            event.ignore()

    @override
    def wheelEvent(self, event: Any, axis: int | None = None) -> None:
        event.accept()
        if not self.rect().isEmpty():  # a panel can be squeezed to zero rows of pixels under the mouse
            self.wheeled.emit(event)


def wheel_steps(event: Any) -> float:
    """Notches of the wheel, positive away from the user; fractions on a touch pad."""
    return float(event.delta()) / 120


def wheel_zoom(event: Any) -> float:
    """The factor by which the wheel makes the visible range larger or smaller."""
    return float(_ZOOM_PER_NOTCH ** wheel_steps(event))


def seen_in(window: Range, positions: range) -> range:
    """The part of consecutive positions within the window."""
    return range(max(positions.start, math.ceil(window[0])), min(positions.stop, math.floor(window[1]) + 1))


def cells_in(window: Range, positions: range) -> range:
    """The consecutive positions whose cells, each centred on its position, are at least partly within the window."""
    first, stop = math.floor(window[0] + 0.5 + _TOUCHING), math.ceil(window[1] + 0.5 - _TOUCHING)
    return range(max(positions.start, first), min(positions.stop, stop))


def moved_to_hold(window: Range, index: int) -> Range:
    """The window, moved as little as needed to show the cell that is centred on ``index``."""
    low, high = window
    by = min(0.0, index - 0.5 - low) or max(0.0, index + 0.5 - high)
    return (low + by, high + by)


def same_range(one: Range, other: Range) -> bool:
    """Whether two ranges are equal but for rounding."""
    tolerance = 1e-6 * (other[1] - other[0])
    return abs(one[0] - other[0]) <= tolerance and abs(one[1] - other[1]) <= tolerance


def _within(window: Range, extent: Range) -> Range:
    """The window, moved into the extent and clipped if it is larger."""
    size = min(window[1] - window[0], extent[1] - extent[0])
    start = min(max(window[0], extent[0]), extent[1] - size)
    return (start, start + size)


def _scaled(window: Range, factor: float, fixed: float, least: float) -> Range:
    """The window, scaled around ``fixed`` to at least the size ``least``."""
    factor = max(factor, least / (window[1] - window[0]))
    return (fixed + (window[0] - fixed) * factor, fixed + (window[1] - fixed) * factor)
