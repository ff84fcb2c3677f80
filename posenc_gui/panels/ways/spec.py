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
    help="What is added to both positions. A right rotation gives the same score at every shift.",
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
        "One query and one key give one score in three ways. Right: the columns are paired as the model’s weights were "
        "trained. Wrong convention: they are paired in the other layout, which still is a rotation. Broken code: "
        "cosines and sines are laid out one way, and the columns are turned the other way. That is no rotation. Arcs "
        "above the columns are the layout of cosines and sines, those below that of the turn."
    ),
    handling="Drag the line below to shift both positions.",
    more=(
        "In the wrong convention lengths stay, and so does the score when both positions are shifted, so the usual "
        "self-tests pass. Only a comparison of values with the model’s own finds it. Lengths and shifts find broken "
        "code."
    ),
    least_size=(320, 220),
    export_size=(900, 360),
    needs=Need("Three ways needs the pairs of a rotary encoding.", "Show RoPE", Rotary.family),
    options=(QUERY_POSITION, KEY_POSITION, BOTH_SHIFT, QUERY_ALONE),
    controls=("key_vector", QUERY_POSITION.name, KEY_POSITION.name, BOTH_SHIFT.name, QUERY_ALONE.name),
    suits=_suits,
)
