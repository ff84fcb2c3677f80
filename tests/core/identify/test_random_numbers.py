"""Numbers of people's own code at random parameters: faults are found, and no faulty ones are called right."""

from collections.abc import Callable, Iterable, Iterator
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
from snippet_cases import EVERY, expected, ranges

from posenc_core import Encoding, identify
from posenc_core.identify import Finding

Amount = Callable[[int, int], int]

MISSED = 0.1
"""Largest share of numbers whose law or fault is not named: some fit several laws, or hide their law by rounding."""

SAME = 0.02
"""Largest difference, as a share of the largest number, of numbers in bfloat16 that an encoding has."""


def is_same(encoding: Encoding, own: Own) -> bool:
    """Whether the encoding has the parameters of the numbers, those that are real numbers up to rounding."""
    found = encoding.parameters()
    near = (
        abs(found[name] - value) <= 2e-7 * abs(value) if isinstance(value, float) else found[name] == value
        for name, value in own.parameters.items()
        if name in found and name != "offset"  # positions tell the same
    )
    return encoding.family == own.family and own.parameters.keys() - found.keys() <= {"scaling"} and all(near)


def is_found(finding: Finding, own: Own) -> bool:
    """Whether kind, fault and its places are found, and the meant encoding as the verdict or as another reading."""
    if finding.encoding is None or finding.kind != own.kind:
        return False
    if tuple(fault.code for fault in finding.faults) != (own.fault,) * bool(own.fault):
        return False
    if own.places and finding.faults[0].places != own.places:
        return False
    return any(is_same(each, own) for each in (finding.encoding, *finding.also))


def check_all(owns: Iterable[Own]) -> None:
    """Nearly all are found. None is called right unless it has the encoding's values, no right one is called wrong."""
    listed, missed = list(owns), []
    for own in listed:
        finding = identify(own.numbers)
        if own.fault and finding.is_right:
            reach = np.abs(own.numbers[np.isfinite(own.numbers)]).max()
            assert finding.residual <= SAME * reach, f"called right: {own}"
        assert own.fault or not finding.faults, f"called wrong: {own}"
        if not is_found(finding, own):
            missed.append(f"{finding.sentences[0]} of {own}")
    assert len(missed) <= MISSED * len(listed), "\n".join(missed)


def drawn(amount: Amount, n_thorough: int, *names: str) -> Iterator[Random]:
    """A few generators in a usual run, ``n_thorough`` in a thorough one; the same ones in each."""
    return (Random(f"{names} {index}") for index in range(amount(1, n_thorough)))


@pytest.mark.one_of(8)
@pytest.mark.parametrize("fault", TABLE_FAULTS)
def test_sinusoids_and_their_faults_are_found(fault, amount):
    check_all(own_table(random, fault) for random in drawn(amount, 40, fault))


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("scaling", SCALINGS)
def test_scaled_rotations_are_found(holder, scaling, amount):
    if scaling == "listed":  # rounded cosines and vectors do not tell each divisor
        holder = "frequencies"
    check_all(own_rotary(random, holder, scaling, "") for random in drawn(amount, 20, holder, scaling))


@pytest.mark.one_of(3)
@pytest.mark.parametrize("holder", HOLDERS)
def test_faults_of_rotations_are_found(holder, amount):
    def own(random: Random) -> Own:
        fault = random.choice(OWN_FAULTS.get(holder, CACHE_FAULTS))
        usual = ("none", "yarn") if fault == "attention_factor" else ("none", "ntk", "llama3", "yarn")
        is_scaled = fault not in ("exponent_width", "no_rotation", "positions_rounded")
        return own_rotary(random, holder, random.choice(usual) if is_scaled else "none", fault)

    check_all(map(own, drawn(amount, 60, holder)))


@pytest.mark.parametrize("holder", ["slopes", "masked", "whole"])
@pytest.mark.parametrize("is_wrong", [False, True])
def test_slopes_and_biases_are_found(holder, is_wrong, amount):
    fault = "sign" if is_wrong and holder != "slopes" else ""
    check_all(own_biases(random, holder, fault) for random in drawn(amount, 30, holder, fault))


@draws(4, 300)
@given(st.integers(0, 2**32), st.integers(10, 80), st.integers(5, 40))
def test_trained_and_random_numbers_are_no_formula(seed, n_rows, n_pairs):
    numbers = np.random.default_rng(seed).normal(0, 0.02, (n_rows, 2 * n_pairs)).astype(np.float32)
    finding = identify(numbers)
    assert (finding.encoding, finding.is_right, finding.faults) == (None, False, ())
    assert finding.sentences[0].startswith("Not one of the formulas known here: the nearest, ")


FAMILIES = {each.family: each for each in reversed(EVERY) if each.n_columns > 1 and each.family != "none"}
"""The first of each family with a table of several columns."""


@pytest.mark.one_of(4)
@pytest.mark.parametrize("family", FAMILIES)
def test_tables_of_every_family_are_right_against_it_and_a_wrong_number_is_found(family, amount):
    meant = FAMILIES[family]
    rows = ranges(meant)[0]
    right = expected(meant, rows).astype(np.float32)
    assert identify(right, against=meant, positions=rows).is_right
    for random in drawn(amount, 10, family):
        row, column, wrong = random.randrange(len(rows)), random.randrange(right.shape[1]), right.copy()
        wrong[row, column] += 0.37
        finding = identify(wrong, against=meant, positions=rows)
        assert (finding.is_right, [fault.code for fault in finding.faults]) == (False, ["cells"]), finding.sentences
        assert finding.faults[0].places == ((rows[row], column),)
