"""Answers to the program's own dialogs, given while they wait for one."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QMessageBox, QWidget


class Answers:
    """Answers every dialog that opens, the next one with ``next``; remembers what each of them said.

    A dialog that nobody expected is dismissed and fails the test.
    """

    def __init__(self, parent: QWidget) -> None:
        self.seen: list[str] = []
        self.unexpected: list[str] = []
        self._waiting: list[Callable[[QDialog], None]] = []
        self._is_answering = False
        self._timer = QTimer(parent)
        self._timer.setInterval(1)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def expect(self, answer: Callable[[QDialog], None]) -> None:
        """Give this answer to the next dialog that opens."""
        self._waiting.append(answer)

    @property
    def given(self) -> bool:
        """Whether every expected dialog came, and no other."""
        return not self._waiting and not self.unexpected

    def stop(self) -> None:
        self._timer.stop()

    def _look(self) -> None:
        dialog = QApplication.activeModalWidget()
        if self._is_answering or not isinstance(dialog, QDialog) or not dialog.isVisible():
            return
        said = words_of(dialog)
        if self._waiting:
            self.seen.append(said)
            self._is_answering = True
            try:
                self._waiting.pop(0)(dialog)
            finally:
                self._is_answering = False
        else:
            self.unexpected.append(said)
            dialog.reject()


def words_of(dialog: QDialog) -> str:
    return f"{dialog.windowTitle()}: {dialog.text()}" if isinstance(dialog, QMessageBox) else dialog.windowTitle()


def press(name: str) -> Callable[[QDialog], None]:
    """Press the message box's button of that name."""

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, QMessageBox)
        dialog.button(getattr(QMessageBox.StandardButton, name)).click()

    return answer


def choose(path: object) -> Callable[[QDialog], None]:
    """Type this name into the file dialog and accept."""

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, QFileDialog)
        dialog.selectFile(str(path))  # before the typed name: a dialog that has just opened still sets its own
        dialog.findChild(QLineEdit).setText(str(path))
        dialog.accept()

    return answer


def dismiss(dialog: QDialog) -> None:
    dialog.reject()


def press_text(text: str) -> Callable[[QDialog], None]:
    """Press the message box's button that says this."""

    def answer(dialog: QDialog) -> None:
        assert isinstance(dialog, QMessageBox)
        (button,) = (button for button in dialog.buttons() if button.text() == text)
        button.click()

    return answer
