"""PAIR LENS: pairs as clocks, the columns that they turn, a query before and after, and the bits of the position."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from typing_extensions import override

from posenc_core import Document, Encoding, Rotary
from posenc_core.encodings import n_whole_pairs
from posenc_core.numerics import FloatArray
from posenc_core.scripts import ClockColours, lens_script
from posenc_gui.figures import Figure, Need
from posenc_gui.layers import cursor_pair, pair_column
from posenc_gui.look import Style, counted, significant
from posenc_gui.model import POSITIONS, Cursor, n_components, token_words
from posenc_gui.panels.lens.clocks import draw_clocks
from posenc_gui.panels.lens.layout import LensLayout
from posenc_gui.panels.lens.strips import draw_strips, role_colour
from posenc_gui.panels.lens.view import LONGEST_TRAIL, LensView, last_position, lens_numbers, lens_suits
from posenc_gui.plotting import Lettering, Strip

_LEGEND_PX = 10.0


class LensFigure(Figure):
    """Up to sixteen pairs at the cursor's position; pointing at a clock, a level or a column marks its pair."""

    name = "lens"
    title = "Pair lens"
    hint = "which two columns turn together"
    explanation = (
        "Each circle is one pair of columns at the cursor's position: the hand stands at the angle p θ, its tip is "
        "(cos, sin), the dots are the positions before, and the number counts every turn since position 0. Arcs join "
        "the two columns that a pair turns. Below are a query before and after, and the binary digits of the position "
        "over the turns of the pairs less whole ones: both run from fast to slow."
    )
    handling = "Left and Right choose the pair, Up and Down the position; Space plays the positions."
    more = (
        "Arcs join neighbours where the layout is interleaved, columns half a head apart where it is split in halves. "
        "Dark columns turn, light ones stand still because their frequency is 0, empty ones pass unchanged. A rotation "
        "keeps the length of the query. Digits and turns run from fast to slow as the wheels of an odometer do."
    )
    least_size = (320, 250)
    export_size = (900, 480)
    controls = ("angle_unit", "n_clocks", "query_vector")
    course = POSITIONS
    needs = Need("Pair lens needs pairs of sines and cosines of positions.", "Show RoPE", Rotary.family)
    has_numbers = True

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._canvas = _Canvas(self)
        self.addItem(self._canvas, 0, 0)
        self._canvas.pointed.connect(self._pointed)

    @classmethod
    @override
    def suits(cls, encoding: Encoding) -> bool:
        return lens_suits(encoding)

    @classmethod
    @override
    def numbers(cls, document: Document) -> Mapping[str, FloatArray]:
        return lens_numbers(document)

    def view(self) -> LensView | None:
        """What the lens shows; None for a family without pairs."""
        if not self.suits(self.document.encoding):
            return None
        return LensView.of(self.document, self.seen_from, self.axis, self.style, self.cursor is not None)

    def lens_layout(self, view: LensView) -> LensLayout:
        """The places of the parts at the present size."""
        return LensLayout.of(len(view.pairs), view.width, view.vectors is not None, self._canvas.rect())

    @override
    def note(self, scale: float = 1.0) -> str:
        view = self.view()
        if view is None:
            return ""
        shown, all_pairs = len(view.pairs), n_whole_pairs(self.document.encoding)
        parts = [
            f"{shown} of {all_pairs:,} pairs" if shown < all_pairs else "",
            "turns backwards" if view.turns_back else "",
            f"dots: the last {LONGEST_TRAIL} positions" if len(view.trail) == LONGEST_TRAIL else "",
            *self._vector_words(view),
            self._marked_words(view),
        ]
        return " · ".join(filter(None, parts))

    def _vector_words(self, view: LensView) -> list[str]:
        vectors = view.vectors
        if vectors is None:
            return ["a number of the vector is beyond float64"]
        before, after = (significant(each, 4) for each in vectors.lengths)
        return [f"{vectors.names[0]} {vectors.source}, length {before} → {after}"]

    def _marked_words(self, view: LensView) -> str:
        """The cursor's pair in words: its columns and its angle."""
        found = np.flatnonzero(view.pairs == view.marked)
        if not len(found):
            return ""
        index = int(found[0])
        one, other = (int(each[index]) for each in view.columns)
        if view.frequencies[index] == 0:
            return f"pair {view.marked}, columns {one} and {other}, stands still"
        number, unit = view.angle_words(index)
        return f"pair {view.marked}, columns {one} and {other}: {number}{unit} at position {counted(view.position)}"

    @override
    def script(self) -> str:
        view, style = self.view(), self.style
        if view is None:
            return super().script()
        hand = style.ink if view.token is None else style.token(view.token).name()
        first, colours = view.position - len(view.trail), ClockColours(hand, style.token_cycle)
        return lens_script(self.document, view.position, first, view.pairs, colours)

    @override
    def spoken(self) -> str:
        return self.note()

    @override
    def number(self) -> float | None:
        view = self.view()
        if view is None or view.marked is None:
            return None
        return float(view.turned[np.flatnonzero(view.pairs == view.marked)[0]])

    @property
    def n_pointed(self) -> int:
        """The number of columns of the vector, with those that no rotation changes."""
        return n_components(self.document)

    @override
    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        pair_step = {Qt.Key.Key_Left: -times, Qt.Key.Key_Right: times}.get(key, 0)
        step = {Qt.Key.Key_Up: -times, Qt.Key.Key_Down: times}.get(key, 0)
        view, encoding = self.view(), self.document.encoding
        if view is None or not (pair_step or step) or not self.positions:
            return None
        pair = view.marked if view.marked is not None else int(view.pairs[0])
        pair = min(max(pair + pair_step, 0), n_whole_pairs(encoding) - 1)
        position = min(max(view.position + step, self.positions[0]), self.positions[-1])
        return Cursor(position, self._column_of(pair), pinned=True)

    def _column_of(self, pair: int) -> int:
        """The first of the table's columns of a pair; the cursor's where that is its pair already."""
        encoding, cursor = self.document.encoding, self.cursor
        if cursor is not None and cursor_pair(encoding, cursor) == pair:
            return cursor.column
        return pair_column(encoding, pair)

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        self._canvas.update()
        self.noteChanged.emit()

    def _pointed(self, place: QPointF, pinned: bool) -> None:
        view = self.view()
        if view is None:
            return
        layout = self.lens_layout(view)
        clock, column = layout.clock_at(place), layout.column_at(place)
        position = last_position(self.axis) if self.cursor is None else self.cursor.position
        if clock is not None:
            self.point_at(position, self._column_of(int(view.pairs[clock])), pinned)
        elif column is not None:
            self.point_at(position, self.document.encoding.combination.table_column(column), pinned)


class _Canvas(Strip):
    """Draws the lens in its own pixels. ``pointed`` carries a place and whether it was clicked."""

    pointed = Signal(object, bool)

    def __init__(self, figure: LensFigure) -> None:
        super().__init__()
        self._figure = figure
        self.setFlag(self.GraphicsItemFlag.ItemClipsToShape)

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._figure.view()
        if view is None:
            return
        layout = self._figure.lens_layout(view)
        self._draw_head(painter, view, layout.head)
        draw_clocks(painter, view, layout)
        draw_strips(painter, view, layout)

    def _draw_head(self, painter: QPainter, view: LensView, line: QRectF) -> None:
        """The token and its position at the left, the shades of the columns at the right."""
        style, document = view.style, view.document
        letters = Lettering(painter, style, 12, semibold=True)
        word = token_words(document, self._figure.axis, view.position)
        text = f"{word} · position {counted(view.position)}" if word else f"position {counted(view.position)}"
        right = line.right()
        for role in reversed(list(dict.fromkeys(run.role for run in view.runs))):
            letters.use(11)
            wide = letters.width(role)
            if right - wide - _LEGEND_PX - 6 < line.left() + line.width() / 3:
                break
            right -= wide + 2
            painter.setPen(style.pen(style.muted))
            letters.write_in(QRectF(right, line.top(), wide + 2, line.height()), role)
            right -= _LEGEND_PX + 4
            square = QRectF(right, line.center().y() - _LEGEND_PX / 2, _LEGEND_PX, _LEGEND_PX)
            painter.fillRect(square, role_colour(style, role))
            painter.drawRect(square)
            right -= 12
        letters.use(12, semibold=True)
        painter.setPen(style.pen(QColor(style.ink) if view.token is None else style.token(view.token)))
        letters.write_in(QRectF(line.left(), line.top(), right - line.left(), line.height()), text, _LEFT)

    @override
    def hoverEvent(self, event: Any) -> None:
        if not event.isExit():
            self.pointed.emit(event.pos(), False)

    @override
    def mouseClickEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            self.pointed.emit(event.pos(), True)


_LEFT = Qt.AlignmentFlag.AlignLeft
