"""Pens of the lines of a plot, and the drawn plots for a script."""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace
from PySide6.QtGui import QColor, QPen

from posenc_core.explain import MOST_NUMBERS
from posenc_core.numerics import FloatArray
from posenc_core.scripts import DrawnAxis, DrawnLine, DrawnPlot
from posenc_gui.figures.lines.line_plot import FIRST_CHOSEN, FIRST_ENCODING, FIRST_SHADE, LAST_SHADE, Line, Plot
from posenc_gui.look import Style
from posenc_gui.plotting import Range

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


def drawn_plots(plots: Sequence[Plot], windows: Sequence[tuple[Range, Range]], style: Style) -> tuple[DrawnPlot, ...]:
    """The parts of the plots in their windows for a script, with few enough points for their numbers."""
    n_columns = sum(2 if line.spread is None else 4 for plot in plots for line in plot.lines)
    most = (MOST_NUMBERS // max(1, n_columns) - 4) // 2 * 2  # thinning may leave some more
    parts = [part for plot, window in zip(plots, windows, strict=True) for part in _by_axis(plot, *window)]
    return tuple(_drawn(*part, style, most) for part in parts)


def _by_axis(plot: Plot, across: Range, upright: Range) -> list[tuple[Plot, Range, Range]]:
    """The plot of the lines on the left axis, and a plot for each line with a separate axis; with their windows."""
    shared = tuple(line for line in plot.lines if line.scale is None)
    parts = [(replace(plot, lines=shared), across, upright)] if shared or not plot.lines else []
    for line in plot.lines:
        if line.scale is not None:
            ends = (plot.own_value(line.scale, upright[0]), plot.own_value(line.scale, upright[1]))
            parts.append((replace(plot, lines=(line,), y_scale=line.scale, rules=()), across, ends))
    return parts


def _drawn(plot: Plot, across: Range, upright: Range, style: Style, most: int) -> DrawnPlot:
    first, last = (plot.x_scale.value(each) for each in across)
    bottom, top = (plot.y_scale.value(each) for each in upright)
    start, stop = np.searchsorted(plot.x, (first, last)).tolist()
    part = slice(max(0, start - 1), stop + 1)
    return DrawnPlot(
        tuple(_drawn_line(plot.x[part], line, part, style, most) for line in plot.lines),
        DrawnAxis(plot.x_scale.title, first, last, plot.x_scale.logarithmic),
        DrawnAxis(plot.y_scale.title, bottom, top, plot.y_scale.logarithmic),
        tuple((rule.text, float(rule.value)) for rule in plot.rules if not rule.upright),
        tuple((rule.text, float(rule.value)) for rule in plot.rules if rule.upright),
        tuple((band.text, band.first, band.last, band.tint) for band in plot.bands),
        plot.stretch,
    )


def _drawn_line(x: FloatArray, line: Line, part: slice, style: Style, most: int) -> DrawnLine:
    pen = line_pen(style, line.look)
    places, y = thinned(x, line.y[part], most)
    band = None
    if line.spread is not None:
        low, high = (thinned(x, (line.y + sign * line.spread)[part], most)[1] for sign in (-1, 1))
        band = (low, high)
    return DrawnLine(line.name, pen.color().name(), pen.widthF(), tuple(pen.dashPattern()), places, y, band)
