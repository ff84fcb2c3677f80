"""Tiles of a table at any resolution: each pixel is the mean of its entries."""

import math
import tracemalloc
from typing import Any

import mpmath
import numpy as np
import pytest
from amounts import draws
from brute_force import Window, cells, mean_of_entries, windows
from hypothesis import given
from hypothesis import strategies as st
from strategies import POSITIONS, SMALL, sinusoids

from posenc_core import Sinusoidal, encode, tile
from posenc_core.numerics.dirichlet_sums import dirichlet


@draws(8, 100)
@given(
    encoding=sinusoids(**SMALL),
    start=POSITIONS,
    rows=windows(-40, 700),
    shape=st.tuples(st.integers(1, 60), st.integers(1, 60)),
    data=st.data(),
)
def test_any_window_is_the_mean_of_its_entries(
    encoding: Sinusoidal, start: int, rows: Window, shape: tuple[int, int], data: st.DataObject
) -> None:
    """Zoomed in, zoomed out, beginning at fractions, reaching below position 0, in every layout and spacing."""
    positions = (start + rows[0], start + rows[1])
    columns = data.draw(windows(0, encoding.n_columns))
    picture = tile(encoding, positions, columns, shape)
    assert picture.dtype == np.float32
    assert picture.shape == shape
    assert picture.flags.c_contiguous, "a picture is painted from its memory"
    expected = mean_of_entries(encoding, cells(positions, shape[0]), cells(columns, shape[1]))
    np.testing.assert_allclose(picture, expected, rtol=0, atol=3e-7)


@pytest.mark.parametrize("pixels", [1, 2, 3, 7, 49, 93, 98, 103, 107, 161, 187, 640])
def test_as_many_pixels_as_cells_are_the_cells(pixels: int) -> None:
    """For these numbers k/n * n is not always k in float64: a pixel must not take its neighbour's cell."""
    for first in (0, 1, 12345):
        picture = tile(Sinusoidal(8), (first, first + pixels), (0, 8), (pixels, 8))
        table = encode(Sinusoidal(8), range(first, first + pixels))
        np.testing.assert_allclose(picture, table, rtol=0, atol=3e-7)
    wide = Sinusoidal(pixels)
    across = tile(wide, (5, 6), (0, pixels), (1, pixels))
    np.testing.assert_allclose(across, encode(wide, [5]), rtol=0, atol=3e-7)


@given(encoding=sinusoids(**SMALL), first=POSITIONS, count=st.integers(1, 80))
def test_a_tile_of_one_pixel_per_cell_is_the_table(encoding: Sinusoidal, first: int, count: int) -> None:
    picture = tile(encoding, (first, first + count), (0, encoding.n_columns), (count, encoding.n_columns))
    np.testing.assert_allclose(picture, encode(encoding, range(first, first + count)), rtol=0, atol=3e-7)


def test_zooming_in_shows_whole_cells() -> None:
    """Cell k is the interval from k to k + 1: within it every pixel is the same."""
    encoding = Sinusoidal(4)
    picture = tile(encoding, (7, 9), (1, 3), (200, 300))
    table = encode(encoding, [7, 8], [1, 2])
    np.testing.assert_allclose(picture, np.kron(table, np.ones((100, 150))), rtol=0, atol=3e-7)
    inside = tile(encoding, (7.25, 7.5), (1.25, 1.5), (50, 50))
    np.testing.assert_allclose(inside, np.full((50, 50), table[0, 0]), rtol=0, atol=3e-7)


def test_a_window_narrower_than_float64_can_divide() -> None:
    """At ten million two neighbouring numbers are 2e-9 apart: there is nothing between them, and no error."""
    encoding = Sinusoidal(4)
    window = (1e7, float(np.nextafter(1e7, 2e7)))
    picture = tile(encoding, window, (4 - 2**-50, 4), (640, 640))
    assert np.abs(picture - encode(encoding, [10**7], [3])).max() < 3e-7


def test_a_pixel_over_ten_million_positions_is_exact() -> None:
    """All columns of a million rows a pixel, against the sum in closed form with 50 digits."""
    encoding = Sinusoidal(6)
    picture = tile(encoding, (0, 10**7), (0, 6), (1, 6))[0]
    with mpmath.workdps(50):
        for column, shown in enumerate(picture):
            w = mpmath.power(10000, -mpmath.mpf(column // 2 * 2) / 6)
            total = mpmath.sin(w * 10**7 / 2) / mpmath.sin(w / 2)
            middle = w * (10**7 - 1) / 2 + (mpmath.pi / 2 if column % 2 else 0)
            assert float(shown) == pytest.approx(float(mpmath.sin(middle) * total / 10**7), abs=2e-7)


def test_the_farthest_window_of_all() -> None:
    """Each pixel stands for 1.4e14 positions of a wave that is 6e16 positions long: nothing may overflow."""
    picture = tile(Sinusoidal(4, 1e32), (0, 2**53), (2, 4), (64, 2))
    with mpmath.workdps(60):
        w, n = mpmath.mpf(1) / 10**16, 2**47
        kernel = mpmath.sin(w * n / 2) / mpmath.sin(w / 2) / n
        for row in range(64):
            centre = w * (row * n + mpmath.mpf(n - 1) / 2)
            expected = [float(mpmath.sin(centre) * kernel), float(mpmath.cos(centre) * kernel)]
            assert picture[row].tolist() == pytest.approx(expected, abs=2e-7)


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_the_largest_table_in_one_picture(layout: str) -> None:
    """Ten million positions of 65,536 columns: a pixel's mean is right, and memory is the picture's own."""
    encoding = Sinusoidal(65536, layout=layout)
    shape = (250, 320)
    tile(encoding, (0, 10), (0, 65536), (1, 1))  # the frequencies are kept from now on
    tracemalloc.start()
    picture = tile(encoding, (0, 10**7), (0, 65536), shape)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert picture.shape == shape
    assert peak < 3e7, "the table itself has 2.6 TB"
    rows, columns = np.arange(120 * 40_000, 121 * 40_000), cells((0, 65536), 320)[300]
    by_row = [encode(encoding, rows[k : k + 2000], columns).astype(float).mean() for k in range(0, 40_000, 2000)]
    assert picture[120, 300] == pytest.approx(np.mean(by_row), abs=2e-7)


@given(
    frequency=st.floats(-math.pi, math.pi),
    first=st.integers(-(10**6), 10**6),
    count=st.integers(1, 3000),
)
def test_block_means_in_closed_form(frequency: float, first: int, count: int) -> None:
    """The centre's sine times the kernel, against the sum itself, in float64."""
    positions = np.arange(first, first + count, dtype=float)
    centre = frequency * (first + (count - 1) / 2)
    kernel = dirichlet(np.array([frequency]), count)[0]
    for phase in (0.0, math.pi / 2):
        brute = math.fsum(np.sin(frequency * positions + phase)) / count
        assert math.sin(centre + phase) * kernel == pytest.approx(brute, abs=1e-8)


def test_the_mean_of_a_still_column_is_its_value() -> None:
    assert dirichlet(np.array([0.0, 1e-320, 1e-12]), 1000).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("positions", "columns", "shape", "error", "sentence"),
    [
        ((5, 5), (0, 4), (1, 1), ValueError, "positions must be (first, stop) with first < stop, within 2^53 of 0"),
        ((6, 5), (0, 4), (1, 1), ValueError, "positions must be (first, stop) with first < stop"),
        ((0, math.nan), (0, 4), (1, 1), ValueError, "positions must be (first, stop) with first < stop"),
        ((-math.inf, 5), (0, 4), (1, 1), ValueError, "positions must be (first, stop) with first < stop"),
        ((0, 1e300), (0, 4), (1, 1), ValueError, "positions must be (first, stop) with first < stop, within 2^53"),
        ((0, 10**400), (0, 4), (1, 1), TypeError, "positions must be two numbers (first, stop), got (0, "),
        (("a", 5), (0, 4), (1, 1), TypeError, "positions must be two numbers (first, stop), got ('a', 5)"),
        (5, (0, 4), (1, 1), TypeError, "positions must be two numbers (first, stop), got 5"),
        ((1, 2, 3), (0, 4), (1, 1), TypeError, "positions must be two numbers (first, stop), got (1, 2, 3)"),
        ((0, 5), (-1, 4), (1, 1), IndexError, "columns must be within 0..4, got (-1, 4)"),
        ((0, 5), (0, 4.5), (1, 1), IndexError, "columns must be within 0..4, got (0, 4.5)"),
        ((0, 5), (2, 2), (1, 1), ValueError, "columns must be (first, stop) with first < stop"),
        ((0, 5), (0, 4), (0, 1), ValueError, "shape must be at least (1, 1), got (0, 1)"),
        ((0, 5), (0, 4), (1, -1), ValueError, "shape must be at least (1, 1), got (1, -1)"),
        ((0, 5), (0, 4), (1.5, 1), TypeError, "shape must be an integer, got 1.5 (float)"),
        ((0, 5), (0, 4), (1, 1, 1), TypeError, "shape must be two integers (rows, columns), got (1, 1, 1)"),
        ((0, 5), (0, 4), 3, TypeError, "shape must be two integers (rows, columns), got 3"),
    ],
)
def test_windows_that_are_none(positions: Any, columns: Any, shape: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        tile(Sinusoidal(4), positions, columns, shape)
    assert str(caught.value).startswith(sentence)
