"""Pictures of large tables: exact ones that grow, tell how far they are, can be stopped and go on."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_core import LearnedTable
from posenc_core.encodings import ENCODINGS
from posenc_core.numerics.step_tables import Steps
from posenc_core.progressive import PartialBands, PartialTile
from posenc_core.tables.long_work import LONG_WORK, Cancelled

N_ROWS, N_COLUMNS = 5000, 600
NUMBERS = np.random.default_rng(5).standard_normal((N_ROWS, N_COLUMNS)).astype(np.float16)


@pytest.mark.parametrize("encoding", [LearnedTable.from_array(NUMBERS), LearnedTable.untrained(N_ROWS, 40)])
def test_a_watched_tile_is_the_same_and_tells_of_all_its_work(encoding):
    told, threads = [], set()

    def watch(work):
        told.append(work)
        threads.add(threading.get_ident())
        return True

    window = (0, N_ROWS), (0, encoding.n_columns), (97, 31)
    assert np.array_equal(encoding.with_progress(watch).tile(*window), encoding.tile(*window))
    assert sum(told) == N_ROWS * encoding.row_cost(encoding.n_columns)
    assert max(told) < LONG_WORK, "it can be stopped within a few hundredths of a second"


@pytest.mark.parametrize("encoding", [LearnedTable.from_array(NUMBERS), LearnedTable.untrained(N_ROWS, 40)])
def test_watched_curves_are_the_same_and_tell_of_all_their_work(encoding):
    told: list[int] = []
    columns, window = np.arange(7), (-0.5, N_ROWS - 0.5)
    watched = encoding.with_progress(lambda work: told.append(work) is None).traces(columns, window, 300)
    (band,), (same,) = watched.bands, encoding.traces(columns, window, 300).bands
    assert np.array_equal(band.low, same.low)
    assert np.array_equal(band.high, same.high)
    assert sum(told) >= N_ROWS * encoding.row_cost(7)
    assert max(told) < LONG_WORK


def test_what_nobody_wants_any_more_stops_at_once():
    told: list[int] = []

    def watch(work):
        told.append(work)
        return len(told) < 3

    watched = LearnedTable.from_array(NUMBERS).with_progress(watch)
    with pytest.raises(Cancelled):
        watched.tile((0, N_ROWS), (0, N_COLUMNS), (97, 31))
    assert sum(told) < N_ROWS * N_COLUMNS / 2
    told.clear()
    with pytest.raises(Cancelled):
        watched.traces(np.arange(N_COLUMNS), (-0.5, N_ROWS - 0.5), 300)
    assert len(told) == 3


ENCODINGS_THAT_GROW = [
    LearnedTable.from_array(NUMBERS),
    LearnedTable.from_array(NUMBERS.astype(np.float32)),
    LearnedTable.from_array(NUMBERS, offset=2),
    LearnedTable.untrained(N_ROWS, 40),
]


def grown(growing):
    """All of it."""
    growing.grow(lambda work: True)
    assert growing.is_whole
    return growing.picture()


@settings(max_examples=60, deadline=None)
@given(
    encoding=st.sampled_from(ENCODINGS_THAT_GROW), first=st.integers(0, 4000), tall=st.floats(1, 900),
    left=st.integers(0, 30), wide=st.integers(1, 10), shape=st.tuples(st.integers(1, 700), st.integers(1, 120)),
)  # fmt: skip
def test_a_tile_that_grew_is_the_tile(encoding, first, tall, left, wide, shape):
    window = (float(first), first + tall), (float(left), float(left + wide)), shape
    np.testing.assert_allclose(grown(PartialTile(encoding, *window)), encoding.tile(*window), 1e-6, 1e-12)


@settings(max_examples=40, deadline=None)
@given(
    encoding=st.sampled_from(ENCODINGS_THAT_GROW), first=st.floats(-0.5, 3000), tall=st.floats(600, 1990),
    columns=st.lists(st.integers(0, 39), min_size=1, max_size=5, unique=True), pixels=st.integers(1, 290),
)  # fmt: skip
def test_bands_that_grew_are_the_bands(encoding, first, tall, columns, pixels):
    columns = np.array(columns)
    steps = Steps.over((first, first + tall), encoding.domain, pixels)
    (band,) = grown(PartialBands(encoding, columns, steps)).bands
    (same,) = encoding.traces(columns, (first, first + tall), pixels).bands
    for one, other in ((band.x, same.x), (band.low, same.low), (band.high, same.high)):
        assert np.array_equal(one, other)


def both(encoding, first=0, stop=N_ROWS, n_pixels=250):
    """A tile and bands of some rows."""
    width = encoding.n_columns
    steps = Steps.over((first - 0.5, stop - 0.5), encoding.domain, n_pixels)
    return (
        PartialTile(encoding, (first, stop), (0, width), (n_pixels, 31)),
        PartialBands(encoding, np.arange(width), steps),
    )


@pytest.mark.parametrize("which", [0, 1])
def test_what_is_known_of_a_picture_is_exact_from_the_first_row_on_and_goes_on_where_it_stopped(which):
    growing, whole = (both(ENCODINGS_THAT_GROW[0])[which] for _ in range(2))
    exact = grown(whole)
    told: list[int] = []
    with pytest.raises(Cancelled):
        growing.grow(lambda work: sum(told) < growing.work / 2 and (told.append(work) is None))
    known = np.flatnonzero(growing.known)
    assert 20 < len(known) < 230
    assert known[-1] == len(known) - 1, "the first ones"
    assert growing.work_left == pytest.approx(growing.work * (1 - len(known) / 250), rel=0.01)
    if which == 0:
        np.testing.assert_allclose(growing.picture()[known], exact[known], 1e-6, 1e-12)
    else:
        (band,), (same,) = growing.picture().bands, exact.bands
        assert np.array_equal(band.high, same.high[:, known])
        assert growing.between(~growing.known) == [(same.x[len(known)], same.x[-1])]
    before, again = sum(told), []
    growing.grow(lambda work: again.append(work) is None)
    assert growing.is_whole
    assert sum(again) < growing.work - before + 2 * LONG_WORK, "what is there is not computed once more"


@pytest.mark.parametrize("which", [0, 1])
def test_a_picture_that_was_moved_takes_over_what_both_show(which):
    encoding = ENCODINGS_THAT_GROW[0]
    before = both(encoding, 0, 4000, 200)[which]
    grown(before)
    moved = both(encoding, 1000, 5000, 200)[which]
    moved.adopt(before)
    assert np.flatnonzero(moved.known).tolist() == list(range(150 - which)), "a band ends with the next one's first row"
    told: list[int] = []
    moved.grow(lambda work: told.append(work) is None)
    assert sum(told) < 0.4 * moved.work
    fresh = both(encoding, 1000, 5000, 200)[which]
    if which == 0:
        np.testing.assert_allclose(moved.picture(), grown(fresh), 1e-6, 1e-12)
    else:
        assert np.array_equal(moved.picture().bands[0].low, grown(fresh).bands[0].low)


def test_nothing_is_taken_over_from_other_cells():
    encoding = ENCODINGS_THAT_GROW[0]
    tile, bands = both(encoding)
    grown(tile)
    for other in (
        PartialTile(encoding, (0, N_ROWS), (1, N_COLUMNS), (250, 31)),
        PartialTile(ENCODINGS_THAT_GROW[2], (0, N_ROWS - 2), (0, N_COLUMNS), (250, 31)),
        bands,
    ):
        other.adopt(tile)
        assert not other.known.any()


def test_formulas_take_no_work():
    for family, kind in ENCODINGS.items():
        encoding = kind.from_parameters({"d_model": 8, "n_bits": 5, "seq_len": 40, "n_heads": 4})
        assert (encoding.row_cost(8) == 0) == (family != "learned")
        if family != "learned":
            assert encoding.with_progress(lambda _: False) is encoding
