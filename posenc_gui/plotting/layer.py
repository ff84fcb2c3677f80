"""Things drawn over a plot area or beside it, in plain pixels, so that every paint device scales them alike."""

from typing import Any, Protocol, cast

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPaintEngine, QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget
from typing_extensions import override

from posenc_core.tables import UnreadableError
from posenc_gui.plotting.plot_area import PlotArea

VECTOR_PIXELS = 4.0
"""Pixels to a logical one of the images that stand in SVG and PDF."""

_VECTOR = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)


class Layer(QGraphicsItem):
    """Covers a plot area and draws in its pixels; the area clips it. What it shows is computed when it is painted.

    While it draws, ``exposed`` holds the rectangles that need it: a layer with much to draw may leave the rest out.

    Painting on demand is what keeps the window quick: any number of edits within a frame costs one computation,
    and a panel that nobody sees costs none.
    """

    def __init__(self, area: PlotArea, z: float) -> None:
        super().__init__(area)
        self.area = area
        self.exposed = [QRectF()]
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
            draw_readable(self, painter, widget)

    def draw(self, painter: QPainter) -> None:
        """Draw everything, in the area's pixels."""
        raise NotImplementedError

    def _exposed_in(self, viewport: QWidget | None) -> list[QRectF]:
        """The rectangles that have to be painted: on a screen the exposed ones, else everything."""
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


class Margin(pg.GraphicsWidget):
    """A strip beside a plot area that names what is in it; drawn in its own pixels, following the area."""

    def __init__(self, area: PlotArea) -> None:
        super().__init__()
        self.area = area
        area.sigRangeChanged.connect(self._changed)
        area.sigResized.connect(self._changed)

    @override
    def boundingRect(self) -> QRectF:
        return self.rect()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw, unless there is no room."""
        if self.rect().width() >= 1 and self.rect().height() >= 1:
            draw_readable(self, painter, widget)

    def draw(self, painter: QPainter) -> None:
        """Draw everything, in the margin's pixels."""
        raise NotImplementedError

    def turned(self, painter: QPainter, upright: bool) -> float:
        """The length along the axis; beside an upright one the painter is turned so that texts read upwards."""
        if not upright:
            return self.rect().width()
        painter.translate(0, self.rect().height())
        painter.rotate(-90)
        return self.rect().height()

    def _changed(self) -> None:
        self.update()


class Drawing(Protocol):
    """What draws a part of a picture."""

    def draw(self, painter: QPainter) -> None:
        """Draw it."""


class PictureView(Protocol):
    """What shows pictures on a screen."""

    def refuse(self, sentence: str) -> None:
        """Say why a part of the picture is missing."""


def draw_readable(item: Drawing, painter: QPainter, viewport: QWidget | None) -> None:
    """Draw; on a screen an item leaves out what it has no numbers for, and its view says so: a file has none such."""
    try:
        item.draw(painter)
    except UnreadableError as error:
        if viewport is None:
            raise
        view: PictureView = cast("Any", viewport.parent())
        view.refuse(str(error))


def pixel_scale(painter: QPainter) -> float:
    """Device pixels a logical one: the screen's ratio times the scale of an export."""
    return abs(painter.deviceTransform().m11())


def picture_scale(painter: QPainter) -> float:
    """Pixels to a logical one of the images that are drawn here, in SVG and PDF those that stand in them."""
    return VECTOR_PIXELS if is_vector(painter) else pixel_scale(painter)


def is_vector(painter: QPainter) -> bool:
    """Whether the picture goes to SVG or PDF, where shapes stay shapes."""
    return painter.paintEngine().type() in _VECTOR
