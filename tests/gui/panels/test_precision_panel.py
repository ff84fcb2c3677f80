"""PRECISION: lines at the largest errors of rounded angles, the chain at the cursor, and how many positions stay."""

import math
from itertools import pairwise

import numpy as np
import pytest
from documents import with_values
from panel_bench import shown
from pixels import click, hover, item_rect, painted_words, pixels_of, rgb, settle, texts
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from window_bench import control, says

from posenc_core import Alibi, Document, Linear, Llama3, NoPosition, Proportional, Rotary, Sinusoidal, Yarn
from posenc_core.encodings.formula.rotation import RotationFormula
from posenc_core.long_context import ARITHMETICS, PrecisionCurves, precision_error
from posenc_core.session import NamedEncoding
from posenc_core.tables import Cancelled
from posenc_gui.export.drawn_numbers import csv_of
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.figures.lines.line_plot import encoding_look
from posenc_gui.files import preset
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import drawn_numbers, spec_of, suitable_panels
from posenc_gui.panels.precision.spec import ARITHMETIC, COMPUTED_BY
from posenc_gui.plotting import width_of

pytestmark = pytest.mark.one_window

PLAIN = Document().with_encoding(Rotary(128)).edited("arithmetic", "bfloat16")
APART = "769 of 4,096 positions remain distinct"


def compared(*encodings, current=0, **view):
    return with_values(Document(), **view).with_encodings([NamedEncoding(each) for each in encodings], current)


def finished(qtbot, panel):
    """The panel once everything is computed and painted."""
    qtbot.waitUntil(lambda: "% done" not in panel.figure.pointing.note() and panel.figure.pointing.note() != "")
    settle()
    qtbot.waitUntil(lambda: "remain distinct" in panel.figure.pointing.note())
    return panel


@pytest.fixture
def panel(qtbot):
    return finished(qtbot, shown(qtbot, "precision", PLAIN, (760, 620)))


def place(panel, position, error):
    """Where an error at a position is drawn, in the pixels of the view."""
    area = panel.figure.area
    rect = item_rect(panel.view, area)
    return QPointF(rect.left() + area.to_x(math.log10(position)), rect.top() + area.to_y(math.log10(error)))


def is_near(pixels, at, colour, reach=2):
    x, y = round(at.x()), round(at.y())
    around = pixels[y - reach : y + reach + 1, x - reach : x + reach + 1].reshape(-1, 3).astype(int)
    return bool((np.abs(around - rgb(colour)).max(axis=1) < 60).any())


def test_the_words_at_a_straight_line_hide_no_curve(panel):
    (plot,) = panel.figure.view().plots
    (line,) = plot.lines
    (word,) = (each for each in painted_words(panel.view) if each.text == "L 4,096")
    box = QRectF(word.x, word.y - 11, QFontMetricsF(LIGHT.font(11)).horizontalAdvance(word.text), 12)
    places_of = (place(panel, at, error) for at, error in zip(plot.x, line.y, strict=True))
    near = [each for each in places_of if box.left() <= each.x() <= box.right()]
    assert near
    assert not [each for each in near if box.contains(each)]


def test_the_arithmetics_offered_are_the_cores():
    assert tuple(value for value, _ in ARITHMETIC.choices) == ARITHMETICS


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_a_row_has_the_largest_error_of_its_positions_and_the_place_that_has_it(arithmetic):
    rotary = Rotary(64, scaling=Yarn(4.0, 4096))
    columns = drawn_numbers("precision", with_values(Document(), arithmetic=arithmetic).with_encoding(rotary))
    assert [head.partition(":")[0] for head in columns] == [
        *("first position", "last position", "largest error", "at position", "in pair"),
    ]
    first, last, error, at, pair = columns.values()
    assert (first[0], last[-1]) == (1, 16384)
    np.testing.assert_array_equal(first[1:], last[:-1] + 1)
    for row in range(len(first)):
        assert first[row] <= at[row] <= last[row]
        assert error[row] == precision_error(rotary, [int(at[row])], arithmetic)[0, int(pair[row])]
        if last[row] - first[row] < 64:
            everything = precision_error(rotary, np.arange(first[row], last[row] + 1).astype(int), arithmetic)
            assert error[row] == everything.max()
    assert csv_of(columns).splitlines()[1].startswith("1,1,")


def test_the_note_counts_the_positions_that_stay_apart_and_says_what_a_point_is(panel):
    assert panel.figure.pointing.note().split(" · ") == [
        APART,
        "Each point: largest error over up to 64 positions and all pairs",
        "the rotation alone, in bfloat16",
    ]


@pytest.mark.parametrize("size", [(250, 260), (410, 340), (760, 620)])
def test_nothing_is_said_twice(qtbot, size):
    panel = finished(qtbot, shown(qtbot, "precision", PLAIN, size))
    panel.show_cursor(Cursor(4095, 0, True))
    settle()
    note, drawn = panel.figure.pointing.note(), [text for text in texts(panel.view) if len(text) > 12]
    assert drawn
    assert not [text for text in drawn if text in note]
    assert not [part for part in note.split(" · ") if part in " · ".join(drawn)]


def test_float32_is_the_first_arithmetic_with_the_engines_that_compute_so(qtbot):
    panel = finished(qtbot, shown(qtbot, "precision", Document().with_encoding(Rotary(128)), (760, 620)))
    assert panel.figure.document.option(ARITHMETIC) == "float32"
    assert "as in transformers, SGLang, mlx-lm, exllamav3, TensorRT-LLM" in texts(panel.view)
    for source in ("LlamaRotaryEmbedding", "ggml_rope_cache_init", "get_rope"):
        assert source in panel.figure.spec.more
    mentioned = {engine.strip() for each in COMPUTED_BY.values() for engine in each.partition(" for a ")[0].split(",")}
    assert {"transformers", "vLLM", "SGLang", "mlx-lm", "exllamav3", "TensorRT-LLM", "llama.cpp"} <= mentioned


def test_bfloat16_is_one_click_away_and_one_step_of_undo(window, qtbot):
    window.store.edit("family", "rotary")
    window.workspaces.choose("long_context")
    panel = finished(qtbot, window.panels["precision"])
    before = window.store.document
    QTest.mouseClick(control(window, "Precision: bfloat16"), Qt.MouseButton.LeftButton)
    assert window.store.document.option(ARITHMETIC) == "bfloat16"
    finished(qtbot, panel)
    window.store.undo()
    assert window.store.document == before


def test_bits_are_written_on_request(qtbot):
    panel = finished(qtbot, shown(qtbot, "precision", PLAIN, (760, 620)))
    panel.show_cursor(Cursor(4095, 0, True))
    settle()
    assert not {"hexadecimal", "4580"} & set(texts(panel.view))
    panel.show_document(PLAIN.edited("precision_bits", True))
    finished(qtbot, panel)
    assert {"hexadecimal", "4580"} <= set(texts(panel.view))


def test_several_encodings_are_drawn_and_counted_by_their_letters(qtbot):
    document = compared(Rotary(128), Alibi(8), Rotary(8, rope_theta=2.0), Sinusoidal(8), arithmetic="float32")
    panel = finished(qtbot, shown(qtbot, "precision", document, (760, 620)))
    note = panel.figure.pointing.note().split(" · ")
    assert note[0] == "A: 4,096 of 4,096 positions remain distinct (C 4,096)"
    assert note[-1] == "B and D without RoPE"
    (plot,) = panel.figure.view().plots
    assert [line.look for line in plot.lines] == [encoding_look(0, is_chosen=True), encoding_look(2)]


def test_of_many_pairs_some_are_computed_and_the_note_says_so(qtbot):
    document = PLAIN.with_encoding(Rotary(65536))
    panel = finished(qtbot, shown(qtbot, "precision", document, (760, 620)))
    words = panel.figure.pointing.note().split(" · ")
    assert words[0].endswith("of the first 256 positions remain distinct")
    assert words[1].endswith("256 of 32,768 pairs, spread evenly")
    pairs = PrecisionCurves.of([Rotary(65536)], "float32", 8, 100, 100).pairs(0)
    assert (len(pairs), pairs[0], pairs[-1]) == (256, 0, 32767)


@pytest.mark.parametrize("style", [LIGHT, DARK])
def test_the_line_is_drawn_at_the_errors(qtbot, style):
    panel = finished(qtbot, shown(qtbot, "precision", PLAIN, (760, 620), style))
    pixels = pixels_of(panel.view)
    first, last, error, *_ = drawn_numbers("precision", PLAIN).values()
    for row in (0, 4, 20, 60):
        assert is_near(pixels, place(panel, (first[row] + last[row]) / 2, error[row]), style.ink)


@pytest.mark.parametrize("position", [221, 1764, 2500])
def test_a_value_in_a_row_of_names_is_beside_its_name(qtbot, position):
    name, document = "Yarn-Llama-2 7B 64k", preset("yarn-llama-2-64k")
    panel = finished(qtbot, shown(qtbot, "precision", document, (380, 330)))
    panel.show_cursor(Cursor(position, 29, True))
    words = painted_words(panel.view)
    (at,) = (word for word in words if word.text == name)
    (value,) = (word for word in words if abs(word.y - at.y) < 1 and word.x > at.x)
    plot = panel.figure.view().plots[0]
    error = float(plot.lines[0].y[plot.nearest(position)])
    assert float(value.text.replace("−", "-")) == pytest.approx(error, rel=5e-3)
    assert value.x >= at.x + width_of(name, LIGHT, 11) + 4


def test_pointing_takes_the_place_of_the_largest_error_and_a_click_holds_it(qtbot, panel):
    moved = []
    panel.cursorMoved.connect(moved.append)
    panel.cursorMoved.connect(panel.show_cursor)
    hover(panel.view, place(panel, 1000, 1.0))
    click(panel.view, place(panel, 1000, 1.0))
    assert {cursor.pinned for cursor in moved} == {False, True}
    first, _, error, at, pair = (each.astype(float) for each in drawn_numbers("precision", PLAIN).values())
    (row,) = np.flatnonzero(at == moved[-1].position)
    assert abs(math.log10(first[row] / 1000)) < 0.03
    assert moved[-1].column == pair[row]
    assert panel.figure.pointing.number() == pytest.approx(error[row], abs=1e-12)
    chain = panel.figure.view().chain
    assert [each.name for each in chain] == ["position", "inv_freq", "angle", "cos", "sin"]


def test_the_chain_of_position_4095_is_shown_with_its_bits(panel):
    panel.show_document(PLAIN.edited("precision_bits", True))
    panel.show_cursor(None)
    settle()
    before = pixels_of(panel.view)
    panel.show_cursor(Cursor(4095, 0, True))
    settle()
    assert [each.hexadecimal for each in panel.figure.view().chain] == [
        "0x4580",
        "0x3F80",
        "0x4580",
        "0x3F4E",
        "0xBF18",
    ]
    strip = item_rect(panel.view, panel.figure._strip)
    rows = slice(int(strip.top()) + 40, int(strip.bottom()))
    assert (before[rows] != pixels_of(panel.view)[rows]).any(axis=(1, 2)).sum() > 40, "a table of six rows"
    assert panel.figure.view().readout.place == "Position 4,095, pair 0: cos or sin is 0.871 off"


def test_the_arrow_keys_choose_the_place_and_the_pair(panel):
    panel.cursorMoved.connect(panel.show_cursor)
    panel.show_cursor(Cursor(500, 3, True))
    at = drawn_numbers("precision", PLAIN)["at position: Rotary (RoPE)"]
    QTest.keyClick(panel, Qt.Key.Key_Right)
    later = panel.figure.cursor
    assert later.position in at
    assert later.position > 500
    QTest.keyClick(panel, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert panel.figure.cursor.position < 500
    column = panel.figure.cursor.column
    QTest.keyClick(panel, Qt.Key.Key_Down)
    assert panel.figure.cursor.column == column + 1
    QTest.keyClick(panel, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert panel.figure.cursor.column == max(0, column - 9)


def test_another_arithmetic_is_another_line_and_another_count(window, qtbot):
    window.store.edit("family", "rotary")
    window.store.edit("head_dim", 128)
    window.workspaces.choose("long_context")
    window.store.edit("arithmetic", "bfloat16")
    panel = finished(qtbot, window.panels["precision"])
    qtbot.waitUntil(lambda: says(window, APART))
    window.store.edit("arithmetic", "float32")
    finished(qtbot, panel)
    qtbot.waitUntil(lambda: says(window, "4,096 of 4,096 positions"))
    window.store.undo()
    finished(qtbot, panel)
    qtbot.waitUntil(lambda: says(window, APART))


@pytest.mark.parametrize(("base", "is_drawn"), [(10_000.0, True), (5e-324, False)])
def test_frequencies_beyond_float32_are_a_sentence(base, is_drawn):
    formula = RotationFormula("p / b^(2*i/d)", formula_kind="rotation", d_model=65_536, base=base)
    need = spec_of("precision").missing(Document().with_encoding(formula))
    assert (need is None) is is_drawn
    assert is_drawn or "in float32" in need.sentence


def test_a_family_without_rounded_angles_gets_a_sentence_and_a_button(window):
    window.workspaces.choose("long_context")
    settle()
    panel = window.panels["precision"]
    need = "Precision needs pairs of RoPE that turn with the position: models compute their angles in float32."
    assert says(window, need)
    button = next(each for each in panel.findChildren(QPushButton) if each.isVisible() and each.text() == "Show RoPE")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    assert window.store.document.encoding.family == "rotary"
    assert panel.view.isVisible()


def test_the_curves_are_computed_beside_the_window_and_can_be_stopped(qtbot):
    document = compared(*[Rotary(65536, rope_theta=base) for base in (1e4, 1e5, 1e6, 1e7)], arithmetic="llama_cpp")
    panel = shown(qtbot, "precision", document, (760, 620))
    qtbot.waitUntil(lambda: panel._renderer.is_busy)
    assert "% done" in panel.figure.pointing.note()
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    assert panel._renderer.is_stopped
    assert "stopped at" in panel.figure.pointing.note()
    panel.hide()


def test_cancelling_leaves_the_parts_that_are_known():
    partial = PrecisionCurves.of([Rotary(128)], "float32", 64, 10**6, 4096).begin()
    with pytest.raises(Cancelled):
        partial.grow(lambda done: done < 0.02)
    n_known = int(partial.known.sum())
    assert 0 < n_known < 64
    assert np.isfinite(partial.arrays[0][:n_known]).all()
    partial.grow(lambda done: True)
    assert partial.known.all()
    assert partial.arrays[3][-1] == 4096


def test_the_cost_is_the_same_at_any_length():
    works = [PrecisionCurves.of([Rotary(128)], "float32", 256, last, 4096).work for last in (10**5, 10**7, 10**9)]
    for one, other in pairwise(works):
        assert other <= 1.25 * one


def test_pictures_and_numbers_are_exported(qapp, tmp_path):
    for format, begin in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        assert picture_bytes(Picture("precision", PLAIN, None, None), format, PictureOptions()).startswith(begin)
    assert "precision" in suitable_panels(PLAIN)
    assert "precision" not in suitable_panels(Document())


@pytest.mark.parametrize(
    "document",
    [
        compared(Rotary(2), Rotary(2, rope_theta=1.0)),
        compared(Rotary(128, scaling=Llama3(8.0, 8192)), target_length=10**9, trained_length=10**9),
        compared(Rotary(128, scaling=Linear(4.0)), target_length=1, trained_length=1),
        compared(Rotary(128, scaling=Proportional(0.5)), NoPosition(8), target_length=2, trained_length=8192),
    ],
)
def test_the_smallest_and_the_largest_are_drawn(qtbot, document):
    panel = finished(qtbot, shown(qtbot, "precision", document, (520, 420)))
    rect = item_rect(panel.view, panel.figure.area)
    picture = pixels_of(panel.view)[int(rect.top()) : int(rect.bottom()), int(rect.left()) : int(rect.right())]
    assert (np.abs(picture.astype(int) - rgb(LIGHT.paper)).max(axis=2) > 40).sum() > 100
