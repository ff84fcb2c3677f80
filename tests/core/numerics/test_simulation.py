"""Simulated numbers, each by itself: from a published hash and a published map to normal numbers, written anew."""

import math
from hashlib import blake2b

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from work import work_of

from posenc_core.numerics import FloatArray, normal_entries
from posenc_core.tables import SimulatedTable

MASK = 2**64 - 1
PUBLISHED = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]
"""The first numbers of SplitMix64 with the seed 1234567, as Rosetta Code lists them."""


def splitmix64(seed: int, count: int) -> list[int]:
    """The generator as it is published: a state that is counted up, and a hash of it."""
    numbers, state = [], seed
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & MASK
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        numbers.append(mixed ^ (mixed >> 31))
    return numbers


def later(seed: int, index: int) -> int:
    """The generator's number after ``index`` others, which only count its state up."""
    (number,) = splitmix64((seed + index * 0x9E3779B97F4A7C15) & MASK, 1)
    return number


def one_by_one(seed: int, text: str, row: int, column: int) -> float:
    """An entry in plain Python: the bits, and Box's and Muller's formula."""
    digest = blake2b(text.encode(), key=seed.to_bytes(4, "little"), digest_size=8).digest()
    bits = later(later(int.from_bytes(digest, "little"), row), column)
    u, v = ((bits >> 32) + 0.5) / 2**32, (bits % 2**32) / 2**32
    return math.sqrt(-2 * math.log(u)) * math.cos(2 * math.pi * v)


def normal(text: str, n_rows: int, n_columns: int, seed: int = 0) -> FloatArray:
    return normal_entries(seed, text, np.arange(n_rows), np.arange(n_columns))


def test_the_hash_written_here_is_the_published_one() -> None:
    assert splitmix64(1234567, 5) == PUBLISHED == [later(1234567, index) for index in range(5)]


@given(
    seed=st.integers(0, 2**32 - 1),
    text=st.text(st.characters(codec="utf-8"), max_size=20),
    rows=st.lists(st.integers(0, 20_000_000), min_size=1, max_size=5),
    columns=st.lists(st.integers(0, 65_535), min_size=1, max_size=5),
)
@example(seed=2**32 - 1, text="", rows=[20_000_000, 0, 0], columns=[65_535, 0])
def test_every_entry_is_the_published_hash_of_its_place(
    seed: int, text: str, rows: list[int], columns: list[int]
) -> None:
    expected = [[one_by_one(seed, text, row, column) for column in columns] for row in rows]
    found = normal_entries(seed, text, np.array(rows), np.array(columns))
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)


def test_the_numbers_are_the_same_on_every_machine_and_in_every_version() -> None:
    """Written down here: a session opened in ten years shows the same picture."""
    expected = [
        [-0.1819866234539, 0.8310082151922, -1.8717051749346],
        [1.5591532170452, -1.9267505693586, -1.6184880793488],
    ]
    np.testing.assert_allclose(normal("Shaw", 2, 3, seed=7), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("shape", [(1, 65_536), (70_000, 1), (300, 301), (0, 5), (5, 0)])
def test_an_entry_is_the_same_in_any_window(shape: tuple[int, int]) -> None:
    whole = normal("a table", *shape)
    assert whole.shape == shape
    rows, columns = (np.arange(size)[size // 3 : size // 2] for size in shape)
    part = normal_entries(0, "a table", rows, columns)
    assert np.array_equal(part, whole[np.ix_(rows, columns)])
    assert np.array_equal(normal_entries(0, "a table", rows[::-1], columns), part[::-1])


def test_the_farthest_entry_takes_as_much_work_as_the_first() -> None:
    table = SimulatedTable(0, "T", 10_000_000, 65_536, 1.0)
    first, farthest = (
        work_of(lambda place=place: table.read(*(np.array([each]) for each in place)))
        for place in ((0, 0), (9_999_999, 65_535))
    )
    assert farthest < 2 * first


def test_the_numbers_are_normal() -> None:
    numbers = np.sort(normal("moments", 1000, 1000).ravel())
    count = len(numbers)
    for power, moment in ((1, 0), (2, 1), (3, 0), (4, 3), (6, 15)):
        spread = math.sqrt(math.prod(range(1, 2 * power, 2)) - moment**2)  # of the power of one number
        assert (numbers**power).mean() == pytest.approx(moment, abs=4 * spread / math.sqrt(count))
    below = np.array([(1 + math.erf(number / math.sqrt(2))) / 2 for number in numbers[::100].tolist()])
    distance = np.abs(below - np.arange(0, count, 100) / count).max()
    assert distance * math.sqrt(count) < 1.95, "Kolmogorov's and Smirnov's limit for one chance in a thousand"
    assert np.count_nonzero(np.abs(numbers) > 4) == pytest.approx(count * math.erfc(4 / math.sqrt(2)), abs=4 * 8)


@pytest.mark.parametrize("power", [1, 2])
def test_rows_columns_seeds_and_texts_are_independent(power: int) -> None:
    table = normal("one", 700, 700)
    others = {
        "the next row": (table[1:], table[:-1]),
        "the next column": (table[:, 1:], table[:, :-1]),
        "the next row's next column": (table[1:, 1:], table[:-1, :-1]),
        "the transposed place": (table[np.triu_indices(700, 1)], table.T[np.triu_indices(700, 1)]),
        "a power of two on": (table[:, 512:], table[:, :-512]),
        "another seed": (table, normal("one", 700, 700, seed=1)),
        "the highest bit of the seed": (table, normal("one", 700, 700, seed=2**31)),
        "another text": (table, normal("two", 700, 700)),
    }
    for what, (left, right) in others.items():
        likeness = np.corrcoef(left.ravel() ** power, right.ravel() ** power)[0, 1]
        assert abs(likeness) < 4 / math.sqrt(left.size), what
    rows, columns = np.corrcoef(table), np.corrcoef(table.T)
    for likenesses in (rows, columns):
        assert np.abs(likenesses[np.triu_indices(700, 1)]).max() < 5.5 / math.sqrt(700)


def test_no_number_comes_twice() -> None:
    numbers = normal("all different", 1000, 1000)
    assert len(np.unique(numbers)) > 0.999 * numbers.size


def test_a_simulated_table_is_cut_at_four_deviations_and_begins_with_the_smaller_one() -> None:
    small, large = SimulatedTable(3, "T", 200, 300, 0.5), SimulatedTable(3, "T", 400, 700, 0.5)
    numbers = small.read(np.arange(200), np.arange(300))
    assert np.array_equal(numbers, large.read(np.arange(200), np.arange(300)))
    assert np.array_equal(numbers, 0.5 * normal("T", 200, 300, seed=3).clip(-4, 4))
    assert np.abs(numbers).max() == small.largest == 2.0
