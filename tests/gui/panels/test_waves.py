"""The waves: a curve passes through its values, bands cover what is too fast, tokens are marked at their positions."""

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from amounts import some
from panel_bench import shown
from pixels import (
    CTRL,
    SHIFT,
    area_of,
    coverage,
    inside,
    item_rect,
    near,
    painted_words,
    pixels_of,
    rgb,
    settle,
    sinusoid,
    texts,
    wheel,
)
from PySide6.QtWidgets import QLabel

from posenc_core import Document, IntegerIndex, Sinusoidal
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.files.presets import preset
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor

AMPLITUDE = 0.4
PART = {0: LIGHT.sine, 1: LIGHT.cosine}


def y_of(area, row, rows):
    """The pixel of a height counted in rows from the middle of column 0; all rows are in view."""
    return area.bottom() - (row + 0.5) / rows * area.height()


def x_of(area, position, n):
    return area.left() + (position + 0.5) / n * area.width()


def labels(panel):
    return [word for word in painted_words(panel.view) if word.text.startswith("col ")]


def notes(panel):
    return [label.text() for label in panel.findChildren(QLabel) if label.text().startswith("columns ")]


@pytest.mark.parametrize("d_model", [8, 7, 2])
def test_the_curve_of_a_column_passes_through_its_values(qtbot, d_model):
    n = 40
    panel = shown(qtbot, "waves", Document("", seq_len=n, encoding=Sinusoidal(d_model)), (760, 520))
    pixels, area = pixels_of(panel.view), area_of(panel)
    random = np.random.default_rng(d_model)
    for position, column in zip(random.integers(1, n - 1, 25), random.integers(0, d_model, 25), strict=True):
        value, colour = sinusoid(position, column, d_model), PART[column % 2]
        x = x_of(area, position, n)
        place = near(pixels, x, y_of(area, column + AMPLITUDE * value, d_model))
        assert coverage(place, colour, LIGHT.paper).max() > 0.5, (position, column)
        if abs(value) > 0.3:
            mirrored = near(pixels, x, y_of(area, column - AMPLITUDE * value, d_model))
            assert coverage(mirrored, colour, LIGHT.paper).max() < 0.2, (position, column)


def test_rows_do_not_run_into_each_other(qtbot):
    panel = shown(qtbot, "waves", Document("", encoding=Sinusoidal(6)), (760, 520))
    pixels, area = pixels_of(panel.view), area_of(panel)
    for row in range(5):
        between = pixels[round(y_of(area, row + 0.5, 6)), round(area.left()) : round(area.right())]
        assert (between == rgb(LIGHT.paper)).all()


def test_curves_begin_at_the_first_position_and_end_at_the_last(qtbot):
    n = 12
    panel = shown(qtbot, "waves", Document("", seq_len=n, encoding=Sinusoidal(4)), (760, 520))
    pixels, area = pixels_of(panel.view), area_of(panel)
    share = coverage(inside(pixels, area), LIGHT.cosine, LIGHT.paper)
    painted = np.flatnonzero((share > 0.5).any(axis=0)) + np.ceil(area.left())
    assert painted[0] == pytest.approx(x_of(area, 0, n), abs=3)  # with the dot there
    assert painted[-1] == pytest.approx(x_of(area, n - 1, n), abs=3)


@pytest.mark.parametrize(
    ("n", "least", "most", "n_bands"), [(1500, 0.4, 0.5, 2), (20_000, 0.06, 0.2, 2), (1_000_000, 0.06, 0.2, 4)]
)
def test_a_wave_too_fast_for_the_pixels_is_a_band_that_fades_from_one_pixel_a_wave_on(qtbot, n, least, most, n_bands):
    panel = shown(qtbot, "waves", Document("", seq_len=n, encoding=Sinusoidal(4)), (760, 420))
    pixels, area = pixels_of(panel.view), area_of(panel)
    left, right = round(area.left()) + 8, round(area.right()) - 8
    for column in (0, 1):
        top, bottom = y_of(area, column + AMPLITUDE, 4), y_of(area, column - AMPLITUDE, 4)
        band = pixels[int(np.ceil(top)) + 1 : int(bottom) - 1, left:right]
        zero = round(y_of(area, column, 4)) - int(np.ceil(top)) - 1  # a hairline there shows through
        band = np.delete(band, [zero - 1, zero, zero + 1], axis=0)
        share = coverage(band, PART[column], LIGHT.paper)
        assert (share > least).all()
        assert (share < most).all()
        for outside in (pixels[int(top) - 3, left:right], pixels[int(np.ceil(bottom)) + 3, left:right]):
            assert coverage(outside, PART[column], LIGHT.paper).max() < 0.2
    fast, slow = texts(panel.view), [text for text in texts(panel.view) if "band" in text]
    assert len(slow) == n_bands
    assert "sin" in fast


def test_labels_name_column_pair_part_and_wavelength(qtbot):
    panel = shown(qtbot, "waves", Document(encoding=Sinusoidal(4)), (760, 420))
    area = area_of(panel)
    names = labels(panel)
    assert sorted(word.text for word in names) == [
        "col 0 · pair 0 ·",
        "col 1 · pair 0 ·",
        "col 2 · pair 1 ·",
        "col 3 · pair 1 ·",
    ]
    lengths = sorted(text for text in texts(panel.view) if text.startswith("· λ"))
    assert lengths == ["· λ 6.3", "· λ 6.3", "· λ 628.3", "· λ 628.3"]
    for word in names:
        assert word.y == pytest.approx(y_of(area, int(word.text[4]), 4) + 4, abs=2)
        assert 0 <= word.x < area.left()


def test_a_token_is_a_line_at_its_position_with_a_dot_on_every_wave(qtbot):
    n, d_model = 12, 4
    panel = shown(qtbot, "waves", Document("Dan loves icecream", seq_len=n, encoding=Sinusoidal(d_model)), (760, 520))
    pixels, area = pixels_of(panel.view), area_of(panel)
    for position in range(3):
        colour, x = LIGHT.token(position), x_of(area, position, n)
        column_of_pixels = pixels[int(area.top()) + 1 : int(area.bottom()) - 1, round(x) - 2 : round(x) + 3]
        assert (coverage(column_of_pixels, colour, LIGHT.paper).max(axis=1) > 0.25).mean() > 0.75
        for column in range(d_model):
            y = y_of(area, column + AMPLITUDE * sinusoid(position, column, d_model), d_model)
            assert (near(pixels, x, y, 1) == rgb(colour)).all(axis=2).any()
    nothing = round(x_of(area, 5.5, n))
    for token in range(3):
        column_of_pixels = inside(pixels, area)[:, nothing - int(area.left())]
        assert coverage(column_of_pixels, LIGHT.token(token), LIGHT.paper).max() < 0.3


def test_words_stand_above_in_the_order_of_the_sentence(qtbot):
    panel = shown(qtbot, "waves", Document("Dan loves icecream"), (760, 420))
    area = area_of(panel)
    words = [word for word in painted_words(panel.view) if word.text in ("Dan", "loves", "icecream")]
    assert [word.text for word in sorted(words, key=lambda word: word.x)] == ["Dan", "loves", "icecream"]
    assert all(0 <= word.y < area.top() and word.x >= area.left() - 2 for word in words)


def test_the_cursor_is_a_larger_dot_on_its_wave(qtbot):
    n = 20
    panel = shown(qtbot, "waves", Document("", seq_len=n, encoding=Sinusoidal(4)), (760, 520))
    before = pixels_of(panel.view)
    panel.show_cursor(Cursor(7, 1))
    after, area = pixels_of(panel.view), area_of(panel)
    x, y = x_of(area, 7, n), y_of(area, 1 + AMPLITUDE * sinusoid(7, 1, 4), 4)
    assert (near(after, x, y, 2) == rgb(LIGHT.accent)).all()
    assert not (near(before, x, y, 2) == rgb(LIGHT.accent)).all(axis=2).any()
    panel.show_cursor(None)
    assert (pixels_of(panel.view) == before).all()


def test_the_wheel_scrolls_through_the_columns(qtbot):
    panel = shown(qtbot, "waves", Document(encoding=Sinusoidal(128)), (760, 420))
    panel.figure.viewport.choose("columns", 0)
    settle()
    rows = len(labels(panel))
    assert 8 < rows < 25
    assert notes(panel) == [f"columns 0–{rows - 1} of 128"]
    across = panel.figure.viewport.window().x
    wheel(panel.view, area_of(panel).center(), 1)
    (note,) = notes(panel)
    first = int(note.removeprefix("columns ").partition("–")[0])
    assert first > 0
    assert f"col {first} · pair {first // 2} ·" in texts(panel.view)
    assert "col 0 · pair 0 ·" not in texts(panel.view)
    assert panel.figure.viewport.window().x == across
    for _ in range(10):
        wheel(panel.view, area_of(panel).center(), 10)
    assert notes(panel) == [f"columns {128 - rows}–127 of 128"]
    for _ in range(10):
        wheel(panel.view, area_of(panel).center(), -10)
    assert notes(panel) == [f"columns 0–{rows - 1} of 128"]


def test_shift_and_the_wheel_show_more_or_fewer_columns(qtbot):
    panel = shown(qtbot, "waves", Document(encoding=Sinusoidal(128)), (760, 420))
    panel.figure.viewport.choose("columns", 0)
    settle()
    seen = [np.diff(panel.figure.viewport.window().y)[0]]
    for _ in range(30):
        wheel(panel.view, area_of(panel).center(), 1, SHIFT)
        seen.append(np.diff(panel.figure.viewport.window().y)[0])
    assert all(after < before for before, after in pairwise(seen) if before > 1)
    assert seen[-1] == pytest.approx(1)
    assert len(labels(panel)) == 1
    for _ in range(60):
        wheel(panel.view, area_of(panel).center(), -1, SHIFT)
    assert np.diff(panel.figure.viewport.window().y)[0] == pytest.approx(128)
    assert notes(panel) == []
    assert panel.figure.viewport.window().x == pytest.approx((-0.5, 59.5))


def test_ctrl_and_the_wheel_zoom_the_positions_alone(qtbot):
    panel = shown(qtbot, "waves", Document(seq_len=1000, encoding=Sinusoidal(16)), (760, 420))
    rows = panel.figure.viewport.window().y
    wheel(panel.view, area_of(panel).center(), 2, CTRL)
    low, high = panel.figure.viewport.window().x
    assert high - low == pytest.approx(1000 * 0.8**2)
    assert panel.figure.viewport.window().y == rows


def test_nothing_is_painted_beside_the_plot_area(qtbot):
    panel = shown(qtbot, "waves", Document(encoding=Sinusoidal(32), seq_len=500), (760, 420))
    for _ in range(6):
        wheel(panel.view, area_of(panel).center(), 1, CTRL)
    wheel(panel.view, area_of(panel).center(), 0.4)
    pixels, area = pixels_of(panel.view), area_of(panel)
    left, below = int(area.left()), int(np.ceil(area.bottom())) + 1
    beside = [pixels[:, int(np.ceil(area.right())) + 1 :], pixels[: int(area.top()), left:]]
    beside += [pixels[below:, left:], pixels[:, left - 8 : left - 1]]
    for part in beside:
        assert part.size
        for colour in (LIGHT.sine, LIGHT.cosine):
            assert coverage(part, colour, LIGHT.paper).max() < 0.5
    assert coverage(inside(pixels, area), LIGHT.sine, LIGHT.paper).max() > 0.9


SIZES = ((1_000_000, 8192), (10_000_000, 1), (1, 8192), (1, 1), (2, 3))


@pytest.mark.one_of(2)
@pytest.mark.parametrize(("n", "d_model"), some(SIZES, (1_000_000, 8192), (1, 1)))
def test_a_table_of_any_size_is_shown_without_being_computed_whole(qtbot, n, d_model):
    tracemalloc.start()
    panel = shown(qtbot, "waves", Document("Dan", seq_len=n, encoding=Sinusoidal(d_model)))
    for _ in range(8):
        wheel(panel.view, area_of(panel).center(), -10, SHIFT)
    pixels = inside(pixels_of(panel.view), area_of(panel))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100 * 2**20
    tint = 0.08  # a band of waves much narrower than a pixel
    assert coverage(pixels, LIGHT.sine, LIGHT.paper).max() > tint
    assert (coverage(pixels, LIGHT.cosine, LIGHT.paper).max() > tint) == (d_model > 1)


def test_the_same_picture_comes_out_in_the_dark(qtbot):
    document = Document("", seq_len=40, encoding=Sinusoidal(4))
    light = pixels_of(shown(qtbot, "waves", document, (760, 420)).view)
    dark = pixels_of(shown(qtbot, "waves", document, (760, 420), DARK).view)
    for colour in ("sine", "cosine"):
        inks = [
            coverage(picture, getattr(style, colour), style.paper) > 0.9
            for picture, style in ((light, LIGHT), (dark, DARK))
        ]
        assert inks[0].sum() > 300
        assert (inks[0] & inks[1]).sum() > 0.9 * inks[0].sum()


@pytest.mark.parametrize(("n", "are_marked"), [(40, True), (400, False)])
def test_whole_positions_have_a_dot_where_there_are_eight_pixels_between_two(qtbot, n, are_marked):
    d_model = 6
    panel = shown(qtbot, "waves", Document("Dan", seq_len=n, encoding=Sinusoidal(d_model)), (760, 520))
    pixels, area = pixels_of(panel.view), area_of(panel)
    thick = []
    for position in range(1, n - 1, max(1, n // 40)):
        for column in range(4, d_model):  # flat curves, whose thickness tells
            y = y_of(area, column + AMPLITUDE * sinusoid(position, column, d_model), d_model)
            x = int(x_of(area, position, n))
            inked = coverage(pixels[int(y) - 5 : int(y) + 6, x - 5 : x + 6], PART[column % 2], LIGHT.paper).sum(axis=0)
            thick.append(inked[4:7].max() > inked[:2].min() + 1)
    assert np.mean(thick) > 0.9 if are_marked else np.mean(thick) < 0.1


def test_a_file_holds_the_dots_of_whole_positions_as_shapes(qapp):
    document = Document("Dan", seq_len=13, encoding=Sinusoidal(8))
    content = picture_bytes(Picture("waves", document), "svg", PictureOptions(size=(640, 420)))
    assert content.count(b"<circle") + content.count(b"<ellipse") == 13 * 8


def test_rows_are_scaled_to_the_sentence_while_it_fills_the_panel(qtbot):
    panel = shown(qtbot, "waves", Document(seq_len=60, encoding=IntegerIndex(2)), (760, 420))
    right = area_of(panel).right()

    def numbers():
        return {word.text for word in painted_words(panel.view) if word.x > right}

    assert "59" in numbers()
    panel.figure.viewport.choose("positions", "sentence")
    assert "12" in numbers()
    wheel(panel.view, area_of(panel).center(), 1, CTRL)
    assert "59" in numbers()


@pytest.mark.parametrize("held", [0, 7, 29])
def test_words_of_a_long_sentence_stand_near_their_tokens_and_the_held_one_stays(qtbot, held):
    words = [f"word{chr(97 + index % 26)}{index}" for index in range(30)]
    panel = shown(qtbot, "waves", Document(" ".join(words), seq_len=120), (900, 360))
    panel.show_cursor(Cursor(held, 0, pinned=True))
    painted = {word.text: word for word in painted_words(panel.view) if word.text in words}
    assert words[held] in painted
    assert 4 < len(painted) < 30
    area = panel.figure.area
    left = item_rect(panel.view, area).left()
    for text, word in painted.items():
        assert abs(word.x - left - area.to_x(words.index(text))) <= 40, text
    (others,) = [word.text for word in painted_words(panel.view) if word.text.startswith("+")]
    assert int(others) == 30 - len(painted)


@pytest.mark.parametrize("name", ["qwen2-vl", "flux-1", "xpos", "fope"])
def test_labels_of_bands_do_not_cover_the_scroller(qtbot, name):
    document = preset(name).edited("seq_len", 2000) if "-" not in name else preset(name)
    panel = shown(qtbot, "waves", document, (760, 300))
    scroller = item_rect(panel.view, panel.figure._scroller)
    assert min(label.x for label in labels(panel)) > scroller.right()


def test_a_row_whose_least_number_is_almost_zero_begins_at_zero(qtbot):
    panel = shown(qtbot, "waves", preset("formula-gaussian-bumps"), (760, 420))
    assert panel.figure.pointing.note() == "each row from 0 to 1"
    assert not [text for text in texts(panel.view) if "e−" in text]
