"""Corrections of Qt's SVG files: labels, size, fallback fonts, characters that XML forbids, empty groups."""

import html
import re
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QTransform
from typing_extensions import override

from posenc_gui.look import FAMILY

_SIZE = re.compile(r'<svg width="[^"]*" height="[^"]*"')
_FAMILY = f'font-family="{FAMILY}"'
_FALLBACKS = f'font-family="{FAMILY}, Helvetica, Arial, sans-serif"'
_LABEL = re.compile(r'<text ([^>]*?) x="[^"]*" y="([^"]*)" ([^>]*?) *\n? *>label ([0-9]+)</text>')
# Every change of pen or brush opens a group, often an empty one, with a font although texts name their own.
_GROUP_FONT = re.compile(r'\nfont-family="[^"]*" font-size="[^"]*" font-weight="[^"]*" font-style="[^"]*" \n>')
_EMPTY = re.compile(r"<g [^>]*>\s*</g>\s*")
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_TOUCHING = 0.5
"""The greatest distance in pixels between two pieces of one label."""


class _Piece(Struct, frozen=True):
    """A part of a label in one colour, and its width in Inter."""

    text: str
    colour: str
    semibold: bool
    width: float


class _Label:
    """A text that is written as one, from the pieces that are painted side by side."""

    def __init__(self, x: float, baseline: float, anchor: str, transform: QTransform, piece: _Piece) -> None:
        self.x, self.baseline, self.anchor, self.transform = x, baseline, anchor, transform
        self.pieces = [piece]
        self._left, self._right = x, x + piece.width

    def takes(self, x: float, baseline: float, transform: QTransform, piece: _Piece) -> bool:
        """Add a piece if it touches this label at its left or right; returns whether it does."""
        if self.anchor == "middle" or (baseline, transform) != (self.baseline, self.transform):
            return False
        if abs(x + piece.width - self._left) <= _TOUCHING:  # painted from the right to the left
            self.pieces.insert(0, piece)
            self._left, self.x, self.anchor = x, self._right, "end"
        elif abs(x - self._right) <= _TOUCHING:
            self.pieces.append(piece)
            self._right = x + piece.width
        else:
            return False
        return True

    def content(self) -> str:
        """The text between the tags."""
        if len(self.pieces) == 1:
            return html.escape(self.pieces[0].text)
        return "".join(
            f'<tspan fill="{piece.colour}" font-weight="{600 if piece.semibold else 400}">{html.escape(piece.text)}'
            "</tspan>"
            for piece in self.pieces
        )

    @property
    def width(self) -> float:
        """The width of all pieces in Inter."""
        return sum(piece.width for piece in self.pieces)


class LabelPainter(QPainter):
    """Paints to an SVG file, and collects the labels, in place of which it writes their numbers.

    Qt writes the start of a text in the program's font. In another font, a centred text would be off its centre.
    """

    def __init__(self) -> None:
        super().__init__()
        self._labels: list[_Label] = []

    @override
    def drawText(self, *arguments: Any) -> None:  # type: ignore[override]  # the two of Qt's overloads in use
        place, text = arguments[0], arguments[-1]
        font = self.font()
        width = QFontMetricsF(font).horizontalAdvance(text)
        piece = _Piece(text, self.pen().color().name(), font.weight() > font.Weight.Medium, width)
        if isinstance(place, QRectF):
            x, anchor = _anchor(place, Qt.AlignmentFlag(arguments[1]))
            self._labels.append(_Label(x, place.y(), anchor, self.transform(), piece))
            unclipped = arguments[1] | Qt.TextFlag.TextDontClip  # the number may be longer than the text
            super().drawText(place, unclipped, f"label {len(self._labels) - 1}")
            return
        x, y = QPointF(place).x(), QPointF(place).y()
        if self._labels and self._labels[-1].takes(x, y, self.transform(), piece):
            return
        self._labels.append(_Label(x, y, "start", self.transform(), piece))
        super().drawText(QPointF(place), f"label {len(self._labels) - 1}")

    def finished(self, content: bytes, size: tuple[str, str]) -> bytes:
        """The corrected SVG file of a width and a height, with fallback fonts for systems without the program's font.

        Each label is one text element with its anchor and its length in the program's font, so that it keeps its
        place in another font.
        """
        text = _FORBIDDEN.sub("\ufffd", content.decode("utf-8"))
        # The generator rounds to millimetres, which makes the picture a fraction of a pixel too large.
        text = _SIZE.sub(f'<svg width="{size[0]}" height="{size[1]}"', text, count=1)
        text = _EMPTY.sub("", _EMPTY.sub("", _GROUP_FONT.sub(">", text)))  # twice, for nested groups
        text = _LABEL.sub(self._written, text)
        return _FORBIDDEN.sub("\ufffd", text).replace(_FAMILY, _FALLBACKS).encode("utf-8")

    def _written(self, found: re.Match[str]) -> str:
        before, y, after, number = found.groups()
        label = self._labels[int(number)]
        length = f'textLength="{label.width:g}" lengthAdjust="spacingAndGlyphs"'
        place = f'x="{label.x:g}" y="{y}" text-anchor="{label.anchor}"'
        return f"<text {before} {place} {after} {length}>{label.content()}</text>"


def _anchor(rect: QRectF, side: Qt.AlignmentFlag) -> tuple[float, str]:
    """The place and the anchor of a text in a rectangle."""
    if side & Qt.AlignmentFlag.AlignRight:
        return rect.right(), "end"
    if side & Qt.AlignmentFlag.AlignHCenter:
        return rect.center().x(), "middle"
    return rect.left(), "start"
