"""Biases by distance with a mistake: another factor, the wrong sign, and distances that are off by one."""

import math
from collections.abc import Callable, Iterator
from random import Random

import numpy as np
import pytest

from posenc_core import identify

Amount = Callable[[int, int], int]
Array = np.ndarray


def generators(amount: Amount, n_thorough: int, *names: object) -> Iterator[Random]:
    """Two generators in a usual run, more in a thorough one; the same ones in each."""
    return (Random(f"{names} {index}") for index in range(amount(1, n_thorough)))


def squares(distances: Array, formula: Callable[[Array], Array]) -> Array:
    """Biases of heads ``(n_heads, n, n)`` of a formula of distances ``(n, n)``, which adds an axis of heads."""
    return np.moveaxis(formula(distances), -1, 0)


def masked(biases: Array) -> Array:
    """The biases with later keys masked."""
    return np.where(np.tril(np.ones(biases.shape[1:], bool)), biases, -np.inf)


def sandwich(width: int, base: float, heads: int) -> Callable[[Array], Array]:
    """Sandwich's bias of distances, an axis of heads added."""
    theta = base ** (-2 * np.arange(width // 2) / width)
    factors = heads / (8 * (np.arange(heads) + 1))
    return lambda distances: np.cos(np.abs(distances)[..., None] * theta).sum(axis=-1)[..., None] * factors


def kerple(random: Random, kernel: str, heads: int) -> Callable[[Array], Array]:
    """Kerple's bias of distances, an axis of heads added."""
    r1 = np.array([round(random.uniform(0.05, 2.0), 3) for _ in range(heads)])
    r2 = np.array([round(random.uniform(0.05, 0.95), 3) for _ in range(heads)])
    if kernel == "log":
        return lambda distances: -r1 * np.log(1 + r2 * np.abs(distances)[..., None])
    return lambda distances: -r1 * np.abs(distances)[..., None].astype(float) ** r2


def alibi(distances: Array) -> Array:
    """ALiBi's bias of eight heads at distances query - key, below 0 for later keys, an axis of heads added."""
    return -(2.0 ** -np.arange(1, 9)) * distances[..., None]


@pytest.mark.parametrize("holder", ["masked", "whole", "rows", "last query", "heads in rows"])
@pytest.mark.parametrize("stored", [np.float64, np.float32])
def test_a_factor_of_sandwich_is_named(holder, stored, amount):
    for random in generators(amount, 20, holder, stored.__name__):
        n, heads, width = random.randint(10, 50), random.choice((2, 4, 8, 12)), 2 * random.randint(6, 128)
        base = random.choice((10000.0, 500.0, 1e5, 777.0))
        factor = random.choice((2.0, 1 / 8, -0.5, 1 / math.sqrt(64), 2 / width, 0.3, -1.0))
        formula = sandwich(width, base, heads)
        rows = formula(np.arange(n))
        whole = squares(np.subtract.outer(np.arange(n), np.arange(n)), formula)
        held = {"masked": masked(factor * whole), "whole": factor * whole, "heads in rows": factor * rows.T}
        held |= {"rows": factor * rows, "last query": factor * rows[::-1]}
        finding = identify(held[holder].astype(stored))
        assert [each.code for each in finding.faults] == ["sign" if factor == -1 else "values_scaled"], (
            finding.sentences
        )
        found = finding.encoding
        assert (found.family, found.d_bar, found.n_heads) == ("sandwich", width, heads)
        assert found.base == pytest.approx(base, rel=1e-6)
        assert finding.first.given == pytest.approx(factor * finding.first.right, rel=1e-6)


def test_the_first_heads_of_a_larger_model_are_said_to_have_the_same_numbers():
    rows = sandwich(64, 10000.0, 16)(np.arange(30))[:, :4]
    sentences = identify(rows).sentences
    assert "Heads 0 to 3 of 16 have the same numbers, which are then right." in sentences
    whole = identify(0.25 * sandwich(64, 10000.0, 4)(np.arange(30))).sentences
    assert not any("have the same numbers" in each for each in whole)


def test_one_head_of_a_larger_model_is_not_called_wrong():
    for head in range(8):
        rows = sandwich(64, 10000.0, 8)(np.arange(30))[:, [head]]
        finding = identify(masked(rows[np.abs(np.subtract.outer(np.arange(30), np.arange(30)))].transpose(2, 0, 1)))
        assert finding.encoding is None or not finding.faults, finding.sentences


@pytest.mark.parametrize("factor", [1.0, 0.25])
def test_sums_of_other_cosines_are_not_sandwich(factor):
    theta = np.linspace(1.0, 0.0, 32)
    rows = factor * np.cos(np.arange(30)[:, None] * theta).sum(axis=1)[:, None] * np.arange(1, 9)
    assert identify(rows).encoding is None
    gaussian = factor * np.exp(-((np.arange(30) / 9) ** 2))[:, None] * np.arange(1, 9)
    assert identify(gaussian).encoding is None


@pytest.mark.parametrize("kernel", ["log", "power"])
@pytest.mark.parametrize("holder", ["rows", "last query", "heads in rows"])
@pytest.mark.parametrize("stored", [np.float64, np.float32])
def test_rows_of_kerple_with_the_wrong_sign_are_named(kernel, holder, stored, amount):
    for random in generators(amount, 20, kernel, holder, stored.__name__):
        formula = kerple(random, kernel, random.choice((2, 4, 8, 12)))
        rows = -formula(np.arange(random.randint(12, 60)))
        finding = identify({"rows": rows, "last query": rows[::-1], "heads in rows": rows.T}[holder].astype(stored))
        assert [each.code for each in finding.faults] == ["sign"], finding.sentences
        assert (finding.encoding.family, finding.encoding.kernel) == ("kerple", kernel)
        exact = finding.encoding.values(np.arange(len(rows)), np.arange(rows.shape[1]))
        np.testing.assert_allclose(exact, -rows, rtol=2e-6)


def test_rising_rows_of_a_formula_are_no_kernels():
    p = np.arange(40.0)[:, None]
    steps = np.array([0.3, 0.7, 1.1])
    for rows in (steps * np.log1p(p), steps * np.sqrt(p), p ** np.array([1.0, 1.5, 2.0]), steps * p**0.3, np.log1p(p)):
        finding = identify(rows)
        assert finding.encoding is None or finding.encoding.family != "kerple", finding.sentences


SHIFTS: dict[str, Callable[[Array, Callable[[Array], Array]], Array]] = {
    "masked": lambda apart, formula: masked(squares(np.abs(apart) + 1, formula)),
    "whole": lambda apart, formula: squares(np.abs(apart) + 1, formula),
    "queries begin at 1": lambda apart, formula: squares(apart + 1, formula),
    "keys begin at 1": lambda apart, formula: squares(apart - 1, formula),
    "masked keys begin at 1": lambda apart, formula: masked(squares(apart - 1, formula)),
}
"""Biases ``(n_heads, n, n)`` from the distances query - key ``(n, n)`` and a formula."""


@pytest.mark.parametrize("family", ["alibi", "kerple", "sandwich"])
@pytest.mark.parametrize("holder", SHIFTS)
@pytest.mark.parametrize("stored", [np.float64, np.float32])
def test_distances_that_are_off_by_one_are_named(family, holder, stored, amount):
    for random in generators(amount, 10, family, holder, stored.__name__):
        places = np.arange(random.randint(12, 40))
        made = {"kerple": kerple(random, "log", 4), "sandwich": sandwich(64, 10000.0, 8)}
        formula = made.get(family, alibi)
        biases = SHIFTS[holder](places[:, None] - places, formula)
        finding = identify(biases.astype(stored))
        assert [each.code for each in finding.faults] == ["distances_shifted"], finding.sentences
        assert finding.encoding.family == family
        assert finding.encoding.n_heads == len(biases)
        exact = finding.encoding.values(-places, np.arange(len(biases)))
        np.testing.assert_allclose(exact, formula(places), rtol=1e-5, atol=1e-6)
        assert finding.first.position == 0
        assert finding.first.given == pytest.approx(float(biases[finding.first.column, 0, 0]), rel=1e-6)
        assert finding.first.right == pytest.approx(float(exact[0, finding.first.column]), rel=1e-6)


@pytest.mark.parametrize("is_masked", [True, False])
def test_logarithms_of_another_formula_are_no_distances_off_by_one(is_masked):
    places, steps = np.arange(30), np.array([0.3, 0.7, 1.1])
    biases = squares(np.abs(places[:, None] - places), lambda distances: -steps * np.log(2 + distances)[..., None])
    assert identify(masked(biases) if is_masked else biases).encoding is None


@pytest.mark.parametrize("added", [0.5, -0.7, 2.0])
def test_a_constant_beside_the_distances_is_no_distance_off_by_one(added):
    places = np.arange(30)
    biases = squares(np.abs(places[:, None] - places), lambda distances: alibi(distances) + added)
    finding = identify(masked(biases))
    assert finding.encoding is None, finding.sentences


def clamped(apart: Array) -> Array:
    """The distances one less, and at least 0 on either side."""
    return np.sign(apart) * np.maximum(np.abs(apart) - 1, 0)


@pytest.mark.parametrize("family", ["alibi", "kerple", "one kerple", "sandwich"])
@pytest.mark.parametrize("is_masked", [True, False])
@pytest.mark.parametrize("stored", [np.float64, np.float32])
def test_distances_that_are_one_less_and_at_least_0_are_named(family, is_masked, stored, amount):
    for random in generators(amount, 10, "clamped", family, is_masked, stored.__name__):
        places = np.arange(random.randint(12, 40))
        made = {"kerple": kerple(random, "log", 4), "one kerple": kerple(random, "power", 1)}
        formula = (made | {"sandwich": sandwich(64, 10000.0, 8)}).get(family, lambda apart: alibi(np.abs(apart)))
        biases = squares(clamped(places[:, None] - places), formula)
        finding = identify((masked(biases) if is_masked else biases).astype(stored))
        assert [each.code for each in finding.faults] == ["distances_clamped"], finding.sentences
        assert finding.encoding.family == family.removeprefix("one ")
        exact = finding.encoding.values(-places, np.arange(len(biases)))
        np.testing.assert_allclose(exact, formula(places), rtol=1e-5, atol=1e-6)
        assert finding.first.given != pytest.approx(finding.first.right, rel=1e-3)


@pytest.mark.parametrize("family", ["log", "power", "sandwich"])
@pytest.mark.parametrize("holder", ["rows", "last query", "heads in rows"])
@pytest.mark.parametrize("stored", [np.float64, np.float32])
def test_rows_from_distance_1_on_are_right(family, holder, stored, amount):
    for random in generators(amount, 10, "from 1", family, holder, stored.__name__):
        formula = sandwich(64, 10000.0, 8) if family == "sandwich" else kerple(random, family, random.choice((3, 4, 8)))
        rows = formula(np.arange(1, random.randint(12, 50)))
        finding = identify({"rows": rows, "last query": rows[::-1], "heads in rows": rows.T}[holder].astype(stored))
        assert finding.encoding is not None, finding.sentences
        assert (finding.encoding.family, finding.faults) == ("sandwich" if family == "sandwich" else "kerple", ())
        exact = finding.encoding.values(-np.arange(1, len(rows) + 1), np.arange(rows.shape[1]))
        np.testing.assert_allclose(exact, rows, rtol=2e-6, atol=1e-5)


@pytest.mark.parametrize(("stored", "heads"), [(np.float64, 1), (np.float32, 1), (np.float16, 4), (np.float16, 8)])
@pytest.mark.parametrize("kernel", ["log", "power"])
@pytest.mark.parametrize("holder", ["masked", "whole"])
def test_a_single_or_coarse_kernel_at_distances_off_by_one_is_named(holder, kernel, stored, heads, amount):
    for random in generators(amount, 10, "one", holder, kernel, stored.__name__, heads):
        places, formula = np.arange(random.randint(20, 40)), kerple(random, kernel, heads)
        biases = SHIFTS[holder](places[:, None] - places, formula)
        finding = identify(biases.astype(stored))
        assert [each.code for each in finding.faults] == ["distances_shifted"], finding.sentences
        assert (finding.encoding.family, finding.encoding.kernel) == ("kerple", kernel)
        near = 5e-3 if stored is np.float16 else 2e-6
        np.testing.assert_allclose(
            finding.encoding.values(-places, np.arange(heads)), formula(places), rtol=near, atol=near
        )


RISING: dict[str, Callable[[Array], Array]] = {
    "sqrt": np.sqrt,
    "log": np.log1p,
    "power": lambda distances: distances**0.3,
    "square": np.square,
}


@pytest.mark.parametrize("formula", RISING)
@pytest.mark.parametrize("heads", [1, 3])
@pytest.mark.parametrize("is_masked", [True, False])
def test_biases_that_rise_by_one_formula_are_no_kernels_with_the_wrong_sign(formula, heads, is_masked):
    places, factors = np.arange(30), 0.7 * np.arange(1, heads + 1)
    apart = np.abs(places[:, None] - places).astype(float)
    biases = squares(apart, lambda distances: RISING[formula](distances)[..., None] * factors)
    finding = identify(masked(biases) if is_masked else biases)
    assert finding.encoding is None or finding.encoding.family != "kerple", finding.sentences


OTHERS: dict[str, Callable[[Array], Array]] = {
    "saturating": lambda d: 1 - np.exp(-d / 6),
    "log of 2 + d": lambda d: np.log(2 + d),
    "log and a constant": lambda d: np.log1p(d / 5) + 0.3,
    "root of 1 + d": lambda d: np.sqrt(1 + d),
    "root of d - 1": lambda d: np.sqrt(np.maximum(d - 1, 0)),
    "arc tangent": lambda d: np.arctan(d / 4),
}


@pytest.mark.one_of(3)
@pytest.mark.parametrize("formula", OTHERS)
@pytest.mark.parametrize("heads", [1, 4])
@pytest.mark.parametrize("stored", [np.float64, np.float16])
def test_other_falling_biases_have_no_name(formula, heads, stored):
    places, factors = np.arange(30), 0.7 * np.arange(1, heads + 1)
    apart = np.abs(places[:, None] - places).astype(float)
    squared = squares(apart, lambda distances: -OTHERS[formula](distances)[..., None] * factors)
    for numbers in (masked(squared), squared, -OTHERS[formula](places + 2.0)[:, None] * factors):
        finding = identify(numbers.astype(stored))
        known = finding.encoding is not None and finding.encoding.family in ("alibi", "kerple", "sandwich")
        assert not known, finding.sentences
