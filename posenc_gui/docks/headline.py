"""The line that says which token, position and column a dock is about."""

from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from posenc_core import Document
from posenc_gui.docks.look import TEXT_PX
from posenc_gui.style import LIGHT, Style

_LEAST_WIDTH = 120
_SLACK = 2


class Headline(QLabel):
    """``loves · position 1 · column 2``: the token's word in its colour, cut where it is too long, then the places."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = LIGHT
        self._word = ""
        self._position = 0
        self._places: tuple[str, ...] = ()
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.show_style(LIGHT)

    def show_place(self, document: Document, position: int, *places: str) -> None:
        """Shows the position, its token if the sentence reaches that far, and the further places."""
        tokens = document.token_list
        self._word = tokens[position].shown if 0 <= position < len(tokens) else ""
        self._position = position
        self._places = (f"position {position}", *places)
        self.setAccessibleName(" · ".join([self._word, *self._places] if self._word else self._places))
        self._compose()

    def show_style(self, style: Style) -> None:
        """Takes on the style's font and colours."""
        self._style = style
        self.setFont(style.font(TEXT_PX))
        self.setPalette(style.palette())
        self._compose()

    def _compose(self) -> None:
        """The text for the width there is: a word that leaves no room for the rest has its own line."""
        # Left to right, whichever way the word is written, which is why that is isolated.
        text = "\u200e" + " · ".join(f'<span style="white-space:nowrap">{place}</span>' for place in self._places)
        if self._word:
            metrics = QFontMetricsF(self._style.font(TEXT_PX, semibold=True))
            room = max(self.contentsRect().width(), _LEAST_WIDTH) - _SLACK
            word = metrics.elidedText(self._word, Qt.TextElideMode.ElideRight, room)
            alone = metrics.horizontalAdvance(" · ".join([word, *self._places])) > room
            colour = self._style.token(self._position).name()
            shown = f'<span style="color:{colour};font-weight:600">\u2068{escape(word)}\u2069</span>'
            text = f"\u200e{shown}{'<br>' if alone else ' · '}{text}"
        if text != self.text():
            self.setText(text)

    def minimumSizeHint(self) -> QSize:
        """Narrow: the word is cut to fit, and never widens the dock."""
        return QSize(_LEAST_WIDTH, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for another part of the word."""
        super().resizeEvent(event)
        self._compose()
