"""A copied figure: as pixels for any program, as a PNG file with the session for this one."""

from pathlib import Path

import pytest
from panel_bench import VECTOR_PANELS
from PySide6.QtGui import QGuiApplication, QImage

from posenc_core import Document, Sinusoidal
from posenc_gui.export.pictures import PNG_TYPE, Picture, PictureOptions, copy_picture, image_of
from posenc_gui.files.errors import FileError
from posenc_gui.files.session import open_session

DOCUMENT = Document(sentence="copy me, שלום 😀", encoding=Sinusoidal(6, base=123.5), seq_len=20)


@pytest.fixture(autouse=True)
def empty_clipboard(qapp):
    QGuiApplication.clipboard().clear()
    yield
    QGuiApplication.clipboard().clear()


def same_pixels(one: QImage, other: QImage) -> bool:
    kind = QImage.Format.Format_RGBA8888
    return one.size() == other.size() and one.convertToFormat(kind) == other.convertToFormat(kind)


@pytest.mark.parametrize("panel", VECTOR_PANELS)
def test_the_image_is_the_exported_one(panel):
    options = PictureOptions(theme="dark", scale=1.5)
    copy_picture(Picture(panel, DOCUMENT), options)
    image = QGuiApplication.clipboard().image()
    assert same_pixels(image, image_of(Picture(panel, DOCUMENT), options))
    assert image.width() > 600


def test_the_png_brings_the_session_back(tmp_path: Path):
    copy_picture(Picture("heatmap", DOCUMENT), PictureOptions())
    data = QGuiApplication.clipboard().mimeData().data(PNG_TYPE)
    (tmp_path / "pasted.png").write_bytes(bytes(data.data()))
    assert open_session(tmp_path / "pasted.png") == DOCUMENT
    assert same_pixels(QImage(str(tmp_path / "pasted.png")), QGuiApplication.clipboard().image())


def test_a_transparent_ground_stays_transparent():
    copy_picture(Picture("tokens", DOCUMENT), PictureOptions(background="transparent"))
    data = QGuiApplication.clipboard().mimeData().data(PNG_TYPE)
    for image in (QGuiApplication.clipboard().image(), QImage.fromData(data, "png")):
        assert image.pixelColor(0, 0).alpha() == 0


def test_a_picture_too_large_leaves_the_clipboard_as_it_was():
    QGuiApplication.clipboard().setText("mine")
    with pytest.raises(FileError, match="pixels is too large: the largest of this shape has"):
        copy_picture(Picture("waves", DOCUMENT), PictureOptions(scale=1e5))
    assert QGuiApplication.clipboard().text() == "mine"
