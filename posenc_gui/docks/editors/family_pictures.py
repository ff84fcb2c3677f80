"""The pictures of the families in a list, made one after another while the program is idle."""

from collections.abc import Iterable, Iterator

import numpy as np
from PySide6.QtCore import QObject, QSize, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap

from posenc_core import ENCODINGS
from posenc_core.gallery import search_words, thumbnail
from posenc_core.numerics import FloatArray
from posenc_gui.look import Style

PICTURE_SIZE = QSize(40, 24)
"""Logical pixels."""


class FamilyPictures(QObject):
    """Pictures and search words of families, each made once in turns of the event loop.

    ``made`` carries the name of a family whose picture and words are complete.
    """

    made = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._made: dict[str, tuple[FloatArray, str]] = {}
        self._steps: Iterator[None] = iter(())
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._make)

    def begin(self, names: Iterable[str]) -> None:
        """Make the pictures of these families that are not there, from the first one on."""
        self._steps = self._making([name for name in names if name not in self._made])
        self._timer.start()

    def stop(self) -> None:
        """Leave the other pictures until ``begin`` is called again."""
        self._timer.stop()

    def words(self, name: str) -> str:
        """The search words of the family, in lower case; empty until they are made."""
        return self._made[name][1] if name in self._made else ""

    def pixmap(self, name: str, style: Style, ratio: float) -> QPixmap:
        """The picture in the style's colours; an empty frame until the picture is made."""
        numbers = self._made[name][0] if name in self._made else np.zeros((PICTURE_SIZE.height(), PICTURE_SIZE.width()))
        found = QPixmap.fromImage(_image_of(numbers, style)).scaled(PICTURE_SIZE * ratio)
        painter = QPainter(found)
        painter.setPen(QColor(style.border))
        painter.drawRect(found.rect().adjusted(0, 0, -1, -1))
        painter.end()
        found.setDevicePixelRatio(ratio)
        return found

    def _make(self) -> None:
        """Run one step, and schedule the next one."""
        for _ in self._steps:
            self._timer.start()
            return

    def _making(self, names: Iterable[str]) -> Iterator[None]:
        """The steps of making: the file, the picture and the words of each family, each in a separate turn."""
        for name in names:
            kind = ENCODINGS[name]
            yield
            numbers = thumbnail(kind)
            yield
            self._made[name] = (numbers, search_words(kind).lower())
            self.made.emit(name)
            yield


def _image_of(numbers: FloatArray, style: Style) -> QImage:
    """An image of one pixel per number: from the cosine's colour at -1 over the paper to the sine's at 1."""
    least, paper, most, masked = (_rgb(name) for name in (style.cosine, style.paper, style.sine, style.masked))
    share = np.nan_to_num(numbers)[..., None]
    ends = np.where(share > 0, most, least)
    colours = np.where(np.isnan(numbers)[..., None], masked, paper + np.abs(share) * (ends - paper))
    rows = np.ascontiguousarray(colours.round().clip(0, 255).astype(np.uint8))
    height, width = numbers.shape
    return QImage(rows.data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()


def _rgb(name: str) -> FloatArray:
    colour = QColor(name)
    return np.array([colour.red(), colour.green(), colour.blue()], np.float64)
