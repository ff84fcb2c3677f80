"""SCORES BY DISTANCE: lines at their scores in every mode, biases by head, encodings together, and refusals."""

import csv
import io
import math

import numpy as np
import pytest
from panel_bench import shown
from pixels import area_of, click, item_rect, painted_words, pixels_of, rgb, settle, texts
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from window_bench import control, says, type_number
from work import work_of

from posenc_core import Alibi, Document, IntegerIndex, Rotary, ShawRelative, T5Bias, TransformerXLRelative, View, Yarn
from posenc_core.encodings.biases.relative_bank import RelativeBank
from posenc_core.session import NamedEncoding
from posenc_gui.docks.editors.editor_base import FieldEditor
from posenc_gui.export.drawn_numbers import csv_of, write_drawn_numbers
from posenc_gui.export.page import Picture, PictureOptions
from posenc_gui.export.pictures import picture_bytes
from posenc_gui.figures.lines.line_looks import line_pen
from posenc_gui.figures.lines.line_plot import FIRST_SHADE, encoding_look
from posenc_gui.files.errors import FileError
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import drawn_numbers, figure_class
from posenc_gui.panels.scores.plots import plots, scores_of

pytestmark = pytest.mark.one_window

ROPE = Document(encoding=Rotary(128))
THETA = 10000.0 ** (-np.arange(64) / 64)


def drawn(document, name="Rotary (RoPE)", quantity="score"):
    """The distances that are drawn, and the numbers of a line."""
    numbers = drawn_numbers("scores", document)
    return numbers["distance"], numbers[f"{quantity}: {name}"]


NO_TOKEN = "the sentence has no token to take q and k from: type a sentence"


def with_view(document, **fields):
    for name, value in fields.items():
        document = document.edited(name, value)
    return document


def several(*encodings):
    return Document(encoding=encodings[0]).with_encodings([NamedEncoding(each) for each in encodings], 0)


@pytest.fixture
def relations(window):
    """The window with the workspace of relations and a rotary encoding of 64 pairs."""
    window.store.edit("family", "rotary")
    window.store.edit("head_dim", 128)
    window.workspaces.choose("relations")
    settle()
    return window


@pytest.mark.parametrize("style", [LIGHT, DARK])
def test_the_line_is_at_the_scores_of_ones(qtbot, style):
    panel = shown(qtbot, "scores", with_view(ROPE, score_distances=40), (700, 460), style)
    pixels, area = pixels_of(panel.view), panel.figure.area
    rect = item_rect(panel.view, area)
    for distance in (4, 10, 20, 30):
        x, y = area.to_x(float(distance)), area.to_y(2 * np.cos(distance * THETA).sum())
        around = pixels[round(rect.top() + y) - 2 :, round(rect.left() + x) - 1 :][:5, :3].reshape(-1, 3)
        assert (np.abs(around.astype(int) - rgb(style.ink)).max(axis=1) < 60).any(), distance


def test_the_first_negative_score_is_read_out(relations):
    assert says(relations, "first negative at 1,707 · q = k = ones")
    distances, scores = drawn(relations.store.document)
    assert distances[np.flatnonzero(scores < 0)[0]] == 1707
    type_number(relations, "up to", "1000")
    assert says(relations, "not negative up to 1,000")


def test_independent_numbers_have_mean_zero_and_the_same_deviation_at_every_distance():
    document = with_view(ROPE, score_mode="independent", score_distances=500)
    numbers = drawn_numbers("scores", document)
    assert not numbers["score: Rotary (RoPE)"].any()
    assert numbers["score: Rotary (RoPE), spread"] == pytest.approx(np.full(501, math.sqrt(128)))


def test_the_spread_is_tinted_on_both_sides_of_its_line(qtbot):
    panel = shown(qtbot, "scores", with_view(ROPE, score_mode="independent"), (700, 460))
    pixels, rect, area = pixels_of(panel.view), item_rect(panel.view, panel.figure.area), panel.figure.area

    def at(score):
        return pixels[round(rect.top() + area.to_y(score)), round(rect.left() + 0.29 * rect.width())].astype(int)

    for score in (-10.5, -6.0, 6.0, 10.5):
        assert np.abs(at(score) - rgb(LIGHT.paper)).max() > 20
    for score in (-11.9, 11.9):
        assert np.abs(at(score) - rgb(LIGHT.paper)).max() < 10


def test_the_bound_is_the_mean_of_the_partial_sums():
    distances, bound = drawn(with_view(ROPE, score_mode="bound", score_distances=60), quantity="mean of |S_j|")
    for distance in (0, 1, 17, 60):
        sums = np.abs(np.cumsum(np.exp(1j * distance * THETA)))
        assert bound[distances == distance][0] == pytest.approx(sums.mean())


def test_typed_vectors_are_scored_as_they_are_rotated():
    rope = Rotary(4)
    q, k = (1.0, 2.0, -1.0, 0.5), (0.25, -3.0, 1.0, 2.0)
    document = with_view(Document(encoding=rope), score_mode="typed", query_vector=q, key_vector=k, score_distances=30)
    distances, scores = drawn(document)
    for back in (0, 1, 9, 30):
        rotated_q, rotated_k = rope.rotate(np.array([q]), [50])[0], rope.rotate(np.array([k]), [50 - back])[0]
        assert scores[distances == back][0] == pytest.approx(float(rotated_q @ rotated_k), abs=1e-6)


def test_vectors_that_are_not_typed_are_those_of_the_tokens(relations):
    relations.store.edit("score_mode", "tokens")
    settle()
    assert says(relations, "q is icecream and k is Dan, simulated (seed 0)")


def test_a_typed_vector_is_that_of_the_other_panels_repeated_or_cut(relations):
    panel = relations.panels["scores"]
    relations.store.edit("score_mode", "typed")
    type_number(panel, "q", "1, 2, 3")
    settle()
    assert relations.store.document.view.query_vector == (1, 2, 3)
    assert says(relations, "q and k typed, repeated or cut to 128 numbers")
    q, k = np.resize([1.0, 2.0, 3.0], 128), np.resize(np.arange(8.0, 0, -1), 128)
    distances, scores = drawn(relations.store.document)
    assert scores[distances == 0][0] == pytest.approx(float(q @ k))


def test_tokens_that_are_missing_are_one_sentence_and_the_last_picture_stays(relations):
    panel = relations.panels["scores"]
    relations.store.edit("score_mode", "tokens")
    before, first = pixels_of(panel.view), panel.figure.view().plots[0].lines[0].y[0]
    relations.store.edit("sentence", "")
    settle()
    assert says(relations, NO_TOKEN)
    rect = item_rect(panel.view, panel.figure.area).toRect()
    inside = np.s_[rect.top() + 2 : rect.bottom() - 2, rect.left() + 2 : rect.right() - 2]
    if before.shape == pixels_of(panel.view).shape:
        assert np.array_equal(pixels_of(panel.view)[inside], before[inside])
    assert panel.figure.view().plots[0].lines[0].y[0] == first
    with pytest.raises(ValueError, match=NO_TOKEN):
        drawn_numbers("scores", relations.store.document)


def test_a_refused_document_leaves_no_file(tmp_path):
    document = with_view(ROPE, score_mode="tokens", sentence="")
    with pytest.raises(FileError, match=NO_TOKEN):
        write_drawn_numbers("scores", document, tmp_path / "scores.csv")
    with pytest.raises(FileError, match=NO_TOKEN):
        picture_bytes(Picture("scores", document), "png", PictureOptions())
    assert list(tmp_path.iterdir()) == []


def test_the_chosen_head_is_first_and_others_are_beside_it():
    document = with_view(Document(encoding=Alibi(8)), score_head=2, score_distances=10)
    numbers = drawn_numbers("scores", document)
    assert numbers["bias: ALiBi, head 2"] == pytest.approx(-np.arange(11) / 8)
    assert [head for head in numbers if head.startswith("bias: head")] == [
        f"bias: head {n}" for n in range(8) if n != 2
    ]
    with pytest.raises(ValueError, match=r"head 8 is outside 0\.\.7 of ALiBi"):
        drawn_numbers("scores", with_view(document, score_head=8))


def test_keys_on_both_sides_are_drawn_where_a_model_sees_both():
    t5 = T5Bias(32, 128, True, 4)
    distances, biases = drawn(with_view(Document(encoding=t5), score_distances=50), "T5 bias, head 0", "bias")
    assert distances.tolist() == list(range(-50, 51))
    assert biases == pytest.approx(t5.values(-distances.astype(int), np.array([0]))[:, 0])


def test_biases_that_settle_are_drawn_where_they_change():
    settled = Document(encoding=T5Bias(32, 128, True, 4))
    assert drawn_numbers("scores", settled)["distance"].tolist() == list(range(-256, 257))
    mixed = several(T5Bias(32, 128, True, 4), Alibi(4))
    assert drawn_numbers("scores", mixed)["distance"].max() >= 4095


@pytest.mark.parametrize("chosen", [0, 1, 2])
def test_later_keys_have_no_score_where_a_model_masks_them(chosen):
    both = [T5Bias(32, 128, True, 4), Alibi(4), TransformerXLRelative(8)]
    named = [NamedEncoding(each, name) for each, name in zip(both, "rst", strict=True)]
    numbers = drawn_numbers("scores", with_view(Document().with_encodings(named, chosen), score_distances=40))
    later = numbers["distance"] < 0
    assert later.sum() == 40
    for name, values in numbers.items():
        if "A r" in name:
            assert np.isfinite(values).all()
        elif "B s" in name or "C t" in name:
            assert np.isnan(values[later]).all(), name
            assert np.isfinite(values[~later]).all(), name
    (alibi,) = (values for name, values in numbers.items() if "B s" in name)
    assert alibi[~later] == pytest.approx(-np.arange(41) / 4)  # the first of four slopes


@pytest.mark.parametrize("encoding", [ShawRelative(8, 16), TransformerXLRelative(8)])
def test_a_query_meets_the_vectors_of_distances(encoding):
    query = tuple(np.linspace(-1, 2, 8).tolist())
    document = with_view(Document(encoding=encoding), score_mode="typed", query_vector=query, score_distances=20)
    numbers = drawn_numbers("scores", document)
    (name,) = [name for name in numbers if name.startswith("score")]
    vectors = encoding.values(-numbers["distance"].astype(int), np.arange(8))
    assert numbers[name] == pytest.approx(vectors @ np.array(query))


def test_encodings_are_drawn_together_and_one_without_scores_is_left_out(qtbot):
    document = several(Rotary(128), Rotary(128, scaling=Yarn(4.0, 4096)), IntegerIndex(4), Alibi(4))
    panel = shown(qtbot, "scores", document, (900, 520))
    lines = panel.figure.view().plots[0].lines
    assert [line.look for line in lines] == [encoding_look(0, True), encoding_look(1), encoding_look(3)]
    assert lines[1].y[0] == pytest.approx(128 * (0.1 * math.log(4) + 1) ** 2)
    assert "C is left out: " in panel.figure.pointing.note()
    assert "A first negative at 1,707 · B not negative up to 4,096" in panel.figure.pointing.note()
    colour = rgb(LIGHT.encodings[3])
    assert (np.abs(pixels_of(panel.view).astype(int) - colour).max(axis=2) < 40).sum() > 20


def test_softmax_draws_the_weights_of_a_row_and_says_what_is_left_out(relations):
    type_number(relations, "up to", "50")
    QTest.mouseClick(control(relations, "softmax"), Qt.MouseButton.LeftButton)
    settle()
    assert says(relations, "the tokens' contents are left out")
    distances, weights = drawn(relations.store.document, quantity="weight")
    scores = np.array([2 * np.cos(distance * THETA).sum() for distance in range(50)]) / math.sqrt(128)
    assert distances.tolist() == list(range(50))
    assert weights == pytest.approx(np.exp(scores) / np.exp(scores).sum())
    relations.store.edit("score_mode", "bound")
    settle()
    assert says(relations, "the mode bound has no attention weights: choose ones or typed")


def test_a_long_reach_is_thinned_and_says_so():
    document = with_view(ROPE, score_distances=1_000_000)
    distances, scores = drawn(document)
    assert len(distances) <= 4097
    step = int(distances[1])
    assert f"one distance in {step}" in shown_note(document)
    assert scores[100] == pytest.approx(2 * np.cos(100 * step * THETA).sum(), abs=1e-6)


def shown_note(document):
    figure = figure_class("scores")(LIGHT)
    figure.show_document(document)
    return figure.pointing.note()


@pytest.mark.parametrize("mode", ["ones", "bound", "independent", "typed"])
def test_the_widest_head_is_drawn_in_every_mode(mode):
    document = with_view(Document(encoding=Rotary(65536)), score_mode=mode)
    assert len(drawn(document, quantity="mean of |S_j|" if mode == "bound" else "score")[0]) >= 100


def test_four_of_the_widest_simulated_tables_take_no_longer_than_other_lines():
    """Each number of theirs is drawn anew; 104 distances of four such tables held the window for half a second."""
    tables = [NamedEncoding(ShawRelative(65536, 100_000, seed)) for seed in range(4)]
    document = Document(seq_len=100_000).with_encodings(tables, 0)
    assert work_of(lambda: scores_of(document)) < 1_000_000
    assert len(scores_of(document).distances) >= 5


def test_a_single_column_with_costly_rows_takes_no_longer_than_other_lines():
    """Each bias is a sum over 1024 profiles that are drawn anew: 4,097 distances held the window for 0.2 s."""
    document = Document(seq_len=100_000).with_encodings([NamedEncoding(RelativeBank(1024, 65_536, n_heads=1))], 0)
    assert work_of(lambda: scores_of(document)) < 300_000
    assert len(scores_of(document).distances) >= 1000


def test_a_click_moves_the_cursor_to_the_distance_and_arrow_keys_go_on(relations):
    panel = relations.panels["scores"]
    rect, area = item_rect(panel.view, panel.figure.area), panel.figure.area
    click(panel.view, QPointF(rect.left() + area.to_x(1707.0), rect.top() + 30))
    settle()
    at = relations.cursor_control.cursor.position
    assert at == pytest.approx(1707, abs=8)
    assert panel.figure.pointing.number() == pytest.approx(2 * np.cos(at * THETA).sum(), abs=1e-6)
    QTest.keyClick(panel, Qt.Key.Key_Right)
    assert relations.cursor_control.cursor.position == at + 1


def test_a_click_in_a_relative_family_points_at_the_key_before_the_query(relations):
    relations.store.edit("family", "alibi")
    relations.store.edit("score_distances", 40)
    settle()
    panel = relations.panels["scores"]
    rect, area = item_rect(panel.view, panel.figure.area), panel.figure.area
    click(panel.view, QPointF(rect.left() + area.to_x(7.0), rect.top() + 30))
    settle()
    assert relations.cursor_control.cursor.position == -7


def test_another_family_is_told_what_is_missing(window):
    window.workspaces.choose("relations")
    settle()
    panel = window.panels["scores"]
    need = "Scores by distance needs an encoding whose scores depend on the distance, such as RoPE, ALiBi or T5."
    assert says(window, need)
    (button,) = [each for each in panel.findChildren(QPushButton) if each.text() == "Show RoPE" and each.isVisible()]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    assert panel.view.isVisible()


def test_fire_without_its_network_has_no_score(window):
    window.store.edit("family", "fire")
    window.workspaces.choose("relations")
    settle()
    assert says(window, "Scores by distance needs an encoding whose scores depend on the distance, such as")
    window.store.edit("mlp", "simulated")
    settle()
    assert window.panels["scores"].view.isVisible()


def test_the_keys_of_a_query_are_counted(qtbot):
    document = Document("one two three").edited("family", "cope")
    assert shown(qtbot, "scores", document, (700, 460)).figure.pointing.note().startswith("a query with 3 keys")


def test_a_window_is_told(qtbot):
    panel = shown(qtbot, "scores", with_view(ROPE, longest_distance=127), (700, 460))
    assert "attention sees distances up to 127" in panel.figure.pointing.note()


@pytest.mark.parametrize("size", [(373, 248), (430, 260), (520, 320), (700, 460)])
@pytest.mark.parametrize("width", [64, 128])
def test_no_part_of_a_line_is_behind_the_legend(qtbot, width, size):
    panel = shown(qtbot, "scores", Document(encoding=Rotary(width, 150_000.0)), size)
    figure, (plot,) = panel.figure, panel.figure.view().plots
    assert "Rotary (RoPE)" in [each.text for each in painted_words(panel.view)]
    pixels = pixels_of(panel.view).astype(int)
    rect = item_rect(panel.view, figure.area)
    for x, y in list(zip(plot.x.tolist(), plot.lines[0].y.tolist(), strict=True))[20:]:  # beside the axis
        down, right = round(rect.top() + figure.area.to_y(y)), round(rect.left() + figure.area.to_x(x))
        around = pixels[down - 3 : down + 4, max(0, right - 2) : right + 3].reshape(-1, 3)
        assert (np.abs(around - rgb(LIGHT.ink)).max(axis=1) < 90).any(), (x, y)


@pytest.mark.parametrize("format", ["png", "svg", "pdf"])
def test_every_format_is_written(format):
    assert len(picture_bytes(Picture("scores", ROPE), format, PictureOptions())) > 2000


def test_the_file_of_numbers_has_the_lines(tmp_path):
    document = with_view(ROPE, score_distances=3)
    write_drawn_numbers("scores", document, tmp_path / "scores.csv")
    text = (tmp_path / "scores.csv").read_text(encoding="utf-8")
    assert text == csv_of(drawn_numbers("scores", document))
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["distance", "score: Rotary (RoPE)"]
    assert [float(row[1]) for row in rows[1:]] == pytest.approx([2 * np.cos(d * THETA).sum() for d in range(4)])


def test_the_fields_are_kept_by_a_session_and_undone_one_by_one(relations):
    relations.store.edit("score_mode", "bound")
    relations.store.edit("key_vector", (1.0, 2.0))
    document = relations.store.document
    assert Document.from_json(document.to_json()) == document
    relations.store.undo()
    relations.store.undo()
    assert relations.store.document.view == View()


def test_the_editors_that_have_no_effect_are_hidden(relations):
    panel = relations.panels["scores"]

    def shown() -> set[str]:
        found = panel.findChildren(FieldEditor)
        return {each.field.name for each in found if each.isVisibleTo(panel)}

    assert shown() == {"score_mode", "score_distances", "score_weights"}
    relations.store.edit("score_mode", "typed")
    assert shown() == {"score_mode", "score_distances", "query_vector", "key_vector", "score_weights"}
    relations.store.edit("family", "alibi")
    assert shown() == {"score_distances", "score_head", "score_weights"}


@pytest.mark.parametrize("size", [(330, 210), (470, 290)], ids=["1024x700", "large text"])
def test_many_heads_have_a_scale_of_colours_whose_ends_are_named_above_a_low_plot(qtbot, size):
    def light(colour):
        return 0.2126 * colour.redF() + 0.7152 * colour.greenF() + 0.0722 * colour.blueF()

    panel = shown(qtbot, "scores", Document(encoding=Alibi(8)), size)
    lines = panel.figure.view().plots[0].lines[1:]
    for theme in (LIGHT, DARK):
        lightness = [light(line_pen(theme, line.look).color()) for line in lines]
        assert lightness == sorted(lightness)
        assert len(set(lightness)) == len(lines)
    words = [word.text for word in painted_words(panel.view)]
    assert {"ALiBi, head 0", "head 1", "head 7"} <= set(words)
    assert "head 4" not in words
    assert all(line.look < FIRST_SHADE for line in drawn_lines(Document(encoding=Alibi(4))))


def drawn_lines(document):
    """The lines of the scores of a document."""
    return plots(document)[0].lines


@pytest.mark.parametrize("family", ["cope", "distance_remap"])
def test_an_empty_line_names_the_distance_at_which_the_curve_ends(relations, family):
    relations.store.edit("sentence", "one two three four five")
    relations.store.edit("family", family)
    settle()
    panel = relations.panels["scores"]
    (line,) = (each for each in panel.findChildren(QLineEdit) if each.isVisible() and each.placeholderText())
    for query in (4, 2):
        relations.cursor_control.hold(Cursor(0, 0, pinned=True, query=query))
        settle()
        distances = plots(panel.figure.document)[0].x
        assert line.placeholderText() == f"{distances[-1]:.0f}" == f"{query}"


@pytest.mark.parametrize("family", ["cope", "forget_gate"])
def test_a_bias_that_all_heads_share_has_no_choice_of_a_head(relations, family):
    relations.store.edit("score_head", 3)
    relations.store.edit("family", family)
    settle()
    panel = relations.panels["scores"]
    assert not panel.figure.problem
    assert not any(text.startswith("head") for text in texts(panel.view))
    assert not any(label.text() in ("head", "&head") for label in panel.findChildren(QLabel) if label.isVisible())
    title = relations.store.document.encoding.title
    assert title in texts(panel.view)
    relations.store.edit("family", "alibi")
    settle()
    assert f"{relations.store.document.encoding.title}, head 3" in texts(panel.view)


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_the_cursors_dot_at_the_first_distance_is_whole(qtbot, style):
    """Where it is on the edge of the plot, beside the axis."""
    panel = shown(qtbot, "scores", ROPE, style=style)
    for cursor in (None, Cursor(0, 0)):
        panel.show_cursor(cursor)
        settle()
        pixels = pixels_of(panel.view).astype(int)
        if cursor is None:
            before = pixels
    area = area_of(panel)
    left = round(area.left())
    beside = (np.abs(pixels - before).max(axis=2) > 60)[round(area.top()) : round(area.bottom())]
    assert beside[:, left - 8 : left - 5].sum() == 0
    assert 8 <= beside[:, left - 5 : left].sum() <= 32, "the left half of the circle"
