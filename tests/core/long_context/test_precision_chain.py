"""Rounded angles: their errors, the chain of their numbers, and the positions that stay apart."""

import struct
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import Linear, Llama3, NtkAware, Proportional, Rotary, Sinusoidal, Yarn, precision_error
from posenc_core.long_context import (
    ARITHMETICS,
    PrecisionCurves,
    distinct_positions,
    rounding_chain,
)
from posenc_core.long_context.precision import tried_positions
from posenc_core.long_context.precision_curves import SAMPLES
from posenc_core.tables import Cancelled

PLAIN = Rotary(128)

MEASURED = [
    ("float32", 128, 1e4, (2.88e-05, 3.17e-04, 5.16e-03, 5.16e-02)),
    ("float32_to_bfloat16", 128, 1e4, (1.95e-03, 1.95e-03, 5.17e-03, 5.15e-02)),
    ("float32_to_float16", 128, 1e4, (2.42e-04, 2.67e-04, 5.17e-03, 5.16e-02)),
    ("bfloat16", 128, 1e4, (1.73, 1.95, 1.98, 1.98)),
    ("bfloat16_inv_freq", 128, 1e4, (1.01, 1.98, 1.99, 1.99)),
    ("llama_cpp", 128, 1e4, (1.05e-04, 1.47e-03, 9.80e-03, 7.62e-02)),
    ("llama_cpp", 128, 5e5, (7.02e-05, 4.42e-04, 7.04e-03, 7.25e-02)),
    ("llama_cpp", 128, 1e6, (5.41e-05, 5.51e-04, 5.80e-03, 5.46e-02)),
    ("llama_cpp", 512, 1e4, (3.16e-04, 2.37e-03, 3.00e-02, 2.21e-01)),
]
"""Largest error of all pairs at 1e3, 1e4, 1e5 and 1e6 against mpmath, to three digits."""


@pytest.mark.parametrize(("arithmetic", "width", "base", "largest"), MEASURED)
def test_largest_errors_are_those_measured(arithmetic, width, base, largest):
    errors = precision_error(Rotary(width, base), [1000, 10_000, 100_000, 1_000_000], arithmetic)
    assert errors.shape == (4, width // 2)
    np.testing.assert_allclose(errors.max(axis=1), largest, rtol=6e-3)


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
@pytest.mark.parametrize(
    "scaling", [None, Linear(3.0), NtkAware(4.0), Yarn(4.0, 4096), Llama3(8.0, 8192), Proportional(0.5)]
)
def test_errors_of_many_positions_are_those_of_each(arithmetic, scaling):
    rotary, positions = Rotary(64, scaling=scaling), np.r_[0:3000:7, 123_456]
    errors = precision_error(rotary, positions, arithmetic)
    for row in (0, 5, 100, -1):
        np.testing.assert_array_equal(errors[row], precision_error(rotary, [int(positions[row])], arithmetic)[0])


def rounded_by_struct(value, number_format):
    """The bits that the standard library packs; bfloat16 is the upper half of float32."""
    if number_format == "float16":
        return f"0x{int.from_bytes(struct.pack('>e', value)):04X}"
    bits = int.from_bytes(struct.pack(">f", value))
    return f"0x{bits:08X}" if number_format == "float32" else f"0x{bits >> 16:04X}"


@given(st.integers(0, 10**6), st.integers(0, 63), st.sampled_from(ARITHMETICS))
def test_the_chain_ends_in_the_entries_and_bounds_their_error(position, pair, arithmetic):
    chain = {each.name: each for each in rounding_chain(PLAIN, position, pair, arithmetic)}
    second = "theta_scale" if arithmetic == "llama_cpp" else "inv_freq"
    assert list(chain) == ["position", second, "angle", "cos", "sin"]
    for number in chain.values():
        assert number.hexadecimal == rounded_by_struct(number.value, number.number_format)
        assert number.value == {"float16": np.float16, "float32": np.float32}.get(number.number_format, np.float32)(
            number.value
        )
    error = precision_error(PLAIN, [position], arithmetic, [pair])[0, 0]
    entry = max(abs(chain[part].value - chain[part].exact) for part in ("cos", "sin"))
    assert entry == pytest.approx(error, abs=1e-15)
    bound = sum(chain[name].contribution for name in ("position", second, "angle"))
    assert abs(chain["angle"].value - chain["angle"].exact) <= bound * (1 + 1e-6) + 1e-15
    assert entry <= bound + max(chain[part].contribution for part in ("cos", "sin")) + 1e-15


def test_the_chain_of_bfloat16_in_numbers():
    position, frequency, angle, cosine, _ = rounding_chain(PLAIN, 4095, 0, "bfloat16")
    assert (position.value, position.exact, position.hexadecimal) == (4096.0, 4095.0, "0x4580")
    assert (frequency.value, frequency.hexadecimal, frequency.contribution) == (1.0, "0x3F80", 0.0)
    assert (angle.value, position.contribution, angle.contribution) == (4096.0, 1.0, 0.0)
    assert cosine.exact == pytest.approx(np.cos(4095.0))
    assert [each.number_format for each in rounding_chain(PLAIN, 1, 0, "float32_to_float16")] == [
        *["float32"] * 3,
        *["float16"] * 2,
    ]


@pytest.mark.one_of(3)
@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_positions_that_can_be_told_apart_by_comparing_rows(arithmetic):
    rotary, count = Rotary(8), 1500
    rows = {
        tuple(number.value for pair in range(4) for number in rounding_chain(rotary, position, pair, arithmetic)[3:])
        for position in range(count)
    }
    assert distinct_positions(rotary, count, arithmetic) == len(rows)


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_errors_of_some_pairs_are_those_of_all(arithmetic):
    rotary, pairs = Rotary(64, scaling=Yarn(4.0, 4096)), [31, 0, 7]
    positions = [0, 5, 4097, 99_999]
    some = precision_error(rotary, positions, arithmetic, pairs)
    np.testing.assert_array_equal(some, precision_error(rotary, positions, arithmetic)[:, pairs])
    assert precision_error(rotary, positions, arithmetic, []).shape == (len(positions), 0)
    with pytest.raises(IndexError, match=r"pair 32"):
        precision_error(rotary, positions, arithmetic, [32])


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_the_curves_have_the_largest_error_of_each_part_and_its_place(arithmetic):
    rotary = Rotary(16, rope_theta=500.0)
    curves = PrecisionCurves.of([rotary, Rotary(8)], arithmetic, 40, 5000, 1000)
    partial = curves.begin()
    partial.grow(lambda done: True)
    error, position, pair, apart = partial.arrays
    assert (curves.edges[0], curves.edges[-1]) == (1, 5001)
    for part, (first, stop) in enumerate(pairwise(curves.edges)):
        tried = tried_positions(first, stop, SAMPLES)
        assert error[part, 0] == precision_error(rotary, tried, arithmetic).max()
        assert first <= position[part, 0] < stop
        assert error[part, 0] == precision_error(rotary, [position[part, 0]], arithmetic)[0, pair[part, 0]]
    assert apart[-1].tolist() == [distinct_positions(each, 1000, arithmetic) for each in (rotary, Rotary(8))]


def test_counting_positions_can_be_cancelled():
    with pytest.raises(Cancelled):
        distinct_positions(PLAIN, 100_000, "float32", lambda done: done < 0.5)


def test_how_many_positions_bfloat16_leaves():
    assert distinct_positions(PLAIN, 4096, "bfloat16") == 769
    assert distinct_positions(PLAIN, 4096, "float32") == 4096
    assert distinct_positions(PLAIN, 1, "bfloat16") == 1


def test_the_positions_tried_in_a_part_are_all_of_few_and_the_ends_of_many():
    assert tried_positions(11, 100, 100_000).tolist() == list(range(11, 100))
    assert tried_positions(100, 1000, 2).tolist() == [100, 999]
    assert precision_error(PLAIN, tried_positions(0, 10**7, SAMPLES)).max() > 0.1


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: precision_error(Sinusoidal(8), [1]),
            "precision is that of RoPE's angles, which models compute at run time: Sinusoidal has none",
        ),
        (lambda: distinct_positions(PLAIN, 2**22 + 1), "n_positions must be at most 4194304, got 4194305"),
        (lambda: distinct_positions(PLAIN, 0), "n_positions must be an integer >= 1, got 0"),
    ],
)
def test_a_chain_without_an_answer_is_refused_in_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=r"\S") as caught:
        call()
    assert str(caught.value) == sentence
