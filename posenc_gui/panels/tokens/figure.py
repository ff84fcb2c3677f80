"""TOKENS: each token's vector as boxes with numbers, or as a profile where there are many columns."""

from collections.abc import Mapping
from typing import Any

import pyqtgraph as pg
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_core.session import tokens_script
from posenc_gui.figures.figure import Figure, Window, color_scale_over
from posenc_gui.figures.plot_parts import shades_of
from posenc_gui.look.number_format import significant
from posenc_gui.look.plain_text import plain_tip
from posenc_gui.look.style import Style
from posenc_gui.model.cursor import Cursor, n_components, no_value_sentence
from posenc_gui.model.wording import token_details
from posenc_gui.panels.tokens.layout import StripLayout
from posenc_gui.panels.tokens.painter import StripPainter, TokensView
from posenc_gui.panels.tokens.rows import (
    SINGLE,
    TURNED,
    cursor_column,
    passing_columns,
    row_names,
    strip_column,
    strip_columns,
    strip_scale,
    token_rows,
)
from posenc_gui.plotting.color_scale import ColorScale
from posenc_gui.plotting.layer import draw_readable
from posenc_gui.plotting.plot_area import wheel_steps

_TALLEST_EXPORT = 4000
_LONGEST_WORD = 24


class TokensFigure(Figure):
    """A strip per token with its word below; with an embedding three rows: W_e + PE = sum."""

    name = "tokens"
    title = "Tokens"
    hint = "one strip a token"
    explanation = (
        "Each strip is one token's vector, column 0 on the left; these are the dots on the token's line in the "
        "waves. With an embedding chosen, the strip shows what becomes of the token's own vector: W_e, the "
        "position's vector PE, and their sum, which is what a Transformer's first layer receives; or a query before "
        "and after its rotation, whose length stays the same. Where positions are distances, the strip of a key is "
        "seen from one query. All strips share one scale. The wheel scrolls. With many columns a strip is a profile "
        "instead of boxes."
    )
    least_size = (250, 180)
    export_size = (900, 320)
    steps: Mapping[Qt.Key, tuple[int, int]] = {
        Qt.Key.Key_Left: (0, -1),
        Qt.Key.Key_Right: (0, 1),
        Qt.Key.Key_Up: (-1, 0),
        Qt.Key.Key_Down: (1, 0),
    }

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._columns: tuple[int, int] | None = None
        self._canvas = _Canvas(self)
        self.addItem(self._canvas, 0, 0)
        self._canvas.pointed.connect(self._pointed)

    @override
    def note(self, scale: float = 1.0) -> str:
        layout = self.strip_layout()
        first, stop = layout.visible(self._canvas.offset, self._canvas.rect().height())
        n = layout.n_tokens
        parts = [
            f"tokens {first}–{stop - 1} of {n:,}" if stop - first < n else "",
            self._seen_from(),
            *self._vectors_note(),
            no_value_sentence(self.document.encoding, self.axis.tokens),
        ]
        return " · ".join(filter(None, parts))

    def _seen_from(self) -> str:
        """The query from which the strips are seen."""
        query = self.axis.query
        if query is None or not self.axis.n_tokens:
            return ""
        word = self.document.token_list[query].shown
        return f"seen from “{word if len(word) <= _LONGEST_WORD else word[:_LONGEST_WORD] + '…'}” (token {query})"

    def _vectors_note(self) -> list[str]:
        """The vectors that are shown, the columns that no rotation changes, and the scale."""
        document, scale = self.document, strip_scale(self.document, self.table_scale())
        names, width = row_names(document), strip_columns(document)
        parts = [] if names == SINGLE else [f"{names[0]} {document.embedding.label_at(width)}"]
        if names == TURNED and width > document.encoding.n_columns:
            first, stop = passing_columns(document.encoding)
            parts.append(f"columns {first}–{stop - 1} pass through")
        if names != SINGLE or (scale.low, scale.high) != (-1.0, 1.0):
            ends = f"{significant(scale.low)} to {significant(scale.high)}"
            parts.append(f"scale ±{significant(scale.high)}" if scale.low == -scale.high else f"scale {ends}")
        return parts

    def table_scale(self) -> ColorScale:
        """The colours of the table's values at the positions shown, and at the tokens' beyond them."""
        shown, tokens = self.axis.shown, self.axis.tokens
        if tokens:
            shown = range(min(shown.start, tokens.start), max(shown.stop, tokens.stop))
        return color_scale_over(self.document, shown)

    def columns(self) -> tuple[int, int]:
        """The columns of the strips shown: all of them, or those that belong to the table's chosen for an export."""
        n, before = strip_columns(self.document), strip_column(self.document, 0)
        if self._columns is None or self._columns[1] + before > n:
            return (0, n)
        return (self._columns[0] + before, self._columns[1] + before)

    @property
    def n_pointed(self) -> int:
        """The number of columns of a strip, with those that no rotation changes."""
        return n_components(self.document)

    @override
    def show_columns(self, first: int, stop: int) -> None:
        self._columns = (first, stop)

    @override
    def window(self) -> Window:
        """The columns shown, and the range of the strips in pixels."""
        first, stop = self.columns()
        return Window((first, stop), (self._canvas.offset, self._canvas.offset + self._canvas.rect().height()))

    @override
    def show_window(self, window: Window | None) -> None:
        if window is not None:
            self._canvas.scroll_to(window.y[0])

    @override
    def script(self) -> str:
        layout = self.strip_layout()
        tokens = range(*layout.visible(self._canvas.offset, self._canvas.rect().height()))
        columns = self.columns()
        rows = token_rows(self.document, self.axis, tokens, columns, self.style)
        return tokens_script(
            self.document, rows, range(*columns), shades_of(strip_scale(self.document, self.table_scale()))
        )

    @override
    def reset_window(self) -> None:
        self._canvas.scroll_to(0.0)

    @override
    def show_cell(self, cursor: Cursor) -> None:
        token = self.axis.token_at(cursor.position)
        if token is not None:
            rect = self.strip_layout().strip(token).rect
            room, offset = self._canvas.rect().height(), self._canvas.offset
            if rect.top() < offset:
                self._canvas.scroll_to(rect.top())
            elif rect.bottom() > offset + room:
                self._canvas.scroll_to(rect.bottom() - room)

    @override
    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        moved, step = super().moved(key, times), self.steps.get(key)
        if moved is None or step is None or self.cursor is None:
            return moved
        column = strip_column(self.document, self.cursor.column) + times * step[1]
        column = min(max(column, 0), self.n_pointed - 1)
        return replace(moved, column=cursor_column(self.document, column))

    @override
    def export_height(self, width: float) -> int:
        layout = StripLayout.of(self.document, self.columns(), width, 0.0)
        return int(min(max(layout.height, self.export_size[1]), _TALLEST_EXPORT))

    @override
    def whole_height(self, height: float) -> float:
        line = self.strip_layout().line_height
        return max(1, height // line) * line if self.strip_layout().height > height else height

    def strip_layout(self) -> StripLayout:
        """The layout of the strips at the present size."""
        rect = self._canvas.rect()
        return StripLayout.of(self.document, self.columns(), rect.width(), rect.height())

    @property
    def positions(self) -> range:
        """The positions of the tokens."""
        return self.axis.tokens

    def view(self) -> TokensView:
        """What the strips show."""
        return TokensView(self.document, self.axis, self.cursor, self.table_scale(), self.style)

    @override
    def _document_shown(self, before: Document) -> None:
        self._canvas.scroll_to(self._canvas.offset)

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        self._canvas.update()

    def _pointed(self, place: QPointF, pinned: bool) -> None:
        found = self.strip_layout().cell_at(place)
        if found is not None:
            token, column = found
            self._canvas.setToolTip(plain_tip(token_details(self.document.token_list[token])))
            self.point_at(self.axis.tokens[token], cursor_column(self.document, column), pinned)


class _Canvas(pg.GraphicsWidget):
    """Draws the strips in view, and scrolls."""

    pointed = Signal(object, bool)

    def __init__(self, figure: TokensFigure) -> None:
        super().__init__()
        self._figure = figure
        self.offset = 0.0
        self.setFlag(self.GraphicsItemFlag.ItemClipsToShape)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        draw_readable(self.draw, painter, widget)

    def draw(self, painter: QPainter) -> None:
        """Draw the visible strips, or what to do without a token."""
        layout = self._figure.strip_layout()
        if layout.n_tokens == 0:
            self._draw_empty(painter)
            return
        first, stop = layout.visible(self.offset, self.rect().height())
        strips = [layout.strip(token) for token in range(first, stop)]
        painter.save()
        try:
            painter.translate(0, -self.offset)
            StripPainter(self._figure.view(), layout).draw(painter, strips)
        finally:
            painter.restore()
        self._draw_thumb(painter, layout.height)

    def _draw_empty(self, painter: QPainter) -> None:
        style = self._figure.style
        painter.setFont(style.font(14))
        painter.setPen(style.pen(style.muted))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "Type a sentence above")

    def _draw_thumb(self, painter: QPainter, height: float) -> None:
        room = self.rect().height()
        if height <= room + 1:
            return
        length = max(24.0, room * room / height)
        top = (room - length) * self.offset / (height - room)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._figure.style.pen(self._figure.style.border).color())
        painter.drawRoundedRect(QRectF(self.rect().width() - 5, top, 4, length), 2, 2)

    def scroll_to(self, offset: float) -> None:
        """Scroll to ``offset`` pixels below the top, within the height of all strips."""
        height = self._figure.strip_layout().height
        self.offset = max(0.0, min(offset, height - self.rect().height()))
        self.update()
        self._figure.noteChanged.emit()

    @override
    def resizeEvent(self, event: Any) -> None:
        self.scroll_to(self.offset)

    @override
    def wheelEvent(self, event: Any) -> None:
        event.accept()
        self.scroll_to(self.offset - wheel_steps(event) * min(90.0, self.rect().height() / 3))

    @override
    def mouseDragEvent(self, event: Any) -> None:
        event.accept()
        self.scroll_to(self.offset - (event.pos().y() - event.lastPos().y()))

    @override
    def hoverEvent(self, event: Any) -> None:
        if not event.isExit():
            self.pointed.emit(self._place(event), False)

    @override
    def mouseClickEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            if event.double():
                self.scroll_to(0.0)
            else:
                self.pointed.emit(self._place(event), True)

    def _place(self, event: Any) -> QPointF:
        place = event.pos()
        return QPointF(place.x(), place.y() + self.offset)
