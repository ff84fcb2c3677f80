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


def of_llama3(plain: np.ndarray, factor: float, length: int) -> np.ndarray:
    shares = np.clip((length * plain / (2 * np.pi) - 1) / 3, 0, 1)
    return plain * (shares + (1 - shares) / factor)


def of_yarn(plain: np.ndarray, factor: float, length: int, is_whole: bool) -> np.ndarray:
    n_pairs = len(plain)
    low, high = (n_pairs * np.log(length / (2 * np.pi * turns)) / np.log(1e4) for turns in (32, 1))
    if is_whole:
        low, high = np.floor(low), np.ceil(high)
    ramp = np.clip((np.arange(n_pairs) - low) / (high - low), 0, 1)
    return plain * (1 - ramp + ramp / factor)


@pytest.mark.parametrize("head_dim", [64, 96, 128])
@pytest.mark.parametrize(("factor", "length"), [(4.0, 131072), (8.0, 65536)])
@pytest.mark.parametrize("kind", ["llama3", "yarn", "yarn, not truncate"])
def test_a_ramp_that_no_pair_is_slow_enough_to_leave_is_named(head_dim, factor, length, kind):
    plain, rows = 1e4 ** (-np.arange(head_dim // 2) / (head_dim // 2)), np.arange(300)
    if kind == "llama3":
        slowed, loud, wanted = of_llama3(plain, factor, length), 1.0, Llama3(factor, length)
    else:
        slowed, loud = of_yarn(plain, factor, length, kind == "yarn"), 0.1 * np.log(factor) + 1
        wanted = Yarn(factor, length, truncate=kind == "yarn")
    assert slowed[-1] > 1.001 * plain[-1] / factor, "the slowest pair has left the ramp"
    angles = np.outer(rows.astype(np.float32), slowed.astype(np.float32))
    cache = np.concatenate([np.cos(angles), np.sin(angles)], axis=1) * np.float32(loud)
    for numbers in (slowed, slowed.astype(np.float32), cache):
        finding = identify(numbers)
        assert (finding.is_right, finding.encoding.scaling) == (True, wanted), finding.sentences


@pytest.mark.parametrize("length", [64, 2048])
@pytest.mark.parametrize("loud", [1.0, np.sqrt(1 + np.log(32) / np.log(4096)), 1.25])
def test_a_cache_of_listed_divisors_is_named_with_any_attention_factor(length, loud):
    """Caches as LongRoPE has them, a divisor of two decimals per pair, with its factor sqrt(1 + ln 32/ln 4096)."""
    divisors = np.round(1.07 * 60 ** (np.arange(48) / 47), 2)
    angles = np.outer(np.arange(length, dtype=np.float32), (1e4 ** (-np.arange(48) / 48) / divisors).astype(np.float32))
    cosines, sines = np.cos(angles) * np.float32(loud), np.sin(angles) * np.float32(loud)
    for numbers in (np.concatenate([cosines, sines], axis=1), (np.tile(cosines, 2), np.tile(sines, 2))):
        finding = identify(numbers)
        assert (finding.is_right, finding.precision) == (True, "float32"), finding.sentences
        assert finding.encoding.scaling.divisors == tuple(divisors.tolist())
        assert finding.encoding.scaling.attention_factor == pytest.approx(loud, rel=2e-7)
