"""Corrections of Qt's SVG files: size, fallback fonts, characters that XML forbids, empty groups."""

import html
import re
from functools import cache

from PySide6.QtGui import QFontMetricsF

from posenc_gui.look.style import FAMILY, Style

_SIZE = re.compile(r'<svg width="[^"]*" height="[^"]*"')
_FAMILY = f'font-family="{FAMILY}"'
_FALLBACKS = f'font-family="{FAMILY}, Helvetica, Arial, sans-serif"'
_TEXT = re.compile(r'<text ([^>]*? font-size="([^"]*)" font-weight="([^"]*)"[^>]*?) *\n? *>([^<]*)</text>')
_SEMIBOLD = 600
# Every change of pen or brush opens a group, often an empty one, with a font although texts name their own.
_GROUP_FONT = re.compile(r'\nfont-family="[^"]*" font-size="[^"]*" font-weight="[^"]*" font-style="[^"]*" \n>')
_EMPTY = re.compile(r"<g [^>]*>\s*</g>\s*")
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def finished_svg(content: bytes, size: tuple[str, str], style: Style) -> bytes:
    """The corrected SVG file of a width and a height, with fallback fonts for systems without the program's font.

    Every text element has its length, so that text in a wider font does not overlap its neighbour.
    """
    text = _FORBIDDEN.sub("\ufffd", content.decode("utf-8"))
    # The generator rounds to millimetres, which makes the picture a fraction of a pixel too large.
    text = _SIZE.sub(f'<svg width="{size[0]}" height="{size[1]}"', text, count=1)
    text = _EMPTY.sub("", _EMPTY.sub("", _GROUP_FONT.sub(">", text)))  # twice, for nested groups

    @cache
    def metrics(px: float, semibold: bool) -> QFontMetricsF:
        return QFontMetricsF(style.font(px, semibold))

    def with_length(found: re.Match[str]) -> str:
        attributes, px, weight, words = found.groups()
        length = metrics(float(px), int(weight) >= _SEMIBOLD).horizontalAdvance(html.unescape(words))
        return f'<text {attributes} textLength="{length:g}" lengthAdjust="spacingAndGlyphs">{words}</text>'

    return _TEXT.sub(with_length, text).replace(_FAMILY, _FALLBACKS).encode("utf-8")
