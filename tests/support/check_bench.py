"""Actions and readings of a user in the CHECK dock."""

import numpy as np
from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QProgressBar
from window_bench import act, control

from posenc_core import Sinusoidal

TABLE = Sinusoidal(8).values(np.arange(24), np.arange(8)).astype(np.float32)

SLOW = np.sort(np.random.default_rng(0).random(128))[::-1]
"""Frequencies of no law: each is left out in turn, with every law that the others allow."""


def one_wrong() -> np.ndarray:
    """The table with a wrong number at position 7, column 5."""
    wrong = TABLE.copy()
    wrong[7, 5] = 0.25
    return wrong


class CheckBench:
    """The dock of a window, opened from the File menu."""

    def __init__(self, window, qtbot):
        self.window, self.qtbot = window, qtbot
        act(window, "check")

    @property
    def words(self) -> str:
        labels = self.window.docks["check"].findChildren(QLabel)
        return "\n".join(label.text().replace("\u200b", "") for label in labels if label.isVisible())

    @property
    def is_at_work(self) -> bool:
        return any(bar.isVisible() for bar in self.window.docks["check"].findChildren(QProgressBar))

    def wait_for(self, part: str) -> None:
        """Wait until a label says this."""
        self.qtbot.waitUntil(lambda: part in self.words)

    def wait_for_work(self) -> None:
        """Wait until a check shows its progress."""
        self.qtbot.waitUntil(lambda: self.is_at_work)

    def paste(self, text: object) -> None:
        """Paste a text in place of what is in the field."""
        QGuiApplication.clipboard().setText(str(text))
        field = control(self.window, "numbers to check")
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        settle()

    def press(self, name: str) -> None:
        """Press the button of that name."""
        QTest.mouseClick(control(self.window, name), Qt.MouseButton.LeftButton)
        settle()

    def choose(self, text: str) -> None:
        """Choose what the numbers are compared with."""
        box = control(self.window, "against")
        box.setCurrentIndex(box.findText(text))
        box.activated.emit(box.currentIndex())
        settle()
