"""What is copied to the clipboard: a panel's picture, or a script that computes the table."""

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from posenc_core import Document
from posenc_core.explain import NUMPY, TORCH, Dialect
from posenc_core.session import source_of
from posenc_core.tables import ProgressCallback
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.pictures import image_of, png_bytes

PNG_TYPE = "image/png"
DIALECTS: dict[str, Dialect] = {"numpy": NUMPY, "torch": TORCH}


def copy_picture(picture: Picture, options: PictureOptions, progress: ProgressCallback | None = None) -> None:
    """Copy the panel's picture to the clipboard, as an image and as a PNG file that carries the session.

    FileError with one sentence if the picture cannot be made, Cancelled once ``progress`` returns False; the
    clipboard then keeps its content.
    """
    image = image_of(picture, options, progress)
    content = QMimeData()
    content.setData(PNG_TYPE, png_bytes(image))
    content.setImageData(image)
    QGuiApplication.clipboard().setMimeData(content)


def copy_script(document: Document, dialect: str) -> str:
    """Copy a script that computes the document's table to the clipboard; returns a sentence that says so.

    ``dialect`` is ``numpy`` or ``torch``. ValueError with one sentence if the document has no such script; the
    clipboard then keeps its content.
    """
    code = DIALECTS[dialect]
    script = source_of(document, None, code)
    QGuiApplication.clipboard().setText(script)
    return f"Copied a {code.name} script of {len(script.splitlines())} lines that makes this table"
