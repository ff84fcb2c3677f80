"""The page of an exported picture: a figure that is laid out off the screen, and its caption."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import asdict
from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTransform
from PySide6.QtWidgets import QApplication, QGraphicsItem, QStyleOptionGraphicsItem

from posenc_core import Document
from posenc_core.tables import ProgressCallback, never_cancelled
from posenc_gui.figures.figure import Figure, Window
from posenc_gui.figures.figure_view import FigureView
from posenc_gui.figures.progressive import BackgroundRenderer
from posenc_gui.files.errors import FileError
from posenc_gui.look.style import THEMES, Style
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import figure_class

DPI_AT_SCALE_1 = 96.0

_MARGIN = 16.0
_CAPTION_PX = 11
_CAPTION_LINE = 16.0


class FileStyle(Style, frozen=True):
    """A theme for files, in which each character has its default glyph.

    SVG cannot select the glyphs of tabular figures and contextual alternates, and PDF readers cannot search, copy or
    read them as text.
    """

    def font(self, px: float = 12, semibold: bool = False) -> QFont:
        """The program's font at a size in logical pixels, without variants of glyphs."""
        font = super().font(px, semibold)
        for feature in ("tnum", "calt"):
            font.setFeature(QFont.Tag(feature), 0)
        return font


class PictureOptions(Struct, frozen=True):
    """How a picture is exported; sizes in logical pixels, 96 per inch.

    ``background`` is ``theme``, ``transparent``, or a colour (``white``, ``#rrggbb``); ``dpi`` overrides ``scale``;
    ``columns`` (first, stop) limits the columns.
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
        return FileStyle(**asdict(THEMES[self.theme]))

    @property
    def pixel_scale(self) -> float:
        """Pixels of the PNG per logical pixel."""
        return self.dpi / DPI_AT_SCALE_1 if self.dpi else self.scale

    @property
    def background_color(self) -> QColor:
        """The colour of the background, fully transparent for ``transparent``."""
        if self.background == "transparent":
            return QColor(0, 0, 0, 0)
        return QColor(self.style.paper if self.background == "theme" else self.background)


class Picture(Struct, frozen=True):
    """What to export: the panel's name, the document, the cursor, and the part of the figure that is in view."""

    panel: str
    document: Document
    cursor: Cursor | None = None
    window: Window | None = None


def caption(document: Document, note: str = "") -> str:
    """The parameters in one line, as written below a figure."""
    encoding = document.encoding
    values = ", ".join(f"{field.name} = {field.format(encoding.parameters()[field.name])}" for field in encoding.fields)
    parts = [f"{encoding.title}: {values}"]
    if encoding.label and encoding.label not in note:
        parts.append(encoding.label)
    if note:
        parts.append(note)
    return " · ".join(parts)


class Page(Struct, frozen=True):
    """A figure with its caption, laid out off the screen, ready to be painted on any device."""

    view: FigureView
    size: QSizeF
    lines: tuple[str, ...]
    style: Style

    def paint(self, painter: QPainter) -> None:
        """Paint the figure and the caption below it, in logical pixels."""
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


@contextmanager
def laid_out(
    picture: Picture,
    options: PictureOptions,
    scale: float,
    *,
    vector: bool = False,
    progress: ProgressCallback | None = None,
    renderer: BackgroundRenderer | None = None,
) -> Iterator[Page]:
    """A context with the page of a figure in a view that is never shown. FileError if a row has no numbers.

    ``scale`` is the number of the file's pixels per logical pixel. Without a ``renderer``, long work is done first, and
    Cancelled is raised once ``progress`` returns False; a ``renderer`` does it in the background, and the page shows
    the part that is ready.
    """
    need = figure_class(picture.panel).lacks(picture.document.encoding)
    if need is not None:
        raise FileError(need.sentence)
    figure = figure_class(picture.panel)(options.style)
    view = FigureView(figure)
    view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    view.setUpdatesEnabled(False)  # painting the view would compute everything twice
    try:
        width, height = options.size or figure.export_size
        view.resize(width, height)
        view.show()
        figure.show_document(picture.document)
        if figure.problem:
            raise FileError(figure.problem)
        figure.show_window(picture.window)
        if options.columns is not None:
            figure.show_columns(*options.columns)
        if options.size is None:
            view.resize(width, figure.export_height(width))
        figure.show_cursor(picture.cursor)
        QApplication.sendPostedEvents()
        if figure.pictures is not None and renderer is None:  # errors are raised before anything is painted
            figure.pictures.prepare(scale, vector, progress or never_cancelled)
        lines = _caption_lines(picture.document, figure, options, scale)
        if figure.pictures is not None:  # after the caption, which describes the finished file
            figure.pictures.background = renderer
        room = 0.5 * _MARGIN + len(lines) * _CAPTION_LINE if lines else 0.0
        size = QSizeF(view.width() + 2 * _MARGIN, view.height() + 2 * _MARGIN + room)
        yield Page(view, size, lines, options.style)
    except ValueError as error:  # a row of the table without numbers
        raise FileError(f"the picture cannot be made: {error}") from error
    finally:
        view.hide()
        view.deleteLater()


def _caption_lines(document: Document, figure: Figure, options: PictureOptions, scale: float) -> tuple[str, ...]:
    if not options.caption:
        return ()
    metrics = QFontMetricsF(options.style.font(_CAPTION_PX))
    room = (options.size or figure.export_size)[0]
    lines: list[str] = []
    for word in caption(document, figure.note(scale)).split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and metrics.horizontalAdvance(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)
