"""The Matplotlib script of the waves."""

from collections.abc import Sequence

from posenc_core.long_context import TableDifference
from posenc_core.scripts import Curve, TokenMarks, compared_waves_script, waves_script
from posenc_gui.layers import column_info_of
from posenc_gui.panels.waves.labels import wave_label
from posenc_gui.panels.waves.view import WavesView
from posenc_gui.plotting import Range, seen_in, token_marks


def script(view: WavesView) -> str:
    """A script that draws the columns in view; ValueError with one sentence if there is nothing, or too much."""
    return waves_script(view.document, *_parts(view))


def compared_script(views: Sequence[WavesView], names: Sequence[str], difference: TableDifference) -> str:
    """A script that draws two tables and their difference, whose views these are, side by side under their names."""
    return compared_waves_script(difference, names, *_parts(views[-1]))


def _parts(view: WavesView) -> tuple[range, list[Curve], Range, TokenMarks]:
    """Content of a script: positions, curves, the ends of a row, and tokens."""
    info, style = column_info_of(view.encoding), view.style
    curves = [
        Curve(column, "".join(wave_label(info(column), column, False)), style.part(info(column).part).name())
        for column in view.columns
    ]
    positions, ends = seen_in(view.area.across, view.axis.shown), (view.rows.low, view.rows.high)
    return positions, curves, ends, token_marks(view.document, view.axis, style)
