"""Content of the heatmap, as one frozen value: the order of its columns, its colours and its grid of pixels."""

import math
from typing import TYPE_CHECKING

from typing_extensions import override

from posenc_core import Encoding
from posenc_core.encodings import n_whole_pairs
from posenc_gui.figures import Shown
from posenc_gui.layers import BandView, Grid, HeatView, Span, axis_of_column, band_step, unmixed
from posenc_gui.model import column_noun, value_title
from posenc_gui.panels.heatmap.columns import PictureColumns
from posenc_gui.panels.heatmap.spec import HALVES, TRANSPOSE
from posenc_gui.plotting import ColorScale, Extents, PlaceNumbers, PlotArea, Range, Ranges, TableColors, table_colors

if TYPE_CHECKING:  # loaded when they are chosen
    from posenc_core.analysis import AxisRows


class HeatmapView(Shown, frozen=True):
    """The window of a table in an area, at ``scale`` device pixels per logical pixel.

    With ``keeps_order`` the columns have the order of the table even if the document chooses halves. Otherwise
    ``halved`` decides whether sines and cosines are separated; None separates those that would share a pixel. A
    ``narrow`` figure has no words at its sides. ``rows`` are the patches of a picture along one axis that are drawn as
    the positions of the document; None for all positions.
    """

    area: PlotArea
    scale: float
    keeps_order: bool
    halved: bool | None
    narrow: bool
    rows: "AxisRows | None"

    @property
    def transpose(self) -> bool:
        """Whether the positions run across."""
        return bool(self.document.option(TRANSPOSE))

    def row_of(self, position: int) -> int | None:
        """The row of a position; None if it has none."""
        return position if self.rows is None else self.rows.row_of(position)

    @property
    def n_pairs(self) -> int:
        """The number of pairs whose angles are shown; 0 for values."""
        return n_whole_pairs(self.encoding) if self.document.view.angles else 0

    @property
    def noun(self) -> str:
        """The noun of the counted parts along the columns' axis: columns, heads or pairs."""
        return "pair" if self.n_pairs else column_noun(self.encoding)

    @property
    def ordered(self) -> Encoding:
        """The encoding whose columns have the order of the picture's."""
        in_halves = self.document.option(HALVES) or self.separates
        return self.encoding.in_halves() if in_halves and not self.keeps_order else self.encoding

    @property
    def is_dense(self) -> bool:
        """Whether columns of an interleaved table share pixels, or have uneven widths, while all are in view."""
        rect = self.area.rect()
        room = rect.height() if self.transpose else rect.width()
        if self.n_pairs or self.document.option(HALVES):
            return False
        whole = self.framed.encoding  # a difference, whose two tables are drawn in one order
        return unmixed(whole, room) != whole

    @property
    @override
    def scales(self) -> Extents:
        return {"colors": (self.colors.scale.low, self.colors.scale.high)}

    @property
    def separates(self) -> bool:
        """Whether sines and cosines are apart without an option of the document."""
        return self.is_dense if self.halved is None else self.halved

    @property
    def columns(self) -> PictureColumns:
        """Columns of the picture."""
        return PictureColumns(self.encoding, self.ordered, self.n_pairs)

    @property
    def numbers(self) -> PlaceNumbers | None:
        """The table's numbers of the columns in another order than its own; None for places of that number."""
        if self.n_pairs or self.ordered == self.encoding:
            return None
        return PlaceNumbers(self.ordered.column_blocks(), self.columns.column_at)

    @property
    def count(self) -> int:
        """The number of places side by side, in a frame of those that all its tables have."""
        return self.columns.count if self.frame is None else min(self.columns.count, self._framed_count)

    @property
    def _framed_count(self) -> int:
        encoding = self.framed.encoding
        return n_whole_pairs(encoding) if self.n_pairs else encoding.n_columns

    @property
    def positions_in_view(self) -> Range:
        """The visible range of positions."""
        return self.area.across if self.transpose else self.area.upright

    @property
    def columns_in_view(self) -> Range:
        """The visible range of columns, or pairs."""
        return self.area.upright if self.transpose else self.area.across

    @property
    def colors(self) -> TableColors:
        """Colours of the table's values, or of a whole turn, whose ends are the same angle."""
        if self.n_pairs:
            return TableColors(ColorScale("cyclic", -math.pi, math.pi))
        return table_colors(self.framed, self.style, least=self.least.get("colors"))

    @property
    def color_title(self) -> str:
        """Name of the colours, with their unit."""
        if self.n_pairs:
            return "angle (rad)"
        if self.frame is not None:
            return "value, and difference"
        return "share of each head's largest (no unit)" if self.colors.per_row else value_title(self.encoding)

    @property
    def grid(self) -> Grid:
        """The part of the table in view."""
        rect = self.area.rect()
        across = Span.over(self.area.across, max(1, round(rect.width() * self.scale)))
        down = Span.over(self.area.upright, max(1, round(rect.height() * self.scale)))
        return Grid(self.ordered, down, across, self.transpose, angles=bool(self.n_pairs))

    @property
    def band(self) -> BandView:
        """The axis of each column, or pair, in view; of many, only some, spread evenly."""
        first, stop = (math.floor(end + 0.5) for end in self.columns_in_view)
        shown, begin, end = self.columns, max(0, first), min(stop + 1, self.count)
        step = band_step(end - begin)
        columns = map(shown.column_at, range(begin, end, step))
        names = tuple("" if column is None else axis_of_column(self.encoding, column) for column in columns)
        return BandView(self.encoding, begin, names, self.style, step)

    @property
    def cells(self) -> HeatView:
        """Content of the layer of cells."""
        return HeatView(self.grid, self.colors, self.style)

    @property
    def fast(self) -> Ranges:
        """The ranges of columns, or pairs, with waves shorter than two pixels."""
        step = self.grid.cells_a_pixel[0]
        if step <= 1:
            return ()
        from posenc_core.analysis import aliased_columns, aliased_pairs  # imported on first use

        return (aliased_pairs if self.n_pairs else aliased_columns)(self.ordered, step)

    def place(self, position: int, column: int) -> tuple[int, int]:
        """The coordinates across and upright of a cell in the picture's order."""
        return (position, column) if self.transpose else (column, position)

    def ranges(self, positions: Range, columns: Range) -> tuple[Range, Range]:
        """The ranges across and upright of positions and columns."""
        return (positions, columns) if self.transpose else (columns, positions)
