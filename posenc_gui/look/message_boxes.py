"""Message boxes that show what they are given letter by letter: names and sentences of files are nobody's HTML."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget


def show_plainly(box: QMessageBox) -> QMessageBox:
    """The box, none of whose texts is taken for HTML, which could name pictures to load."""
    for label in box.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
    return box


def warn(parent: QWidget, title: str, sentence: str) -> None:
    """Nothing; the sentence is said, with a capital, and waits until it was read."""
    _run(QMessageBox(QMessageBox.Icon.Warning, title, sentence[:1].upper() + sentence[1:], parent=parent))


def ask_to_save(parent: QWidget, title: str, question: str) -> QMessageBox.StandardButton:
    """The answer: Save, Discard or Cancel."""
    button = QMessageBox.StandardButton
    buttons = button.Save | button.Discard | button.Cancel
    box = QMessageBox(QMessageBox.Icon.Question, title, question, buttons, parent)
    box.setDefaultButton(button.Save)
    return _run(box)


def _run(box: QMessageBox) -> QMessageBox.StandardButton:
    answer = QMessageBox.StandardButton(show_plainly(box).exec())
    box.deleteLater()
    return answer
