"""The Matplotlib script of the heatmap."""

from collections.abc import Sequence

import numpy as np

from posenc_core import Encoding
from posenc_core.encodings import n_whole_pairs, pair_members
from posenc_core.explain import NUMPY, Snippet, number_list, template_lines
from posenc_core.long_context import TableDifference, difference_of
from posenc_core.scripts import (
    CELLS_PX,
    PYPLOT,
    cell_lines,
    common_positions,
    compared_tables,
    drawn_positions,
    position_words,
    source_of,
    table_names,
    tokens_lines,
    turned_lines,
)
from posenc_gui.model import seen_by
from posenc_gui.panels.heatmap.view import HeatmapView
from posenc_gui.plotting import seen_in, shades_of, table_colors, token_marks

_COMPARED_PX = 280
"""An axis of one of three pictures of a script, in pixels of a window with text of that size."""

_MOST_LINES_OF_WORDS = 30
"""Lines of words that an axis has room for."""


def script(view: HeatmapView) -> str:
    """A script that draws the part in view, columns or the angles of pairs, as colours.

    ValueError with one sentence if the part is empty or too large.
    """
    document = seen_by(view.document.with_encoding(view.ordered), view.seen_from)
    encoding, columns = document.encoding, seen_in(view.columns_in_view, range(view.count))
    positions = drawn_positions(encoding, seen_in(view.positions_in_view, view.axis.shown), len(columns))
    across, down = ((columns.start - 0.5, columns.stop - 0.5), (positions.stop - 0.5, positions.start - 0.5))
    angles = document.view.angles and n_whole_pairs(encoding) > 0
    names = ["pair" if angles else "column", position_words(encoding)]
    shown = _angles_of("table", encoding, columns) if angles else f"table[:, {columns.start}:{columns.stop}]"
    if view.transpose:
        across, down, names, shown = down[::-1], across[::-1], names[::-1], f"{shown}.T"
    axis, other = ("x", "y") if view.transpose else ("y", "x")
    counts = (len(columns), len(positions)) if view.transpose else (len(positions), len(columns))
    colors = view.colors if view.n_pairs else table_colors(view.document, view.style, shared=True)
    shades = shades_of(colors.scale)
    marks = token_marks(view.document, view.axis, view.style)
    turned = turned_lines("ax", axis) if encoding.relative else ()
    lines = template_lines(
        __file__,
        "script",
        tokens=tokens_lines(marks, positions, len(positions) / _MOST_LINES_OF_WORDS),
        shades=shades.lines,
        shown=shown,
        extent=(*across, *down),
        label="angle (rad)" if angles else "value",
        ticked=shades.ticks,
        across=names[0],
        down=names[1],
        turned=(*turned, *_tick_lines(view, CELLS_PX, other)),
        axis=axis,
        side="top" if view.transpose else "right",
        slanted=", rotation=45, ha='left'" if view.transpose else "",
        **cell_lines("shown", counts, angles=angles),
    )
    return source_of(document, positions, NUMPY, Snippet(lines, (PYPLOT, *shades.imports)))


def compared_script(views: Sequence[HeatmapView], names: Sequence[str], difference: TableDifference) -> str:
    """A script that draws two tables and their difference, whose views these are, side by side under their names."""
    view = views[-1]
    difference = difference_of(view.ordered) or difference
    angles, places = view.n_pairs > 0, seen_in(view.columns_in_view, range(view.count))
    positions = common_positions(difference, seen_in(view.positions_in_view, view.axis.shown), len(places))
    tables = [f"{name}[:, {places.start}:{places.stop}]" for name in table_names(difference)]
    if angles:
        encodings = zip(table_names(difference)[:2], (difference.one, difference.other), strict=True)
        tables = [*(_angles_of(name, each, places) for name, each in encodings), "wrapped"]
    shades = shades_of(view.colors.scale)
    wrapped = [f"wrapped = np.pi - np.mod(np.pi - ({tables[0]} - {tables[1]}), 2 * np.pi)"] if angles else []
    lines = template_lines(
        __file__,
        "compared",
        shades=shades.lines,
        wrapped=wrapped,
        tables=compared_tables(names, tables),
        extent=(places.start - 0.5, places.stop - 0.5, positions.stop - 0.5, positions.start - 0.5),
        across="pair" if angles else "column",
        ticks=_tick_lines(view, _COMPARED_PX, "y" if view.transpose else "x"),
        down=position_words(difference),
        turned=turned_lines("axes[0]", "y") if difference.relative else (),
        label="angle (rad)" if angles else "value, and difference",
        ticked=shades.ticks,
        **cell_lines("shown", (len(positions), len(places)), (CELLS_PX, _COMPARED_PX), angles),
    )
    return source_of(difference, positions, NUMPY, Snippet(lines, (PYPLOT, *shades.imports)))


def _angles_of(name: str, encoding: Encoding, pairs: range) -> str:
    sines, cosines = (number_list(each.tolist()) for each in pair_members(encoding, np.array(pairs)))
    return f"np.arctan2({name}[:, {sines}], {name}[:, {cosines}])"


def _tick_lines(view: HeatmapView, length: float, side: str) -> tuple[str, ...]:
    """A line that writes the numbers of columns in another order than the table's at their places; else none."""
    ticks = [] if view.numbers is None else view.numbers.ticks(view.columns_in_view, length, view.transpose)
    if not ticks:
        return ()
    return (f"ax.set_{side}ticks({[place for place, _ in ticks]}, {[text for _, text in ticks]})",)
