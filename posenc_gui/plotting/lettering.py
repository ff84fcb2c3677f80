"""Words on a picture, laid out once: most of what is written stays the same from one painting to the next.

Laying a text out takes Qt twice as long as painting it. What is laid out is painted where the text would be, to the
pixel. In files, and where the picture is scaled, texts are drawn as they are, and stay texts.
"""

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QStaticText, QTransform

from posenc_gui.plotting.layer import is_vector
from posenc_gui.style import LIGHT

_MANY = 4096
_UNSCALED = (QTransform.TransformationType.TxNone, QTransform.TransformationType.TxTranslate)


@lru_cache(maxsize=_MANY)
def _laid_out(text: str, px: int, semibold: bool) -> tuple[QStaticText | None, float]:
    """The text ready to be painted, and its width; None for what runs from right to left or takes other fonts."""
    font = LIGHT.font(px, semibold)
    if any(letter > "\u04ff" and not "\u2010" <= letter <= "\u22ff" for letter in text) or not text.isprintable():
        return None, QFontMetricsF(font).horizontalAdvance(text)
    static = QStaticText(text)
    static.setTextFormat(Qt.TextFormat.PlainText)
    static.prepare(QTransform(), font)
    # Of a letter that leans out of its width Qt counts here what leans out, too; no figure does.
    return static, static.size().width() if text[-1:].isdigit() else QFontMetricsF(font).horizontalAdvance(text)


@lru_cache(maxsize=64)
def _ascent_and_height(px: int, semibold: bool) -> tuple[float, float]:
    metrics = QFontMetricsF(LIGHT.font(px, semibold))
    return metrics.ascent(), metrics.height()


def width_of(text: str, px: int, semibold: bool = False) -> float:
    """The width of the text in logical pixels, in the program's font at a size."""
    return _laid_out(text, px, semibold)[1]


class Lettering:
    """Writes on one painter, in the program's font and the painter's pen."""

    def __init__(self, painter: QPainter, px: int, semibold: bool = False) -> None:
        self._painter = painter
        self._is_plain = painter.worldTransform().type() in _UNSCALED and not is_vector(painter)
        self._font = (-1, False)
        self.use(px, semibold)

    def use(self, px: int, semibold: bool = False) -> None:
        """Write in this size from now on."""
        if self._font != (px, semibold):
            self._font = (px, semibold)
            self._ascent, self._height = _ascent_and_height(px, semibold)
            self._painter.setFont(LIGHT.font(px, semibold))

    def width(self, text: str) -> float:
        """The width of the text."""
        return _laid_out(text, *self._font)[1]

    def write(self, x: float, baseline: float, text: str) -> None:
        """The text from a place on its baseline on."""
        static = _laid_out(text, *self._font)[0] if self._is_plain else None
        if static is None:
            self._painter.drawText(QPointF(x, baseline), text)
        else:
            self._painter.drawStaticText(QPointF(x, baseline - self._ascent), static)

    def write_in(self, rect: QRectF, text: str, across: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter) -> None:
        """The text in the middle of a rectangle's height, and at its left, middle or right."""
        static, width = _laid_out(text, *self._font) if self._is_plain else (None, 0.0)
        room, height = rect.width(), rect.height()
        if static is None or width > room or self._height > height:  # a text that is too large is cut
            self._painter.drawText(rect, across | Qt.AlignmentFlag.AlignVCenter, text)
            return
        part = 0.0 if across == Qt.AlignmentFlag.AlignLeft else 1.0 if across == Qt.AlignmentFlag.AlignRight else 0.5
        top = rect.y() + (height - self._height) / 2
        self._painter.drawStaticText(QPointF(rect.x() + part * (room - width), top), static)
