"""Faults of fading pairs, of axes of cells and of biases, at random parameters and places."""

from collections.abc import Callable, Iterator
from random import Random

import numpy as np
import pytest

from posenc_core import encoding, identify

Amount = Callable[[int, int], int]
Array = np.ndarray


def generators(amount: Amount, n_thorough: int, *names: object) -> Iterator[Random]:
    """Two generators in a usual run, more in a thorough one; the same ones in each."""
    return (Random(f"{names} {index}") for index in range(amount(1, n_thorough)))


def fading(random: Random) -> tuple[Array, Array]:
    """Cosines and sines of xPos by distance key - query = 0, -1, ...; every pair fades."""
    width, base = 2 * random.randint(4, 24), random.choice((10000.0, 500000.0))
    gamma, scale = random.choice((0.4, 0.25)), random.choice((512, 256, 40))
    pairs, p = np.arange(width // 2), np.arange(random.randint(40, 90))[:, None]
    faded = ((2 * pairs / width + gamma) / (1 + gamma)) ** (p / scale)
    angles = p * base ** (-2 * pairs / width)
    return faded * np.cos(angles), -faded * np.sin(angles)


def cells(random: Random) -> tuple[Array, Array]:
    """Cosines and sines of a picture's cells with the same frequencies for rows and columns, as in Qwen2-VL."""
    high, wide, n = random.randint(4, 10), random.randint(4, 10), 4 * random.randint(3, 8)
    row, column = np.divmod(np.arange(high * wide), wide)
    theta = random.choice((10000.0, 100.0)) ** (-np.arange(n // 2) / (n // 2))
    angles = np.concatenate([np.outer(row, theta), np.outer(column, theta)], axis=1)
    return np.cos(angles), np.sin(angles)


FAMILIES = {"xpos": fading, "rope_axes": cells}
FAULTS: dict[str, Callable[[Array, Array], Array]] = {
    "values_scaled": lambda cosines, sines: 3.0 * np.concatenate([cosines, sines], axis=1),
    "exchanged": lambda cosines, sines: np.concatenate([sines, cosines], axis=1),
    "transposed": lambda cosines, sines: np.concatenate([cosines, sines], axis=1).T,
    "negative_sine": lambda cosines, sines: np.concatenate([cosines, -sines], axis=1),
    "positions_reversed": lambda cosines, sines: np.concatenate([cosines, sines], axis=1)[::-1],
}


CASES = [
    (family, fault)
    for family in FAMILIES
    for fault in FAULTS
    if family != "xpos" or fault not in ("negative_sine", "positions_reversed")
]
"""The faults of each family: those two make other right numbers of xPos, as of queries and of reversed distances."""


@pytest.mark.one_of(4)
@pytest.mark.parametrize("stored", [np.float64, np.float32])
@pytest.mark.parametrize(("family", "fault"), CASES)
def test_faults_of_pairs_are_named_with_the_encoding_that_was_meant(family, fault, stored, amount):
    for random in generators(amount, 20, family, fault, stored.__name__):
        cosines, sines = FAMILIES[family](random)
        meant = identify(np.concatenate([cosines, sines], axis=1)).encoding
        finding = identify(FAULTS[fault](cosines, sines).astype(stored))
        assert [each.code for each in finding.faults] == [fault], finding.sentences
        assert finding.encoding.family == family == meant.family
        assert finding.encoding.n_columns == meant.n_columns
        assert finding.encoding.rope_theta == pytest.approx(meant.rope_theta, rel=1e-6)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_fault_of_pairs_leaves_the_first_wrong_number_beside_the_right_one(family):
    cosines, sines = FAMILIES[family](Random(4))
    finding = identify(3.0 * np.concatenate([cosines, sines], axis=1))
    assert finding.first.given == pytest.approx(3 * finding.first.right, rel=1e-9)
    assert "All numbers are multiplied by 3." in finding.sentences


def squares(rows: Array) -> Array:
    """Masked biases of heads ``(n_heads, n, n)`` from numbers by distance ``(n, n_heads)``."""
    places = np.arange(len(rows))
    apart = places[:, None] - places
    return np.where(apart >= 0, rows[np.abs(apart)].transpose(2, 0, 1), -np.inf)


@pytest.mark.parametrize("family", ["alibi", "kerple", "sandwich", "t5"])
def test_masked_biases_with_keys_in_rows_are_transposed(family):
    meant = encoding(family, n_heads=8)
    biases = squares(meant.values(-np.arange(60), np.arange(8))).swapaxes(1, 2)
    finding = identify(biases)
    assert [each.code for each in finding.faults] == ["transposed"], finding.sentences
    assert meant in (finding.encoding, *finding.also)


@pytest.mark.parametrize("family", ["alibi", "kerple", "sandwich"])
def test_biases_with_the_wrong_sign_are_named(family):
    biases = squares(-encoding(family, n_heads=8).values(-np.arange(60), np.arange(8)))
    finding = identify(biases)
    assert [each.code for each in finding.faults] == ["sign"], finding.sentences
    assert finding.encoding.family == family


@pytest.mark.parametrize("stored", [np.float64, np.float32])
def test_a_plane_with_positions_in_columns_is_transposed(stored, amount):
    for random in generators(amount, 20, "plane", stored.__name__):
        n, places = random.randint(3, 24), np.arange(random.randint(30, 80))[:, None]
        a, b, x = (np.array([random.gauss(0, 1) for _ in range(n)]) for _ in range(3))
        speed = random.uniform(0.05, 1.5)
        a /= np.linalg.norm(a)
        b -= a * (a @ b)
        b /= np.linalg.norm(b)
        one, other = (x @ a) * a + (x @ b) * b, (x @ a) * b - (x @ b) * a
        rows = x - one + np.cos(speed * places) * one + np.sin(speed * places) * other
        finding = identify(rows.T.astype(stored))
        assert [each.code for each in finding.faults] == ["transposed"], finding.sentences
        assert finding.encoding.family == "grape_m"
        assert finding.encoding.speed == pytest.approx(speed, rel=1e-6)


def test_waves_of_other_shapes_in_rows_are_no_plane(amount):
    for random in generators(amount, 20, "no plane"):
        places, n = np.arange(40), random.randint(3, 24)
        shifts = np.array([random.uniform(0, 6) for _ in range(n)])[:, None]
        sizes = np.array([random.uniform(0.5, 2) for _ in range(n)])[:, None]
        finding = identify(sizes * np.cos(random.uniform(0.05, 1.5) * places + shifts))
        assert finding.encoding is None or finding.encoding.family != "grape_m", finding.sentences
