"""Measures of changed distances and of families with trained parts, against loops over all queries and keys."""

import cmath
import math

import pytest

from posenc_core.encodings import ChunkedAttention, DistanceRemap, DualChunk, Fope, RelativeBank
from posenc_core.encodings.rotations.remaps import Remap
from posenc_core.gallery import PROPERTIES, Scorecard, Setting, measures
from posenc_core.session import Document
from posenc_core.text import drawn_vectors


def in_chunks(query: int, key: int) -> float:
    """Dual chunk attention of chunks of 8 and a local window of 4."""
    behind, place = query // 8 - key // 8, query % 8
    return (place, min(place + 8, 12), 12)[min(behind, 2)] - key % 8


def in_own_chunk(query: int, key: int) -> float:
    return query - key if query // 4 == key // 4 else math.nan


@pytest.mark.parametrize(("rule", "seen"), [(DualChunk(12, 4), in_chunks), (ChunkedAttention(4), in_own_chunk)])
def test_the_score_of_a_query_and_a_key_is_that_of_the_seen_distance(rule: Remap, seen) -> None:
    q, k = (drawn_vectors(part, 3, [text], 4)[0] for part, text in (("q", "loves"), ("k", "Dan")))

    def score(distance: float) -> float:
        products = [complex(q[i], q[i + 2]) * complex(k[i], -k[i + 2]) for i in (0, 1)]
        return sum(each * cmath.exp(1j * distance * 0.01**i) for i, each in enumerate(products)).real / 2

    spreads = []
    for apart in (1, 2, 4, 8):
        scores = [score(seen(place, place - apart)) for place in range(apart, 24)]
        known = [each for each in scores if not math.isnan(each)] or [0.0]
        spreads.append(max(known) - min(known))
    setting, encoding = Setting(24, 5, 16, "loves", "Dan", 3), DistanceRemap(rule, 4)
    assert measures.score_spread_over_positions(encoding, setting) == pytest.approx(max(spreads), abs=1e-13)
    distances = [seen(query, key) for query in range(100) for key in range(query + 1)]
    largest = max(each for each in distances if not math.isnan(each))
    assert measures.largest_entry(encoding, setting, 100) == largest


def test_the_card_of_a_text_longer_than_its_chunks_is_whole() -> None:
    document = Document(seq_len=60).with_encoding(DistanceRemap(ChunkedAttention(4)))
    assert {len(row) for row in Scorecard.of(document, "rotating").compute()} == {len(PROPERTIES)}


def test_parts_that_a_model_trains_are_named_beside_the_table() -> None:
    column = [each.name for each in PROPERTIES].index("trained")
    for encoding, words in ((Fope(8), "the coefficients"), (RelativeBank(2, 4), "the profiles")):
        card = Scorecard.of(Document().with_encoding(encoding))
        (row,) = (row for row, each in enumerate(card.families) if each.encoding == encoding)
        assert card.score(row, column).detail == f"its table contains 0 trained numbers ({words})"
