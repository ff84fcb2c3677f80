"""What the pictures of turning pairs show: how many clocks, in which unit, and a query and a key to turn."""

from posenc_core.fields import ChoiceField, IntegerField

MOST_CLOCKS = 16
"""More circles in a row are too small to read."""

MOST_SHIFT = 128
"""Tokens: the farthest that the slider moves a query and its key together."""

_FARTHEST = 1_000_000

ANGLE_UNIT = ChoiceField(
    name="angle_unit",
    label="angles in",
    help="The unit of the angles that are written into the circles.",
    default="turns",
    choices=(("turns", "whole turns and parts of one"), ("degrees", "360 a turn"), ("radians", "2π a turn")),
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

ROTATION_FIELDS = (ANGLE_UNIT, N_CLOCKS, QUERY_POSITION, KEY_POSITION, BOTH_SHIFT)
"""In the order of the view's own."""
