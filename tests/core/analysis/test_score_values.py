"""Scores by distance agree with rotated vectors, with tables of biases, and with drawn queries and keys."""

import math

import numpy as np
import pytest
from derivations import printed
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import (
    Alibi,
    IntegerIndex,
    LearnedTable,
    Rotary,
    ShawRelative,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
    Yarn,
    score_by_distance,
    score_spread,
)
from posenc_core.analysis import (
    bias_of_head,
    biases_of_heads,
    explain_score,
    full_angles,
    row_weights,
    softmax_weights,
    three_ways,
)
from posenc_core.encodings import Sandwich

ROTARIES = [
    Rotary(8),
    Rotary(8, pairing="interleaved"),
    Rotary(8, direction=-1),
    Rotary(12, rotary_dim=8),
    Rotary(12, rotary_dim=8, rotary_part="trailing", pairing="interleaved"),
    Rotary(8, scaling=Yarn(4.0, 64)),
    Rotary(8, 0.5),
]
DISTANCES = [-300, -7, -1, 0, 1, 2, 50]
RANDOM = np.random.default_rng(3)


@pytest.mark.parametrize("rotary", ROTARIES, ids=repr)
def test_typed_scores_are_products_of_rotated_vectors(rotary):
    q, k = RANDOM.normal(size=(2, rotary.head_dim))
    scores = score_by_distance(rotary, DISTANCES, "typed", q, k)
    for distance, score in zip(DISTANCES, scores, strict=True):
        for query in (0, 11, 400):
            turned = rotary.rotate(np.stack([q, k]), [query, query + distance])
            assert turned[0] @ turned[1] == pytest.approx(score, abs=1e-11)
        derivation = explain_score(rotary, distance, "typed", q, k)
        assert derivation.value == pytest.approx(score, abs=1e-12)
        assert printed(derivation) == pytest.approx(score, abs=1e-11)


@pytest.mark.parametrize("rotary", ROTARIES, ids=repr)
def test_scores_of_ones_are_those_of_rotated_ones(rotary):
    ones = np.zeros(rotary.head_dim)
    ones[rotary.first_column : rotary.first_column + rotary.n_columns] = 1
    found = score_by_distance(rotary, DISTANCES)
    np.testing.assert_allclose(found, score_by_distance(rotary, DISTANCES, "typed", ones, ones), atol=1e-11)
    square, frequencies = rotary.attention_factor**2, rotary.frequencies()
    if rotary.rope_theta > 1:
        expected = [2 * square * np.cos(distance * frequencies).sum() for distance in DISTANCES]
        np.testing.assert_allclose(found, expected, atol=1e-11)


def test_independent_vectors_score_0_with_the_same_spread_at_every_distance():
    for rotary in (Rotary(8), Rotary(8, scaling=Yarn(4.0, 64))):
        q, k = RANDOM.normal(size=(2, 40_000, 8))
        spread = score_spread(rotary, DISTANCES)
        assert not score_by_distance(rotary, DISTANCES, "independent").any()
        derived = explain_score(rotary, 5, "independent")
        assert (derived.symbol, derived.value) == (explain_score(rotary, 5).symbol, 0)
        for distance, expected in zip((0, 7, 300), spread, strict=False):
            scores = (rotary.rotate(q[:, None], [0]) * rotary.rotate(k[:, None], [distance])).sum(axis=(1, 2))
            assert scores.std() == pytest.approx(expected, rel=0.02)
            assert abs(scores.mean()) < 5 * expected / math.sqrt(len(q))


def test_the_bound_is_a_mean_of_partial_sums():
    rotary = Rotary(8)
    for distance in (0, 3, -90):
        sums = np.abs(np.cumsum(np.exp(1j * distance * rotary.frequencies())))
        (found,) = score_by_distance(rotary, [distance], "bound")
        assert found == pytest.approx(sums.mean())
        derivation = explain_score(rotary, distance, "bound")
        assert derivation.value == pytest.approx(found)
        assert printed(derivation) == pytest.approx(found)


def test_biases_have_a_row_for_each_head():
    for encoding in (T5Bias(n_heads=3), T5Bias(bidirectional=False, n_heads=2), Alibi(6)):
        found = score_by_distance(encoding, DISTANCES)
        assert found.shape == (encoding.n_heads, len(DISTANCES))
        for head in range(encoding.n_heads):
            np.testing.assert_array_equal(found[head], bias_of_head(encoding, head, DISTANCES))
            for distance, score in zip(DISTANCES, found[head], strict=True):
                assert encoding.explain(distance, head).value == score
                assert explain_score(encoding, distance, head=head).value == score


@pytest.mark.parametrize(
    "encoding", [ShawRelative(8, 4), TransformerXLRelative(8), TransformerXLRelative(8, clamp_len=5)]
)
def test_the_query_weighs_the_vector_of_a_distance(encoding):
    q, columns = RANDOM.normal(size=8), np.arange(8)
    rows = encoding.values(np.array(DISTANCES), columns)
    for mode, query in (("typed", q), ("ones", np.ones(8))):
        found = score_by_distance(encoding, DISTANCES, mode, q if mode == "typed" else None)
        np.testing.assert_allclose(found, rows @ query, atol=1e-13)
        for distance, score in zip(DISTANCES, found, strict=True):
            derivation = explain_score(encoding, distance, mode, q)
            assert derivation.value == pytest.approx(score, abs=1e-13)
            assert printed(derivation) == pytest.approx(score, abs=1e-13)
    np.testing.assert_allclose(score_spread(encoding, DISTANCES), np.linalg.norm(rows, axis=1))
    assert not score_by_distance(encoding, DISTANCES, "independent").any()


@given(st.lists(st.floats(-700, 700), min_size=1, max_size=20))
def test_softmax_weights_sum_to_1(scores):
    weights = softmax_weights(scores)
    assert weights.sum() == pytest.approx(1)
    powers = [math.exp(score - max(scores)) for score in scores]
    np.testing.assert_allclose(weights, np.array(powers) / math.fsum(powers), rtol=1e-12)


def test_the_weights_of_a_row():
    rotary = Rotary(8, scaling=Yarn(4.0, 64, mscale=1.0, mscale_all_dim=0.5))
    scores = score_by_distance(rotary, range(-9, 1)) * rotary.softmax_scale_factor / math.sqrt(8)
    np.testing.assert_allclose(row_weights(rotary, 10), softmax_weights(scores))
    weights = row_weights(Alibi(4), 10)
    assert weights.shape == (4, 10)
    assert (np.diff(weights, axis=1) > 0).all()
    np.testing.assert_allclose(weights[0, :-1] / weights[0, 1:], math.exp(-0.25))
    assert row_weights(Rotary(8), 1).tolist() == [1.0]
    q = RANDOM.normal(size=4)
    vectors = ShawRelative(4, 3).values(np.arange(-4, 1), np.arange(4))
    np.testing.assert_allclose(row_weights(ShawRelative(4, 3), 5, "typed", q), softmax_weights(vectors @ q / 2))


@pytest.mark.parametrize("rotary", ROTARIES, ids=repr)
def test_the_right_way_and_the_wrong_convention_keep_lengths_and_the_distance_alone(rotary):
    q, k = RANDOM.normal(size=(2, rotary.head_dim))
    first, later = (three_ways(rotary, q, k, *places) for places in ((9, 2), (109, 102)))
    right, wrong, broken = first
    turned = rotary.rotate(np.stack([q, k]), [9, 2])
    assert right.score == pytest.approx(turned[0] @ turned[1])
    for way, same in zip(first[:2], later[:2], strict=True):
        assert way.score == pytest.approx(same.score, abs=1e-11)
        assert way.query_square == pytest.approx(turned[0] @ turned[0])
        assert way.key_square == pytest.approx(turned[1] @ turned[1])
    assert wrong.score != pytest.approx(right.score)
    assert broken.score != pytest.approx(later[2].score)
    assert broken.query_square != pytest.approx(right.query_square)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: score_by_distance(Sinusoidal(8), [0]),
            "Sinusoidal has no scores by distance; among others RoPE, ALiBi, T5 and Shaw have them",
        ),
        (
            lambda: score_spread(LearnedTable(), [0]),
            "Learned table has no scores by distance; among others RoPE, ALiBi, T5 and Shaw have them",
        ),
        (
            lambda: score_spread(Alibi(4), [0]),
            "the biases of ALiBi do not depend on queries and keys: they have no spread",
        ),
        (
            lambda: score_by_distance(Rotary(8), [0], "twos"),
            "mode must be one of ones, bound, independent, typed, got 'twos'",
        ),
        (
            lambda: score_by_distance(ShawRelative(8, 2), [0], "bound"),
            "RoFormer's bound exists for RoPE only: Shaw relative has none",
        ),
        (lambda: score_by_distance(Rotary(8), [0], "typed"), "the mode typed needs q, a vector of 8 numbers"),
        (
            lambda: score_by_distance(Rotary(8), [0], "typed", [1, 2, 3], [1] * 8),
            "q must have 8 numbers, as many as the head has columns, got 3",
        ),
        (
            lambda: score_by_distance(Rotary(8), [0], "typed", [1] * 8, [[1] * 8]),
            "k must have 8 numbers, as many as the head has columns, got the shape (1, 8)",
        ),
        (lambda: score_by_distance(Rotary(8), [0], "typed", [math.inf] * 8, [1] * 8), "q must have finite numbers"),
        (
            lambda: score_by_distance(Rotary(2), [0], "typed", ["a", 1], [1] * 2),
            "q must be a vector of 2 numbers, got ['a', 1]",
        ),
        (
            lambda: score_by_distance(Rotary(2), [0], "typed", [True, False], [1] * 2),
            "q must be a vector of 2 numbers, got [True, False]",
        ),
        (
            lambda: score_by_distance(Rotary(2), [0], "typed", [1, 2], [1j, 1]),
            "k must be a vector of 2 numbers, got [1j, 1]",
        ),
        (
            lambda: score_by_distance(Rotary(2), [0], "typed", ["1", "2"], [1, 1]),
            "q must be a vector of 2 numbers, got ['1', '2']",
        ),
        (
            lambda: bias_of_head(Rotary(8), 0, [0]),
            "Rotary (RoPE) has no biases by head; among others T5 and ALiBi have them",
        ),
        (lambda: softmax_weights([]), "a row of weights needs at least one score"),
        (lambda: softmax_weights([math.nan]), "scores must be finite numbers"),
        (lambda: row_weights(Rotary(8), 0), "n_keys must be an integer >= 1, got 0"),
        (
            lambda: row_weights(Rotary(8), 5, "bound"),
            "the mode bound has no attention weights: choose ones or typed",
        ),
        (
            lambda: three_ways(Sinusoidal(8), [1] * 8, [1] * 8, 0, 1),
            "pair layouts exist for RoPE only: Sinusoidal does not rotate",
        ),
        (lambda: full_angles(IntegerIndex(4), 3), "Integer index has no pairs that turn"),
    ],
)
def test_a_score_without_an_answer_is_refused_in_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=r"\S") as caught:
        call()
    assert str(caught.value) == sentence


def test_a_head_that_is_not_there_is_refused():
    for call in (lambda: bias_of_head(Alibi(4), 4, [0]), lambda: explain_score(T5Bias(n_heads=4), 0, head=-1)):
        with pytest.raises(IndexError, match=r"^head (4|-1) is outside 0\.\.3$"):
            call()


def test_the_widest_head_has_scores():
    rotary = Rotary(65_536)
    ones = np.ones(65_536)
    found = score_by_distance(rotary, [0, 5], "typed", ones, ones)
    np.testing.assert_allclose(found, score_by_distance(rotary, [0, 5]), rtol=1e-12)
    assert explain_score(rotary, 5, "typed", ones, ones).value == pytest.approx(found[1])


@pytest.mark.parametrize("encoding", [Sandwich(d_bar=64, n_heads=12), Alibi(12), T5Bias(n_heads=12)])
def test_biases_of_several_heads_are_those_of_each_head(encoding) -> None:
    distances = np.arange(-300, 301)
    several = biases_of_heads(encoding, [0, 5, 11], -distances)
    assert several.shape == (601, 3)
    for head, biases in zip((0, 5, 11), several.T, strict=True):
        assert (biases == bias_of_head(encoding, head, -distances)).all()
    with pytest.raises(IndexError):
        biases_of_heads(encoding, [0, 12], distances)
