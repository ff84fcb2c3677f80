"""How the numbers are drawn, where that is part of the document and not of the window."""

from dataclasses import dataclass
from typing import ClassVar

from posenc_core.fields import ChoiceField, Field, FlagField, IntegerField, Spec, optional
from posenc_core.session.context import ARITHMETIC, CACHE_LENGTH, COMPARED_SCALINGS, TARGET_LENGTH, TRAINED_LENGTH
from posenc_core.text import KEY_VECTOR, PAIR_FIELDS, PAIR_SEED, PAIR_VECTORS, QUERY_VECTOR

COLOR_MAP = ChoiceField(
    name="color_map",
    label="&Colours",
    help="Colours of the values: a diverging map around zero, or one that runs from dark to light.",
    default="diverging",
    choices=(
        ("diverging", "CET-D1A, CET-D4 in the dark; viridis where no sign changes"),
        ("viridis", "viridis"),
        ("cividis", "cividis"),
        ("cyclic", "CET-C1, for angles"),
    ),
)

TRANSPOSE = FlagField(
    name="transpose",
    label="&Positions across",
    help="Draw the heatmap with the positions across and the columns down, as some books do.",
    default=False,
)

ANGLES = FlagField(
    name="angles",
    label="A&ngles of pairs",
    help="Show the angle of each pair, mod 2π, in the heatmap instead of its sine and cosine. Many angles in a pixel "
    "have the colour of their mean direction, grey where they spread over half a turn or more.",
    default=False,
)

LOGARITHMIC = FlagField(
    name="logarithmic",
    label="&Logarithmic positions",
    help="Draw the waves over a logarithmic axis at lengths over 1,000, unless a table takes long to read, and the "
    "map of unseen angles at any length.",
    default=False,
)

PER_ROW = FlagField(
    name="per_row",
    label="Per row colours of &heads",
    help="Give each head colours of its own, up to its largest bias, so that heads with small biases show as much as "
    "others. Equal colours of two heads are then no equal numbers.",
    default=False,
)

HALVES = FlagField(
    name="halves",
    label="Sines | c&osines",
    help="Draw the sines and the cosines of an interleaved table in two halves of the heatmap. The table stays as it "
    "is: the numbers beside the axis are the picture's.",
    default=False,
)


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
"""What the pictures of turning pairs show, in the order of the view's own fields."""


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

COMPARED_PANEL = ChoiceField(
    name="compared_panel",
    label="compare as",
    help="The picture that the panel Difference draws of A, of the other encoding, and of A minus it.",
    default="heatmap",
    choices=(
        ("waves", "columns as stacked waves"),
        ("heatmap", "positions by columns as colours"),
        ("tokens", "the vector of every token"),
    ),
)

SCORE_MODE = ChoiceField(
    name="score_mode",
    label="mode",
    help="Which query and key the scores are of. ALiBi and T5 have biases, which are the same in every mode.",
    default="ones",
    choices=(
        ("ones", "q = k = ones"),
        ("bound", "RoFormer's bound, the mean of |S_j|"),
        ("independent", "independent normal q and k: mean and one standard deviation, exact"),
        ("tokens", "q of the last token, k of the first: the embedding's vectors, simulated where none is shown"),
        ("typed", "my q and k"),
    ),
)

SCORE_DISTANCES = optional(
    IntegerField(
        name="score_distances",
        label="up to",
        help="The largest distance that is drawn. None takes the trained length.",
        default=4096,
        minimum=1,
        maximum=10**9,
        step=1024,
        unit="tokens",
    )
)

SCORE_HEAD = IntegerField(
    name="score_head",
    label="head",
    help="The head whose bias is drawn thick, and compared with other encodings. ALiBi and T5 have a bias for each.",
    default=0,
    minimum=0,
    maximum=65535,
)

SCORE_WEIGHTS = FlagField(
    name="score_weights",
    label="softmax",
    help="Draw the weights that the last token of a row gives to each key: the softmax of the scores. What the tokens' "
    "own contents add to the scores is left out.",
    default=False,
)

SIMILARITY_MEASURE = ChoiceField(
    name="similarity_measure",
    label="measure",
    help="How the rows of two positions are compared.",
    default="cosine",
    choices=(
        ("dot", "dot product"),
        ("cosine", "cosine of the angle between them"),
        ("euclidean", "Euclidean distance"),
    ),
)

SHIFT_K = IntegerField(
    name="shift_k",
    label="k",
    help="By how many positions a row is shifted, forwards or backwards.",
    default=1,
    minimum=-1_000_000,
    maximum=1_000_000,
    slider=(-64, 64),
    unit="tokens",
)

SHIFT_WITHOUT_COSINES = FlagField(
    name="shift_without_cosines",
    label="without cosines",
    help="Leave the columns of cosines out. No matrix then shifts every row; the best one is found by least squares "
    "over 50 rows.",
    default=False,
)

RELATIONS_FIELDS = (
    SCORE_MODE,
    SCORE_DISTANCES,
    SCORE_HEAD,
    SCORE_WEIGHTS,
    SIMILARITY_MEASURE,
    SHIFT_K,
    SHIFT_WITHOUT_COSINES,
)
"""In the order of the view's own."""


@dataclass(frozen=True)
class View(Spec):
    """How the numbers are drawn, where that is part of the document and not of the window."""

    color_map: str = "diverging"
    transpose: bool = False
    angles: bool = False
    logarithmic: bool = False
    trained_length: int | None = None
    target_length: int | None = None
    compared_scalings: tuple[str, ...] = COMPARED_SCALINGS.default
    pair_vectors: str = PAIR_VECTORS.default
    pair_seed: int = PAIR_SEED.default
    query_vector: tuple[float, ...] = QUERY_VECTOR.default
    key_vector: tuple[float, ...] = KEY_VECTOR.default
    angle_unit: str = ANGLE_UNIT.default
    n_clocks: int = N_CLOCKS.default
    query_position: int = QUERY_POSITION.default
    key_position: int = KEY_POSITION.default
    both_shift: int = BOTH_SHIFT.default
    per_row: bool = False
    halves: bool = False
    score_mode: str = SCORE_MODE.default
    score_distances: int | None = None
    score_head: int = 0
    score_weights: bool = False
    similarity_measure: str = SIMILARITY_MEASURE.default
    shift_k: int = SHIFT_K.default
    shift_without_cosines: bool = False
    drift_degrees: int = DRIFT_DEGREES.default
    cache_length: int | None = None
    arithmetic: str = ARITHMETIC.default
    compared_panel: str = COMPARED_PANEL.default

    FIELDS: ClassVar[tuple[Field, ...]] = (
        COLOR_MAP,
        TRANSPOSE,
        ANGLES,
        LOGARITHMIC,
        TRAINED_LENGTH,
        TARGET_LENGTH,
        COMPARED_SCALINGS,
        *PAIR_FIELDS,
        *ROTATION_FIELDS,
        PER_ROW,
        HALVES,
        *RELATIONS_FIELDS,
        DRIFT_DEGREES,
        CACHE_LENGTH,
        ARITHMETIC,
        COMPARED_PANEL,
    )
