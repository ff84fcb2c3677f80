"""Content of the strips of tokens, as one frozen value: their layout, their columns and their colours."""

from functools import cached_property

from PySide6.QtCore import QRectF
from typing_extensions import override

from posenc_gui.figures import Shown
from posenc_gui.model import value_title
from posenc_gui.panels.tokens.layout import StripLayout
from posenc_gui.panels.tokens.rows import row_names, shows_table, strip_colors, strip_column, strip_columns
from posenc_gui.plotting import Extents, TableColors, table_colors


class TokensView(Shown, frozen=True, dict=True):
    """The strips in a ``room`` of pixels, scrolled by ``offset``; ``only`` the columns (first, stop), None for all.

    Lengths are in units of ``unit`` pixels.
    """

    room: QRectF
    offset: float
    unit: float
    only: tuple[int, int] | None

    @property
    @override
    def scales(self) -> Extents:
        return {"colors": (self.table.scale.low, self.table.scale.high)}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of a strip's rows, from above."""
        return row_names(self.document)

    @property
    def columns(self) -> tuple[int, int]:
        """The columns of the strips: all, or those of the table's columns that an export is limited to."""
        n, before = strip_columns(self.document), strip_column(self.document, 0)
        if self.only is None or self.only[1] + before > n:
            return (0, n)
        return (self.only[0] + before, self.only[1] + before)

    @cached_property
    def layout(self) -> StripLayout:
        """The places of the strips."""
        return StripLayout.of(self.document, self.columns, self.room.width(), self.room.height(), self.unit)

    @property
    def tokens(self) -> range:
        """The tokens whose strips are in view."""
        return range(*self.layout.visible(self.offset, self.room.height()))

    @property
    def table(self) -> TableColors:
        """The colours of the table's values, equal to the heatmap's."""
        return table_colors(self.document, self.style, least=self.least.get("colors"))

    @property
    def colors(self) -> TableColors:
        """The colours of all strips."""
        return strip_colors(self.document, self.table)

    @property
    def color_title(self) -> str:
        """Name of the colours, with their unit."""
        if self.encoding.compared:
            return "value, and difference"
        if self.colors.per_row:
            return "share of each head's largest (no unit)"
        return value_title(self.encoding) if shows_table(self.document) else "all rows (no unit)"
