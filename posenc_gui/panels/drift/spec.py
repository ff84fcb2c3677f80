"""DRIFT: number of pairs of the other encodings that deviate from A's, by position."""

from posenc_core import Document, Rotary
from posenc_core.encodings import rotating_pairs
from posenc_core.fields import IntegerField
from posenc_core.session import LETTERS
from posenc_gui.model import Need, PanelSpec, difference_need, every_encoding, second_need, texts_beside

DRIFT_DEGREES = IntegerField(
    name="drift_degrees",
    label="off by more than (°)",
    short="off > (°)",
    help="Difference of a pair's angles in two encodings above which the pair counts as off, in degrees.",
    default=45,
    minimum=1,
    maximum=36000,
    step=15,
    unit="degrees",
)

_PAIRS_NEED = "Drift needs pairs that turn with the position, as sinusoids and RoPE have"


def _missing(document: Document) -> Need | None:
    listed = [each.encoding for each in document.encodings]
    turning = [index for index, each in enumerate(listed) if rotating_pairs(each) is not None]
    if 0 not in turning:
        return Need(f"{_PAIRS_NEED}: A, {listed[0].title}, has none.", "Show RoPE as A", Rotary.family, 0)
    if len(listed) > 1 and turning == [0]:
        have = "B has none" if len(listed) == 2 else f"none of B to {LETTERS[len(listed) - 1]} has any"
        return Need(f"{_PAIRS_NEED}: {have}.", "Show RoPE as B", Rotary.family, 1)
    return second_need(document) if len(listed) == 1 else difference_need(document) if len(listed) == 2 else None


SPEC = PanelSpec(
    **texts_beside(__package__),
    least_size=(250, 220),
    export_size=(720, 420),
    options=(DRIFT_DEGREES,),
    controls=(DRIFT_DEGREES.name, "target_length"),
    find_missing=_missing,
    drawn=every_encoding,
)
