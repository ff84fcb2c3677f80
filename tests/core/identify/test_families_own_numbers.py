"""Every registered family's own numbers: named, among the other readings, or left open."""

import numpy as np
import pytest
from snippet_cases import drawn

from posenc_core import Encoding, identify, table
from posenc_core.encodings import ENCODINGS
from posenc_core.identify import Finding

N_ROWS = 60
SMALLEST = 1e-30
"""Numbers that are all smaller are refused."""

ALWAYS_NAMED = {"alibi", "binary", "kerple", "pope"}
"""Families whose numbers of any parameters are those of a formula."""

WRITTEN = {"none", "formula", "learned"}
"""No numbers, numbers of any formula that a user writes, and numbers of any file."""

BY_QUERY = {name for name, kind in ENCODINGS.items() if kind.depends_on_query}


def own_numbers(meant: Encoding) -> np.ndarray:
    """The numbers ``(n_rows, n_columns)`` of at most 60 positions from 0 on, or of distances up to 0."""
    low, high = meant.domain
    positions = range(int(max(low, 1 - N_ROWS)), 1) if meant.relative else range(int(min(high, N_ROWS - 1)) + 1)
    return table(meant, positions)


def has_own_numbers(finding: Finding, meant: Encoding, numbers: np.ndarray) -> bool:
    """Whether a reading is the encoding, or has its numbers at the positions that the finding names."""
    readings = [each for each in (finding.encoding, *finding.also) if each is not None]
    rows = list(finding.positions)
    near = max(1e-5 * float(np.abs(numbers).max()), 2 * finding.residual)
    return meant in readings or any(
        each.n_columns == numbers.shape[1] and np.allclose(table(each, rows), numbers, rtol=1e-5, atol=near)
        for each in readings
    )


@pytest.mark.one_of(12)
@pytest.mark.parametrize("family", sorted(ENCODINGS.keys() - WRITTEN - BY_QUERY))
def test_own_numbers_are_named_or_left_open(family, amount):
    for meant in drawn(amount(1, 40), (ENCODINGS[family],)):
        numbers = own_numbers(meant)
        if numbers.size < 12 or np.abs(numbers).max() < SMALLEST or np.ptp(numbers) == 0:
            continue
        finding = identify(numbers)
        if finding.encoding is None:
            assert family not in ALWAYS_NAMED, (meant, finding.sentences)
        elif not finding.faults and meant.stored is None:
            assert has_own_numbers(finding, meant, numbers), (meant, finding.sentences)


def fire(places: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """FIRE's quotient of logarithms in a network of one hidden layer, ``(n, n)``; Li et al. 2024, equation 19."""
    distances = np.maximum(places[:, None] - places, 0)
    share = np.log1p(0.3 * distances) / np.log1p(0.3 * np.maximum(places, 4))[:, None]
    return np.maximum(np.multiply.outer(share, draw.normal(size=16)) + draw.normal(size=16), 0) @ draw.normal(size=16)


def forget_gate(places: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """The sums of the logarithms of the gates between key and query, ``(n, n)``; Lin et al. 2025, equation 4."""
    sums = np.cumsum(np.log(draw.uniform(0.5, 1.0, len(places))))
    return sums[:, None] - sums


@pytest.mark.parametrize("biases", [fire, forget_gate])
@pytest.mark.parametrize("later", [0.0, -np.inf])
def test_biases_of_each_query_are_refused_with_the_families_that_they_may_be_of(biases, later):
    places, draw = np.arange(40), np.random.default_rng(7)
    heads = np.stack([biases(places, draw) for _ in range(3)])
    with pytest.raises(ValueError, match="biases that depend on more than the distance, as in FIRE, CoPE"):
        identify(np.where(places[:, None] >= places, heads, later))


def test_numbers_that_no_formula_has_end_in_the_way_to_check_them():
    draw = np.random.default_rng(2)
    places = np.arange(40)
    by_distance = draw.normal(size=(79, 4))[places - places[:, None] + 39].transpose(2, 0, 1)
    assert identify(by_distance).sentences[-1].endswith("name the model with against.")
    angles = np.outer(
        places, 10000.0 ** (-np.arange(12) / 12)
    )  # FoPE: each column one wave, and a little of the others
    mixed = np.cos(angles) @ (np.eye(12) + draw.normal(0, 0.1, (12, 12)))
    assert identify(mixed).sentences[-1].endswith("name such a model with against.")
