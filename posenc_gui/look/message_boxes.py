"""Message boxes that show names and sentences as plain text, never as HTML, and a box that shows progress."""

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QProgressDialog, QWidget

PATIENCE_MS = 100
"""Longer work shows its progress."""

_STEPS = 100


def show_plainly(box: QMessageBox) -> QMessageBox:
    """The box with plain text in all its labels: HTML from a file could refer to images."""
    for label in box.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
    return box


def warn(parent: QWidget, title: str, sentence: str) -> None:
    """Show the sentence, with a capital first letter, until the user closes the box."""
    _run(QMessageBox(QMessageBox.Icon.Warning, title, sentence[:1].upper() + sentence[1:], parent=parent))


def ask_to_save(parent: QWidget, title: str, question: str) -> QMessageBox.StandardButton:
    """Ask the user; returns Save, Discard or Cancel."""
    button = QMessageBox.StandardButton
    buttons = button.Save | button.Discard | button.Cancel
    box = QMessageBox(QMessageBox.Icon.Question, title, question, buttons, parent)
    box.setDefaultButton(button.Save)
    return _run(box)


def ask_choice(parent: QWidget, title: str, sentence: str, details: str, choices: Sequence[str], default: str) -> str:
    """Ask the user for one of the choices, which are the texts of buttons; returns it, or "" for Cancel."""
    box = QMessageBox(QMessageBox.Icon.Warning, title, sentence, parent=parent)
    box.setInformativeText(details)
    buttons = {choice: box.addButton(choice, QMessageBox.ButtonRole.ActionRole) for choice in choices}
    box.setDefaultButton(buttons[default])
    box.addButton(QMessageBox.StandardButton.Cancel)
    _run(box)
    pressed = box.clickedButton()
    return next((choice for choice, button in buttons.items() if button is pressed), "")


def _run(box: QMessageBox) -> QMessageBox.StandardButton:
    answer = QMessageBox.StandardButton(show_plainly(box).exec())
    box.deleteLater()
    return answer


class ProgressDialog:
    """Context manager. Call with the fraction done; returns False once the user cancels."""

    def __init__(self, words: str, parent: QWidget) -> None:
        self._words, self._parent = words, parent
        self._dialog: QProgressDialog | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.deleteLater()

    def __call__(self, done: float) -> bool:
        """Show the fraction done and process events; only Cancel can be pressed."""
        if self._dialog is None:
            self._dialog = QProgressDialog(self._words, "Cancel", 0, _STEPS, self._parent)
            self._dialog.setWindowModality(Qt.WindowModality.WindowModal)
            self._dialog.setMinimumDuration(PATIENCE_MS)
        self._dialog.setValue(min(_STEPS - 1, round(_STEPS * done)))
        return not self._dialog.wasCanceled()
