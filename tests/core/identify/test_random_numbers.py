"""Numbers of people's own code at random parameters: faults are found, and no faulty ones are called right."""

from random import Random

import numpy as np
import pytest
from amounts import draws
from hypothesis import given
from hypothesis import strategies as st
from own_code import (
    CACHE_FAULTS,
    HOLDERS,
    OWN_FAULTS,
    SCALINGS,
    TABLE_FAULTS,
    Own,
    own_biases,
    own_rotary,
    own_table,
)

from posenc_core import Encoding, identify

seeds = st.integers(0, 2**32).map(Random)


def is_same(encoding: Encoding, own: Own) -> bool:
    """Whether the encoding has the parameters of the numbers, those that are real numbers up to rounding."""
    found = encoding.parameters()
    near = (
        abs(found[name] - value) <= 2e-7 * abs(value) if isinstance(value, float) else found[name] == value
        for name, value in own.parameters.items()
        if name in found and name != "offset"  # positions tell the same
    )
    return encoding.family == own.family and own.parameters.keys() - found.keys() <= {"scaling"} and all(near)


def check(own: Own) -> None:
    """The kind, the fault and its places are found, and the encoding is the meant one or another reading."""
    finding = identify(own.numbers)
    assert finding.encoding is not None, f"not found: {own}"
    assert (finding.kind, tuple(fault.code for fault in finding.faults)) == (own.kind, (own.fault,) * bool(own.fault))
    assert finding.is_right is not bool(own.fault)
    assert not own.places or finding.faults[0].places == own.places
    assert any(is_same(each, own) for each in (finding.encoding, *finding.also)), (finding.encoding, own.parameters)


@pytest.mark.parametrize("fault", TABLE_FAULTS)
@draws(2, 100)
@given(seeds)
def test_sinusoids_and_their_faults_are_found(fault, random):
    check(own_table(random, fault))


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("scaling", SCALINGS)
@draws(2, 60)
@given(seeds)
def test_scaled_rotations_are_found(holder, scaling, random):
    if scaling == "listed":  # rounded cosines and vectors do not tell each divisor
        holder = "frequencies"
    check(own_rotary(random, holder, scaling, ""))


@pytest.mark.parametrize("holder", HOLDERS)
@draws(4, 150)
@given(seeds, st.data())
def test_faults_of_rotations_are_found(holder, random, data):
    fault = data.draw(st.sampled_from(OWN_FAULTS.get(holder, CACHE_FAULTS)))
    usual = ("none", "yarn") if fault == "attention_factor" else ("none", "ntk", "llama3", "yarn")
    is_scaled = fault not in ("exponent_width", "no_rotation", "positions_rounded")
    check(own_rotary(random, holder, data.draw(st.sampled_from(usual)) if is_scaled else "none", fault))


@pytest.mark.parametrize("holder", ["slopes", "masked", "whole"])
@draws(3, 60)
@given(seeds, st.booleans())
def test_slopes_and_biases_are_found(holder, random, is_wrong):
    check(own_biases(random, holder, "sign" if is_wrong and holder != "slopes" else ""))


@draws(10, 300)
@given(st.integers(0, 2**32), st.integers(10, 80), st.integers(5, 40))
def test_trained_and_random_numbers_are_no_formula(seed, n_rows, n_pairs):
    numbers = np.random.default_rng(seed).normal(0, 0.02, (n_rows, 2 * n_pairs)).astype(np.float32)
    finding = identify(numbers)
    assert (finding.encoding, finding.is_right, finding.faults) == (None, False, ())
    assert finding.sentences[0].startswith("Not one of the formulas known here: the nearest, ")
