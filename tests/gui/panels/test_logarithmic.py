"""Waves over a logarithmic axis of positions: where a position is, what is drawn there, and where it is offered."""

import math

import numpy as np
import pytest
from panel_bench import shown
from pixels import CTRL, area_of, coverage, hover, near, painted_words, pixels_of, settle, sinusoid, wheel
from PySide6.QtCore import QPointF

from posenc_core import Document, Rotary, Sinusoidal, T5Bias, View
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.look.style import LIGHT
from posenc_gui.model.cursor import Cursor

LOGARITHMIC = View(logarithmic=True)
N = 5000


def place(position):
    return math.copysign(math.log10(1 + abs(position)), position)


def x_of(panel, position):
    """Where a position is, by the definition of the axis."""
    area = area_of(panel)
    low, high = (place(end) for end in panel.figure.viewport.window().x)
    return area.left() + (place(position) - low) / (high - low) * area.width()


@pytest.fixture
def waves(qtbot):
    return shown(qtbot, "waves", Document("", seq_len=N, encoding=Sinusoidal(8), view=LOGARITHMIC), (900, 480))


def test_a_curve_passes_through_its_values_and_is_a_band_only_where_waves_are_narrow(waves):
    pixels, area = pixels_of(waves.view), area_of(waves)
    for position in (0, 1, 2, 3, 5, 9, 20, 100, 400, 1500, 4000):
        for column in range(8):
            wavelength = 2 * np.pi * 10000 ** (column // 2 / 4)
            if wavelength < 0.2 * (1 + position):
                continue
            y = area.bottom() - (column + 0.4 * sinusoid(position, column, 8) + 0.5) / 8 * area.height()
            colour = LIGHT.cosine if column % 2 else LIGHT.sine
            shares = coverage(near(pixels, x_of(waves, position), y, 2), colour, LIGHT.paper)
            assert shares.max() > 0.4, (position, column)


def test_the_axis_has_numbers_at_powers_of_ten_where_they_belong(waves):
    below = area_of(waves).bottom() + 8
    numbers = [word for word in painted_words(waves.view) if word.y > below and word.text.replace(",", "").isdigit()]
    values = [int(word.text.replace(",", "")) for word in numbers]
    assert {0, 1, 10, 100, 1000} <= set(values)
    for word, value in zip(numbers, values, strict=True):
        assert word.x - 2 <= x_of(waves, value) <= word.x + 7 * len(word.text) + 2


def test_the_mouse_points_at_the_position_that_the_axis_names(waves):
    moved = []
    waves.cursorMoved.connect(moved.append)
    for position in (0, 3, 17, 250):
        hover(waves.view, QPointF(x_of(waves, position), area_of(waves).center().y()))
        assert moved[-1].position == pytest.approx(position, rel=0.02)


def test_zooming_in_keeps_the_position_under_the_mouse_down_to_one(waves):
    x = x_of(waves, 1000)
    for _ in range(60):
        wheel(waves.view, QPointF(round(x), area_of(waves).center().y()), 1, CTRL)
    low, high = waves.figure.viewport.window().x
    assert high - low == pytest.approx(1, rel=0.01)
    assert low < 1015
    assert high > 985
    waves.figure.viewport.reset()
    assert waves.figure.viewport.window().x == pytest.approx((-0.5, N - 0.5))


def test_a_held_cell_comes_into_sight(waves):
    waves.figure.viewport.choose("positions", "sentence")
    waves.show_cursor(Cursor(3000, 2, pinned=True))
    settle()
    low, high = waves.figure.viewport.window().x
    assert low < 3000 < high <= 3000.51


def test_distances_on_either_side_of_0_mirror_each_other(qtbot):
    panel = shown(qtbot, "waves", Document("a b c", seq_len=N, encoding=T5Bias(), view=LOGARITHMIC), (900, 480))
    numbers = {word.text: word.x for word in painted_words(panel.view) if word.y > area_of(panel).bottom() + 8}
    assert numbers["−100"] < numbers["0"] < numbers["100"]
    assert x_of(panel, 100) - x_of(panel, 0) == pytest.approx(x_of(panel, 0) - x_of(panel, -100))


def test_short_lengths_keep_the_linear_axis(qtbot):
    panel = shown(qtbot, "waves", Document("", seq_len=1000, encoding=Sinusoidal(8), view=LOGARITHMIC), (900, 480))
    linear = shown(qtbot, "waves", Document("", seq_len=1000, encoding=Sinusoidal(8)), (900, 480))
    assert (pixels_of(panel.view) == pixels_of(linear.view)).all()


def test_going_back_to_the_linear_axis_leaves_nothing_behind(qtbot):
    document = Document("Dan loves", seq_len=N, encoding=Rotary(64), view=LOGARITHMIC)
    panel = shown(qtbot, "waves", document, (900, 480))
    panel.show_document(Document("Dan loves", seq_len=N, encoding=Rotary(64)))
    linear = shown(qtbot, "waves", Document("Dan loves", seq_len=N, encoding=Rotary(64)), (900, 480))
    assert (pixels_of(panel.view) == pixels_of(linear.view)).all()


def test_a_file_has_the_axis_that_the_panel_has(qtbot, waves):
    with Picture.laid_out(
        Picture("waves", waves.figure.document, None, waves.figure.viewport.window()), PictureOptions(), 1.0
    ) as page:
        assert page.view.figure.viewport.window().x == pytest.approx(waves.figure.viewport.window().x)
        assert page.view.figure.area.logarithmic
