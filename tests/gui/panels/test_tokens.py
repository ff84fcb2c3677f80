"""The tokens' strips: boxes and lines that show the vectors' numbers, names beside them, and a wheel that scrolls."""

import re
import tracemalloc
from itertools import product

import numpy as np
import pytest
from panel_bench import shown
from pixels import (
    coverage,
    drag,
    expected_colour,
    hover,
    item_rect,
    near,
    painted_words,
    pixels_of,
    sinusoid,
    texts,
    wheel,
)
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QLabel

from posenc_core import Document, Embedding, LearnedTable, Sinusoidal
from posenc_gui.look.style import LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.plotting.lettering import width_of

NUMBER = re.compile(r"−?\d*\.\d+")


def notes(panel):
    return [label.text() for label in panel.findChildren(QLabel) if label.text().startswith(("tokens ", "W_e "))]


def boxes(panel):
    """The numbers in boxes, as painted: strip after strip, row after row."""
    return [word for word in painted_words(panel.view) if NUMBER.fullmatch(word.text)]


def value(word):
    return float(word.text.replace("−", "-"))


def colour_of_box(pixels, word):
    """Just below the figures, within the box."""
    return near(pixels, word.x + 3, word.y + 6, 0)[0, 0].astype(int)


@pytest.mark.parametrize("size", [(300, 300), (560, 360), (900, 700)])
def test_boxes_show_the_vectors_in_numbers_and_colours(qtbot, size):
    panel = shown(qtbot, "tokens", Document("Dan loves icecream", encoding=Sinusoidal(4)), size)
    numbers, pixels = boxes(panel), pixels_of(panel.view)
    assert len(numbers) >= 4 * 2
    for index, word in enumerate(numbers):
        wanted = sinusoid(index // 4, index % 4, 4)
        assert value(word) == pytest.approx(wanted, abs=0.0051)
        if word.y + 8 < panel.view.height():
            assert np.abs(colour_of_box(pixels, word) - expected_colour(wanted)).max() <= 2


def test_columns_run_from_left_to_right_under_their_indices(qtbot):
    panel = shown(qtbot, "tokens", Document("Dan", encoding=Sinusoidal(6)), (700, 300))
    indices = [word for word in painted_words(panel.view) if word.text in "012345" and word.y < 20]
    assert [word.text for word in sorted(indices, key=lambda word: word.x)] == list("012345")
    for index, number in zip(indices, boxes(panel), strict=True):
        assert abs(index.x - number.x) < 40
        assert index.y < number.y


def test_the_sum_stands_below_what_is_added_on_one_scale(qtbot):
    embedding = Embedding("simulated", seed=7, scale_by_sqrt_d=True)
    document = Document("Dan loves Dan", encoding=Sinusoidal(4), embedding=embedding)
    panel = shown(qtbot, "tokens", document, (1000, 700))
    own = embedding.vectors(["Dan", "loves", "Dan"], 4)
    encoded = sinusoid(np.arange(3)[:, None], np.arange(4), 4)
    table = np.stack([own, encoded, own + encoded], axis=1)
    numbers, pixels = boxes(panel), pixels_of(panel.view)
    assert len(numbers) == table.size
    reach = 6.0  # a sinusoid's 1 and five standard deviations of a scaled embedding, whatever tokens are in view
    assert np.abs(table).max() < reach
    assert {"−6", "6", "all rows (no unit)"} <= set(texts(panel.view)), "the colour bar"
    for word, wanted in zip(numbers, table.ravel(), strict=True):
        assert value(word) == pytest.approx(wanted, abs=0.0051)
        assert np.abs(colour_of_box(pixels, word) - expected_colour(wanted, reach=reach)).max() <= 4
    names = [text for text in texts(panel.view) if text in ("W_e", "+ PE", "= sum")]
    assert names == ["W_e", "+ PE", "= sum"] * 3
    assert notes(panel) == ["W_e simulated (seed 7), × √d_model"]


def drawn_heights(panel, token, row, column, n, colour):
    """Where a column's colour is painted within a row, from 1 at its top to -1 at its bottom."""
    layout, pixels = panel.figure.view().layout, pixels_of(panel.view)
    canvas = item_rect(panel.view, panel.figure.canvas).topLeft()
    rect = layout.row_rect(layout.strip(token), row).translated(canvas)
    x = rect.left() + (column + 0.5) * rect.width() / n
    reach = round(rect.height() / 2)
    line = pixels[int(rect.center().y()) - reach : int(rect.center().y()) + reach + 1, int(x)]
    painted = np.flatnonzero(coverage(line, colour, LIGHT.paper) > 0.35)
    top = int(rect.center().y()) - reach
    return [(rect.center().y() - (top + at + 0.5)) / (rect.height() / 2) for at in painted]


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_many_columns_are_two_lines_one_of_sines_and_one_of_cosines(qtbot, layout):
    encoding = Sinusoidal(128, layout=layout)
    panel = shown(qtbot, "tokens", Document("Dan loves icecream", encoding=encoding), (900, 420))
    assert boxes(panel) == []
    random, checked = np.random.default_rng(1), 0
    for position, column in zip(random.integers(1, 3, 80), random.integers(0, 128, 80), strict=True):
        info = encoding.column_info(int(column))
        wanted = encoding.values(np.array([position]), np.array([column]))[0, 0]
        found = drawn_heights(panel, int(position), 0, column, 128, LIGHT.part(info.part))
        if abs(wanted) > 0.1 and found:
            assert min(abs(at - wanted) for at in found) < 0.12, (position, column)
            checked += 1
    assert checked > 15
    assert [text for text in texts(panel.view) if text in ("Dan", "loves", "icecream")] == ["Dan", "loves", "icecream"]
    assert "height ±1" in panel.figure.pointing.note()


def test_many_columns_without_pairs_are_bars_in_the_tokens_colour(qtbot):
    encoding = LearnedTable.untrained(8, 128)
    panel = shown(qtbot, "tokens", Document("Dan loves icecream", seq_len=8, encoding=encoding), (900, 420))
    reach, checked = encoding.table.largest, 0
    for token, column in product(range(3), range(0, 128, 5)):
        wanted = encoding.values(np.array([token]), np.array([column]))[0, 0] / reach
        found = drawn_heights(panel, token, 0, column, 128, LIGHT.token(token))
        if abs(wanted) > 0.2:
            tip = max(found) if wanted > 0 else min(found)
            assert tip == pytest.approx(wanted, abs=0.12), (token, column)
            checked += 1
    assert checked > 20


@pytest.mark.parametrize(("size", "count"), [((501, 335), 3), ((280, 243), 2)], ids=["1440x900", "1024x700"])
@pytest.mark.parametrize("d_model", [8, 512])
def test_tokens_with_an_embedding_are_seen_whole(qtbot, size, count, d_model):
    """In panels as large as those of windows of these sizes."""
    document = Document("Dan loves icecream", encoding=Sinusoidal(d_model), embedding=Embedding("simulated"))
    panel = shown(qtbot, "tokens", document, size)
    canvas, layout = item_rect(panel.view, panel.figure.canvas), panel.figure.view().layout
    assert layout.rows == 3
    last_row = layout.row_rect(layout.strip(count - 1), layout.rows - 1)
    assert last_row.bottom() <= canvas.height() + 0.5
    for index in range(count):
        (word,) = [word for word in painted_words(panel.view) if word.text == document.token_list[index].text]
        assert canvas.top() <= word.y <= canvas.bottom()
        assert word.x < canvas.left() + layout.gutter, "the names stand at the left"


def test_one_ruler_stays_at_the_top_while_the_strips_scroll(qtbot):
    panel = shown(qtbot, "tokens", Document(" ".join(f"w{i}" for i in range(300)), encoding=Sinusoidal(4)), (560, 420))
    rulers = []
    for _ in range(3):
        words = painted_words(panel.view)
        rulers.append([(word.text, round(word.x)) for word in words if word.text in "0123" and word.y < 20])
        wheel(panel.view, QPointF(panel.view.width() / 2, 200), -4)
    assert [text for text, _ in rulers[0]] == list("0123")
    assert rulers[0] == rulers[1] == rulers[2]


def test_the_wheel_scrolls_through_a_thousand_tokens(qtbot):
    panel = shown(qtbot, "tokens", Document(" ".join(f"w{i}" for i in range(1000)), encoding=Sinusoidal(4)), (560, 420))
    middle = QPointF(panel.view.width() / 2, panel.view.height() / 2)
    assert notes(panel)[0].startswith("tokens 0–")
    seen = []
    for _ in range(5):
        wheel(panel.view, middle, -3)
        seen.append(int(notes(panel)[0].removeprefix("tokens ").partition("–")[0]))
    assert seen == sorted(set(seen))
    assert f"w{seen[-1] + 2}" in texts(panel.view)
    assert "w0" not in texts(panel.view)
    for _ in range(40):
        wheel(panel.view, middle, -1000)
    assert notes(panel)[0].endswith("–999 of 1,000")
    assert "w999" in texts(panel.view)
    for _ in range(40):
        wheel(panel.view, middle, 1000)
    assert notes(panel)[0].startswith("tokens 0–")


def test_the_mouse_points_at_what_it_sees_also_after_scrolling(qtbot):
    panel = shown(qtbot, "tokens", Document(" ".join(f"w{i}" for i in range(300)), encoding=Sinusoidal(4)), (560, 420))
    moved = []
    panel.cursorMoved.connect(moved.append)
    middle = QPointF(panel.view.width() / 2, panel.view.height() / 2)
    for notches in (-4, -7, 2):
        wheel(panel.view, middle, notches)
        named = [word for word in painted_words(panel.view) if word.text.startswith("w")]
        word = min(named, key=lambda word: abs(word.y - middle.y()))
        hover(panel.view, QPointF(panel.view.width() - 60, word.y))
        assert moved[-1].position == int(word.text[1:])


def test_dragging_scrolls_with_the_hand(qtbot):
    panel = shown(qtbot, "tokens", Document("a " * 300, encoding=Sinusoidal(4)), (560, 420))
    before = panel.figure.viewport.window().y[0]
    start = QPointF(panel.view.width() / 2, panel.view.height() - 20)
    drag(panel.view, start, start - QPointF(0, 200))
    assert panel.figure.viewport.window().y[0] - before == pytest.approx(200, abs=10)


def test_the_arrows_bring_tokens_into_view(qtbot):
    panel = shown(qtbot, "tokens", Document(" ".join(f"w{i}" for i in range(200)), encoding=Sinusoidal(4)), (560, 420))
    for position in (0, 57, 199, 120, 3):
        panel.figure.viewport.show_cell(Cursor(position, 2))
        panel.show_cursor(Cursor(position, 2))
        (word,) = [word for word in painted_words(panel.view) if word.text == f"w{position}"]
        assert 0 < word.y < panel.view.height()


def test_only_the_tokens_in_view_are_computed(qtbot):
    tracemalloc.start()
    document = Document("a " * 100_000, encoding=Sinusoidal(8192), embedding=Embedding("simulated"))
    panel = shown(qtbot, "tokens", document)
    pixels_of(panel.view)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 150 * 2**20
    assert notes(panel)[0].startswith("tokens 0–")


@pytest.mark.parametrize(("d_model", "numbers"), [(1, [0.0, 0.8415]), (3, None), (7, None)])
def test_odd_widths_have_a_box_a_column(qtbot, d_model, numbers):
    panel = shown(qtbot, "tokens", Document("Dan loves", encoding=Sinusoidal(d_model)), (700, 400))
    wanted = numbers or sinusoid(np.arange(2)[:, None], np.arange(d_model), d_model).ravel()
    assert [value(word) for word in boxes(panel)] == pytest.approx(wanted, abs=0.0051)


@pytest.mark.parametrize("pinned", [False, True])
def test_the_frame_in_the_first_and_in_the_last_strip_is_whole(qtbot, pinned):
    panel = shown(qtbot, "tokens", Document("a b c", encoding=Sinusoidal(4)), (560, 260))
    before, heights = pixels_of(panel.view), []
    for position in range(3):
        panel.show_cursor(Cursor(position, 2, pinned=pinned))
        rows = np.nonzero((pixels_of(panel.view) != before).any(axis=(1, 2)))[0]
        heights.append(len(rows))
    assert max(heights) > 20
    assert np.ptp(heights) <= 1, heights  # a row of pixels, where the strips' height is no whole number


def test_the_frame_is_whole_in_a_strip_to_which_the_keys_scrolled(qtbot):
    panel = shown(qtbot, "tokens", Document(" ".join(f"w{i}" for i in range(40)), encoding=Sinusoidal(4)), (560, 300))
    for position in (39, 0):
        panel.show_cursor(Cursor(position, 2, pinned=True))
        panel.figure.viewport.show_cell(Cursor(position, 2))
        view = panel.figure.view()
        strip = view.layout.strip(position).rect
        assert view.offset <= strip.top() - 4, position
        assert view.offset + view.room.height() >= strip.bottom() + 3, position


def test_the_cursors_column_is_framed(qtbot):
    panel = shown(qtbot, "tokens", Document("Dan loves icecream", encoding=Sinusoidal(4)), (560, 420))
    before = pixels_of(panel.view)
    panel.show_cursor(Cursor(1, 2))
    after = pixels_of(panel.view)
    rows, columns = np.nonzero((before != after).any(axis=2))
    box = boxes(panel)[4 * 1 + 2]
    assert columns.min() < box.x < columns.max()
    assert rows.min() < box.y < rows.max()
    assert np.ptp(columns) < 130
    assert np.ptp(rows) < 60
    ink = coverage(after[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1], LIGHT.ink, LIGHT.paper)
    assert (ink.max(axis=0) > 0.9).mean() > 0.8


@pytest.mark.parametrize("d_model", [600, 4000, 16_000, 60_000])
def test_the_numbers_above_a_strip_keep_apart(qtbot, d_model):
    panel = shown(qtbot, "tokens", Document("Dan", encoding=Sinusoidal(d_model)), (520, 300))
    numbers = [word for word in painted_words(panel.view) if re.fullmatch(r"[\d,]+", word.text)]
    assert len(numbers) > 3
    widths = [width_of(word.text, LIGHT, 10) for word in numbers]
    for one, other, width in zip(numbers, numbers[1:], widths, strict=False):
        assert one.x + width + 4 < other.x, (one.text, other.text)


@pytest.mark.parametrize("text_scale", [1.0, 1.5])
@pytest.mark.parametrize("width", [248, 275, 300, 420])
def test_eight_columns_keep_boxes_with_numbers_in_a_narrow_panel(qtbot, width, text_scale):
    panel = shown(qtbot, "tokens", Document(), (width, 420), LIGHT.scaled(text_scale))
    layout, canvas, drawn = (
        panel.figure.view().layout,
        item_rect(panel.view, panel.figure.canvas),
        panel.figure.canvas,
    )
    assert layout.box * text_scale >= 28 - 1e-9
    assert len(boxes(panel)) == 24
    words = {word.text: word for word in painted_words(panel.view)}
    for index, token in enumerate(("Dan", "loves", "icecream")):
        row = drawn.in_pixels(layout.row_rect(layout.strip(index), 0)).translated(canvas.topLeft())
        if layout.above:
            assert words[token].y <= row.top() + 1
        else:
            assert words[token].x < row.left()
    moved = []
    panel.cursorMoved.connect(moved.append)
    cell = drawn.in_pixels(layout.column_rect(layout.row_rect(layout.strip(1), 0), 6)).translated(canvas.topLeft())
    hover(panel.view, cell.center())
    assert (moved[-1].position, moved[-1].column) == (1, 6)
