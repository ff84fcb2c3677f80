"""Scalings with a ramp whose ends are not the usual ones, in exact float32, and ramps that several parameters share."""

import numpy as np
import pytest

from posenc_core import Llama3, NtkByParts, Rotary, Yarn, identify


def read(encoding):
    """The finding for the frequencies in float32."""
    return identify(encoding.frequencies().astype(np.float32))


@pytest.mark.parametrize(
    ("head_dim", "base", "factor", "high"), [(64, 5e5, 8.0, 4), (32, 25000.0, 2.0, 4), (32, 1e4, 8.0, 4)]
)
def test_a_single_pair_on_the_ramp_of_llama_3_is_not_wrong(head_dim, base, factor, high):
    meant = Rotary(head_dim, base, scaling=Llama3(factor, 8192, 2, high))
    finding = read(meant)
    assert (finding.is_right, finding.faults) == (True, ())
    assert meant in (finding.encoding, *finding.also)


def test_a_wrong_pair_beside_the_ramp_of_llama_3_is_wrong():
    numbers = Rotary(64, 5e5, scaling=Llama3(8.0, 8192, 2, 4)).frequencies().astype(np.float32)
    numbers[5] *= 1.1
    assert [fault.places for fault in identify(numbers).faults] == [(5,)]


@pytest.mark.parametrize(
    ("head_dim", "base", "scaling"),
    [
        (128, 1e4, Yarn(4.0, 8192, 24, 1)),
        (128, 5e5, Yarn(8.0, 8192, 40, 1)),
        (128, 1e6, Yarn(4.0, 32768, 20, 1)),
        (64, 1e3, NtkByParts(8.0, 8192)),
        (64, 1e3, NtkByParts(4.0, 16384)),
    ],
)
def test_the_ends_of_a_ramp_are_measured(head_dim, base, scaling):
    meant = Rotary(head_dim, base, scaling=scaling)
    finding = read(meant)
    assert finding.is_right, finding.sentences
    assert meant in (finding.encoding, *finding.also)
    np.testing.assert_allclose(finding.encoding.frequencies(), meant.frequencies(), rtol=1e-6)


def test_ramps_with_the_same_numbers_are_named_unless_one_has_the_usual_turns():
    meant = Rotary(128, 1e4, scaling=Yarn(4.0, 8192, beta_fast=16, beta_slow=1))
    finding = read(meant)
    assert meant in (finding.encoding, *finding.also)
    assert any(
        "8,192, beta_fast 16" in each for each in finding.sentences if each.startswith("Encodings with the same")
    )
    usual = read(Rotary(128, 1e4, scaling=Yarn(4.0, 8192)))
    assert usual.encoding.scaling == Yarn(4.0, 8192)
    assert not any("beta_" in sentence for sentence in usual.sentences)


@pytest.mark.parametrize(("head_dim", "base", "kept"), [(16, 1e4, 4), (16, 150000.0, 4), (12, 1e4, 3)])
def test_a_step_between_kept_and_slowed_pairs_is_read(head_dim, base, kept):
    slowed = Rotary(head_dim, base).frequencies() / np.repeat([1.0, 8.0], [kept, head_dim // 2 - kept])
    finding = identify(slowed)
    assert finding.is_right, finding.sentences
    np.testing.assert_allclose(finding.encoding.frequencies(), slowed, rtol=1e-12)
