"""What is copied to the clipboard: a panel's picture, or a script that makes the table."""

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from posenc_core import Document
from posenc_core.explain import NUMPY, TORCH, Dialect
from posenc_core.session import source_of
from posenc_gui.export.page import ProgressCallback
from posenc_gui.export.pictures import Picture, PictureOptions, image_of, png_bytes
from posenc_gui.look.message_boxes import warn

PNG_TYPE = "image/png"
DIALECTS: dict[str, Dialect] = {"numpy": NUMPY, "torch": TORCH}


def copy_picture(picture: Picture, options: PictureOptions, watch: ProgressCallback | None = None) -> None:
    """Nothing; the panel's picture is on the clipboard afterwards, as an image and as a PNG file.

    The PNG carries the session: what is pasted and saved brings the settings back as an exported file does.
    FileError with one sentence if the picture cannot be made, and Cancelled once ``watch``, which is told how far it
    is, gives False; the clipboard then stays as it was.
    """
    image = image_of(picture, options, watch)
    content = QMimeData()
    content.setData(PNG_TYPE, png_bytes(image))
    content.setImageData(image)
    QGuiApplication.clipboard().setMimeData(content)


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
