"""Items drawn over a plot area or beside it in plain pixels, scaled alike by every paint device."""

import sys
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPaintEngine, QPainter, QTransform
from PySide6.QtWidgets import QGraphicsGridLayout, QGraphicsItem, QStyleOptionGraphicsItem, QWidget
from typing_extensions import override

from posenc_core.tables import UnreadableError
from posenc_gui.plotting.plot_area import PlotArea

VECTOR_PIXELS = 1.0
"""Pixels per logical pixel of SVG and PDF files, as viewers show them at 100 %."""

_VECTOR = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)


class Layer(QGraphicsItem):
    """Covers a plot area, which clips it, and draws in the area's pixels.

    A layer computes its content when it is painted. Any number of edits within a frame therefore costs one
    computation, and a hidden panel costs none.

    While it draws, ``exposed`` are the rectangles to repaint, so that a layer with much to draw may skip the rest,
    and ``is_on_screen`` is False for files and previews, where shapes stay shapes.
    """

    def __init__(self, area: PlotArea, z: float) -> None:
        super().__init__(area)
        self.area = area
        self.exposed = [QRectF()]
        self.is_on_screen = False
        self.setZValue(z)
        area.sigRangeChanged.connect(self._changed)
        area.sigResized.connect(self._resized)

    @override
    def boundingRect(self) -> QRectF:
        return QRectF(self.area.rect())

    @override
    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if self.boundingRect().width() >= 1 and self.boundingRect().height() >= 1:
            self.exposed = self._exposed_in(widget)
            self.is_on_screen = widget is not None
            draw_readable(self.draw, painter, widget)

    def draw(self, painter: QPainter) -> None:
        """Draw everything, in the area's pixels."""
        raise NotImplementedError

    def _exposed_in(self, viewport: QWidget | None) -> list[QRectF]:
        """The rectangles to repaint: the exposed ones on a screen, else the whole layer."""
        whole = self.boundingRect()
        region = getattr(viewport.parent(), "exposed", None) if viewport is not None else None
        if viewport is None or region is None or region.contains(viewport.rect()):
            return [whole]
        mapped = (self.mapRectFromScene(QRectF(rect)) for rect in region)
        return [part for part in (rect.intersected(whole) for rect in mapped) if not part.isEmpty()]

    def _changed(self) -> None:
        self.update()

    def _resized(self) -> None:
        self.prepareGeometryChange()
        self.update()


View = TypeVar("View")


class ViewLayer(Layer, Generic[View]):
    """A layer that draws the frozen value that ``view`` returns; subclasses set their height ``Z`` in the picture."""

    Z: ClassVar[float]

    def __init__(self, area: PlotArea, view: Callable[[], View]) -> None:
        super().__init__(area, self.Z)
        self._view = view


class Strip(pg.GraphicsWidget):
    """A part of a figure that is drawn in its own pixels, or in larger units, which enlarge its text and all else."""

    unit = 1.0
    _least_width = 0.0

    @property
    def room(self) -> QRectF:
        """The part in the units in which it is drawn."""
        return QRectF(0, 0, self.rect().width() / self.unit, self.rect().height() / self.unit)

    def in_pixels(self, rect: QRectF) -> QRectF:
        """A rectangle of the drawing, in pixels."""
        return QTransform.fromScale(self.unit, self.unit).mapRect(rect)

    def keep_width(self, width: float) -> None:
        """Reserve at least this width, also while hidden, as in all frames of a film."""
        self._least_width = width
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(width > 0)
        self.setSizePolicy(policy)

    @override
    def setFixedWidth(self, width: float) -> None:
        width = max(width, self._least_width)
        if width != self.maximumWidth():  # the same width would be laid out again
            super().setFixedWidth(width)

    @override
    def boundingRect(self) -> QRectF:
        return self.rect()

    @override
    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if self.rect().width() < 1 or self.rect().height() < 1:
            return
        if self.unit == 1:
            draw_readable(self.draw, painter, widget)
            return
        painter.save()
        painter.scale(self.unit, self.unit)
        draw_readable(self.draw, painter, widget)
        painter.restore()

    def draw(self, painter: QPainter) -> None:
        """Draw everything, in the strip's units."""
        raise NotImplementedError


class Margin(Strip):
    """A strip beside a plot area that labels it, repainted when the area's range changes."""

    def __init__(self, area: PlotArea) -> None:
        super().__init__()
        self.area = area
        area.sigRangeChanged.connect(self._changed)
        area.sigResized.connect(self._changed)

    def turned(self, painter: QPainter, upright: bool) -> float:
        """The length along the axis in pixels; turns the painter beside a vertical axis, for upward texts."""
        if not upright:
            return self.rect().width()
        painter.translate(0, self.rect().height())
        painter.rotate(-90)
        return self.rect().height()

    def _changed(self) -> None:
        self.update()


Amount = TypeVar("Amount", int, float)


def _unless_equal(
    present: Callable[[QGraphicsGridLayout, int], Amount], change: Callable[[QGraphicsGridLayout, int, Amount], None]
) -> Callable[[QGraphicsGridLayout, int, Amount], None]:
    """The setter ``change`` of a row, which does nothing for the ``present`` amount."""

    def changed(layout: QGraphicsGridLayout, row: int, amount: Amount) -> None:
        if amount != present(layout, row):
            change(layout, row, amount)

    return changed


class FigureGrid(QGraphicsGridLayout):
    """Layout of a figure. Qt repeats a layout at each call of a setter, this one only after a change."""

    setRowSpacing = _unless_equal(QGraphicsGridLayout.rowSpacing, QGraphicsGridLayout.setRowSpacing)
    setRowStretchFactor = _unless_equal(QGraphicsGridLayout.rowStretchFactor, QGraphicsGridLayout.setRowStretchFactor)
    setRowPreferredHeight = _unless_equal(
        QGraphicsGridLayout.rowPreferredHeight, QGraphicsGridLayout.setRowPreferredHeight
    )
    setRowMaximumHeight = _unless_equal(QGraphicsGridLayout.rowMaximumHeight, QGraphicsGridLayout.setRowMaximumHeight)


def draw_readable(draw: Callable[[QPainter], None], painter: QPainter, viewport: QWidget | None) -> None:
    """Draw an item; on a screen, an item with unreadable numbers is left out and its view shows the sentence.

    UnreadableError without a viewport: a file must be complete. An unexpected error on a screen goes to
    ``sys.excepthook`` at once: the second error that leaves the painting of one frame ends the process in Shiboken.
    """
    try:
        draw(painter)
    except UnreadableError as error:
        if viewport is None:
            raise
        view: Any = viewport.parent()  # a FigureView, which belongs to a higher room
        view.refuse(str(error))
    except Exception:
        if viewport is None:
            raise
        sys.excepthook(*sys.exc_info())


def pixel_scale(painter: QPainter) -> float:
    """Device pixels per logical pixel: the screen's ratio times the scale of an export."""
    return abs(painter.deviceTransform().m11())


def picture_scale(painter: QPainter) -> float:
    """Pixels per logical pixel on a screen and in a file, SVG and PDF files at 100 % included."""
    return VECTOR_PIXELS if is_vector(painter) else pixel_scale(painter)


def is_vector(painter: QPainter) -> bool:
    """Whether the picture is for SVG or PDF, where shapes stay shapes."""
    return painter.paintEngine().type() in _VECTOR
