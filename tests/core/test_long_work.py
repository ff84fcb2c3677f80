"""Pictures of large tables: samples that say so, and exact ones that tell how far they are and can be stopped."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_core import LearnedTable
from posenc_core.encodings import ENCODINGS
from posenc_core.long_work import LONG_WORK, Stopped

N_ROWS, N_COLUMNS = 5000, 600
NUMBERS = np.random.default_rng(5).standard_normal((N_ROWS, N_COLUMNS)).astype(np.float16)


def places(n_rows=N_ROWS, n_columns=N_COLUMNS):
    """A table in which each entry says where it stands."""
    return np.add.outer(np.arange(n_rows) * 1000.0, np.arange(n_columns))


@pytest.mark.parametrize("encoding", [LearnedTable.from_array(NUMBERS), LearnedTable.untrained(N_ROWS, 40)])
def test_a_watched_tile_is_the_same_and_tells_of_all_its_work(encoding):
    told, threads = [], set()

    def watch(work):
        told.append(work)
        threads.add(threading.get_ident())
        return True

    window = (0, N_ROWS), (0, encoding.n_columns), (97, 31)
    assert np.array_equal(encoding.watched(watch).tile(*window), encoding.tile(*window))
    assert sum(told) == N_ROWS * encoding.row_work(encoding.n_columns)
    assert max(told) < LONG_WORK, "it can be stopped within a few hundredths of a second"


@pytest.mark.parametrize("encoding", [LearnedTable.from_array(NUMBERS), LearnedTable.untrained(N_ROWS, 40)])
def test_watched_curves_are_the_same_and_tell_of_all_their_work(encoding):
    told: list[int] = []
    columns, window = np.arange(7), (-0.5, N_ROWS - 0.5)
    watched = encoding.watched(lambda work: told.append(work) is None).traces(columns, window, 300)
    (band,), (same,) = watched.bands, encoding.traces(columns, window, 300).bands
    assert np.array_equal(band.low, same.low)
    assert np.array_equal(band.high, same.high)
    assert sum(told) >= N_ROWS * encoding.row_work(7)
    assert max(told) < LONG_WORK


def test_what_nobody_wants_any_more_stops_at_once():
    told: list[int] = []

    def watch(work):
        told.append(work)
        return len(told) < 3

    watched = LearnedTable.from_array(NUMBERS).watched(watch)
    with pytest.raises(Stopped):
        watched.tile((0, N_ROWS), (0, N_COLUMNS), (97, 31))
    assert sum(told) < N_ROWS * N_COLUMNS / 2
    told.clear()
    with pytest.raises(Stopped):
        watched.traces(np.arange(N_COLUMNS), (-0.5, N_ROWS - 0.5), 300)
    assert len(told) == 3


@settings(max_examples=60, deadline=None)
@given(
    first=st.integers(0, 4000), tall=st.integers(1, 1000), left=st.integers(0, 500), wide=st.integers(1, 100),
    shape=st.tuples(st.integers(1, 700), st.integers(1, 120)),
)  # fmt: skip
def test_a_sample_is_of_each_pixels_own_cells(first, tall, left, wide, shape):
    encoding = LearnedTable.from_array(places())
    window = (float(first), float(first + tall)), (float(left), float(left + wide)), shape
    sample = encoding.sampled_tile(*window)
    values, (rows, columns) = sample.values(), encoding.pixels(*window)
    assert values.shape == shape
    for row in range(0, shape[0], 37):
        for column in range(0, shape[1], 17):
            low = rows.start[row] * 1000.0 + columns.start[column]
            high = (rows.start[row] + rows.count[row] - 1) * 1000.0 + columns.start[column] + columns.count[column] - 1
            assert low * (1 - 1e-6) <= values[row, column] <= high * (1 + 1e-6)
    if sample.cells == rows.count.max() * columns.count.max():
        np.testing.assert_allclose(values, encoding.tile(*window), rtol=1e-6)


def test_a_sample_of_a_large_table_reads_little_of_it():
    for encoding in (LearnedTable.from_array(NUMBERS), LearnedTable.untrained(10**6, 512)):
        told: list[int] = []
        watched = encoding.watched(lambda work, told=told: told.append(work) is None)
        n_rows = encoding.rows.shape[0]
        sample = watched.sampled_tile((0, n_rows), (0, encoding.n_columns), (640, 500))
        assert sample.values().shape[1] == 500
        watched.sampled_traces(np.arange(20), (-0.5, n_rows - 0.5), 700).traces()
        assert sum(told) * encoding.rows_together <= LONG_WORK * 2.5
    assert len(sample.values()) < 640, "rows that are drawn are dear: the sample is coarser"


def test_sampled_bands_lie_within_the_exact_ones():
    encoding = LearnedTable.from_array(NUMBERS)
    columns, window = np.array([3, 4, 9]), (100.5, 4900.5)
    (exact,) = encoding.traces(columns, window, 200).bands
    sample = encoding.sampled_traces(columns, window, 200)
    assert sample.a_pixel == 10
    (band,) = sample.traces().bands
    assert np.array_equal(band.x, exact.x)
    assert (band.low >= exact.low).all()
    assert (band.high <= exact.high).all()
    assert (band.low < band.high).all()


def test_formulas_take_no_work():
    for family, kind in ENCODINGS.items():
        encoding = kind.made({"d_model": 8, "n_bits": 5, "seq_len": 40, "n_heads": 4})
        assert (encoding.row_work(8) == 0) == (family != "learned")
        if family != "learned":
            assert encoding.watched(lambda _: False) is encoding


def test_a_sample_of_positions_beyond_the_table_has_no_bands() -> None:
    encoding = LearnedTable.untrained(100, 4)
    sample = encoding.sampled_traces(np.arange(4), (200.0, 900.0), 300)
    assert (sample.a_pixel, sample.coarse) == (0, False)
    assert sample.traces() == encoding.traces(np.arange(4), (200.0, 900.0), 300)
