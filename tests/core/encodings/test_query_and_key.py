"""A family whose numbers depend on the positions of query and key, against its formula written down by loops."""

import math

import numpy as np
import pytest
from family_checks import check_explained, check_tiles, check_traces
from made_families import ContentBias, DotOfPlaces, FadingBias, LogBias

from posenc_core import Document, Encoding, Sinusoidal, encode, explain, score_by_distance, score_spread
from posenc_core.analysis import (
    affordable_rows,
    bias_of_head,
    explain_pair,
    explain_score,
    is_reach_sampled,
    pair_reach,
    row_weights,
)
from posenc_core.encodings import ENCODINGS, Cope, ForgetGate
from posenc_core.long_context import TableDifference
from posenc_core.session import seen_document, token_vectors
from posenc_core.text import TokenVectors, tokenize

TOKENS = tokenize("one two three four five six", "words")
DRAWN = TokenVectors(TOKENS, seed=3)


def fading(head: int, query: int, key: int, strength: float = 1.0) -> float:
    return -strength * 0.5 ** (head + 1) * abs(query - key) / (1 + max(query, 1))


def counted(head: int, query: int, key: int, vectors: TokenVectors = DRAWN) -> float:
    """The sum of the gates of the tokens after the key up to the query, one after the other."""
    (asking,), total = vectors.queries(range(query, query + 1), 8), 0.0
    for token in range(key + 1, query + 1):
        (asked,) = vectors.keys(range(token, token + 1), 8)
        total += 1 / (1 + math.exp(-sum(a * b for a, b in zip(asking, asked, strict=True))))
    return -total * (1 + head)


@pytest.mark.parametrize(
    ("queries", "keys"), [(range(6), range(6)), (range(2, 3), range(9)), (range(0, 9, 4), range(1, 9, 4))]
)
def test_a_number_is_that_of_both_positions(queries: range, keys: range) -> None:
    found = FadingBias(strength=3.0).pair_values(queries, keys, 2)
    wanted = [[fading(2, query, key, 3.0) for key in keys] for query in queries]
    np.testing.assert_allclose(found, wanted, rtol=1e-14)
    assert FadingBias().pair_values(range(0), range(3)).shape == (0, 3)
    with pytest.raises(ValueError, match="queries and keys must ascend in the same steps, got 1 and 2"):
        FadingBias().pair_values(range(3), range(0, 6, 2))


def test_a_table_is_that_of_the_query_it_is_seen_from() -> None:
    encoding = FadingBias()
    for query in (0, 1, 7):
        seen = encoding.seen_from(query)
        assert seen.domain == (-query, math.inf)
        table = seen.values(np.arange(-query, 3), np.arange(4))
        wanted = [[fading(head, query, query + apart) for head in range(4)] for apart in range(-query, 3)]
        np.testing.assert_allclose(table, wanted, rtol=1e-14)
        assert seen.seen_from(None) == encoding
        assert seen.parameters() == encoding.parameters()
        assert seen.edited("strength", 2.0) == FadingBias(strength=2.0).seen_from(query)
    with pytest.raises(
        ValueError, match=r"^distance 8 has no value: it leads from position 7 to before the first token$"
    ):
        encode(seen, [-8])


def test_without_a_query_there_is_no_table() -> None:
    for ask in (lambda: encode(FadingBias(), [0]), lambda: explain(FadingBias(), 0, 0)):
        with pytest.raises(ValueError, match=r"^Fading bias has no table by itself: it has one for each query$"):
            ask()


OF_BOTH_POSITIONS = {"fire", "cope", "forget_gate", "distance_remap"}
"""The families with a table for each query."""


@pytest.mark.parametrize("kind", ENCODINGS.values(), ids=ENCODINGS.keys())
def test_other_families_have_one_table_for_all_queries(kind: type[Encoding]) -> None:
    encoding = kind.from_parameters({})
    assert encoding.depends_on_query == (encoding.family in OF_BOTH_POSITIONS)
    if not encoding.depends_on_query:
        assert encoding.seen_from(3, DRAWN) is encoding
        assert not encoding.needs_content


@pytest.mark.parametrize("encoding", [FadingBias().seen_from(19), DotOfPlaces().seen_from(25), LogBias()], ids=repr)
def test_pictures_and_derivations_are_those_of_the_table(encoding: Encoding) -> None:
    check_tiles(encoding)
    check_traces(encoding, (-12.5, 0.5), 300)
    check_traces(encoding, (-12.5, 0.5), 5)
    for position in (-7, 0):
        check_explained(encoding, position, 1)


def test_the_difference_of_two_tables_is_that_of_one_query() -> None:
    difference = TableDifference(FadingBias(), LogBias())
    seen = difference.seen_from(9)
    found = seen.values(np.arange(-9, 1), np.array([1]))[:, 0]
    assert found == pytest.approx([fading(1, 9, key) + math.log1p((9 - key) / 4) / 2 for key in range(10)])
    assert TableDifference(LogBias(), LogBias()).seen_from(9) == TableDifference(LogBias(), LogBias())


def test_scores_are_those_of_the_query() -> None:
    seen, distances = FadingBias().seen_from(5), np.arange(-7, 1)
    wanted = np.array(
        [[fading(head, 5, 5 + apart) if apart >= -5 else np.nan for apart in distances] for head in range(4)]
    )
    np.testing.assert_allclose(score_by_distance(seen, distances), wanted, rtol=1e-14)
    np.testing.assert_allclose(bias_of_head(seen, 3, distances), wanted[3], rtol=1e-14)
    powers = np.exp([[fading(head, 5, key) for key in range(6)] for head in range(4)])
    np.testing.assert_allclose(row_weights(FadingBias(), 6), powers / powers.sum(axis=1, keepdims=True), rtol=1e-12)
    assert explain_score(seen, -2, head=1).value == pytest.approx(fading(1, 5, 3))
    with pytest.raises(ValueError, match="the biases of Fading bias do not depend on queries and keys"):
        score_spread(seen, distances)


def test_a_query_weighs_vectors_by_both_positions() -> None:
    seen, q = DotOfPlaces().seen_from(3), np.arange(8.0)
    wanted = [4 * (key + 1) / 8 * sum(q[c] * math.cos(c) for c in range(8)) for key in range(4)]
    np.testing.assert_allclose(score_by_distance(seen, range(-3, 1), "typed", q), wanted, rtol=1e-12)
    assert explain_score(seen, -3, "typed", q).value == pytest.approx(wanted[0])


@pytest.mark.parametrize("pair", [(0, 0), (4, 1), (5, 5), (2, 4)])
def test_a_pair_is_derived_from_both_positions(pair: tuple[int, int]) -> None:
    query, key = pair
    derivation = explain_pair(FadingBias(), 1, query, key)
    assert derivation.value == pytest.approx(fading(1, query, key))
    assert f"1 + max({query}, 1)" in derivation.to_text()


def test_the_reach_is_that_of_the_keys_that_a_query_sees() -> None:
    assert pair_reach(FadingBias(), 0, 6) == pytest.approx(max(-fading(0, query, 0) for query in range(6)))
    assert not is_reach_sampled(FadingBias(), 200)
    assert is_reach_sampled(FadingBias(), 2000)
    assert affordable_rows(FadingBias()) < affordable_rows(LogBias())


def test_what_the_tokens_say_counts_for_a_family_that_needs_it() -> None:
    encoding = ContentBias()
    found = encoding.pair_values(range(6), range(6), 1, DRAWN)
    wanted = [[counted(1, query, key) for key in range(6)] for query in range(6)]
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-15)
    assert explain_pair(encoding, 0, 4, 1, DRAWN).value == pytest.approx(counted(0, 4, 1))
    assert np.allclose(encoding.seen_from(4, DRAWN).values(np.arange(-4, 1), np.array([0]))[:, 0],
                       [counted(0, 4, key) for key in range(5)])  # fmt: skip
    assert encoding.seen_from(4, DRAWN).seen_from(2).content == DRAWN
    for ask in (lambda: encoding.pair_values(range(2), range(2)), lambda: encode(encoding.seen_from(1), [0])):
        with pytest.raises(ValueError, match=r"^Content bias needs the queries and keys of the tokens$"):
            ask()


def test_typed_vectors_are_the_same_for_each_token() -> None:
    typed = TokenVectors(TOKENS, typed=((1.0, 2.0), (3.0,)))
    assert typed.queries(range(2), 3).tolist() == [[1, 2, 1]] * 2
    assert typed.keys(range(3, 5), 2).tolist() == [[3, 3]] * 2
    assert (DRAWN.keys(range(1, 3), 4) == DRAWN.keys(range(3), 4)[1:]).all()
    assert (DRAWN.keys(range(1), 4) != DRAWN.queries(range(1), 4)).any()


@pytest.mark.parametrize("mode", ["ones", "simulated", "typed"])
def test_a_document_shows_a_querys_table_and_keeps_none(mode: str) -> None:
    document = Document("one two three").with_encoding(ContentBias()).edited("pair_vectors", mode)
    seen, vectors = seen_document(document, 2), token_vectors(document)
    assert vectors is not None
    found = seen.encoding.values(np.arange(-2, 1), np.array([0]))[:, 0]
    assert found == pytest.approx([counted(0, 2, key, vectors) for key in range(3)])
    assert seen.to_json() == document.to_json()
    assert document.with_encoding(seen.encoding) == document
    assert document.with_encodings(seen.encodings, 0) == document


@pytest.mark.parametrize("family", ["cope", "forget_gate"])
def test_gates_are_those_of_the_words_unless_numbers_are_typed(family: str) -> None:
    document = Document("one two three").edited("family", family)
    seen = seen_document(document, 2).encoding
    assert seen.label == "simulated queries and keys"
    assert "simulated queries and keys" in seen.warnings[0]
    words = Document("one four five").edited("family", family)
    rows = [seen_document(each, 2).encoding.values(np.arange(-2, 1), np.array([0])) for each in (document, words)]
    assert (rows[0] != rows[1]).any()
    assert seen_document(document.edited("pair_vectors", "typed"), 2).encoding.label == "typed queries and keys"


def test_a_document_without_such_a_family_is_itself() -> None:
    document = Document().with_encoding(Sinusoidal(8))
    assert seen_document(document, 1) is document
    assert token_vectors(document.edited("pair_vectors", "typed")) is None


def test_the_derivation_of_more_gates_than_are_written_out_prints_the_number(capsys) -> None:
    exec(explain(ForgetGate((0.9, 0.5)).seen_from(40_000), -30_000, 0).python, {})
    assert float(capsys.readouterr().out.split()[0]) == pytest.approx(15_000 * math.log(0.9 * 0.5), rel=1e-12)


def test_typed_keys_of_any_size_set_the_forget_gate() -> None:
    typed = TokenVectors(TOKENS, typed=((1.0,), (-1e40,)))
    seen = ForgetGate().seen_from(3, typed)
    assert seen.values(np.array([-2, 0]), np.array([0])).tolist() == [[-2e40], [0.0]]
    assert seen.sampler.tile((-3, 1), (0, 1), (4, 1)).ravel().tolist() == [-3e40, -2e40, -1e40, 0.0]
    assert explain(seen, -2, 0).value == -2e40


def test_the_steps_of_a_contextual_position_name_the_logits() -> None:
    lines = explain(Cope(3, (4.0, -4.0, 0.0, 1.0), (0.5, -1.25, 2.0)).seen_from(3), -2, 0).to_text().splitlines()
    assert lines[1] == f"gate 3: g_3 = sigmoid(1) ≈ {1 / (1 + math.exp(-1)):.8g}"
    assert lines[-1].startswith("between them: -1.25 + 0.24904479 · (2 - (-1.25)) ≈ -0.4406044")
