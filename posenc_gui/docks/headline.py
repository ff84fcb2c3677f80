"""The line above a dock's content: its token, position and column."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QToolButton, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_gui.look import HIT_PX, TEXT_PX, plain_tip, present_style
from posenc_gui.model import PositionAxis, position_words, token_details

_LEAST_WIDTH = 120
_SLACK = 2

_ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
"""The signs of HTML; the module html loads some thousand entities more."""


class Headline(QLabel):
    """``loves · position 1 · column 2``: the token's word in its colour, elided if it is too long, then the places.

    For a relative family, ``distance −1 · “Dan” seen from “loves” · head 2``.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, textFormat=Qt.TextFormat.RichText, wordWrap=True)
        self._shown_words: list[str] = []
        self._words: tuple[int, ...] = ()  # indices of the token, and of the query
        self._places: tuple[str, ...] = ("",)  # until a place is shown
        self._compose()

    def show_place(self, document: Document, axis: PositionAxis, position: int, *more: str) -> None:
        """Show the position, its token if it has one, and further places."""
        token = axis.token_at(position)
        words = () if token is None else (token,) if axis.query is None else (token, axis.query)
        details = (token_details(document.token_list[word]) for word in words)
        self.setToolTip(plain_tip("\n".join(filter(None, details))))
        told = [document.token_list[word].shown for word in words], words, (position_words(axis, position), *more)
        if told != (self._shown_words, self._words, self._places):
            self._shown_words, self._words, self._places = told
            self.setAccessibleName(self._composed(self._shown_words))
            self._compose()

    def show_words(self, *words: str) -> None:
        """Show short phrases in place of a cell."""
        self.setToolTip(plain_tip(""))
        self._shown_words, self._words, self._places = [], (), words
        self.setAccessibleName(self._composed([]))
        self._compose()

    def _compose(self) -> None:
        """Set the text for the present width: a word that leaves no room for the rest has a separate line."""
        metrics = QFontMetricsF(present_style().font(TEXT_PX, semibold=True))
        room = max(self.contentsRect().width(), _LEAST_WIDTH) - _SLACK
        longest = room if len(self._words) < 2 else 0.4 * room
        words = [metrics.elidedText(word, Qt.TextElideMode.ElideRight, longest) for word in self._shown_words]
        alone = metrics.horizontalAdvance(self._composed(words)) > room
        places = [f'<span style="white-space:nowrap">{place.translate(_ESCAPED)}</span>' for place in self._places]
        shown = [self._coloured(word, index) for word, index in zip(words, self._words, strict=True)]
        # The line runs left to right; the word is isolated, as it may run right to left. The control characters
        # are not in the program's font: the height of the line is set, independently of the machine's fonts.
        height = f"line-height:{QFontMetricsF(present_style().font(TEXT_PX)).height():.0f}px;-qt-line-height-type:fixed"
        lines = "\u200e" + self._composed(shown, places, "<br>\u200e" if alone else "")
        text = f'<p style="margin:0;{height}">{lines}</p>'
        if text != self.text():
            self.setText(text)

    def _composed(self, words: list[str], places: Sequence[str] = (), new_line: str = "") -> str:
        """Words and places in one or two lines: a single word comes first, a pair after the distance between them."""
        first, *others = places or self._places
        if len(words) == 2:
            pair = f"“{words[0]}” seen from “{words[1]}”"
            return f"{' · '.join([first, *others])}{new_line}{pair}" if new_line else " · ".join([first, pair, *others])
        return (new_line or " · ").join([*words, " · ".join([first, *others])])

    def _coloured(self, word: str, index: int) -> str:
        colour = present_style().token(index).name()
        return f'<span style="color:{colour};font-weight:600">\u2068{word.translate(_ESCAPED)}\u2069</span>'

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self._compose()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH, super().minimumSizeHint().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._compose()


class PinButton(QToolButton):
    """A pin, filled while the cell is held. ``pinned`` carries whether the user holds or releases the cell."""

    pinned = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setAutoRaise(True)
        self.setFixedSize(HIT_PX, HIT_PX)
        self.clicked.connect(self.pinned)
        self.show_held(False)

    def show_held(self, held: bool) -> None:
        """Show whether the cell is held."""
        self.setChecked(held)
        tip = "Release the cell (Esc)" if held else "Hold the cell while the mouse moves"
        self.setToolTip(plain_tip(tip))
        self.setAccessibleName("the cell is held" if held else "hold the cell")
        self.setAccessibleDescription(tip)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        style = present_style()
        colour = style.accent if self.isChecked() or self.hasFocus() or self.underMouse() else style.muted
        painter.translate(HIT_PX / 2, HIT_PX / 2)
        painter.rotate(35)
        painter.setPen(style.pen(colour, 1.4))
        painter.drawLine(QPointF(0, 2), QPointF(0, 8))
        painter.drawLine(QPointF(-4.5, 2), QPointF(4.5, 2))
        painter.setBrush(QColor(colour) if self.isChecked() else Qt.BrushStyle.NoBrush)
        painter.drawPolygon(
            [QPointF(-2, -7), QPointF(2, -7), QPointF(2, -2), QPointF(4, 2), QPointF(-4, 2), QPointF(-2, -2)]
        )
        painter.end()
