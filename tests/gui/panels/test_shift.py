"""SHIFT: the cells of M_k, its blocks, errors on a logarithmic axis, the map without cosines, and learned tables."""

import numpy as np
import pytest
from documents import with_values
from panel_bench import shown
from pixels import click, item_rect, painted_words, pixels_of, rgb, settle
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from rendered import colours_of
from window_bench import control, says, type_number
from work import work_of

from posenc_core import (
    Alibi,
    BinaryCode,
    Document,
    IntegerIndex,
    LearnedTable,
    NoPosition,
    Rotary,
    Sinusoidal,
    T5Bias,
    Yarn,
)
from posenc_core.analysis import explain_shift_block, shift_blocks
from posenc_core.session import NamedEncoding
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.figures.lines.line_plot import encoding_look
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import drawn_numbers, suitable_panels
from posenc_gui.panels.shift.plots import plots
from posenc_gui.plotting.plot_area import Window

pytestmark = pytest.mark.one_window

MAPS = {"light": "CET-D1A", "dark": "CET-D4"}
TABLE = np.random.default_rng(5).normal(size=(30, 4))


@pytest.fixture
def relations(window):
    window.workspaces.choose("relations")
    settle()
    return window


def colour_at(panel, row, column):
    """The colour of a cell, beside its number and its frame."""
    rect, area = item_rect(panel.view, panel.figure.matrix), panel.figure.matrix
    x, y = rect.left() + area.to_x(column + 0.0), rect.top() + area.to_y(row + 0.33)
    return pixels_of(panel.view)[int(y), int(x), :3].astype(int)


def by_hand(k, d_model=8, base=10000.0):
    """M_k of interleaved sinusoids, block by block."""
    matrix = np.zeros((d_model, d_model))
    for pair in range(d_model // 2):
        angle = k / base ** (2 * pair / d_model)
        block = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
        matrix[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = block
    return matrix


@pytest.mark.parametrize("style", [LIGHT, DARK])
@pytest.mark.parametrize("k", [1, -3, 250])
def test_cells_have_the_colours_of_the_blocks(qtbot, k, style):
    document = with_values(Document(encoding=Sinusoidal(8)), shift_k=k)
    panel = shown(qtbot, "shift", document, (620, 760), style)
    matrix = by_hand(k)
    for row, column in ((0, 0), (0, 1), (1, 0), (3, 2), (5, 5), (0, 6)):
        expected = colours_of(np.array([[matrix[row, column]]]), MAPS[style.name])[0, 0, :3]
        assert np.abs(colour_at(panel, row, column) - expected).max() <= 2


def test_blocks_are_framed_and_the_cursors_in_the_accent(qtbot):
    panel = shown(qtbot, "shift", Document(encoding=Sinusoidal(8)), (620, 760))
    panel.show_cursor(Cursor(1, 4, True))
    settle()
    pixels, rect, area = pixels_of(panel.view), item_rect(panel.view, panel.figure.matrix), panel.figure.matrix

    def has(colour, row, column):
        x, y = round(rect.left() + area.to_x(column)), round(rect.top() + area.to_y(row))
        near = pixels[y - 2 : y + 3, x - 2 : x + 3, :3].reshape(-1, 3).astype(int)
        return bool((np.abs(near - rgb(colour)).max(axis=1) < 60).any())

    assert has(LIGHT.ink, 1.5, 0.8)
    assert has(LIGHT.accent, 3.5, 4.8)
    assert not has(LIGHT.ink, 3.5, 0.3)


def test_the_errors_of_the_matrix_are_rounding(relations):
    numbers = drawn_numbers("shift", relations.store.document)
    assert numbers["position p"].tolist() == list(range(50))
    assert numbers["largest error: Sinusoidal"].max() < 1e-14
    assert says(relations, "M for k = 1: largest error ")


def test_k_is_dragged_and_typed_in_both_directions(relations):
    slider = control(relations, "k slider")
    slider.setFocus(Qt.FocusReason.MouseFocusReason)
    for _ in range(3):
        QTest.keyClick(slider, Qt.Key.Key_Left)
    settle()
    assert relations.store.document.value("shift_k") == -2
    relations.store.undo()
    assert relations.store.document.value("shift_k") == -1
    type_number(relations, "k", "500")
    assert relations.store.document.value("shift_k") == 500
    assert slider.value() == slider.maximum()
    assert says(relations, "M for k = 500: ")


def test_without_cosines_the_best_map_fails_and_says_how_it_was_found(relations):
    relations.store.edit("d_model", 4)
    QTest.mouseClick(control(relations, "without cosines"), Qt.MouseButton.LeftButton)
    settle()
    assert relations.store.document.value("shift_without_cosines")
    assert says(relations, "without cosines: best map by least squares over 50 rows, largest error 0.87")
    errors = drawn_numbers("shift", relations.store.document)["largest error: without cosines"]
    sines = Sinusoidal(4).values(np.arange(51), np.array([0, 2]))
    found = np.linalg.lstsq(sines[:-1], sines[1:], rcond=None)[0]
    assert errors == pytest.approx(np.abs(sines[:-1] @ found - sines[1:]).max(axis=1))


def test_a_learned_table_has_the_best_map_and_an_honest_error(qtbot):
    panel = shown(qtbot, "shift", Document(seq_len=30, encoding=LearnedTable(TABLE)), (620, 760))
    before, after = TABLE[:-1], TABLE[1:]
    found = np.linalg.lstsq(before, after, rcond=None)[0]
    errors = np.abs(before @ found - after).max(axis=1)
    line = panel.figure.view().plots[0].lines[0]
    assert line.y == pytest.approx(errors, abs=1e-5)
    half = np.linalg.lstsq(before[::2], after[::2], rcond=None)[0]
    held_out = np.abs(before[1::2] @ half - after[1::2]).max()
    assert panel.figure.view().plots[0].rules[0].value == pytest.approx(held_out, abs=1e-5)
    assert (
        f"over 29 rows, largest error {errors.max():.2g}, {held_out:.2g} at rows held out"
        in panel.figure.pointing.note()
    )
    assert any(painted.text.startswith("held out ") for painted in painted_words(panel.view))


def test_few_rows_of_any_numbers_have_a_map_and_the_note_says_so(qtbot):
    wide = np.random.default_rng(1).normal(size=(20, 32))
    panel = shown(qtbot, "shift", Document(seq_len=20, encoding=LearnedTable(wide)), (620, 760))
    assert "so few rows of any numbers have such a map" in panel.figure.pointing.note()


def test_a_shift_beyond_the_table_is_one_sentence_and_the_last_picture_stays(qtbot):
    panel = shown(qtbot, "shift", Document(seq_len=30, encoding=LearnedTable(TABLE)), (620, 760))
    before = pixels_of(panel.view)
    panel.show_document(with_values(Document(seq_len=30, encoding=LearnedTable(TABLE)), shift_k=30))
    settle()
    assert "k = 30 leaves no two rows of this table" in panel.figure.pointing.note()
    rect = item_rect(panel.view, panel.figure.matrix).toRect()
    after = pixels_of(panel.view)
    if before.shape == after.shape:
        inside = np.s_[rect.top() + 2 : rect.bottom() - 2, rect.left() + 2 : rect.right() - 2]
        assert np.array_equal(before[inside], after[inside])


@pytest.mark.parametrize("width", [240, 300, 700])
def test_words_beside_a_level_line_keep_clear_of_the_cursors_line_or_are_left_out(qtbot, width):
    document = with_values(Document(seq_len=60, encoding=Sinusoidal(4, base=100.0)), shift_without_cosines=True)
    panel = shown(qtbot, "shift", document, (width, 640))
    for position in (0, 5, 30, 55):
        panel.show_cursor(Cursor(position, 2))
        settle()
        area = panel.figure.area
        words = [word for word in painted_words(panel.view) if word.text.startswith("held out")]
        assert words or width < 700
        rect = item_rect(panel.view, area)
        at = rect.left() + area.to_x(float(position))
        for word in words:
            wide = QFontMetricsF(LIGHT.font(round(word.size))).horizontalAdvance(word.text)
            assert not word.x - 1 <= at <= word.x + wide + 1


def test_a_click_on_a_block_moves_the_cursor_to_its_pair(relations):
    panel = relations.panels["shift"]
    rect, area = item_rect(panel.view, panel.figure.matrix), panel.figure.matrix
    click(panel.view, QPointF(rect.left() + area.to_x(6.0), rect.top() + area.to_y(6.0)))
    settle()
    assert relations.cursor_control.cursor.column == 6
    angle = 10000.0**-0.75
    words = f"pair 3 turns by w\u00a0·\u00a0k = {angle:.4g} rad: cos {np.cos(angle):.4g}, sin {np.sin(angle):.4g}"
    assert says(relations, words)


@pytest.mark.parametrize("encoding", [Sinusoidal(8), Rotary(8, scaling=Yarn(4.0, 64)), Rotary(8, direction=-1)])
def test_a_block_is_derived_step_by_step(encoding):
    for k in (0, 1, -7):
        block = shift_blocks(encoding, k)[2]
        angle, sine, cosine = explain_shift_block(encoding, k, 2).steps
        assert [sine.value, cosine.value] == pytest.approx([block[0, 1], block[0, 0]])
        assert np.sin(angle.value) == pytest.approx(sine.value)
    with pytest.raises(IndexError, match=r"pair 4 is outside 0\.\.3"):
        explain_shift_block(encoding, 1, 4)


def test_other_encodings_are_lines_beside_the_chosen_one():
    both = [NamedEncoding(Sinusoidal(8)), NamedEncoding(Rotary(16)), NamedEncoding(LearnedTable(TABLE))]
    lines = plots(Document().with_encodings(both, 0))[0].lines
    assert [line.look for line in lines] == [encoding_look(0, True), encoding_look(1)]


@pytest.mark.parametrize(
    "encoding",
    [IntegerIndex(4), BinaryCode(6), NoPosition(), Alibi(4), T5Bias(32, 128, True, 4), Sinusoidal(7), Sinusoidal(2048)],
)
def test_every_family_is_drawn(qtbot, encoding):
    panel = shown(qtbot, "shift", Document(encoding=encoding), (560, 640))
    assert not panel.figure.problem
    assert np.ptp(pixels_of(panel.view)) > 100


def test_a_matrix_too_wide_is_one_sentence_and_a_button_shows_a_narrower_one(relations):
    relations.store.edit("d_model", 4096)
    settle()
    panel = relations.panels["shift"]
    assert "shift" not in suitable_panels(relations.store.document)
    assert says(relations, "Shift computes matrices of at most 2,048 columns: this table has 4,096.")
    (button,) = [each for each in panel.findChildren(QPushButton) if each.text() == "Show sinusoids of 2,048 columns"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    assert relations.store.document.encoding == Sinusoidal(2048)
    assert panel.view.isVisible()
    wide = relations.store.document.edited("d_model", 4096).edited("shift_without_cosines", True)
    assert panel.spec.missing(wide) is None


def test_a_low_panel_shows_the_matrix_alone(qtbot):
    low = shown(qtbot, "shift", Document(), (420, 300))
    assert not low.figure.area.isVisible()
    assert item_rect(low.view, low.figure.matrix).height() > 100
    low.resize(420, 700)
    settle()
    assert low.figure.area.isVisible()


@pytest.mark.parametrize("format", ["png", "svg", "pdf"])
def test_every_format_is_written(format):
    assert len(picture_bytes(Picture("shift", Document()), format, PictureOptions())) > 2000


def test_a_cell_of_the_last_good_picture_that_is_no_column_now_is_not_pointed_at(relations):
    panel, area = relations.panels["shift"], relations.panels["shift"].figure.matrix
    relations.store.edit("d_model", 16)
    settle()
    rect = item_rect(panel.view, area)
    place = QPointF(rect.left() + area.to_x(14.0), rect.top() + area.to_y(14.0))
    shift = panel.figure._shift
    relations.store.edit("d_model", 4)
    panel.figure._shift = shift  # as where the new document has a problem
    before = relations.cursor_control.cursor
    assert panel.figure.pointing.pointed(14.0, 14.0, True) is None
    click(panel.view, place)
    assert relations.cursor_control.cursor.column < 4
    assert before.column < 4


def test_a_map_costs_what_is_visible_at_every_zoom(qtbot):
    """Numbers and frames are drawn for the cells in view, however many there are beside them."""

    def work(d_model, in_view):
        panel = shown(qtbot, "shift", Document(encoding=Sinusoidal(d_model)), (620, 760))
        panel.figure.viewport.show_window(Window((3.5, 3.5 + in_view), (3.5, 3.5 + in_view)))
        settle()
        return work_of(panel.view.viewport().repaint)

    for in_view in (2, 8, 60):
        assert work(2048, in_view) < 2 * work(64, in_view)


def test_a_family_without_rows_takes_the_place_of_one_shown_without_cosines(qtbot):
    panel = shown(qtbot, "shift", with_values(Document(), shift_without_cosines=True))
    panel.show_document(with_values(Document().with_encoding(Alibi(8)), shift_without_cosines=True))
    assert not panel.figure.has_picture
    panel.show_document(Document())
    assert panel.figure.has_picture


@pytest.mark.parametrize("d_model", [16, 64])
def test_an_ill_conditioned_map_is_named_and_seen(relations, d_model):
    relations.store.edit("d_model", d_model)
    relations.store.edit("shift_without_cosines", True)
    settle()
    assert says(relations, "; ill-conditioned: entries up to ")
    assert says(relations, ", the largest 20\u00a0% are beyond the colours")
    (figure,) = [each.figure for each in relations.panels.values() if each.spec.title == "Shift"]
    matrix, colors = figure.view().shift.matrix, figure.view().colors
    assert np.mean(np.abs(matrix) > colors.high) == pytest.approx(0.2, abs=0.02)


def test_a_fitted_map_of_small_entries_has_colours_for_all_of_them(relations):
    relations.store.edit("d_model", 4)
    relations.store.edit("shift_without_cosines", True)
    settle()
    assert not says(relations, "ill-conditioned")


def numbers_beside(panel):
    """The numbers at the left of the matrix, and those below it, each in their order."""
    area = item_rect(panel.view, panel.figure.matrix)
    words = [each for each in painted_words(panel.view) if each.text.isdigit()]
    left = [int(each.text) for each in words if each.x < area.left() - 6 and each.y > area.top()]
    below = [int(each.text) for each in words if each.x > area.left() and each.y > area.bottom()]
    return left, below


def test_rows_and_columns_of_the_matrix_have_the_numbers_of_their_columns(qtbot):
    panel = shown(qtbot, "shift", Document(encoding=Sinusoidal(8)), (620, 760))
    assert numbers_beside(panel) == ([*range(8)], [*range(8)])
    panel.show_document(with_values(panel.figure.document, shift_without_cosines=True))
    settle()
    assert numbers_beside(panel) == ([0, 2, 4, 6], [0, 2, 4, 6])


def test_cells_that_share_a_pixel_are_means_and_the_note_says_of_how_many(qtbot):
    panel = shown(qtbot, "shift", Document(encoding=Sinusoidal(998)), (500, 560))
    area = panel.figure.matrix.rect()
    step = int(-(-998 // min(area.width(), area.height())))
    assert step > 2
    said = f"cells: means over {step} × {step} entries"
    assert any(said in label.text() for label in panel.findChildren(QLabel))
    matrix = by_hand(1, 998)
    for block in (0, 7, 998 // step):  # the last block has fewer entries
        part = matrix[block * step : (block + 1) * step, block * step : (block + 1) * step]
        expected = colours_of(np.array([[part.mean()]]), MAPS["light"])[0, 0, :3]
        middle = (block + 0.5) * step - 0.5
        rect = item_rect(panel.view, panel.figure.matrix)
        x, y = rect.left() + panel.figure.matrix.to_x(middle), rect.top() + panel.figure.matrix.to_y(middle)
        near = pixels_of(panel.view)[int(y) - 1 : int(y) + 2, int(x) - 1 : int(x) + 2, :3].reshape(-1, 3).astype(int)
        assert np.abs(near - expected).max(axis=1).min() <= 3


def test_a_low_panel_leaves_no_room_for_lines_that_it_does_not_draw(qtbot):
    panel = shown(qtbot, "shift", Document(encoding=Sinusoidal(8)), (620, 300))
    assert not panel.figure.area.isVisible()
    matrix = item_rect(panel.view, panel.figure.matrix)
    assert matrix.top() <= 10
    assert matrix.left() <= 18 + 24, "the name of its rows, and their numbers"
