"""HEATMAP: position by column, exact at every zoom."""

from posenc_core import Document
from posenc_core.fields import FlagField
from posenc_gui.model import PanelSpec

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
    title="Heatmap",
    hint="position × column",
    explanation=(
        "Each row is a position, each column a number of its vector. Columns at the fast end change from one position "
        "to the next, columns at the slow end hardly at all. Where a pixel covers many cells, its colour is their "
        "exact mean. A bar along the axis marks columns with waves shorter than two pixels: only their mean is "
        "visible."
    ),
    handling="The wheel zooms at the pointer, dragging pans, a double click shows everything.",
    more="The colour of many angles is that of their mean direction, or grey if they differ by half a turn or more.",
    least_size=(240, 180),
    export_size=(640, 520),
    options=(TRANSPOSE, HALVES),
    find_used=_used,
)
