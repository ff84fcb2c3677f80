"""A sentence on what is missing, with a button that does something about it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from posenc_gui.look.controls import GAP, Note, control_palette
from posenc_gui.look.plain_text import plain_tip
from posenc_gui.look.style import Style


class Invitation(QWidget):
    """Says what is missing; ``button`` does something about it."""

    def __init__(self, sentence: str, words: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._note = Note("muted", self)  # with a parent, as a note is shown at once
        self._note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = QPushButton()
        self.show_words(sentence, words, tip)
        box = QVBoxLayout(self)
        box.setSpacing(2 * GAP)
        box.addStretch(1)
        box.addWidget(self._note)
        box.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        box.addStretch(1)

    def show_words(self, sentence: str, words: str, tip: str) -> None:
        """Say this, on the button ``words`` with the tool tip."""
        self._note.show_sentence(sentence)
        self.button.setText(words)
        self.button.setToolTip(plain_tip(tip))

    def show_style(self, style: Style) -> None:
        """Use the colours and fonts of the style."""
        self.setPalette(style.palette())
        self._note.show_style(style)
        self.button.setPalette(control_palette(style))
        self.button.setFont(style.font(12))
