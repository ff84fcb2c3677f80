"""Every family in the waves and the heatmap: its own values at its own positions, and nothing where it has none."""

import re
from dataclasses import replace

import numpy as np
import pytest
from documents import with_values
from families import BOUNDED, FAMILIES, RELATIVE, document_of, formula, has_value, limits, shown_positions, value
from panel_bench import shown
from pixels import (
    area_of,
    coverage,
    diverging,
    hover,
    inside,
    item_rect,
    near,
    painted_words,
    pixels_of,
    rgb,
    step_of,
    texts,
    value_colour,
)
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QLabel

from posenc_core import Alibi, BinaryCode, Document, IntegerIndex, Sinusoidal
from posenc_core.encodings import RopeAxes
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.plotting.color_scale import ColorScale
from posenc_gui.plotting.plot_area import Window

AMPLITUDE = 0.4


def note(panel):
    return " ".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())


def share_of(document, position, part=0.5):
    """The share of an axis of all positions at which one stands: distances query - key run to the right and down."""
    positions = shown_positions(document)
    before = positions[-1] - position if document.encoding.relative else position - positions[0]
    return (before + part) / len(positions)


def cell_place(panel, position, column, part=(0.5, 0.5)):
    """Where a cell is while the whole table is in view."""
    document, area = panel.figure.document, area_of(panel)
    along = (share_of(document, position, part[1]), (column + part[0]) / document.encoding.n_columns)
    across, down = along if document.value("transpose") else along[::-1]
    return QPointF(area.left() + across * area.width(), area.top() + down * area.height())


def x_of(panel, position):
    area = area_of(panel)
    return area.left() + share_of(panel.figure.document, position) * area.width()


def y_of(panel, column, number):
    """The height of a column's number in the waves, all rows in view: the range fills four fifths of a row."""
    low, high = limits(panel.figure.document)
    area, rows = area_of(panel), panel.figure.document.encoding.n_columns
    height = 0.0 if low == high else AMPLITUDE * (2 * (number - low) / (high - low) - 1)
    return area.bottom() - (row_of(panel, column) + height + 0.5) / rows * area.height()


def row_of(panel, column):
    """The row of a column in the waves, in which the two columns of a pair are neighbours."""
    encoding = panel.figure.document.encoding
    blocks = encoding.column_blocks()
    if len(blocks) == 1:
        return column
    n_pairs = blocks[1][0]
    return 2 * column if column < n_pairs else 2 * (column - n_pairs) + 1


def wave_colour(encoding, column, style=LIGHT):
    return {"sin": style.sine, "cos": style.cosine}.get(encoding.column_info(column).part, style.muted)


@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("name", FAMILIES)
def test_every_cell_has_the_colour_of_its_own_number(qtbot, name, transpose):
    document = with_values(document_of(name), transpose=transpose)
    panel = shown(qtbot, "heatmap", document)
    pixels, (low, high) = pixels_of(panel.view), limits(document)
    for position in shown_positions(document):
        if not has_value(document.encoding, position):
            continue
        for column in range(document.encoding.n_columns):
            place = cell_place(panel, position, column, (0.1, 0.15))
            painted = near(pixels, place.x(), place.y(), 0)[0, 0].astype(int)
            number = value(document.encoding, position, column)
            wanted = value_colour(number, low, high, step_of(document.encoding))
            assert np.abs(painted - wanted).max() <= 3, (position, column)


@pytest.mark.parametrize("name", FAMILIES)
def test_every_curve_passes_through_its_own_numbers(qtbot, name):
    document = document_of(name, sentence="")
    panel = shown(qtbot, "waves", document, (760, 520))
    pixels = pixels_of(panel.view)
    for position in list(shown_positions(document))[1:-1]:
        if not has_value(document.encoding, position):
            continue
        for column in range(document.encoding.n_columns):
            colour = wave_colour(document.encoding, column)
            y = y_of(panel, column, value(document.encoding, position, column))
            place = near(pixels, x_of(panel, position), y)
            ground = LIGHT.grid if document.encoding.relative and position == 0 else LIGHT.paper
            assert coverage(place, colour, ground).max() > 0.5, (position, column)


@pytest.mark.parametrize(("name", "ends"), [("t5", (-11, 11)), ("shaw", (-11, 11)), ("binary", (0, 7))])
def test_stairs_run_to_the_edges_of_the_first_and_the_last_step(qtbot, name, ends):
    document = document_of(name, sentence="")
    panel = shown(qtbot, "waves", document, (760, 520))
    pixels = pixels_of(panel.view)
    for position, side in zip(ends, (-0.4, 0.4), strict=True):
        for column in range(document.encoding.n_columns):
            y = y_of(panel, column, value(document.encoding, position, column))
            place = near(pixels, x_of(panel, position + side), y)
            assert coverage(place, LIGHT.muted, LIGHT.paper).max() > 0.5, (position, column)


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("name", BOUNDED)
def test_where_there_is_no_value_there_is_a_hatch_and_no_curve(qtbot, name, style):
    document = document_of(name, sentence="a b c d e f g h i j k l")
    encoding = document.encoding
    empty = [position for position in shown_positions(document) if not has_value(encoding, position)]
    assert len(empty) >= 3
    heatmap = shown(qtbot, "heatmap", document, (640, 480), style)
    first, last = cell_place(heatmap, empty[0], 0, (0, 0)), cell_place(heatmap, 11, encoding.n_columns - 1, (1, 1))
    hatched = inside(pixels_of(heatmap.view), QRectF(first, last).adjusted(3, 3, -3, -3)).reshape(-1, 3)
    lines = coverage(hatched, style.border, style.paper)
    assert 0.05 < lines.mean() < 0.4
    assert (coverage(hatched, style.border, style.paper) + (hatched == rgb(style.paper)).all(axis=1) > 0).all()
    waves = shown(qtbot, "waves", replace(document, sentence=""), (760, 520), style)
    picture, area = pixels_of(waves.view), area_of(waves)
    beyond = picture[int(area.top()) : int(area.bottom()), round(x_of(waves, empty[0])) : round(area.right())]
    assert coverage(beyond, style.muted, style.paper).max() < 0.5
    waves.show_document(document)
    picture, area = pixels_of(waves.view), area_of(waves)
    for index in (empty[0], 11):  # the tokens stand there all the same, without a dot
        stripe = near(picture, x_of(waves, index), area.center().y(), 2)
        assert coverage(stripe, style.token(index), style.paper).max() > 0.25
    for panel in (heatmap, waves):
        assert encoding.no_value(empty[0]) in note(panel)


def test_the_sentence_stands_beside_the_averaging_and_follows_the_view(qtbot):
    document = Document("", seq_len=5000).with_encoding(BinaryCode(12))
    panel = shown(qtbot, "heatmap", document, (640, 420))
    assert "positions, mean · position 4096 needs 13 bits, but n_bits = 12" in note(panel)
    panel.figure.viewport.show_window(Window(panel.figure.viewport.window().x, (99.5, 200.5)))
    assert "bits" not in note(panel)
    assert document.encoding.no_value(4096) not in note(panel)


def test_a_few_values_among_millions_of_positions_are_still_seen(qtbot):
    panel = shown(qtbot, "heatmap", Document("", seq_len=1_000_000).with_encoding(BinaryCode(3)))
    area = area_of(panel)
    top = pixels_of(panel.view)[int(np.ceil(area.top())), round(area.left()) + 5 : round(area.right()) - 5].astype(int)
    assert np.abs(top - value_colour(0.5, 0, 1)).max() <= 6


@pytest.mark.parametrize("panel_name", ["waves", "heatmap"])
@pytest.mark.parametrize("name", FAMILIES)
def test_every_place_can_be_pointed_at(qtbot, name, panel_name):
    document = document_of(name)
    panel = shown(qtbot, panel_name, document)
    seen = []
    panel.cursorMoved.connect(seen.append)
    panel.cursorMoved.connect(panel.show_cursor)
    for position in shown_positions(document):
        if panel_name == "heatmap":
            place = cell_place(panel, position, 2)
        else:
            place = QPointF(x_of(panel, position), area_of(panel).center().y() - 8)
        hover(panel.view, place)
        assert seen[-1].position == position
    pixels_of(panel.view)


@pytest.mark.parametrize("panel_name", ["waves", "heatmap"])
@pytest.mark.parametrize("name", FAMILIES)
def test_the_axes_say_what_is_counted(qtbot, name, panel_name):
    document = document_of(name)
    panel = shown(qtbot, panel_name, document)
    words = painted_words(panel.view)
    written = [word.text for word in words]
    relative = document.encoding.relative
    assert ("distance, query − key" in written) == relative
    assert ("position" in written) != relative
    has_later_keys = relative and not document.encoding.causal
    assert any(text.startswith("−1") for text in written) or not has_later_keys
    assert not [text for text in written if "None" in text or "nan" in text or "inf" in text]
    assert all(word.x >= 0 for word in words)
    if panel_name == "heatmap":
        heads = document.encoding.column_info(0).part == "head 0"
        assert ("head" in written) == heads
        assert ("column" in written) != heads
        assert ({"head 0", "head 3"} <= set(written)) == heads
        waves = [document.encoding.column_info(column).wavelength for column in range(4 if name != "binary" else 3)]
        assert ({"fast", "slow"} <= {text.rstrip(",") for text in written}) == (None not in waves)


@pytest.mark.parametrize("name", RELATIVE)
def test_tokens_stand_at_their_distance_from_the_query_in_their_own_colours(qtbot, name):
    panel = shown(qtbot, "waves", document_of(name), (760, 520))
    for query in (None, 0, 1):
        panel.show_cursor(Cursor(9, 0, query=query))
        pixels, area = pixels_of(panel.view), area_of(panel)
        first = -(2 if query is None else query)
        seen = range(1 - first) if panel.figure.document.encoding.causal else range(3)  # later keys are masked
        for index in seen:
            x = round(x_of(panel, first + index))
            stripe = pixels[int(area.top()) + 1 : int(area.bottom()) - 1, x - 2 : x + 3]
            ground = LIGHT.grid if first + index == 0 else LIGHT.paper
            assert (coverage(stripe, LIGHT.token(index), ground).max(axis=1) > 0.25).mean() > 0.7, (query, index)
        words = sorted((word.x, word.text) for word in painted_words(panel.view) if word.text in "Dan loves icecream")
        assert [text for _, text in words] == ["Dan", "loves", "icecream"][: len(seen)][
            ::-1
        ]  # the past is at the right


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_the_distance_zero_is_marked(qtbot, style):
    panel = shown(qtbot, "waves", Document("").with_encoding(Alibi(4)), (760, 420), style)
    pixels, area = pixels_of(panel.view), area_of(panel)
    x = x_of(panel, 0)
    top = round(area.top()) + 4
    assert (near(pixels, x, top, 1) == rgb(style.grid)).all()
    assert (near(pixels, x + 20, top, 1) == rgb(style.paper)).all()


@pytest.mark.parametrize(
    ("encoding", "seq_len", "numbers"),
    [
        (IntegerIndex(4), 60, ["59", "10", "1", "0"]),
        (IntegerIndex(4, offset=-10), 60, ["49", "10", "1", "0", "−1", "−10"]),
        (IntegerIndex(4, offset=7), 1, ["7"]),
        (IntegerIndex(2), 10_000_000, ["9,999,999", "1,000,000", "100,000", "10,000", "1,000", "100", "10", "1", "0"]),
        (Alibi(8), 26, ["0", "−0.01", "−0.1", "−1", "−12.5"]),
        (BinaryCode(3), 8, ["1", "0.5", "0"]),
        (Sinusoidal(4), 8, ["1", "0", "−1"]),
        (RopeAxes(8, rule="sections", axes="t,h,w", grid="3x3"), 9, ["1", "0", "−1"]),
        (formula("exp(-(p - 8*c)^2)", d_model=4), 30, ["1", "0.5", "0"]),
    ],
)
def test_the_key_names_the_range_of_the_shown_positions(qtbot, encoding, seq_len, numbers):
    panel = shown(qtbot, "heatmap", Document("", seq_len=seq_len).with_encoding(encoding))
    key = item_rect(panel.view, panel.figure._key)
    words = sorted((word for word in painted_words(panel.view) if word.x > key.left()), key=lambda word: word.y)
    assert [word.text for word in words if not word.upwards] == numbers
    (title,) = [word.text for word in words if word.upwards]
    assert re.fullmatch(r".+ \(.+\)", title), "what the colours are, and their unit"
    assert all(word.x + 6.4 * (len(word.text) if not word.upwards else 0) <= panel.view.width() for word in words)


def test_the_waves_say_their_scale_where_it_is_not_the_usual_one(qtbot):
    panel = shown(qtbot, "waves", Document("").with_encoding(Alibi(8)))
    assert "each row from −29.5 to 0" in note(panel)
    panel.show_document(Document(""))
    assert "each row" not in note(panel)


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("integer", ["col 3 ·", "index"]),
        ("normalized", ["col 3 ·", "share"]),
        ("binary", ["col 0 ·", "bit 2", "· λ 8.0"]),
        ("learned", ["col 3 ·", "learned"]),
        ("shaw", ["col 3 ·", "learned"]),
        ("t5", ["head 3"]),
        ("alibi", ["head 3"]),
        ("transformer_xl", ["col 3 · pair 1 ·", "cos", "· λ 628.3"]),
        ("rotary", ["col 3 · pair 1 ·", "sin"]),
    ],
)
def test_rows_are_labelled_with_what_their_columns_are(qtbot, name, label):
    panel = shown(qtbot, "waves", document_of(name))
    assert set(label) <= set(texts(panel.view))


class TestColorScale:
    def colour(self, scale, number):
        return np.array(scale.color(number).getRgb()[:3])

    @pytest.mark.parametrize(("low", "high"), [(0, 59), (-59, 0), (-3, 8)])
    def test_the_middle_of_a_diverging_map_is_zero(self, low, high):
        scale = ColorScale("diverging", low, high)
        for number in (low, 0, high):
            assert np.abs(self.colour(scale, number) - diverging(number, low, high)).max() <= 1

    def test_a_map_from_dark_to_light_runs_over_the_whole_range(self):
        scale = ColorScale("viridis", 0, 59)
        assert list(scale.levels(np.array([0.0, 29.5, 59.0]))) == [0, 128, 255]

    @pytest.mark.parametrize("name", ["diverging", "viridis", "cyclic"])
    @pytest.mark.parametrize("number", [0.0, 7.0, -7.0])
    def test_equal_values_have_a_colour_too(self, name, number):
        assert self.colour(ColorScale(name, number, number), number).shape == (3,)

    def test_a_picture_is_the_same_however_the_values_lie_in_memory(self):
        values = np.arange(12.0).reshape(3, 4)
        scale = ColorScale("viridis", 0, 11)
        assert scale.image(np.asfortranarray(values)) == scale.image(values)
