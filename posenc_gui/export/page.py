"""The page of an exported picture: a figure that is laid out off the screen, and its caption."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import asdict, replace
from PySide6.QtCore import QEvent, QPointF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QApplication

from posenc_core import Document
from posenc_core.tables import ProgressCallback, never_cancelled
from posenc_gui.export.drawn_numbers import check_drawable
from posenc_gui.export.names import caption, drawn_lengths
from posenc_gui.export.paper import PageSize
from posenc_gui.export.sheet import Caption, Cell, Page
from posenc_gui.figures import BackgroundRenderer, Figure, FigureView
from posenc_gui.files import FileError
from posenc_gui.look import THEMES, Style
from posenc_gui.model import Cursor
from posenc_gui.panels import figure_class, spec_of
from posenc_gui.plotting import Extents, Strip, Window, widened

DPI_AT_SCALE_1 = 96.0

_MARGIN, _CAPTION_LINE = 16.0, 16.0
PAPER_MARGIN, PAPER_LINE = 4.0, 13.0
"""Around figures and captions on paper, and the height of a line there, in logical pixels."""

_PAPER_PX = 10
"""The size of all text on paper in logical pixels, between the least and the usual size in journals."""

PAPER_POINTS = 7.5
"""The same in points."""


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
        """The program's font at 7.5 pt, independently of its size on a screen."""
        return super().font(_PAPER_PX, semibold)


class PictureOptions(Struct, frozen=True):
    """Options of an exported picture; sizes in logical pixels, 96 per inch.

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


class Layout(Struct, frozen=True):
    """The size of a figure, the widths of its strips beside plot areas, and the ranges of its axes and colours.

    Sizes and widths are in logical pixels.
    """

    size: tuple[int, int]
    strips: tuple[float, ...]
    scales: Extents

    def with_room_for(self, other: "Layout") -> "Layout":
        """The least layout that has room for both."""
        return Layout(
            (max(self.size[0], other.size[0]), max(self.size[1], other.size[1])),
            tuple(map(max, self.strips, other.strips)),
            {**other.scales, **{name: widened(ends, other.scales.get(name)) for name, ends in self.scales.items()}},
        )


class Work(Struct, frozen=True):
    """Execution of the long computations of figures; ``vector`` for SVG and PDF.

    Without a ``renderer`` it is done first, and Cancelled is raised once ``progress`` returns False; a ``renderer``
    does it in the background, and the page shows the part that is ready.
    """

    progress: ProgressCallback = never_cancelled
    vector: bool = False
    renderer: BackgroundRenderer | None = None

    def prepare(self, view: FigureView, scale: float) -> None:
        """Do the work of a figure, or let the ``renderer`` do it; values and errors as in ``Picture.laid_out``."""
        pictures = view.figure.pictures
        if self.renderer is None:  # errors are raised before anything is painted
            pictures.prepare(scale, self.vector, self.progress)
        pictures.use(self.renderer)


AT_ONCE = Work()


class Picture(Struct, frozen=True):
    """A picture to export: the panel's name, the document, the cursor, and the part of the figure in view.

    ``layout`` is shared by all frames of a film; without it a figure computes its own.
    """

    panel: str
    document: Document
    cursor: Cursor | None = None
    window: Window | None = None
    layout: Layout | None = None

    @property
    def name(self) -> str:
        """The name of the panel."""
        return self.panel

    @property
    def usual_size(self) -> tuple[int, int]:
        """The width and height of the panel's figure in a file, unless others are chosen."""
        return spec_of(self.panel).export_size

    @contextmanager
    def laid_out(self, options: PictureOptions, scale: float, work: Work = AT_ONCE) -> Iterator[Page]:
        """A context with the page of a figure in a view that is never shown. FileError if a row has no numbers.

        ``scale`` is the number of the file's pixels per logical pixel.
        """
        with figure_view(self, options, _first_size(self, options)) as view:
            page = _fitted(self.document, view, options, scale)
            work.prepare(view, scale)  # after the caption, which describes the finished file
            yield page


@contextmanager
def figure_view(picture: Picture, options: PictureOptions, size: tuple[int, int]) -> Iterator[FigureView]:
    """A context with the picture's figure in a view that is never shown; errors as ``Picture.laid_out``.

    ``size`` is the initial size in logical pixels; unless chosen, the height is the figure's own for that width.
    """
    check_drawable(picture.panel, picture.document)
    figure = figure_class(picture.panel)(options.style)
    for strip, width in zip(_strips(figure), picture.layout.strips if picture.layout else (), strict=False):
        strip.keep_width(width)
    if picture.layout is not None:
        figure.least = picture.layout.scales
    view = FigureView(figure)
    view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    view.setUpdatesEnabled(False)  # painting the view would compute everything twice
    try:
        view.resize(*size)
        view.show()
        figure.show_document(picture.document)
        if figure.problem:
            raise ValueError(figure.problem)
        figure.show_cursor(picture.cursor and replace(picture.cursor, pinned=False), marked=options.mark)
        figure.viewport.show_window(picture.window)
        if options.columns is not None:
            figure.viewport.show_columns(*options.columns)
        if picture.layout is not None and options.page is None:
            view.resize(*picture.layout.size)
        elif options.page is not None or options.size is None:
            view.resize(size[0], figure.viewport.export_height(size[0]))
        QApplication.sendPostedEvents()
        yield view
    except ValueError as error:  # a row of the table without numbers
        raise FileError(f"the picture cannot be made: {error}") from error
    finally:
        view.hide()
        view.deleteLater()
        QApplication.sendPostedEvents(view, QEvent.Type.DeferredDelete)  # the export command turns no event loop


def layout_of(picture: Picture, options: PictureOptions) -> Layout:
    """The layout that a figure has by itself; errors as ``Picture.laid_out``."""
    with figure_view(picture, options, _first_size(picture, options)) as view:
        strips = tuple(strip.minimumWidth() for strip in _strips(view.figure))
        return Layout((view.width(), view.height()), strips, view.figure.view().scales)


def _strips(figure: Figure) -> list[Strip]:
    return [item for item in figure.childItems() if isinstance(item, Strip)]


def _first_size(picture: Picture, options: PictureOptions) -> tuple[int, int]:
    """The figure's width, and its height before the document is known."""
    if options.page is None:
        return options.size or picture.usual_size
    return int(options.page.width_px - 2 * PAPER_MARGIN), picture.usual_size[1]


def _fitted(document: Document, view: FigureView, options: PictureOptions, scale: float) -> Page:
    """The page; on paper of a given height the figure fills the height above the caption."""
    page = options.page
    above, line_height = (_MARGIN, _CAPTION_LINE) if page is None else (PAPER_MARGIN, PAPER_LINE)

    def written() -> Caption:
        text = caption(document, *drawn_words(document, view, scale), view.figure.viewport.drawn())
        return Caption.of(text, options.style, view.width() if options.caption else None, line_height)

    below = written()
    if page is not None and page.height_px is not None:
        for _ in range(3):  # another height may have another caption
            room = page.height_px - 2 * above - below.height(above)
            view.resize(view.width(), max(1, int(view.figure.viewport.whole_height(room))))
            QApplication.sendPostedEvents()
            below = written()
    width = view.width() + 2 * above if page is None else page.width_px
    height = view.height() + 2 * above + below.height(above)
    if page is not None and page.height_px is not None:
        height = page.height_px
    origin = QPointF((width - view.width()) / 2, above)
    place = QPointF(origin.x(), view.height() + 1.5 * above)
    return Page((Cell(view, origin),), QSizeF(width, height), below, place, options.style)


def drawn_words(document: Document, view: FigureView, scale: float) -> tuple[str, str]:
    """The figure's own note for a caption, and the lengths that it draws."""
    figure = view.figure
    return figure.pointing.note(scale), drawn_lengths(document, figure.spec, figure.viewport.positions())
