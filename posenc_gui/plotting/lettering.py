"""Texts on a picture, laid out once: most texts do not change from one paint event to the next.

In Qt, laying out a text costs twice as much as painting it. Cached texts are painted on the same pixels. In files and
scaled pictures, texts are not cached and stay texts.
"""

from collections.abc import Iterable
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QStaticText, QTransform

from posenc_gui.look import Style
from posenc_gui.plotting.layer import is_vector

_MANY = 4096
_UNSCALED = (QTransform.TransformationType.TxNone, QTransform.TransformationType.TxTranslate)


class _Face:
    """A font and its metrics."""

    def __init__(self, font: QFont) -> None:
        self.font = QFont(font)
        self.metrics = QFontMetricsF(font)
        self.ascent, self.height = self.metrics.ascent(), self.metrics.height()


_faces: dict[tuple[str, tuple[tuple[bytes, int], ...]], _Face] = {}


def _face(font: QFont) -> _Face:
    """The one face for a font, which is a key of the caches below."""
    # QFont.key() omits features, in which the fonts of files and screens differ.
    key = (font.key(), tuple((bytes(tag.toString().data()), font.featureValue(tag)) for tag in font.featureTags()))
    return _faces.get(key) or _faces.setdefault(key, _Face(font))


@lru_cache(maxsize=64)
def _styled(style: Style, px: int, semibold: bool) -> _Face:
    """The face of a style's font; cached, since comparing fonts is slower than writing a word."""
    return _face(style.font(px, semibold))


@lru_cache(maxsize=_MANY)
def _laid_out(text: str, face: _Face) -> tuple[QStaticText | None, float]:
    """The text ready to paint, and its width; None for texts from right to left or in other fonts."""
    is_usual = text.replace("\u00a0", " ").isprintable()
    if not is_usual or any(letter > "\u04ff" and not "\u2010" <= letter <= "\u22ff" for letter in text):
        return None, _width(text, face)
    static = QStaticText(text)
    static.setTextFormat(Qt.TextFormat.PlainText)
    static.prepare(QTransform(), face.font)
    # QStaticText counts the overhang of the last letter too; digits have none.
    return static, static.size().width() if text[-1:].isdigit() else _width(text, face)


@lru_cache(maxsize=_MANY)
def _width(text: str, face: _Face) -> float:
    return face.metrics.horizontalAdvance(text)


def width_of(text: str, style: Style, px: int, semibold: bool = False) -> float:
    """The width of the text in one of the style's fonts, in logical pixels."""
    return _width(text, _styled(style, px, semibold))


class Lettering:
    """Writes on one painter, in a style's fonts and the painter's pen.

    ``is_plain`` is True on a screen, where the picture is not scaled.
    """

    def __init__(self, painter: QPainter, style: Style, px: int, semibold: bool = False) -> None:
        self._painter, self._style = painter, style
        self.is_plain = painter.worldTransform().type() in _UNSCALED and not is_vector(painter)
        self.use(px, semibold)

    def use(self, px: int, semibold: bool = False) -> None:
        """Write in this size."""
        face = _styled(self._style, px, semibold)
        self._face, self.ascent, self.height = face, face.ascent, face.height
        self._painter.setFont(face.font)

    def width(self, text: str) -> float:
        """The width of the text."""
        return _laid_out(text, self._face)[1] if self.is_plain else _width(text, self._face)

    def fitting(self, texts: Iterable[str], room: float) -> str:
        """The first of the texts that is no wider than the room, empty if none is."""
        return next((text for text in texts if self.width(text) <= room), "")

    def write(self, x: float, baseline: float, text: str) -> None:
        """Write the text from ``x`` on."""
        static = _laid_out(text, self._face)[0] if self.is_plain else None
        if static is None:
            self._painter.drawText(QPointF(x, baseline), text)
        else:
            self._painter.drawStaticText(QPointF(x, baseline - self.ascent), static)

    def write_in(
        self,
        rect: QRectF,
        text: str,
        across: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter,
        colour: str | QColor = "",
    ) -> None:
        """Write the text at half the height of a rectangle, on its left, in its middle or on its right.

        The painter has a pen of the ``colour`` from then on; without one it keeps its own.
        """
        if colour:
            self._painter.setPen(self._style.pen(colour))
        static, width = _laid_out(text, self._face) if self.is_plain else (None, 0.0)
        room, height = rect.width(), rect.height()
        if self.height > height:  # letters in a low line are not clipped
            rect, height = rect.adjusted(0, (height - self.height) / 2, 0, (self.height - height) / 2), self.height
        if static is None or width > room:  # drawText clips a text that is too wide
            self._painter.drawText(rect, across | Qt.AlignmentFlag.AlignVCenter, text)
            return
        part = 0.0 if across == Qt.AlignmentFlag.AlignLeft else 1.0 if across == Qt.AlignmentFlag.AlignRight else 0.5
        top = rect.y() + (height - self.height) / 2
        self._painter.drawStaticText(QPointF(rect.x() + part * (room - width), top), static)
