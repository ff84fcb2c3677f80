"""Linked figures of a panel of vectors: the table of A, of another encoding, and of their difference."""

from collections.abc import Sequence

from msgspec.structs import replace
from PySide6.QtCore import QObject, QRectF, QSizeF, Signal
from typing_extensions import override

from posenc_core import Document
from posenc_core.tables import ProgressCallback
from posenc_gui.figures import AreaFigure, AxisLabel, BackgroundRenderer, Figure, Frame, PictureRenderer
from posenc_gui.look import Style
from posenc_gui.model import Cursor, seen_by
from posenc_gui.panels import figure_class, spec_of
from posenc_gui.panels.difference.compared import Compared
from posenc_gui.panels.difference.pointing import DifferencePointing, DifferenceView
from posenc_gui.panels.difference.spec import COMPARED_PANEL, SPEC, wants_angles
from posenc_gui.panels.difference.viewport import DifferenceViewport

_GAP = 24.0  # between the numbers at the ends of two axes
_TITLE_PX = 20.0


class LinkedPictures(PictureRenderer):
    """The pictures of several ``figures``, which are computed one after the other."""

    figures: tuple[Figure, ...] = ()

    def show(self, figures: tuple[Figure, ...]) -> None:
        """Compute the pictures of these figures and of no others."""
        for figure in self.figures:
            figure.pictures.clear()
        self.figures = figures
        self.use(self.background)

    @override
    def use(self, background: BackgroundRenderer | None) -> None:
        super().use(background)
        for figure in self.figures:
            figure.pictures.use(background)

    @override
    def prepare(self, scale: float, vector: bool, progress: ProgressCallback) -> None:
        for figure in self.figures:
            figure.pictures.prepare(scale, vector, progress)

    @override
    def takes_long(self, scale: float) -> bool:
        return any(figure.pictures.takes_long(scale) for figure in self.figures)


class _Link(QObject):
    """The signals of one figure, each with the figure: ``pointed`` also carries its cursor."""

    pointed = Signal(object, object)
    changed = Signal(object)

    def __init__(self, figure: Figure) -> None:
        super().__init__()
        self._figure = figure
        figure.cursorMoved.connect(self._point)
        figure.noteChanged.connect(self._change)

    def _point(self, cursor: Cursor) -> None:
        self.pointed.emit(self._figure, cursor)

    def _change(self) -> None:
        self.changed.emit(self._figure)


class DifferenceFigure(Figure):
    """Three figures with a title above each, side by side or stacked, or one with the rows of all three tables.

    Figures are made when they are first needed. All have one scale, one window and one cursor.
    """

    spec, pointing_class, viewport_class = SPEC, DifferencePointing, DifferenceViewport
    pointing: DifferencePointing
    pictures: LinkedPictures
    viewport: DifferenceViewport

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.pictures = LinkedPictures(self.request)
        self._compared: Compared | None = None
        self._made: dict[str, tuple[Figure, ...]] = {}
        self._links: list[_Link] = []
        self._titles: dict[Figure, AxisLabel] = {}
        self._is_linking = False
        self._show_panel(self.document.option(COMPARED_PANEL))
        self.geometryChanged.connect(self._fit)

    @override
    def view(self, scale: float = 1.0) -> DifferenceView:
        return DifferenceView(*self.shown(), self._compared, self.pictures.figures)

    def _show_panel(self, panel: str) -> None:
        """Show the figures of a panel in the place of all others."""
        if panel not in self._made:
            self._make(panel)
        figures = self._made[panel]
        if figures == self.pictures.figures:
            return
        self.pictures.show(figures)
        for each in (each for made in self._made.values() for each in made):
            each.setVisible(each in figures)
        for each, title in self._titles.items():
            title.setVisible(each in figures)

    def _make(self, panel: str) -> None:
        """Make the figures of a panel; a panel without a plot area has rows for all tables in one figure."""
        kind = figure_class(panel)
        count = 3 if issubclass(kind, AreaFigure) else 1
        figures = self._made[panel] = tuple(kind(self.style) for _ in range(count))
        for lane, figure in enumerate(figures):
            figure.pictures.lane = lane
            figure.setParentItem(self)
            figure.setEnabled(False)  # until it has a document; a disabled figure ignores clicks
            link = _Link(figure)
            link.pointed.connect(self._pointed)
            link.changed.connect(self._follow)
            self._links.append(link)
            if isinstance(figure, AreaFigure):
                title = self._titles[figure] = AxisLabel(figure.area, self.style, upright=False)
                title.setParentItem(self)

    @override
    def show_document(self, document: Document) -> None:
        seen, is_drawn = seen_by(document, self.seen_from), self.spec.missing(document) is None
        panel = document.option(COMPARED_PANEL)
        self._compared = Compared.of(seen, wants_angles(document), spec_of(panel)) if is_drawn else None
        self._show_panel(panel)
        super().show_document(document)

    @override
    def _document_shown(self, before: Document) -> None:
        figures, compared = self.pictures.figures, self._compared
        for figure in figures:
            figure.setEnabled(compared is not None)
        if compared is None:
            return
        documents = [seen_by(each, self.seen_from) for each in compared.documents(self.document)]
        self._is_linking = True  # each finds the new window from the same old one
        stacked = self.viewport.stacks(self.size())
        for index, figure in enumerate(figures):
            figure.frame = Frame(documents[-1], index, len(figures), stacked) if len(figures) > 1 else None
            figure.least = self.least
            figure.show_document(documents[index if len(figures) > 1 else -1])
        self._is_linking = False
        self.viewport.link(figures[0])
        for name, title in zip(compared.names, map(self._titles.get, figures), strict=False):
            if title is not None:
                title.show_text(name, short=name.partition(" ")[0])
        self._cursor_shown(None)
        self._fit()

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        for figure in self.pictures.figures if self._compared is not None else ():
            cursor = self.pointing.in_figure(figure, self.seen_from)
            marked = self.cursor is not None and cursor is not None
            figure.show_cursor(self.seen_from if cursor is None else cursor, marked)
        self.noteChanged.emit()

    @override
    def _style_shown(self) -> None:
        self._fit()

    @override
    def update_all(self) -> None:
        super().update_all()
        for figure in self.pictures.figures:
            figure.update_all()

    def _pointed(self, figure: Figure, cursor: Cursor) -> None:
        pointed = self.pointing.of_figure(figure, cursor)
        if pointed is not None:
            self.cursorMoved.emit(pointed)

    def _follow(self, figure: Figure) -> None:
        if not self._is_linking and self._compared is not None:
            self._is_linking = True
            self.viewport.link(figure)
            self._is_linking = False
            self.noteChanged.emit()

    def _fit(self) -> None:
        """Make the plot areas of one size, and write the titles above them."""
        figures, size = self.pictures.figures, self.size()
        areas = [figure.area for figure in figures if isinstance(figure, AreaFigure)]
        if not areas:
            figures[0].setGeometry(QRectF(0, 0, size.width(), size.height()))
            return
        stacked = self.viewport.stacks(size)
        for figure in figures:
            if figure.frame is not None and figure.frame.stacked != stacked:
                figure.frame = replace(figure.frame, stacked=stacked)
                figure.show_style(self.style)
        room = size.width() - (0 if stacked else (len(figures) - 1) * _GAP)
        _place(figures, size, [room if stacked else room / len(figures)] * len(figures), stacked)
        beside = [figure.size().width() - area.size().width() for figure, area in zip(figures, areas, strict=True)]
        plot = max(1.0, room - max(beside) if stacked else (room - sum(beside)) / len(figures))
        _place(figures, size, [plot + width for width in beside], stacked)
        for figure, area in zip(figures, areas, strict=True):
            place = area.mapRectToItem(self, area.rect())
            self._titles[figure].setGeometry(QRectF(place.left(), figure.y() - _TITLE_PX, place.width(), _TITLE_PX))


def _place(figures: Sequence[Figure], size: QSizeF, widths: Sequence[float], stacked: bool) -> None:
    """Put the figures side by side, or from top to bottom, now. What follows may already show others."""
    left, top, height = 0.0, 0.0, size.height() / (len(widths) if stacked else 1)
    for figure, width in zip(figures, widths, strict=True):
        figure.setGeometry(QRectF(left, top + _TITLE_PX, width, max(1.0, height - _TITLE_PX)))
        figure.layout.activate()
        left, top = (left, top + height) if stacked else (left + width + _GAP, top)


FIGURE = DifferenceFigure
