"""Pointing at a shift of rows: a position of the errors above, a column of the matrix below."""

import math
from collections.abc import Iterator

from typing_extensions import override

from posenc_core import Encoding
from posenc_core.analysis import explain_shift_block
from posenc_core.encodings import pair_of
from posenc_core.session import LETTERS
from posenc_gui.figures.lines import LinePointing, LinesView
from posenc_gui.layers import CellRanges
from posenc_gui.look import counted, significant
from posenc_gui.model import Cursor, cursor_pair, source_words
from posenc_gui.panels.shift.derive import ShiftBlock
from posenc_gui.panels.shift.maps import COLOURED, Shift, shifts_beside
from posenc_gui.panels.shift.spec import SHIFT_K, SHIFT_WITHOUT_COSINES
from posenc_gui.plotting import ColorScale, Extents, PlotArea, widened


class ShiftView(LinesView, frozen=True, eq=False):
    """The errors of a map of rows, and the map; None before the first one."""

    shift: Shift | None
    matrix: PlotArea

    @property
    def step(self) -> int:
        """The number of rows and of columns that share a pixel."""
        return 1 if self.shift is None else CellRanges.of(self.matrix, range(len(self.shift.columns)), 1 << 16).step

    @property
    @override
    def scales(self) -> Extents:
        return {**super().scales, "colors": (self.colors.low, self.colors.high)}

    @property
    def pair(self) -> int | None:
        """The cursor's pair; None if the map has no blocks, or the column no pair."""
        pair = cursor_pair(self.encoding, self.cursor)
        return pair if pair is not None and self.shift is not None and pair < len(self.shift.pairs) else None

    @property
    def colors(self) -> ColorScale:
        """The colours of the entries."""
        largest = 1.0 if self.shift is None else max(1.0, self.shift.color_end)
        ends = widened((-largest, largest), self.least.get("colors"))
        return ColorScale.suited("diverging", *ends, self.style.is_dark)


class ShiftPointing(LinePointing[ShiftView]):
    """The cursor as a position, and as the column of a block."""

    @override
    def notes(self, view: ShiftView, standing: str) -> Iterator[str]:
        shift, k = view.shift, view.document.option(SHIFT_K)
        if shift is None:
            return
        cells = view.encoding.cells
        steps = "" if cells is None else cells.apart_words(k)
        yield _map_words(shift, k, steps, view.document.option(SHIFT_WITHOUT_COSINES))
        yield "" if view.pair is None else _block_words(view.encoding, k, view.pair)
        yield f"cells: means over {view.step} × {view.step} entries" if view.step > 1 else ""
        drawn, refusals = shifts_beside(view.document, shift)
        yield from source_words(view.document, [view.document.current, *drawn])
        fitted = (LETTERS[index] for index, each in drawn.items() if not each.is_exact)
        yield from (f"{letter} best map by least squares" for letter in fitted)
        yield from refusals

    @override
    def x_of(self, view: ShiftView) -> float | None:
        cursor, plots = view.cursor, view.plots
        if cursor is None or not plots or not plots[0].x[0] <= cursor.position <= plots[0].x[-1]:
            return None
        return cursor.position

    @override
    def pointed_x(self, x: float, pinned: bool) -> Cursor | None:
        at = self.view.at
        return Cursor(round(x), at.column, pinned, at.query)

    @override
    def pointed(self, x: float, y: float, pinned: bool) -> Cursor | None:
        """The cursor at the column, to mark its pair everywhere."""
        view, column = self.view, math.floor(x + 0.5)
        if view.shift is None or not view.shift.is_exact:
            return None
        if not 0 <= column < min(len(view.shift.matrix), self.n_pointed):  # the last good picture may have more
            return None
        return Cursor(view.at.position, column, pinned, view.at.query, _block_of(view, column))

    @override
    def stepped(self, view: ShiftView, across: int, down: int) -> Cursor | None:
        if not across:
            return None
        column = min(max(view.at.column + across, 0), self.n_pointed - 1)
        return Cursor(view.at.position, column, True, view.at.query, _block_of(view, column))


def _block_of(view: ShiftView, column: int) -> ShiftBlock | None:
    """The block of a column's pair; None for a map without blocks."""
    pair = pair_of(view.encoding, column)
    return ShiftBlock(pair) if view.shift is not None and pair is not None and pair < len(view.shift.pairs) else None


def _map_words(shift: Shift, k: int, steps: str, without_cosines: bool) -> str:
    error = significant(shift.largest, 2)
    if shift.is_exact:
        return f"M for k = {counted(k)}{steps and f' ({steps})'}: largest error {error}"
    cosines, rows = "without cosines: " if without_cosines else "", len(shift.positions)
    words = f"{cosines}best map by least squares over {rows} rows, largest error {error}"
    trivial = "; so few rows of any numbers have such a map" if shift.is_trivial else ""
    return f"{words}, {significant(shift.held_out, 2)} at rows held out{trivial}{_spread_words(shift)}"


def _spread_words(shift: Shift) -> str:
    """The reason for entries beyond the colours; empty if the colours cover all entries."""
    if not shift.is_ill_conditioned:
        return ""
    told = f"; ill-conditioned: entries up to {significant(shift.peak, 2)}"
    return f"{told}, the largest {100 - 100 * COLOURED:.0f}\u00a0% are beyond the colours"


def _block_words(encoding: Encoding, k: int, pair: int) -> str:
    """The steps of the derivation of a pair's block, in one line; its product has no separator of notes."""
    angle, sine, cosine = (significant(step.value, 4) for step in explain_shift_block(encoding, k, pair).steps)
    product = "" if encoding.cells is not None and encoding.cells.grid.is_picture else "w\u00a0·\u00a0k = "
    return f"pair {pair} turns by {product}{angle} rad: cos {cosine}, sin {sine}"
