"""Figures to files: PNG at any scale, SVG and PDF, from the same painting code that the window uses."""

import html
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QImageWriter,
    QPageSize,
    QPainter,
    QPaintDevice,
    QPdfWriter,
    QTransform,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication, QGraphicsItem, QStyleOptionGraphicsItem

from posenc_core import Document
from posenc_gui.atomic_file import FileError, writing
from posenc_gui.cursor import Cursor
from posenc_gui.figure import Figure, Window
from posenc_gui.panel import FigureView
from posenc_gui.panels import figure_class
from posenc_gui.session_file import SESSION_KEYWORD
from posenc_gui.style import THEMES, Style
from posenc_gui.svg_file import finished_svg

PICTURE_FORMATS = ("png", "svg", "pdf")
DPI_AT_SCALE_1 = 96.0

_MARGIN = 16.0
_CAPTION_PX = 11
_CAPTION_LINE = 16.0


class FileStyle(Style):
    """A theme for files: one glyph a character, chosen by nothing but the character.

    Figures of equal width and signs that fit their neighbours are glyphs that SVG cannot ask for, and that PDF
    readers cannot find, copy or read aloud as text.
    """

    def font(self, px: float = 12, semibold: bool = False) -> QFont:
        """The program's font at a size in logical pixels, without its variants."""
        font = super().font(px, semibold)
        for feature in ("tnum", "calt"):
            font.setFeature(QFont.Tag(feature), 0)
        return font


@dataclass(frozen=True)
class PictureOptions:
    """How a picture is exported; sizes in logical pixels, 96 to the inch.

    ``background`` is ``theme``, ``transparent``, or a colour (``white``, ``#rrggbb``); ``dpi`` overrides ``scale``;
    ``columns`` (first, stop) shows those alone.
    """

    theme: str = "light"
    background: str = "theme"
    scale: float = 2.0
    dpi: float | None = None
    size: tuple[int, int] | None = None
    caption: bool = True
    columns: tuple[int, int] | None = None

    @property
    def style(self) -> Style:
        """The style to draw in."""
        return FileStyle(**vars(THEMES[self.theme]))

    @property
    def pixel_scale(self) -> float:
        """Device pixels a logical one, for PNG."""
        return self.dpi / DPI_AT_SCALE_1 if self.dpi else self.scale

    @property
    def background_color(self) -> QColor:
        """The ground of the picture; fully transparent where none is wanted."""
        if self.background == "transparent":
            return QColor(0, 0, 0, 0)
        return QColor(self.style.paper if self.background == "theme" else self.background)


@dataclass(frozen=True)
class Picture:
    """What to export: a panel's figure of a document, with its cursor and the part that is in view."""

    panel: str
    document: Document
    cursor: Cursor | None = None
    window: Window | None = None


def start_qt() -> QApplication:
    """The application with the program's fonts, made if there is none yet."""
    from posenc_gui.application import make_application

    return make_application([])


def write_picture(
    panel: str,
    document: Document,
    path: Path,
    format: str,
    options: PictureOptions,
    cursor: Cursor | None = None,
    window: Window | None = None,
) -> None:
    """Write one figure as ``png``, ``svg`` or ``pdf``; FileError with one sentence if it cannot be written.

    The file appears whole or not at all: it is made in memory, because Qt's writers overlook a full disk.
    """
    content = picture_bytes(Picture(panel, document, cursor, window), format, options)
    with writing(path) as stream:
        stream.write(content)


def picture_bytes(picture: Picture, format: str, options: PictureOptions) -> bytes:
    """The content of a ``png``, ``svg`` or ``pdf`` file; FileError with one sentence if it cannot be made."""
    return {"png": _png, "svg": _svg, "pdf": _pdf}[format](picture, options)


def image_of(picture: Picture, options: PictureOptions) -> QImage:
    """The figure as an image in memory, at the options' scale, with the session in its text."""
    with _laid_out(picture, options) as page:
        scale = options.pixel_scale
        size = QSize(round(page.size.width() * scale), round(page.size.height() * scale))
        image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
        if image.isNull():
            raise FileError(
                f"a picture of {size.width()} x {size.height()} pixels is too large for this computer's memory"
            )
        image.fill(options.background_color)
        with _painting(image) as painter:
            painter.scale(size.width() / page.size.width(), size.height() / page.size.height())
            page.paint(painter)
    dots_a_meter = round(scale * DPI_AT_SCALE_1 / 0.0254)
    image.setDotsPerMeterX(dots_a_meter)
    image.setDotsPerMeterY(dots_a_meter)
    image.setText(SESSION_KEYWORD, picture.document.to_json())
    return image


def png_bytes(image: QImage) -> bytes:
    """The image as a PNG file, its text included."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, b"png")
    if not writer.write(image):
        raise FileError(f"the picture cannot be made: {writer.errorString()}")
    return bytes(data.data())


def caption(document: Document, note: str = "") -> str:
    """The parameters in one line, as they stand below a figure."""
    encoding = document.encoding
    values = ", ".join(f"{field.name} = {field.format(encoding.parameters()[field.name])}" for field in encoding.FIELDS)
    parts = [f"{encoding.title}: {values}"]
    if note:
        parts.append(note)
    return " · ".join(parts)


def _png(picture: Picture, options: PictureOptions) -> bytes:
    return png_bytes(image_of(picture, options))


def _svg(picture: Picture, options: PictureOptions) -> bytes:
    with _laid_out(picture, options) as page, _buffer() as buffer:
        device = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
        device.setOutputDevice(buffer)
        device.setSize(page.size.toSize())
        device.setViewBox(QRectF(0, 0, page.size.width(), page.size.height()))
        device.setResolution(_screen_dpi())
        device.setTitle(html.escape(f"PosEnc {picture.panel}"))
        device.setDescription(html.escape(caption(picture.document)))
        with _painting(device) as painter:
            _fill(painter, page.size, options)
            page.paint(painter)
        return finished_svg(bytes(buffer.data().data()), page.size.toSize(), options.style)


def _pdf(picture: Picture, options: PictureOptions) -> bytes:
    with _laid_out(picture, options) as page, _buffer() as buffer:
        device = QPdfWriter(buffer)
        device.setResolution(_screen_dpi())
        points = QSizeF(page.size) * (72 / DPI_AT_SCALE_1)
        device.setPageSize(QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
        device.setPageMargins(QMarginsF(0, 0, 0, 0))
        device.setTitle(f"PosEnc {picture.panel}")
        device.setCreator("PosEnc")
        with _painting(device) as painter:
            painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
            # Not stretched to the page, whose size is rounded to whole points.
            painter.scale(device.resolution() / DPI_AT_SCALE_1, device.resolution() / DPI_AT_SCALE_1)
            _fill(painter, QSizeF(page.size.width() + 1, page.size.height() + 1), options)
            page.paint(painter)
        return bytes(buffer.data().data())


@contextmanager
def _buffer() -> Iterator[QBuffer]:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.ReadWrite)
    yield buffer
    buffer.close()


def _screen_dpi() -> int:
    """The resolution at which axes were recorded, or they would be drawn larger or smaller than the rest."""
    return round(QApplication.primaryScreen().logicalDotsPerInch())


def _fill(painter: QPainter, size: QSizeF, options: PictureOptions) -> None:
    if options.background_color.alpha():
        painter.fillRect(QRectF(QPointF(), size), options.background_color)


@contextmanager
def _painting(device: QPaintDevice) -> Iterator[QPainter]:
    painter = QPainter()
    if not painter.begin(device):
        raise FileError("the picture cannot be made: there is no room for it on the disk or in memory")
    try:
        yield painter
    finally:
        painter.end()


@dataclass(frozen=True)
class _Page:
    """A figure laid out off the screen, with its caption, ready to be painted on any device."""

    view: FigureView
    size: QSizeF
    lines: tuple[str, ...]
    style: Style

    def paint(self, painter: QPainter) -> None:
        """The figure, then the caption below it, in logical pixels."""
        figure = QRectF(0, 0, self.view.width(), self.view.height())
        self.view.scene().prepareForPaint()
        origin = QTransform(painter.transform()).translate(_MARGIN, _MARGIN)
        for item in self.view.scene().items(Qt.SortOrder.AscendingOrder):
            if item.isVisible():
                _paint_item(painter, item, origin)
        painter.setFont(self.style.font(_CAPTION_PX))
        painter.setPen(self.style.pen(self.style.muted))
        top = figure.height() + 1.5 * _MARGIN
        for index, line in enumerate(self.lines):
            row = QRectF(_MARGIN, top + index * _CAPTION_LINE, figure.width(), _CAPTION_LINE)
            painter.drawText(row, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, line)


def _paint_item(painter: QPainter, item: QGraphicsItem, origin: QTransform) -> None:
    """Paint one item as its scene would, whose ``render`` cannot be used for SVG.

    It sets a clip around everything, and Qt's SVG generator keeps an inner clip when it should go back to an
    outer one: all that is painted after the first plot area would be cut to that area.
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


@contextmanager
def _laid_out(picture: Picture, options: PictureOptions) -> Iterator[_Page]:
    """The figure in a view that is never on a screen; taken down again afterwards."""
    figure = figure_class(picture.panel)(options.style)
    view = FigureView(figure)
    view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    try:
        width, height = options.size or figure.export_size
        view.resize(width, height)
        view.show()
        figure.show_document(picture.document)
        figure.show_window(picture.window)
        if options.columns is not None:
            figure.show_columns(*options.columns)
        if options.size is None:
            view.resize(width, figure.export_height(width))
        figure.show_cursor(picture.cursor)
        QApplication.sendPostedEvents()
        lines = _caption_lines(picture.document, figure, options)
        room = 0.5 * _MARGIN + len(lines) * _CAPTION_LINE if lines else 0.0
        size = QSizeF(view.width() + 2 * _MARGIN, view.height() + 2 * _MARGIN + room)
        yield _Page(view, size, lines, options.style)
    finally:
        view.hide()
        view.setCentralItem(None)
        view.deleteLater()


def _caption_lines(document: Document, figure: Figure, options: PictureOptions) -> tuple[str, ...]:
    if not options.caption:
        return ()
    metrics = QFontMetricsF(options.style.font(_CAPTION_PX))
    room = (options.size or figure.export_size)[0]
    lines: list[str] = []
    for word in caption(document, figure.note()).split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and metrics.horizontalAdvance(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)
