"""Scripts for the clipboard: the table that is shown, as code for one's own program."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from posenc_core import Document
from posenc_core.explain import NUMPY, TORCH, Dialect
from posenc_core.session import source_of
from posenc_gui.look.message_boxes import warn

DIALECTS: dict[str, Dialect] = {"numpy": NUMPY, "torch": TORCH}


def copy_code(document: Document, dialect: str, parent: QWidget) -> str:
    """What to say: the script that makes the document's table, at its positions, is on the clipboard.

    Empty where there is none, after a dialog with the reason; the clipboard then stays as it was.
    """
    code = DIALECTS[dialect]
    try:
        script = source_of(document, None, code)
    except ValueError as error:
        warn(parent, "Cannot copy", str(error))
        return ""
    QGuiApplication.clipboard().setText(script)
    return f"Copied a {code.name} script of {len(script.splitlines())} lines that makes this table"
