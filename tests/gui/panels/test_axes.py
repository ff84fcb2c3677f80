"""The numbers along the axes: whole, where they belong, and never on top of each other."""

import re
from itertools import pairwise

import pytest
from documents import with_values
from panel_bench import shown
from pixels import CTRL, NO_KEY, area_of, painted_words, settle, wheel
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF

from posenc_core import Document, Sinusoidal
from posenc_gui.layers.cells import HeatCells
from posenc_gui.look.style import LIGHT

COUNT = re.compile(r"\d{1,3}(,\d{3})*")
FONT_PX = 11  # of the axes; the scales beside the waves are smaller
KINDS = ["waves", "heatmap", "transposed"]


def made(qtbot, kind, n=60, d_model=8, size=(640, 460)):
    document = with_values(Document("", seq_len=n, encoding=Sinusoidal(d_model)), transpose=kind == "transposed")
    panel = shown(qtbot, "heatmap" if kind == "transposed" else kind, document, size)
    for layer in panel.figure.area.childItems():
        if isinstance(layer, HeatCells):
            layer.hide()  # thousands of shapes, of which no test in this file knows
    return panel


def ticks(panel):
    """The numbers below the plot area and at its left, each as (value, place), from left to right and downwards."""
    area, words = area_of(panel), painted_words(panel.view)
    counts = [word for word in words if COUNT.fullmatch(word.text) and word.size == FONT_PX]
    metrics = QFontMetricsF(LIGHT.font(FONT_PX))
    below = [
        (int(word.text.replace(",", "")), word.x + metrics.horizontalAdvance(word.text) / 2, word)
        for word in counts
        if word.y > area.bottom() + 8
    ]
    left = [
        (int(word.text.replace(",", "")), word.y - 4, word)
        for word in counts
        if word.x < area.left() and word.y <= area.bottom() + 8
    ]
    columns = left if panel.figure.document.value("transpose") else below
    columns[:] = [(place_of(panel, value), place, word) for value, place, word in columns]
    return sorted(below, key=lambda tick: tick[1]), sorted(left, key=lambda tick: tick[1])


def place_of(panel, column):
    """The place of a column on the axis: not its number in a heatmap with sines and cosines apart."""
    view = panel.figure.view()
    return view.columns.place_of(column) if getattr(view, "numbers", None) is not None else column


def blocks_of(panel, axis):
    """The ticks of an axis and whether it is the left one; those of columns by halves, if these are drawn apart."""
    half = panel.figure.document.encoding.n_columns // 2
    is_apart = getattr(panel.figure.view(), "numbers", None) is not None
    found, is_left = axis
    if not is_apart or is_left != panel.figure.document.value("transpose"):
        return [found]
    return [[tick for tick in found if (tick[0] < half) == is_first] for is_first in (True, False)]


def check(panel, kind):
    """Every number stands where its position or column is, evenly spaced, with room between neighbours."""
    area, window = area_of(panel), panel.figure.viewport.window()
    below, left = ticks(panel)
    metrics = QFontMetricsF(LIGHT.font(11))
    (x0, x1), (y0, y1) = window.x, window.y
    for value, x, word in below:
        assert x == pytest.approx(area.left() + (value - x0) / (x1 - x0) * area.width(), abs=2.5)
        assert word.x >= 0
        assert word.x + metrics.horizontalAdvance(word.text) <= panel.view.width()
    for one, other in pairwise(below):
        assert one[2].x + metrics.horizontalAdvance(one[2].text) + 6 <= other[2].x
    if kind != "waves":
        for value, y, word in left:
            assert y == pytest.approx(area.top() + (value - y0) / (y1 - y0) * area.height(), abs=3)
            assert word.x >= 0
    for axis in ((below, False), (left, True)):
        for block in blocks_of(panel, axis):
            assert len({other[0] - one[0] for one, other in pairwise(block)}) <= 1
            assert [tick[0] for tick in block] == sorted({tick[0] for tick in block})
    return len(below), len(left)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("kind", KINDS)
def test_every_zoom_counts_in_whole_numbers(qtbot, kind):
    panel = made(qtbot, kind, 5000, 512)
    place = area_of(panel).center() + QPointF(40, -30)
    wanted = 1 if kind == "waves" else 2
    for _ in range(45):
        counts = check(panel, kind)
        assert sum(count > 0 for count in counts) >= wanted
        wheel(panel.view, place, 1, CTRL if kind == "waves" else NO_KEY)
    low, high = panel.figure.viewport.window().x
    assert high - low == pytest.approx(1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [1, 2, 60, 1000, 1_000_000, 10_000_000])
def test_the_whole_table_counts_from_zero(qtbot, kind, n):
    panel = made(qtbot, kind, n)
    check(panel, kind)
    below, left = ticks(panel)
    assert below[0][0] == 0
    assert kind == "waves" or left[0][0] == 0
    positions = left if kind == "heatmap" else below
    assert positions[-1][0] <= n - 1
    assert len(positions) >= min(n, 2)


@pytest.mark.parametrize("size", [(380, 200), (700, 300), (1400, 800)])
@pytest.mark.parametrize("kind", KINDS)
def test_numbers_have_room_at_any_size(qtbot, kind, size):
    panel = made(qtbot, kind, 123_456, 8192, size)
    counts = check(panel, kind)
    assert counts[0] >= 1
    assert kind == "waves" or counts[1] >= 1


@pytest.mark.parametrize("kind", KINDS)
def test_axes_are_named(qtbot, kind):
    names = [word.text for word in painted_words(made(qtbot, kind).view)]
    assert "position" in names
    assert ("column" in names) == (kind != "waves")


def test_the_words_at_the_ends_of_an_axis_leave_its_name_alone(qtbot):
    panel = made(qtbot, "heatmap", d_model=16, size=(280, 300))
    metrics, seen = QFontMetricsF(LIGHT.font(FONT_PX)), set()
    for width in range(280, 480, 4):
        panel.resize(width, 300)
        settle()
        lowest = max(word.y for word in painted_words(panel.view))
        line = sorted((word for word in painted_words(panel.view) if word.y == lowest), key=lambda word: word.x)
        seen |= {word.text for word in line}
        for one, other in pairwise(line):
            assert one.x + metrics.horizontalAdvance(one.text) < other.x, width
    assert {"fast,", "slow,", "column"} <= seen
