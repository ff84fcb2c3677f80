"""The table's numbers: exact at every position, the same whichever part of the table is asked for, and never stale."""

import math
import tracemalloc
from typing import Any

import numpy as np
import pytest
from amounts import draws
from hypothesis import given
from hypothesis import strategies as st
from reference import exact_entry
from strategies import POSITIONS, SMALL, USUAL, sinusoids

from posenc_core import Sinusoidal, encode, frequencies

PROMISED = 2e-7
"""Promised error for positions up to ten million."""

LAYOUTS = ["interleaved", "concatenated"]


def places(encoding: Sinusoidal) -> dict[tuple[int | None, str], int]:
    """The column of each pair's sine and cosine."""
    facts = [encoding.column_info(column) for column in range(encoding.n_columns)]
    return {(one.pair, one.part): column for column, one in enumerate(facts)}


def test_the_sentence_of_the_papers_example() -> None:
    table = encode(Sinusoidal(4), range(3))
    assert table.dtype == np.float32
    expected = [
        [0, 1, 0, 1],
        [0.84147098, 0.54030231, 0.00999983, 0.99995],
        [0.90929743, -0.41614684, 0.01999867, 0.99980001],
    ]
    np.testing.assert_allclose(table, expected, rtol=0, atol=4e-8)


@draws(8, 100)
@given(
    encoding=sinusoids(**SMALL),
    first=POSITIONS,
    step=st.integers(-3000, 3000),
    count=st.integers(1, 400),
    data=st.data(),
)
def test_arithmetic_progressions_are_exact(
    encoding: Sinusoidal, first: int, step: int, count: int, data: st.DataObject
) -> None:
    """Any start, any step, any base: three entries of each table against 50 digits and more."""
    last = first + step * (count - 1)
    if abs(last + encoding.offset) > 2 * 10**7:
        step = 0
    table = encode(encoding, [first + step * k for k in range(count)])
    assert table.shape == (count, encoding.n_columns)
    for _ in range(3):
        row = data.draw(st.integers(0, count - 1))
        column = data.draw(st.integers(0, encoding.n_columns - 1))
        expected = exact_entry(encoding, first + step * row, column)
        assert float(table[row, column]) == pytest.approx(expected, abs=PROMISED)


@given(encoding=sinusoids(**SMALL), positions=st.lists(POSITIONS, min_size=1, max_size=60), data=st.data())
def test_scattered_positions_are_exact(encoding: Sinusoidal, positions: list[int], data: st.DataObject) -> None:
    table = encode(encoding, positions)
    row = data.draw(st.integers(0, len(positions) - 1))
    column = data.draw(st.integers(0, encoding.n_columns - 1))
    expected = exact_entry(encoding, positions[row], column)
    assert float(table[row, column]) == pytest.approx(expected, abs=PROMISED)
    alone = encoding.values(np.array(positions), np.array([column]))[row, 0]
    assert alone == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("start", [-(10**7), -2048, 0, 10**7 - 4096])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_entry_of_a_large_table_is_off(start: int, layout: str) -> None:
    """All 4096 x 512 entries against float64, which is within 1e-8 there."""
    encoding = Sinusoidal(512, layout=layout)
    positions = np.arange(start, start + 4096)
    table = encode(encoding, positions)
    assert np.abs(table - encoding.values(positions, np.arange(512))).max() <= PROMISED


@pytest.mark.parametrize("base", [5e-324, 1e-300, 1e-5, 0.5, 1.0, 1e20, 1.7e308])
@pytest.mark.parametrize("spacing", ["paper", "tensor2tensor", "one_based"])
@pytest.mark.parametrize("d_model", [4, 6, 14])
def test_the_most_extreme_bases_are_exact(base: float, spacing: str, d_model: int) -> None:
    """Frequencies up to 1e323 rad a position: every digit of them matters."""
    encoding = Sinusoidal(d_model, base, spacing=spacing)
    positions = [0, 1, 2, 3, -7, 12345, 10**7]
    expected = [[exact_entry(encoding, p, column) for column in range(d_model)] for p in positions]
    np.testing.assert_allclose(encode(encoding, positions), expected, rtol=0, atol=PROMISED)


@given(encoding=sinusoids(**USUAL), first=POSITIONS, count=st.integers(1, 100))
def test_norms_of_pairs_and_rows(encoding: Sinusoidal, first: int, count: int) -> None:
    """Sine and cosine of a pair lie on the unit circle, so that a row of whole pairs has length sqrt(d/2)."""
    table = encode(encoding, range(first, first + count)).astype(float)
    columns = {
        (facts.pair, facts.part): column
        for column in range(encoding.d_model)
        for facts in [encoding.column_info(column)]
    }
    whole = [pair for pair, part in columns if part == "cos"]
    for pair in whole:
        radius = np.hypot(table[:, columns[pair, "sin"]], table[:, columns[pair, "cos"]])
        assert np.abs(radius - 1).max() < 1e-6
    if encoding.d_model % 2 == 0:
        assert len(whole) == encoding.d_model // 2
        assert np.abs((table**2).sum(axis=1) - encoding.d_model / 2).max() < 1e-6 * encoding.d_model


@given(
    encoding=sinusoids(d_model=st.integers(1, 20).map(lambda pairs: 2 * pairs), base=USUAL["base"]),
    first=st.integers(-(10**6), 10**6),
    k=st.integers(-(10**6), 10**6),
)
def test_a_shift_is_a_rotation(encoding: Sinusoidal, first: int, k: int) -> None:
    """PE(p + k) = M_k PE(p) with one matrix for all p, which is orthogonal and built from the frequencies alone."""
    m = np.zeros((encoding.d_model, encoding.d_model))
    where = {
        (facts.pair, facts.part): column
        for column in range(encoding.d_model)
        for facts in [encoding.column_info(column)]
    }
    for pair, frequency in enumerate(frequencies(encoding)):
        sin, cos = where[pair, "sin"], where[pair, "cos"]
        m[sin, sin] = m[cos, cos] = math.cos(frequency * k)
        m[sin, cos], m[cos, sin] = math.sin(frequency * k), -math.sin(frequency * k)
    assert np.abs(m @ m.T - np.eye(encoding.d_model)).max() < 1e-12
    before = encode(encoding, range(first, first + 30)).astype(float)
    after = encode(encoding, range(first + k, first + k + 30)).astype(float)
    assert np.abs(before @ m.T - after).max() < 1e-6


@given(encoding=sinusoids(**SMALL), first=POSITIONS, count=st.integers(0, 90))
def test_layouts_hold_the_same_columns(encoding: Sinusoidal, first: int, count: int) -> None:
    """The columns of one layout are those of the other in another order, bit for bit."""
    tables = {}
    for layout in LAYOUTS:
        same = Sinusoidal(**{**encoding.parameters(), "layout": layout})
        facts = [same.column_info(column) for column in range(same.n_columns)]
        keys = [(one.part, one.pair) for one in facts]
        assert len(set(keys)) == same.n_columns
        table = encode(same, range(first, first + count))
        tables[layout] = {key: table[:, column].tolist() for column, key in enumerate(keys)}
    assert tables["interleaved"] == tables["concatenated"]


@given(encoding=sinusoids(**SMALL), positions=st.lists(st.integers(-(10**6), 10**6), max_size=60))
def test_an_offset_is_added_to_every_position(encoding: Sinusoidal, positions: list[int]) -> None:
    plain = Sinusoidal(**{**encoding.parameters(), "offset": 0})
    moved = encode(plain, [position + encoding.offset for position in positions])
    assert encode(encoding, positions).tolist() == moved.tolist()


@given(encoding=sinusoids(**SMALL), first=POSITIONS, count=st.integers(0, 90), data=st.data())
def test_some_columns_are_columns_of_the_whole(
    encoding: Sinusoidal, first: int, count: int, data: st.DataObject
) -> None:
    """In any order, and as often as one likes."""
    columns = data.draw(st.lists(st.integers(0, encoding.n_columns - 1), max_size=2 * encoding.n_columns))
    whole = encode(encoding, range(first, first + count))
    some = encode(encoding, range(first, first + count), columns)
    assert some.shape == (count, len(columns))
    assert some.flags.c_contiguous
    assert some.tolist() == whole[:, columns].tolist()


@given(
    encoding=sinusoids(d_model=SMALL["d_model"], base=st.floats(1e-9, 1e9)),
    first=POSITIONS,
    count=st.integers(0, 90),
)
def test_zeros_are_positive(encoding: Sinusoidal, first: int, count: int) -> None:
    """A table that says -0 looks wrong in a file; no sine of these bases is so small that it would be one."""
    positions = np.r_[0, -encoding.offset, np.arange(first, first + count)]
    for table in (encode(encoding, positions), encoding.values(positions, np.arange(encoding.n_columns))):
        assert not (np.signbit(table) & (table == 0)).any()


def test_empty_requests_give_empty_tables() -> None:
    encoding = Sinusoidal(6)
    assert encode(encoding, []).shape == (0, 6)
    assert encode(encoding, range(5, 5)).shape == (0, 6)
    assert encode(encoding, range(7), []).shape == (7, 0)
    assert encode(encoding, [], []).shape == (0, 0)
    assert encode(encoding, np.empty(0)).dtype == np.float32


@pytest.mark.parametrize("columns", [slice(None), slice(1, None, 2), slice(-2, None), range(5, -1, -1), (3, 3, 0)])
def test_columns_are_chosen_as_in_numpy(columns: Any) -> None:
    whole = encode(Sinusoidal(6), range(40))
    chosen = columns if isinstance(columns, slice) else list(columns)
    assert encode(Sinusoidal(6), range(40), columns).tolist() == whole[:, chosen].tolist()


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64, np.int64])
def test_integers_of_every_width(kind: type[np.integer[Any]]) -> None:
    positions = np.array([0, 100, 127], kind)
    assert encode(Sinusoidal(8), positions).tolist() == encode(Sinusoidal(8), [0, 100, 127]).tolist()


@pytest.mark.parametrize(
    ("positions", "error", "sentence"),
    [
        ([1.0], TypeError, "positions must be integers, got float64"),
        ([True, False], TypeError, "position"),
        ([True, 2], TypeError, "position must be an integer, got True (bool)"),
        (["1"], TypeError, "positions must be integers, got <U1"),
        ([None], TypeError, "position must be an integer, got None (NoneType)"),
        (3, TypeError, "positions must be a sequence of integers, got 3"),
        ("abc", TypeError, "positions must be a sequence of integers, got 'abc'"),
        ([[1, 2], [3, 4]], TypeError, "positions must be a sequence of integers, got [[1, 2], [3, 4]]"),
        ([[1], [2, 3]], TypeError, "positions must be a sequence of integers, got [[1], [2, 3]]"),
        ([2**53 + 1], ValueError, "position must be between -2^53 and 2^53, got 9007199254740993"),
        ([-(2**60)], ValueError, "position must be between -2^53 and 2^53, got -1152921504606846976"),
        ([2**63], ValueError, "position must be between -2^53 and 2^53, got 9223372036854775808"),
        ([0, 10**40], ValueError, "position must be between -2^53 and 2^53, got a number of 41 digits"),
        (range(10**30), ValueError, "position must be between -2^53 and 2^53, got 999999999999999999999999999999"),
    ],
)
def test_positions_that_are_none(positions: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        encode(Sinusoidal(4), positions)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("columns", "error", "sentence"),
    [
        ([4], IndexError, "column 4 is outside 0..3"),
        ([0, -1], IndexError, "column -1 is outside 0..3"),
        ([10**40], IndexError, "column a number of 41 digits is outside 0..3"),
        ([0.0], TypeError, "columns must be integers, got float64"),
        (1, TypeError, "columns must be a sequence of integers, got 1"),
    ],
)
def test_columns_that_are_none(columns: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        encode(Sinusoidal(4), range(3), columns)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("column", [-1, 4, 10**6])
def test_a_column_that_is_none_has_no_facts(column: int) -> None:
    with pytest.raises(IndexError, match=rf"^column {column} is outside 0..3$"):
        Sinusoidal(4).column_info(column)


def test_a_returned_array_belongs_to_the_caller() -> None:
    """Nobody who writes into a result changes what the next one gets."""
    encoding = Sinusoidal(8, base=0.5)
    expected, slow = encode(encoding, range(50)).tolist(), frequencies(encoding).tolist()
    encode(encoding, range(50))[:] = 7
    frequencies(encoding)[:] = 7
    assert encode(encoding, range(50)).tolist() == expected
    assert frequencies(encoding).tolist() == slow


@pytest.mark.parametrize("layout", LAYOUTS)
def test_two_columns_of_the_widest_table_cost_two_columns(layout: str) -> None:
    encoding = Sinusoidal(65536, layout=layout)
    encode(encoding, range(10))  # the frequencies are kept from now on
    tracemalloc.start()
    table = encode(encoding, range(10_000), [0, 65535])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert table.shape == (10_000, 2)
    assert peak < 4e6, "some 5 GB would hold all the pairs in between"


def test_frequencies_are_float64_and_end_where_the_spacings_say() -> None:
    assert frequencies(Sinusoidal(8)).dtype == np.float64
    for spacing, first, last in (
        ("paper", 1, 10000 ** -(510 / 512)),
        ("tensor2tensor", 1, 1 / 10000),
        ("one_based", 10000 ** -(2 / 512), 1 / 10000),
    ):
        found = frequencies(Sinusoidal(512, spacing=spacing))
        assert found.shape == (256,)
        assert (found[0], found[-1]) == (pytest.approx(first, rel=1e-15), pytest.approx(last, rel=1e-14))


@pytest.mark.parametrize(
    ("d_model", "spacing", "layout", "parts"),
    [
        (1, "paper", "interleaved", "s"),
        (1, "paper", "concatenated", "s"),
        (2, "one_based", "concatenated", "sc"),
        (5, "paper", "interleaved", "scscs"),
        (5, "paper", "concatenated", "ssscc"),
        (5, "tensor2tensor", "interleaved", "scscz"),
        (5, "tensor2tensor", "concatenated", "ssccz"),
        (4, "tensor2tensor", "concatenated", "sscc"),
    ],
)
def test_odd_and_tiny_widths(d_model: int, spacing: str, layout: str, parts: str) -> None:
    """A lone sine at the end of the paper's sines, a zero at the end of tensor2tensor's."""
    encoding = Sinusoidal(d_model, layout=layout, spacing=spacing)
    assert "".join(encoding.column_info(column).part[0] for column in range(d_model)) == parts
    at_zero = encode(encoding, [0])[0].tolist()
    assert at_zero == [1.0 if part == "c" else 0.0 for part in parts]
    late = encode(encoding, range(100, 400))
    assert [bool(column.any()) for column in late.T] == [part != "z" for part in parts]
