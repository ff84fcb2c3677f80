"""The page of an exported picture: a figure that is laid out off the screen, and its caption."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import asdict, replace
from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTransform
from PySide6.QtWidgets import QApplication, QGraphicsItem, QStyleOptionGraphicsItem

from posenc_core import Document
from posenc_core.tables import ProgressCallback, never_cancelled
from posenc_gui.export.drawn_numbers import check_drawable
from posenc_gui.export.names import caption, drawn_lengths
from posenc_gui.export.paper import PageSize
from posenc_gui.figures import BackgroundRenderer, Figure, FigureView
from posenc_gui.files import FileError
from posenc_gui.look import THEMES, Style
from posenc_gui.model import Cursor
from posenc_gui.panels import figure_class
from posenc_gui.plotting import Window

DPI_AT_SCALE_1 = 96.0

_MARGIN, _CAPTION_LINE = 16.0, 16.0
_PAPER_MARGIN, _PAPER_LINE = 4.0, 13.0
_CAPTION_PX = 11

_PAPER_PX = 10
"""The size of all text on paper in logical pixels: 7.5 pt, between the least and the usual size in journals."""


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


class PaperStyle(FileStyle, frozen=True):
    """A theme for files of a size on paper, with one size of text."""

    def font(self, px: float = 12, semibold: bool = False) -> QFont:
        """The program's font at 7.5 pt, whatever its size on a screen."""
        return super().font(_PAPER_PX, semibold)


class PictureOptions(Struct, frozen=True):
    """How a picture is exported; sizes in logical pixels, 96 per inch.

    ``background`` is ``theme``, ``transparent``, or a colour (``white``, ``#rrggbb``); ``dpi`` overrides ``scale``;
    ``columns`` (first, stop) limits the columns. ``page`` is the size of the whole picture on paper, which overrides
    ``size``, that of the figure. With ``mark`` the cursor is drawn.
    """

    theme: str = "light"
    background: str = "theme"
    scale: float = 2.0
    dpi: float | None = None
    size: tuple[int, int] | None = None
    caption: bool = True
    columns: tuple[int, int] | None = None
    page: PageSize | None = None
    mark: bool = False

    @property
    def style(self) -> Style:
        """The style to draw in."""
        kind = FileStyle if self.page is None else PaperStyle
        return kind(**asdict(THEMES[self.theme]))

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


class Page(Struct, frozen=True):
    """A figure with its caption, laid out off the screen, ready to be painted on any device.

    ``origin`` is the figure's place on the page, ``lines`` the part of ``caption`` that is written below it.
    """

    view: FigureView
    size: QSizeF
    origin: QPointF
    caption: str
    lines: tuple[str, ...]
    line_height: float
    style: Style

    def paint(self, painter: QPainter) -> None:
        """Paint the figure and the caption below it, in logical pixels."""
        left, above = self.origin.x(), self.origin.y()
        self.view.scene().prepareForPaint()
        origin = QTransform(painter.transform()).translate(left, above)
        for item in self.view.scene().items(Qt.SortOrder.AscendingOrder):
            if item.isVisible():
                _paint_item(painter, item, origin)
        painter.setFont(self.style.font(_CAPTION_PX))
        painter.setPen(self.style.pen(self.style.muted))
        top = self.view.height() + 1.5 * above
        for index, line in enumerate(self.lines):
            row = QRectF(left, top + index * self.line_height, self.view.width(), self.line_height)
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
    check_drawable(picture.panel, picture.document)
    figure = figure_class(picture.panel)(options.style)
    view = FigureView(figure)
    view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    view.setUpdatesEnabled(False)  # painting the view would compute everything twice
    try:
        width, height = _first_size(figure, options)
        view.resize(width, height)
        view.show()
        figure.show_document(picture.document)
        if figure.problem:
            raise ValueError(figure.problem)
        figure.show_cursor(picture.cursor and replace(picture.cursor, pinned=False), marked=options.mark)
        figure.viewport.show_window(picture.window)
        if options.columns is not None:
            figure.viewport.show_columns(*options.columns)
        if options.page is not None or options.size is None:
            view.resize(width, figure.viewport.export_height(width))
        QApplication.sendPostedEvents()
        page = _fitted(picture.document, view, options, scale)
        if renderer is None:  # errors are raised before anything is painted
            figure.pictures.prepare(scale, vector, progress or never_cancelled)
        figure.pictures.use(renderer)  # after the caption, which describes the finished file
        yield page
    except ValueError as error:  # a row of the table without numbers
        raise FileError(f"the picture cannot be made: {error}") from error
    finally:
        view.hide()
        view.deleteLater()
        QApplication.sendPostedEvents(view, QEvent.Type.DeferredDelete)  # the export command turns no event loop


def _first_size(figure: Figure, options: PictureOptions) -> tuple[int, int]:
    """The figure's width, and its height before the document is known."""
    if options.page is None:
        return options.size or figure.spec.export_size
    return int(options.page.width_px - 2 * _PAPER_MARGIN), figure.spec.export_size[1]


def _fitted(document: Document, view: FigureView, options: PictureOptions, scale: float) -> Page:
    """The page; on paper of a given height the figure takes what the caption leaves of it."""
    page = options.page
    above, line_height = (_MARGIN, _CAPTION_LINE) if page is None else (_PAPER_MARGIN, _PAPER_LINE)
    written, lines = _caption(document, view, options, scale)
    if page is not None and page.height_px is not None:
        for _ in range(3):  # another height may have another caption
            room = page.height_px - 2 * above - _caption_height(lines, above, line_height)
            view.resize(view.width(), max(1, int(view.figure.viewport.whole_height(room))))
            QApplication.sendPostedEvents()
            written, lines = _caption(document, view, options, scale)
    width = view.width() + 2 * above if page is None else page.width_px
    height = view.height() + 2 * above + _caption_height(lines, above, line_height)
    if page is not None and page.height_px is not None:
        height = page.height_px
    origin = QPointF((width - view.width()) / 2, above)
    return Page(view, QSizeF(width, height), origin, written, lines, line_height, options.style)


def _caption_height(lines: tuple[str, ...], above: float, line_height: float) -> float:
    return 0.5 * above + len(lines) * line_height if lines else 0.0


def _caption(
    document: Document, view: FigureView, options: PictureOptions, scale: float
) -> tuple[str, tuple[str, ...]]:
    """The caption, and the lines that it is written in below the figure."""
    figure = view.figure
    drawn = drawn_lengths(document, figure.spec, figure.viewport.positions())
    written = caption(document, figure.pointing.note(scale), drawn)
    if not options.caption:
        return written, ()
    metrics, room = QFontMetricsF(options.style.font(_CAPTION_PX)), view.width()
    lines: list[str] = []
    for word in written.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and metrics.horizontalAdvance(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return written, tuple(lines)
