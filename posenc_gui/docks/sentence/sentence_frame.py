"""The frame of the sentence bar's editor."""

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from posenc_core.session import SENTENCE
from posenc_gui import look
from posenc_gui.docks.sentence.sentence_edit import MARGIN, SentenceEdit
from posenc_gui.look import LABEL_PX, OUTER_MARGIN, PlainLabel, blend, dress, present_style

SENTENCE_PX = 18
CORNER, PADDING = 8.0, 8


class SentenceFrame(QWidget):
    """A frame with round corners around the editor and the number of tokens."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wrong = False
        self.edit = SentenceEdit(self)
        dress(self.edit, SENTENCE_PX)
        look.flatten_scroll_bars(self.edit)
        self.edit.setPlaceholderText("Type a sentence")
        look.describe(self.edit, "sentence", SENTENCE.help)
        self.edit.setMinimumWidth(160)
        self.edit.installEventFilter(self)
        self._count = PlainLabel(parent=self)
        margins = (OUTER_MARGIN - MARGIN, PADDING, OUTER_MARGIN, PADDING)
        look.row_of(self.edit, self._count, wide=self.edit, holder=self, margins=margins, spacing=OUTER_MARGIN)
        self.setCursor(Qt.CursorShape.IBeamCursor)

    def show_wrong(self, wrong: bool) -> None:
        """Paint the frame red, or in its usual colour."""
        if wrong != self._wrong:
            self._wrong = wrong
            dress(self.edit, SENTENCE_PX, wrong=wrong)
            self.update()

    def show_count(self, words: str, role: str) -> None:
        """Show the number of tokens, in the style's colour of this name."""
        self._count.setText(words)
        dress(self._count, LABEL_PX, role=role)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().eventFilter(watched, event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.edit.setFocus(Qt.FocusReason.MouseFocusReason)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        style = present_style()
        edge = style.error if self._wrong else style.accent if self.edit.hasFocus() else None
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(style.pen(edge or blend(style.muted, style.ground, 0.5), 1.0 if edge is None else 1.5))
        painter.setBrush(self.edit.palette().base())
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), CORNER, CORNER)
        painter.end()
