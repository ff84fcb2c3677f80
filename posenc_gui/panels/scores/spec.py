"""SCORES BY DISTANCE: what positions alone give to a query and a key, for all encodings of the document."""

from posenc_core import Document, Encoding, Rotary
from posenc_core.fields import ChoiceField, FlagField, IntegerField, optional
from posenc_gui.model import Need, PanelSpec

SCORE_MODE = ChoiceField(
    name="score_mode",
    label="mode",
    help="Which query and key the scores are of. ALiBi and T5 have biases, which are the same in every mode.",
    default="ones",
    choices=(
        ("ones", "q = k = ones"),
        ("bound", "RoFormer's bound, the mean of |S_j|"),
        ("independent", "independent normal q and k: mean and one standard deviation, exact"),
        ("three", "ones, the bound and independent normal ones in one plot"),
        ("tokens", "q of the last token, k of the first: the embedding's vectors, simulated where none is shown"),
        ("typed", "my q and k"),
    ),
)

SCORE_DISTANCES = optional(
    IntegerField(
        name="score_distances",
        label="up to",
        help="The largest distance that is drawn. None takes the trained length, or twice the distance from which on "
        "all scores stay the same.",
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


def has_heads(encoding: Encoding) -> bool:
    """Whether positions add a bias for each head, whatever the query and the key."""
    return encoding.scores is not None and encoding.scores.n_heads > 0


def _suits(encoding: Encoding) -> bool:
    return encoding.scores is not None


def used_fields(document: Document) -> tuple[str, ...]:
    """The names of the fields that the encodings' scores depend on."""
    encodings = [each.encoding for each in document.encodings]
    has_products = not all(map(has_heads, encodings))
    is_typed = has_products and document.option(SCORE_MODE) == "typed"
    used = {
        SCORE_MODE.name: has_products,
        SCORE_DISTANCES.name: True,
        SCORE_HEAD.name: any(map(has_heads, encodings)),
        "query_vector": is_typed,
        "key_vector": is_typed and any(each.rotation is not None for each in encodings),
        SCORE_WEIGHTS.name: True,
    }
    return tuple(name for name, is_used in used.items() if is_used)


def reach_of(document: Document) -> int:
    """The largest distance that is drawn, in tokens: by default where all scores stay the same, twice that distance."""
    asked = document.option(SCORE_DISTANCES)
    if asked:
        return int(asked)
    found = [each.encoding.scores.settled for each in document.encodings if each.encoding.scores is not None]
    settled = [each for each in found if each is not None]
    return 2 * max(settled) if settled and len(settled) == len(found) else document.lengths.trained


def _stand_ins(document: Document) -> dict[str, int]:
    return {SCORE_DISTANCES.name: reach_of(document)}


SPEC = PanelSpec(
    package=__package__,
    title="Scores by distance",
    hint="positional part of the score",
    explanation=(
        "What positions alone give to the score of a query and a key, over their distance. RoPE needs a query and a "
        "key, Transformer-XL and Shaw a query, ALiBi and T5 neither. The chosen encoding’s line is thick. Scores are "
        "drawn before they are divided by the root of the head’s width; with softmax the weights of a row’s last token "
        "are drawn instead. What the tokens’ own contents add is left out."
    ),
    more=(
        "The query and the key of RoPE are both of ones; any, below RoFormer’s bound; independent normal ones, whose "
        "mean is 0 and whose standard deviation is the same at every distance, since rotation alone brings no decay; "
        "or your own."
    ),
    least_size=(280, 220),
    export_size=(720, 420),
    needs=Need("Scores by distance need RoPE, ALiBi, T5, Transformer-XL or Shaw.", "Show RoPE", Rotary.family),
    options=(SCORE_MODE, SCORE_DISTANCES, SCORE_HEAD, SCORE_WEIGHTS),
    controls=("score_mode", "score_distances", "score_head", "query_vector", "key_vector", "score_weights"),
    find_used=used_fields,
    find_stand_ins=_stand_ins,
    suits=_suits,
)
