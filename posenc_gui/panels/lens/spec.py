"""PAIR LENS: pairs as clocks, the columns that they turn, a query before and after, and the bits of the position."""

from posenc_core import Rotary
from posenc_core.fields import ChoiceField, IntegerField
from posenc_gui.model import POSITIONS, Need, PanelSpec, has_clocks

MOST_CLOCKS = 16
"""More circles in a row are too small to read."""

ANGLE_UNIT = ChoiceField(
    name="angle_unit",
    label="angles in",
    help="The unit of the angles that are written into the circles.",
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

SPEC = PanelSpec(
    package=__package__,
    title="Pair lens",
    hint="which two columns turn together",
    explanation=(
        "Each circle is one pair of columns at the cursor's position: the hand stands at the angle p θ, its tip is "
        "(cos, sin), the dots are the positions before, and the number counts every turn since position 0. Arcs join "
        "the two columns that a pair turns. Below are a query before and after, and the binary digits of the position "
        "over the turns of the pairs less whole ones: both run from fast to slow."
    ),
    handling="Left and Right choose the pair, Up and Down the position; Space plays the positions.",
    more=(
        "Arcs join neighbours where the layout is interleaved, columns half a head apart where it is split in halves. "
        "Dark columns turn, light ones stand still because their frequency is 0, empty ones pass unchanged. A rotation "
        "keeps the length of the query. Digits and turns run from fast to slow as the wheels of an odometer do."
    ),
    least_size=(320, 250),
    export_size=(900, 480),
    needs=Need("Pair lens needs pairs of sines and cosines of positions.", "Show RoPE", Rotary.family),
    course=POSITIONS,
    options=(ANGLE_UNIT, N_CLOCKS),
    controls=(ANGLE_UNIT.name, N_CLOCKS.name, "query_vector"),
    suits=has_clocks,
)
