"""The bounds of the families since 2022: a sentence for each that is passed, and what the cases at the bounds are."""

import math
import re
from collections.abc import Callable

import numpy as np
import pytest
from cases import each_case

from posenc_core import Alibi, Encoding, FrequencyDivisors, Rotary
from posenc_core.encodings import (
    ChunkedAttention,
    Cope,
    DistanceRemap,
    DualChunk,
    Fire,
    Fope,
    ForgetGate,
    GivenMlp,
    GrapeM,
    Kerple,
    LeakyReRope,
    Pope,
    RelativeBank,
    ReRope,
    Sandwich,
    SelfExtend,
    XPos,
)
from posenc_core.rope_scaling import LeRope, ServedNtk, ThetaScale


def scaled(scaling: object) -> Callable[[], Encoding]:
    return lambda: Rotary(8, scaling=scaling)


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: DualChunk(4, 4), "chunk_size (4) must be greater than local_size (4)"),
    (lambda: DualChunk(3, 4), "chunk_size (3) must be greater than local_size (4)"),
    (lambda: DualChunk(4, -1), "local_size must be an integer >= 0, got -1"),
    (lambda: SelfExtend(3, 4), "neighbor_window (3) must be 0 or at least group_size (4)"),
    (lambda: SelfExtend(3, 0), "group_size must be an integer >= 1, got 0"),
    (lambda: ReRope(-1), "window must be an integer >= 0, got -1"),
    (lambda: LeakyReRope(4, 0.5), "slope_denominator must be a finite number >= 1 and <= 1e+06, got 0.5"),
    (lambda: LeakyReRope(4, math.nextafter(1, 0)), "slope_denominator must be a finite number >= 1"),
    (lambda: ChunkedAttention(0), "attention_chunk_size must be an integer >= 1, got 0"),
    (lambda: DistanceRemap(ReRope(4), 7), "RoPE rotates pairs: rotary dimension must be even, got 7"),
    (lambda: Kerple(r1=0.0), "r1 must be a finite number > 0 and <= 1000, got 0.0"),
    (lambda: Kerple(r2=math.nan), "r2 must be a finite number > 0 and <= 1000, got nan"),
    (lambda: Kerple("power", r2=2.5), "r2 of the power kernel must be at most 2, got 2.5"),
    (lambda: Sandwich(7), "d_bar must be even, as each frequency has a sine and a cosine, got 7"),
    (lambda: Fire(0.0), "c must be a finite number > 0 and <= 1000, got 0.0"),
    (lambda: Fire(threshold=0), "threshold must be an integer >= 1, got 0"),
    (lambda: GivenMlp((1.0, 2.0), (1.0,), (1.0, 2.0), (0.0,)), "b1 must have as many numbers as w1, 2, got 1"),
    (
        lambda: GivenMlp((1.0, 2.0), (1.0, 1.0), (1.0,), (0.0,)),
        "w2 must have heads x units = 1 x 2 numbers, got 1",
    ),
    (
        lambda: GivenMlp.of(np.ones((2, 1)), np.ones(2), np.ones((2, 3)), np.ones(3)),
        "w2 must be heads x units = 3 x 2 numbers, since b2 has 3 and w1 has 2, got 2 x 3",
    ),
    (lambda: RelativeBank(2, 3, (1.0,) * 5), "bank must have d_rel x rel_extent = 2 x 3 = 6 numbers, got 5"),
    (lambda: RelativeBank(2, 3, states=(1.0,) * 3), "states must have d_rel = 2 numbers per head, got 3"),
    (lambda: RelativeBank.from_arrays(np.ones(3)), "bank must be an array d_rel x rel_extent, got 3"),
    (
        lambda: RelativeBank.from_arrays(np.ones((2, 5)), np.ones((2, 4))),
        "states must be an array n_heads x d_rel, with d_rel = 2, got 2 x 4",
    ),
    (
        lambda: RelativeBank.from_arrays(np.ones((2, 5)), np.ones((0, 2))),
        "states must be an array n_heads x d_rel, with d_rel = 2, got 0 x 2",
    ),
    (
        lambda: RelativeBank.from_arrays(np.ones((2, 5)), [[]]),
        "states must be an array n_heads x d_rel, with d_rel = 2, got 1 x 0",
    ),
    (
        lambda: RelativeBank.from_arrays(np.ones((2, 5)), np.ones((2, 2, 2))),
        "states must be an array n_heads x d_rel, with d_rel = 2, got 2 x 2 x 2",
    ),
    (lambda: RelativeBank.from_arrays([[1, 2], [3]]), "bank must be an array of real numbers, got [[1, 2], [3]]"),
    (lambda: RelativeBank.from_arrays([[1j]]), "bank must be an array of real numbers, got [[1j]]"),
    (lambda: Fope(8, num_inv_freq=5), "num_inv_freq must be at most head_dim/2 = 4, got 5"),
    (lambda: Fope(8, num_inv_freq=-1), "num_inv_freq must be an integer >= 0, got -1"),
    (lambda: Fope(8, deviation=-1e-10), "deviation must be a finite number >= 0 and <= 1000, got -1e-10"),
    (
        lambda: Fope(8, num_inv_freq=2, cos_coefficients=(1.0,) * 3),
        "cos_coefficients must have K x K = 2 x 2 numbers, got 3",
    ),
    (
        lambda: Fope.from_arrays(np.eye(2), np.ones((1, 4)), head_dim=8, num_inv_freq=2),
        "sin_coefficients must be a square array, K x K numbers, got 1 x 4",
    ),
    (lambda: XPos(7), "RoPE rotates pairs: rotary dimension must be even, got 7"),
    (lambda: Pope(2, delta=(0.0, 0.1)), "delta[1] must be a number from -6.28319 to 0, got 0.1"),
    (lambda: Pope(2, delta=(-6.3, 0.0)), "delta[0] must be a number from -6.28319 to 0, got -6.3"),
    (lambda: Pope(3, delta=(-1.0,)), "delta must have head_dim = 3 numbers, got 1"),
    (lambda: Cope(0), "p_max must be an integer >= 1, got 0"),
    (lambda: Cope(3, position_logits=(1.0, 2.0)), "position_logits must have p_max = 3 numbers, got 2"),
    (lambda: Cope(gate_logits=(1.0, 2e6)), "gate_logits[1] must be a number from -1e+06 to 1e+06, got 2000000.0"),
    (lambda: ForgetGate((0.5, 1.5)), "gates[1] must be a finite number > 0 and <= 1, got 1.5"),
    (lambda: ForgetGate((0.0,)), "gates[0] must be a finite number > 0 and <= 1, got 0.0"),
    (lambda: ForgetGate((-0.1,)), "gates[0] must be a finite number > 0 and <= 1, got -0.1"),
    (lambda: GrapeM((1.0, 2.0), (1.0,)), "b must be a list of 2 to 4096 numbers from -1e6 to 1e6, got 1 number"),
    (lambda: GrapeM((1.0, 2.0), (1.0, 0.0, 0.0)), "b must have as many numbers as a, 2, got 3"),
    (scaled(FrequencyDivisors((2.0,))), "divisors must list rotary_dim/2 = 4 numbers, got 1"),
    (lambda: FrequencyDivisors((1.0, 2.0, -3.0)), "divisors[2] must be a finite number > 0, got -3.0"),
    (lambda: LeRope(1.0, 64, lerope_alpha=(0.0, 14.0)), "lerope_alpha[1] must be a number from -100 to 13.8, got 14"),
    (scaled(LeRope(1.0, 64, lerope_alpha=(1.0,))), "lerope_alpha must list rotary_dim/2 = 4 numbers, got 1"),
    (lambda: ServedNtk(0.5), "factor must be a finite number >= 1, got 0.5"),
    (lambda: ServedNtk(2.0, 0.0), "mixed_b must be a finite number > 0 and <= 100, got 0.0"),
    (lambda: ThetaScale(2.0, 6), "original_max_position_embeddings must be an integer >= 7, got 6"),
]  # fmt: skip


@each_case("make, sentence", WRONG)
def test_a_number_beyond_a_bound_is_refused_in_a_sentence(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        make()


@pytest.mark.parametrize(("name", "array", "sentence"), [
    ("w1", np.ones((4, 2)), "w1 must have one number per unit, the shape units x 1, got 4 x 2"),
    ("w1", np.ones((1, 4)), "w1 must have one number per unit, the shape units x 1, got 1 x 4"),
    ("w1", np.ones((4, 1, 1)), "w1 must have one number per unit, the shape units x 1, got 4 x 1 x 1"),
    ("w1", np.ones(0), "w1 must have one number per unit, the shape units x 1, got 0"),
    ("w1", np.ones(5), "w1 and b1 must have one number per unit each, got 5 and 4"),
    ("w1", np.ones((4, 1)) * 1j, "w1 must be an array of real numbers, got an array of complex128"),
    ("b1", np.ones((4, 1)), "b1 must have one number per unit, got 4 x 1"),
    ("b1", np.ones(5), "w1 and b1 must have one number per unit each, got 4 and 5"),
    ("w2", np.ones((4, 3)), "w2 must be heads x units = 3 x 4 numbers, since b2 has 3 and w1 has 4, got 4 x 3"),
    ("w2", np.ones(12), "w2 must be heads x units = 3 x 4 numbers, since b2 has 3 and w1 has 4, got 12"),
    ("w2", np.ones(()), "w2 must be heads x units = 3 x 4 numbers, since b2 has 3 and w1 has 4, got 1"),
    ("b2", np.ones((3, 1)), "b2 must have one number per head, got 3 x 1"),
    ("b2", np.ones(0), "b2 must have one number per head, got 0"),
    ("b2", np.ones(2), "w2 must be heads x units = 2 x 4 numbers, since b2 has 2 and w1 has 4, got 3 x 4"),
])  # fmt: skip
def test_a_network_of_another_shape_is_refused_in_a_sentence(tmp_path, name, array, sentence) -> None:
    network = {"w1": np.ones((4, 1)), "b1": np.ones(4), "w2": np.ones((3, 4)), "b2": np.ones(3)}
    np.savez(tmp_path / "network.npz", **network)
    assert Fire.from_file(tmp_path / "network.npz").n_columns == 3
    np.savez(tmp_path / "network.npz", **{**network, name: array})
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        Fire.from_file(tmp_path / "network.npz")


def pairs(encoding: Encoding) -> np.ndarray:
    return encoding.pair_values(range(40), range(40))


DISTANCES = np.tril(np.subtract.outer(np.arange(40), np.arange(40))).astype(float)


@pytest.mark.parametrize(
    "rule",
    [DualChunk(44, 4), SelfExtend(8, 1), SelfExtend(0, 1), ReRope(39), LeakyReRope(8, 1.0), ChunkedAttention(40)],
)
def test_a_rule_that_changes_nothing_is_rope(rule) -> None:
    np.testing.assert_array_equal(pairs(DistanceRemap(rule)), DISTANCES)


def test_distances_at_the_bounds_of_a_rule() -> None:
    """A window of 0 divides all positions, or leaves none; chunks of a single position see themselves alone."""
    floors = np.arange(40) // 4
    np.testing.assert_array_equal(
        pairs(DistanceRemap(SelfExtend(0, 4))), np.tril(np.subtract.outer(floors, floors)).astype(float)
    )
    assert not pairs(DistanceRemap(ReRope(0))).any()
    own = pairs(DistanceRemap(ChunkedAttention(1)))
    assert np.isnan(own[np.tril_indices(40, -1)]).all()
    assert not own.diagonal().any()
    assert pairs(DistanceRemap(DualChunk(1, 0))).max() == 1.0


def test_biases_at_their_bounds() -> None:
    """The power 1 and equal gates are ALiBi, a rate near 0 is no bias, open gates count all and closed ones nothing."""
    distances = -np.arange(30)
    slopes = Alibi(8).values(distances, np.array([0]))
    np.testing.assert_allclose(Kerple("power", 0.5, 1.0, 1).values(distances, np.array([0])), slopes, atol=1e-14)
    fading = ForgetGate((math.exp(-0.5),)).seen_from(29)
    np.testing.assert_allclose(fading.values(distances, np.array([0])), slopes, atol=1e-13)
    assert np.abs(Kerple("log", 1.0, 1e-12, 1).values(distances, np.array([0]))).max() < 1e-10
    keys = np.arange(10)
    logits = tuple(np.arange(100.0).tolist())
    np.testing.assert_allclose(Cope(100, (100.0,), logits).contextual_positions(9, keys), 10 - keys)
    np.testing.assert_allclose(Cope(100, (-100.0,), logits).contextual_positions(9, keys), 0, atol=1e-40)
    assert Fire().seen_from(0).values(np.array([0]), np.array([0])) == 0.0
    assert np.array_equal(ForgetGate((1.0,)).seen_from(9).values(-keys, np.array([0])), np.zeros((10, 1)))


def test_rotations_at_their_bounds() -> None:
    """FoPE with the identity is RoPE, and without pairs nothing; GRAPE-M turns nothing in a plane without area."""
    positions, columns = np.arange(50), np.arange(8)
    rope = Rotary(8).values(positions, columns)
    np.testing.assert_allclose(Fope(8, num_inv_freq=4, deviation=0.0).values(positions, columns), rope, atol=1e-14)
    still = Fope(8, num_inv_freq=0)
    assert np.array_equal(still.values(positions, columns), np.repeat([[1.0] * 4 + [0.0] * 4], 50, axis=0))
    x = np.random.default_rng(0).normal(size=(50, 8))
    np.testing.assert_array_equal(still.mixed(x, positions), x)
    assert np.array_equal(GrapeM((1.0, 2.0), (2.0, 4.0)).values(positions, np.arange(2)), [[1.0, 0.0]] * 50)
    np.testing.assert_allclose(Rotary(8, scaling=LeRope(1.0, 64)).frequencies(), Rotary(8).frequencies(), rtol=1e-15)


@pytest.mark.parametrize(("a", "b", "area"), [((1e6, 0.5), (1e6, 1.0), 5e5), ((1.0, 0.0), (1.0, 1e-9), 1e-9)])
def test_grape_m_turns_the_plane_of_nearly_parallel_vectors(a, b, area) -> None:
    """In two columns the area is |a0 b1 - a1 b0|."""
    encoding, positions, speed = GrapeM(a, b, 1e-6), np.array([1, 100, 100_000]), 1e-6 * area
    turned = np.stack([np.cos(speed * positions), -np.sin(speed * positions)], axis=1)
    np.testing.assert_allclose(encoding.values(positions, np.arange(2)), turned, rtol=1e-9)
    assert not encoding.warnings


def test_the_largest_score_of_pope_is_at_distance_0() -> None:
    encoding, rng = Pope(16), np.random.default_rng(0)
    query, key = rng.normal(size=(2, 16)) * 4
    scores = encoding.scores.by_distance(np.arange(-200, 201), "typed", query, key)
    assert scores.argmax() == 200
    assert Pope(1).score([-700.0], [0.0], 0) > 0.0  # a magnitude is never 0


def test_no_bias_of_a_forget_gate_is_beyond_its_bound() -> None:
    for n_keys in range(1, 200):
        encoding = ForgetGate((0.53125,)).seen_from(n_keys)
        low, _ = encoding.range_over(-n_keys, 1)
        assert low <= encoding.values(np.array([-n_keys]), np.array([0])).item()
