"""Angles before cosine and sine, as code prints them while it is examined: position times frequency."""

import math

import numpy as np
import pytest

from posenc_core import encoding, identify


def angles(n: int, width: int, base: float, first: int = 0) -> np.ndarray:
    """Position times frequency ``(n, width / 2)`` of RoPE."""
    return np.outer(np.arange(first, first + n), base ** (-2 * np.arange(width // 2) / width))


@pytest.mark.parametrize("stored", [np.float64, np.float32, np.float16])
@pytest.mark.parametrize(("width", "base"), [(64, 10000.0), (128, 500000.0), (20, 1000000.0)])
@pytest.mark.parametrize("holder", ["pairs", "halves", "neighbours"])
def test_angles_of_a_rotation_are_named_with_its_base_and_pairing(stored, width, base, holder):
    numbers = angles(50, width, base, 3).astype(stored)
    if holder == "halves":  # torch.cat((freqs, freqs), dim=-1) of transformers
        numbers = np.concatenate([numbers, numbers], axis=1)
    elif holder == "neighbours":
        numbers = np.repeat(numbers, 2, axis=1)
    finding = identify(numbers)
    pairing = "interleaved" if holder == "neighbours" else "half_split"
    assert finding.is_right, finding.sentences
    assert (finding.kind, finding.positions) == ("angles", range(3, 53))
    meant = encoding("rotary", head_dim=width, rope_theta=base, pairing=pairing)
    if stored is np.float16:  # three digits do not determine the base exactly
        assert finding.encoding.head_dim == width
        assert math.isclose(finding.encoding.rope_theta, base, rel_tol=0.1)
    else:
        assert finding.encoding == meant
    assert "These are the angles, position times frequency, before cosine and sine." in finding.sentences
    assert ("These numbers do not show which columns are pairs." in finding.sentences) == (holder == "pairs")


@pytest.mark.parametrize(
    "scaling",
    [
        {"scaling": "linear", "factor": 4.0},
        {"scaling": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096},
        {"scaling": "llama3", "factor": 8.0, "original_max_position_embeddings": 8192},
    ],
)
def test_angles_of_scaled_rotations_are_named_and_have_no_attention_factor(scaling):
    meant = encoding("rotary", head_dim=128, rope_theta=500000.0, **scaling)
    finding = identify(np.outer(np.arange(300), meant.frequencies()).astype(np.float32))
    assert (finding.is_right, finding.encoding) == (True, meant)


@pytest.mark.parametrize(
    ("numbers", "code"),
    [
        (np.degrees(angles(60, 64, 10000.0)), "degrees"),
        (np.radians(angles(60, 64, 10000.0)), "degrees"),
        (angles(60, 64, 10000.0) * 2 * np.pi, "position_scaled"),
        (angles(60, 64, 10000.0)[::-1], "positions_reversed"),
    ],
)
def test_faults_of_angles_are_named(numbers, code):
    finding = identify(numbers)
    assert [fault.code for fault in finding.faults] == [code], finding.sentences
    assert (finding.encoding.head_dim, finding.encoding.rope_theta) == (64, 10000.0)


def test_a_wrong_angle_is_named_beside_the_right_one():
    numbers = angles(60, 64, 10000.0)
    numbers[7, 3] += 0.5
    finding = identify(numbers)
    assert finding.faults[0].places == ((7, 3),)
    assert finding.first.right == pytest.approx(7 * 10000.0 ** (-6 / 64), rel=1e-12)
    assert finding.first.where == "position 7, the angle of pair 3"
    assert finding.derivation() is None


@pytest.mark.parametrize("sign", [1, -1])
def test_slopes_times_distance_are_alibi_and_no_angles(sign):
    slopes = 2.0 ** -np.arange(1, 9)
    finding = identify(sign * np.outer(np.arange(70), slopes))
    assert (finding.is_right, finding.encoding) == (True, encoding("alibi", n_heads=8))
    assert [each.family for each in finding.also] == []
    assert list(finding.positions) == [sign * distance for distance in range(70)]


def test_proportional_columns_of_no_base_are_no_angles():
    shares = np.array([1.0, 0.9, 0.5, 0.47, 0.3, 0.05, 0.04, 0.01])
    assert identify(np.outer(np.arange(50), shares)).encoding is None


def test_numbers_whose_ratios_are_not_finite_are_no_angles():
    numbers = np.random.default_rng(4).normal(size=(20, 6))
    numbers[:, 0] = 5e-311
    assert identify(numbers).kind != "angles"
