"""PAIR LENS: hands at their angles, arcs from column to column, shades, a query before and after, and the odometer."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from documents import with_values
from panel_bench import shown
from pixels import click, coverage, hover, inside, item_rect, pixels_of, rgb, settle, texts
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from window_bench import control, says, type_number

from posenc_core import Document, Embedding, Llama3, Proportional, Rotary, Sinusoidal, Yarn
from posenc_core.encodings import Alibi, LearnedTable, T5Bias
from posenc_core.session import NamedEncoding
from posenc_gui.export.paper import NAMED_SIZES
from posenc_gui.export.pictures import Picture, PictureOptions, picture_bytes
from posenc_gui.look.number_format import significant
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor, cursor_pair
from posenc_gui.panels import drawn_numbers
from posenc_gui.panels.lens.strips import role_colour

SENTENCE = "Dan loves icecream very much on hot days"
EIGHT = Document(SENTENCE, encoding=Rotary(8, pairing="interleaved"))
WIDE = Document(SENTENCE, encoding=Rotary(128))
AT_3 = Cursor(3, 2)
ROWS = json.loads((Path(__file__).parents[2] / "data" / "views.json").read_text(encoding="utf-8"))


def lens(qtbot, document=EIGHT, cursor=AT_3, size=(900, 640), style=LIGHT):
    panel = shown(qtbot, "lens", document, size, style)
    panel.show_cursor(cursor)
    settle()
    return panel


def placed(panel):
    """The lens' layout, and the place of its upper left corner in the pixels of the view."""
    figure = panel.figure
    corner = item_rect(panel.view, figure.childItems()[0]).topLeft()
    return figure.view().layout(figure.view().lens), corner


def inked(pixels, at, colour, reach=2):
    """Whether a pixel around a place has this colour."""
    x, y = round(at.x()), round(at.y())
    around = pixels[y - reach : y + reach + 1, x - reach : x + reach + 1].reshape(-1, 3).astype(int)
    return bool((np.abs(around - rgb(colour)).max(axis=1) < 40).any())


def on_circle(circle: QRectF, angle: float, share: float = 1.0) -> QPointF:
    radius = share * circle.width() / 2
    return circle.center() + QPointF(radius * math.cos(angle), -radius * math.sin(angle))


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("position", [1, 3, 6])
@pytest.mark.parametrize(
    ("encoding", "way"),
    [(Rotary(8), 1), (Rotary(8, direction=-1), -1), (Sinusoidal(8), 1), (Rotary(8, pairing="interleaved"), 1)],
)
def test_a_hand_stands_at_the_angle_of_its_pair_in_the_tokens_colour(qtbot, encoding, way, position, style):
    panel = lens(qtbot, Document(SENTENCE, encoding=encoding), Cursor(position, 0), style=style)
    layout, corner = placed(panel)
    pixels = pixels_of(panel.view)
    for pair in range(4):
        angle = way * position * 10000 ** (-pair / 4)
        circle = layout.circle(pair).translated(corner)
        assert inked(pixels, on_circle(circle, angle), style.token(position))
        assert inked(pixels, on_circle(circle, angle, 0.8), style.token(position))
        assert not inked(pixels, on_circle(circle, angle + math.pi / 2, 0.8), style.token(position))


def test_the_positions_before_are_dots_in_their_tokens_colours(qtbot):
    panel = lens(qtbot, cursor=Cursor(3, 6))
    layout, corner = placed(panel)
    pixels, circle = pixels_of(panel.view), layout.circle(0).translated(corner)
    for before in (0, 1, 2):
        x, y = (round(each) for each in on_circle(circle, before).toTuple())
        colour, paper = (pixels[y, x].astype(float) - rgb(LIGHT.paper)), rgb(LIGHT.token(before)) - rgb(LIGHT.paper)
        assert np.linalg.norm(colour) > 20
        assert colour @ paper / np.linalg.norm(colour) / np.linalg.norm(paper) > 0.95


def test_a_long_trail_is_the_last_positions_and_the_note_says_so(qtbot):
    panel = lens(qtbot, Document(SENTENCE, encoding=Rotary(8), seq_len=10**6), Cursor(900_000, 0))
    assert panel.figure.view().lens.trail.shape == (64, 4)
    assert "dots: the last 64 positions" in panel.figure.pointing.note()
    panel.show_cursor(Cursor(40, 0))
    assert panel.figure.view().lens.trail.shape == (40, 4)
    assert "dots" not in panel.figure.pointing.note()


@pytest.mark.parametrize(
    ("unit", "written"),
    [
        ("turns", ["0.477", "0.0477", "0.00477", "0.000477"]),
        ("degrees", ["172°", "17.2°", "1.72°", "0.172°"]),
        ("radians", ["3", "0.3", "0.03", "0.003"]),
    ],
)
def test_angles_are_written_into_the_circles_in_the_chosen_unit(qtbot, unit, written):
    panel = lens(qtbot, EIGHT.edited("angle_unit", unit))
    assert set(written) <= set(texts(panel.view))


def test_whole_turns_are_counted_and_backward_ones_are_negative(qtbot):
    panel = lens(qtbot, Document(SENTENCE, encoding=Rotary(8, direction=-1), seq_len=2000), Cursor(1000, 0))
    assert f"−{1000 / (2 * math.pi):.0f}" in texts(panel.view)
    assert "turns backwards" in panel.figure.pointing.note()


@pytest.mark.parametrize(
    ("encoding", "joined"),
    [
        (Rotary(8, pairing="interleaved"), [(0, 1), (2, 3), (4, 5), (6, 7)]),
        (Rotary(8), [(0, 4), (1, 5), (2, 6), (3, 7)]),
        (Rotary(8, rotary_dim=4), [(0, 2), (1, 3)]),
        (Rotary(8, rotary_dim=4, rotary_part="trailing"), [(4, 6), (5, 7)]),
        (Sinusoidal(8, layout="concatenated"), [(0, 4), (1, 5), (2, 6), (3, 7)]),
    ],
)
def test_the_arc_of_the_cursors_pair_joins_its_two_columns(qtbot, encoding, joined):
    for pair, (one, other) in enumerate(joined):
        column = encoding.combination.table_column(one)
        panel = lens(qtbot, Document(SENTENCE, encoding=encoding), Cursor(2, column))
        layout, corner = placed(panel)
        pixels, foot = pixels_of(panel.view), layout.strips["arcs"].bottom() - 3
        ends = [corner + QPointF(layout.column_x(each + 0.5), foot) for each in range(8)]
        assert [inked(pixels, end, LIGHT.accent) for end in ends] == [each in (one, other) for each in range(8)]
        assert f"pair {pair}, columns {one} and {other}" in panel.figure.pointing.note()
        panel.hide()


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("encoding", "roles"),
    [
        (Rotary(8), "tttttttt"),
        (Rotary(8, rotary_dim=4), "ttttpppp"),
        (Rotary(8, rotary_dim=4, rotary_part="trailing"), "pppptttt"),
        (Rotary(8, scaling=Proportional(0.5)), "ttssttss"),
        (Sinusoidal(7), "ttttttp"),
    ],
)
def test_columns_have_one_of_three_shades(qtbot, encoding, roles, style):
    panel = lens(qtbot, Document(SENTENCE, encoding=encoding), None, style=style)
    layout, corner = placed(panel)
    pixels, row = pixels_of(panel.view), layout.strips["columns"].center().y()
    names = {"t": "turning", "s": "standing still", "p": "passing"}
    shades = {letter: rgb(role_colour(style, name)) for letter, name in names.items()}
    assert all(np.abs(shades[a] - shades[b]).sum() > 90 for a, b in ("ts", "tp", "sp"))
    for column, role in enumerate(roles):
        place = corner + QPointF(layout.column_x(column + 0.5), row)
        assert np.abs(pixels[round(place.y()), round(place.x())] - shades[role]).max() <= 1, column
    assert {names[role] for role in roles} <= set(texts(panel.view))


def test_a_pair_of_frequency_0_stands_still_and_says_so(qtbot):
    panel = lens(qtbot, Document(SENTENCE, encoding=Rotary(8, scaling=Proportional(0.5))), Cursor(3, 2))
    assert "pair 2, columns 2 and 6, does not turn" in panel.figure.pointing.note()


def test_the_query_before_and_after_is_the_rotation_and_keeps_its_length(qtbot):
    panel = lens(qtbot, EIGHT, Cursor(3, 2))
    vectors = panel.figure.view().lens.vectors
    assert vectors.before.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    for pair in range(4):
        turned = complex(2 * pair + 1, 2 * pair + 2) * np.exp(3j * 10000 ** (-pair / 4))
        assert complex(*vectors.after[2 * pair : 2 * pair + 2]) == pytest.approx(turned)
    assert "Your q; length unchanged (14.28)" in panel.figure.pointing.note()
    layout, corner = placed(panel)
    pixels, largest = pixels_of(panel.view), np.abs([vectors.before, vectors.after]).max()
    for name, values in (("before", vectors.before), ("after", vectors.after)):
        strip = layout.strips[name]
        for column in (0, 5, 7):
            x = round(corner.x() + layout.column_x(column + 0.5))
            top, bottom = round(corner.y() + strip.top()), round(corner.y() + strip.bottom())
            colour = rgb(LIGHT.muted if name == "before" else LIGHT.ink)
            tall = (np.abs(pixels[top:bottom, x].astype(int) - colour).max(axis=1) < 30).sum()
            assert tall == pytest.approx(abs(values[column]) / largest * (strip.height() / 2 - 1.5), abs=1.6)


def test_a_wide_head_has_the_numbers_of_the_shown_pairs_at_the_standard_size(qtbot):
    """128 bars would be 5 pixels wide: each pair that is shown has two, with their numbers."""
    document = Document(SENTENCE, encoding=Rotary(128))
    panel = shown(qtbot, "lens", document, (840, 380))
    panel.show_cursor(Cursor(3, 2))
    settle()
    lens, (layout, corner) = panel.figure.view().lens, placed(panel)
    written = texts(panel.view)
    for columns in zip(*lens.columns, strict=True):
        for column in columns:
            assert significant(lens.vectors.before[column], 3) in written
    pixels = pixels_of(panel.view)
    for index, pair in enumerate(lens.pairs.tolist()):
        share = layout.share("before", index, len(lens.pairs)).translated(corner)
        colour = LIGHT.accent if pair == lens.marked else LIGHT.muted
        found = coverage(inside(pixels, share), colour, LIGHT.paper) > 0.9
        assert found.any(axis=0).sum() >= 10, "a bar can be seen"
        pointed = panel.figure.pointing.pointed(*(share.center() - corner).toTuple(), True)
        assert cursor_pair(document.encoding, pointed) == pair


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (WIDE, "Your q, repeated to fill the head; length unchanged (57.13)"),
        (Document(SENTENCE, encoding=Rotary(4)), "Your q, first 4 of 8 numbers; length"),
        (Document(SENTENCE, encoding=Rotary(8), embedding=Embedding("simulated")), "q simulated (seed 0)"),
        (Document(SENTENCE, encoding=Sinusoidal(8)), "Your vector; length"),
    ],
)
def test_the_note_says_where_the_vector_is_from(qtbot, document, words):
    assert words in lens(qtbot, document).figure.pointing.note()


def test_a_vector_beyond_float64_is_one_sentence_and_the_rest_is_drawn(qtbot):
    document = Document(SENTENCE, encoding=Rotary(8, scaling=Yarn(4.0, 4096, attention_factor=1e300)))
    panel = lens(qtbot, document.edited("query_vector", (1e100,)))
    assert "a number of the vector is beyond float64" in panel.figure.pointing.note()
    assert "pair 3 · columns 3, 7" in texts(panel.view)


@pytest.mark.parametrize("row", [row for row in ROWS if row["view"] == "odometer"], ids=lambda row: str(row["inputs"]))
def test_the_odometer_has_the_turns_of_the_check_values(qtbot, row):
    params, inputs = row["params"], row["inputs"]
    document = Document(SENTENCE, encoding=Sinusoidal(params["d_model"], float(params["base"])), seq_len=2000)
    panel = lens(qtbot, document, Cursor(inputs["position"], 0))
    fraction = panel.figure.view().lens.fractions[inputs["pair"]]
    assert fraction == pytest.approx(row["value"], rel=1e-9)
    layout, corner = placed(panel)
    cell = layout.share("levels", inputs["pair"], 4).translated(corner)
    column = pixels_of(panel.view)[round(cell.top()) + 3 : round(cell.bottom()), round(cell.left()) + 6].astype(int)
    filled = np.abs(column - rgb(LIGHT.ground)).max(axis=1) > 20
    assert filled.mean() == pytest.approx(fraction, abs=0.06)


@pytest.mark.parametrize(("position", "bits"), [(0, "00000000"), (6, "01100000"), (300, "001101001")])
def test_the_bits_of_the_position_run_from_fast_to_slow(qtbot, position, bits):
    panel = lens(qtbot, EIGHT.edited("seq_len", 500), Cursor(position, 0))
    assert "".join(map(str, panel.figure.view().lens.bits)) == bits
    layout, corner = placed(panel)
    pixels = pixels_of(panel.view)
    for index, bit in enumerate(bits):
        cell = layout.share("bits", index, len(bits)).translated(corner)
        assert inked(pixels, cell.topLeft() + QPointF(5, 5), LIGHT.ink if bit == "1" else LIGHT.ground, 0)


@pytest.mark.parametrize("count", [1, 3, 8, 16])
def test_as_many_pairs_as_asked_for_are_spread_from_the_first_to_the_last(qtbot, count):
    panel = lens(qtbot, WIDE.edited("n_clocks", count), Cursor(1, 0))
    pairs = panel.figure.view().lens.pairs.tolist()
    assert len(pairs) == len(set(pairs)) == count
    assert pairs[0] == 0
    assert count == 1 or pairs[-1] == 63
    assert f"{count} of 64 pairs" in panel.figure.pointing.note()
    layout, _ = placed(panel)
    circles = [layout.circle(index) for index in range(count)]
    assert all(circle.width() > 40 for circle in circles)
    assert not any(one.intersects(other) for one in circles for other in circles if one is not other)


def test_the_cursors_pair_is_among_those_that_are_shown(qtbot):
    panel = lens(qtbot, WIDE, Cursor(1, 20))
    assert 20 in panel.figure.view().lens.pairs
    assert len(panel.figure.view().lens.pairs) == 8
    panel.show_cursor(Cursor(1, 64 + 33))
    assert 33 in panel.figure.view().lens.pairs


@pytest.fixture
def rotation(window):
    """The window with the workspace of rotation and a rotary encoding of 64 pairs."""
    window.store.edit("family", "rotary")
    window.store.edit("head_dim", 128)
    window.workspaces.choose("rotation")
    settle()
    return window


def test_pointing_at_a_clock_a_level_or_a_column_marks_its_pair(rotation):
    panel, cursor = rotation.panels["lens"], rotation.cursor_control
    rotation.workspaces.maximise(panel)
    settle()
    layout, corner = placed(panel)
    pairs = panel.figure.view().lens.pairs
    hover(panel.view, corner + layout.circle(3).center())
    assert (cursor.cursor.column, cursor.cursor.pinned) == (pairs[3], False)
    hover(panel.view, corner + layout.share("levels", 5, 8).center())
    assert cursor.cursor.column == pairs[5]
    click(panel.view, corner + QPointF(layout.column_x(100.5), layout.strips["columns"].center().y()))
    assert (cursor.cursor.column, cursor.cursor.pinned) == (100, True)
    assert panel.figure.view().lens.marked == 36
    assert says(rotation, "pair 36, columns 36 and 100")


def test_pointing_at_a_trailing_column_names_the_one_of_the_table(qtbot):
    document = Document(
        SENTENCE, encoding=Rotary(8, rotary_dim=4, rotary_part="trailing"), embedding=Embedding("simulated")
    )
    panel, moved = lens(qtbot, document), []
    panel.cursorMoved.connect(moved.append)
    layout, corner = placed(panel)
    row = layout.strips["columns"].center().y()
    for column, table in ((4, 0), (7, 3), (0, 4)):
        hover(panel.view, corner + QPointF(layout.column_x(column + 0.5), row))
        assert moved[-1] == Cursor(3, table)


def test_the_keys_choose_the_pair_and_the_position(qtbot):
    panel = lens(qtbot, WIDE, Cursor(3, 70))
    panel.cursorMoved.connect(panel.show_cursor)
    for key, place in (
        (Qt.Key.Key_Right, (3, 7)),
        (Qt.Key.Key_Down, (4, 7)),
        (Qt.Key.Key_Left, (4, 6)),
        (Qt.Key.Key_Up, (3, 6)),
    ):
        QTest.keyClick(panel, key)
        assert panel.figure.cursor == Cursor(*place, pinned=True)
    QTest.keyClick(panel, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert panel.figure.cursor == Cursor(3, 16, pinned=True)
    assert panel.figure.pointing.number() == pytest.approx(3 * 10000 ** (-16 / 64))


def test_the_panels_editors_change_the_document(rotation):
    type_number(rotation, "pairs", "3")
    assert len(rotation.panels["lens"].figure.view().lens.pairs) == 3
    type_number(rotation, "pairs", "17")
    assert says(rotation, "n_clocks must be an integer <= 16, got 17")
    assert len(rotation.panels["lens"].figure.view().lens.pairs) == 3
    box = control(rotation.panels["lens"], "q")
    box.setPlainText("3, 4")
    QTest.keyClick(box, Qt.Key.Key_Return)
    settle()
    assert rotation.store.document.view.query_vector == (3, 4)
    assert rotation.panels["lens"].figure.view().lens.vectors.before[:4].tolist() == [3, 4, 3, 4]


@pytest.mark.parametrize("encoding", [T5Bias(), Alibi(8), LearnedTable()], ids=lambda each: each.family)
def test_another_family_is_told_what_is_missing_and_a_button_brings_it(window, encoding):
    window.store.edit("family", encoding.family)
    window.workspaces.choose("rotation")
    settle()
    assert says(window, "Pair lens needs pairs of sines and cosines of positions.")
    assert says(window, "Three ways needs pairs of RoPE that turn with the position.")
    panel = window.panels["lens"]
    (button,) = [each for each in panel.findChildren(QPushButton) if each.text() == "Show RoPE"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    assert window.store.document.encoding.family == "rotary"
    assert panel.view.isVisible()
    assert window.panels["ways"].view.isVisible()


@pytest.mark.parametrize(
    "encoding",
    [Rotary(2), Sinusoidal(2), Rotary(65536), Rotary(8, rope_theta=1e-300), Rotary(64, scaling=Llama3(8.0, 8192))],
    ids=lambda each: f"{each.family}{each.n_columns}",
)
@pytest.mark.parametrize("size", [(340, 300), (560, 280), (1000, 800)])
def test_the_smallest_and_the_largest_encodings_are_drawn_at_every_size(qtbot, encoding, size):
    document = with_values(Document("one", encoding=encoding, seq_len=10**6), n_clocks=16)
    panel = lens(qtbot, document, Cursor(999_999, 0), size)
    assert (pixels_of(panel.view) != 255).any(axis=2).mean() > 0.02
    assert "position 999,999" in texts(panel.view)
    written = [text for text in texts(panel.view) if text.startswith("pair ") or ", " in text]
    assert written or encoding.n_columns > 4


def test_the_numbers_are_the_turns_of_the_shown_pairs_at_every_token():
    columns = drawn_numbers("lens", EIGHT)
    assert list(columns) == ["position", *(f"turns of pair {i} (columns {2 * i} and {2 * i + 1})" for i in range(4))]
    assert columns["position"].tolist() == list(range(8))
    for pair in range(4):
        expected = np.arange(8) * 10000 ** (-pair / 4) / (2 * math.pi)
        assert list(columns.values())[1 + pair] == pytest.approx(expected)
    assert len(drawn_numbers("lens", Document("", encoding=Rotary(8)))["position"]) == 1


@pytest.mark.parametrize("format", ["png", "svg", "pdf"])
def test_the_lens_is_written_in_every_format(format):
    content = picture_bytes(Picture("lens", WIDE, Cursor(3, 20)), format, PictureOptions(mark=True))
    assert len(content) > 4000
    if format == "svg":
        words = content.decode()
        assert "pair 20" in words
        assert "position 3" in words
        unmarked = picture_bytes(Picture("lens", WIDE, Cursor(3, 20)), format, PictureOptions()).decode()
        assert LIGHT.accent in words
        assert unmarked.count(LIGHT.accent) < words.count(LIGHT.accent)


def compared_with(*others):
    return EIGHT.with_encodings([NamedEncoding(each) for each in (EIGHT.encoding, *others)], 0)


def test_a_compared_table_is_added_to_the_query_that_is_turned(qtbot):
    panel = lens(qtbot, compared_with(Sinusoidal(8)))
    angles = 3 * 10000.0 ** (-np.arange(0, 8, 2) / 8)
    row = np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()
    vectors = panel.figure.view().lens.vectors
    assert vectors.sum.row == pytest.approx(row, abs=1e-15)
    assert vectors.sum.after == pytest.approx(np.arange(1, 9) + row, abs=1e-15)
    assert {"q turned", "row of B", "q + B"} <= set(texts(panel.view))
    assert f"q + B: {significant(float(np.linalg.norm(np.arange(1, 9) + row)), 4)}" in panel.figure.pointing.note()


@pytest.mark.parametrize("other", [Sinusoidal(16), Alibi(8)])
def test_a_table_of_another_width_or_without_a_row_here_is_not_added(qtbot, other):
    assert lens(qtbot, compared_with(other)).figure.view().lens.vectors.sum is None


@pytest.mark.parametrize("position", [0, 2, 7, 59])
def test_each_pair_has_its_part_of_a_turn_as_a_number_in_a_journal_column(qapp, position):
    picture = Picture("lens", WIDE, Cursor(position, 0))
    with picture.laid_out(PictureOptions(page=NAMED_SIZES["column"]), 3.0) as page:
        words = texts(page.view)
    numbers = words[words.index("turns mod 1") + 1 :][:8]
    for pair, text in zip((0, 9, 18, 27, 36, 45, 54, 63), numbers, strict=True):
        turned = position * 10000 ** (-pair / 64) / (2 * math.pi) % 1
        assert float(text.replace("−", "-")) == pytest.approx(turned, rel=0.5, abs=0.005)
