"""HEATMAP: position by column, exact at every zoom."""

from posenc_core import Document
from posenc_core.fields import FlagField
from posenc_gui.model import PanelSpec, texts_beside

TRANSPOSE = FlagField(
    name="transpose",
    label="&Positions across",
    help="Draw the heatmap with positions across and columns down, as in some books.",
    default=False,
)

HALVES = FlagField(
    name="halves",
    label="Sines | c&osines",
    help="Draw the sines and the cosines of an interleaved table in two halves of the heatmap. The table is "
    "unchanged: the numbers beside the axis are the picture's.",
    default=False,
)


def _used(document: Document) -> tuple[str, ...]:
    return (TRANSPOSE.name, HALVES.name) if document.encoding.in_halves() != document.encoding else (TRANSPOSE.name,)


SPEC = PanelSpec(
    package=__package__,
    **texts_beside(__file__),
    least_size=(240, 180),
    export_size=(640, 520),
    options=(TRANSPOSE, HALVES),
    find_used=_used,
)
