"""Pointing at the patch map: a key patch, and the query that a click chooses."""

import math
from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QRectF
from typing_extensions import override

from posenc_gui.figures import Pointing
from posenc_gui.look import as_read, counted
from posenc_gui.model import Cursor
from posenc_gui.panels.patches.cells import PatchView
from posenc_gui.panels.patches.derive import PatchScore


class PatchesPointing(Pointing[PatchView]):
    """The cursor as a patch of the frame that is shown."""

    @override
    def notes(self, view: PatchView, standing: str) -> Iterator[str]:
        cells = view.grid_cells
        if cells is None:
            return
        yield f"query {as_read(cells.words(view.query))}"
        if "t" in cells.grid.names:
            yield f"frame {view.frame_index} of {cells.grid.size('t')}"
        if not len(cells.pairs_of(view.axis_shown)):
            yield "no pair turns by this axis alone"
        yield f"one patch in {counted(view.cells.step)}" if view.cells.step > 1 else ""

    @override
    def stepped(self, view: PatchView, across: int, down: int) -> Cursor | None:
        if view.grid_cells is None:
            return None
        row, column = view.place_of(view.at.position) or view.place_of(view.query) or (0, 0)
        tall, wide = view.size
        row, column = min(max(row + down, 0), tall - 1), min(max(column + across, 0), wide - 1)
        return self._at(view, row, column, view.query, True)

    @override
    def pointed(self, x: float, y: float, pinned: bool) -> Cursor | None:
        view, column, row = self.view, math.floor(x + 0.5), math.floor(y + 0.5)
        tall, wide = view.size
        if view.grid_cells is None or not (0 <= row < tall and 0 <= column < wide):
            return None
        return self._at(view, row, column, view.position_at(row, column) if pinned else view.query, pinned)

    @override
    def number(self) -> float | None:
        view = self.view
        cells, cursor = view.grid_cells, view.cursor
        if cells is None or cursor is None or view.place_of(cursor.position) is None:
            return None
        return float(cells.scores(view.query, np.array([cursor.position]), view.axis_shown)[0])

    @override
    def frame(self) -> QRectF | None:
        view = self.view
        place = None if view.cursor is None or view.grid_cells is None else view.place_of(view.cursor.position)
        if place is None:
            return None
        row, column = place
        return view.area.to_rect((column - 0.5, column + 0.5), (row - 0.5, row + 0.5))

    def _at(self, view: PatchView, row: int, column: int, query: int, pinned: bool) -> Cursor:
        key = view.position_at(row, column)
        kept = min(view.at.column, view.encoding.n_columns - 1)
        return Cursor(key, kept, pinned, None, PatchScore(query, key))
