"""The dialog for the file of a page."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from posenc_gui.webpage.plan import PAGE_FORMAT, PAGE_NAME


def ask_page_file(folder: Path, parent: QWidget) -> Path | None:
    """The file that the user chooses for a page, at first in ``folder``; None if the dialog is cancelled."""
    dialog = QFileDialog(parent, "Export page", str(folder), f"Pages (*.{PAGE_FORMAT})")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(PAGE_FORMAT)  # before Qt asks whether to replace a file
    dialog.selectFile(f"{PAGE_NAME}.{PAGE_FORMAT}")
    names = dialog.selectedFiles() if dialog.exec() else []
    dialog.deleteLater()
    return Path(names[0]) if names else None
