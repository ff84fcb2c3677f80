"""Shifts in pictures: one matrix for all cells with the same steps along each axis, against angles written by hand."""

import math

import numpy as np
import pytest

from posenc_core import shift_matrix, shift_residual
from posenc_core.analysis import best_linear_map, explain_shift_block, shift_blocks, shift_residuals
from posenc_core.encodings import RopeAxes

SIZES = {"14x14": (14, 14), "4x5x6": (4, 5, 6), "3+2x7": (2, 7), "1x50": (1, 50), "50x1": (50, 1)}
N_TEXT = {"3+2x7": 3}


def blocks_by_hand(places, widths, base=10_000.0):
    """Cosines and sines, neighbours, of FLUX's rule: each axis begins again with frequency 1."""
    angles = [places[:, [axis]] * base ** (-2 * np.arange(width // 2) / width) for axis, width in enumerate(widths)]
    turned = np.hstack(angles)
    return np.stack([np.cos(turned), np.sin(turned)], axis=-1).reshape(len(places), -1)


def encoding_of(grid):
    axes, widths = ("t,h,w", (4, 6, 8)) if len(SIZES[grid]) == 3 else ("h,w", (6, 8))
    return RopeAxes(sum(widths), rule="blocks", axes=axes, axis_widths=widths, grid=grid, pairing="interleaved"), widths


def ways(sizes, k):
    """The cells p from which p + k is each number of steps away, by trying all cells."""
    cells = np.array(list(np.ndindex(*sizes)))
    found = {}
    for p in range(len(cells)):
        if 0 <= p + k < len(cells):
            found.setdefault(tuple((cells[p + k] - cells[p]).tolist()), []).append(p)
    return cells, found


@pytest.mark.parametrize("grid", SIZES)
@pytest.mark.parametrize("k", [0, 1, -1, 3, 8, 14, 15, -14, 30, -37])
def test_one_matrix_shifts_all_cells_that_have_one_so_many_steps_on(grid, k):
    encoding, widths = encoding_of(grid)
    cells, found = ways(SIZES[grid], k)
    if not found:
        with pytest.raises(ValueError, match=f"k = {k} leaves no two rows of this table"):
            shift_residuals(encoding, k)
        return
    begun = N_TEXT.get(grid, 0)
    positions, residuals = shift_residuals(encoding, k, 1000)
    starts = (positions - begun).tolist()
    assert starts in found.values()
    assert len(starts) == max(map(len, found.values())), "as many cells as can be"
    rows = blocks_by_hand(cells.astype(float), widths)
    matrix = shift_matrix(encoding, k)
    np.testing.assert_allclose(rows[starts] @ matrix.T, rows[np.array(starts) + k], atol=1e-13)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(len(matrix)), atol=1e-14)
    assert residuals.max() < 1e-13
    assert shift_residuals(encoding, k, 3)[0].tolist() == positions[:3].tolist()


@pytest.mark.parametrize(
    "encoding",
    [
        RopeAxes(24, rule="mixed", axes="w,h", grid="9x11", direction_rad=1.1),
        RopeAxes(64, rule="normalised", grid="14x14", rope_theta=100.0),
        RopeAxes(24, rule="sections", axes="t,h,w", sections=(4, 4, 4), grid="5+3x4x6"),
        RopeAxes(24, rule="sections", axes="t,h,w", sections=(4, 4, 4), grid="text"),
        RopeAxes(64, rule="blocks", axes="t,h,w", coordinate="scaled", grid="13x30x45", axis_widths=(16, 24, 24)),
    ],
)
def test_the_matrix_is_that_of_the_rows_and_never_large(encoding):
    for k in (1, -2, 12):
        assert shift_residual(encoding, k) < 1e-12
        assert np.abs(shift_matrix(encoding, k)).max() <= 1
        assert np.abs(shift_blocks(encoding, k)).max() <= 1
        assert best_linear_map(encoding, k).residuals.max() < 1e-10, "the best map of the same rows agrees with them"


def test_the_derivation_has_the_steps_along_each_axis():
    encoding = RopeAxes(24, rule="mixed", axes="w,h", grid="9x11", direction_rad=1.1)
    steps = explain_shift_block(encoding, 12, 2).steps
    magnitude = 10_000.0 ** (-4 * 2 / 24)
    angle = magnitude * math.cos(1.1) + magnitude * math.sin(1.1)
    assert steps[0].text.startswith("angle over 1 row and 1 column = ")
    assert [step.value for step in steps] == pytest.approx([angle, math.sin(angle), math.cos(angle)], rel=1e-14)
    assert explain_shift_block(encoding, 0, 2).steps[0].text == "angle over 0 cells = 0 · 0 = 0"
    text = RopeAxes(24, rule="sections", axes="t,h,w", sections=(4, 4, 4), grid="text")
    assert explain_shift_block(text, 3, 0).steps[0].text == "angle w_0 · k = 1 · 3 = 3"
