"""The sheet of an exported picture: figures in their places, letters and a caption, painted on any device."""

from collections.abc import Iterator

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem

from posenc_gui.figures import FigureView
from posenc_gui.look import Style, tied

_CAPTION_PX = 11


class Caption(Struct, frozen=True):
    """A caption, and the lines that it is written in, each so high in logical pixels; no lines if it is not written."""

    text: str
    lines: tuple[str, ...]
    line_height: float

    @classmethod
    def of(cls, text: str, style: Style, room: float | None, line_height: float) -> "Caption":
        """The caption in lines as wide as the ``room``; None writes none."""
        if room is None:
            return cls(text, (), line_height)
        metrics, lines, start = QFontMetricsF(style.font(_CAPTION_PX)), list[str](), 0
        for part in tied(text).split(" "):
            word = text[start : start + len(part)]  # with usual spaces, as readers copy them
            start += len(part) + 1
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and metrics.horizontalAdvance(longer) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
        return cls(text, tuple(lines), line_height)

    def height(self, margin: float) -> float:
        """Its height below the figures, with half a margin above it."""
        return 0.5 * margin + len(self.lines) * self.line_height if self.lines else 0.0


class Cell(Struct, frozen=True):
    """A figure that is laid out off the screen, its place on the page, and its letter, which is written above it."""

    view: FigureView
    origin: QPointF
    letter: str = ""


class Page(Struct, frozen=True):
    """Figures with their caption, laid out off the screen, ready to be painted on any device.

    ``below`` is the caption, ``place`` the upper left corner of its lines.
    """

    cells: tuple[Cell, ...]
    size: QSizeF
    below: Caption
    place: QPointF
    style: Style

    @property
    def view(self) -> FigureView:
        """The view of the first figure."""
        return self.cells[0].view

    @property
    def caption(self) -> str:
        """The caption, whether it is written or not."""
        return self.below.text

    def paint(self, painter: QPainter) -> None:
        """Paint the figures, their letters, and the caption below them, in logical pixels."""
        device = QTransform(painter.transform())
        for cell in self.cells:
            _paint_figure(painter, cell, device)
        width, high = self.size.width() - 2 * self.place.x(), self.below.line_height
        painter.setPen(self.style.pen(self.style.ink))
        painter.setFont(self.style.font(_CAPTION_PX, semibold=True))
        for cell in filter(lambda each: each.letter, self.cells):
            _write(painter, QRectF(cell.origin.x(), cell.origin.y() - high, width, high), cell.letter)
        painter.setFont(self.style.font(_CAPTION_PX))
        painter.setPen(self.style.pen(self.style.muted))
        for index, line in enumerate(self.below.lines):
            _write(painter, QRectF(self.place.x(), self.place.y() + index * high, width, high), line)


def _write(painter: QPainter, place: QRectF, line: str) -> None:
    painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, line)


def _paint_figure(painter: QPainter, cell: Cell, device: QTransform) -> None:
    scene = cell.view.scene()
    scene.prepareForPaint()
    origin = QTransform(device).translate(cell.origin.x(), cell.origin.y())
    for item in scene.items(Qt.SortOrder.AscendingOrder):
        if item.isVisible():
            _paint_item(painter, item, origin)


def _paint_item(painter: QPainter, item: QGraphicsItem, origin: QTransform) -> None:
    """Paint one item as ``QGraphicsScene.render`` does, which cannot be used for SVG.

    It sets a clip around the scene, and Qt's SVG generator does not restore an outer clip after an inner one: items
    painted after the first plot area would be clipped to that area.
    """
    painter.save()
    painter.setTransform(origin)
    for clipping in _clipping_items(item):
        painter.setClipPath(clipping.mapToScene(clipping.shape()), Qt.ClipOperation.IntersectClip)
    painter.setTransform(item.sceneTransform() * origin)
    item.paint(painter, QStyleOptionGraphicsItem(), None)
    painter.restore()


def _clipping_items(item: QGraphicsItem) -> Iterator[QGraphicsItem]:
    if item.flags() & QGraphicsItem.GraphicsItemFlag.ItemClipsToShape:
        yield item
    above = item.parentItem()
    while above is not None:
        if above.flags() & QGraphicsItem.GraphicsItemFlag.ItemClipsChildrenToShape:
            yield above
        above = above.parentItem()
