"""PATCH MAP: positional scores of one patch of a picture with every other patch, as a picture."""

from posenc_core import Document, Encoding
from posenc_core.encodings import GRID, RopeAxes
from posenc_core.fields import ChoiceField
from posenc_gui.model import Need, PanelSpec, texts_beside

PATCH_AXIS = ChoiceField(
    name="patch_axis",
    label="pairs of",
    help="The pairs whose cosines are summed: those of all axes, or of one axis alone.",
    default="all",
    choices=(
        ("all", "all pairs"),
        ("t", "the pairs of time"),
        ("h", "the pairs of height"),
        ("w", "the pairs of width"),
        ("l", "the pairs of the text"),
    ),
    titles=("all axes", "time", "height", "width", "text"),
)


def axis_of(document: Document) -> str:
    """The axis whose pairs are summed, empty for all of them."""
    chosen = document.option(PATCH_AXIS)
    return "" if chosen == PATCH_AXIS.default else str(chosen)


def _suits(encoding: Encoding) -> bool:
    return encoding.cells is not None and encoding.cells.grid.is_picture


def _missing(document: Document) -> Need | None:
    if document.encoding.cells is None:
        return Need("Patch map needs RoPE on several axes.", "Show RoPE on several axes", RopeAxes.family)
    if not _suits(document.encoding):
        return Need("Patch map needs a picture; the grid is a text.", "Show 14 × 14", edit=(GRID.name, "14x14"))
    return None


SPEC = PanelSpec(
    **texts_beside(__package__),
    arrows=("Left, Right", ""),
    least_size=(230, 180),
    export_size=(640, 560),
    options=(PATCH_AXIS,),
    controls=(PATCH_AXIS.name,),
    suits=_suits,
    find_missing=_missing,
)
