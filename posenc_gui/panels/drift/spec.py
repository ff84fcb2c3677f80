"""DRIFT: how many pairs of the other encodings are off from those of A, by position."""

from posenc_core import Document, Rotary
from posenc_core.encodings import rotating_pairs
from posenc_core.fields import IntegerField
from posenc_core.session import LETTERS
from posenc_gui.model import Need, PanelSpec, difference_need, second_need

DRIFT_DEGREES = IntegerField(
    name="drift_degrees",
    label="off by more than",
    short="off by >",
    help="Degrees: by how much the angles of a pair in two encodings must differ to count as off.",
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
    package=__package__,
    title="Drift",
    hint="pairs that are off from A",
    explanation=(
        "How many pairs of each other encoding are off from A’s by more than the threshold, over the position. Both "
        "angles grow with the position, so that their difference does, and whole turns are not taken away from it: a "
        "pair counts from the first position on at which it is off. Drift of angles is no measure of a model’s "
        "quality: how many pairs matter to a trained model is unknown."
    ),
    handling="A click holds the position, and the pair that is off from there on.",
    more=(
        "A wrong base is wrong from the first tokens on in the fast pairs; what survives are the slow ones. Encodings "
        "of different widths are compared over the pairs that both have. The axis ends at the target length L′."
    ),
    least_size=(250, 220),
    export_size=(720, 420),
    options=(DRIFT_DEGREES,),
    controls=(DRIFT_DEGREES.name, "target_length"),
    find_missing=_missing,
)
