"""A Matplotlib script that computes the tables of several families and draws each as waves and as colours."""

import math
import textwrap
from collections.abc import Sequence

from msgspec import Struct

from posenc_core.encodings import Encoding
from posenc_core.explain import NUMPY, Snippet
from posenc_core.fields import one_line
from posenc_core.scripts.plots import MOST_DRAWN, Shades, plain_label, row_scale, turned_lines
from posenc_core.scripts.snippets import PYPLOT, assembled, filled, head_of, listed, table_lines

_ACROSS, _WORDS = 4, 56
"""Cards in a row, and letters of a line above one."""

_FINEST, _MOST_POINTS = 8, 400
"""Points of a curve from one position to the next, and of a whole curve that has more than its positions."""


class DrawnFamily(Struct, frozen=True):
    """A card: its title and words, the encoding, its positions with values, and the looks of its two pictures.

    ``curves`` are the columns of the waves from the bottom up with their colours, ``ends`` the lowest and the highest
    value of a row.
    """

    title: str
    words: str
    encoding: Encoding
    positions: range
    curves: tuple[tuple[int, str], ...]
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
        "# title, positions, table, rows per position, curves, their style, a row's middle and scale, map, its ends",
        "families = []",
    ), (PYPLOT, *(line for each in shown for line in each.shades.imports)))  # fmt: skip
    for each in shown:
        body += Snippet(("", *head_of(each.encoding))) + _family_lines(each, maps.index(each.shades.colours))
    across = min(_ACROSS, len(shown))
    rows = math.ceil(len(shown) / across)
    lines = filled(
        "gallery",
        rows=rows,
        columns=2 * across,
        width=f"{3.4 * across:.1f}",
        height=f"{2.3 * rows:.1f}",
        turned=[line for axis in (("waves", "x"), ("heat", "y")) for line in turned_lines(*axis)],
    )
    left_out = [f"# without a value at any token: {one_line(each.title)}" for each in families if not each.positions]
    return assembled(["# Gallery: families of positional encodings", *left_out], body + Snippet(lines), NUMPY)


def _parts(each: DrawnFamily) -> int:
    """Rows of the table from one position to the next: several if the columns are curves."""
    if not each.encoding.continuous:
        return 1
    return max(1, min(_FINEST, _MOST_POINTS // len(each.positions)))


def _family_lines(each: DrawnFamily, colours: int) -> Snippet:
    """Lines that compute the table of a family and append its card."""
    middle, scale = row_scale(each.ends)
    table = table_lines(each.encoding, each.positions, NUMPY, _parts(each))
    return table + Snippet(
        filled(
            "family",
            title=repr("\n".join([plain_label(each.title), *textwrap.wrap(plain_label(each.words), _WORDS)])),
            parts=1 if table.only_whole else _parts(each),
            curves=listed(each.curves, 8),
            style=repr("default" if each.encoding.continuous else "steps-mid"),
            middle=middle,
            scale=scale,
            colours=colours,
            ends=[*each.shades.ends[:-1], f"{each.shades.ends[-1]},"],
        )
    )


def _map_lines(colours: tuple[str, ...]) -> list[str]:
    return ["    LinearSegmentedColormap.from_list('values', [", *listed(colours, 8), "    ]),"]
