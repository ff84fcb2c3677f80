"""What a plot of lines shows, as values: lines, bands, straight lines that can be dragged, and the table of numbers."""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from posenc_core import Document, Encoding
from posenc_core.encodings import turning_pairs
from posenc_core.explain import MOST_NUMBERS
from posenc_core.numerics import FloatArray
from posenc_core.scripts import DrawnAxis, DrawnLine, DrawnPlot
from posenc_core.session import COMPARED_SCALINGS, LETTERS, compared_encodings
from posenc_gui.look import NO_NUMBER, Style, counted, significant
from posenc_gui.plotting import Range, Scale

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

_OWN_LOOKS = {"none": 0, "present": -1}
"""The looks of an encoding as trained, and with its own scaling."""

_FIRST_ENCODING, _FIRST_CHOSEN = 100, 200
"""Looks from here on are those of the encodings A to D, thin and thick."""


def compared_look(name: str) -> int:
    """The look of an encoding as trained (``none``), with its own scaling (``present``), or with a compared one."""
    return _OWN_LOOKS[name] if name in _OWN_LOOKS else 1 + COMPARED_SCALINGS.values.index(name)


def encoding_look(index: int, is_chosen: bool = False) -> int:
    """The look of encoding A, B, C or D, in its colour and dash; thick for the chosen one."""
    return index + (_FIRST_CHOSEN if is_chosen else _FIRST_ENCODING)


def named_look(document: Document, index: int) -> tuple[str, int]:
    """The name and the look of an encoding's line: its letter and its own look where there are several."""
    title, is_chosen = document.encodings[index].title, index == document.current
    if len(document.encodings) == 1:
        return title, 0
    return f"{LETTERS[index]} {title}", encoding_look(index, is_chosen)


_SHORTER = {
    "Position interpolation": "PI", "Frequency scale": "freq_scale", "Listed divisors": "Listed",
    "largest of all pairs": "largest",
}  # fmt: skip


def shorter_names(name: str) -> tuple[str, str, str]:
    """The name of a line, and two shorter ones: without the factor of its scaling, and with a shorter title."""
    bare = shorter = name.partition(" × ")[0]
    for long, short in _SHORTER.items():
        shorter = shorter.replace(long, short)
    return name, bare, shorter


class TurningEncoding(Struct, frozen=True, eq=False):
    """An encoding whose pairs turn, with the title and the look of its line.

    ``index`` is that of an encoding of the document, ``scaling`` the name of a compared one that it has instead of its
    own, "" for its own.
    """

    title: str
    look: int
    index: int
    scaling: str
    encoding: Encoding


def turning_encodings(document: Document) -> tuple[tuple[TurningEncoding, ...], tuple[str, ...]]:
    """The chosen encoding's scalings, then the others of A to D that turn pairs, and a sentence for what is left out.

    A letter stands before the titles of the document's own where it has several. Both are empty for a chosen one
    without pairs.
    """
    chosen, letter = document.encoding, f"{document.letter} " if document.letter else ""
    if not turns_pairs(chosen):
        return (), ()
    comparison = compared_encodings(chosen, document.view.compared_scalings, document.lengths)
    found, left_out = [], [*comparison.refusals]
    for each in comparison.encodings:
        own = each == comparison.present
        title, look = f"{letter if own else ''}{each.title}", compared_look(each.name)
        found.append(TurningEncoding(title, look, document.current, "" if own else each.name, each.encoding))
    for index, named in enumerate(document.encodings):
        if not turns_pairs(named.encoding):
            left_out.append(f"{LETTERS[index]} has no pairs that turn")
        elif index != document.current:
            title = f"{LETTERS[index]} {named.title}"
            found.append(TurningEncoding(title, encoding_look(index), index, "", named.encoding))
    return tuple(found), tuple(left_out)


def turns_pairs(encoding: Encoding) -> bool:
    """Whether the encoding turns at least one whole pair with the position."""
    pairs = turning_pairs(encoding)
    return pairs is not None and pairs.n_whole > 0


class Line(Struct, frozen=True, eq=False):
    """A line: its name, its values, and its look.

    Look 0 is thick in the colour of text, -1 thick in the accent's, and those from 1 on have colours and dashes;
    ``encoding_look`` gives those of the encodings A to D. ``spread`` is how far a tinted band reaches above and below
    the line. ``scale`` is the line's own upright axis, in place of the plot's; both are linear.
    """

    name: str
    y: FloatArray
    look: int = 0
    spread: FloatArray | None = None
    scale: Scale | None = None


class Rule(Struct, frozen=True):
    """A straight line across the plot at a value; dragging it edits the document's ``field``, if it has one."""

    text: str
    value: float
    field: str = ""
    upright: bool = False


class Band(Struct, frozen=True):
    """A part of the plot from one value of x to another, with its name and the strength of its tint from 0 to 1."""

    first: float
    last: float
    text: str
    tint: float


class Plot(Struct, frozen=True, eq=False):
    """One plot: the values of x in ascending order, and what is drawn over them.

    ``stretch`` is its share of the figure's height.
    """

    x: FloatArray
    lines: tuple[Line, ...]
    x_scale: Scale
    y_scale: Scale
    rules: tuple[Rule, ...] = ()
    bands: tuple[Band, ...] = ()
    stretch: int = 1

    def heights(self, line: Line) -> FloatArray:
        """The values of a line on the plot's upright axis."""
        own = line.scale
        if own is None:
            return line.y
        return self.y_scale.first + (line.y - own.first) * self.y_scale.span / own.span

    def own_value(self, own: Scale, height: float) -> float:
        """The value of a line's own axis at a height on the plot's."""
        return own.first + (height - self.y_scale.first) * own.span / self.y_scale.span

    def nearest(self, x: float) -> int:
        """The index of the value of x that is nearest."""
        after = int(np.clip(np.searchsorted(self.x, x), 1, max(1, len(self.x) - 1)))
        before = after - 1
        return after if after < len(self.x) and self.x[after] - x < x - self.x[before] else before


def line_pen(style: Style, look: int) -> QPen:
    """The pen of a line with this look."""
    if look <= 0:
        return style.pen(style.accent if look else style.ink, _THICK)
    if look >= _FIRST_CHOSEN:
        return style.encoding_pen(look - _FIRST_CHOSEN, _THICK)
    if look >= _FIRST_ENCODING:
        return style.encoding_pen(look - _FIRST_ENCODING, _THIN)
    colours = _COLOURS[style.name]
    pen = style.pen(QColor(colours[(look - 1) % len(colours)]), _THIN)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([length / _THIN for length in _DASHES[(look - 1) % len(_DASHES)]])
    return pen


def thinned(x: FloatArray, y: FloatArray, most: int) -> tuple[FloatArray, FloatArray]:
    """The line with at most ``most`` points, or so few more: where it has more, the extremes of each stretch."""
    if len(x) <= most:
        return x, y
    starts = np.unique(np.linspace(0, len(x), most // 2, endpoint=False).astype(np.int64))
    pairs = np.stack([np.minimum.reduceat(y, starts), np.maximum.reduceat(y, starts)], axis=1)
    falling = y[starts] > y[np.append(starts[1:], len(y)) - 1]
    pairs[falling] = pairs[falling, ::-1]
    return np.repeat(x[starts], 2), pairs.ravel()


def numbers_of(plots: Sequence[Plot]) -> Mapping[str, FloatArray]:
    """The columns of a table of what the plots draw: x first, then each line under its own and its axis' name."""
    columns: dict[str, FloatArray] = {}
    for plot in plots:
        across, upright = (scale.title.partition(",")[0] for scale in (plot.x_scale, plot.y_scale))
        columns.setdefault(across, plot.x)
        for line in plot.lines:
            columns[f"{upright}: {line.name}"] = line.y
            if line.spread is not None:
                columns[f"{upright}: {line.name}, spread"] = line.spread
    return columns


def drawn_plots(plots: Sequence[Plot], windows: Sequence[tuple[Range, Range]], style: Style) -> tuple[DrawnPlot, ...]:
    """The parts of the plots in their windows for a script, with so few points that it can hold their numbers."""
    n_columns = sum(2 if line.spread is None else 4 for plot in plots for line in plot.lines)
    most = (MOST_NUMBERS // max(1, n_columns) - 4) // 2 * 2  # thinning may leave some more
    parts = [part for plot, window in zip(plots, windows, strict=True) for part in _by_axis(plot, *window)]
    return tuple(_drawn(*part, style, most) for part in parts)


def _by_axis(plot: Plot, across: Range, upright: Range) -> list[tuple[Plot, Range, Range]]:
    """The plot with the lines on its upright axis, and one for each line on an axis of its own; with their windows."""
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


def value_text(value: float) -> str:
    """A value in the legend; a dash for a missing one."""
    if np.isnan(value):
        return NO_NUMBER
    if np.isinf(value):
        return "∞"
    return counted(round(value)) if 1000 <= abs(value) < 1e7 else significant(value, 4)
