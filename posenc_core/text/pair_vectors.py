"""Queries and keys for the token pairs of RoPE: q = k = 1, drawn from a seed for each token, or typed."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from posenc_core.fields import TABLE_SEED, ChoiceField, NumbersField
from posenc_core.numerics import FloatArray
from posenc_core.text.tokens import Token

PAIR_VECTORS = ChoiceField(
    name="pair_vectors",
    label="q and k",
    help="Query and key of RoPE in the token pairs: 1 in each pair of columns; normal numbers drawn from the seed, "
    "different for each token; or your own numbers, the same for every token. Gates of tokens are drawn from the seed "
    "unless the numbers are your own.",
    default="ones",
    choices=(
        ("ones", "q = k = 1"),
        ("simulated", "drawn from the seed"),
        ("typed", "your own numbers"),
    ),
)

PAIR_SEED = replace(
    TABLE_SEED,
    name="pair_seed",
    label="seed of q and k",
    help="Seed of the simulated queries and keys: the same seed and token always give the same vectors.",
    synonyms="",
)

QUERY_VECTOR = NumbersField(
    name="query_vector",
    label="q",
    help="The typed query, column 0 of the head first. The numbers are repeated for more columns of the head and "
    "cut for fewer.",
    default=(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0),
)

KEY_VECTOR = replace(
    QUERY_VECTOR,
    name="key_vector",
    label="k",
    help=QUERY_VECTOR.help.replace("query", "key"),
    default=QUERY_VECTOR.default[::-1],
)

PAIR_FIELDS = (PAIR_VECTORS, PAIR_SEED, QUERY_VECTOR, KEY_VECTOR)

FIELDS_OF_MODE = {"simulated": (PAIR_SEED,), "typed": (QUERY_VECTOR, KEY_VECTOR)}
"""The fields that have an effect beside the mode."""

_PARTS = ("q", "k")
_ROWS = {"e": 0, "q": 1, "k": 2}
"""The rows of a text's normal numbers that are its embedding, its query and its key."""


class TokenVectors(Struct, frozen=True):
    """The queries and the keys of a sentence's tokens: simulated from a seed, or typed and the same for each token.

    ``tokens`` are the sentence's, in the order of their positions; ``typed`` are a query and a key, None for
    simulated ones.
    """

    tokens: Sequence[Token]
    seed: int = 0
    typed: tuple[tuple[float, ...], tuple[float, ...]] | None = None

    def queries(self, positions: range, width: int) -> FloatArray:
        """The queries of the tokens at these positions, float64 ``(n_positions, width)``."""
        return self._vectors("q", positions, width)

    def keys(self, positions: range, width: int) -> FloatArray:
        """The keys of the tokens at these positions, float64 ``(n_positions, width)``."""
        return self._vectors("k", positions, width)

    def _vectors(self, part: str, positions: range, width: int) -> FloatArray:
        if self.typed is not None:
            return repeated(self.typed[_PARTS.index(part)], len(positions), width)
        return drawn_vectors(part, self.seed, [self.tokens[position].text for position in positions], width)


def drawn_vectors(part: str, seed: int, texts: Sequence[str], width: int) -> FloatArray:
    """The simulated embeddings (``part`` e), queries (q) or keys (k) of tokens, float64 ``(n_tokens, width)``.

    Standard normal numbers.
    """
    from posenc_core.numerics import normal_entries  # imported on first use

    row, columns = np.array([_ROWS[part]]), np.arange(width)
    drawn = {text: normal_entries(seed, text, row, columns)[0] for text in dict.fromkeys(texts)}
    return np.array([drawn[text] for text in texts]).reshape(len(texts), width)


def repeated(numbers: Sequence[float], count: int, width: int) -> FloatArray:
    """Typed numbers as the same vector for each token, float64 ``(count, width)``, read-only: repeated or cut."""
    return np.broadcast_to(np.resize(np.array(numbers), width), (count, width))
