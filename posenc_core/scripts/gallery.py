"""A Matplotlib script that computes the tables of several families and draws each as waves and as colours."""

import math
import textwrap
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from posenc_core.encodings import Encoding
from posenc_core.explain import NUMPY, Snippet
from posenc_core.fields import one_line
from posenc_core.scripts.plots import COLOR_MAP, MOST_DRAWN, Curve, Shades, plain_label, turned_lines
from posenc_core.scripts.snippets import PYPLOT, assembled, head_of, listed, table_lines

_ACROSS, _WORDS = 4, 56
"""Cards in a row, and letters of a line above one."""

_FINEST, _MOST_POINTS = 8, 400
"""Points of a curve from one position to the next, and of a whole curve that has more than its positions."""


class DrawnFamily(Struct, frozen=True):
    """A card: its title and words, the encoding, its positions with values, and the looks of its two pictures.

    ``curves`` are the looks of the waves from the bottom up, ``ends`` the lowest and the highest value of a row.
    """

    title: str
    words: str
    encoding: Encoding
    positions: range
    curves: tuple[Curve, ...]
    ends: tuple[float, float]
    shades: Shades


def gallery_script(families: Sequence[DrawnFamily]) -> str:
    """A script that computes each family's table by its formula and draws some columns as curves, all as colours.

    A family without a value at its positions is left out. ValueError with one sentence if none has a value, if too
    many numbers would be computed, or if a family has no formula and too many numbers to write out.
    """
    shown = [each for each in families if each.positions]
    if not shown:
        raise ValueError("there is nothing to draw: no family has a value at a token")
    count = sum(len(each.positions) * _parts(each) * each.encoding.n_columns for each in shown)
    if count > MOST_DRAWN:
        raise ValueError(
            f"the script would compute {count:,} numbers, at most {MOST_DRAWN:,} are drawn: type a shorter sentence"
        )
    maps = list(dict.fromkeys(each.shades.colours for each in shown))
    body = Snippet((
        "maps = [  # from the lowest number to the highest",
        *(line for colours in maps for line in _map_lines(colours)),
        "]",
        "# title, positions, table, its rows a position, curves, their style, a row's middle and scale, map, its ends",
        "families = []",
    ), (PYPLOT, COLOR_MAP))  # fmt: skip
    for each in shown:
        body += Snippet(("", *head_of(each.encoding))) + _family_lines(each, maps.index(each.shades.colours))
    across = min(_ACROSS, len(shown))
    lines = (
        "",
        f"fig, axes = plt.subplots({math.ceil(len(shown) / across)}, {2 * across}, squeeze=False, "
        f"figsize=({3.4 * across:.1f}, {2.3 * math.ceil(len(shown) / across):.1f}), layout='constrained')",
        *_CARDS,
    )
    left_out = [f"# without a value at any token: {one_line(each.title)}" for each in families if not each.positions]
    return assembled(["# Gallery: families of positional encodings", *left_out], body + Snippet(lines), NUMPY)


_CARDS = (
    "for ax in axes.flat:",
    "    ax.set_axis_off()",
    "for (waves, heat), family in zip(axes.reshape(-1, 2), families):",
    "    title, positions, table, parts, curves, style, (middle, scale), colours, ends = family",
    "    for row, (column, colour) in enumerate(curves):",
    "        heights = row + (table[:, column] - middle) * scale",
    "        waves.plot(positions, heights, color=colour, linewidth=1, drawstyle=style)",
    "    waves.set_axis_on()",
    "    waves.set(yticks=[], ylim=(-0.6, len(curves) - 0.4))",
    "    waves.set_title(title, fontsize=7, loc='left')",
    "    heat.set_axis_on()",
    "    place = (-0.5, table.shape[1] - 0.5, positions[-1] + 0.5, positions[0] - 0.5)",
    "    heat.imshow(table[::parts], cmap=maps[colours], extent=place, aspect='auto', **ends)",
    "    heat.set_xlabel('column', fontsize=8)",
    "    if positions[0] < 0:  # key - query, shown as distances query - key",
    *(f"        {line}" for axis in (("waves", "x"), ("heat", "y")) for line in turned_lines(*axis)),
    "plt.show()",
)


def _parts(each: DrawnFamily) -> int:
    """Rows of the table from one position to the next: several if the columns are curves."""
    if not each.encoding.continuous:
        return 1
    return max(1, min(_FINEST, _MOST_POINTS // len(each.positions)))


def _family_lines(each: DrawnFamily, colours: int) -> Snippet:
    """Lines that compute the table of a family and append its card."""
    low, high = each.ends
    middle, scale = ((low + high) / 2, 0.8 / (high - low)) if low < high else (low, 0.0)
    style = "default" if each.encoding.continuous else "steps-mid"
    title = "\n".join([plain_label(each.title), *textwrap.wrap(plain_label(each.words), _WORDS)])
    return table_lines(each.encoding, each.positions, NUMPY, _parts(each)) + Snippet((
        "families.append((",
        f"    {title!r}, positions, table, {_parts(each)}, [",
        *listed([(curve.column, curve.colour) for curve in each.curves], 8),
        f"    ], {style!r}, ({middle!r}, {scale!r}), {colours}, "
        f"{{'vmin': {each.shades.low!r}, 'vmax': {each.shades.high!r}}},",
        "))",
    ))  # fmt: skip


def _map_lines(colours: tuple[Any, ...]) -> list[str]:
    return ["    LinearSegmentedColormap.from_list('values', [", *listed(colours, 8), "    ]),"]
