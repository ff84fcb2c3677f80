"""Pictures for the clipboard."""

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from posenc_core.tables import ProgressCallback
from posenc_gui.export.pictures import Picture, PictureOptions, image_of, png_bytes

PNG_TYPE = "image/png"


def copy_picture(picture: Picture, options: PictureOptions, progress: ProgressCallback | None = None) -> None:
    """Nothing; the panel's picture is on the clipboard afterwards, as an image and as a PNG file.

    The PNG carries the session: what is pasted and saved brings the settings back as an exported file does.
    FileError with one sentence if the picture cannot be made, and Cancelled once ``progress`` returns False; the
    clipboard then stays as it was.
    """
    image = image_of(picture, options, progress)
    content = QMimeData()
    content.setData(PNG_TYPE, png_bytes(image))
    content.setImageData(image)
    QGuiApplication.clipboard().setMimeData(content)
