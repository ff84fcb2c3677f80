"""Buttons of the CHECK dock."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QPushButton, QSizePolicy
from typing_extensions import override

from posenc_gui.look import GAP, LABEL_PX, dress, plain_tip

_ARROW = 12
"""Pixels of the arrow of a button with a menu."""


class SmallButton(QPushButton):
    """A button that may be as narrow as its words, for a narrow dock."""

    def __init__(self, text: str, tip: str) -> None:
        super().__init__(text)
        dress(self, LABEL_PX)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setToolTip(plain_tip(tip))

    @override
    def minimumSizeHint(self) -> QSize:
        words = self.fontMetrics().horizontalAdvance(self.text())
        arrow = _ARROW if self.menu() is not None else 0
        return QSize(words + 2 * GAP + arrow, super().minimumSizeHint().height())
