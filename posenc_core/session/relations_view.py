"""What the pictures of two positions show: the mode, reach, head and vectors of scores, and how rows are compared."""

from posenc_core.fields import ChoiceField, FlagField, IntegerField, NumbersField, optional

SCORE_MODE = ChoiceField(
    name="score_mode",
    label="mode",
    help="Which query and key the scores are of. ALiBi and T5 have biases, which are the same in every mode.",
    default="ones",
    choices=(
        ("ones", "q = k = ones"),
        ("bound", "RoFormer's bound, the mean of |S_j|"),
        ("independent", "independent normal q and k: mean and one standard deviation, exact"),
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

SCORE_QUERY = optional(
    NumbersField(
        name="score_query",
        label="q",
        help="The query of the mode typed, one number for each column of the head. None takes the vector that the last "
        "token has in the embedding, a simulated one where no embedding is shown.",
        default=(1.0,),
    )
)

SCORE_KEY = optional(
    NumbersField(
        name="score_key",
        label="k",
        help="The key of the mode typed, one number for each column of the head. None takes the vector of the first "
        "token, as for q.",
        default=(1.0,),
    )
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
    SCORE_QUERY,
    SCORE_KEY,
    SCORE_WEIGHTS,
    SIMILARITY_MEASURE,
    SHIFT_K,
    SHIFT_WITHOUT_COSINES,
)
"""In the order of the view's own."""
