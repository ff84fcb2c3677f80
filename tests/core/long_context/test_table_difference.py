"""Differences of two tables: values, means, curves and bands compared with each entry, and scripts of the pictures."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from snippet_cases import numpy_source

from posenc_core import (
    Alibi,
    BinaryCode,
    IntegerIndex,
    LearnedTable,
    NoPosition,
    Rotary,
    ShawRelative,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
    Yarn,
    tile,
)
from posenc_core.long_context import AngleDifference, TableDifference
from posenc_core.numerics import Steps
from posenc_core.progressive import known_traces, part_edges, partial_tile, partial_traces, slow_work
from posenc_core.tables import Cancelled, never_cancelled

ONE, OTHER = (np.random.default_rng(seed).normal(size=(rows, 8)) for seed, rows in ((1, 3000), (2, 2500)))

PAIRS = [
    (Sinusoidal(8), Sinusoidal(8, base=100.0)),
    (Sinusoidal(8), Sinusoidal(8, offset=3)),
    (Sinusoidal(8), Rotary(8)),
    (Rotary(16), Rotary(16, scaling=Yarn(4, 512))),
    (Rotary(8, direction=-1), Rotary(8)),
    (Rotary(8, pairing="interleaved"), Rotary(8)),
    (Sinusoidal(8), NoPosition(8)),
    (Sinusoidal(8), BinaryCode(8)),
    (IntegerIndex(8), BinaryCode(8)),
    (Sinusoidal(8), LearnedTable(ONE)),
    (LearnedTable(ONE), LearnedTable(OTHER)),
    (LearnedTable(ONE, offset=2), LearnedTable(OTHER, offset=-1)),
    (Alibi(8), Alibi(12)),
    (T5Bias(32, 128, True, 8), Alibi(8)),
    (ShawRelative(8, 4), ShawRelative(8, 90)),
    (TransformerXLRelative(8, clamp_len=300), TransformerXLRelative(8)),
]
NAMES = [f"{one.family}-{other.family}" for one, other in PAIRS]


def inside(difference, first, stop):
    """The whole positions of a window that have values, all of one sign where they are distances."""
    low, high = difference.domain
    if difference.relative:
        first, stop = 1 - stop, 1 - first
    return np.arange(int(max(first, low)), int(min(stop, high + 1)))


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (Rotary(8), Rotary(4), "column 2 is the cosine of pair 2 in A and the sine of pair 0 in C"),
        (PAIRS[5][0], Rotary(8), "column 1 is the sine of pair 0 in A and the cosine of pair 1 in C"),
        (Sinusoidal(6), Rotary(6, 7.0), "column 0 is the sine of pair 0 in A and the cosine of pair 0 in C"),
        (Rotary(8), Rotary(8, 7.0), ""),
        (Sinusoidal(8), Sinusoidal(5), ""),
        (Sinusoidal(8), BinaryCode(8), ""),
    ],
)  # fmt: skip
def test_columns_that_belong_to_different_pairs_are_told_in_a_sentence_and_in_the_script(one, other, words):
    difference = TableDifference(one, other, ("A", "C"))
    assert difference.warnings == ((f"columns are subtracted by place: {words}",) if words else ())
    assert ("# columns are subtracted" in numpy_source(difference, range(3))) == bool(words)
    assert AngleDifference(one, other).warnings == ()


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=NAMES)
def test_entries_and_means_are_those_of_both_subtracted(one, other):
    difference = TableDifference(one, other)
    assert difference.n_columns == min(one.n_columns, other.n_columns)
    columns, positions = np.arange(difference.n_columns), inside(difference, 0, 600)
    table = one.values(positions, columns) - other.values(positions, columns)
    assert difference.values(positions, columns) == pytest.approx(table)
    low, high = difference.range_over(int(positions[0]), int(positions[-1]) + 1)
    for each in (table, one.values(positions, columns), other.values(positions, columns)):
        assert low - 1e-9 <= each.min()
        assert each.max() <= high + 1e-9
    window = (float(positions[0]), float(positions[-1] + 1))
    means = tile(difference, window, (0.0, float(len(columns))), (20, 4))
    edges = [int(-(-(Fraction(window[0]) + Fraction(len(positions), 20) * k) // 1)) for k in range(21)]
    expected = [
        table[first - positions[0] : stop - positions[0]].reshape(stop - first, 4, -1).mean(axis=(0, 2))
        for first, stop in pairwise(edges)
    ]
    assert means == pytest.approx(np.array(expected), abs=2e-6 * max(1.0, np.abs(table).max()))


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=NAMES)
@pytest.mark.parametrize(("stop", "pixels"), [(20, 300), (2000, 300), (2000, 97)])
def test_curves_pass_through_the_entries_and_bands_hold_them(one, other, stop, pixels):
    difference = TableDifference(one, other)
    columns, positions = np.arange(difference.n_columns), inside(difference, 0, stop)
    table = difference.values(positions, columns)
    reach = np.ptp(difference.range_over(int(positions[0]), int(positions[-1]) + 1))
    traces = difference.sampler.traces(columns, (positions[0] - 0.5, positions[-1] + 0.5), pixels)
    curved = isinstance(one, TransformerXLRelative)  # whose curves are half a pixel from it
    room, seen = 0.02 * reach if curved else 1e-9, []
    for line in traces.lines:
        for column, x, y in zip(line.columns.tolist(), line.x, line.y, strict=True):
            seen.append(column)
            steps = np.clip(np.searchsorted(x, positions), 0, len(x) - 1)
            has_steps = (np.diff(x) == 0).any()
            found = y[steps] if has_steps else np.interp(positions, x, y)
            assert found == pytest.approx(table[:, column], abs=0.025 * reach)
    for band in traces.bands:
        pixel = np.clip(np.searchsorted(band.x, positions, "right") - 1, 0, len(band.x) - 2)
        for row, column in enumerate(band.columns.tolist()):
            seen.append(column)
            assert (table[:, column] <= band.high[row, pixel] + room).all()
            assert (table[:, column] >= band.low[row, pixel] - room).all()
    assert sorted(seen) == columns.tolist()


def test_bands_of_two_learned_tables_are_no_wider_than_their_differences():
    difference = TableDifference(LearnedTable(ONE), LearnedTable(OTHER))
    (band,) = difference.sampler.traces(np.arange(8), (-0.5, 2499.5), 50).bands
    table = ONE[:2500] - OTHER
    for pixel in (0, 17, 49):
        part = table[50 * pixel : 50 * pixel + 51]  # with the first of the next pixel
        assert band.high[:, pixel] == pytest.approx(part.max(axis=0))
        assert band.low[:, pixel] == pytest.approx(part.min(axis=0))
    assert not difference.sampler.has_bounds


@pytest.mark.parametrize("encoding", [Sinusoidal(8), Rotary(8, rope_theta=7.0), Alibi(8), LearnedTable(ONE)])
def test_a_table_minus_itself_is_nothing_at_any_zoom(encoding):
    difference = TableDifference(encoding, encoding)
    for stop in (10, 3000):
        window = (-stop, 0.5) if encoding.relative else (-0.5, stop - 0.5)
        traces = difference.sampler.traces(np.arange(8), window, 200)
        for line in traces.lines:
            assert np.abs(line.y).max() <= 1e-9
        for band in traces.bands:
            assert max(np.abs(band.low).max(), np.abs(band.high).max()) <= 1e-9


def test_waves_of_nearly_the_same_frequency_have_the_height_of_their_beat():
    one, other = Sinusoidal(2), Sinusoidal(2, offset=1)
    (band,) = TableDifference(one, other).sampler.traces(np.array([0, 1]), (-0.5, 99_999.5), 100).bands
    assert band.high == pytest.approx(2 * np.sin(0.5))  # |1 - exp(i)|
    assert band.low == pytest.approx(-2 * np.sin(0.5))


def test_a_million_positions_of_eight_thousand_columns_are_no_more_points():
    difference = TableDifference(Sinusoidal(8192), Rotary(8192))
    columns = np.arange(0, 8192, 256)
    for length in (1000, 1_048_576):
        traces = difference.sampler.traces(columns, (-0.5, length - 0.5), 400)
        points = sum(line.x.size for line in traces.lines) + sum(band.low.size for band in traces.bands)
        assert points <= len(columns) * 400 * 40
        assert tile(difference, (0, length), (0, 8192), (40, 40)).shape == (40, 40)


def test_tables_that_are_read_are_computed_part_by_part():
    one, other = LearnedTable(ONE), LearnedTable(OTHER)
    difference = TableDifference(one, other)
    assert slow_work(difference, 0, 100, 8) == slow_work(one, 0, 100, 8) + slow_work(other, 0, 100, 8)
    assert slow_work(TableDifference(Sinusoidal(8), Rotary(8)), 0, 100, 8) == 0
    partial = partial_tile(difference, (0.0, 2500.0), (0.0, 8.0), (50, 8))
    partial.grow(never_cancelled)
    assert partial.arrays[0] == pytest.approx(tile(difference, (0.0, 2500.0), (0.0, 8.0), (50, 8)))
    steps = Steps.over((-0.5, 2499.5), difference.domain, 50)
    curves = partial_traces(difference, np.arange(8), steps)
    with pytest.raises(Cancelled):
        curves.grow(lambda done: False)
    curves.grow(never_cancelled)
    (band,) = known_traces(np.arange(8), part_edges(difference, steps), curves.arrays, curves.known).bands
    assert band.high == pytest.approx(difference.sampler.traces(np.arange(8), (-0.5, 2499.5), 50).bands[0].high)


def test_rows_that_are_not_alike_are_one_sentence():
    with pytest.raises(ValueError, match="for a position, a row of the other for a distance"):
        TableDifference(Sinusoidal(8), Alibi(8))


def test_a_position_without_a_value_is_told_with_the_table_that_lacks_it():
    difference = TableDifference(LearnedTable(ONE), LearnedTable(OTHER), ("A", "C"))
    assert difference.domain == (0, 2499)
    assert difference.no_value(2600).startswith("C: position 2600 is out of range")
    assert difference.no_value(3100).startswith("A: position 3100 is out of range")


def test_an_entry_is_derived_from_both():
    derivation = TableDifference(Sinusoidal(8), Rotary(8)).explain(3, 2)
    assert derivation.value == pytest.approx(np.sin(0.3) - np.cos(0.03))
    assert [step.text[:2] for step in derivation.steps] == ["A:", "B:", "A "]
    assert derivation.to_python().startswith("print(")
