"""The query and key at the cursor, for families that add or rotate by position: their words and number."""

import math
from functools import lru_cache

from posenc_core import Derivation, Document
from posenc_core.numerics import FloatArray
from posenc_core.session import token_vectors
from posenc_gui.look import significant
from posenc_gui.model.cursor import Pair
from posenc_gui.model.wording import token_name


def pair_numbers(document: Document, column: int, queries: range, keys: range) -> FloatArray:
    """The number of each query and key, float64 ``(n_queries, n_keys)``, nan if missing; ``column`` for distances."""
    return document.encoding.pair_values(queries, keys, column, token_vectors(document))


def sides_words(document: Document) -> str:
    """The source of the queries and keys that are rotated, ``simulated (seed 0)``."""
    view, width = document.view, document.encoding.combination.width
    if view.pair_vectors == "simulated":
        return f"simulated (seed {view.pair_seed})"
    lengths = {len(view.query_vector), len(view.key_vector)}
    return "typed" if lengths == {width} else f"typed, repeated or cut to {width} numbers"


def pair_words(document: Document, pair: Pair) -> list[str]:
    """The pair as phrases: the query with its word, the key with its word, and their number or why there is none."""
    tokens, named = document.token_list, zip(("query", "key"), pair, strict=True)
    names = (f"{name} {token_name(tokens[token])} at position {token}" for name, token in named)
    return [*names, pair_refusal(document, pair) or significant(pair_number(document, pair), 7)]


def query_words(document: Document, pair: Pair) -> str:
    """The query with its word, ``key of “loves”, position 1``."""
    return f"key of {token_name(document.token_list[pair[0]])}, position {pair[0]}"


def pair_derivation(document: Document, pair: Pair) -> Derivation | None:
    """The derivation of the pair's number; None if it has none."""
    if pair_refusal(document, pair):
        return None
    from posenc_core.analysis import explain_pair  # when a pair is pointed at

    return explain_pair(document.encoding, 0, *pair, token_vectors(document))


@lru_cache(maxsize=8)
def pair_number(document: Document, pair: Pair, column: int = 0) -> float:
    """The number of the pair as in *Token pairs*, nan without one; cached for several parts of the window."""
    return float(pair_numbers(document, column, *map(_alone, pair))[0, 0])


def pair_refusal(document: Document, pair: Pair) -> str:
    """The reason for a missing number of the pair, in a sentence; empty if it has one."""
    for token in pair:
        if not document.encoding.has_value(token):
            return document.encoding.no_value(token)
    return "" if math.isfinite(pair_number(document, pair)) else "the number of this pair is beyond float64"


def _alone(token: int) -> range:
    return range(token, token + 1)
