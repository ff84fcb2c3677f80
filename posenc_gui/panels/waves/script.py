"""The Matplotlib script of the waves."""

from collections.abc import Sequence

from posenc_core import Encoding
from posenc_core.explain import NUMPY, Snippet, template_lines
from posenc_core.long_context import TableDifference
from posenc_core.scripts import (
    MOST_DRAWN,
    PYPLOT,
    common_positions,
    compared_tables,
    drawn_positions,
    ends_of,
    position_words,
    row_scale,
    source_of,
    table_names,
    tokens_lines,
    turned_lines,
)
from posenc_gui.layers import column_info_of
from posenc_gui.panels.waves.labels import wave_label
from posenc_gui.panels.waves.view import WavesView
from posenc_gui.plotting import seen_in, token_marks

_MOST_POINTS, _FINEST = 4000, 16
"""Most points of a whole curve, and from one position to the next."""


def script(view: WavesView) -> str:
    """A script that draws the columns in view as stacked curves, and the tokens as lines and dots.

    ValueError with one sentence for a picture without positions, columns, or with too many numbers.
    """
    encoding = view.document.encoding
    positions = drawn_positions(encoding, seen_in(view.area.across, view.axis.shown), len(view.columns))
    lines = template_lines(__file__, "script", **_values(view, encoding, positions))
    parts = _parts(encoding, positions, encoding.n_columns)
    return source_of(view.document, positions, NUMPY, Snippet(lines, (PYPLOT,)), parts)


def compared_script(views: Sequence[WavesView], names: Sequence[str], difference: TableDifference) -> str:
    """A script that draws two tables and their difference, whose views these are, side by side under their names."""
    view = views[-1]
    positions = common_positions(difference, seen_in(view.area.across, view.axis.shown), len(view.columns))
    tables = compared_tables(names, table_names(difference))
    lines = template_lines(__file__, "compared", **_values(view, difference, positions), tables=tables)
    parts = _parts(difference, positions, max(difference.one.n_columns, difference.other.n_columns))
    return source_of(difference, positions, NUMPY, Snippet(lines, (PYPLOT,)), parts)


def _parts(encoding: Encoding, positions: range, widest: int) -> int:
    """Points of the curves from one position to the next, of tables with at most that many columns."""
    parts = min(_FINEST, _MOST_POINTS // len(positions)) if encoding.continuous else 1
    return max(1, min(parts, MOST_DRAWN // (len(positions) * widest)))


def _values(view: WavesView, encoding: Encoding, positions: range) -> dict[str, object]:
    """Values for both templates: curves, tokens, the scale of a row, and the axis."""
    info, style = column_info_of(view.encoding), view.style
    middle, scale = row_scale((view.rows.low, view.rows.high))
    curves = (
        (column, "".join(wave_label(info(column), column, False)), style.part(info(column).part).name())
        for column in view.columns
    )
    return {
        "curves": [f"{curve!r}," for curve in curves],
        "tokens": tokens_lines(token_marks(view.document, view.axis, style), positions),
        "middle": middle,
        "scale": scale,
        "step": "" if encoding.continuous else ", drawstyle='steps-mid'",
        "across": position_words(encoding),
        "ends": ends_of(positions),
        "turned": turned_lines("ax", "x") if encoding.relative else (),
    }
