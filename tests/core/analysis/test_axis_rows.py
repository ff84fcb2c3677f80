"""Rows along one axis of a picture: the numbers of those patches in the whole table, and their exact means."""

import numpy as np
import pytest

from posenc_core import Sinusoidal, tile
from posenc_core.analysis import AxisRows, aliased_columns
from posenc_core.encodings import Grid, RopeAxes

PICTURES = [("blocks", "h,w", "14x20"), ("mixed", "h,w", "5+6x7"), ("sections", "t,h,w", "3+4x5x6")]


def patches(grid, axis, through):
    """The positions of the patches along an axis, by counting all cells of the picture."""
    at = grid.indices(through)
    every = range(grid.n_text, grid.n_cells)
    return [p for p in every if all(grid.indices(p)[name] == at[name] for name in grid.names if name != axis)]


@pytest.mark.parametrize(("rule", "axes", "grid"), PICTURES)
@pytest.mark.parametrize("pairing", ["half_split", "interleaved"])
def test_rows_are_those_of_the_patches_in_the_whole_table(rule, axes, grid, pairing):
    whole, cells = RopeAxes(16, rule=rule, axes=axes, grid=grid, pairing=pairing), Grid.of(grid)
    columns = np.arange(16)
    for axis in cells.names:
        rows = AxisRows(whole, axis, cells.n_text + 17)
        positions = patches(cells, axis, cells.n_text + 17)
        assert rows.domain == (0, len(positions) - 1)
        assert [rows.position_of(row) for row in range(len(rows))] == positions
        assert [rows.row_of(position) for position in positions] == list(range(len(rows)))
        values = rows.values(np.arange(len(rows)), columns)
        np.testing.assert_array_equal(values, whole.values(np.array(positions), columns))
        assert rows.explain(2, 5).value == whole.explain(positions[2], 5).value
        assert rows.in_halves().whole == whole.in_halves()
    assert rows.row_of(positions[0] + (1 if axis != cells.names[-1] else cells.sizes[-1])) is None
    assert rows.row_of(-1) is None


def test_columns_have_their_wavelength_in_rows():
    rows = AxisRows(RopeAxes(16, 100.0, axes="h,w", grid="6x7"), "w", 3)
    wavelengths = [rows.column_info(column).wavelength for column in range(8)]
    assert wavelengths[:4] == [np.inf] * 4  # the pairs of h
    np.testing.assert_allclose(wavelengths[4:], 2 * np.pi * 100.0 ** (np.arange(4) / 4), rtol=1e-12)
    np.testing.assert_allclose(rows.frequencies()[4:], 100.0 ** (-np.arange(4) / 4), rtol=1e-12)
    assert aliased_columns(rows, 5.0) == ((4, 5), (12, 13))  # wavelength 6.28, the next one 19.9


@pytest.mark.parametrize(("rule", "axes", "grid"), PICTURES)
def test_pixels_over_many_patches_have_their_mean(rule, axes, grid):
    whole = RopeAxes(16, rule=rule, axes=axes, grid=grid)
    for axis in Grid.of(grid).names:
        rows = AxisRows(whole, axis, Grid.of(grid).n_text + 17)
        table = rows.values(np.arange(len(rows)), np.arange(16))
        parts = len(rows) // 2
        found = tile(rows, (0, 2 * parts), (0, 16), (parts, 4))
        means = table[: 2 * parts].reshape(parts, 2, 4, 4).mean(axis=(1, 3))
        np.testing.assert_allclose(found, means, atol=2e-7)


def test_ten_million_patches_are_a_picture_at_once():
    rows = AxisRows(RopeAxes(16, grid="10000000x1"), "h", 0)
    found = tile(rows, (0, 10_000_000), (0, 16), (4, 16))
    last = rows.values(np.array([9_999_999]), np.arange(16))
    np.testing.assert_array_equal(last, rows.whole.values(np.array([9_999_999]), np.arange(16)))
    assert np.abs(found[:, 0]).max() < 1e-5  # the pair of frequency 1 turns a million times in each pixel


@pytest.mark.parametrize(
    ("encoding", "axis", "through", "sentence"),
    [
        (Sinusoidal(8), "h", 0, "Sinusoidal has no picture of patches"),
        (RopeAxes(16), "h", 0, "the grid text has no axis h"),
        (RopeAxes(16, grid="3x4"), "x", 0, "the grid 3x4 has no axis x"),
        (RopeAxes(16, grid="3x4"), "t", 0, "the grid 3x4 has no axis t"),
        (RopeAxes(16, grid="2+3x4"), "h", 1, "position 1 is no patch of the grid 2[+]3x4"),
        (RopeAxes(16, grid="3x4"), "h", 12, "position 12 is no patch of the grid 3x4"),
    ],
)
def test_what_has_no_such_line_of_patches_is_refused(encoding, axis, through, sentence):
    with pytest.raises(ValueError, match=sentence):
        AxisRows(encoding, axis, through)
