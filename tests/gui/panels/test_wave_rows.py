"""The waves where not all columns fit: pairs spread over the whole table, or neighbours from a column on."""

import re
from itertools import pairwise

import numpy as np
import pytest
from panel_bench import shown
from pixels import area_of, click, double_click, drag, hover, item_rect, painted_words, pixels_of, settle, texts, wheel
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from window_bench import control

from posenc_core import BinaryCode, Document, Rotary, Sinusoidal
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.look.style import LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels.waves.scroller import ColumnScroller

ROW = re.compile(r"col (\d+) · pair (\d+) ·")


def rows_of(panel):
    """The columns and pairs of the rows, from the bottom one up, as their labels name them."""
    labels = [(word.y, ROW.fullmatch(word.text)) for word in painted_words(panel.view)]
    found = sorted(((-y, match) for y, match in labels if match), key=lambda row: row[0])
    return [(int(match[1]), int(match[2])) for _, match in found]


def columns_of(panel):
    return [column for column, _ in rows_of(panel)]


def note_of(panel):
    words = [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    return next((text for text in words if re.search(r" of [\d,]+", text)), "")


def scroller_of(panel):
    (scroller,) = (item for item in panel.figure.childItems() if isinstance(item, ColumnScroller))
    return scroller


def waves(qtbot, encoding, size=(900, 460)):
    return shown(qtbot, "waves", Document(encoding=encoding), size)


def test_where_not_all_columns_fit_whole_pairs_are_spread_over_the_table_and_labelled_so(qtbot):
    panel = waves(qtbot, Sinusoidal(512))
    rows = rows_of(panel)
    columns, pairs = [column for column, _ in rows], [pair for _, pair in rows]
    assert columns[:2] == [0, 1]
    assert columns[-2:] == [510, 511]
    assert columns[1::2] == [column + 1 for column in columns[::2]], "sine and cosine of a pair together"
    gaps = np.diff(pairs[::2])
    assert gaps.max() - gaps.min() <= 1, "evenly"
    assert note_of(panel).startswith(f"{len(rows) // 2} of 256 pairs, evenly spread")
    assert control(panel, "Waves: Spread").isChecked()


def test_columns_that_all_fit_have_no_scroller_and_no_choice(qtbot):
    panel = waves(qtbot, Sinusoidal(8))
    assert columns_of(panel) == list(range(8))
    assert note_of(panel) == ""
    assert not scroller_of(panel).isVisible()
    assert not [
        button for button in panel.findChildren(type(control(panel, "Waves: All"))) if "Spread" in button.text()
    ]


def test_labels_in_large_letters_do_not_cover_each_other(qtbot):
    panel = shown(qtbot, "waves", Document(), (560, 260), LIGHT.scaled(2.0))
    labels = sorted(word.y for word in painted_words(panel.view) if word.text.startswith("col "))
    assert len(labels) >= 2
    assert np.diff(labels).min() >= 2 * LIGHT.font(11).pixelSize()


@pytest.mark.parametrize("d_model", [8, 128])
def test_half_split_rotation_shows_cosine_and_sine_of_a_pair_next_to_each_other(qtbot, d_model):
    panel = waves(qtbot, Rotary(d_model))
    columns = columns_of(panel)
    assert columns[:2] == [0, d_model // 2]
    assert columns[-2:] == [d_model // 2 - 1, d_model - 1]
    assert columns[1::2] == [column + d_model // 2 for column in columns[::2]]


def test_columns_without_pairs_are_spread_one_by_one(qtbot):
    panel = shown(qtbot, "waves", Document(encoding=BinaryCode(40)), (900, 460))
    columns = panel.figure.view().columns
    assert (columns[0], columns[-1]) == (0, 39)
    assert len(columns) < 40
    assert max(np.diff(columns)) - min(np.diff(columns)) <= 1


def test_from_column_shows_neighbours_from_the_typed_one_on(qtbot):
    panel = waves(qtbot, Sinusoidal(512))
    QTest.mouseClick(control(panel, "Waves: From column"), Qt.MouseButton.LeftButton)
    settle()
    first = columns_of(panel)
    assert first == list(range(len(first)))
    panel.figure.viewport.choose("columns", 378)
    settle()
    columns = columns_of(panel)
    assert columns == list(range(378, 378 + len(columns)))
    assert note_of(panel) == f"columns 378–{columns[-1]} of 512"
    assert not control(panel, "Waves: Spread").isChecked()
    panel.figure.viewport.choose("columns", 511)
    settle()
    assert columns_of(panel)[-1] == 511, "the last rows stay full"
    QTest.mouseClick(control(panel, "Waves: Spread"), Qt.MouseButton.LeftButton)
    settle()
    assert (columns_of(panel)[0], columns_of(panel)[-1]) == (0, 511)


def test_the_number_beside_from_column_can_be_typed(qtbot):
    panel = waves(qtbot, Sinusoidal(512))
    QTest.mouseClick(control(panel, "Waves: From column"), Qt.MouseButton.LeftButton)
    number = control(panel, "Waves: number of From column")
    number.setFocus()
    number.selectAll()
    QTest.keyClicks(number, "100")
    QTest.keyClick(number, Qt.Key.Key_Return)
    settle()
    assert columns_of(panel)[0] == 100


def test_the_wheel_goes_from_the_spread_columns_to_the_neighbours_of_the_one_under_the_mouse(qtbot):
    panel = waves(qtbot, Sinusoidal(512))
    rows = columns_of(panel)
    area = area_of(panel)
    index = len(rows) // 2
    place = QPointF(area.center().x(), area.bottom() - (index + 0.5) / len(rows) * area.height())
    wheel(panel.view, place, 1)
    columns = columns_of(panel)
    assert columns == list(range(columns[0], columns[0] + len(columns)))
    assert rows[index] in columns
    wheel(panel.view, place, 1)
    assert columns_of(panel)[0] > columns[0]


def test_the_scroller_shows_where_the_rows_are_and_scrolls_them(qtbot):
    panel = waves(qtbot, Sinusoidal(512))
    place = item_rect(panel.view, scroller_of(panel))
    bar = place.right() - 4
    click(panel.view, QPointF(bar, place.top() + 2))
    assert columns_of(panel)[-1] == 511
    place = item_rect(panel.view, scroller_of(panel))  # the note above may have another place
    drag(panel.view, QPointF(bar, place.top() + 5), QPointF(bar, place.center().y()))
    columns = columns_of(panel)
    assert columns[0] < 256 < columns[-1]
    wheel(panel.view, QPointF(bar, place.center().y()), -1)
    assert columns_of(panel)[0] < columns[0]


def test_the_scroller_has_the_wavelengths_at_the_edges_of_the_view_and_fast_and_slow_at_the_tables_ends(qtbot):
    panel = waves(qtbot, Sinusoidal(512))
    words = {word.text: word.y for word in painted_words(panel.view)}  # SVG has the "k" of 60.6k as a text of its own
    assert words["slow"] < words["λ 60.6"] < words["10k"] < words["1k"] < words["100"] < words["λ 6.28"] < words["fast"]
    panel.figure.viewport.choose("columns", 256)
    settle()
    written = texts(panel.view)
    last = panel.figure.view().columns[-1]
    lengths = [2 * np.pi * 10000 ** (2 * (column // 2) / 512) for column in (256, last)]
    assert [f"λ {length:.3g}" for length in lengths] == ["λ 628", f"λ {lengths[1]:.3g}"]
    for length in lengths:
        assert f"λ {length:.3g}" in written
    assert "λ 6.28" not in written
    assert {"fast", "slow"} <= set(written)


def test_a_long_wavelength_is_written_alike_at_the_row_and_beside_the_scroller(qtbot):
    panel = waves(qtbot, Rotary(128, 5e5, pairing="interleaved"))
    panel.figure.viewport.choose("columns", 127)
    settle()
    longest = 2 * np.pi * 5e5 ** (126 / 128)
    number, power = f"{longest:.3g}".split("e+0")
    written = texts(panel.view)
    pieces = set(pairwise(written))  # SVG has the exponent as a text of its own
    assert {(f"· λ {number}", f"e{power}"), (f"λ {number}", f"e{power}")} <= pieces


def test_a_held_column_takes_the_place_of_the_nearest_pair_and_hovering_changes_no_row(qtbot):
    panel = waves(qtbot, Sinusoidal(512))
    rows = columns_of(panel)
    panel.show_cursor(Cursor(1, 379))
    settle()
    assert columns_of(panel) == rows
    panel.show_cursor(Cursor(1, 379, pinned=True))
    settle()
    held = columns_of(panel)
    assert {378, 379} <= set(held)
    assert len(held) == len(rows)
    assert (held[:2], held[-2:]) == (rows[:2], rows[-2:])
    assert len(set(held) & set(rows)) == len(rows) - 2


def test_a_held_cell_scrolls_the_rows_and_positions_no_further_than_needed(qtbot):
    panel = waves(qtbot, Sinusoidal(512))
    panel.figure.viewport.choose("columns", 0)
    panel.figure.viewport.choose("positions", "sentence")
    settle()
    n_rows, across = len(columns_of(panel)), panel.figure.viewport.window().x
    panel.show_cursor(Cursor(30, 378))
    assert (columns_of(panel)[0], panel.figure.viewport.window().x) == (0, across), "hovering elsewhere scrolls nothing"
    panel.show_cursor(Cursor(30, 378, pinned=True))
    settle()
    assert columns_of(panel)[-1] == 378
    assert n_rows - 1 <= len(columns_of(panel)) <= n_rows, "a second line of the header takes the room of a row"
    assert panel.figure.viewport.window().x[1] == pytest.approx(30.5)
    before = panel.figure.viewport.window()
    panel.show_cursor(Cursor(29, 377, pinned=True))
    assert panel.figure.viewport.window() == before, "it is in sight already"


def test_arrow_keys_go_from_row_to_row(qtbot):
    panel = waves(qtbot, Rotary(128))
    panel.cursorMoved.connect(panel.show_cursor)
    panel.show_cursor(Cursor(1, 30))
    QTest.keyClick(panel, Qt.Key.Key_Up)
    assert panel.figure.cursor.column == 94, "the sine of the same pair"
    QTest.keyClick(panel, Qt.Key.Key_Up)
    assert panel.figure.cursor.column == 31
    assert 31 in columns_of(panel)


def test_the_mouse_points_at_the_column_that_the_label_names(qtbot):
    panel = waves(qtbot, Rotary(128))
    moved = []
    panel.cursorMoved.connect(moved.append)
    area, rows = area_of(panel), columns_of(panel)
    for index, column in enumerate(rows):
        hover(panel.view, QPointF(area.center().x(), area.bottom() - (index + 0.5) / len(rows) * area.height()))
        assert moved[-1].column == column


def test_a_double_click_spreads_the_columns_again(qtbot):
    panel = waves(qtbot, Sinusoidal(512))
    panel.figure.viewport.choose("columns", 300)
    double_click(panel.view, area_of(panel).center())
    assert (columns_of(panel)[0], columns_of(panel)[-1]) == (0, 511)


@pytest.mark.parametrize("column", [None, 200])
def test_an_exported_picture_has_the_rows_that_the_panel_has(qtbot, column):
    document = Document(encoding=Sinusoidal(512))
    panel = shown(qtbot, "waves", document, (900, 460))
    if column is not None:
        panel.figure.viewport.choose("columns", column)
        settle()
    picture = Picture("waves", document, None, panel.figure.viewport.window())
    with Picture.laid_out(picture, PictureOptions(size=(700, 900)), 1.0) as page:
        assert page.view.figure.view().columns == panel.figure.view().columns


@pytest.mark.parametrize("encoding", [Sinusoidal(512), Rotary(128)])
def test_a_file_limited_to_some_columns_shows_these_alone(qapp, encoding):
    with Picture.laid_out(Picture("waves", Document(encoding=encoding)), PictureOptions(columns=(4, 12)), 1.0) as page:
        assert sorted(page.view.figure.view().columns) == list(range(4, 12))


def test_the_lowest_row_has_a_scale_of_amplitudes(qtbot):
    panel = waves(qtbot, Sinusoidal(8))
    area = area_of(panel)
    marks = {word.text: word.y - 3 for word in painted_words(panel.view) if word.x > area.right()}
    assert set(marks) >= {"1", "−1"}
    row = area.height() / 8
    for text, height in (("1", 0.4), ("−1", -0.4)):
        assert marks[text] == pytest.approx(area.bottom() - (0.5 + height) * row, abs=3)


def test_rows_of_other_numbers_have_their_own_amplitudes(qtbot):
    panel = shown(qtbot, "waves", Document(encoding=BinaryCode(4)), (900, 460))
    right = area_of(panel).right()
    assert {word.text for word in painted_words(panel.view) if word.x > right} >= {"0", "1"}
    assert pixels_of(panel.view).any()


def test_a_file_keeps_the_window_though_a_cell_elsewhere_is_held(qtbot):
    panel = waves(qtbot, Sinusoidal(512))
    panel.figure.viewport.choose("columns", 0)
    panel.figure.viewport.choose("positions", "sentence")
    settle()
    picture = Picture("waves", panel.figure.document, Cursor(40, 300, pinned=True), panel.figure.viewport.window())
    with Picture.laid_out(picture, PictureOptions(size=(900, 400)), 1.0) as page:
        assert page.view.figure.viewport.window().x == pytest.approx(panel.figure.viewport.window().x)
        assert page.view.figure.view().columns == panel.figure.view().columns
