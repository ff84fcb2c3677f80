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
