"""Matplotlib scripts that draw two tables and their difference side by side."""

from collections.abc import Sequence

import numpy as np

from posenc_core.encodings import Encoding, pair_members
from posenc_core.explain import NUMPY, Snippet, number_list
from posenc_core.long_context import TableDifference
from posenc_core.scripts.plots import (
    ColumnTicks,
    Curve,
    Shades,
    TokenMarks,
    curve_parts,
    curve_values,
    drawn_positions,
    position_words,
    tick_lines,
    turned_lines,
)
from posenc_core.scripts.snippets import PYPLOT, filled, source_of


def table_names(difference: TableDifference) -> tuple[str, str, str]:
    """Names of the two tables and their difference in the scripts."""
    one, other = (f"table_{letter.lower()}" for letter in difference.letters)
    return one, other, "table"


def compared_waves_script(
    difference: TableDifference,
    titles: Sequence[str],
    positions: range,
    curves: Sequence[Curve],
    ends: tuple[float, float],
    tokens: TokenMarks,
) -> str:
    """A script that draws columns of both tables and of their difference as stacked curves between the ``ends``.

    ValueError with one sentence for a picture without positions, columns, or with too many numbers.
    """
    positions = _checked(difference, positions, len(curves))
    widest = max(difference.one.n_columns, difference.other.n_columns)
    lines = filled(
        "compared_waves",
        **curve_values(difference, curves, ends, tokens, positions),
        tables=_tables(titles, table_names(difference)),
        turned=turned_lines("ax", "x") if difference.relative else (),
    )
    parts = curve_parts(difference, positions, widest)
    return source_of(difference, positions, NUMPY, Snippet(lines, (PYPLOT,)), parts)


def compared_heatmap_script(
    difference: TableDifference,
    titles: Sequence[str],
    positions: range,
    places: range,
    angles: bool,
    shades: Shades,
    ticks: ColumnTicks = (),
) -> str:
    """A script that draws both tables and their difference as colours: columns, or with ``angles`` the angles of pairs.

    ``ticks`` are those of columns that have numbers of another order. ValueError with one sentence for a picture
    without positions or columns, or with too many numbers.
    """
    positions = _checked(difference, positions, len(places))
    names = [f"{name}[:, {places.start}:{places.stop}]" for name in table_names(difference)]
    if angles:
        encodings = zip(table_names(difference)[:2], (difference.one, difference.other), strict=True)
        names = [*(_angles_of(name, each, places) for name, each in encodings), "wrapped"]
    extent = (places.start - 0.5, places.stop - 0.5, positions.stop - 0.5, positions.start - 0.5)
    wrapped = [f"wrapped = np.pi - np.mod(np.pi - ({names[0]} - {names[1]}), 2 * np.pi)"] if angles else []
    lines = filled(
        "compared_heatmap",
        shades=shades.lines,
        wrapped=wrapped,
        tables=_tables(titles, names),
        extent=extent,
        across="pair" if angles else "column",
        ticks=tick_lines("ax", "x", ticks),
        down=position_words(difference),
        turned=turned_lines("axes[0]", "y") if difference.relative else (),
        label="angle (rad)" if angles else "value, and difference",
        ticked=shades.ticks,
    )
    return source_of(difference, positions, NUMPY, Snippet(lines, (PYPLOT, *shades.imports)))


def _checked(difference: TableDifference, positions: range, n_drawn: int) -> range:
    """The positions that have values in both tables, neither of which has too many numbers."""
    for each in (difference.one, difference.other):
        positions = drawn_positions(each, positions, n_drawn)
    return positions


def _tables(titles: Sequence[str], names: Sequence[str]) -> str:
    return ", ".join(f"({title!r}, {name})" for title, name in zip(titles, names, strict=True))


def _angles_of(name: str, encoding: Encoding, pairs: range) -> str:
    sines, cosines = (number_list(each.tolist()) for each in pair_members(encoding, np.array(pairs)))
    return f"np.arctan2({name}[:, {sines}], {name}[:, {cosines}])"
