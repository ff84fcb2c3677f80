"""Angles with whole turns, the roles of columns, and the scores of three ways along a shift of both positions."""

import math

import numpy as np
import pytest

from posenc_core import Proportional, Rotary, Sinusoidal
from posenc_core.analysis import column_roles, full_angles, head_columns, three_ways, way_scores
from posenc_core.encodings import Alibi, NoPosition, pair_angles

QUERY, KEY = np.arange(1.0, 9.0), np.arange(8.0, 0.0, -1.0)


@pytest.mark.parametrize("rotary", [Rotary(8), Rotary(8, pairing="interleaved", direction=-1), Rotary(8, rotary_dim=4)])
def test_scores_along_a_shift_are_those_of_each_pair_of_positions(rotary):
    shifts = np.array([0, 1, 10, 100])
    found = way_scores(rotary, QUERY, KEY, 5, 2, shifts)
    for column, shift in zip(found.T, shifts.tolist(), strict=True):
        ways = three_ways(rotary, QUERY, KEY, 5 + shift, 2 + shift)
        assert column == pytest.approx([way.score for way in ways], rel=1e-13)


def test_scores_along_a_shift_have_the_values_of_the_views():
    found = way_scores(Rotary(8, pairing="interleaved"), QUERY, KEY, 5, 2, [0, 10, 100])
    assert found[0] == pytest.approx([70.2790325502857] * 3, rel=1e-14)
    assert found[1] == pytest.approx([45.9295672520157] * 3, rel=1e-14)
    assert found[2] == pytest.approx([-14.2081051283041, -13.2838554665858, 41.8338408671838], rel=1e-12)


def test_scores_of_a_wide_head_are_computed_by_blocks():
    rotary, rng = Rotary(8192), np.random.default_rng(3)
    q, k = rng.normal(size=(2, 8192))
    found = way_scores(rotary, q, k, 9, 2, np.arange(129))
    assert found.shape == (3, 129)
    assert np.ptp(found[:2], axis=1).max() < 1e-8
    assert found[2, 128] == pytest.approx(three_ways(rotary, q, k, 137, 130)[2].score)
    assert way_scores(rotary, q, k, 9, 2, []).shape == (3, 0)


def test_scores_of_another_family_are_refused():
    with pytest.raises(ValueError, match="pair layouts exist for RoPE only: Sinusoidal does not rotate"):
        way_scores(Sinusoidal(8), QUERY, KEY, 5, 2, [0])


@pytest.mark.parametrize(
    ("encoding", "steps"),
    [(Sinusoidal(8), 700), (Sinusoidal(8, offset=2), 702), (Rotary(8), 700), (Rotary(8, direction=-1), -700)],
)
def test_full_angles_count_whole_turns_and_end_at_the_tables_own_angle(encoding, steps):
    found = full_angles(encoding, 700)
    assert found == pytest.approx([steps * 10000 ** (-pair / 4) for pair in range(4)])
    own = pair_angles(encoding, np.array([700]), np.arange(4))[0]
    assert np.exp(1j * found) == pytest.approx(np.exp(1j * own))
    assert abs(found[0]) > 100 * 2 * math.pi


@pytest.mark.parametrize(
    ("encoding", "runs"),
    [
        (Sinusoidal(8), [(0, 8, "turning")]),
        (Sinusoidal(7), [(0, 6, "turning"), (6, 7, "passing")]),  # a sine without its cosine
        (Rotary(8), [(0, 8, "turning")]),
        (Rotary(8, rotary_dim=4), [(0, 4, "turning"), (4, 8, "passing")]),
        (Rotary(8, rotary_dim=4, rotary_part="trailing"), [(0, 4, "passing"), (4, 8, "turning")]),
        (
            Rotary(8, scaling=Proportional(0.5)),
            [(0, 2, "turning"), (2, 4, "standing still"), (4, 6, "turning"), (6, 8, "standing still")],
        ),
        (
            Rotary(8, pairing="interleaved", scaling=Proportional(0.5)),
            [(0, 4, "turning"), (4, 8, "standing still")],
        ),
        (NoPosition(8), [(0, 8, "passing")]),
        (Alibi(8), [(0, 8, "passing")]),
    ],
)
def test_columns_turn_stand_still_or_pass(encoding, runs):
    assert [(run.first, run.stop, run.role) for run in column_roles(encoding)] == runs


def test_a_pairs_columns_are_those_of_the_head():
    pairs = np.arange(2)
    halves = Rotary(8, rotary_dim=4, rotary_part="trailing")
    assert [each.tolist() for each in head_columns(halves, pairs)] == [[4, 5], [6, 7]]
    neighbours = Rotary(8, pairing="interleaved")
    assert [each.tolist() for each in head_columns(neighbours, pairs)] == [[0, 2], [1, 3]]
