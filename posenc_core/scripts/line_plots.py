"""Matplotlib scripts that draw plots of lines, whose numbers they contain."""

import textwrap
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Encoding
from posenc_core.explain import MOST_NUMBERS, number_list
from posenc_core.numerics import FloatArray
from posenc_core.scripts.plots import plain_label
from posenc_core.scripts.snippets import filled, head_of

_WIDTH = 112


class DrawnLine(Struct, frozen=True, eq=False):
    """A line: its label, colour (``#rrggbb``), width and dashes in points, and its values at ``x``.

    ``band`` are the lower and the upper end of a tinted band around it.
    """

    label: str
    colour: str
    width: float
    dashes: tuple[float, ...]
    x: FloatArray
    y: FloatArray
    band: tuple[FloatArray, FloatArray] | None = None


class DrawnAxis(Struct, frozen=True):
    """An axis: its title, its ends in view, and whether it is logarithmic."""

    title: str
    first: float
    last: float
    logarithmic: bool


class DrawnPlot(Struct, frozen=True, eq=False):
    """A plot: its lines and axes, the labels and values of straight lines, and the labels and ends of tinted parts.

    ``upright_rules`` are at values of x, ``rules`` at values of y. ``stretch`` is its share of the height.
    """

    lines: tuple[DrawnLine, ...]
    across: DrawnAxis
    upright: DrawnAxis
    rules: tuple[tuple[str, float], ...] = ()
    upright_rules: tuple[tuple[str, float], ...] = ()
    bands: tuple[tuple[str, float, float, float], ...] = ()
    stretch: int = 1


def lines_script(encoding: Encoding, title: str, plots: Sequence[DrawnPlot]) -> str:
    """A script that draws the plots below each other, under comments with the title and the encoding.

    ValueError with one sentence if more than ``MOST_NUMBERS`` numbers would have to be written out.
    """
    columns = [column for plot in plots for line in plot.lines for column in (line.x, line.y, *(line.band or ()))]
    n_numbers = sum(map(len, columns))
    if n_numbers > MOST_NUMBERS:
        raise ValueError(f"{n_numbers} numbers would have to be written out, at most {MOST_NUMBERS} are")
    special = [] if all(np.isfinite(column).all() for column in columns) else ["from numpy import inf, nan"]
    lines = filled(
        "lines",
        special=special,
        lines=[each for at, plot in enumerate(plots) for line in plot.lines for each in _line_lines(at, line)],
        subplots=subplots_lines(plots),
        axes=[each for at, plot in enumerate(plots) for each in axis_lines(at, plot)],
    )
    return "\n".join([f"# {title}, with the numbers that were drawn", *head_of(encoding), *lines, ""])


def subplots_lines(plots: Sequence[DrawnPlot]) -> list[str]:
    """Lines that define ``fig`` and its ``axes``, one below the other."""
    return [
        "fig, axes = plt.subplots(",
        f"    {len(plots)}, squeeze=False, figsize=(7, {3 + 1.5 * len(plots)}), "
        f"height_ratios={[plot.stretch for plot in plots]}, layout='constrained'",
        ")",
    ]


def _line_lines(at: int, line: DrawnLine) -> list[str]:
    dashes = tuple(round(each, 3) for each in line.dashes)
    band = ["        None,"]
    if line.band is not None:
        band = ["        (", *(f"    {each}" for end in line.band for each in _array_lines(end)), "        ),"]
    return [
        "    (",
        f"        {at}, {plain_label(line.label)!r}, {line.colour!r}, {line.width!r}, {dashes!r},",
        *_array_lines(line.x),
        *_array_lines(line.y),
        *band,
        "    ),",
    ]


def _array_lines(values: FloatArray) -> list[str]:
    numbers = textwrap.wrap(number_list(values.tolist())[1:-1], _WIDTH, break_long_words=False, break_on_hyphens=False)
    return ["        np.array([", *(f"            {each}" for each in numbers), "        ]),"]


def axis_lines(at: int, plot: DrawnPlot) -> list[str]:
    """Lines that name and scale the axes of the plot at an index, with its bands and straight lines."""
    lines = ["", f"ax = axes[{at}, 0]"]
    for name, axis in (("x", plot.across), ("y", plot.upright)):
        scale = f", {name}scale='log'" if axis.logarithmic else ""
        ends = f"{name}lim=({axis.first!r}, {axis.last!r})"
        lines.append(f"ax.set({name}label={plain_label(axis.title)!r}{scale}, {ends})")
    for text, first, last, tint in plot.bands:
        lines.append(f"ax.axvspan({first!r}, {last!r}, alpha={0.16 * tint!r}, linewidth=0)")
        lines.append(f"ax.text({(first + last) / 2!r}, 0.97, {text!r}, transform=ax.get_xaxis_transform(), {_TOP})")
    for text, value in plot.rules:
        lines.append(f"ax.axhline({value!r}, {_RULE})")
        lines.append(f"ax.text(0.01, {value!r}, {text!r}, transform=ax.get_yaxis_transform(), va='bottom', {_SMALL})")
    for text, value in plot.upright_rules:
        lines.append(f"ax.axvline({value!r}, {_RULE})")
        lines.append(f"ax.text({value!r}, 0.97, {text!r}, transform=ax.get_xaxis_transform(), {_TOP})")
    lines.append("ax.grid(color='#e3e6ea', linewidth=0.6)")
    if at == 0:
        lines.append("ax.legend(frameon=False, fontsize=8)")
    return lines


_SMALL = "fontsize=8, clip_on=True"
_TOP = f"va='top', ha='center', {_SMALL}"
_RULE = "color='black', linewidth=1, linestyle=':'"
