"""Masks as models write them, heads before or after positions, and positions that begin again or stand still."""

import numpy as np
import pytest
from own_code import bfloat16

from posenc_core import Alibi, Llama3, Rotary, frequencies, identify

APART = np.arange(30)[:, None] - np.arange(30)
BIASES = -(2.0 ** -np.arange(1, 9))[:, None, None] * APART


@pytest.mark.parametrize("mask", [-1e4, -9984.0, -65504.0, -1e9, -np.inf])
@pytest.mark.parametrize("stored", [np.float32, bfloat16])
@pytest.mark.parametrize("is_added", [False, True])
def test_later_keys_may_have_any_usual_mask(mask, stored, is_added):
    masked = np.where(APART < 0, BIASES + mask if is_added else mask, BIASES)
    finding = identify(bfloat16(masked) if stored is bfloat16 else masked.astype(stored))
    assert (finding.is_right, finding.encoding) == (True, Alibi(8))


def test_the_mask_of_float16_is_10000():
    assert identify(np.where(APART < 0, -1e4, BIASES).astype(np.float16)).encoding == Alibi(8)


def test_angles_in_float16_give_no_warning():
    """Warnings are errors here: a quotient overflowed in float16."""
    rates = frequencies(Rotary(64, 25000.0, scaling=Llama3(2.0, 2048, 2, 4)))
    assert not any(fault.code for fault in identify(np.outer(np.arange(1000, 1512), rates).astype(np.float16)).faults)


def heads(n_positions, n_heads, pairing="half_split"):
    """Vectors (heads, positions, head_dim) before and after a rotation."""
    before = np.random.default_rng(n_positions).normal(size=(n_heads, n_positions, 64))
    turned = Rotary(64, pairing=pairing)
    return before, np.stack([turned.rotate(each, range(n_positions)) for each in before])


@pytest.mark.parametrize("pairing", ["half_split", "interleaved"])
@pytest.mark.parametrize(("n_positions", "n_heads"), [(10, 4), (4, 4), (64, 3)])
@pytest.mark.parametrize("is_batch", [False, True])
def test_heads_may_follow_positions(pairing, n_positions, n_heads, is_batch):
    before, after = (each.swapaxes(0, 1) for each in heads(n_positions, n_heads, pairing))
    given = (before[None], after[None]) if is_batch else (before, after)
    for positions in (None, range(n_positions)):
        finding = identify(given, positions=positions)
        assert (finding.is_right, finding.encoding) == (True, Rotary(64, pairing=pairing))


def test_positions_of_a_wrong_number_are_refused_for_heads_in_any_order():
    before, after = (each.swapaxes(0, 1) for each in heads(10, 4))
    with pytest.raises(ValueError, match="5 positions are given for 40 rows"):
        identify((before, after), positions=range(5))


def test_one_rotated_vector_tells_no_formula():
    before, after = heads(2, 1)
    with pytest.raises(ValueError, match="two arrays of one row do not determine a formula"):
        identify((before[0, 1:], after[0, 1:]))


WRONG = {
    "begin again": np.tile(np.arange(30), 2),
    "are halved": np.arange(60) // 2,
    "stand still": np.r_[np.zeros(10, int), np.arange(50)],
}


@pytest.mark.parametrize("positions", WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("is_given", [False, True])
def test_wrong_positions_of_one_axis_are_no_right_numbers_of_several_axes(positions, is_given):
    angles = np.outer(positions, 10000.0 ** (-np.arange(32) / 32))
    waves = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    assert not identify(waves, positions=range(60) if is_given else None).is_right
