"""Rows below those of a token's vector: a concatenation in place of the sum, and the same words in another order."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from msgspec.structs import replace

from posenc_core import Document, Token
from posenc_core.text import MODEL_TOKENS, tokenize
from posenc_gui.model import PositionAxis
from posenc_gui.panels.tokens.rows import SUMMED, TURNED, Row, row_names
from posenc_gui.panels.tokens.spec import CONCATENATION, ORDER_BEFORE

BESIDE, BEFORE = "W_e | PE", "before"
"""The names of the rows."""


def further_names(document: Document) -> tuple[str, ...]:
    """The names of the further rows of a document, from above."""
    names = row_names(document)
    beside = (BESIDE,) if names == SUMMED and document.option(CONCATENATION) else ()
    return (*beside, BEFORE) if names in (SUMMED, TURNED) and tokens_before(document) else beside


def tokens_before(document: Document) -> tuple[Token, ...]:
    """The tokens in the other order; empty where the words are others, or their order is the present one."""
    other, now = document.option(ORDER_BEFORE), document.sentence
    if not other or other == now or document.tokens == MODEL_TOKENS or len(other) != len(now):
        return ()
    return _reordered(other, now, document.tokens)


def further_rows(
    document: Document, axis: PositionAxis, rows: Sequence[Row], tokens: Sequence[int], columns: tuple[int, int]
) -> list[Row]:
    """The further rows of these tokens' strips beside their ``rows``, of the columns first..stop-1.

    A concatenation has twice the columns: those of the embedding, then those of the encoding.
    """
    found, names = list[Row](), further_names(document)
    if BESIDE in names:
        found.append(Row(BESIDE, np.hstack([rows[0].values, rows[1].values]), rows[1].has_value))
    if BEFORE in names:
        before = tokens_before(document)
        vectors = document.vectors_of([before[token] for token in tokens])
        assert vectors is not None  # these names are those of documents with an embedding
        positions = np.array([axis.tokens[token] for token in tokens], np.int64)
        last = rows[-1]
        if row_names(document) == TURNED:
            values = np.nan_to_num(document.encoding.combination.combined(vectors, positions)[:, slice(*columns)])
        else:
            values = vectors[:, slice(*columns)] + rows[1].values
        found.append(replace(last, name=BEFORE, values=values))
    return found


@lru_cache(maxsize=4)
def _reordered(other: str, now: str, way: str) -> tuple[Token, ...]:
    """The tokens of ``other``, if they are those of ``now`` in another order; else none."""
    before = tuple(tokenize(other, way))
    texts = [token.text for token in before], [token.text for token in tokenize(now, way)]
    return before if texts[0] != texts[1] and sorted(texts[0]) == sorted(texts[1]) else ()
