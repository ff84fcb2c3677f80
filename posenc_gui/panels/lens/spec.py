"""PAIR LENS: pairs as clocks, the columns that they turn, a query before and after, and the bits of the position."""

from collections.abc import Collection

from posenc_core import Document, Rotary
from posenc_core.fields import ChoiceField, IntegerField
from posenc_gui.model import POSITIONS, Need, PanelSpec, has_clocks, texts_beside

MOST_CLOCKS = 16
"""More circles in a row are too small to read."""

ANGLE_UNIT = ChoiceField(
    name="angle_unit",
    label="angles in",
    help="Unit of the angles in the circles.",
    default="turns",
    choices=(("turns", "turns with decimals"), ("degrees", "360 per turn"), ("radians", "2π per turn")),
)

N_CLOCKS = IntegerField(
    name="n_clocks",
    label="pairs",
    help="Number of pairs to show, spread evenly from the first to the last one; the cursor's pair is among them.",
    default=8,
    minimum=1,
    maximum=MOST_CLOCKS,
    unit="pairs",
)


def table_to_add(document: Document) -> int | None:
    """The index of the first compared table that adds its rows to vectors as long as the chosen one, which rotates."""
    combination = document.encoding.combination
    if combination.kind != "rotation":
        return None
    others = ((index, each.encoding.combination) for index, each in enumerate(document.encodings))
    fits = (index for index, each in others if each.kind == "sum" and each.width == combination.width)
    return next(fits, None)


def _drawn(document: Document) -> Collection[int]:
    """The chosen encoding, and the table whose row is added to the query."""
    added = table_to_add(document)
    return (document.current,) if added is None else (document.current, added)


SPEC = PanelSpec(
    **texts_beside(__package__),
    least_size=(320, 230),
    export_size=(900, 480),
    needs=Need("Pair lens needs pairs of sines and cosines of positions.", "Show RoPE", Rotary.family),
    course=POSITIONS,
    options=(ANGLE_UNIT, N_CLOCKS),
    controls=(ANGLE_UNIT.name, N_CLOCKS.name, "query_vector"),
    suits=has_clocks,
    drawn=_drawn,
)
