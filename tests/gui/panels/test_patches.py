"""The patch map: each patch has the colour of its score, the query is chosen by a click, and frames by the cursor."""

import re

import numpy as np
import pytest
from derivations import printed
from panel_bench import shown
from pixels import area_of, click, hover, inside, pixels_of, settle, value_colour
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from window_bench import words

from posenc_core import Document
from posenc_core.encodings import RopeAxes
from posenc_gui.docks.derivation import step_words
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import drawn_numbers, spec_of, suitable_panels
from posenc_gui.panels.patches.derive import PatchScore


def document(grid="4x5", rule="blocks", **given):
    made = Document(grid=grid, seq_len=60)
    return made.with_encoding(RopeAxes(16, rule=rule, grid=grid, **given))


def place(panel, row, column, tall=4, wide=5, at=0.15):
    area = area_of(panel)
    return QPointF(area.left() + (column + at) * area.width() / wide, area.top() + (row + at) * area.height() / tall)


def score(encoding, query, key, axis=""):
    """Twice the sum of the cosines, from the coordinates of both patches."""
    apart = np.array(encoding.cells.place(key)) - np.array(encoding.cells.place(query))
    turns = apart @ encoding.cells.pairs.weights
    chosen = [not axis or each == axis for each in encoding.cells.axis_of_pairs]
    return 2 * np.cos(turns[chosen]).sum()


def notes(panel):
    return " ".join(label.text() for label in panel.findChildren(QLabel))


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("axis", ["all", "h", "w"])
def test_a_patch_has_the_colour_of_its_score_with_the_query(qtbot, style, axis):
    made = document("3+4x5").edited("patch_axis", axis or "all")
    panel = shown(qtbot, "patches", made, (640, 480), style)
    panel.show_cursor(Cursor(3 + 7, 0))
    settle()
    pixels, encoding = pixels_of(panel.view), made.encoding
    reach = 16 if axis == "all" else 8
    scores = [score(encoding, 10, 3 + key, axis.replace("all", "")) for key in range(20)]
    for key, number in enumerate(scores):
        at = place(panel, *divmod(key, 5))
        wanted = value_colour(number, min(scores), reach, 0.0, style is DARK)
        assert np.abs(pixels[int(at.y()), int(at.x())].astype(int) - wanted).max() <= 2, key
    assert "query row 1, column 2" in notes(panel)


def test_a_click_chooses_the_query_and_pointing_compares(qtbot):
    made = document()
    panel = shown(qtbot, "patches", made)
    seen = []
    panel.cursorMoved.connect(seen.append)
    panel.cursorMoved.connect(panel.show_cursor)
    click(panel.view, place(panel, 1, 2))
    assert Cursor(7, 0, True, None, PatchScore(7, 7)) in seen
    hover(panel.view, place(panel, 3, 4))
    assert seen[-1] == Cursor(19, 0, False, None, PatchScore(7, 19))
    subject = seen[-1].subject
    derivation = subject.derivation(made)
    assert derivation.value == pytest.approx(score(made.encoding, 7, 19), abs=1e-12)
    assert printed(derivation) == pytest.approx(derivation.value, abs=1e-9)
    assert subject.words(made) == ("query row 1, column 2", "key row 3, column 4")
    QTest.keyClick(panel.view, Qt.Key.Key_Up)
    assert seen[-1] == Cursor(14, 0, True, None, PatchScore(7, 14))


def test_the_map_shows_the_frame_of_the_cursor(qtbot):
    panel = shown(qtbot, "patches", document("3x4x5", "sections", axes="t,h,w"))
    assert "frame 0 of 3" in notes(panel)
    panel.show_cursor(Cursor(2 * 20 + 6, 0))
    assert "frame 2 of 3" in notes(panel)
    assert "query frame 2, row 1, column 1" in notes(panel)


def test_an_axis_that_turns_no_pair_is_told(qtbot):
    panel = shown(qtbot, "patches", document(rule="mixed").edited("patch_axis", "h"))
    assert "no pair turns by this axis alone" in notes(panel)


def test_a_picture_of_one_patch_and_one_of_a_million_are_drawn(qtbot):
    for grid, colours in (("1x1", 1), ("1x1000", 20), ("1000x1000", 20)):
        panel = shown(qtbot, "patches", document(grid))
        panel.show_cursor(None)
        seen = inside(pixels_of(panel.view), area_of(panel))
        assert len(np.unique(seen.reshape(-1, 3), axis=0)) >= colours, grid
    assert "one patch in" in notes(panel)


def test_the_map_is_shown_where_there_is_a_picture():
    assert "patches" in suitable_panels(document())
    assert "patches" not in suitable_panels(document("text"))
    assert "patches" not in suitable_panels(Document())
    needs = [spec_of("patches").missing(each) for each in (Document(), document("text"), document())]
    assert [need and (need.family, need.edit) for need in needs] == [
        ("rope_axes", None), ("", ("grid", "14x14")), None,
    ]  # fmt: skip


def test_the_numbers_are_those_of_the_middle_patch():
    made = document()
    columns = drawn_numbers("patches", made)
    found = [score(made.encoding, 12, key) for key in range(20)]
    np.testing.assert_allclose(columns["score"], found, atol=1e-12)
    assert columns["row"].tolist() == [float(key // 5) for key in range(20)]
    assert columns["column"].tolist() == [float(key % 5) for key in range(20)]


@pytest.mark.parametrize("corner", [0, 63, 63 * 64, 64 * 64 - 1])
def test_the_ring_of_the_query_is_whole_in_a_small_patch_at_the_edge(qtbot, corner):
    panel, black = shown(qtbot, "patches", document("64x64"), (480, 460)), []
    for query in (32 * 64 + 32, corner):
        panel.show_cursor(Cursor(10 * 64 + 10, 0, subject=PatchScore(query, 10 * 64 + 10)))
        settle()
        black.append(int((inside(pixels_of(panel.view), area_of(panel)).max(axis=2) < 60).sum()))
    assert black[1] == pytest.approx(black[0], rel=0.2)


def test_the_derivation_of_a_score_has_the_whole_coordinates_of_both_patches():
    made = document("1234567+4x3", "ernie_3d", axes="h,w,t")
    start = PatchScore(1234571, 1234576).derivation(made).steps[0]
    whole = "coordinates (h, w, t) of the query (1234568, 1234568, 1234567) and of the key (1234570, 1234567, 1234567)"
    assert start.text == whole
    assert start.latex == r"x_q = (1234568, 1234568, 1234567), \quad x_k = (1234570, 1234567, 1234567)"


def test_the_ring_of_a_large_patch_is_around_its_number(qtbot):
    panel = shown(qtbot, "patches", document("4x5"), (640, 480))
    panel.show_cursor(Cursor(3, 0, subject=PatchScore(7, 3)))
    settle()
    middle, pixels = place(panel, 1, 2, at=0.5), pixels_of(panel.view).astype(int)
    x, y = round(middle.x()), round(middle.y())
    dark = pixels[y - 18 : y + 18, x - 30 : x + 30].max(axis=2) < 60
    dark[11:-11, 12:-12] = False  # the number
    assert dark.sum() > 40


@pytest.mark.parametrize(("axis", "first"), [("", range(8)), ("w", range(4, 8))])
def test_the_terms_of_a_score_name_their_pairs_also_beside_a_formula(axis, first):
    derivation = PatchScore(7, 3).derivation(document("4x5").edited("patch_axis", axis or "all"))
    named = [step_words(step.text) for step in derivation.steps[1:6] if "cos" in step.text]
    assert len(named) >= 4
    for label in named:
        term, pair, name = re.fullmatch(r"term (\d+): pair (\d+) of ([hw])", label).groups()
        assert int(pair) == first[int(term)]
        assert name == "hw"[int(pair) >= 4]


def test_coordinates_below_zero_have_true_minus_signs(window):
    window.store.replace(document("14x14", rule="normalised"), "patches")
    window.workspaces.choose("rotation")
    window.workspaces.show_panel("patches", True)
    settle()
    click(window.panels["patches"].view, place(window.panels["patches"], 0, 0, 14, 14))
    settle()
    assert "query row 0, column 0 (h −0.9286, w −0.9286)" in notes(window.panels["patches"])
    assert any("row 0, column 0 (h −0.9286, w −0.9286)" in text for text in words(window))
