"""The heatmap's colours: what is painted is what the formula gives, at every zoom and either way round."""

import re
import tracemalloc

import numpy as np
import pytest
from documents import with_values
from msgspec.structs import replace
from panel_bench import shown
from pixels import (
    area_of,
    colour_table,
    expected_colour,
    inside,
    item_rect,
    near,
    painted_words,
    pixels_of,
    settle,
    sinusoid,
    texts,
    wheel,
)
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QToolButton

from posenc_core import Document, Rotary, Sinusoidal
from posenc_core.encodings import ENCODINGS
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.plotting.lettering import width_of
from posenc_gui.plotting.plot_area import Window

SIZE = (640, 480)
MAPS = {"diverging": "CET-D1A", "viridis": "viridis", "cividis": "cividis", "cyclic": "CET-C1"}


def place_of(panel, position, column, part=(0.5, 0.5)):
    """Where a cell is while all of the table is in view; ``part`` is the place within the cell."""
    area, document = area_of(panel), panel.figure.document
    cell, size = (column, position), (document.encoding.n_columns, document.seq_len)
    if document.value("transpose"):
        cell, size = cell[::-1], size[::-1]
    across, down = ((index + within) / count for index, within, count in zip(cell, part, size, strict=True))
    return QPointF(area.left() + across * area.width(), area.top() + down * area.height())


def note_of(panel):
    (note,) = [label.text() for label in panel.findChildren(QLabel) if "mean" in label.text()] or [""]
    return note


@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize(("d_model", "colours"), [(8, "diverging"), (7, "viridis"), (2, "cividis"), (8, "cyclic")])
def test_cells_have_the_colour_of_their_number(qtbot, transpose, d_model, colours):
    document = with_values(Document(seq_len=23, encoding=Sinusoidal(d_model)), color_map=colours, transpose=transpose)
    panel = shown(qtbot, "heatmap", document)
    pixels = pixels_of(panel.view)
    random = np.random.default_rng(d_model)
    for _ in range(10):
        position, column = int(random.integers(23)), int(random.integers(d_model))
        place = place_of(panel, position, column, (0.1, 0.2))
        painted = near(pixels, place.x(), place.y(), 0)[0, 0].astype(int)
        wanted = expected_colour(sinusoid(position, column, d_model), MAPS[colours])
        assert np.abs(painted - wanted).max() <= 2, (position, column)


@pytest.mark.parametrize("transpose", [False, True])
def test_large_cells_show_their_numbers_within_themselves(qtbot, transpose):
    document = with_values(Document(seq_len=6, encoding=Sinusoidal(4)), transpose=transpose)
    panel = shown(qtbot, "heatmap", document)
    key = item_rect(panel.view, panel.figure._key)
    numbers = [
        word for word in painted_words(panel.view) if re.fullmatch(r"−?\d\.\d+", word.text) and word.x < key.left()
    ]
    assert len(numbers) == 6 * 4
    area = area_of(panel)
    for word in numbers:
        across, down = (word.x - area.left()) / area.width(), (word.y - area.top()) / area.height()
        position, column = (int(across * 6), int(down * 4)) if transpose else (int(down * 6), int(across * 4))
        assert word.text.replace("−", "-") == f"{sinusoid(position, column, 4):.3f}"


@pytest.mark.parametrize("transpose", [False, True])
def test_the_wheel_zooms_down_to_the_one_cell_under_the_mouse(qtbot, transpose):
    document = with_values(Document(seq_len=200, encoding=Sinusoidal(64)), transpose=transpose)
    panel = shown(qtbot, "heatmap", document)
    place = place_of(panel, 77, 20)
    for _ in range(40):
        wheel(panel.view, place, 1)
    assert f"{sinusoid(77, 20, 64):.3f}".replace("-", "−") in texts(panel.view)
    window = panel.figure.viewport.window()
    assert [high - low for low, high in (window.x, window.y)] == pytest.approx([1, 1])
    around = near(pixels_of(panel.view), place.x(), place.y() + 20, 3).reshape(-1, 3).astype(int)
    assert np.abs(around - expected_colour(sinusoid(77, 20, 64))).max() <= 2
    for _ in range(60):
        wheel(panel.view, place, -1)
    window = panel.figure.viewport.window()
    whole = [(-0.5, 199.5), (-0.5, 63.5)]
    assert [window.x, window.y] == [pytest.approx(each) for each in (whole if transpose else whole[::-1])]


@pytest.mark.parametrize("transpose", [False, True])
def test_pixels_over_many_cells_have_the_colour_of_their_exact_mean(qtbot, transpose):
    n, d_model = 5000, 900
    document = with_values(Document(seq_len=n, encoding=Sinusoidal(d_model)), transpose=transpose)
    panel = shown(qtbot, "heatmap", document, (480, 420))
    order = np.concatenate([np.arange(0, d_model, 2), np.arange(1, d_model, 2)])  # sines and cosines apart

    def cells(rows, columns):
        return sinusoid(np.arange(n)[rows, None], order[columns], d_model)

    picture = inside(pixels_of(panel.view), area_of(panel)).astype(int)
    if transpose:
        picture = picture.transpose(1, 0, 2)
    rows, columns = picture.shape[:2]
    random = np.random.default_rng(3)
    for row, column in zip(random.integers(2, rows - 2, 60), random.integers(2, columns - 2, 60), strict=True):
        # The area begins between two pixels of the screen: a painted one may be the neighbour of the computed one.
        means = [
            cells(_cells(row + dr, rows, n), _cells(column + dc, columns, d_model)).mean()
            for dr in (-1, 0, 1)
            for dc in (-1, 0, 1)
        ]
        assert min(np.abs(picture[row, column] - expected_colour(mean)).max() for mean in means) <= 6
    assert np.ptp(cells(slice(40), slice(1))) > 1.9
    fast = picture[:, 1 : columns // 80].reshape(-1, 3)
    assert np.abs(fast - expected_colour(0.0)).max() < 60, "the fast end averages out; sampling would show stripes"


def _cells(pixel, pixels, cells):
    return slice(int(np.ceil(pixel * cells / pixels)), int(np.ceil((pixel + 1) * cells / pixels)))


def test_the_note_says_what_a_pixel_stands_for(qtbot):
    panel = shown(qtbot, "heatmap", Document(), (480, 420))
    assert note_of(panel) == ""
    panel.show_document(Document(seq_len=5000, encoding=Sinusoidal(900)))
    area = area_of(panel)
    rows, columns = (float(part.split()[0]) for part in note_of(panel).removeprefix("1 pixel = ").split(" × "))
    assert rows == pytest.approx(5000 / area.height(), rel=0.06)
    assert columns == pytest.approx(900 / area.width(), rel=0.06)
    assert note_of(panel).endswith("columns, mean · sines and cosines apart")
    (label,) = [label for label in panel.findChildren(QLabel) if label.text() == note_of(panel)]
    assert label.isVisible()
    assert label.sizeHint().width() <= label.width()


def test_the_note_never_counts_one_positions(qtbot):
    panel = shown(qtbot, "heatmap", Document(seq_len=1000), (480, 420))
    panel.show_document(Document(seq_len=round(1.02 * area_of(panel).height())))
    assert note_of(panel) == "1 pixel = just over 1 position, mean"


def test_the_first_number_of_a_low_narrow_picture_is_whole(qtbot):
    panel = shown(qtbot, "heatmap", Document(seq_len=64, encoding=Rotary(128)), (250, 180))
    assert [word.text for word in painted_words(panel.view)].count("0") == 2
    numbers = pixels_of(panel.view)[:, : round(area_of(panel).left()) - 6]
    assert (numbers[:12] != numbers[0, 0]).any(), "the number is beside the first row"
    assert (numbers[0] == numbers[0, 0]).all()


def _order(panel, text):
    (button,) = _orders(panel, text)
    return button


def _orders(panel, text):
    buttons = [each for each in panel.findChildren(QToolButton) if each.isVisible()]
    return [each for each in buttons if each.accessibleName() == f"Heatmap: {text}"]


@pytest.mark.parametrize("transpose", [False, True])
def test_sines_and_cosines_that_would_share_pixels_are_drawn_apart(qtbot, transpose):
    document = with_values(Document(seq_len=60, encoding=Sinusoidal(1024)), transpose=transpose)
    panel = shown(qtbot, "heatmap", document)
    picture = inside(pixels_of(panel.view), area_of(panel)).astype(int)
    picture = picture.transpose(1, 0, 2) if transpose else picture
    slow_sines, slow_cosines = picture[4:-4, int(0.45 * picture.shape[1])], picture[4:-4, -8]
    assert np.abs(slow_sines - expected_colour(0.0)).max() < 30
    assert np.abs(slow_cosines - expected_colour(1.0)).max() < 8
    assert _order(panel, "sin | cos").isChecked()
    assert {"sines", "cosines"} <= {word for text in texts(panel.view) for word in text.split()}
    _order(panel, "Interleaved").click()
    settle()
    picture = inside(pixels_of(panel.view), area_of(panel)).astype(int)
    picture = picture.transpose(1, 0, 2) if transpose else picture
    mixed = picture[4:-4, -48:-8].mean(axis=1)
    assert np.abs(mixed - expected_colour(0.5)).max() < 40, "a pixel is the mean of sines and cosines"
    assert "apart" not in note_of(panel)


@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("d_model", [300, 512])
def test_numbers_beside_sines_and_cosines_apart_are_those_of_the_tables_columns(qtbot, transpose, d_model):
    document = with_values(Document(seq_len=60, encoding=Sinusoidal(d_model)), transpose=transpose)
    panel = shown(qtbot, "heatmap", document, (400, 400))
    figure, area = panel.figure, area_of(panel)
    assert figure.view().separates
    beside = item_rect(panel.view, figure._left if transpose else figure._bottom).adjusted(-12, -12, 12, 12)
    found = []
    for word in painted_words(panel.view):
        wide = width_of(word.text, LIGHT, 11)
        if word.text.isdecimal() and beside.contains(QPointF(word.x + wide / 2, word.y)):
            found.append(int(word.text))
            row = (found[-1] % 2) * d_model // 2 + found[-1] // 2  # in the half of sines, or in that of cosines
            at = word.y - 4 - area.top() if transpose else word.x + wide / 2 - area.left()
            length = area.height() if transpose else area.width()
            assert at == pytest.approx((row + 0.5) / d_model * length, abs=2)
    assert {0, 1} < set(found)
    assert {each + 1 for each in found if not each % 2} <= set(found)


def test_numbers_in_a_window_of_sines_and_cosines_apart_count_the_tables_columns(qtbot):
    panel = shown(qtbot, "heatmap", Document(seq_len=60, encoding=Sinusoidal(512)), (400, 400))
    panel.figure.viewport.show_window(replace(panel.figure.viewport.window(), x=(251.5, 259.5)))
    below = item_rect(panel.view, panel.figure._bottom).adjusted(-12, -2, 12, 12)
    numbers = [word.text for word in painted_words(panel.view) if below.contains(QPointF(word.x, word.y))]
    assert numbers == ["504", "508", "1", "5"]


def test_a_table_whose_columns_have_pixels_of_their_own_keeps_its_order_and_has_no_switch(qtbot):
    panel = shown(qtbot, "heatmap", Document(seq_len=60, encoding=Sinusoidal(1024)))
    _order(panel, "Interleaved")
    panel.show_document(Document(seq_len=60, encoding=Sinusoidal(128)))
    settle()
    assert panel.figure.view().ordered == Sinusoidal(128)
    assert not _orders(panel, "Interleaved")
    panel.show_document(Document(seq_len=60, encoding=Sinusoidal(1024, layout="concatenated")))
    settle()
    assert panel.figure.view().ordered.layout == "concatenated"
    assert not _orders(panel, "Interleaved")


def test_a_wider_figure_of_the_same_part_keeps_the_order_of_a_dense_one(qtbot):
    document = Document(seq_len=60, encoding=Sinusoidal(512))
    small, large = (shown(qtbot, "heatmap", document, size) for size in ((480, 420), (1400, 420)))
    assert small.figure.view().separates
    assert not large.figure.view().separates
    small.figure.viewport.show_window(replace(small.figure.viewport.window(), x=(-0.5, 9.5)))
    large.figure.viewport.show_window(small.figure.viewport.window())
    assert large.figure.view().ordered == small.figure.view().ordered != document.encoding


@pytest.mark.parametrize("transpose", [False, True])
def test_the_colour_key_runs_from_one_down_to_minus_one(qtbot, transpose):
    panel = shown(qtbot, "heatmap", with_values(Document(), transpose=transpose))
    key = item_rect(panel.view, panel.figure._key)
    area = area_of(panel)
    assert (key.top(), key.height()) == pytest.approx((area.top(), area.height()))
    words = {word.text: word for word in painted_words(panel.view) if word.x > key.left()}
    assert set(words) == {"1", "0", "−1", "PE (no unit)"}
    for text, edge in (("1", area.top()), ("0", area.center().y()), ("−1", area.bottom())):
        assert words[text].y - 4 == pytest.approx(edge, abs=2), "the numbers of the ends stand at the ends"
    bar = pixels_of(panel.view)[:, round(key.left()) + 16]
    column = bar[round(key.top()) + 2 : round(key.bottom()) - 2].astype(int)
    wanted = expected_colour(np.linspace(1, -1, len(column)))
    assert np.abs(column - wanted).max() <= 12


@pytest.mark.parametrize("transpose", [False, True])
def test_no_cell_is_painted_outside_the_plot_area(qtbot, transpose):
    document = with_values(Document(seq_len=50, encoding=Sinusoidal(12)), transpose=transpose)
    panel = shown(qtbot, "heatmap", document)
    place = place_of(panel, 20, 5, (0.3, 0.7))
    for _ in range(5):
        wheel(panel.view, place, 1)
    pixels, area = pixels_of(panel.view), area_of(panel)
    strong = np.r_[colour_table("CET-D1A")[:70], colour_table("CET-D1A")[186:]].astype(int)
    outside = np.ones(pixels.shape[:2], bool)
    outside[int(area.top()) : int(np.ceil(area.bottom())) + 1, int(area.left()) : int(np.ceil(area.right())) + 1] = (
        False
    )
    outside[:, int(item_rect(panel.view, panel.figure._key).left()) :] = False
    for pixel in np.unique(pixels[outside], axis=0).astype(int):
        assert np.abs(strong - pixel).max(axis=1).min() > 2, pixel
    assert (inside(pixels, area) == 255).all(axis=2).mean() < 0.02


@pytest.mark.parametrize("size", [(1_000_000, 8192), (10_000_000, 1), (1, 8192), (1, 1), (3, 5)])
def test_a_table_of_any_size_is_shown_without_being_computed_whole(qtbot, size):
    n, d_model = size
    tracemalloc.start()
    panel = shown(qtbot, "heatmap", Document(seq_len=n, encoding=Sinusoidal(d_model)))
    pixels = pixels_of(panel.view)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100 * 2**20
    area = area_of(panel)
    last = place_of(panel, n - 1, d_model - 1, (0.3, 0.3))
    if n < area.height() and d_model < area.width():
        painted = near(pixels, last.x(), last.y(), 0)[0, 0].astype(int)
        assert np.abs(painted - expected_colour(sinusoid(n - 1, d_model - 1, d_model))).max() <= 2
    else:
        assert (inside(pixels, area) == 255).all(axis=2).mean() < 0.02
    averaged = note_of(panel).split(" · ")[0]
    assert averaged.count("position") == (n > area.height())
    assert averaged.count("column") == (d_model > area.width())


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_both_ends_of_the_columns_say_which_is_fast(qtbot, layout):
    panel = shown(qtbot, "heatmap", Document(encoding=Sinusoidal(8, layout=layout)), (800, 480))
    ends = [
        word for word in sorted(painted_words(panel.view), key=lambda word: word.x) if word.text[:4] in ("fast", "slow")
    ]
    assert [word.text[:4] for word in ends] == ["fast", "slow"] * (2 if layout == "concatenated" else 1)
    fast = place_of(panel, 0, 0)
    assert abs(ends[0].x - fast.x()) < 60


def marked_along(panel, style):
    """Where along the axis of the columns there is a bar, a flag a pixel."""
    figure, pixels = panel.figure, pixels_of(panel.view)
    if figure.document.value("transpose"):
        axis = item_rect(panel.view, figure._left)
        edge = pixels[int(axis.top()) : int(axis.bottom()), int(axis.right()) - 2]
    else:
        axis = item_rect(panel.view, figure._bottom)
        edge = pixels[int(axis.top()) + 1, int(axis.left()) : int(axis.right())]
    return (np.abs(edge.astype(int) - QColor(style.muted).getRgb()[:3]) <= 2).all(axis=1)


@pytest.mark.parametrize("angles", [False, True])
@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_a_bar_along_the_axis_tells_which_columns_are_too_fast(qtbot, transpose, angles, style):
    document = with_values(Document("", seq_len=9_000, encoding=Rotary(32)), transpose=transpose, angles=angles)
    panel = shown(qtbot, "heatmap", document, SIZE, style)
    figure = panel.figure
    step = figure.view().grid.cells_a_pixel[0]
    wavelengths = 2 * np.pi * 10000 ** (np.arange(16) / 16)
    n_fast = int((wavelengths < 2 * step).sum())
    assert 0 < n_fast < 12
    halves = [0] if angles else [0, 16]
    is_marked = marked_along(panel, style)
    n = 16 if angles else 32
    middles = is_marked[((np.arange(n) + 0.5) / n * len(is_marked)).astype(int)]
    assert np.flatnonzero(middles).tolist() == [half + pair for half in halves for pair in range(n_fast)]
    few, slow = (-0.5, 99.5), (12.5, 15.5)
    for columns, positions in ((slow, (-0.5, 8_999.5)), ((-0.5, n - 0.5), few)):
        figure.viewport.show_window(Window(positions, columns) if transpose else Window(columns, positions))
        settle()
        assert marked_along(panel, style).mean() < 0.1, "neither those that are out of view, nor any at a finer scale"


def edges(panel):
    """The words below the columns, from left to right."""
    label = item_rect(panel.view, panel.figure._bottom_label)
    found = sorted((word for word in painted_words(panel.view) if word.y > label.top() + 4), key=lambda word: word.x)
    return " ".join(word.text for word in found)


def test_the_edges_of_what_is_shown_have_their_wavelengths_and_speeds_only_at_the_ends_of_the_table(qtbot):
    panel = shown(qtbot, "heatmap", Document(encoding=Sinusoidal(64)), (800, 480))
    assert edges(panel) == "fast, λ 6.3 column slow, λ 47,117.2"
    panel.figure.viewport.show_window(Window((9.5, 30.5), (-0.5, 59.5)))
    first, last = (2 * np.pi * 10000 ** (pair / 32) for pair in (5, 15))
    assert edges(panel) == f"λ {first:,.1f} column λ {last:,.1f}"
    panel.figure.viewport.show_window(Window((9.5, 63.5), (-0.5, 59.5)))
    assert edges(panel) == f"λ {first:,.1f} column slow, λ 47,117.2"


@pytest.mark.parametrize("family", list(ENCODINGS))
@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_in_a_small_window_most_of_the_card_is_the_picture(qtbot, family, style):
    """In a card as large as that of a window of 1024 x 700, with 6 pixels between the axis and the colour bar.

    A label of simulated numbers may take a line.
    """
    document = Document().edited("family", family)
    panel = shown(qtbot, "heatmap", document, (248, 243), style)
    area, share = area_of(panel), 0.5 if document.encoding.depends_on_query else 0.58
    assert area.width() * area.height() >= share * panel.width() * panel.height()


@pytest.mark.parametrize("text_scale", [1.0, 1.5, 2.0])
def test_numbers_of_the_axes_are_whole_at_every_size_of_text(qtbot, text_scale):
    panel = shown(qtbot, "heatmap", Document(seq_len=60), (260, 280), LIGHT.scaled(text_scale))
    rect = item_rect(panel.view, panel.figure.area)
    numbers = [word for word in painted_words(panel.view) if word.text in {"0", "10", "20", "40", "50"}]
    beside = [word for word in numbers if word.x < rect.left()]
    assert len(beside) >= 2
    for word in beside:
        wide = width_of(word.text, LIGHT.scaled(text_scale), 11)
        assert word.x >= 0
        assert word.x + wide <= rect.left() + 1
    title = min(word.y for word in painted_words(panel.view) if word.text.startswith("PE"))
    assert max(word.y for word in numbers if word.y > rect.bottom()) < title
