"""THREE WAYS: a right rotation, the wrong convention and broken code, with one score each, at a shift of both."""

from posenc_core import Rotary
from posenc_core.fields import FlagField, IntegerField
from posenc_gui.model import Need, PanelSpec, texts_beside, turns_columns

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


SPEC = PanelSpec(
    **texts_beside(__package__),
    least_size=(320, 200),
    export_size=(900, 360),
    needs=Need("Three ways needs pairs of RoPE that turn with the position.", "Show RoPE", Rotary.family),
    options=(QUERY_POSITION, KEY_POSITION, BOTH_SHIFT, QUERY_ALONE),
    controls=("key_vector", QUERY_POSITION.name, KEY_POSITION.name, BOTH_SHIFT.name, QUERY_ALONE.name),
    suits=lambda encoding: encoding.rotation is not None and turns_columns(encoding),
)
