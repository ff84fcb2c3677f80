"""Learned numbers that distances share: buckets, limits and heads come from the numbers, which are taken as given."""

import math
from collections.abc import Callable, Iterator
from random import Random

import numpy as np
import pytest

from posenc_core import encoding, identify, table

Amount = Callable[[int, int], int]
HOLDERS = ("masked", "whole", "rows")


def generators(amount: Amount, n_thorough: int, *names: object) -> Iterator[Random]:
    """Two generators in a usual run, more in a thorough one; the same ones in each."""
    return (Random(f"{names} {index}") for index in range(amount(1, n_thorough)))


def bucket(distance: int, num_buckets: int, max_distance: int, is_both: bool) -> int:
    """The bucket of key - query in transformers' ``_relative_position_bucket``, with a logarithm rounded upwards."""
    n_sided = num_buckets // 2 if is_both else num_buckets
    far, n_exact = abs(distance) if is_both else max(-distance, 0), n_sided // 2
    first = n_sided * (is_both and distance > 0)
    if far < n_exact:
        return first + far
    share = math.log(far / n_exact) / math.log(max_distance / n_exact) + 1e-12
    return first + min(n_exact + int(share * (n_sided - n_exact)), n_sided - 1)


def held(rows: np.ndarray, holder: str) -> np.ndarray:
    """Numbers ``(2 n - 1, n_heads)`` by distance -n + 1 to n - 1, as squares of heads, masked or not, or as rows."""
    n = (len(rows) + 1) // 2
    places = np.arange(n)
    squares = rows[places - places[:, None] + n - 1].transpose(2, 0, 1)
    if holder == "rows":
        return rows
    return squares if holder == "whole" else np.where(np.tril(np.ones((n, n), bool)), squares, -np.inf)


def buckets(random: Random) -> tuple[np.ndarray, dict[str, int]]:
    """Biases of random buckets by distance, and the parameters of the buckets."""
    is_both, n_heads = random.random() < 0.5, random.choice((1, 2, 8, 12))
    num, far = random.choice(((32, 128), (32, 100), (64, 256), (16, 64), (32, 800), (20, 90)))
    n = random.randint(60, 130)
    draw = np.random.default_rng(random.randrange(1 << 30))
    learned = draw.normal(0, 2, (num, n_heads)).astype(np.float32)
    rows = learned[[bucket(distance, num, far, is_both) for distance in range(1 - n, n)]]
    return rows, {"num_buckets": num, "max_distance": far, "bidirectional": is_both, "n_heads": n_heads}


@pytest.mark.one_of(2)
@pytest.mark.parametrize("holder", HOLDERS)
def test_buckets_are_found_by_the_distances_that_share_a_bias(holder, amount):
    for random in generators(amount, 60, "t5", holder):
        rows, known = buckets(random)
        if holder == "rows" and known["n_heads"] == 1:  # a single column shows too little
            continue
        finding = identify(held(rows, holder))
        assert finding.is_right, (finding.sentences, known)
        readings = [each for each in (finding.encoding, *finding.also) if each.family == "t5"]
        n = (len(rows) + 1) // 2
        shared = [
            bucket(each, known["num_buckets"], known["max_distance"], known["bidirectional"])
            for each in range(1 - n, 1)
        ]
        found = [each for each in readings if each.bidirectional == known["bidirectional"]]
        assert {each.num_buckets for each in found} == {known["num_buckets"]}, (finding.sentences, known)
        assert any(each.bucket(range(1 - n, 1)).tolist() == shared for each in found)
        assert found[0].n_heads == known["n_heads"]
        assert any("taken as given" in sentence for sentence in finding.sentences)


def test_a_long_square_determines_the_farthest_distance():
    learned = np.random.default_rng(5).normal(size=(32, 8))
    rows = learned[[bucket(distance, 32, 96, True) for distance in range(-159, 160)]]
    finding = identify(held(rows, "whole"))
    assert (finding.encoding.max_distance, finding.encoding.num_buckets) == (96, 32)
    assert finding.sentences[0].startswith("Right. T5 bias, num_buckets 32, max_distance 96, n_heads 8")


def test_a_wrong_bias_of_a_bucket_is_named_without_the_derivation_of_a_simulated_number():
    learned = np.random.default_rng(6).normal(size=(32, 4))
    biases = held(learned[[bucket(distance, 32, 128, True) for distance in range(-79, 80)]], "whole").copy()
    right = biases[2, 40, 11]
    biases[2, 40, 11] += 0.5
    finding = identify(biases)
    assert ([fault.code for fault in finding.faults], finding.faults[0].places) == (["cells"], ((-29, 2),))
    assert (finding.first.given, finding.first.right) == (right + 0.5, right)
    assert finding.derivation() is None


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_clipped_distance_is_found_from_where_numbers_end_to_change(holder, amount):
    for random in generators(amount, 60, "shaw", holder):
        clip, n, width = random.randint(4, 30), random.randint(36, 70), random.choice((2, 8, 12))
        learned = np.random.default_rng(random.randrange(1 << 30)).normal(size=(2 * clip + 1, width))
        rows = learned[np.clip(np.arange(1 - n, n), -clip, clip) + clip]
        finding = identify(held(rows, holder))
        assert finding.is_right, (finding.sentences, clip)
        assert (finding.encoding.family, finding.encoding.clip) == ("shaw", clip)
        assert finding.encoding.n_columns == width
        assert holder != "rows" or (finding.positions[0], finding.positions[-1]) == (1 - n, n - 1)


@pytest.mark.parametrize("holder", HOLDERS)
def test_a_relative_bank_is_found_with_the_biases_of_its_heads(holder, amount):
    for random in generators(amount, 60, "bank", holder):
        extent, n, heads = random.randint(4, 30), random.randint(36, 70), random.choice((2, 6, 8))
        near = np.random.default_rng(random.randrange(1 << 30)).normal(size=(extent, heads))
        rows = np.zeros((2 * n - 1, heads))
        rows[n - extent : n] = near[::-1]
        finding = identify(held(rows, holder))
        assert finding.is_right, (finding.sentences, extent)
        assert (finding.encoding.family, finding.encoding.rel_extent) == ("relative_bank", extent)
        np.testing.assert_allclose(table(finding.encoding, range(1 - n, n)), rows, rtol=1e-6)


@pytest.mark.parametrize(
    ("family", "given"),
    [
        ("t5", {"n_heads": 6, "table_seed": 3}),
        ("t5", {"bidirectional": False}),
        ("shaw", {"d": 8, "clip": 9, "table_seed": 2}),
    ],
)
def test_simulated_numbers_are_named_with_their_seed(family, given):
    meant = encoding(family, **given)
    numbers = table(meant, range(-90, 91))
    assert identify(held(numbers, "whole")).encoding == meant
    assert meant in [(found := identify(numbers)).encoding, *found.also]


@pytest.mark.parametrize("holder", HOLDERS)
def test_numbers_that_differ_at_each_distance_are_not_said_to_share_any(holder):
    rows = np.random.default_rng(9).normal(size=(81, 4))
    assert identify(held(rows, holder)).encoding is None
    irregular = rows[np.sort(np.random.default_rng(1).integers(0, 30, 81))]
    assert identify(held(irregular, holder)).encoding is None


@pytest.mark.parametrize("padded", [np.s_[-5:], np.s_[:, -5:]], ids=["rows", "columns"])
def test_a_padded_table_is_no_table_of_distances(padded):
    numbers = np.random.default_rng(3).normal(size=(40, 12))
    numbers[padded] = 0.0
    finding = identify(numbers)
    assert (finding.encoding, finding.is_right) == (None, False), finding.sentences


LEARNED = "is learned and taken as given"


def test_simulated_numbers_are_compared_and_derived_and_learned_ones_taken_as_given() -> None:
    distances = np.arange(-40, 41)
    meant = encoding("t5", n_heads=4, table_seed=7)
    simulated = table(meant, distances).astype(np.float64)
    right = identify(simulated, against=meant, positions=distances)
    assert right.is_right
    assert not any(LEARNED in said for said in right.sentences)
    wrong = simulated.copy()
    wrong[38, 2] += 0.25
    finding = identify(wrong, against=meant, positions=distances)
    assert [fault.code for fault in finding.faults] == ["cells"]
    assert finding.derivation().value == pytest.approx(simulated[38, 2], abs=1e-6)
    learned = np.random.default_rng(5).normal(size=(32, 4))[meant.stored.run_of(distances)]
    finding = identify(learned, against=meant, positions=distances)
    assert any(LEARNED in said for said in finding.sentences)
    assert finding.derivation() is None
