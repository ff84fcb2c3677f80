"""Figures to files: PNG at any scale, SVG and PDF, from the same painting code that the window uses."""

import html
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QImage,
    QImageWriter,
    QPageSize,
    QPainter,
    QPaintDevice,
    QPdfWriter,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication

from posenc_core import Document
from posenc_gui.atomic_file import FileError, replacing
from posenc_gui.cursor import Cursor
from posenc_gui.figure import Figure, Window
from posenc_gui.panel import FigureView
from posenc_gui.panels import figure_class
from posenc_gui.session_file import SESSION_KEYWORD
from posenc_gui.style import THEMES, Style

PICTURE_FORMATS = ("png", "svg", "pdf")
DPI_AT_SCALE_1 = 96.0

_MARGIN = 16.0
_CAPTION_PX = 11
_CAPTION_LINE = 16.0


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
        return THEMES[self.theme]

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

    The file appears whole or not at all.
    """
    picture = Picture(panel, document, cursor, window)
    with replacing(path) as temporary:
        {"png": _write_png, "svg": _write_svg, "pdf": _write_pdf}[format](picture, temporary, options)


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


def _write_png(picture: Picture, path: Path, options: PictureOptions) -> None:
    path.write_bytes(png_bytes(image_of(picture, options)))


def _write_svg(picture: Picture, path: Path, options: PictureOptions) -> None:
    with _laid_out(picture, options) as page:
        device = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
        device.setFileName(str(path))
        device.setSize(page.size.toSize())
        device.setViewBox(QRectF(0, 0, page.size.width(), page.size.height()))
        device.setResolution(int(DPI_AT_SCALE_1))
        device.setTitle(html.escape(f"PosEnc {picture.panel}"))
        device.setDescription(html.escape(caption(picture.document)))
        with _painting(device) as painter:
            _fill(painter, page, options)
            page.paint(painter)


def _write_pdf(picture: Picture, path: Path, options: PictureOptions) -> None:
    with _laid_out(picture, options) as page:
        device = QPdfWriter(str(path))
        device.setResolution(int(DPI_AT_SCALE_1))
        points = QSizeF(page.size) * (72 / DPI_AT_SCALE_1)
        device.setPageSize(QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
        device.setPageMargins(QMarginsF(0, 0, 0, 0))
        device.setTitle(f"PosEnc {picture.panel}")
        device.setCreator("PosEnc")
        with _painting(device) as painter:
            painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
            painter.scale(device.width() / page.size.width(), device.height() / page.size.height())
            _fill(painter, page, options)
            page.paint(painter)


def _fill(painter: QPainter, page: "_Page", options: PictureOptions) -> None:
    if options.background_color.alpha():
        painter.fillRect(QRectF(0, 0, page.size.width(), page.size.height()), options.background_color)


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
        painter.save()
        self.view.scene().prepareForPaint()
        self.view.scene().render(painter, figure.translated(_MARGIN, _MARGIN), figure)
        painter.restore()
        painter.setFont(self.style.font(_CAPTION_PX))
        painter.setPen(self.style.pen(self.style.muted))
        top = figure.height() + 1.5 * _MARGIN
        for index, line in enumerate(self.lines):
            row = QRectF(_MARGIN, top + index * _CAPTION_LINE, figure.width(), _CAPTION_LINE)
            painter.drawText(row, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, line)


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
