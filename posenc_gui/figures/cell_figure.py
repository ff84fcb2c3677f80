"""Common parts of figures with a plot area, and of coloured cells: zoom, cells, and a frame around the cursor's."""

import math
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPaintEngine, QPainter
from typing_extensions import override

from posenc_gui.figures.figure import PointedFigure
from posenc_gui.figures.viewport import AreaViewport
from posenc_gui.look import LAYER_CURSOR, LIGHT, Style, significant, with_decimals
from posenc_gui.plotting import Layer, PlotArea, is_vector, readable_on

VECTOR_CELLS = 5_000
"""The greatest number of cells drawn as shapes in SVG and PDF files; more are an image."""

_VECTOR_DOTS = 4
"""Dots along each side of a logical pixel of such an image: 384 per inch on paper. Viewers smooth a coarser one."""

_MOST_DOTS = 1 << 26
"""Dots of an image, 256 MB."""

_PDF_INSET = 0.002
"""Inset of an image in a PDF file within its pixels: poppler assigns an edge between two pixels to the second
pixel, and stretches the image by a pixel."""

_SEAM = 0.6
"""Overlap of a cell under its later neighbours, in pixels, to hide seams."""

_LONGEST_NUMBER = 1e9
"""Numbers from here on have an exponent."""

_APART = 4.0
"""Pixels between the two frames of a held cell."""

_LEAST_FRAME = 5.0
_FRAME_INSET = 1.75
"""Distance in pixels from the edge of the plot area to a frame around a cell at the edge: half of its white line."""

_HALF_LINE = 0.25
"""Distance in pixels from the edge between two pixels to the middle of a line whose inner pixel is whole."""

Cells = Iterable[tuple[QRectF, float, int]]
"""Rectangles of cells, their values, and their colours ``0xffRRGGBB``."""


class AreaFigure(PointedFigure):
    """A figure around one plot area, whose places ``pointing`` turns into cursors."""

    viewport_class: ClassVar[type[AreaViewport[Any]]] = AreaViewport
    viewport: AreaViewport[Any]
    area_class: ClassVar[type[PlotArea]] = PlotArea

    def __init__(self, style: Style, down: bool = False) -> None:
        super().__init__(style)
        self.area = self.area_class(down)
        self.pointing.area = self.area
        self.area.hovered.connect(self.point)
        self.area.clicked.connect(self._clicked)
        self.area.wheeled.connect(self.viewport.wheeled)
        self.area.resetAsked.connect(self.take_back)
        self.area.sigRangeChanged.connect(self.noteChanged)

    def _clicked(self, x: float, y: float) -> None:
        self.point(x, y, True)


class CellFigure(AreaFigure):
    """A figure of cells, rows running down, with a frame around the cursor's cell by ``pointing``."""

    def __init__(self, style: Style) -> None:
        super().__init__(style, down=True)
        CellFrame(self.area, self.pointing.frame, self.pointing.is_held)
        self.area.sigResized.connect(self.noteChanged)


class CellFrame(Layer):
    """A frame around a cell, one line in black and one in white, to show on every colour; a held cell has two."""

    def __init__(self, area: PlotArea, cell: Callable[[], QRectF | None], is_held: Callable[[], bool]) -> None:
        super().__init__(area, LAYER_CURSOR)
        self._cell, self._is_held = cell, is_held

    @override
    def draw(self, painter: QPainter) -> None:
        rect = self._cell()
        if rect is None:
            return
        centre = rect.center()
        rect.setSize(rect.size().expandedTo(QSizeF(_LEAST_FRAME, _LEAST_FRAME)))
        rect.moveCenter(centre)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        around = [rect, rect.adjusted(-_APART, -_APART, _APART, _APART)] if self._is_held() else [rect]
        frames = [_even(_within(frame, QRectF(self.area.rect()))) for frame in around]
        for colour, width in (("#ffffff", 3.5), ("#000000", 1.5)):
            painter.setPen(LIGHT.pen(colour, width))
            painter.drawRects(frames)


def _within(frame: QRectF, area: QRectF) -> QRectF:
    """The frame with those sides inside the area that would be cut at its edges, for a cell in the first or last row.

    A side that is farther outside belongs to a cell that continues there.
    """
    left, right = _moved_inside(frame.left(), frame.right(), area.left(), area.right())
    top, bottom = _moved_inside(frame.top(), frame.bottom(), area.top(), area.bottom())
    return QRectF(QPointF(left, top), QPointF(right, bottom))


def _even(frame: QRectF) -> QRectF:
    """The frame moved to fractions of pixels at which all four lines, 1.5 pixels wide, are drawn alike."""
    first = QPointF(round(frame.left()) + _HALF_LINE, round(frame.top()) + _HALF_LINE)
    return QRectF(first, QPointF(round(frame.right()) - _HALF_LINE, round(frame.bottom()) - _HALF_LINE))


def _moved_inside(low: float, high: float, first: float, last: float) -> tuple[float, float]:
    near = _APART + 1
    if first - near <= low < first + _FRAME_INSET:
        low = first + _FRAME_INSET
        high = max(high, low + _LEAST_FRAME)
    if last - _FRAME_INSET < high <= last + near:
        high = last - _FRAME_INSET
        low = min(low, high - _LEAST_FRAME)
    return low, high


def draw_cell_shapes(painter: QPainter, cells: Cells, target: QRectF) -> None:
    """Draw a rectangle per cell, within the target."""
    painter.setPen(Qt.PenStyle.NoPen)
    for rect, _, colour in cells:
        painter.fillRect(rect.adjusted(0, 0, _SEAM, _SEAM).intersected(target), QColor.fromRgb(colour))


def draw_cell_image(painter: QPainter, image: QImage, target: QRectF, visible: QRectF) -> None:
    """Draw an image of a pixel per cell over the target, in SVG and PDF files in dots, and only its visible part."""
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    if is_vector(painter):
        place = QRectF(target.intersected(visible).toAlignedRect())
        draw_as_dots(painter, place, _dots_along(place), lambda sheet: sheet.drawImage(target, image))
    else:
        painter.drawImage(target, image)


def draw_as_dots(painter: QPainter, place: QRectF, dots: int, draw: Callable[[QPainter], object]) -> None:
    """Draw a part of an SVG or PDF file as an image, with ``dots`` along each side of a logical pixel."""
    sheet = QImage((place.size() * dots).toSize(), QImage.Format.Format_ARGB32_Premultiplied)
    if sheet.isNull():  # nothing is in view
        return
    sheet.fill(Qt.GlobalColor.transparent)
    on_sheet = QPainter(sheet)
    on_sheet.scale(dots, dots)
    on_sheet.translate(-place.topLeft())
    draw(on_sheet)
    on_sheet.end()
    draw_dots(painter, place, sheet)


def _dots_along(place: QRectF) -> int:
    """The number of dots along each side of a logical pixel: fewer if the image is very large."""
    pixels = max(1.0, place.width() * place.height())
    return max(1, min(_VECTOR_DOTS, math.isqrt(int(_MOST_DOTS / pixels))))


def draw_dots(painter: QPainter, place: QRectF, sheet: QImage) -> None:
    """Draw an image in an SVG or PDF file at a place that begins and ends between two logical pixels."""
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    inset = _PDF_INSET if painter.paintEngine().type() == QPaintEngine.Type.Pdf else 0.0
    painter.drawImage(place.adjusted(inset, inset, -inset, -inset), sheet)


def draw_cell_numbers(painter: QPainter, cells: Cells, font: QFont, decimals: int) -> None:
    """Write each cell's value in its middle, in black or white."""
    painter.setFont(font)
    for rect, value, colour in cells:
        painter.setPen(readable_on(QColor.fromRgb(colour)))
        text = with_decimals(value, decimals) if abs(value) < _LONGEST_NUMBER else significant(value, 3)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
