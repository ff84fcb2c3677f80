"""Pointing at the waves: a position and the column of a row."""

import math
from collections.abc import Callable, Iterator

from msgspec.structs import replace
from PySide6.QtCore import QRectF
from typing_extensions import override

from posenc_core.encodings import Effect
from posenc_gui.figures import Pointing, Rows
from posenc_gui.layers import row_of, row_order
from posenc_gui.look import significant
from posenc_gui.model import Cursor, no_value_sentence
from posenc_gui.panels.waves.view import WavesView
from posenc_gui.plotting import seen_in


class WavesPointing(Pointing[WavesView], Rows):
    """The cursor as a dot on a wave; the rows accept drawings.

    ``has_bands``: columns are drawn as bands. ``omits_bands``: no label says so.
    """

    has_bands: Callable[[], bool]
    omits_bands: Callable[[], bool]

    @override
    def notes(self, view: WavesView, standing: str) -> Iterator[str]:
        rows = view.rows
        yield view.choice.note(view.columns)
        if (rows.low, rows.high) != (-1, 1):
            yield f"each row from {significant(rows.low)} to {significant(rows.high)}"
        yield standing
        yield view.encoding.label
        yield no_value_sentence(view.encoding, seen_in(view.area.across, view.axis.shown))
        if view.encoding.sampler.has_bounds and self.has_bands():
            yield "bands of the difference: bounds"
        if self.omits_bands():
            yield "bands: too fast for the pixels"

    @override
    def subtitle(self) -> str:
        encoding = self.view.encoding
        if encoding.effect is Effect.REMAPS:
            return "each dot: the distance at which a key is seen"
        if encoding.effect is not Effect.BIASES:
            return super().subtitle()
        is_single = encoding.n_columns == 1
        return "each dot: the number of a key" if is_single else "dots read upwards: a key's biases"

    @override
    def pointed(self, x: float, y: float, pinned: bool) -> Cursor | None:
        order, row = self.view.choice.order, math.floor(y + 0.5)
        return self.cell(math.floor(x + 0.5), int(order[row]), pinned) if 0 <= row < len(order) else None

    @override
    def stepped(self, view: WavesView, across: int, down: int) -> Cursor | None:
        moved = self.cell_from(view.axis.sign * across, -down)
        if moved is None or not down:
            return moved
        # From row to row: rows are not in the order of columns if a pair's columns are apart.
        encoding, last = view.framed.encoding, self.n_pointed - 1
        row = min(max(row_of(encoding, min(view.at.column, last)) - down, 0), last)
        return replace(moved, column=int(row_order(encoding)[row]))

    @property
    @override
    def n_pointed(self) -> int:
        return self.view.framed.encoding.n_columns

    @override
    def rect_of(self, position: int | None, column: int | None) -> QRectF | None:
        area = self.view.area
        across = area.across if position is None else (position - 0.5, position + 0.5)
        if column is None:
            return area.to_rect(across, area.upright)
        row = self.row_of(column)
        return None if row is None else area.to_rect(across, (row - 0.5, row + 0.5))

    @property
    @override
    def rows(self) -> Rows:
        return self

    @override
    def row_of(self, column: int) -> int | None:
        return self.view.waves.row_of(column)

    @override
    def column_at(self, y: float) -> int | None:
        view = self.view
        first, columns = view.rows_in_view.start, view.columns
        return columns[min(max(round(y) - first, 0), len(columns) - 1)] if columns else None

    @override
    def height_of(self, value: float) -> float:
        return float(self.view.rows.height(value))
