"""Actions and readings of a user in the export dialog."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from posenc_core import Document, Embedding, Sinusoidal
from posenc_gui.export.dialog import ExportDialog
from posenc_gui.look.controls import Note
from posenc_gui.look.style import LIGHT
from posenc_gui.look.theme import apply_style

DOCUMENT = Document(encoding=Sinusoidal(6), embedding=Embedding("simulated", seed=3))


def open_dialog(
    qtbot, folder: Path, *panels: str, document=DOCUMENT, style=LIGHT, cursor=None, windows=None, sizes=None
) -> ExportDialog:
    """The dialog with its first preview drawn, and with the keyboard."""
    apply_style(style)
    dialog = ExportDialog(document, cursor, windows or {}, panels or ("waves",), folder, sizes=sizes)
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(dialog.preview.rendered):
        dialog.open()
    qtbot.waitExposed(dialog)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    return dialog


def widgets(dialog: ExportDialog, kind: type = QWidget) -> list:
    """The dialog's own; not those of a chooser or a question that was closed and is about to die."""
    rooms = (dialog.form, dialog.preview, dialog.buttons)
    return [widget for room in rooms for widget in room.findChildren(kind)]


def control(dialog: ExportDialog, name: str) -> QWidget:
    (found,) = [widget for widget in widgets(dialog) if widget.accessibleName() == name]
    return found


def tick(dialog: ExportDialog, *names: str) -> None:
    for name in names:
        QTest.mouseClick(control(dialog, name), Qt.MouseButton.LeftButton, pos=control(dialog, name).rect().center())


def choose(dialog: ExportDialog, name: str, words: str) -> None:
    """Goes through the list with the arrow keys until the words are reached."""
    box = control(dialog, name)
    box.setFocus()
    wanted = next(row for row in range(box.count()) if box.itemText(row).startswith(words))
    while box.currentIndex() != wanted:
        QTest.keyClick(box, Qt.Key.Key_Down if box.currentIndex() < wanted else Qt.Key.Key_Up)


def button(dialog: ExportDialog, text: str) -> QPushButton:
    (found,) = [each for each in widgets(dialog, QPushButton) if each.text().replace("&", "") == text]
    return found


def type_folder(dialog: ExportDialog, text: str) -> None:
    folder = control(dialog, "Folder")
    folder.setFocus()
    folder.selectAll()
    QTest.keyClicks(folder, text)


def sentences(dialog: ExportDialog) -> list[str]:
    return [note.sentence for note in widgets(dialog, Note) if note.isVisible()]
