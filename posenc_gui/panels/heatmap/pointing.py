"""Pointing at the heatmap: a cell of the table, or of a pair whose angle is shown."""

import math
from collections.abc import Iterator

from msgspec.structs import replace
from PySide6.QtCore import QRectF
from typing_extensions import override

from posenc_gui.figures import Pointing
from posenc_gui.look import significant
from posenc_gui.model import Cursor, no_value_sentence, position_noun
from posenc_gui.panels.heatmap.view import HeatmapView
from posenc_gui.plotting import seen_in


class HeatmapPointing(Pointing[HeatmapView]):
    """The cursor as a cell."""

    @override
    def notes(self, view: HeatmapView, standing: str) -> Iterator[str]:
        averaged = _averaging(view)
        yield "angle of each pair, mod 2π" if view.n_pairs and not averaged else ""
        yield averaged
        yield "sines and cosines apart" if view.separates and not view.keeps_order and not view.n_pairs else ""
        yield standing
        yield "" if view.rows is None else view.rows.fixed_words
        yield "" if view.narrow else view.encoding.label  # the dock has it too
        yield no_value_sentence(view.encoding, seen_in(view.positions_in_view, view.axis.shown))

    @override
    def subtitle(self) -> str:
        view = self.view
        return f"{position_noun(view.encoding)} × {view.noun}"

    @override
    def pointed(self, x: float, y: float, pinned: bool) -> Cursor | None:
        view = self.view
        across, upright = math.floor(x + 0.5), math.floor(y + 0.5)
        place, position = (upright, across) if view.transpose else (across, upright)
        column = view.columns.column_at(place)
        return None if column is None else self.cell(position, column, pinned)

    @override
    def cell(self, position: int, column: int, pinned: bool) -> Cursor | None:
        found, rows = super().cell(position, column, pinned), self.view.rows
        return found if found is None or rows is None else replace(found, position=rows.position_of(position))

    @override
    def stepped(self, view: HeatmapView, across: int, down: int) -> Cursor | None:
        positions, columns = (across, down) if view.transpose else (down, across)
        moved = self.cell_from(view.axis.sign * positions, columns)
        if moved is None or not columns:
            return moved
        return replace(moved, column=view.columns.moved(view.at.column, columns))

    @override
    def number(self) -> float | None:
        value, view = super().number(), self.view
        angle = None if value is None else view.columns.angle(view.at.position, view.at.column)
        return value if angle is None else angle

    @override
    def rect_of(self, position: int | None, column: int | None) -> QRectF | None:
        row = None if position is None else self.view.row_of(position)
        return None if position is not None and row is None else self._rect(row, column)

    @override
    def frame(self) -> QRectF | None:
        cursor = self.view.cursor
        return None if cursor is None else self._rect(cursor.position, cursor.column)

    def _rect(self, row: int | None, column: int | None) -> QRectF | None:
        view = self.view
        place = view.columns.place_of(column or 0)
        if place is None:
            return None
        x, y = view.place(row or 0, place)
        across, upright = (x - 0.5, x + 0.5), (y - 0.5, y + 0.5)
        if (row is None) != (column is None):
            whole_column = (row is None) != view.transpose
            across, upright = (across, view.area.upright) if whole_column else (view.area.across, upright)
        return view.area.to_rect(across, upright)


def _averaging(view: HeatmapView) -> str:
    """``1 pixel = 1,638 positions × 8 columns, mean``; empty if a pixel is at most a cell."""
    grid = view.grid
    rows, columns = grid.cells_a_pixel
    if rows <= 1 and columns <= 1:
        return ""
    nouns = ((rows, position_noun(view.encoding)), (columns, view.noun))
    parts = [_amount(amount, noun) for amount, noun in nouns if amount > 1]
    how = "mean angle, grey where they differ" if grid.angles else "mean"
    return f"1 pixel = {' × '.join(parts)}, {how}"


def _amount(number: float, noun: str) -> str:
    text = f"{number:,.0f}" if number >= 10 else significant(number, 2)
    return f"{text} {noun}s" if text != "1" else f"just over 1 {noun}"
