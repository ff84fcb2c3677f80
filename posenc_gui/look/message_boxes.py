"""Message boxes that show names and sentences as plain text, never as HTML, and a box that shows progress."""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QMessageBox, QProgressDialog, QWidget
from typing_extensions import override

from posenc_gui.look.controls import remove_icons
from posenc_gui.look.plain_text import PlainLabel

PATIENCE_MS = 100
"""Longer work shows its progress."""

_STEPS = 100
_ICON = QSize(64, 64)


class MessageBox(QMessageBox):
    """A message box with plain text in all its labels, and a mnemonic on each of its standard buttons."""

    def __init__(
        self,
        icon: QMessageBox.Icon,
        title: str,
        text: str,
        parent: QWidget,
        buttons: QMessageBox.StandardButton = QMessageBox.StandardButton.NoButton,
    ) -> None:
        super().__init__(parent)
        self._make_plain()
        self.setIcon(icon)
        self.setWindowTitle(title)
        self.setText(text)
        self.setStandardButtons(buttons)
        remove_icons(self.buttons())
        for button in self.buttons():
            button.setText(f"&{button.text().replace('&', '')}")

    @override
    def setInformativeText(self, text: str) -> None:
        super().setInformativeText(text)
        self._make_plain()  # Qt makes a new label

    def _make_plain(self) -> None:
        for label in self.findChildren(QLabel):
            label.setTextFormat(Qt.TextFormat.PlainText)


def warn(parent: QWidget, title: str, sentence: str) -> None:
    """Show the sentence, with a capital first letter, until the user closes the box."""
    text = sentence[:1].upper() + sentence[1:]
    _pressed(MessageBox(MessageBox.Icon.Warning, title, text, parent, MessageBox.StandardButton.Ok))


def inform(parent: QWidget, title: str, text: str, *more: str) -> str:
    """Show the text until the user closes the box; returns the one of the buttons ``more`` that did it, or ""."""
    box = MessageBox(MessageBox.Icon.Information, title, text, parent, MessageBox.StandardButton.Ok)
    box.setEscapeButton(MessageBox.StandardButton.Ok)  # Qt finds none beside other buttons, and Escape does nothing
    return _pressed(box, more)


def show_about(parent: QWidget, title: str, text: str, details: str) -> None:
    """Show the text, with details below it and the window's icon beside it, until the user closes the box."""
    box = MessageBox(MessageBox.Icon.NoIcon, title, text, parent, MessageBox.StandardButton.Ok)
    box.setIconPixmap(parent.windowIcon().pixmap(_ICON))
    box.setInformativeText(details)
    _pressed(box)


def ask_to_save(parent: QWidget, title: str, question: str) -> QMessageBox.StandardButton:
    """Ask the user; returns Save, Discard or Cancel."""
    button = MessageBox.StandardButton
    buttons = button.Save | button.Discard | button.Cancel
    box = MessageBox(MessageBox.Icon.Question, title, question, parent, buttons)
    box.setDefaultButton(button.Save)
    return _run(box)


def ask_choice(parent: QWidget, title: str, sentence: str, details: str, choices: Sequence[str], default: str) -> str:
    """Ask the user for one of the choices, the texts of buttons; returns it, or "" for Cancel.

    A ``sentence`` that asks nothing is a warning. Enter chooses the ``default``, one of the choices or "".
    """
    icon = MessageBox.Icon.Question if sentence.endswith("?") else MessageBox.Icon.Warning
    box = MessageBox(icon, title, sentence, parent, MessageBox.StandardButton.Cancel)
    box.setInformativeText(details)
    return _pressed(box, choices, default)


def agrees(parent: QWidget, title: str, question: str, yes: str, details: str = "") -> bool:
    """Whether the user answers the question with the button ``yes``; Enter cancels."""
    box = MessageBox(MessageBox.Icon.Question, title, question, parent, MessageBox.StandardButton.Cancel)
    box.setInformativeText(details)
    return _pressed(box, [yes], role=MessageBox.ButtonRole.AcceptRole) == yes


def ask_file(parent: QWidget, title: str, folder: Path, kinds: str) -> Path | None:
    """The file that the user chooses, of these ``kinds``; None for none."""
    name, _ = QFileDialog.getOpenFileName(parent, title, str(folder), kinds)
    return Path(name) if name else None


def _pressed(
    box: MessageBox,
    choices: Sequence[str] = (),
    default: str = "",
    role: QMessageBox.ButtonRole = QMessageBox.ButtonRole.ActionRole,
) -> str:
    """Show the box with a button for each choice; returns the pressed choice or "". Enter is ``default``, or Cancel."""
    buttons = {each: box.addButton(each, role) for each in choices}
    box.setDefaultButton(buttons[default] if default else MessageBox.StandardButton.Cancel)  # Qt ignores a missing one
    _run(box)
    return next((each for each, button in buttons.items() if button is box.clickedButton()), "")


def ask_new_file(parent: QWidget, title: str, start: Path, kinds: str, suffix: str) -> Path | None:
    """The file that the user chooses to write, at first ``start``, with the suffix unless a suffix is typed.

    None if the user cancels.
    """
    dialog = QFileDialog(parent, title, str(start.parent), kinds)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(suffix.removeprefix("."))  # before Qt asks whether to replace a file
    dialog.selectFile(start.name)
    names = dialog.selectedFiles() if dialog.exec() else []
    dialog.deleteLater()
    return Path(names[0]) if names else None


def _run(box: MessageBox) -> QMessageBox.StandardButton:
    answer = QMessageBox.StandardButton(box.exec())
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
            self._dialog = QProgressDialog("", "&Cancel", 0, _STEPS, self._parent)
            self._dialog.setLabel(PlainLabel(self._words))
            self._dialog.setWindowModality(Qt.WindowModality.WindowModal)
            self._dialog.setMinimumDuration(PATIENCE_MS)
        self._dialog.setValue(min(_STEPS - 1, round(_STEPS * done)))
        return not self._dialog.wasCanceled()
