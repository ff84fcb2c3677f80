"""Matplotlib scripts that draw two tables and their difference side by side."""

from collections.abc import Sequence

import numpy as np

from posenc_core.encodings import Encoding, pair_members
from posenc_core.explain import NUMPY, Snippet, number_list
from posenc_core.long_context import TableDifference
from posenc_core.scripts.plots import (
    COLOR_MAP,
    MOST_DRAWN,
    Curve,
    Shades,
    TokenMarks,
    drawn_positions,
    position_words,
    tokens_lines,
    turned_lines,
)
from posenc_core.scripts.snippets import PYPLOT, source_of

_FINEST, _MOST_POINTS = 16, 4000
"""Points of a curve from one position to the next, and in all."""


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
    positions, continuous = _checked(difference, positions, len(curves)), difference.continuous
    parts = min(_FINEST, _MOST_POINTS // len(positions)) if continuous else 1
    widest = max(difference.one.n_columns, difference.other.n_columns)
    parts = max(1, min(parts, MOST_DRAWN // (len(positions) * widest)))
    low, high = ends
    middle, scale = ((low + high) / 2, 0.8 / (high - low)) if low < high else (low, 0.0)
    step = "" if continuous else ", drawstyle='steps-mid'"
    across = f"xlim={(positions[0] - 0.5, positions[-1] + 0.5)}, ylim=(-0.6, len(curves) - 0.4)"
    lines = [
        "curves = [  # column, label and colour, from the bottom up",
        *(f"    {(each.column, each.label, each.colour)!r}," for each in curves),
        "]",
        *tokens_lines(tokens, positions),
        "columns = [column for column, _, _ in curves]",
        _tables_line(titles, table_names(difference)),
        "",
        "fig, axes = plt.subplots(1, 3, sharey=True, figsize=(11, 1.6 + 0.25 * len(curves)), layout='constrained')",
        "for ax, (title, shown) in zip(axes, tables):",
        f"    heights = np.arange(len(curves)) + (shown[:, columns] - {middle!r}) * {scale!r}",
        "    for row, (_, label, colour) in enumerate(curves):",
        "        ax.axhline(row, color='#e3e6ea', linewidth=0.8, zorder=0)",
        f"        ax.plot(positions, heights[:, row], color=colour, linewidth=1.2{step})",
        "    for position, word, colour in tokens:",
        "        ax.axvline(position, color=colour, linewidth=0.8, label=word)",
        "        dots = heights[positions == position]",
        "        ax.plot(np.full(dots.shape, position), dots, 'o', color=colour, markersize=3)",
        f"    ax.set(title=title, xlabel='{position_words(difference)}', {across})",
        *(f"    {line}" for line in turned_lines("ax", "x") if difference.relative),
        "axes[0].set_yticks(range(len(curves)), [label for _, label, _ in curves])",
        "fig.legend(*axes[0].get_legend_handles_labels(), loc='outside upper center', ncols=6, frameon=False)",
        "plt.show()",
    ]
    return source_of(difference, positions, NUMPY, Snippet(("", *lines), (PYPLOT,)), parts)


def compared_heatmap_script(
    difference: TableDifference, titles: Sequence[str], positions: range, places: range, angles: bool, shades: Shades
) -> str:
    """A script that draws both tables and their difference as colours: columns, or with ``angles`` the angles of pairs.

    ValueError with one sentence for a picture without positions or columns, or with too many numbers.
    """
    positions = _checked(difference, positions, len(places))
    names = [f"{name}[:, {places.start}:{places.stop}]" for name in table_names(difference)]
    if angles:
        encodings = zip(table_names(difference)[:2], (difference.one, difference.other), strict=True)
        names = [*(_angles_of(name, each, places) for name, each in encodings), "wrapped"]
    extent = (places.start - 0.5, places.stop - 0.5, positions.stop - 0.5, positions.start - 0.5)
    wrapped = [f"wrapped = np.pi - np.mod(np.pi - ({names[0]} - {names[1]}), 2 * np.pi)"] if angles else []
    lines = [
        *shades.lines,
        *wrapped,
        _tables_line(titles, names),
        "",
        "fig, axes = plt.subplots(1, 3, sharey=True, figsize=(11, 4.6), layout='constrained')",
        "for ax, (title, shown) in zip(axes, tables):",
        f"    picture = ax.imshow(shown, cmap=colours, aspect='auto', extent={extent}, **ends)",
        f"    ax.set(title=title, xlabel='{'pair' if angles else 'column'}')",
        f"axes[0].set_ylabel('{position_words(difference)}')",
        *(turned_lines("axes[0]", "y") if difference.relative else ()),
        f"fig.colorbar(picture, ax=axes, label='{'angle (rad)' if angles else 'value, and difference'}')",
        "plt.show()",
    ]
    return source_of(difference, positions, NUMPY, Snippet(("", *lines), (PYPLOT, COLOR_MAP)))


def _checked(difference: TableDifference, positions: range, n_drawn: int) -> range:
    """The positions that have values in both tables, neither of which has too many numbers."""
    for each in (difference.one, difference.other):
        positions = drawn_positions(each, positions, n_drawn)
    return positions


def _tables_line(titles: Sequence[str], names: Sequence[str]) -> str:
    pairs = ", ".join(f"({title!r}, {name})" for title, name in zip(titles, names, strict=True))
    return f"tables = [{pairs}]"


def _angles_of(name: str, encoding: Encoding, pairs: range) -> str:
    sines, cosines = (number_list(each.tolist()) for each in pair_members(encoding, np.array(pairs)))
    return f"np.arctan2({name}[:, {sines}], {name}[:, {cosines}])"
