"""The Matplotlib script of the heatmap."""

from collections.abc import Sequence

from posenc_core.long_context import TableDifference, difference_of
from posenc_core.scripts import compared_heatmap_script, heatmap_script
from posenc_gui.model import seen_by
from posenc_gui.panels.heatmap.view import HeatmapView
from posenc_gui.plotting import Ticks, seen_in, shades_of, table_colors, token_marks

_LENGTH_PX, _COMPARED_PX = 400.0, 280.0
"""An axis of a script's picture, and of one of three, in pixels of a window with text of that size."""


def script(view: HeatmapView) -> str:
    """A script that draws the part in view; ValueError with one sentence if it is empty or too large."""
    positions = seen_in(view.positions_in_view, view.axis.shown)
    columns = seen_in(view.columns_in_view, range(view.count))
    colors = view.colors if view.n_pairs else table_colors(view.document, view.style, shared=True)
    marks = token_marks(view.document, view.axis, view.style)
    drawn = seen_by(view.document.with_encoding(view.ordered), view.seen_from)
    shades = shades_of(colors.scale)
    return heatmap_script(drawn, positions, columns, shades, marks, view.transpose, _ticks(view, _LENGTH_PX))


def compared_script(views: Sequence[HeatmapView], names: Sequence[str], difference: TableDifference) -> str:
    """A script that draws two tables and their difference, whose views these are, side by side under their names."""
    view = views[-1]
    difference = difference_of(view.ordered) or difference
    positions = seen_in(view.positions_in_view, view.axis.shown)
    columns, shades = seen_in(view.columns_in_view, range(view.count)), shades_of(view.colors.scale)
    return compared_heatmap_script(
        difference, names, positions, columns, view.n_pairs > 0, shades, _ticks(view, _COMPARED_PX)
    )


def _ticks(view: HeatmapView, length: float) -> Ticks:
    """The places of columns in another order than the table's, and their numbers; else none."""
    numbers = view.numbers
    return [] if numbers is None else numbers.ticks(view.columns_in_view, length, view.transpose)
