"""The Matplotlib script of plots of lines, which contains their numbers."""

import textwrap
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from posenc_core import Document
from posenc_core.explain import MOST_NUMBERS, number_list, template_lines
from posenc_core.numerics import FloatArray
from posenc_core.scripts import head_of, plain_label
from posenc_gui.figures.lines.line_looks import line_pen, thinned
from posenc_gui.figures.lines.line_plot import Line, Plot
from posenc_gui.look import Style
from posenc_gui.plotting import Range

_WIDTH = 112
_LETTERS_AN_INCH, _HANDLE = 15, 8
"""Letters of 8 points per inch, and as wide as the piece of a line before its name."""
_LEGEND = "loc='outside upper center', frameon=False, fontsize='small'"
_SMALL = "fontsize=8, clip_on=True"
_TOP = f"va='top', ha='center', {_SMALL}"
_RULE = "color='black', linewidth=1, linestyle=':'"


def in_windows(plots: Sequence[Plot], windows: Sequence[tuple[Range, Range]]) -> list[Plot]:
    """The plots with axes that end at their windows, and a plot for each line with a separate axis."""
    found = []
    for plot, (across, upright) in zip(plots, windows, strict=True):
        first, last = (plot.x_scale.value(each) for each in across)
        seen = replace(plot, x_scale=replace(plot.x_scale, first=first, last=last))
        low, high = (plot.y_scale.value(each) for each in upright)
        shared = tuple(line for line in plot.lines if line.scale is None)
        if shared or not plot.lines:
            found.append(replace(seen, lines=shared, y_scale=replace(plot.y_scale, first=low, last=high)))
        for line in plot.lines:
            if line.scale is not None:
                own = replace(
                    line.scale,
                    first=plot.own_value(line.scale, upright[0]),
                    last=plot.own_value(line.scale, upright[1]),
                )
                found.append(replace(seen, lines=(line,), y_scale=own, rules=()))
    return found


def lines_script(document: Document, title: str, plots: Sequence[Plot], style: Style) -> str:
    """A script that draws the plots below each other, under comments with the title and the encoding.

    Long lines have fewer points. ValueError with one sentence if more than ``MOST_NUMBERS`` numbers would have to be
    written out.
    """
    n_columns = sum(2 if line.spread is None else 4 for plot in plots for line in plot.lines)
    most = (MOST_NUMBERS // max(1, n_columns) - 4) // 2 * 2  # thinning may leave some more
    drawn = [(at, line, _columns(plot, line, most)) for at, plot in enumerate(plots) for line in plot.lines]
    n_numbers = sum(len(column) for *_, columns in drawn for column in columns)
    if n_numbers > MOST_NUMBERS:
        raise ValueError(f"{n_numbers} numbers would have to be written out, at most {MOST_NUMBERS} are")
    is_finite = all(np.isfinite(column).all() for *_, columns in drawn for column in columns)
    lines = template_lines(
        __file__,
        "line_script",
        special=[] if is_finite else ["from numpy import inf, nan"],
        lines=[each for at, line, columns in drawn for each in _line_lines(at, written_line(line, style), columns)],
        subplots=subplots_lines(plots),
        axes=[each for at, plot in enumerate(plots) for each in axis_lines(at, plot)],
    )
    return "\n".join([f"# {title}, with the numbers that were drawn", *head_of(document.encoding), *lines, ""])


def _columns(plot: Plot, line: Line, most: int) -> list[FloatArray]:
    """The values of x in view, the line's, and the lower and the upper end of its band if it has one."""
    start, stop = np.searchsorted(plot.x, (plot.x_scale.first, plot.x_scale.last)).tolist()
    part = slice(max(0, start - 1), stop + 1)
    heights = [line.y] if line.spread is None else [line.y, line.y - line.spread, line.y + line.spread]
    thin = [thinned(plot.x[part], each[part], most) for each in heights]
    return [thin[0][0], *(y for _, y in thin)]


def written_line(line: Line, style: Style) -> str:
    """The label, colour, width and dashes of a line as a script writes them."""
    pen = line_pen(style, line.look)
    dashes = tuple(round(each, 3) for each in pen.dashPattern())
    return f"{plain_label(line.name)!r}, {pen.color().name()!r}, {pen.widthF()!r}, {dashes!r}"


def subplots_lines(plots: Sequence[Plot]) -> list[str]:
    """Lines that define ``fig`` and its ``axes``, one below the other."""
    return [
        "fig, axes = plt.subplots(",
        f"    {len(plots)}, squeeze=False, figsize=(7, {3 + 1.5 * len(plots)}), "
        f"height_ratios={[plot.stretch for plot in plots]}, layout='constrained'",
        ")",
    ]


def _line_lines(at: int, words: str, columns: Sequence[FloatArray]) -> list[str]:
    x, y, *ends = map(_array_lines, columns)
    band = ["        (", *(f"    {each}" for end in ends for each in end), "        ),"] if ends else ["        None,"]
    return ["    (", f"        {at}, {words},", *x, *y, *band, "    ),"]


def _array_lines(values: FloatArray) -> list[str]:
    numbers = textwrap.wrap(number_list(values.tolist())[1:-1], _WIDTH, break_long_words=False, break_on_hyphens=False)
    return ["        np.array([", *(f"            {each}" for each in numbers), "        ]),"]


def axis_lines(at: int, plot: Plot) -> list[str]:
    """Lines that name and scale the axes of the plot at an index, with its bands and straight lines."""
    lines = ["", f"ax = axes[{at}, 0]"]
    for name, axis in (("x", plot.x_scale), ("y", plot.y_scale)):
        scale = f", {name}scale='log'" if axis.logarithmic else ""
        ends = f"{name}lim=({axis.first!r}, {axis.last!r})"
        lines.append(f"ax.set({name}label={plain_label(axis.title)!r}{scale}, {ends})")
        if axis.whole and not axis.logarithmic:
            lines.append(f"ax.locator_params({name!r}, integer=True)")
    for band in plot.bands:
        lines.append(f"ax.axvspan({band.first!r}, {band.last!r}, alpha={0.16 * band.tint!r}, linewidth=0)")
        middle = f"{(band.first + band.last) / 2!r}, 0.97, {band.text!r}"
        lines.append(f"ax.text({middle}, transform=ax.get_xaxis_transform(), {_TOP})")
    for index, rule in enumerate(sorted(plot.rules, key=lambda rule: rule.upright)):  # level lines first
        value, axis_name = float(rule.value), "v" if rule.upright else "h"
        place = f"{value!r}, {0.97 - 0.08 * index:.2f}" if rule.upright else f"0.01, {value!r}"
        side, look = ("x", _TOP) if rule.upright else ("y", f"va='bottom', {_SMALL}")
        lines.append(f"ax.ax{axis_name}line({value!r}, {_RULE})")
        lines.append(f"ax.text({place}, {rule.text!r}, transform=ax.get_{side}axis_transform(), {look})")
    lines.append("ax.grid(color='#e3e6ea', linewidth=0.6)")
    if at == 0:
        longest = max((len(line.name) for line in plot.lines), default=0)
        lines.append(f"letters = {_LETTERS_AN_INCH} * fig.bbox.width / fig.dpi  # beside each other")
        beside = f"ncols=min(4, max(1, int(letters / {longest + _HANDLE})))"
        lines.append(f"fig.legend(*ax.get_legend_handles_labels(), {_LEGEND}, {beside})")
    return lines
