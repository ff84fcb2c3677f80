"""Unseen angles, drift and stale keys agree with a walk over all positions."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from derivations import printed
from hypothesis import given
from hypothesis import strategies as st
from strategies import rotaries

from posenc_core import (
    Alibi,
    Document,
    DynamicNtk,
    FrequencyScale,
    LearnedTable,
    Linear,
    Llama3,
    NtkAware,
    NtkByParts,
    Proportional,
    Rotary,
    Sinusoidal,
    TransformerXLRelative,
    Yarn,
    drift,
    open_model,
    unseen_angles,
)
from posenc_core.long_context import cache_bases, explain_drift, explain_unseen, slowdowns, stale_angles

CONFIGS = Path(__file__).parents[2] / "data" / "model_configs"

SCALED = [
    Rotary(16),
    Rotary(16, scaling=Linear(3.0)),
    Rotary(16, scaling=NtkAware(2.5)),
    Rotary(16, scaling=Yarn(4.0, 64)),
    Rotary(16, scaling=FrequencyScale(2.0)),
    Rotary(16, scaling=Proportional(0.5)),
    Rotary(16, direction=-1),
    Sinusoidal(16),
    Sinusoidal(9, spacing="paper", offset=3),
]


@pytest.mark.parametrize("encoding", SCALED, ids=repr)
def test_unseen_positions_by_trying_all_of_them(encoding):
    length, target = 50, 400
    found = unseen_angles(encoding, length, target)
    trained = encoding.pairs.unscaled
    for pair, (before, now) in enumerate(zip(trained, encoding.frequencies(), strict=True)):
        positions = np.arange(target)
        outside = positions * now > before * length * (1 + 1e-9)
        complete = before * length >= 2 * math.pi
        expected = int(np.argmax(outside)) if outside.any() and not complete else -1
        assert (found.first[pair], found.is_complete[pair]) == (expected, complete)
        derivation = explain_unseen(encoding, pair, length, target)
        assert derivation.value == expected == printed(derivation)
    assert found.count == (found.first >= 0).sum()


@given(rotaries(), st.integers(1, 10**7), st.integers(0, 10**7))
def test_any_scaling_has_unseen_angles(encoding, length, more):
    found = unseen_angles(encoding, length, length + more)
    assert found.first.shape == found.is_complete.shape == (encoding.pairs.n_pairs,)
    assert ((found.first == -1) | ((found.first >= 1) & (found.first < length + more))).all()
    assert not (found.first[found.is_complete] >= 0).any()


@pytest.mark.parametrize(
    ("head_dim", "rope_theta", "factor", "length"),
    [(8, 5e12, 5, 2**31), (48, 1e9, 1000, 10**7), (256, 150000.0, 741_324, 131_072), (128, 1e4, 4, 4096)],
)
def test_the_slowest_pair_of_another_base_leaves_its_arc_after_the_whole_target(head_dim, rope_theta, factor, length):
    """NTK-aware slows it exactly by the factor, so that its arc ends at a whole position however far."""
    encoding, target = Rotary(head_dim, rope_theta, scaling=NtkAware(factor)), 2 * factor * length
    derivation = explain_unseen(encoding, encoding.pairs.n_pairs - 1, length, target)
    first = unseen_angles(encoding, length, target).first[-1]
    assert first == derivation.value == printed(derivation) == factor * length + 1
    assert unseen_angles(encoding, length, factor * length + 1).first[-1] == -1


def test_position_interpolation_stays_within_its_arcs_at_any_factor():
    for factor in (3.0, 1.1, 7.7, 1000.0):
        encoding = Rotary(128, scaling=Linear(factor))
        assert unseen_angles(encoding, 4096, math.floor(4096 * factor) + 1).count == 0


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: unseen_angles(Rotary(8), 100, 99), "target_length must be at least trained_length = 100, got 99"),
        (lambda: unseen_angles(Rotary(8), 0, 99), "trained_length must be an integer >= 1, got 0"),
        (lambda: unseen_angles(Rotary(8), 1, 0), "target_length must be an integer >= 1, got 0"),
        (
            lambda: unseen_angles(Alibi(8), 10, 20),
            "unseen angles need pairs that turn with the position, as sinusoids and RoPE have: ALiBi has none",
        ),
        (
            lambda: drift(Rotary(8), LearnedTable()),
            "drift needs pairs that turn with the position, as sinusoids and RoPE have: Learned table has none",
        ),
        (
            lambda: stale_angles(Rotary(8, scaling=Yarn(2.0, 8)), [1], 9),
            "the cache timeline needs RoPE with dynamic NTK, got RoPE with YaRN scaling",
        ),
        (
            lambda: cache_bases(Rotary(8), [9]),
            "the cache timeline needs RoPE with dynamic NTK, got RoPE without scaling",
        ),
        (lambda: cache_bases(Alibi(8), [9]), "the cache timeline needs RoPE with dynamic NTK, got ALiBi"),
        (
            lambda: stale_angles(Rotary(8, scaling=DynamicNtk(2.0, 8, 8)), [3, 9], 9),
            "keys must be positions from 0 to 8, got 9",
        ),
        (
            lambda: cache_bases(Rotary(8, scaling=DynamicNtk(2.0, 8, 8)), [0]),
            "length must be an integer >= 1, got 0",
        ),
    ],
)
def test_a_question_without_an_answer_is_refused_in_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=r"\S") as caught:
        call()
    assert str(caught.value) == sentence


def test_a_pair_outside_the_table_is_refused():
    for call in (lambda: explain_unseen(Rotary(8), 4, 10, 20), lambda: explain_drift(Rotary(8), Rotary(16), 4)):
        with pytest.raises(IndexError, match=r"^pair 4 is outside 0\.\.3$"):
            call()


PAIRS = [
    (Rotary(16), Rotary(16, 500.0)),
    (Rotary(16), Rotary(8)),
    (Rotary(16), Rotary(16, direction=-1)),
    (Rotary(16), Sinusoidal(16)),
    (Sinusoidal(16), Sinusoidal(16, offset=2)),
    (Sinusoidal(16, 20.0, offset=3), Sinusoidal(16, offset=-1)),
    (Rotary(16), Rotary(16, scaling=Yarn(4.0, 64))),
]


@pytest.mark.parametrize(("a", "b"), PAIRS, ids=repr)
@pytest.mark.parametrize("degrees", [45.0, 7.5])
def test_drift_by_walking_over_positions(a, b, degrees):
    found, positions = drift(a, b, degrees), np.arange(3000)

    def angles(encoding, pair):
        sign = -1 if getattr(encoding, "direction", 1) < 0 else 1
        return sign * encoding.frequencies()[pair] * (positions + getattr(encoding, "offset", 0))

    assert len(found.first) == min(len(a.frequencies()), len(b.frequencies()))
    for pair, first in enumerate(found.first.tolist()):
        off = np.abs(angles(b, pair) - angles(a, pair)) > math.radians(degrees) * (1 + 1e-12)
        expected = int(np.argmax(off)) if off.any() else -1
        assert first == expected or (expected == -1 and first >= len(positions))
        derivation = explain_drift(a, b, pair, degrees)
        assert derivation.value == first == printed(derivation)


@pytest.mark.parametrize(
    "scaling",
    [
        Yarn(1.0, 4096),
        Yarn(1.0, 64, beta_fast=1e4, truncate=False),
        Llama3(1.0, 4096),
        NtkByParts(1.0, 4096),
        FrequencyScale(1.0),
    ],
    ids=repr,
)
def test_scalings_that_change_nothing_never_part(scaling):
    """Their blends of two equal frequencies are rounded."""
    one, other = Rotary(256), Rotary(256, scaling=scaling)
    assert drift(one, other).position == drift(other, one, 1e-6).position == -1
    assert {explain_drift(one, other, pair).value for pair in range(128)} == {-1}
    assert drift(Rotary(256, scaling=Linear(3.0)), Rotary(256, scaling=FrequencyScale(1 / 3))).position == -1
    assert (drift(Rotary(128), Rotary(128, 10000 * (1 + 1e-9))).first[1:] > 0).all()


@pytest.mark.parametrize(
    ("degrees", "error", "sentence"),
    [
        (True, TypeError, "degrees must be a number, got True (bool)"),
        ("45", TypeError, "degrees must be a number, got '45' (str)"),
        (math.nan, ValueError, "degrees must be a finite number > 0, got nan"),
        (0, ValueError, "degrees must be a finite number > 0, got 0"),
    ],
)
def test_a_threshold_that_is_no_angle_is_refused(degrees, error, sentence):
    for call in (
        lambda: drift(Rotary(8), Rotary(16), degrees),
        lambda: explain_drift(Rotary(8), Rotary(8), 0, degrees),
    ):
        with pytest.raises(error) as caught:
            call()
        assert str(caught.value) == sentence


def test_families_without_a_scaling_are_not_slowed():
    assert slowdowns(Sinusoidal(8)).tolist() == [1, 1, 1, 1]
    with pytest.raises(ValueError, match="Transformer-XL has none"):
        drift(TransformerXLRelative(8), Rotary(8))


def test_stale_keys_by_both_tables():
    def at(length):
        return Rotary(16, scaling=DynamicNtk(2.0, 32, length))

    stale = stale_angles(at(1), np.arange(100), 100)
    for key in (0, 10, 31, 32, 60, 99):
        expected = (at(key + 1).frequencies() - at(100).frequencies()) * key
        np.testing.assert_allclose(stale[key], expected, rtol=1e-12, atol=1e-15)
    assert not stale[99].any()
    assert not stale_angles(at(1), np.arange(32), 32).any()
    np.testing.assert_array_equal(
        stale_angles(Rotary(16, scaling=DynamicNtk(2.0, 32, 1), direction=-1), [50], 100), -stale[[50]]
    )
    assert stale_angles(at(1), [], 5).shape == (0, 8)


def test_phi_3_5_is_measured_with_the_long_list_behind_its_original_length():
    rotary = open_model(CONFIGS / "phi-3_5.json").rotary
    short, long = (rotary.scaled_by(replace(rotary.scaling, seq_len=length)) for length in (4096, 131072))
    assert unseen_angles(rotary, 4096, 131072).count == unseen_angles(long, 4096, 131072).count == 0
    assert unseen_angles(short, 4096, 131072).count == 14


@pytest.mark.parametrize("longest", [0, 1, 20, 49, 50, 399, 400, 10**6])
@pytest.mark.parametrize("encoding", SCALED, ids=repr)
def test_attention_that_ends_at_a_distance_shows_no_angle_beyond_it(encoding, longest):
    """By trying all distances, up to the longest one in training as well."""
    found = unseen_angles(encoding, 50, 400, longest)
    length, distances = min(50, longest + 1), np.arange(min(400, longest + 1))
    for pair, (before, now) in enumerate(zip(encoding.pairs.unscaled, encoding.frequencies(), strict=True)):
        outside = distances * now > before * length * (1 + 1e-9)
        complete = before * length >= 2 * math.pi
        expected = int(np.argmax(outside)) if outside.any() and not complete else -1
        assert (found.first[pair], found.is_complete[pair]) == (expected, complete)
        derivation = explain_unseen(encoding, pair, 50, 400, longest)
        assert derivation.value == expected == printed(derivation)


@pytest.mark.parametrize(("layer", "longest"), [(0, 8191), (3, None)])
def test_the_chunks_of_llama_4_end_what_its_layers_see(layer, longest) -> None:
    model = open_model(
        Path(__file__).parents[2] / "data" / "model_configs" / "meta-llama--Llama-4-Scout-17B-16E-Instruct.json"
    )
    lengths = Document().with_model(model, layer).lengths
    assert lengths.longest_distance == longest
    assert lengths.target == 10_485_760
    chunked = Document().with_model(model, 0).encoding
    assert unseen_angles(chunked, lengths.trained, lengths.target).count == 0
    rotary = Rotary(chunked.head_dim, chunked.rope_theta, chunked.pairing, scaling=chunked.scaling)
    assert unseen_angles(rotary, lengths.trained, lengths.target).count > 0
    if longest is not None:
        assert unseen_angles(rotary, lengths.trained, lengths.target, longest).count == 0
        assert not explain_unseen(rotary, 63, lengths.trained, lengths.target, longest).value >= 0


def test_a_longest_distance_below_0_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^longest_distance must be an integer >= 0, got -1$"):
        unseen_angles(Rotary(8), 10, 20, -1)
