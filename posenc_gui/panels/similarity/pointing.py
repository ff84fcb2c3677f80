"""Pointing at the similarity of rows: two positions, the cursor's and its subject's."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
from PySide6.QtCore import QRectF
from typing_extensions import override

from posenc_core.analysis import MEASURES, is_similarity_sampled, pair_similarity
from posenc_core.session import LETTERS
from posenc_gui.figures.lines import LinePointing, LinesView
from posenc_gui.layers import CellRanges
from posenc_gui.look import counted, significant
from posenc_gui.model import Cursor, no_value_sentence, source_words
from posenc_gui.panels.similarity.derive import RowLikeness
from posenc_gui.panels.similarity.distances import step_of
from posenc_gui.panels.similarity.matrix import Likeness
from posenc_gui.panels.similarity.numbers import mean_words, reach_of
from posenc_gui.panels.similarity.spec import SIMILARITY_MEASURE, compared
from posenc_gui.plotting import ColorScale, Extents, PlotArea, widened

_SHORT = {"dot": "dot", "cosine": "cosine", "euclidean": "distance"}


class SimilarityView(LinesView, frozen=True, eq=False):
    """The similarity by distance, and the matrix in view. ``has_lines``: the lines by distance have room."""

    matrix: PlotArea
    has_lines: bool

    @property
    def measure(self) -> str:
        """The document's measure."""
        return str(self.document.option(SIMILARITY_MEASURE))

    @property
    def likeness(self) -> Likeness:
        """The cells in view."""
        return Likeness.of(self.matrix, self.encoding, self.axis.shown, self.measure)

    @property
    def drawn(self) -> Sequence[int]:
        """The indices of the encodings whose lines or cells are drawn."""
        return compared(self.document) if self.has_lines else (self.document.current,)

    @property
    def cells(self) -> CellRanges:
        """The positions of the cells in view."""
        return self.likeness.cells

    @property
    def colors(self) -> ColorScale:
        """The colours of the cells."""
        reach = reach_of(self.encoding, self.axis.shown, self.measure)
        ends = widened((0.0 if self.measure == "euclidean" else -reach, reach), self.least.get("colors"))
        return ColorScale.suited(self.document.view.color_map, *ends, self.style.is_dark)

    @property
    @override
    def scales(self) -> Extents:
        return {**super().scales, "colors": (self.colors.low, self.colors.high)}

    @property
    def position(self) -> int | None:
        """The position whose row is drawn; None if the cursor is outside the table."""
        at = None if self.cursor is None else self.cursor.position
        return at if at in self.axis.shown else None

    @property
    def pair(self) -> tuple[int, int] | None:
        """The two positions of the cell that was pointed at here; None for no such cell."""
        subject = None if self.cursor is None else self.cursor.subject
        if not isinstance(subject, RowLikeness) or subject.position != self.position:
            return None
        return (subject.position, subject.other) if subject.other in self.axis.shown else None


class SimilarityPointing(LinePointing[SimilarityView]):
    """The cursor as a row, and as a cell of it."""

    @override
    def notes(self, view: SimilarityView, standing: str) -> Iterator[str]:
        document, cells = view.document, view.cells
        step, between = cells.rows.step, step_of(document)
        yield from source_words(document, view.drawn)
        yield "position vectors before W_q and W_k, not attention"
        yield from mean_words(document) if view.has_lines else ()
        yield f"cells: means over {step:,} × {step:,} positions" if step > 1 else ""
        yield "read in part" if is_similarity_sampled(view.encoding, cells.rows) else ""
        yield f"line: one distance in {between:,}" if between > 1 and view.has_lines else ""
        without = [LETTERS[index] for index in range(len(document.encodings)) if index not in compared(document)]
        yield f"{' and '.join(without)} without vectors" if without else ""
        yield standing
        yield no_value_sentence(view.encoding, view.axis.shown)

    @override
    def subtitle(self) -> str:  # not the note, whose lines would move the picture under the mouse
        view = self.view
        if view.pair is None:
            return super().subtitle()
        found = {each: _compared(view, each) for each in MEASURES}
        known = {_SHORT[each]: significant(value) for each, value in found.items() if value is not None}
        words = ", ".join(map(" ".join, known.items()))
        at, other = map(counted, view.pair)
        return f"{at} and {other}: {words}" if words else super().subtitle()

    @override
    def spoken(self) -> str:
        return super().spoken() if self.number() is None else self.subtitle()

    @override
    def number(self) -> float | None:
        view = self.view
        return _compared(view, view.measure)

    @override
    def x_of(self, view: SimilarityView) -> float | None:
        return None if view.pair is None else view.pair[1] - view.pair[0]

    @override
    def pointed_x(self, x: float, pinned: bool) -> Cursor | None:
        view = self.view
        return None if view.position is None else _cell(view, view.position, view.position + round(x), pinned)

    @override
    def pointed(self, x: float, y: float, pinned: bool) -> Cursor | None:
        return _cell(self.view, math.floor(y + 0.5), math.floor(x + 0.5), pinned)

    @override
    def stepped(self, view: SimilarityView, across: int, down: int) -> Cursor | None:
        shown = view.axis.shown
        if not shown:
            return None
        at = min(max(view.at.position, shown[0]), shown[-1])
        other = at if view.pair is None else view.pair[1]
        at, other = (min(max(each, shown[0]), shown[-1]) for each in (at + down, other + across))
        return _cell(view, at, other, True)

    @override
    def frame(self) -> QRectF | None:
        """The cell that was pointed at, else the cursor's row."""
        view = self.view
        at = view.position
        if at is None:
            return None
        across = view.matrix.across if view.pair is None else (view.pair[1] - 0.5, view.pair[1] + 0.5)
        return view.matrix.to_rect(across, (at - 0.5, at + 0.5))


def _cell(view: SimilarityView, at: int, other: int, pinned: bool) -> Cursor | None:
    """The cursor at the row's position of a cell; None for a cell that does not exist."""
    if at not in view.axis.shown or other not in view.axis.shown:
        return None
    column = min(view.at.column, view.encoding.n_columns - 1)
    return Cursor(at, column, pinned, view.at.query, RowLikeness(at, other))


def _compared(view: SimilarityView, measure: str) -> float | None:
    """The likeness of the two positions by a measure; None without one, and beyond float64."""
    if view.pair is None:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        value = pair_similarity(view.encoding, *view.pair)[measure]
    return value if math.isfinite(value) else None
