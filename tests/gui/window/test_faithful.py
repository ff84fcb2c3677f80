"""Painted pixels against the numbers at every zoom: exact means, no false bands, envelopes that leave no sample out."""

import numpy as np
import pytest
from panel_bench import shown
from pixels import area_of, colour_table, coverage, expected_colour, faded_colour, inside, pixels_of, sinusoid

from posenc_core import Document, Sinusoidal, View
from posenc_gui.look.style import LIGHT
from posenc_gui.plotting.plot_area import Window

LENGTH, WIDE = 2**20, 8192
SIZE = (480, 420)
AMPLITUDE = 0.4


def edges(span, part):
    """Where a part of the span begins, and where it ends."""
    return [(span.first * (span.parts - k) + span.stop * k) / span.parts for k in (part, part + 1)]


def cells(span, part):
    """The cells of a part of the axis: the cells in the part, or the cell around it."""
    low, high = edges(span, part)
    inner = np.arange(int(np.ceil(low)), int(np.ceil(high)))
    return inner if len(inner) else np.array([int(np.floor((low + high) / 2))])


def part_at(span, window, place):
    """The part of the span that is painted at a place of the window, 0 to 1."""
    at = window[0] + place * (window[1] - window[0]) + 0.5
    return int((at - span.first) / (span.stop - span.first) * span.parts)


def corner(span, window, at, start, length):
    """The place near the beginning of the cell that is painted at this one, or in view if that is not."""
    cell = part_at(span, window, (at - start) / length) + span.first
    return max(start + 3, start + (cell - 0.4 - window[0]) / (window[1] - window[0]) * length)


def mean_value(positions, columns):
    """The mean of the table's entries."""
    return sinusoid(positions[:, None], columns, WIDE).mean()


def mean_turn(positions, pairs):
    """The mean of the unit vectors at the pairs' angles."""
    return np.exp(1j * positions[:, None] * 10000.0 ** (-2 * pairs / WIDE)).mean()


@pytest.mark.one_of(3)
@pytest.mark.parametrize("level", [0.0, 0.15, 0.3, 0.5, 0.7, 0.85, 1.0])
@pytest.mark.parametrize(
    ("view", "across", "mean_of", "colour_of", "reach"),
    [
        (View(), WIDE, mean_value, expected_colour, 2),
        (View(angles=True), WIDE // 2, mean_turn, faded_colour, 3),
    ],
    ids=["values", "angles"],
)
def test_a_pixel_has_the_colour_of_the_exact_mean_at_random_windows(
    qtbot, amount, view, across, mean_of, colour_of, reach, level
):
    panel = shown(qtbot, "heatmap", Document(seq_len=LENGTH, encoding=Sinusoidal(WIDE), view=view), SIZE)
    figure, random = panel.figure, np.random.default_rng(round(100 * level))
    different = 0
    for _ in range(amount(4, 10)):
        wide, tall = across ** (1 - level), LENGTH ** (1 - level)
        left, top = random.uniform(0, across - wide) - 0.5, random.uniform(0, LENGTH - tall) - 0.5
        figure.viewport.show_window(Window((left, left + wide), (top, top + tall)))
        area = area_of(panel)
        pixels = pixels_of(panel.view)
        grid, window = figure.view().grid, figure.viewport.window()
        for _ in range(3):
            x, y = random.uniform(area.left() + 3, area.right() - 3), random.uniform(area.top() + 3, area.bottom() - 3)
            if grid.whole_cells:  # beside the number in the middle of the cell
                x, y = (
                    corner(grid.across, window.x, x, area.left(), area.width()),
                    corner(grid.down, window.y, y, area.top(), area.height()),
                )
            x, y = int(x), int(y)
            row = part_at(grid.down, window.y, (y + 0.5 - area.top()) / area.height())
            column = part_at(grid.across, window.x, (x + 0.5 - area.left()) / area.width())
            # The area begins between two pixels of the screen: a painted one may be the neighbour of the computed one.
            means = [
                mean_of(cells(grid.down, row + dr), cells(grid.across, column + dc))
                for dr in (0, -1, 1)
                for dc in (0, -1, 1)
                if 0 <= row + dr < grid.down.parts and 0 <= column + dc < grid.across.parts
            ]
            painted = pixels[y, x].astype(int)
            assert min(np.abs(painted - colour_of(mean)).max() for mean in means) <= reach, (row, column)
            different += np.abs(np.subtract.outer(means, means)).max() > 0.02
    assert level == 1.0 or different, "the neighbours are not all alike"


def painted_values(picture):
    """Numbers of the colours, read back from the colour map."""
    table = colour_table("CET-D1A").astype(int)
    levels = [np.abs(table - pixel).sum(axis=1).argmin() for pixel in picture.reshape(-1, 3).astype(int)]
    return (np.array(levels) / 255 * 2 - 1).reshape(picture.shape[:2])


def test_nine_positions_a_pixel_show_no_slow_bands(qtbot):
    panel = shown(qtbot, "heatmap", Document(seq_len=4096, encoding=Sinusoidal(16, base=40.0)), SIZE)
    rows = panel.figure.view().grid.down.parts
    panel.show_document(Document(seq_len=9 * rows, encoding=Sinusoidal(16, base=40.0)))
    panel.figure.viewport.reset()
    assert panel.figure.view().grid.down.cells_a_part == 9
    picture = inside(pixels_of(panel.view), area_of(panel))
    columns = (np.arange(16) + 0.5) * picture.shape[1] / 16
    values = painted_values(picture[2:-2, columns.astype(int)])
    count = len(values)
    amplitudes = 2 / count * np.abs(np.fft.rfft(values * np.hanning(count)[:, None] * 2, axis=0))
    slow = amplitudes[3 : count // 8]  # periods of eight pixels and more
    sampled = np.sin(9 * np.arange(count)[:, None] * 40.0 ** (-np.arange(8) / 8))
    aliased = 2 / count * np.abs(np.fft.rfft(sampled * np.hanning(count)[:, None] * 2, axis=0))[3 : count // 8]
    assert aliased.max() > 0.8, "every ninth position alone would show a slow band"
    frequencies = 40.0 ** (-(np.arange(16) // 2) / 8)
    fast = 9 * frequencies > np.pi
    assert frequencies[0] == 1.0
    assert fast[:6].all()
    assert slow[:, :2].max() < 0.02, "the column of wavelength 2π shows no period"
    assert slow[:, fast].max() < 0.16
    assert np.ptp(values[:, 0]) < 2 * np.sin(4.5) / (9 * np.sin(0.5)) * -1 + 0.05


def slow_amplitudes(pixels):
    """How strong periods of eight pixels and more are, down each column and in each part of the colours."""
    count = len(pixels)
    window = 2 * np.hanning(count)[:, None, None]
    return (2 / count * np.abs(np.fft.rfft(pixels * window, axis=0)))[3 : count // 8]


def test_angles_too_fast_for_the_pixels_are_grey_and_show_no_slow_bands(qtbot):
    encoding, angles = Sinusoidal(32, base=40.0), View(angles=True)
    panel = shown(qtbot, "heatmap", Document("", seq_len=4096, encoding=encoding, view=angles), SIZE)
    rows = panel.figure.view().grid.down.parts
    panel.show_document(Document("", seq_len=9 * rows, encoding=encoding, view=angles))
    panel.figure.viewport.reset()
    assert panel.figure.view().grid.down.cells_a_part == 9
    picture = inside(pixels_of(panel.view), area_of(panel))
    columns = (np.arange(16) + 0.5) * picture.shape[1] / 16
    painted = picture[2:-2, columns.astype(int)].astype(float)
    frequencies = 40.0 ** (-np.arange(16) / 16)
    sampled = expected_colour(
        np.angle(np.exp(9j * np.arange(len(painted))[:, None] * frequencies)), "CET-C1", np.pi
    ).astype(float)
    too_fast = 9 * frequencies > np.pi  # half a turn a pixel and more
    assert too_fast[:5].all()
    assert not too_fast[8:].any()
    assert slow_amplitudes(sampled)[:, too_fast].max() > 80, "every ninth angle alone would show slow bands"
    assert (painted[:, too_fast] == 132).all(), "pairs too fast show no period, neither that of wavelength 2π"
    assert np.ptp(painted[:, -1], axis=0).max() > 150, "slow pairs are in full colour"


@pytest.mark.one_of(3)
@pytest.mark.parametrize("positions_a_pixel", [0.9, 2, 3.3, 9, 700])
def test_a_band_leaves_no_sample_out(qtbot, amount, positions_a_pixel):
    n = 10**6
    panel = shown(qtbot, "waves", Document("", seq_len=n, encoding=Sinusoidal(2)), (760, 420))
    area = area_of(panel)
    count = positions_a_pixel * area.width()
    random = np.random.default_rng(5)
    for first in random.uniform(0, n - count, amount(3, 10)):
        panel.figure.viewport.show_window(Window((first, first + count), (-0.5, 1.5)))
        area = area_of(panel)
        ink = coverage(pixels_of(panel.view), LIGHT.sine, LIGHT.paper)
        positions = np.unique(random.integers(int(first) + 1, int(first + count), 400))
        x = area.left() + (positions - first) / count * area.width()
        y = area.bottom() - (0.5 + AMPLITUDE * np.sin(positions)) / 2 * area.height()
        for across, down in zip(x, y, strict=True):
            if area.left() + 3 < across < area.right() - 3:
                around = ink[int(down) - 1 : int(down) + 2, int(across) - 1 : int(across) + 2]
                assert around.max() > 0.08, (first, across, down)
