"""Message boxes that show names and sentences as plain text, never as HTML."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget


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


def _run(box: QMessageBox) -> QMessageBox.StandardButton:
    answer = QMessageBox.StandardButton(show_plainly(box).exec())
    box.deleteLater()
    return answer
