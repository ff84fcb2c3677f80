"""SCORES BY DISTANCE: the positional part of the score of a query and a key, for all encodings."""

import math

from posenc_core import Document, Encoding, Rotary
from posenc_core.fields import ChoiceField, FlagField, IntegerField, optional
from posenc_gui.model import Need, PanelSpec, column_noun, every_encoding, texts_beside

SCORE_MODE = ChoiceField(
    name="score_mode",
    label="mode",
    help="Query and key of the scores. Biases, as those of ALiBi and T5, are the same in every mode.",
    default="ones",
    choices=(
        ("ones", "q = k = ones"),
        ("bound", "RoFormer's bound, the mean of |S_j|"),
        ("independent", "independent normal q and k: mean and one standard deviation, exact"),
        ("three", "ones, the bound and independent normal vectors in one plot"),
        ("tokens", "q of the last token, k of the first: the embedding's vectors, simulated without an embedding"),
        ("typed", "my q and k"),
    ),
)

SCORE_DISTANCES = optional(
    IntegerField(
        name="score_distances",
        label="up to",
        help="Largest drawn distance. None uses the trained length, or twice the distance beyond which "
        "all scores are equal. The scores of one query end at its first key.",
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
    help="Head whose bias is drawn thick and compared with other encodings.",
    default=0,
    minimum=0,
    maximum=65535,
)

SCORE_WEIGHTS = FlagField(
    name="score_weights",
    label="softmax",
    help="Draw the attention weights of a row's last token over the keys: the softmax of the scores. The "
    "contribution of the tokens' contents is left out.",
    default=False,
)


def has_heads(encoding: Encoding) -> bool:
    """Whether positions add a bias, for each head or for all, independent of the mode."""
    return encoding.scores is not None and encoding.scores.n_heads > 0


def head_of(document: Document, encoding: Encoding) -> int | None:
    """The head of the encoding whose bias is drawn; None for an encoding without a bias for each head."""
    is_by_head = has_heads(encoding) and column_noun(encoding) == "head"
    return int(document.option(SCORE_HEAD)) if is_by_head else None


def used_fields(document: Document) -> tuple[str, ...]:
    """The names of the fields that the encodings' scores depend on."""
    encodings = [each.encoding for each in document.encodings]
    has_products = not all(map(has_heads, encodings))
    is_typed = has_products and document.option(SCORE_MODE) == "typed"
    used = {
        SCORE_MODE.name: has_products,
        SCORE_DISTANCES.name: True,
        SCORE_HEAD.name: any(head_of(document, each) is not None for each in encodings),
        "query_vector": is_typed,
        "key_vector": is_typed and any(each.rotation is not None for each in encodings),
        SCORE_WEIGHTS.name: True,
    }
    return tuple(name for name, is_used in used.items() if is_used)


def reach_of(document: Document) -> int:
    """The largest drawn distance in tokens: by default twice that from which on all scores are equal, if any."""
    asked = document.option(SCORE_DISTANCES)
    if asked:
        return int(asked)
    found = [each.encoding.scores.settled for each in document.encodings if each.encoding.scores is not None]
    settled = [each for each in found if each is not None]
    return 2 * max(settled) if settled and len(settled) == len(found) else document.lengths.trained


def drawn_reach(document: Document) -> int:
    """The largest distance with a number, or the number of weights: no more than the query's keys have."""
    scored = [each.encoding for each in document.encodings if each.encoding.scores is not None]
    most = max((n_keys(each) or math.inf for each in scored), default=math.inf)
    return int(max(1, min(reach_of(document), most - (not document.option(SCORE_WEIGHTS)))))


def n_keys(encoding: Encoding) -> int | None:
    """Number of keys that the query of the encoding's table has; None for any number."""
    first, _ = encoding.domain
    return None if math.isinf(first) else 1 - int(first)


SPEC = PanelSpec(
    **texts_beside(__package__),
    least_size=(280, 240),
    export_size=(720, 420),
    needs=Need(
        "Scores by distance needs an encoding whose scores depend on the distance, such as RoPE, ALiBi or T5.",
        "Show RoPE",
        Rotary.family,
    ),
    options=(SCORE_MODE, SCORE_DISTANCES, SCORE_HEAD, SCORE_WEIGHTS),
    controls=("score_mode", "score_distances", "score_head", "query_vector", "key_vector", "score_weights"),
    find_used=used_fields,
    find_stand_ins=lambda document: {SCORE_DISTANCES.name: drawn_reach(document)},
    suits=lambda encoding: encoding.scores is not None,
    drawn=every_encoding,
)
