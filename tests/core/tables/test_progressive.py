"""Pictures of large tables: exact parts, in the order of the positions, that can be cancelled and continued."""

import threading
from copy import copy
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from amounts import draws
from families import PART_BY_PART
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import LearnedTable, ShawRelative, Sinusoidal, T5Bias
from posenc_core.encodings import ENCODINGS
from posenc_core.numerics import Steps
from posenc_core.progressive import known_traces, part_edges, partial_tile, partial_traces, slow_work
from posenc_core.tables import LONG_WORK, ArrayTable, Cancelled, Table

N_ROWS, N_COLUMNS = 5000, 600
TABLE = LearnedTable.from_array(
    np.random.default_rng(5).standard_normal((N_ROWS, N_COLUMNS), np.float32).astype(np.float16)
)
NUMBERS = TABLE.table.entries


@dataclass(frozen=True)
class CountingTable(Table):
    """A table that records the work of each read, in entries."""

    table: Table
    reads: list = field(compare=False, default_factory=list)

    @property
    def shape(self):
        return self.table.shape

    @property
    def label(self):
        return self.table.label

    @property
    def largest(self):
        return 4.0

    def row_cost(self, n_columns):
        return self.table.row_cost(n_columns)

    def read(self, rows, columns):
        self.reads.append(len(rows) * self.row_cost(len(columns)))
        return self.table.read(rows, columns)

    def stretch(self, combines, edges, left, end):
        self.reads.append(int(edges[-1] - edges[0]) * self.row_cost(end - left))
        return self.table.stretch(combines, edges, left, end)


def counting(encoding):
    """The encoding with a table that counts, and its reads."""
    table, counted = CountingTable(encoding.table), copy(encoding)
    counted.__dict__["table"] = table
    return counted, table.reads


SIMULATED = [ShawRelative(40, 3000), T5Bias(1024, 5000, n_heads=40)]
READ = [TABLE, LearnedTable.untrained(N_ROWS, 40), *SIMULATED]


@pytest.mark.parametrize("encoding", READ)
def test_a_cancellable_tile_is_the_same_and_asks_before_every_read(encoding):
    asked, threads = [], set()

    def goes_on():
        asked.append(len(reads))
        threads.add(threading.get_ident())
        return True

    window = (0, N_ROWS), (0, encoding.n_columns), (97, 31)
    counted, reads = counting(encoding)
    assert np.array_equal(counted.reading.cancellable(goes_on).sampler.tile(*window), encoding.sampler.tile(*window))
    assert sum(reads) == slow_work(encoding, 0, N_ROWS, encoding.n_columns)
    assert len(asked) == len(reads)
    assert max(reads) < LONG_WORK, "the picture can be cancelled within a few hundredths of a second"


@pytest.mark.parametrize("encoding", READ)
def test_cancellable_curves_are_the_same_and_ask_before_every_read(encoding):
    asked: list[bool] = []
    columns, window = np.arange(7), (-0.5, N_ROWS - 0.5)
    counted, reads = counting(encoding)
    traces = counted.reading.cancellable(lambda: asked.append(True) is None).sampler.traces(columns, window, 300)
    (band,), (same,) = traces.bands, encoding.sampler.traces(columns, window, 300).bands
    assert np.array_equal(band.low, same.low)
    assert np.array_equal(band.high, same.high)
    assert sum(reads) >= slow_work(encoding, 0, N_ROWS, 7)
    assert len(asked) == len(reads)
    assert max(reads) < LONG_WORK


def test_a_cancelled_picture_reads_no_more():
    counted, reads = counting(TABLE)
    cancelled = counted.reading.cancellable(lambda: len(reads) < 3)
    with pytest.raises(Cancelled):
        cancelled.sampler.tile((0, N_ROWS), (0, N_COLUMNS), (97, 31))
    assert sum(reads) < N_ROWS * N_COLUMNS / 2
    reads.clear()
    with pytest.raises(Cancelled):
        cancelled.sampler.traces(np.arange(N_COLUMNS), (-0.5, N_ROWS - 0.5), 300)
    assert len(reads) == 3


ENCODINGS_THAT_GROW = [
    TABLE,
    LearnedTable.from_array(NUMBERS[:, :200].astype(np.float32)),
    replace(TABLE, offset=2),
    LearnedTable.untrained(N_ROWS, 40),
]


class Curves:
    """Curves in parts, whose ``traces`` are those that are known."""

    def __init__(self, encoding, columns, steps):
        self.partial = partial_traces(encoding, columns, steps)
        self.columns, self.edges = columns, part_edges(encoding, steps)

    def traces(self):
        return known_traces(self.columns, self.edges, self.partial.arrays, self.partial.known)


def grown(partial):
    """The picture with all of its parts."""
    partial.grow(lambda done: True)
    assert partial.known.all()
    assert partial.is_finished
    return partial


def grown_traces(curves):
    """The curves with all of their parts."""
    grown(curves.partial)
    return curves.traces()


@draws(5, 60)
@given(
    encoding=st.sampled_from(ENCODINGS_THAT_GROW), first=st.integers(0, 4000), tall=st.floats(1, 900),
    left=st.integers(0, 30), wide=st.integers(1, 10), shape=st.tuples(st.integers(1, 700), st.integers(1, 120)),
)  # fmt: skip
def test_a_tile_that_grew_is_the_tile(encoding, first, tall, left, wide, shape):
    window = (float(first), first + tall), (float(left), float(left + wide)), shape
    (means,) = grown(partial_tile(encoding, *window)).arrays
    np.testing.assert_allclose(means, encoding.sampler.tile(*window), 1e-6, 1e-12)


@draws(4, 40)
@given(
    encoding=st.sampled_from(ENCODINGS_THAT_GROW), first=st.floats(-0.5, 3000), tall=st.floats(600, 1990),
    columns=st.lists(st.integers(0, 39), min_size=1, max_size=5, unique=True), pixels=st.integers(1, 290),
)  # fmt: skip
def test_bands_that_grew_are_the_bands(encoding, first, tall, columns, pixels):
    columns = np.array(columns)
    steps = Steps.over((first, first + tall), encoding.domain, pixels)
    (band,) = grown_traces(Curves(encoding, columns, steps)).bands
    (same,) = encoding.sampler.traces(columns, (first, first + tall), pixels).bands
    for one, other in ((band.x, same.x), (band.low, same.low), (band.high, same.high)):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("window", [(-0.5, 40.5), (99.75, 131.25)])
def test_stairs_that_grew_are_the_stairs(window):
    encoding, columns, known = ENCODINGS_THAT_GROW[0], np.array([3, 17]), np.zeros(0, bool)
    steps = Steps.over(window, encoding.domain, 900)
    assert steps.few(encoding.sampler.equal_rows) is not None
    curves = Curves(encoding, columns, steps)
    (line,), (same,) = grown_traces(curves).lines, encoding.sampler.traces(columns, window, 900).lines
    assert np.array_equal(line.x, same.x)
    assert np.array_equal(line.y, same.y)
    known = np.arange(steps.stop - steps.start) % 10 != 5
    pieces = known_traces(columns, curves.edges, curves.partial.arrays, known).lines
    assert [piece.x[0, 0] for piece in pieces] == [curves.edges[first] for first in (0, *range(6, len(known), 10))], (
        "a gap at each part that is not known"
    )


@draws(5, 60)
@given(
    encoding=st.sampled_from([*SIMULATED, ShawRelative(6, 0), ShawRelative(6, 9), T5Bias(8, 20, False, 6)]),
    first=st.integers(-9000, 9000), wide=st.integers(1, 9000), columns=st.integers(1, 6), pixels=st.integers(1, 300),
)  # fmt: skip
def test_pictures_of_distances_that_share_rows_grow_to_those_computed_at_once(encoding, first, wide, columns, pixels):
    window = (float(first), float(first + wide)), (0.0, float(columns)), (pixels, columns)
    tile = partial_tile(encoding, *window)
    np.testing.assert_allclose(grown(tile).arrays[0], encoding.sampler.tile(*window), 1e-6, 1e-7)
    assert tile.work == slow_work(encoding, first, first + wide, columns)
    span, wanted = (first - 0.5, first + wide - 0.5), np.arange(columns)
    found = grown_traces(Curves(encoding, wanted, Steps.over(span, encoding.domain, pixels)))
    exact = encoding.sampler.traces(wanted, span, pixels)
    assert [len(found.lines), len(found.bands)] == [len(exact.lines), len(exact.bands)]
    for line, same in zip(found.lines, exact.lines, strict=True):
        assert np.array_equal(line.x, same.x)
        assert np.array_equal(line.y, same.y)
    for band, same in zip(found.bands, exact.bands, strict=True):
        assert np.array_equal(band.low, same.low)
        assert np.array_equal(band.high, same.high)


def both(encoding, first=0, stop=N_ROWS, n_pixels=250):
    """A tile and bands of some rows, each with a function that returns what is known of it."""
    width = encoding.n_columns
    steps = Steps.over((first - 0.5, stop - 0.5), encoding.domain, n_pixels)
    tile = partial_tile(encoding, (first, stop), (0, width), (n_pixels, 31))
    curves = Curves(encoding, np.arange(width), steps)
    return (tile, lambda: tile.arrays[0]), (curves.partial, curves.traces)


@pytest.mark.parametrize("which", [0, 1])
def test_known_parts_are_exact_from_the_first_row_on_and_a_cancelled_picture_continues_from_there(which):
    counted, reads = counting(ENCODINGS_THAT_GROW[0])
    (partial, picture), (whole, exact) = (both(counted)[which] for _ in range(2))
    grown(whole)
    reads.clear()
    told: list[float] = []
    with pytest.raises(Cancelled):
        partial.grow(lambda done: sum(reads) < partial.work / 2 and (told.append(done) is None))
    assert told == sorted(told)
    assert told[0] == 0
    assert 0.2 < told[-1] < 0.6, "the fraction done"
    known = np.flatnonzero(partial.known)
    assert 20 < len(known) < 230
    assert known[-1] == len(known) - 1, "the first parts"
    assert partial.work_left == pytest.approx(partial.work * (1 - len(known) / 250), rel=0.01)
    if which == 0:
        np.testing.assert_allclose(picture()[known], exact()[known], 1e-6, 1e-12)
    else:
        (band,), (same,) = picture().bands, exact().bands
        assert np.array_equal(band.high, same.high[:, known])
    before = sum(reads)
    reads.clear()
    grown(partial)
    assert sum(reads) < partial.work - before + 2 * LONG_WORK, "known parts are not computed again"


@pytest.mark.parametrize("which", [0, 1])
def test_a_picture_that_was_moved_adopts_what_both_show(which):
    encoding, reads = counting(ENCODINGS_THAT_GROW[0])
    before, _ = both(encoding, 0, 4000, 200)[which]
    grown(before)
    moved, picture = both(encoding, 1000, 5000, 200)[which]
    moved.adopt(before)
    assert np.flatnonzero(moved.known).tolist() == list(range(150 - which)), "a band ends with the next one's first row"
    reads.clear()
    grown(moved)
    assert sum(reads) < 0.4 * moved.work
    fresh, exact = both(encoding, 1000, 5000, 200)[which]
    grown(fresh)
    if which == 0:
        np.testing.assert_allclose(picture(), exact(), 1e-6, 1e-12)
    else:
        assert np.array_equal(picture().bands[0].low, exact().bands[0].low)


def test_a_picture_adopts_nothing_from_other_cells():
    encoding = ENCODINGS_THAT_GROW[0]
    (tile, _), (bands, _) = both(encoding)
    grown(tile)
    for other in (
        partial_tile(encoding, (0, N_ROWS), (1, N_COLUMNS), (250, 31)),
        partial_tile(ENCODINGS_THAT_GROW[2], (0, N_ROWS - 2), (0, N_COLUMNS), (250, 31)),
        bands,
    ):
        other.adopt(tile)
        assert not other.known.any()


def test_rows_without_numbers_are_refused_with_a_sentence_and_all_others_known():
    rows = NUMBERS.copy()
    rows[[1234, 4321], 5] = np.nan
    encoding = replace(ENCODINGS_THAT_GROW[0], weights=CountingTable(ArrayTable("rows", "", rows)))
    partial = partial_tile(encoding, (0, N_ROWS), (0, N_COLUMNS), (1000, 31))
    partial.grow(lambda done: True)
    assert np.flatnonzero(partial.refused).tolist() == [1234 // 5, 4321 // 5]
    assert partial.known.sum() == 998
    assert partial.is_finished
    assert "nan in row 1234, column 5" in partial.problem


def test_closed_forms_have_no_work_and_no_partial_pictures():
    for family, kind in ENCODINGS.items():
        encoding = kind.from_parameters({"d_model": 8, "n_bits": 5, "seq_len": 40, "n_heads": 4})
        assert (slow_work(encoding, 0, 10, 8) > 0) == (family in PART_BY_PART), family
    with pytest.raises(TypeError, match="sinusoidal are computed at once"):
        partial_tile(Sinusoidal(8), (0, 10), (0, 8), (10, 8))
