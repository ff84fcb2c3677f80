"""DRIFT: lines at the number of pairs that are off, the first one named, and what it needs."""

import math

import numpy as np
import pytest
from documents import with_values
from panel_bench import shown
from pixels import click, hover, item_rect, pixels_of, rgb, settle
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from window_bench import says, type_number

from posenc_core import Alibi, Document, NoPosition, Rotary, Sinusoidal, Yarn
from posenc_core.session import NamedEncoding
from posenc_gui.export.drawn_numbers import csv_of
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.figures.lines.line_plot import encoding_look
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import drawn_numbers, suitable_panels
from posenc_gui.panels.drift.plots import plots

pytestmark = pytest.mark.one_window

SLOW = Rotary(128, rope_theta=5e5)


def compared(*encodings, current=0, **view):
    return with_values(Document(), **view).with_encodings([NamedEncoding(each) for each in encodings], current)


BASES = compared(Rotary(128), SLOW)


@pytest.fixture
def panel(qtbot):
    return shown(qtbot, "drift", BASES, (760, 560))


@pytest.fixture
def compare(window):
    """The window with the workspace of comparisons, and one rotary encoding."""
    window.store.edit("family", "rotary")
    window.store.edit("head_dim", 128)
    window.workspaces.choose("compare")
    settle()
    return window


def place(panel, position, count):
    """Where a count at a position is drawn, in the pixels of the view."""
    area = panel.figure.area
    rect = item_rect(panel.view, area)
    return QPointF(rect.left() + area.to_x(math.log10(position)), rect.top() + area.to_y(float(count)))


def is_near(pixels, at, colour, reach=2):
    x, y = round(at.x()), round(at.y())
    around = pixels[y - reach : y + reach + 1, x - reach : x + reach + 1].reshape(-1, 3).astype(int)
    return bool((np.abs(around - rgb(colour)).max(axis=1) < 60).any())


def n_off(position, degrees=45.0, bases=(1e4, 5e5), n_pairs=64):
    """By brute force over the table of angles."""
    angles = [position * base ** (-np.arange(n_pairs) / n_pairs) for base in bases]
    return int((np.abs(angles[0] - angles[1]) > math.radians(degrees)).sum())


def need_button(panel, text):
    (button,) = [each for each in panel.findChildren(QPushButton) if each.text() == text and each.isVisible()]
    return button


def test_the_numbers_are_the_pairs_off_at_each_position():
    columns = drawn_numbers("drift", BASES)
    assert list(columns) == ["position", "pairs off > 45°: B base 500,000"]
    positions, counts = columns.values()
    at = dict(zip(positions.tolist(), counts.tolist(), strict=True))
    assert [at[position] for position in (16, 64, 256, 1024, 4096)] == [18, 29, 39, 49, 59]
    assert (at[6], at[7]) == (0, 6)
    assert positions[0] == 1
    assert positions[-1] == 16383
    for position, count in at.items():
        assert count == n_off(position)
    assert csv_of(columns).splitlines()[1] == "1,0"


def test_the_note_names_the_first_position_and_pair(panel):
    assert n_off(6) == 0
    assert n_off(7) == 6
    assert panel.figure.pointing.note() == "pair 4 and 5 more off from position 7"


def test_several_encodings_are_named_by_their_letters(qtbot):
    document = compared(Rotary(128), SLOW, Rotary(128, scaling=Yarn(4.0, 4096)), Rotary(128))
    assert len(plots(document)[0].lines) == 3
    assert shown(qtbot, "drift", document).figure.pointing.note().split(" · ") == [
        "B: pair 4 and 5 more off from position 7",
        "C: pair 27 off from position 190",
        "D: no pair is ever off by 45°",
    ]


def test_a_scaling_parts_from_none_at_its_own_positions():
    positions, counts = drawn_numbers("drift", compared(Rotary(128), Rotary(128, scaling=Yarn(4.0, 4096)))).values()
    rises = {int(at) for at, more in zip(positions[1:], np.diff(counts), strict=True) if more}
    assert {216, 786, 9069} <= rises, "of pairs 24, 46 and 63"
    assert min(rises) == 190


def test_different_widths_are_compared_over_the_pairs_of_both_and_the_note_says_so(qtbot):
    document = compared(Rotary(64), SLOW)
    note = shown(qtbot, "drift", document).figure.pointing.note()
    assert note.endswith("A has 32 pairs, B 64: compared over the first 32")
    note = shown(qtbot, "drift", compared(Rotary(2), Rotary(4096))).figure.pointing.note()
    assert note.endswith("A has 1 pair, B 2,048: compared over the first")
    (counts,) = (each for head, each in drawn_numbers("drift", document).items() if head != "position")
    assert max(counts) <= 32


def test_an_encoding_without_pairs_is_left_out_and_named(qtbot):
    document = compared(Rotary(128), Alibi(8), SLOW, NoPosition(8))
    assert [line.look for line in plots(document)[0].lines] == [encoding_look(2)]
    assert shown(qtbot, "drift", document).figure.pointing.note().endswith("B and D without pairs that turn")


@pytest.mark.parametrize("style", [LIGHT, DARK])
def test_each_line_has_the_colour_of_its_encoding_at_its_counts(qtbot, style):
    document = compared(Rotary(128), SLOW, Rotary(128, rope_theta=2e4), current=1)
    panel = shown(qtbot, "drift", document, (760, 560), style)
    pixels = pixels_of(panel.view)
    at_b = [is_near(pixels, place(panel, p, n_off(p)), style.encodings[1]) for p in range(20, 2000, 20)]
    at_c = [
        is_near(pixels, place(panel, p, n_off(p, bases=(1e4, 2e4))), style.encodings[2]) for p in range(20, 2000, 20)
    ]
    assert np.mean(at_b) > 0.6, "a dashed line has gaps"
    assert np.mean(at_c) > 0.5
    assert not is_near(pixels, place(panel, 1000, 10), style.encodings[1])


def test_the_threshold_is_typed_in_the_panel_and_wrong_ones_are_explained(compare):
    compare.store.compare([NamedEncoding(Rotary(128)), NamedEncoding(SLOW)], 1, "compare")
    settle()
    assert says(compare, "pair 4 and 5 more off from position 7")
    type_number(compare, "off by more than (°)", "90")
    assert compare.store.document.value("drift_degrees") == 90
    first = next(position for position in range(100) if n_off(position, 90.0))
    assert says(compare, f"off from position {first}")
    type_number(compare, "off by more than (°)", "0")
    assert says(compare, "drift_degrees must be an integer >= 1, got 0")
    assert compare.store.document.value("drift_degrees") == 90
    assert says(compare, f"off from position {first}")


def test_a_click_holds_the_position_and_the_pair_that_leaves_there(compare):
    compare.store.compare([NamedEncoding(Rotary(128)), NamedEncoding(SLOW)], 1, "compare")
    settle()
    panel = compare.panels["drift"]
    hover(panel.view, place(panel, 16, 30))
    settle()
    assert (compare.cursor_control.cursor.position, compare.cursor_control.cursor.pinned) == (16, False)
    assert panel.figure.pointing.number() == 18
    click(panel.view, place(panel, 7, 30))
    settle()
    cursor = compare.cursor_control.cursor
    assert (cursor.position, cursor.column, cursor.pinned) == (7, 4, True)
    QTest.keyClick(panel, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert compare.cursor_control.cursor.position == 17
    click(panel.view, place(panel, 4096, 30))
    settle()
    assert panel.figure.pointing.number() == 59
    for workspace in ("vectors", "relations", "rotation", "long_context"):
        compare.workspaces.choose(workspace)
        settle()


def test_a_single_encoding_is_told_what_is_missing_and_a_button_adds_b(compare):
    panel = compare.panels["drift"]
    assert says(compare, "Add a second encoding to compare. B is a suggestion.")
    assert panel.view.isVisible()
    assert len(panel.figure.document.encodings) == 2
    QTest.mouseClick(need_button(panel, "Add B, base 500,000"), Qt.MouseButton.LeftButton)
    settle()
    document = compare.store.document
    assert (len(document.encodings), document.letter) == (2, "B")
    assert document.encodings[1].title == "base 500,000"
    assert panel.view.isVisible()
    assert says(compare, "pair 4 and 5 more off from position 7")
    compare.store.edit("rope_theta", 1e4)
    settle()
    assert says(compare, "A and B are the same.")
    compare.store.undo()
    compare.store.undo()
    settle()
    assert len(compare.store.document.encodings) == 1
    assert says(compare, "Add a second encoding to compare. B is a suggestion.")


@pytest.mark.parametrize(
    ("encodings", "current", "sentence", "words", "index"),
    [
        ((Alibi(8), Rotary(8)), 1, "A, ALiBi, has none", "Show RoPE as A", 0),
        ((Rotary(8), Alibi(8)), 0, "B has none", "Show RoPE as B", 1),
        ((Rotary(8), Alibi(8), NoPosition(8)), 0, "none of B to C has any", "Show RoPE as B", 1),
    ],
)
def test_pairs_that_do_not_turn_are_one_sentence_and_a_button_brings_some(
    compare, encodings, current, sentence, words, index
):
    compare.store.compare([NamedEncoding(each) for each in encodings], current, "compare")
    settle()
    panel = compare.panels["drift"]
    assert says(compare, sentence)
    QTest.mouseClick(need_button(panel, words), Qt.MouseButton.LeftButton)
    settle()
    document = compare.store.document
    assert (document.current, document.encodings[index].encoding.family) == (index, "rotary")
    assert panel.view.isVisible()


def test_pictures_are_made_in_every_format_and_only_of_what_can_be_compared(qapp):
    for format, begin in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        assert picture_bytes(Picture("drift", BASES, None, None), format, PictureOptions()).startswith(begin)
    assert "drift" in suitable_panels(BASES)
    assert "drift" not in suitable_panels(Document())


@pytest.mark.parametrize(
    "document",
    [
        compared(Rotary(2), Rotary(2, rope_theta=1.0)),
        compared(Sinusoidal(8), Sinusoidal(8, offset=10)),
        compared(Rotary(65536), Rotary(65536, rope_theta=5e5)),
        compared(Rotary(128), SLOW, target_length=1, trained_length=1),
        compared(Rotary(128), SLOW, target_length=10**9),
    ],
)
def test_the_smallest_and_the_largest_comparisons_are_drawn(qtbot, document):
    panel = shown(qtbot, "drift", document, (520, 420))
    rect = item_rect(panel.view, panel.figure.area)
    picture = pixels_of(panel.view)[int(rect.top()) : int(rect.bottom()), int(rect.left()) : int(rect.right())]
    assert (np.abs(picture.astype(int) - rgb(LIGHT.paper)).max(axis=2) > 40).sum() > 200


def test_the_axis_ends_at_the_last_position(panel):
    document = with_values(BASES, target_length=4096)
    assert plots(document)[0].x_scale.last == 4095
    panel.show_document(document)
    panel.show_cursor(Cursor(4090, 0, pinned=True))
    assert panel.figure.pointing.moved(Qt.Key.Key_Right, 10).position == 4095
