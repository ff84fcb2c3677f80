"""Pens of the lines of a plot, and lines with fewer points."""

import numpy as np
from PySide6.QtGui import QColor, QPen

from posenc_core.numerics import FloatArray
from posenc_gui.figures.lines.line_plot import FIRST_CHOSEN, FIRST_ENCODING, FIRST_SHADE, LAST_SHADE
from posenc_gui.look import Style

_COLOURS = {
    "light": ("#0072b2", "#c44e00", "#007a58", "#a8447a", "#6f5500", "#5a3fa0"),
    "dark": ("#56b4e9", "#e69f00", "#2fc79a", "#e08fbc", "#f0e442", "#b79cf0"),
}
"""The hues of Okabe and Ito and a violet, with a contrast of at least 3:1 on the paper of each theme."""

_DASHES = (
    (6.0, 2.5),
    (8.0, 2.5, 1.5, 2.5),
    (12.0, 3.0),
    (1.5, 2.5),
    (4.0, 2.0, 4.0, 5.0),
    (10.0, 2.0, 1.5, 2.0, 1.5, 2.0),
)
"""In pixels; a print in grey keeps the lines apart by these."""

_THIN, _THICK = 1.4, 2.4

_SHADES = {"light": ("#3b1a6e", "#00698c", "#4f7d00", "#d97a00"), "dark": ("#8f7fe6", "#4fb0e0", "#8fd868", "#ffe880")}
"""Stops of the scale of colours, whose lightness only rises; with a contrast of at least 3:1 on the paper."""


def line_pen(style: Style, look: int) -> QPen:
    """The pen of a line with this look."""
    if look <= 0:
        return style.pen(style.accent if look else style.ink, _THICK)
    if look >= FIRST_SHADE:
        return style.pen(_shade(style, (look - FIRST_SHADE) / (LAST_SHADE - FIRST_SHADE)), _THIN)
    if look >= FIRST_CHOSEN:
        return style.encoding_pen(look - FIRST_CHOSEN, _THICK)
    if look >= FIRST_ENCODING:
        return style.encoding_pen(look - FIRST_ENCODING, _THIN)
    colours = _COLOURS[style.name]
    dash = [length / _THIN for length in _DASHES[(look - 1) % len(_DASHES)]]
    return style.pen(colours[(look - 1) % len(colours)], _THIN, dash)


def _shade(style: Style, share: float) -> QColor:
    """The colour at a share of the scale."""
    colours = [QColor(name) for name in _SHADES[style.name]]
    stops = [[each.red(), each.green(), each.blue()] for each in colours]
    places = np.linspace(0, 1, len(stops))
    return QColor(*(round(float(np.interp(share, places, part))) for part in zip(*stops, strict=True)))


def thinned(x: FloatArray, y: FloatArray, most: int) -> tuple[FloatArray, FloatArray]:
    """The line with about ``most`` points at most: of a longer line, the extremes of each stretch."""
    if len(x) <= most:
        return x, y
    starts = np.unique(np.linspace(0, len(x), most // 2, endpoint=False).astype(np.int64))
    pairs = np.stack([np.minimum.reduceat(y, starts), np.maximum.reduceat(y, starts)], axis=1)
    falling = y[starts] > y[np.append(starts[1:], len(y)) - 1]
    pairs[falling] = pairs[falling, ::-1]
    return np.repeat(x[starts], 2), pairs.ravel()
