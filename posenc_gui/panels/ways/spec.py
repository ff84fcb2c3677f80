"""THREE WAYS: a right rotation, the wrong convention and broken code, with one score each, at a shift of both."""

from posenc_core import Encoding, Rotary
from posenc_core.fields import FlagField, IntegerField
from posenc_gui.model import Need, PanelSpec, turns_columns

MOST_SHIFT = 128
"""Tokens: the farthest that the slider moves a query and its key together."""

_FARTHEST = 1_000_000

QUERY_POSITION = IntegerField(
    name="query_position",
    label="q at",
    help="The position of the query before both are shifted.",
    default=5,
    minimum=0,
    maximum=_FARTHEST,
)

KEY_POSITION = IntegerField(
    name="key_position",
    label="k at",
    help="The position of the key before both are shifted.",
    default=2,
    minimum=0,
    maximum=_FARTHEST,
)

BOTH_SHIFT = IntegerField(
    name="both_shift",
    label="shift",
    help="Number that is added to both positions. A right rotation has the same score at every shift.",
    default=0,
    minimum=0,
    maximum=MOST_SHIFT,
    unit="tokens",
)

QUERY_ALONE = FlagField(
    name="query_alone",
    label="q alone",
    help="Draw the score of a query that is rotated with a key that is not: the score then depends on the position.",
    default=False,
)


def _suits(encoding: Encoding) -> bool:
    return encoding.rotation is not None and turns_columns(encoding)


SPEC = PanelSpec(
    package=__package__,
    title="Three ways",
    hint="a right rotation and two mistakes",
    explanation=(
        "The score of one query and one key, computed in three ways. Right: the columns are paired as the model’s "
        "weights were trained. Wrong convention: the columns are paired in the other layout, which is still a "
        "rotation. Broken code: cosines and sines have one layout and the turn has the other, which is no "
        "rotation. Arcs above the columns are the layout of cosines and sines, arcs below them the layout of the "
        "turn."
    ),
    handling="Drag the line below to shift both positions.",
    more=(
        "The wrong convention preserves lengths, and its score stays the same when both positions are shifted, so "
        "the usual self-tests pass. Only a comparison with the model’s own values reveals it. Lengths and shifts "
        "reveal broken code."
    ),
    least_size=(320, 220),
    export_size=(900, 360),
    needs=Need("Three ways needs pairs of RoPE that turn with the position.", "Show RoPE", Rotary.family),
    options=(QUERY_POSITION, KEY_POSITION, BOTH_SHIFT, QUERY_ALONE),
    controls=("key_vector", QUERY_POSITION.name, KEY_POSITION.name, BOTH_SHIFT.name, QUERY_ALONE.name),
    suits=_suits,
)
