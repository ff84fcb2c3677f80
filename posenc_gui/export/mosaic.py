"""Several panels as one figure: laid out in a grid with a common size, with letters and one caption."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QSizeF
from PySide6.QtWidgets import QApplication

from posenc_core import Document
from posenc_core.tables import ProgressCallback
from posenc_gui.export.grid import FIGURE_NAME, LOWEST_PX, USUAL_PAGE, Grid, letter_of
from posenc_gui.export.names import caption
from posenc_gui.export.page import (
    AT_ONCE,
    PAPER_LINE,
    PAPER_MARGIN,
    Picture,
    PictureOptions,
    Work,
    drawn_words,
    figure_view,
)
from posenc_gui.export.sheet import Caption, Cell, Page
from posenc_gui.figures import FigureView
from posenc_gui.files import FileError

_BETWEEN = 12.0
"""Between two columns and between two rows, in logical pixels."""


class Mosaic(Struct, frozen=True):
    """Pictures of one document in the places of a grid, row after row."""

    pictures: tuple[Picture, ...]
    grid: Grid

    @property
    def document(self) -> Document:
        """The document that all pictures show."""
        return self.pictures[0].document

    @property
    def name(self) -> str:
        """The name of the figure, in the form of a panel's."""
        return FIGURE_NAME

    @contextmanager
    def laid_out(self, options: PictureOptions, scale: float, work: Work = AT_ONCE) -> Iterator[Page]:
        """A context with the page of the figure; values and errors as in ``Picture.laid_out``.

        Without a size on paper in the ``options`` the page is as wide as two columns of a journal.
        """
        page = options.page or USUAL_PAGE
        width = page.width_px - 2 * PAPER_MARGIN
        each = (width - _BETWEEN * (self.grid.columns - 1)) / self.grid.columns
        on_paper = replace(options, page=page, size=None)
        with ExitStack() as stack:
            views = [
                stack.enter_context(figure_view(picture, on_paper, (int(each), picture.usual_size[1])))
                for picture in self.pictures
            ]
            below = self._fitted(views, on_paper, width, scale)
            cells, bottom = self._placed(views, each)
            for index, view in enumerate(views):
                replace(work, progress=_part(work.progress, index, len(views))).prepare(view, scale)
            height = page.height_px or bottom + PAPER_MARGIN + below.height(PAPER_MARGIN)
            place = QPointF(PAPER_MARGIN, bottom + 0.5 * PAPER_MARGIN)
            yield Page(cells, QSizeF(page.width_px, height), below, place, on_paper.style)

    def _fitted(self, views: Sequence[FigureView], options: PictureOptions, width: float, scale: float) -> Caption:
        """The caption, after the figures of each row are equally high; on a page of given height all figures are."""
        assert options.page is not None
        below = self._caption(views, options, width, scale)
        if options.page.height_px is None:
            for row in self._rows(views):
                _set_height(row, max(view.height() for view in row))
            return self._caption(views, options, width, scale)
        for _ in range(3):  # another height may have another caption
            taken = 2 * PAPER_MARGIN + below.height(PAPER_MARGIN) + _BETWEEN * (self.grid.rows - 1)
            height = (options.page.height_px - taken) / self.grid.rows - PAPER_LINE
            if height < LOWEST_PX:
                raise FileError("the figure and its caption are too high for this size; choose a higher one, or none")
            _set_height(views, height)
            below = self._caption(views, options, width, scale)
        return below

    def _caption(self, views: Sequence[FigureView], options: PictureOptions, width: float, scale: float) -> Caption:
        """The caption: the letters with the panels' titles and notes, then their common content."""
        panels = []
        for index, view in enumerate(views):
            words = " · ".join(filter(None, reversed(drawn_words(self.document, view, scale))))
            title = view.figure.spec.title
            panels.append(f"{letter_of(index)} {title}: {words}" if words else f"{letter_of(index)} {title}")
        compared = {index for view in views for index in view.figure.viewport.drawn()}
        text = f"{'; '.join(panels)} · {caption(self.document, compared=compared)}"
        return Caption.of(text, options.style, width if options.caption else None, PAPER_LINE)

    def _placed(self, views: Sequence[FigureView], width: float) -> tuple[tuple[Cell, ...], float]:
        """The figures in their places, each below its letter, and the lower end of the last row."""
        cells, top = list[Cell](), PAPER_MARGIN
        for row in self._rows(views):
            top += PAPER_LINE
            for column, view in enumerate(row):
                left = PAPER_MARGIN + column * (width + _BETWEEN)
                cells.append(Cell(view, QPointF(left, top), letter_of(len(cells))))
            top += max(view.height() for view in row) + _BETWEEN
        return tuple(cells), top - _BETWEEN

    def _rows(self, views: Sequence[FigureView]) -> list[Sequence[FigureView]]:
        columns = self.grid.columns
        return [views[first : first + columns] for first in range(0, len(views), columns)]


def _set_height(views: Sequence[FigureView], height: float) -> None:
    """Make the figures so high, or as high as they can be drawn whole."""
    for view in views:
        view.resize(view.width(), max(1, int(view.figure.viewport.whole_height(height))))
    QApplication.sendPostedEvents()


def _part(whole: ProgressCallback, index: int, count: int) -> ProgressCallback:
    """The progress of one of several figures."""
    return lambda done: whole((index + done) / count)
