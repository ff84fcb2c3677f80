"""SIMILARITY: cells and lines at the likeness of two rows, at every zoom and for every family, and what is read out."""

import math
import re

import numpy as np
import pytest
from documents import with_values
from panel_bench import shown
from pixels import click, item_rect, painted_words, pixels_of, rgb, settle, texts
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from rendered import colours_of
from window_bench import says

from posenc_core import (
    Alibi,
    BinaryCode,
    Document,
    IntegerIndex,
    LearnedTable,
    NoPosition,
    Rotary,
    ShawRelative,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
    Yarn,
)
from posenc_core.analysis import similarity_cells, similarity_reach, similarity_row
from posenc_core.session import NamedEncoding
from posenc_core.tables import Cancelled
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.figures.lines.line_looks import line_pen
from posenc_gui.figures.lines.line_plot import encoding_look
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import drawn_numbers
from posenc_gui.panels.similarity.numbers import plots
from posenc_gui.plotting import Axis, width_of

WORDS = {"dot": "dot product", "cosine": "cosine", "euclidean": "Euclidean distance"}
MAPS = {"light": "CET-D1A", "dark": "CET-D4"}
TABLE = np.random.default_rng(5).normal(size=(40, 6))


def rows_of(encoding, positions):
    return encoding.values(np.array(positions), np.arange(encoding.n_columns))


def compared(one, other, measure):
    """The likeness of two rows by the book."""
    if measure == "euclidean":
        return math.dist(one, other)
    return float(one @ other) / (1.0 if measure == "dot" else math.hypot(*one) * math.hypot(*other))


def colour_at(panel, row, column, place=(0.0, 0.35)):
    """The colour of a cell, beside its number."""
    rect, area = item_rect(panel.view, panel.figure.matrix), panel.figure.matrix
    x, y = rect.left() + area.to_x(column + place[0]), rect.top() + area.to_y(row + place[1])
    return pixels_of(panel.view)[int(y), int(x), :3].astype(int)


@pytest.mark.parametrize("style", [LIGHT, DARK])
@pytest.mark.parametrize("encoding", [Sinusoidal(16), LearnedTable(TABLE), Rotary(8, scaling=Yarn(4.0, 64))])
def test_cells_have_the_colours_of_the_cosines(qtbot, encoding, style):
    panel = shown(qtbot, "similarity", Document(seq_len=8, encoding=encoding), (620, 760), style)
    rows = rows_of(encoding, range(8))
    for row, column in ((0, 0), (1, 5), (5, 1), (7, 3), (2, 6)):
        expected = colours_of(np.array([[compared(rows[row], rows[column], "cosine")]]), MAPS[style.name])[0, 0, :3]
        assert np.abs(colour_at(panel, row, column) - expected).max() <= 2


def test_cells_that_share_a_pixel_are_exact_means(qtbot):
    encoding = LearnedTable(np.random.default_rng(1).normal(size=(4000, 4)) + 0.5)
    panel = shown(qtbot, "similarity", Document(seq_len=4000, encoding=encoding), (560, 700))
    cells = panel.figure.view().likeness.cells
    step = cells.step
    assert step > 5
    rows = rows_of(encoding, range(4000))
    rows = rows / np.linalg.norm(rows, axis=1)[:, None]
    for row, column in ((3, 7), (20, 20)):
        near = rows[row * step : (row + 1) * step] @ rows[column * step : (column + 1) * step].T
        middle = (step - 1) / 2
        rect, area = item_rect(panel.view, panel.figure.matrix), panel.figure.matrix
        x = int(rect.left() + area.to_x(column * step + middle))
        y = int(rect.top() + area.to_y(row * step + middle))
        around = pixels_of(panel.view)[y - 1 : y + 2, x - 1 : x + 2, :3].astype(int)  # a cell is hardly a pixel wide
        off = np.abs(around - colours_of(np.array([[near.mean()]]))[0, 0, :3]).max(axis=2)
        assert off.min() <= 4
    assert f"cells: means over {step} × {step} positions" in panel.figure.pointing.note()


@pytest.mark.parametrize("measure", ["dot", "cosine", "euclidean"])
@pytest.mark.parametrize("encoding", [Sinusoidal(32), Rotary(32, scaling=Yarn(4.0, 64))])
def test_the_line_by_distance_is_that_of_any_two_rows(encoding, measure):
    document = with_values(Document(seq_len=101, encoding=encoding), similarity_measure=measure)
    plot = plots(document)[0]
    rows = rows_of(encoding, range(300))
    for distance in (-50, -1, 0, 2, 100):
        at = int(np.flatnonzero(plot.x == distance)[0])
        assert plot.lines[0].y[at] == pytest.approx(compared(rows[150], rows[150 + distance], measure), abs=1e-6)


@pytest.mark.parametrize("style", [LIGHT, DARK])
@pytest.mark.parametrize("measure", ["dot", "cosine", "euclidean"])
def test_all_three_measures_are_drawn_each_on_its_own_axis(qtbot, measure, style):
    document = with_values(Document(seq_len=101, encoding=Sinusoidal(32)), similarity_measure=measure)
    panel = shown(qtbot, "similarity", document, (700, 1000), style)
    plot, rows = panel.figure.view().plots[0], rows_of(Sinusoidal(32), range(101))
    others = [each for each in ("dot", "cosine", "euclidean") if each != measure]
    assert [line.name for line in plot.lines] == [WORDS[measure], *(WORDS[each] for each in others)]
    assert plot.lines[0].scale is None
    assert line_pen(style, plot.lines[0].look).widthF() > 1.5 * line_pen(style, plot.lines[1].look).widthF()
    at = int(np.flatnonzero(plot.x == 40)[0])
    for line, each in zip(plot.lines, (measure, *others), strict=True):
        assert line.y[at] == pytest.approx(compared(rows[0], rows[40], each), abs=1e-6)
    area = panel.figure.areas[0]
    rect, painted = item_rect(panel.view, area), pixels_of(panel.view)[:, :, :3].astype(int)
    distance = plot.lines[1 + others.index("euclidean")] if "euclidean" in others else plot.lines[1]
    colour = np.array(line_pen(style, distance.look).color().getRgb()[:3])
    x = round(rect.left() + area.to_x(0.0))
    y = round(rect.top() + area.to_y(float(plot.heights(distance)[plot.x == 0][0])))
    near = painted[y - 3 : y + 16, x - 8 : x + 9]  # a dash of the line, which may lie below another
    assert np.abs(near - colour).max(axis=2).min() <= 40
    for line in plot.lines[1:]:  # where the axis in a line's colour has its number, there the line has that height
        shown_value = line.scale.ticks((line.scale.first, line.scale.last), rect.height(), True)[-1]
        assert shown_value[1] in {word.text for word in painted_words(panel.view)}
        place = plot.y_scale.first + (shown_value[0] - line.scale.first) / line.scale.span * plot.y_scale.span
        between = np.interp(shown_value[0], [line.scale.first, line.scale.last], [0, 1])
        assert area.to_y(place) == pytest.approx((1 - between) * rect.height(), abs=1)


def test_the_legend_reads_all_measures_at_the_distance_of_the_cell(window):
    window.workspaces.choose("relations")
    window.resize(1440, 900)
    settle()
    panel = window.panels["similarity"]
    panel.maximiseAsked.emit(panel)  # beside others it has room for its matrix alone
    settle()
    area = panel.figure.areas[0]
    rect = item_rect(panel.view, area)
    click(panel.view, QPointF(rect.left() + area.to_x(20.0), rect.center().y()))
    settle()
    at, other = panel.figure.view().pair
    rows = rows_of(window.store.document.encoding, (at, other))
    words = {word.text for word in painted_words(panel.view)}
    for measure in ("dot", "cosine", "euclidean"):
        assert f"{compared(*rows, measure):.4g}" in words


def test_the_matrix_of_a_large_table_appears_part_by_part(qtbot, tmp_path):
    path = tmp_path / "large.npy"
    np.save(path, np.random.default_rng(2).normal(size=(8192, 768)).astype(np.float32) + 0.2)
    panel = shown(qtbot, "similarity", Document(), (620, 760))
    table = LearnedTable.from_file(path)
    panel.show_document(Document("", seq_len=8192, encoding=table))
    settle()
    figure = panel.figure
    assert re.search("[0-9]+\u00a0% done", figure.pointing.note())
    parts = []

    def is_complete():
        rendered = figure.pictures.render(figure.view().likeness)
        parts.append(1.0 if rendered.known is None else rendered.known.mean())
        return rendered.known is None

    qtbot.waitUntil(is_complete)
    assert parts[0] < 1
    assert "% done" not in figure.pointing.note()
    cells = figure.view().likeness.cells
    expected = similarity_cells(table, cells.rows, cells.columns, "cosine")
    np.testing.assert_allclose(figure.pictures.render(figure.view().likeness).picture, expected, atol=1e-9)
    settle()
    row, column = len(cells.rows) // 2, len(cells.columns) // 4
    around = cells.rect(figure.matrix, row, column).center() + item_rect(panel.view, figure.matrix).topLeft()
    painted = pixels_of(panel.view)[int(around.y()), int(around.x()), :3].astype(int)
    assert np.abs(painted - colours_of(expected[row : row + 1, column : column + 1])[0, 0, :3]).max() <= 4


def test_a_file_of_a_large_table_has_the_whole_matrix(tmp_path):
    path = tmp_path / "large.npy"
    np.save(path, np.random.default_rng(2).normal(size=(4096, 512)).astype(np.float32))
    picture = Picture("similarity", Document("", seq_len=4096, encoding=LearnedTable.from_file(path)))
    told = []
    assert len(picture_bytes(picture, "png", PictureOptions(), lambda done: not told.append(done))) > 2000
    assert told
    with pytest.raises(Cancelled):
        picture_bytes(picture, "png", PictureOptions(), lambda done: False)


def test_the_file_of_numbers_has_all_measures():
    columns = drawn_numbers("similarity", Document(seq_len=101, encoding=Sinusoidal(32)))
    assert list(columns) == [
        "distance", "dot product: Sinusoidal", "cosine: Sinusoidal", "Euclidean distance: Sinusoidal",
    ]  # fmt: skip
    dots = columns["dot product: Sinusoidal"]
    assert dots[[0, 1, 2, 5, 10, 50, 100]] == pytest.approx(
        [16, 15.314, 13.730, 11.777, 10.059, 5.899, 9.334], abs=6e-4
    )


def test_a_learned_table_has_a_mean_line_and_the_cursors_row(qtbot):
    panel = shown(qtbot, "similarity", Document(seq_len=40, encoding=LearnedTable(TABLE)), (620, 760))
    panel.show_cursor(Cursor(10, 0, True))
    settle()
    view = panel.figure.line_view(0)
    mean, row = view.plot.lines[0], view.plot.lines[-1]
    assert row.name == "row of 10"
    for other in (0, 9, 10, 39):
        at = int(np.flatnonzero(view.plot.x == other - 10)[0])
        assert row.y[at] == pytest.approx(compared(TABLE[10], TABLE[other], "cosine"), abs=1e-6)
    assert np.isnan(row.y[view.plot.x < -10]).all()
    pairs = [compared(TABLE[p], TABLE[p + 7], "cosine") for p in range(33)]
    assert mean.y[view.plot.x == 7][0] == pytest.approx(np.mean(pairs), abs=1e-6)
    assert "line: mean over the first 40 positions" in panel.figure.pointing.note()
    assert {"row of 10", "cosine", "dot product", "Euclidean distance"} <= {
        painted.text for painted in painted_words(panel.view)
    }


def test_pointing_at_a_cell_reads_three_measures(window):
    window.workspaces.choose("relations")
    settle()
    panel = window.panels["similarity"]
    rect, area = item_rect(panel.view, panel.figure.matrix), panel.figure.matrix
    click(panel.view, QPointF(rect.left() + area.to_x(20.0), rect.top() + area.to_y(12.0)))
    settle()
    at, other = panel.figure.view().pair
    assert (at, other) == (pytest.approx(12, abs=1), pytest.approx(20, abs=1))
    rows = rows_of(window.store.document.encoding, (at, other))
    assert window.cursor_control.cursor.position == at
    assert panel.figure.pointing.number() == pytest.approx(compared(*rows, "cosine"))
    assert f"{at} and {other}: dot {compared(*rows, 'dot'):.4g}, cosine " in panel.figure.pointing.subtitle()
    QTest.keyClick(panel, Qt.Key.Key_Right)
    assert panel.figure.view().pair == (at, other + 1)
    QTest.keyClick(panel, Qt.Key.Key_Down)
    assert panel.figure.view().pair == (at + 1, other + 1)
    assert window.cursor_control.cursor.position == at + 1
    assert says(window, "position vectors before W_q and W_k, not attention")


def test_words_stand_on_both_axes(qtbot):
    panel = shown(qtbot, "similarity", Document("Dan loves icecream", seq_len=3), (620, 760))
    words = [painted.text for painted in painted_words(panel.view)]
    assert [words.count(word) for word in ("Dan", "loves", "icecream")] == [2, 2, 2]


def test_other_encodings_are_lines_beside_the_chosen_one():
    both = [NamedEncoding(Sinusoidal(8)), NamedEncoding(Rotary(16))]
    document = Document().with_encodings(both, 1)
    lines = plots(document)[0].lines
    assert [line.look for line in lines[:2]] == [encoding_look(1, True), encoding_look(0)]
    assert [line.name for line in lines[2:]] == ["B dot product", "B Euclidean distance"]


def test_encodings_without_vectors_are_left_out_and_named(qtbot):
    named = [NamedEncoding(each) for each in (Sinusoidal(8), Alibi(8), Rotary(16), NoPosition())]
    document = Document().with_encodings(named, 0)
    lines = [line for line in plots(document)[0].lines if line.scale is None]
    assert [line.look for line in lines] == [encoding_look(0, True), encoding_look(2)]
    assert not [name for name in drawn_numbers("similarity", document) if ": B " in name or ": D " in name]
    note = shown(qtbot, "similarity", document, (560, 640)).figure.pointing.note()
    assert "B and D without vectors" in note


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    "encoding",
    [
        IntegerIndex(4), BinaryCode(6), NoPosition(), Alibi(4), T5Bias(32, 128, True, 4), ShawRelative(8, 4),
        TransformerXLRelative(8), Sinusoidal(7), LearnedTable(TABLE),
    ],
)  # fmt: skip
@pytest.mark.parametrize("measure", ["dot", "euclidean"])
def test_every_family_is_drawn(qtbot, encoding, measure):
    document = with_values(Document(encoding=encoding), similarity_measure=measure)
    panel = shown(qtbot, "similarity", document, (560, 640))
    settle()
    assert not panel.figure.problem
    assert np.ptp(pixels_of(panel.view)) > 100


def test_a_million_positions_need_one_vector(qtbot):
    document = Document(seq_len=1 << 20, encoding=Sinusoidal(64))
    panel = shown(qtbot, "similarity", document, (620, 760))
    values = panel.figure.pictures.render(panel.figure.view().likeness).picture
    assert values.base is not None
    assert values.shape[0] <= panel.figure.matrix.rect().height() + 1
    panel.figure.viewport.show_window(None)
    panel.figure.matrix.show_window((5000.5, 5010.5), (5002.5, 5012.5))
    settle()
    rows = rows_of(Sinusoidal(64), (5006, 5008))
    expected = colours_of(np.array([[compared(*rows, "cosine")]]))[0, 0]
    assert np.abs(colour_at(panel, 5006, 5008) - expected[:3]).max() <= 2


def test_a_held_position_is_framed_in_a_file_too():
    document = Document(seq_len=20)
    with_cursor, without = (
        picture_bytes(Picture("similarity", document, cursor), "png", PictureOptions(scale=1, mark=True))
        for cursor in (Cursor(9, 0, True), None)
    )
    assert with_cursor != without


@pytest.mark.parametrize("format", ["png", "svg", "pdf"])
def test_every_format_is_written(format):
    document = Document(encoding=LearnedTable(TABLE), seq_len=30)
    assert len(picture_bytes(Picture("similarity", document), format, PictureOptions())) > 2000


def test_the_row_of_a_position_and_the_reach_are_those_of_the_table():
    table = LearnedTable(TABLE)
    for measure in ("dot", "cosine", "euclidean"):
        row = similarity_row(table, 3, np.arange(40), measure)
        assert row == pytest.approx([compared(TABLE[3], other, measure) for other in TABLE], abs=1e-6)
    assert np.isnan(similarity_row(table, 3, [39, 40])).tolist() == [False, True]
    assert similarity_reach(table, range(40), "dot") == pytest.approx(np.abs(TABLE @ TABLE.T).max())
    assert similarity_reach(table, range(40)) == 1
    assert similarity_reach(Rotary(64), range(10**6), "dot") == pytest.approx(32)


def test_dark_and_light_have_their_own_paper(qtbot):
    for style in (LIGHT, DARK):
        panel = shown(qtbot, "similarity", Document(), (420, 420), style)
        assert np.abs(pixels_of(panel.view)[1, 1, :3].astype(int) - rgb(style.paper)).max() <= 1


def test_numbers_of_further_axes_stay_beside_their_own_axis(qtbot):
    panel = shown(qtbot, "similarity", Document(encoding=IntegerIndex(8), seq_len=60), (480, 900))
    written = texts(panel.view)
    assert "2e5" in written
    assert "200,000" not in written


def test_a_low_panel_draws_one_measure_on_one_axis_beside_its_matrix(qtbot):
    panel = shown(qtbot, "similarity", Document(encoding=Sinusoidal(8), seq_len=60), (640, 300))
    figure = panel.figure
    assert [line.name for line in figure.line_view(0).plot.lines] == ["cosine"]
    matrix, lines = item_rect(panel.view, figure.matrix), item_rect(panel.view, figure.areas[0])
    assert lines.left() > matrix.right()
    assert lines.height() == pytest.approx(matrix.height(), abs=2)
    assert lines.width() > 100
    written = texts(panel.view)
    assert not {"dot product", "Euclidean distance"} & set(written)


def test_a_small_panel_has_room_for_its_matrix_and_its_line(qtbot):
    panel = shown(qtbot, "similarity", Document("Dan loves icecream", encoding=Sinusoidal(8), seq_len=60), (270, 256))
    matrix, lines = item_rect(panel.view, panel.figure.matrix), item_rect(panel.view, panel.figure.areas[0])
    assert min(matrix.width(), matrix.height(), lines.width()) > 45
    assert matrix.width() == pytest.approx(matrix.height(), abs=15)
    assert "cosine (no unit)" in texts(panel.view)


@pytest.mark.parametrize("size", [(640, 300), (460, 300), (620, 760), (400, 900), (1100, 620)])
def test_the_matrix_is_square_and_its_axes_count_positions(qtbot, size):
    panel = shown(qtbot, "similarity", Document(encoding=Sinusoidal(8), seq_len=60), size)
    matrix = item_rect(panel.view, panel.figure.matrix)
    assert matrix.width() == pytest.approx(matrix.height(), abs=3)
    below = [word for word in painted_words(panel.view) if word.text in {"0", "20", "50"}]
    assert below


@pytest.mark.one_of(3)
@pytest.mark.parametrize("encoding", [Alibi(8), T5Bias(n_heads=8), NoPosition()])
def test_without_vectors_similarity_and_shift_are_one_sentence_and_the_others_have_their_room(window, encoding):
    window.workspaces.choose("relations")
    settle()
    widths = {name: panel.width() for name, panel in window.panels.items() if panel.isVisible()}
    window.store.replace(window.store.document.with_encoding(encoding), "another family")
    settle()
    for name, beside in (("similarity", "pairs"), ("shift", "scores")):
        panel = window.panels[name]
        assert not panel.view.isVisible()
        if window.panels[beside].view.isVisible():
            assert panel.width() < 0.75 * widths[name]
            assert window.panels[beside].width() > widths[beside]
    window.store.undo()
    settle()
    assert {name: window.panels[name].width() for name in widths} == widths


@pytest.mark.parametrize("size", [(290, 400), (330, 420), (380, 440), (330, 520)])
def test_a_panel_too_narrow_for_lines_beside_the_matrix_leaves_its_room_to_the_matrix(qtbot, size):
    panel = shown(qtbot, "similarity", Document("Dan loves icecream", encoding=Sinusoidal(8), seq_len=60), size)
    matrix = item_rect(panel.view, panel.figure.matrix)
    assert matrix.width() == pytest.approx(matrix.height(), abs=3)
    assert matrix.width() >= min(0.5 * size[0], 0.35 * size[1])
    assert {"Dan", "loves", "icecream"} <= set(texts(panel.view))


def test_a_slim_panel_with_large_text_still_has_a_matrix_to_look_at(qtbot):
    panel = shown(qtbot, "similarity", Document("Dan loves icecream"), (275, 360), LIGHT.scaled(1.5))
    assert not panel.figure.areas[0].isVisible()
    side = panel.figure.matrix.size()
    assert side.width() >= 70
    assert side.height() == pytest.approx(side.width(), abs=1)


@pytest.mark.parametrize("size", [(330, 395), (760, 800), (900, 400)])
def test_the_axis_of_the_rows_touches_the_matrix(qtbot, size):
    panel = shown(qtbot, "similarity", Document(), size)
    figure = panel.figure
    axes = [item_rect(panel.view, each) for each in figure.childItems() if isinstance(each, Axis)]
    matrix = item_rect(panel.view, figure.matrix)
    assert any(each.right() == pytest.approx(matrix.left()) and each.height() == matrix.height() for each in axes)


def test_a_line_of_a_single_position_is_a_point(qtbot):
    panel = shown(qtbot, "similarity", Document("", seq_len=1), (660, 700))
    pixels, area = pixels_of(panel.view), item_rect(panel.view, panel.figure.area)
    x, y = round(area.left() + panel.figure.area.to_x(0.0)), round(area.top() + panel.figure.area.to_y(1.0))
    assert (pixels[y - 1 : y + 2, x - 1 : x + 2].max(axis=2) < 180).any()


def test_a_name_that_is_too_long_for_the_legend_of_a_narrow_panel_ends_in_dots(qtbot):
    listed = [
        NamedEncoding(Rotary(64, 500000.0), name) for name in ("B", "the encoding of a model with a very long name")
    ]
    panel = shown(qtbot, "similarity", Document(encoding=Rotary(64)).with_encodings(listed, 0), (270, 240))
    (name,) = [word for word in painted_words(panel.view) if word.text.startswith("B the encoding of")]
    assert name.text.endswith("…")
    assert name.x + width_of(name.text, LIGHT, 11) <= panel.view.width()
