"""Figures as PNG at any scale, SVG and PDF files and on the clipboard, painted by the same code as in the window."""

import html
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QMimeData, QPointF, QRectF, QSize, QSizeF
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QPageSize, QPaintDevice, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication

from posenc_core import Document
from posenc_core.explain import NUMPY, TORCH, Dialect
from posenc_core.scripts import Sheet, joined_script, source_of
from posenc_core.tables import ProgressCallback, never_cancelled
from posenc_gui.export.grid import Grid
from posenc_gui.export.mosaic import Mosaic
from posenc_gui.export.names import caption
from posenc_gui.export.page import DPI_AT_SCALE_1, PAPER_POINTS, Picture, PictureOptions, Work
from posenc_gui.export.paper import MM_AN_INCH, size_problem
from posenc_gui.export.sheet import Page
from posenc_gui.export.svg import LabelPainter
from posenc_gui.figures import BackgroundRenderer, Figure
from posenc_gui.files import SESSION_KEYWORD, FileError, writing
from posenc_gui.model import Cursor
from posenc_gui.plotting import VECTOR_PIXELS, Window

PNG_TYPE = "image/png"
DIALECTS: dict[str, Dialect] = {"numpy": NUMPY, "torch": TORCH}


Drawing = Picture | Mosaic
"""One panel, or several as one figure."""


def write_picture(
    panel: str,
    document: Document,
    path: Path,
    format: str,
    options: PictureOptions,
    cursor: Cursor | None = None,
    window: Window | None = None,
) -> None:
    """Write one panel as ``png``, ``svg`` or ``pdf``, or its caption; errors as ``write_drawing``."""
    write_drawing(Picture(panel, document, cursor, window), path, format, options)


def write_drawing(picture: Drawing, path: Path, format: str, options: PictureOptions) -> None:
    """Write one figure as ``png``, ``svg`` or ``pdf``, or its caption; FileError with one sentence if that fails.

    The content is made in memory, because Qt's writers do not report a full disk.
    """
    content = picture_bytes(picture, format, options)
    with writing(path) as stream:
        stream.write(content)


def picture_bytes(
    picture: Drawing, format: str, options: PictureOptions, progress: ProgressCallback = never_cancelled
) -> bytes:
    """The content of a ``png``, ``svg`` or ``pdf`` file, of a ``txt`` file with the caption, or of a ``py`` script.

    FileError with one sentence if it cannot be made. Long work calls ``progress`` with the fraction done; Cancelled
    once it returns False.
    """
    return {"png": _png, "svg": _svg, "pdf": _pdf, "txt": _txt, "py": _py}[format](picture, options, progress)


def image_of(picture: Drawing, options: PictureOptions, progress: ProgressCallback = never_cancelled) -> QImage:
    """The figure as an image at the options' scale, with the session as its text; errors as ``picture_bytes``."""
    scale = options.pixel_scale
    with picture.laid_out(options, scale, Work(progress)) as page:
        image = _painted(page, options, scale)
    dots_a_meter = round(scale * DPI_AT_SCALE_1 / 0.0254)
    image.setDotsPerMeterX(dots_a_meter)
    image.setDotsPerMeterY(dots_a_meter)
    image.setText(SESSION_KEYWORD, picture.document.to_json())
    return image


def fitted_image(
    picture: Drawing, options: PictureOptions, room: QSize, ratio: float, renderer: BackgroundRenderer
) -> tuple[QImage, QSizeF]:
    """The figure, at most as large as the room and as at 1x, and its size in the file; both in logical pixels.

    ``ratio`` is the number of device pixels per logical pixel of the screen. Long work is done by the ``renderer``; the
    image shows the part that is ready.
    """
    with picture.laid_out(options, options.pixel_scale, Work(renderer=renderer)) as page:
        scale = min(1.0, room.width() / page.size.width(), room.height() / page.size.height())
        image = _painted(page, options, max(scale, 0.01) * ratio)
        image.setDevicePixelRatio(ratio)
        return image, page.size


def _painted(page: Page, options: PictureOptions, scale: float) -> QImage:
    size = QSize(round(page.size.width() * scale), round(page.size.height() * scale))
    problem = size_problem(size.width(), size.height())
    if problem:
        raise FileError(problem)
    opaque = options.background_color.alpha() == 255
    image = QImage(size, QImage.Format.Format_RGB32 if opaque else QImage.Format.Format_ARGB32_Premultiplied)
    if image.isNull():
        raise FileError(f"a picture of {size.width()} x {size.height()} pixels is too large for this computer's memory")
    image.fill(options.background_color)
    with _painting(image) as painter:
        painter.scale(scale, scale)  # the scale for which the figure was prepared
        page.paint(painter)
    return image


def png_bytes(image: QImage) -> bytes:
    """The content of a PNG file with the image and its text."""
    with _buffer() as buffer:
        writer = QImageWriter(buffer, b"png")
        if not writer.write(image):
            raise FileError(f"the picture cannot be made: {writer.errorString()}")
        return bytes(buffer.data().data())


def _png(picture: Drawing, options: PictureOptions, progress: ProgressCallback) -> bytes:
    return png_bytes(image_of(picture, options, progress))


def _svg(picture: Drawing, options: PictureOptions, progress: ProgressCallback) -> bytes:
    with picture.laid_out(options, VECTOR_PIXELS, Work(progress, vector=True)) as page, _buffer() as buffer:
        device = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
        device.setOutputDevice(buffer)
        device.setSize(page.size.toSize())
        device.setViewBox(QRectF(0, 0, page.size.width(), page.size.height()))
        device.setResolution(_screen_dpi())
        device.setTitle(html.escape(f"PosEnc {picture.name}"))
        device.setDescription(html.escape(caption(picture.document)))
        painter = LabelPainter()
        with _painting(device, painter):
            _fill(painter, page.size, options)
            page.paint(painter)
        size = page.size.toSize()
        width, height = f"{size.width()}", f"{size.height()}"
        if options.page is not None:
            width, height = (f"{side * MM_AN_INCH / DPI_AT_SCALE_1:.3f}mm" for side in page.size.toTuple())
        return painter.finished(bytes(buffer.data().data()), (width, height))


def _pdf(picture: Drawing, options: PictureOptions, progress: ProgressCallback) -> bytes:
    with picture.laid_out(options, VECTOR_PIXELS, Work(progress, vector=True)) as page, _buffer() as buffer:
        device = QPdfWriter(buffer)
        device.setResolution(_screen_dpi())
        points = QSizeF(page.size) * (72 / DPI_AT_SCALE_1)
        device.setPageSize(QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
        device.setPageMargins(QMarginsF(0, 0, 0, 0))
        device.setTitle(f"PosEnc {picture.name}")
        device.setCreator("PosEnc")
        with _painting(device) as painter:
            painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
            # Not the size of the page, which is rounded to whole points.
            painter.scale(device.resolution() / DPI_AT_SCALE_1, device.resolution() / DPI_AT_SCALE_1)
            _fill(painter, QSizeF(page.size.width() + 1, page.size.height() + 1), options)
            page.paint(painter)
        return bytes(buffer.data().data())


def _txt(picture: Drawing, options: PictureOptions, progress: ProgressCallback) -> bytes:
    with picture.laid_out(options, options.pixel_scale, Work(progress)) as page:
        return f"{page.caption}\n".encode()


def _py(picture: Drawing, options: PictureOptions, progress: ProgressCallback) -> bytes:
    """A Matplotlib script that draws the figure; one of several panels has their places, letters and caption."""
    with picture.laid_out(options, options.pixel_scale, Work(progress)) as page:
        try:
            scripts = {cell.view.figure.spec.name: cell.view.figure.script() for cell in page.cells}
        except ValueError as error:
            raise FileError(str(error)) from error
        if isinstance(picture, Picture):
            return scripts[picture.panel].encode()
        inches = (page.size.width() / DPI_AT_SCALE_1, page.size.height() / DPI_AT_SCALE_1)
        sheet = Sheet(inches, PAPER_POINTS, page.below.lines)
        return joined_script(scripts, (picture.grid.rows, picture.grid.columns), sheet).encode()


@contextmanager
def _buffer() -> Iterator[QBuffer]:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.ReadWrite)
    yield buffer
    buffer.close()


def _screen_dpi() -> int:
    """The resolution at which axes are recorded; at any other resolution axes would differ in size from the rest."""
    return round(QApplication.primaryScreen().logicalDotsPerInch())


def _fill(painter: QPainter, size: QSizeF, options: PictureOptions) -> None:
    if options.background_color.alpha():
        painter.fillRect(QRectF(QPointF(), size), options.background_color)


@contextmanager
def _painting(device: QPaintDevice, painter: QPainter | None = None) -> Iterator[QPainter]:
    painter = painter or QPainter()
    if not painter.begin(device):
        raise FileError("the picture cannot be made: not enough disk space or memory")
    try:
        yield painter
    finally:
        painter.end()


def copy_picture(picture: Drawing, options: PictureOptions, progress: ProgressCallback = never_cancelled) -> None:
    """Copy the panel's picture to the clipboard, as an image and as a PNG file that contains the session.

    FileError with one sentence if the picture cannot be made, Cancelled once ``progress`` returns False; the
    clipboard then keeps its content.
    """
    image = image_of(picture, options, progress)
    content = QMimeData()
    content.setData(PNG_TYPE, png_bytes(image))
    content.setImageData(image)
    QGuiApplication.clipboard().setMimeData(content)


def copy_script(document: Document, dialect: str) -> str:
    """Copy a script that computes the document's table to the clipboard; returns a sentence of confirmation.

    ``dialect`` is ``numpy`` or ``torch``. ValueError with one sentence if the document has no such script; the
    clipboard then keeps its content.
    """
    code = DIALECTS[dialect]
    return _copied(source_of(document, None, code), code.name, "computes this table")


def copy_plots(figures: Sequence[Figure]) -> str:
    """Copy a Matplotlib script that draws the figures as one, with letters; returns a sentence of confirmation.

    ValueError with one sentence if a figure has no such script; the clipboard then keeps its content.
    """
    grid = Grid.square(len(figures))
    script = joined_script({figure.spec.name: figure.script() for figure in figures}, (grid.rows, grid.columns))
    return _copied(script, "Matplotlib", f"draws {', '.join(figure.spec.title for figure in figures)}")


def copy_plot(figure: Figure) -> str:
    """Copy a Matplotlib script that draws the figure to the clipboard; returns a sentence of confirmation.

    ValueError with one sentence if the figure has no such script; the clipboard then keeps its content.
    """
    return _copied(figure.script(), "Matplotlib", f"draws {figure.spec.title}")


def _copied(script: str, kind: str, effect: str) -> str:
    """Copy a script to the clipboard; returns a sentence of confirmation."""
    QGuiApplication.clipboard().setText(script)
    return f"Copied a {kind} script of {len(script.splitlines())} lines that {effect}"
