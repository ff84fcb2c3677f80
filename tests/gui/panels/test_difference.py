"""DIFFERENCE: two tables and their difference in one scale, with one window and one cursor."""

import math
import threading
from itertools import combinations, pairwise

import numpy as np
import pytest
from documents import with_values
from panel_bench import shown
from pixels import CTRL, click, coverage, drag, hover, item_rect, near, painted_words, pixels_of, settle, texts, wheel
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton
from window_bench import act, says

from posenc_core import (
    Alibi,
    Document,
    LearnedTable,
    Rotary,
    ShawRelative,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
    Yarn,
)
from posenc_core.encodings import ENCODINGS
from posenc_core.encodings.biases.cope import Cope
from posenc_core.encodings.rotations.distance_remap import DistanceRemap
from posenc_core.encodings.rotations.remaps import ReRope
from posenc_core.long_context import wrapped
from posenc_core.session import NamedEncoding, variant
from posenc_gui.export.drawn_numbers import write_drawn_numbers
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.paper import NAMED_SIZES
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.files.presets import preset, preset_names
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import drawn_numbers, spec_of, suitable_panels
from posenc_gui.panels.difference.compared import Compared
from posenc_gui.plotting.color_scale import ColorScale

pytestmark = pytest.mark.one_window


def compared(*encodings, current=0, seq_len=60, **view):
    document = with_values(Document(seq_len=seq_len), **view)
    return document.with_encodings([NamedEncoding(each) for each in encodings], current)


def wave(position, column, base):
    """A sinusoid of eight columns, by its formula."""
    angle = position * base ** (-(column // 2) / 4)
    return math.sin(angle) if column % 2 == 0 else math.cos(angle)


BASES = compared(Sinusoidal(8), Sinusoidal(8, base=100.0), seq_len=12)


@pytest.fixture
def compare(window):
    window.store.edit("seq_len", 12)
    window.store.compare([NamedEncoding(Sinusoidal(8)), NamedEncoding(Sinusoidal(8, base=100.0))], 1, "compare")
    window.workspaces.choose("compare")
    settle()
    return window


def tables(panel):
    """The figures of both tables and of their difference."""
    return panel.figure.view().figures


def areas_of(panel):
    return [figure.area for figure in tables(panel)]


def place(panel, which, position, column):
    area = tables(panel)[which].area
    rect = item_rect(panel.view, area)
    return QPointF(rect.left() + area.to_x(float(column)), rect.top() + area.to_y(float(position)))


def patches_of(panel, which):
    """The values that a heatmap paints."""
    figure = tables(panel)[which]
    return figure.pictures.render(figure.request(1.0, False)).picture


def colour_at(panel, which, position, column):
    """The colour at the left of a cell, beside its number."""
    area, at = tables(panel)[which].area, place(panel, which, position, column)
    side = 0.4 * (area.to_x(1.0) - area.to_x(0.0))
    return pixels_of(panel.view)[round(at.y()), round(at.x() - side)].tolist()


@pytest.mark.parametrize("style", [LIGHT, DARK])
def test_the_cells_have_the_colours_of_both_tables_and_of_their_difference(qtbot, style):
    panel = shown(qtbot, "difference", BASES, (960, 420), style)
    scale = ColorScale("dark diverging" if style is DARK else "diverging", -2.0, 2.0)
    for position, column in ((1, 0), (5, 3), (11, 2), (7, 7)):
        one, other = wave(position, column, 1e4), wave(position, column, 100.0)
        for which, value in enumerate((one, other, one - other)):
            found = colour_at(panel, which, position, column)
            assert np.abs(np.array(found) - scale.color(value).getRgb()[:3]).max() <= 4


def test_angles_differ_by_at_most_half_a_turn_in_cyclic_colours(qtbot):
    document = compared(Sinusoidal(8), Sinusoidal(8, base=100.0), seq_len=12, angles=True)
    panel, scale = shown(qtbot, "difference", document, (960, 420)), ColorScale("cyclic", -math.pi, math.pi)
    for position, pair in ((3, 1), (9, 1), (11, 2), (10, 0)):
        off = position * (1e4 ** (-pair / 4) - 100.0 ** (-pair / 4))
        expected = math.atan2(math.sin(off), math.cos(off))
        found = colour_at(panel, 2, position, pair)
        assert np.abs(np.array(found) - scale.color(expected).getRgb()[:3]).max() <= 4
    assert "angles in (−π, π]" in panel.figure.pointing.note()


def test_half_a_turn_is_plus_pi_whichever_is_subtracted():
    assert wrapped(np.array([math.pi, -math.pi, 2.0, -2.0, 4.0, -4.0])) == pytest.approx(
        [math.pi, math.pi, 2.0, -2.0, 4.0 - 2 * math.pi, 2 * math.pi - 4.0]
    )
    columns = drawn_numbers("difference", compared(Sinusoidal(2), Sinusoidal(2, offset=4), angles=True))
    assert list(columns) == [
        "position",
        *(f"{each}: angle of pair 0 (rad)" for each in ("A offset 0", "B offset 4", "A − B")),
    ]
    assert columns["A − B: angle of pair 0 (rad)"] == pytest.approx([2 * math.pi - 4.0] * 3)


def test_a_pixel_of_many_cells_has_the_mean_of_the_differences(qtbot):
    document = compared(Sinusoidal(8), Sinusoidal(8, base=100.0), seq_len=100_000)
    panel = shown(qtbot, "difference", document, (960, 420))
    figure = panel.figure
    grid = tables(panel)[2].view().grid
    picture = patches_of(panel, 2)
    cells = grid.positions.cells_a_part
    for row in (0, 17, 100):
        first, stop = math.ceil(row * cells), math.ceil((row + 1) * cells)
        means = [
            np.mean([wave(each, column, 1e4) - wave(each, column, 100.0) for each in range(first, stop)])
            for column in range(8)
        ]
        assert picture[row] == pytest.approx(means, abs=1e-5)
    assert "positions, mean" in figure.pointing.note()


def test_the_numbers_are_those_of_the_tokens():
    columns = drawn_numbers("difference", BASES)
    assert columns["position"].tolist() == [0, 1, 2]
    assert len(columns) == 1 + 3 * 8
    for column in range(8):
        expected = [wave(each, column, 1e4) - wave(each, column, 100.0) for each in range(3)]
        assert columns[f"A − B: column {column}"] == pytest.approx(expected, abs=1e-7)


def test_one_cursor_reads_out_all_three_numbers(compare):
    panel = compare.panels["difference"]
    hover(panel.view, place(panel, 2, 5, 3))
    settle()
    cursor = compare.cursor_control.cursor
    assert (cursor.position, cursor.column) == (5, 3)
    one, other = wave(5, 3, 1e4), wave(5, 3, 100.0)
    assert says(compare, f"position 5, column 3: A {one:.4g}, B {other:.4g}".replace("-", "−"))
    assert panel.figure.pointing.number() == pytest.approx(one - other, abs=1e-7)
    click(panel.view, place(panel, 0, 5, 3))
    QTest.keyClick(panel, Qt.Key.Key_Right)
    cursor = compare.cursor_control.cursor
    assert (cursor.position, cursor.column, cursor.pinned) == (5, 4, True)


def test_all_three_show_one_window(compare):
    panel = compare.panels["difference"]
    wheel(panel.view, place(panel, 1, 5, 3), 3)
    settle()
    areas = areas_of(panel)
    assert areas[1].upright[1] - areas[1].upright[0] < 8
    assert areas[0].across == areas[1].across == areas[2].across
    assert areas[0].upright == areas[1].upright == areas[2].upright
    before = areas[0].upright
    drag(panel.view, place(panel, 2, 5, 3), place(panel, 2, 6, 3))
    settle()
    assert areas[0].upright[0] < before[0]
    compare.store.edit("seq_len", 500)
    settle()
    assert areas[0].upright == areas[1].upright == areas[2].upright
    QTest.keyClick(panel, Qt.Key.Key_Home)
    assert [each.upright for each in areas] == [(-0.5, 499.5)] * 3


def test_different_widths_are_compared_over_what_both_have_and_the_note_says_so(qtbot):
    panel = shown(qtbot, "difference", compared(Rotary(8), Rotary(4)))
    note = panel.figure.pointing.note()
    assert "A has 8 columns, B 4: the first 4" in note
    assert "column 2 is the cosine of pair 2 in A and the sine of pair 0 in B" in note
    assert areas_of(panel)[2].across == (-0.5, 3.5)


def test_a_single_encoding_is_told_what_is_missing_and_a_button_adds_b(window):
    window.workspaces.choose("compare")
    settle()
    panel = window.panels["difference"]
    assert says(window, "Add a second encoding to compare. B is a suggestion.")
    (button,) = [each for each in panel.findChildren(QPushButton) if each.text() == "Add B, base 500,000"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    assert len(window.store.document.encodings) == 2
    assert panel.view.isVisible()
    assert window.store.document.encodings[1].title == "base 500,000"
    first, other = (each.encoding for each in window.store.document.encodings)
    window.cursor_control.point(Cursor(2, 2))
    settle()
    expected = float((first.values(np.array([2]), np.array([2])) - other.values(np.array([2]), np.array([2])))[0, 0])
    assert expected != 0
    assert panel.figure.pointing.number() == pytest.approx(expected)


@pytest.mark.parametrize("name", [name for name in preset_names() if name.startswith("formula")])
def test_the_b_that_is_suggested_for_a_formula_has_other_numbers(name):
    one = preset(name).encoding
    other = variant(one).encoding
    positions, columns = np.arange(8), np.arange(one.n_columns)
    assert other.n_columns == one.n_columns
    assert np.abs(one.values(positions, columns) - other.values(positions, columns)).max() > 0


def test_two_rotations_by_the_same_distances_say_where_they_differ(window):
    """Their tables hold the distances, and their difference is zero."""
    one, other = (DistanceRemap(ReRope(window=4), head_dim=16, rope_theta=base) for base in (1e4, 5e5))
    shorter = DistanceRemap(ReRope(window=3), head_dim=16)
    for pair, is_said in (((one, other), True), ((one, shorter), False)):
        window.store.replace(compared(*pair), "compare")
        window.workspaces.choose("compare")
        settle()
        assert says(window, "A and B turn by the same distances, at other speeds: Scores compares them") == is_said


@pytest.mark.one_of(2)
@pytest.mark.parametrize("family", ["sinusoidal", "rotary", "learned", "t5", "alibi", "integer"])
def test_the_first_visit_to_compare_draws_a_suggested_b_and_leaves_the_document_alone(window, family):
    window.store.edit("family", family)
    before = window.store.document
    window.workspaces.choose("compare")
    settle()
    panel = window.panels["difference"]
    assert panel.view.isVisible()
    assert says(window, "Add a second encoding to compare. B is a suggestion.")
    one, other = (each.document.encoding for each in tables(panel)[:2])
    assert one == before.encoding
    assert other == variant(one).encoding
    assert np.abs(patches_of(panel, 2)).max() > 0
    assert any(word.startswith("B ") for word in texts(panel.view))
    assert window.store.document == before
    assert len(window.panels["waves"].figure.document.encodings) == 1
    window.store.edit("seq_len", 31)
    settle()
    assert panel.figure.document.seq_len == 31
    panel.setFocus()
    act(window, "copy_picture")
    assert not QGuiApplication.clipboard().image().isNull()
    assert window.statusBar().currentMessage() == "Copied Difference as a picture"


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("family", "words"),
    [
        ("t5", "Add B, ALiBi"),
        ("alibi", "Add B, T5 bias"),
        ("integer", "Add B, Sinusoidal"),
        ("none", "Add B, Sinusoidal"),
        ("shaw", "Add B, Transformer-XL"),
        ("sinusoidal", "Add B, base 500,000"),
        ("cope", "Add B, Forget gate (FoX)"),
        ("forget_gate", "Add B, CoPE"),
        ("fire", "Add B, c 1"),
    ],
)
def test_the_second_encoding_is_never_a_copy(window, family, words):
    window.store.edit("family", family)
    window.workspaces.choose("compare")
    settle()
    panel = window.panels["difference"]
    (button,) = (each for each in panel.findChildren(QPushButton) if each.isVisible() and each.text() == words)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    first, other = (each.encoding for each in window.store.document.encodings)
    assert first != other
    assert panel.spec.missing(window.store.document) is None


@pytest.mark.parametrize("family", list(ENCODINGS))
def test_compare_begins_with_a_picture_for_each_family(family):
    assert spec_of("difference").suggested(Document().edited("family", family)) is not None


@pytest.mark.parametrize("family", ["cope", "forget_gate", "fire"])
def test_a_bias_of_one_query_is_compared_with_one_of_the_same_query(window, family):
    window.store.edit("family", family)
    window.workspaces.choose("compare")
    settle()
    panel = window.panels["difference"]
    assert panel.view.isVisible()
    one, other, apart = (patches_of(panel, which) for which in range(3))
    assert np.nanmax(np.abs(apart)) > 0
    assert apart == pytest.approx(one - other, abs=1e-6, nan_ok=True)


def test_a_scaled_model_is_compared_with_itself_without_scaling():
    scaled = Rotary(64, scaling=Yarn(4.0, 4096))
    other = variant(scaled)
    assert (other.encoding, other.source) == (Rotary(64), "no scaling")


def test_a_copy_is_one_sentence_and_a_button_shows_something_else(window):
    rope = NamedEncoding(Rotary(16))
    window.store.compare([rope, rope], 0, "compare")
    window.workspaces.choose("compare")
    settle()
    for name in ("difference", "drift"):
        panel = window.panels[name]
        (button,) = (each for each in panel.findChildren(QPushButton) if each.text() == "Show base 500,000 as B")
        assert button.isVisible()
    assert says(window, "A and B are the same.")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    document = window.store.document
    assert [each.encoding for each in document.encodings] == [Rotary(16), Rotary(16, rope_theta=5e5)]
    assert document.current == 0
    assert not says(window, "A and B are the same.")


def test_titles_are_made_of_what_differs():
    listed = [NamedEncoding(Rotary(64)), NamedEncoding(Rotary(64, rope_theta=5e5))]
    document = Document().with_encodings(listed, 0)
    assert Compared.of(document, False).names == ("A base 10,000", "B base 500,000", "A − B")
    scaled = Document().with_encodings([listed[0], NamedEncoding(Rotary(64, scaling=Yarn(4.0, 4096)))], 0)
    assert Compared.of(scaled, False).names == ("A no scaling", "B YaRN ×4", "A − B")
    named = Document().with_encodings([NamedEncoding(Rotary(64), "mine"), listed[1]], 0)
    assert Compared.of(named, False).names[0] == "A mine"


@pytest.mark.parametrize(
    ("encodings", "sentence", "family"),
    [
        ((Alibi(8), ShawRelative(8, 4)), "A has a number for each head, B for each column", "t5"),
        ((Sinusoidal(8), Alibi(8)), "A has a row for each position, B for each distance", "sinusoidal"),
        ((Alibi(8), Rotary(8)), "A has a row for each distance, B for each position", "t5"),
    ],
)
def test_tables_that_are_not_alike_are_one_sentence_and_a_button_brings_others(window, encodings, sentence, family):
    window.workspaces.choose("compare")
    window.store.edit("seq_len", 100_000)
    window.store.compare([NamedEncoding(each) for each in encodings], 0, "compare")
    settle()
    panel = window.panels["difference"]
    assert says(window, sentence)
    (button,) = [each for each in panel.findChildren(QPushButton) if each.text().endswith("as B") and each.isVisible()]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    assert window.store.document.encodings[1].encoding.family == family
    assert panel.view.isVisible()


ONE, OTHER = (np.random.default_rng(seed).normal(size=(rows, 6)) for seed, rows in ((1, 12), (2, 9)))


@pytest.mark.parametrize(
    ("one", "other", "noun"),
    [
        (LearnedTable(ONE), LearnedTable(OTHER), "column"),
        (LearnedTable(ONE, offset=2), LearnedTable(OTHER, offset=-1), "column"),
        (LearnedTable(ONE), Sinusoidal(6), "column"),
        (T5Bias(8, 20, True, 4), T5Bias(8, 40, True, 4), "head"),
        (T5Bias(8, 20, False, 4), Alibi(4), "head"),
        (ShawRelative(6, 3), ShawRelative(6, 9), "column"),
    ],
)
def test_learned_tables_and_biases_are_subtracted_where_both_have_values(qtbot, one, other, noun):
    document = compared(one, other, seq_len=16)
    panel = shown(qtbot, "difference", document, (960, 420))
    figure = panel.figure
    assert figure.spec.missing(document) is None
    assert tables(panel)[2].view().grid.whole_cells
    picture = patches_of(panel, 2)
    both = [
        position
        for position in tables(panel)[2].pointing.positions
        if one.has_value(position) and other.has_value(position)
    ]
    columns = np.arange(min(one.n_columns, other.n_columns))
    expected = one.values(np.array(both), columns) - other.values(np.array(both), columns)
    assert picture == pytest.approx(expected, abs=1e-6)
    scale = tables(panel)[2].view().colors.scale
    at = len(both) // 2
    found = colour_at(panel, 2, both[at], 2)
    assert np.abs(np.array(found) - scale.color(float(expected[at, 2])).getRgb()[:3]).max() <= 4
    panel.show_cursor(Cursor(both[at], 2, True))
    assert figure.pointing.number() == pytest.approx(expected[at, 2], abs=1e-6)
    assert f", {noun} 2: A " in figure.pointing.note()
    assert {f"{noun} {n}" for n in columns} <= {
        head.partition(": ")[2] for head in drawn_numbers("difference", document)
    }


@pytest.mark.parametrize("current", [0, 1])
def test_a_family_of_the_tokens_queries_is_subtracted_whichever_encoding_is_chosen(qtbot, current):
    listed = [NamedEncoding(each) for each in (TransformerXLRelative(2), Cope(p_max=1))]
    panel = shown(qtbot, "difference", Document(seq_len=8).with_encodings(listed, current))
    panel.figure.show_cursor(Cursor(-2, 0, query=3))
    one, other, difference = panel.figure.view().compared.numbers_at(-2, 0)
    assert difference == one - other
    panel.grab()


def test_tables_without_a_common_position_are_one_sentence():
    document = compared(LearnedTable(ONE), LearnedTable(OTHER, offset=-12), seq_len=40)
    assert "position that both have: A and B have none" in spec_of("difference").missing(document).sentence


@pytest.mark.parametrize(
    "encodings",
    [(Alibi(8), Alibi(12)), (LearnedTable(ONE), LearnedTable(OTHER)), (Rotary(128), Rotary(128, rope_theta=5e5))],
)
@pytest.mark.parametrize("angles", [False, True])
def test_pictures_are_made_in_every_format(qapp, encodings, angles):
    document = compared(*encodings, seq_len=3000, angles=angles)
    for format, begin in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        picture = Picture("difference", document, None, None)
        assert picture_bytes(picture, format, PictureOptions()).startswith(begin)
    assert "difference" in suitable_panels(document)
    assert "difference" not in suitable_panels(Document())


PANELS = ("waves", "heatmap", "tokens")


def button(panel, text):
    (found,) = [each for each in panel.findChildren(QToolButton) if each.text() == text and each.isVisible()]
    return found


def test_the_buttons_in_the_header_choose_what_is_compared(compare):
    panel = compare.panels["difference"]
    assert button(panel, "Heatmap").isChecked()
    pictures = {"heatmap": pixels_of(panel.view)}
    for text in ("Waves", "Tokens"):
        QTest.mouseClick(button(panel, text), Qt.MouseButton.LeftButton)
        settle()
        assert compare.store.document.value("compared_panel") == text.lower()
        assert button(panel, text).isChecked()
        pictures[text.lower()] = pixels_of(panel.view)
    assert Document.from_json(compare.store.document.to_json()).value("compared_panel") == "tokens"
    compare.store.undo()
    settle()
    assert compare.store.document.value("compared_panel") == "waves"
    assert (pixels_of(panel.view) == pictures["waves"]).all()
    assert not any(np.array_equal(pictures[one], pictures[other]) for one, other in combinations(PANELS, 2))


@pytest.mark.parametrize("style", [LIGHT, DARK])
def test_the_waves_pass_through_the_values_of_both_tables_and_of_their_difference(qtbot, style):
    document = compared(Sinusoidal(8), Sinusoidal(8, base=100.0), seq_len=12, compared_panel="waves")
    panel = shown(qtbot, "difference", document.edited("sentence", ""), (1100, 560), style)
    pixels = pixels_of(panel.view)
    assert all((each.view().rows.low, each.view().rows.high) == (-2, 2) for each in tables(panel))
    random = np.random.default_rng(4)
    for position, column in zip(random.integers(1, 11, 25).tolist(), random.integers(0, 8, 25).tolist(), strict=True):
        one, other = wave(position, column, 1e4), wave(position, column, 100.0)
        for area, value in zip(areas_of(panel), (one, other, one - other), strict=True):
            rect = item_rect(panel.view, area)
            colour = (style.sine, style.cosine)[column % 2]
            x, middle = rect.left() + area.to_x(float(position)), rect.top() + area.to_y(float(column))
            height = 0.4 * value / 2 * rect.height() / 8
            place = near(pixels, x, middle - height)
            assert coverage(place, colour, style.paper).max() > 0.5, (position, column, value)
            if abs(height) > 5:
                mirrored = near(pixels, x, middle + height)
                assert coverage(mirrored, colour, style.paper).max() < 0.2, (position, column, value)


@pytest.mark.parametrize("style", [LIGHT, DARK])
def test_the_boxes_of_each_token_have_the_colours_of_both_tables_and_of_their_difference(qtbot, style):
    document = compared(Sinusoidal(8), Sinusoidal(8, base=100.0), seq_len=12, compared_panel="tokens")
    panel = shown(qtbot, "difference", document, (960, 420), style)
    (figure,), pixels = tables(panel), pixels_of(panel.view)
    scale = ColorScale("dark diverging" if style is DARK else "diverging", -2.0, 2.0)
    layout, canvas = figure.view().layout, item_rect(panel.view, figure.canvas)
    for token in range(3):
        for column in range(8):
            one, other = wave(token, column, 1e4), wave(token, column, 100.0)
            for row, value in enumerate((one, other, one - other)):
                box = layout.column_rect(layout.row_rect(layout.strip(token), row), column)
                found = pixels[round(canvas.top() + box.center().y()), round(canvas.left() + box.left() + 6)]
                assert np.abs(found.astype(int) - scale.color(value).getRgb()[:3]).max() <= 4
    assert {"A", "B", "A − B", "Dan"} <= set(texts(panel.view))


def test_one_cursor_in_all_three_plots_of_waves(compare):
    compare.store.edit("compared_panel", "waves")
    settle()
    panel = compare.panels["difference"]
    hover(panel.view, place(panel, 2, 3, 5))  # across are the positions
    settle()
    cursor = compare.cursor_control.cursor
    assert (cursor.position, cursor.column) == (5, 3)
    one, other = wave(5, 3, 1e4), wave(5, 3, 100.0)
    sentence = f"position 5, column 3: A {one:.4g}, B {other:.4g}".replace("-", "−")
    assert says(compare, sentence)
    assert panel.figure.pointing.spoken().startswith(sentence)
    assert panel.figure.pointing.number() == pytest.approx(one - other, abs=1e-7)
    pixels = pixels_of(panel.view)
    for which in range(3):
        at = place(panel, which, 7.5, 5)
        assert coverage(near(pixels, at.x(), at.y()), panel.figure.style.accent, panel.figure.style.paper).max() > 0.8
    click(panel.view, place(panel, 1, 3, 5))
    QTest.keyClick(panel, Qt.Key.Key_Up)
    assert (compare.cursor_control.cursor.column, compare.cursor_control.cursor.pinned) == (4, True)


def test_one_window_in_all_three_plots_of_waves(compare):
    compare.store.edit("compared_panel", "waves")
    settle()
    panel = compare.panels["difference"]
    areas = areas_of(panel)
    wheel(panel.view, place(panel, 1, 3, 5), 3, CTRL)
    settle()
    assert areas[1].across[1] - areas[1].across[0] < 8
    assert areas[0].across == areas[1].across == areas[2].across
    before = areas[0].across
    drag(panel.view, place(panel, 2, 5, 3), place(panel, 2, 5, 2))
    settle()
    assert areas[0].across != before
    assert areas[0].across == areas[1].across == areas[2].across
    compare.store.edit("seq_len", 500)
    QTest.keyClick(panel, Qt.Key.Key_Home)
    assert [each.across for each in areas] == [(-0.5, 499.5)] * 3


@pytest.mark.parametrize("panel_name", PANELS)
def test_different_widths_are_told_in_every_picture(qtbot, panel_name):
    document = compared(Sinusoidal(8), Rotary(4), compared_panel=panel_name)
    panel = shown(qtbot, "difference", document, (960, 420))
    panel.show_cursor(Cursor(2, 6))  # which only A has
    settle()
    assert "A has 8 columns, B 4: the first 4" in panel.figure.pointing.note()
    assert panel.figure.pointing.number() is None
    assert panel.figure.pointing.spoken() == ""
    panel.show_cursor(Cursor(2, 3))
    assert panel.figure.pointing.spoken().startswith("position 2, column 3: A ")


def test_waves_and_tokens_say_that_they_show_no_angles(qtbot):
    for panel_name, told in (("waves", True), ("tokens", True), ("heatmap", False)):
        document = compared(Sinusoidal(8), Rotary(8), angles=True, compared_panel=panel_name)
        panel = shown(qtbot, "difference", document, (960, 420))
        assert ("sines and cosines, not angles" in panel.figure.pointing.note()) == told
        heads = list(drawn_numbers("difference", document))
        assert ("A − B: angle of pair 3 (rad)" in heads) != told
        assert ("A − B: column 7" in heads) == told


def test_bands_of_formulas_are_called_bounds_and_those_of_learned_tables_are_not(qtbot):
    formulas = compared(Sinusoidal(8), Sinusoidal(8, base=100.0), seq_len=5000, compared_panel="waves")
    assert "bands of the difference: bounds" in shown(qtbot, "difference", formulas, (960, 420)).figure.pointing.note()
    tables = [LearnedTable(np.random.default_rng(seed).normal(size=(5000, 4))) for seed in (1, 2)]
    learned = compared(*tables, seq_len=5000, compared_panel="waves")
    assert "bounds" not in shown(qtbot, "difference", learned, (960, 420)).figure.pointing.note()


LARGE = compared(LearnedTable.untrained(1_000_000, 512), Sinusoidal(512), seq_len=1_000_000)


@pytest.mark.parametrize("panel_name", ["waves", "heatmap"])
def test_large_learned_tables_are_read_beside_the_window_until_escape(qtbot, panel_name):
    document = LARGE.edited("compared_panel", panel_name)
    panel = shown(qtbot, "difference", document, (960, 420))
    assert panel.figure.spec.missing(document) is None
    assert "% done" in panel.figure.pointing.note()
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    settle()
    assert "stopped at" in panel.figure.pointing.note()
    panel.close()


def test_another_picture_stops_the_reading_for_the_one_before(qtbot):
    panel = shown(qtbot, "difference", LARGE.edited("compared_panel", "waves"), (960, 420))
    assert panel.figure.pictures.background.is_busy
    panel.show_document(LARGE.edited("compared_panel", "tokens"))
    settle()
    assert "% done" not in panel.figure.pointing.note()
    qtbot.waitUntil(lambda: not [each for each in threading.enumerate() if each.name.startswith("exact picture")])


@pytest.mark.one_of(2)
@pytest.mark.parametrize("panel_name", ["waves", "heatmap"])
def test_tables_that_take_long_are_as_exact_as_others(qtbot, panel_name):
    one, other = (
        np.random.default_rng(seed).standard_normal((rows, 256), np.float32)
        for seed, rows in ((1, 30_000), (2, 24_000))
    )
    document = compared(LearnedTable(one), LearnedTable(other), seq_len=32_000, compared_panel=panel_name)
    panel = shown(qtbot, "difference", document, (960, 420))
    assert panel.figure.pictures.takes_long(1.0)
    qtbot.waitUntil(lambda: "% done" not in panel.figure.pointing.note())
    settle()
    for figure in tables(panel):
        request = figure.request(1.0, False)
        each, whole = figure.pictures.render(request), request.compute()
        assert each.known is None
        if panel_name == "heatmap":
            assert each.picture == pytest.approx(whole, abs=1e-6)
        else:
            for part, expected in zip(each.picture.bands, whole.bands, strict=True):
                assert part.low == pytest.approx(expected.low)
                assert part.high == pytest.approx(expected.high)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("panel_name", PANELS)
@pytest.mark.parametrize(
    "encodings",
    [(Alibi(8), Alibi(12)), (LearnedTable(ONE), LearnedTable(OTHER)), (Rotary(128), Rotary(128, rope_theta=5e5))],
)
def test_every_picture_is_made_in_every_format(qapp, tmp_path, encodings, panel_name):
    document = compared(*encodings, seq_len=3000, compared_panel=panel_name)
    pictures = set()
    for format, begin in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        picture = Picture("difference", document, None, None)
        content = picture_bytes(picture, format, PictureOptions())
        assert content.startswith(begin)
        pictures.add(content)
    other = Picture("difference", document.edited("compared_panel", PANELS[PANELS.index(panel_name) - 1]), None, None)
    assert picture_bytes(other, "png", PictureOptions()) not in pictures
    write_drawn_numbers("difference", document, tmp_path / "difference.csv")
    head, *rows = (tmp_path / "difference.csv").read_text().splitlines()
    assert head.split(",")[0] == ("distance" if encodings[0].relative else "position")
    assert len(rows) == 3


@pytest.mark.one_of(2)
@pytest.mark.parametrize("encodings", [(Sinusoidal(8), Rotary(12)), (Alibi(8), T5Bias(8, 20, False, 4))])
def test_the_scripts_draw_the_same_three_tables(qtbot, run_plots, encodings):
    one, other = encodings
    documents = [compared(*encodings, seq_len=24, compared_panel=panel_name) for panel_name in PANELS]
    documents.append(compared(*encodings, seq_len=24, angles=True))
    scripts = [shown(qtbot, "difference", each, (960, 480)).figure.script() for each in documents]
    waves, heatmap, tokens, angles = run_plots(scripts)
    positions = np.arange(-23, 1) if one.relative else np.arange(24)
    columns = np.arange(min(one.n_columns, other.n_columns))
    entries = [each.values(positions, columns) for each in encodings]
    entries.append(entries[0] - entries[1])
    for which, table in enumerate(entries):
        assert heatmap[f"image {which} 0"] == pytest.approx(table, abs=1e-9)
    at = np.flatnonzero(positions == (-1 if one.relative else 1))[0]
    rows = tokens["image 0 0"].reshape(3, 3, len(columns))
    assert rows[1] == pytest.approx(np.array([table[at] for table in entries]), abs=1e-9)
    panel = shown(qtbot, "difference", documents[0], (960, 480))
    for which, table in enumerate(entries):
        curve = waves[f"line {which} 1"]  # after the line at zero
        whole = curve[np.isin(curve[:, 0], positions)]
        column = tables(panel)[which].view().columns[0]
        heights = tables(panel)[which].view().rows.height(table[(whole[:, 0] - positions[0]).astype(int), column])
        assert whole[:, 1] == pytest.approx(heights, abs=1e-9)
    if one.relative:
        assert angles["image 2 0"] == pytest.approx(entries[2])
    else:
        apart = positions[:, None] * (one.frequencies()[:4] - other.frequencies()[:4])
        assert np.exp(1j * angles["image 2 0"]) == pytest.approx(np.exp(1j * apart))
    assert any("Sinusoidal" in word or "ALiBi" in word for word in waves["words"])


def test_a_learned_table_among_formulas_keeps_its_own_scripts_sentence(qtbot):
    document = compared(LearnedTable(np.ones((4000, 64))), Sinusoidal(64), seq_len=4000)
    panel = shown(qtbot, "difference", document, (960, 480))
    with pytest.raises(ValueError, match="would have to be written out"):
        panel.figure.script()


@pytest.mark.parametrize("panel_name", ["waves", "heatmap"])
def test_in_a_column_of_a_page_the_tables_are_below_each_other_with_whole_titles(qapp, panel_name):
    document = compared(Rotary(128), Rotary(128, rope_theta=5e5), compared_panel=panel_name)
    with Picture("difference", document).laid_out(PictureOptions(page=NAMED_SIZES["column"]), 3.0) as page:
        view = page.view
        rects = [item_rect(view, each.area) for each in view.figure.view().figures]
        words, wide = texts(view), view.width()
    for above, below in pairwise(rects):
        assert below.top() > above.bottom()
        assert (below.left(), below.width()) == pytest.approx((above.left(), above.width()))
    assert min(rect.width() for rect in rects) > 0.4 * wide
    assert min(rect.height() for rect in rects) > 60
    assert {"A base 10,000", "B base 500,000", "A − B"} <= set(words)


@pytest.mark.parametrize("d_model", [128, 512])
def test_interleaved_tables_of_many_columns_have_sines_and_cosines_apart_in_all(qtbot, run_plots, d_model):
    one, other = Sinusoidal(d_model), Sinusoidal(d_model, base=500.0)
    panel = shown(qtbot, "difference", compared(one, other, seq_len=12), (700, 300))
    half = [Sinusoidal(d_model, base=base, layout="concatenated") for base in (1e4, 500.0)]
    values = [each.values(np.arange(12), np.arange(d_model)) for each in half]
    assert {"sines", "cosines"} <= set(texts(panel.view))
    (script,) = run_plots([panel.figure.script()])
    for which, table in enumerate((*values, values[0] - values[1])):
        drawn = table.reshape(12, 256, -1).mean(-1) if d_model == 512 else table  # wider than the script's picture
        assert script[f"image {which} 0"] == pytest.approx(drawn, abs=1e-9)
        picture = patches_of(panel, which)
        parts = np.arange(d_model) * picture.shape[1] // d_model
        slow = np.isin(np.arange(d_model), (d_model // 2 - 1, d_model - 1))
        assert picture[:, parts[slow]] == pytest.approx(table[:, slow], abs=0.02)
    pointed = []
    panel.figure.cursorMoved.connect(pointed.append)
    hover(panel.view, place(panel, 2, 3, 0))  # the mouse may be at the next place already
    hover(panel.view, place(panel, 2, 3, 0.75 * d_model))
    assert pointed[-1].column == pytest.approx(d_model // 2, abs=d_model // 32)
    assert pointed[-1].column % 2 == 1, "a cosine of the table"


def test_another_picture_may_be_chosen_while_the_tables_find_their_places(qtbot):
    document = compared(Rotary(128), Rotary(128, rope_theta=5e5), compared_panel="waves")
    panel = shown(qtbot, "difference", document, (600, 500))
    figure, other = panel.figure, document.edited("compared_panel", "tokens")
    first = tables(panel)[0]
    first.geometryChanged.connect(lambda: tables(panel)[0] is first and figure.show_document(other))
    panel.resize(320, 700)
    settle()
    assert len(tables(panel)) == 1


def test_tables_of_other_pairings_stay_in_their_order(qtbot):
    panel = shown(qtbot, "difference", compared(Rotary(256, pairing="interleaved"), Rotary(256)), (700, 300))
    assert "sin | cos" not in [each.text() for each in panel.findChildren(QToolButton)]
    assert all(each.view().ordered == each.document.encoding for each in tables(panel))


def test_the_header_and_the_notes_name_the_letter_that_is_chosen(qtbot):
    four = [Rotary(8, rope_theta=base) for base in (10000.0, 5000.0, 1000.0, 100.0)]
    panel = shown(qtbot, "difference", compared(*four, current=3, seq_len=5000, angles=True), (960, 400))
    assert panel.figure.pointing.subtitle() == "A, D and A − D"
    assert "A − D: difference of the mean directions" in panel.figure.pointing.note()


def test_angles_of_interleaved_tables_whose_sines_were_apart_say_nothing_of_sines(qtbot):
    panel = shown(qtbot, "difference", compared(Sinusoidal(512), Sinusoidal(512, base=100.0)), (960, 400))
    assert "sines and cosines apart" in panel.figure.pointing.note()
    panel.show_document(compared(Sinusoidal(512), Sinusoidal(512, base=100.0), angles=True))
    settle()
    assert "apart" not in panel.figure.pointing.note()


def test_the_name_of_columns_without_wavelengths_is_once_below_them(qtbot):
    halves = [Sinusoidal(8, base=base, layout="concatenated") for base in (10000.0, 100.0)]
    panel = shown(qtbot, "difference", compared(*halves), (960, 400))
    rect = item_rect(panel.view, tables(panel)[2]._bottom_label)
    words = [word.text for word in painted_words(panel.view) if rect.contains(QPointF(word.x, word.y))]
    assert [word for word in words if not word.isdecimal()] == ["column"]


@pytest.mark.parametrize("panel_name", ["waves", "heatmap"])
def test_titles_without_room_are_the_letters(qtbot, panel_name):
    document = compared(Rotary(128), Rotary(128, rope_theta=5e5), compared_panel=panel_name)
    wide, narrow = (shown(qtbot, "difference", document, size) for size in ((960, 420), (380, 300)))
    assert {"A base 10,000", "B base 500,000", "A − B"} <= set(texts(wide.view))
    assert {"A", "B", "A − B"} <= set(texts(narrow.view))


@pytest.mark.parametrize("panel_name", PANELS)
@pytest.mark.parametrize(
    "other",
    [Rotary(8, scaling=Yarn(4, 64, attention_factor=1e200)), Sinusoidal(8, base=1e-300), Sinusoidal(8, base=0.5)],
)
def test_extreme_tables_are_compared_with_ordinary_ones(qapp, other, panel_name):
    for encodings in ((Sinusoidal(8), other), (other, LearnedTable(ONE))):
        document = compared(*encodings, seq_len=3000, compared_panel=panel_name)
        content = picture_bytes(Picture("difference", document, Cursor(1, 1), None), "png", PictureOptions(mark=True))
        assert content.startswith(b"\x89PNG")


def test_the_labels_of_compared_waves_stay_beside_the_scroll_bar(qtbot):
    slowed = Rotary(64, scaling=Yarn(4.0, 4096))
    document = with_values(Document(seq_len=60), compared_panel="waves")
    document = document.with_encodings([NamedEncoding(Rotary(64)), NamedEncoding(slowed)], 1)
    panel = shown(qtbot, "difference", document, (940, 290))
    words = painted_words(panel.view)
    labels = [word for word in words if word.text.startswith("col ")]
    bar = max(word.x for word in words if word.text.startswith("λ 6.28"))
    assert len(labels) > 4
    assert min(word.x for word in labels) > bar + 40


@pytest.mark.one_of(3)
@pytest.mark.parametrize("panel_name", ["waves", "heatmap", "tokens"])
def test_pointing_does_nothing_where_there_is_nothing_to_compare(compare, panel_name):
    compare.store.edit("compared_panel", panel_name)
    settle()
    panel = compare.panels["difference"]
    middle = QPointF(panel.view.width() / 2, panel.view.height() / 2)
    compare.store.replace(compared(Sinusoidal(8), T5Bias(), compared_panel=panel_name), "unlike")
    settle()
    held = compare.cursor_control.cursor
    hover(panel.view, middle)
    click(panel.view, middle)
    wheel(panel.view, middle, 1)
    assert compare.cursor_control.cursor == held
    compare.store.undo()
    settle()
    if panel_name != "tokens":  # which have no plot areas
        hover(panel.view, place(panel, 0, 5, 5))
        assert compare.cursor_control.cursor.position == 5


@pytest.mark.parametrize("seq_len", [12, 1_000_000], ids=["short numbers", "long numbers"])
def test_only_the_first_heatmap_takes_the_room_of_the_axis(compare, seq_len):
    compare.store.edit("seq_len", seq_len)
    settle()
    panel = compare.panels["difference"]
    rects = [item_rect(panel.view, area) for area in areas_of(panel)]
    assert {round(rect.width()) for rect in rects} == {round(rects[0].width())}
    assert all(after.left() - before.right() < 30 for before, after in pairwise(rects))
