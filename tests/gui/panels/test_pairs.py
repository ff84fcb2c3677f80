"""Token pairs: each cell has the colour of its number, is pointed at as query and key, and what has none is hatched."""

import re

import numpy as np
import pytest
from families import limits
from panel_bench import shown
from pixels import (
    area_of,
    click,
    coverage,
    hover,
    near,
    painted_words,
    pixels_of,
    rgb,
    settle,
    step_of,
    texts,
    value_colour,
)
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from posenc_core import Alibi, Document, Sinusoidal
from posenc_core.analysis.token_pairs import pair_reach
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels.pairs.cells import sample_of

SENTENCE = "Dan loves icecream very much"
COUNT = 5


def document(family, sentence=SENTENCE, **parameters):
    made = Document(sentence).edited("family", family)
    for name, value in parameters.items():
        made = made.edited(name, value)
    return made


def cell(panel, query, key, dx=0.12, dy=0.12, count=COUNT):
    """A place in the cell, by default near its upper left corner, where there is neither number nor line."""
    area = area_of(panel)
    return QPointF(area.left() + (key + dx) * area.width() / count, area.top() + (query + dy) * area.height() / count)


def notes(panel):
    return " ".join(label.text() for label in panel.findChildren(QLabel))


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("family", ["t5", "shaw", "transformer_xl", "alibi"])
def test_a_cell_has_the_colour_of_the_encoding_at_its_distance(qtbot, family, style):
    made = document(family)
    panel = shown(qtbot, "pairs", made, (760, 562), style)
    panel.show_cursor(Cursor(-1, 3, query=1))
    pixels, (low, high) = pixels_of(panel.view), limits(made)
    for query in range(COUNT):
        for key in range(query + 1 if made.encoding.causal else COUNT):
            value = made.encoding.values(np.array([key - query]), np.array([3]))[0, 0]
            place = cell(panel, query, key, dx=0.06, dy=0.86)
            found = pixels[int(place.y()), int(place.x())].astype(int)
            wanted = value_colour(value, low, high, step_of(made.encoding), style is DARK)
            assert np.abs(found - wanted).max() <= 2, (query, key)
    assert f"{'head' if family in ('t5', 'alibi') else 'column'} 3" in notes(panel)


@pytest.mark.parametrize("family", ["sinusoidal", "rotary", "integer", "learned"])
def test_absolute_families_show_dot_products_of_rows(qtbot, family):
    made = document(family)
    panel = shown(qtbot, "pairs", made, (760, 560))
    panel.show_cursor(Cursor(2, 1))
    rows = made.encoding.values(np.arange(COUNT), np.arange(made.encoding.n_columns))
    pixels, reach = pixels_of(panel.view), pair_reach(made.encoding, 0, COUNT)
    low = 0.0 if family == "integer" else -reach
    for query, key in np.ndindex(COUNT, COUNT):
        place = cell(panel, query, key)
        found = pixels[int(place.y()), int(place.x())].astype(int)
        wanted = value_colour(rows[query] @ rows[key], low, reach)
        assert np.abs(found - wanted).max() <= 3, (query, key)
    assert "dot product of the two positions' rows" in notes(panel)


def test_words_stand_on_both_axes_and_numbers_in_the_cells(qtbot):
    panel = shown(qtbot, "pairs", document("alibi"), (900, 620))
    panel.show_cursor(Cursor(-1, 0, query=4))
    for word in SENTENCE.split():
        assert texts(panel.view).count(word) == 2
    first = {word.text for word in painted_words(panel.view)}
    assert {"−2.000", "−0.500", "0.000", "query", "key"} <= first


def test_pointing_chooses_query_and_key_and_keeps_the_column(qtbot):
    panel = shown(qtbot, "pairs", document("t5"), (760, 560))
    panel.show_cursor(Cursor(0, 3))
    moved = []
    panel.cursorMoved.connect(moved.append)
    hover(panel.view, cell(panel, 3, 1))
    assert moved[-1] == Cursor(-2, 3, False, 3)
    click(panel.view, cell(panel, 0, 4))
    assert Cursor(4, 3, True, 0) in moved


def test_in_absolute_families_pointing_chooses_the_key_and_the_query(qtbot):
    panel = shown(qtbot, "pairs", document("sinusoidal"), (760, 560))
    panel.show_cursor(Cursor(0, 3))
    moved = []
    panel.cursorMoved.connect(moved.append)
    click(panel.view, cell(panel, 3, 1))
    assert Cursor(1, 3, True, 3) in moved


def test_arrows_move_the_key_and_the_query(qtbot):
    panel = shown(qtbot, "pairs", document("t5"), (760, 560))
    panel.cursorMoved.connect(panel.show_cursor)
    panel.show_cursor(Cursor(-1, 3, True, 2))
    for key, wanted in (
        (Qt.Key.Key_Left, (2, 0)),
        (Qt.Key.Key_Left, (2, 0)),
        (Qt.Key.Key_Down, (3, 0)),
        (Qt.Key.Key_Right, (3, 1)),
        (Qt.Key.Key_Up, (2, 1)),
    ):
        QTest.keyClick(panel, key)
        query, at = wanted
        assert panel.figure.cursor == Cursor(at - query, 3, True, query)


def test_the_cursors_query_and_key_are_framed(qtbot):
    panel = shown(qtbot, "pairs", document("t5"), (760, 560))
    panel.show_cursor(Cursor(0, 3, True, 0))
    before = pixels_of(panel.view)
    panel.show_cursor(Cursor(-2, 3, True, 3))
    area = area_of(panel)
    after = pixels_of(panel.view)[:, int(area.left()) : int(area.right())]
    rows, columns = np.nonzero((before[:, int(area.left()) : int(area.right())] != after).any(axis=2))
    new = rows > area.top() + 2.5 * area.height() / COUNT
    assert rows[new].mean() == pytest.approx(area.top() + 3.5 * area.height() / COUNT, abs=6)
    assert columns[new].mean() == pytest.approx(1.5 * area.width() / COUNT, abs=6)


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("family", ["alibi", "t5"])
def test_keys_that_a_causal_model_masks_are_grey_with_a_dash(qtbot, family, style):
    made = document(family, **({"bidirectional": False} if family == "t5" else {}))
    masked = shown(qtbot, "pairs", made, (760, 560), style)
    masked.show_cursor(Cursor(-1, 0, query=4))
    pixels = pixels_of(masked.view)
    for query, key in np.ndindex(COUNT, COUNT):
        corner, middle = (cell(masked, query, key, *part) for part in ((0.1, 0.1), (0.5, 0.5)))
        is_grey = (near(pixels, corner.x(), corner.y(), 1) == rgb(style.masked)).all()
        assert is_grey == (key > query), (query, key)
        if is_grey:
            dash = coverage(near(pixels, middle.x(), middle.y(), 3), style.muted, style.masked)
            assert dash.max() > 0.6
    shown_numbers = [text for text in texts(masked.view) if re.fullmatch(r"−?\d\.\d{3}", text)]
    assert len(shown_numbers) == COUNT * (COUNT + 1) // 2, "a masked cell has no number"
    assert "causal mask" in notes(masked)
    assert "causal mask" not in notes(shown(qtbot, "pairs", document("t5"), (760, 560)))


def test_positions_without_a_value_are_hatched_and_named(qtbot):
    made = document("binary", n_bits=2)
    panel = shown(qtbot, "pairs", made, (760, 560))
    pixels = pixels_of(panel.view)
    for query, key in ((4, 4), (0, 4), (4, 1)):
        place = cell(panel, query, key, 0.2, 0.2)
        patch = pixels[int(place.y()) : int(place.y()) + 20, int(place.x()) : int(place.x()) + 20].reshape(-1, 3)
        paper = (patch == np.array([255, 255, 255])).all(axis=1).mean()
        assert 0.4 < paper < 0.98, (query, key)
    assert made.encoding.no_value(4) in notes(panel)


@pytest.mark.parametrize("family", ["t5", "sinusoidal", "rotary", "learned"])
def test_thousands_of_tokens_are_sampled_at_once_and_the_note_says_so(qtbot, family):
    made = document(family, " ".join(f"w{i}" for i in range(20_000)))
    panel = shown(qtbot, "pairs", made, (560, 460))
    assert "one token in" in notes(panel)
    figure = panel.figure
    sample = sample_of(figure.area, figure.document, figure.axis.n_tokens)
    assert 20 < len(sample.rows) <= panel.view.height()
    assert 20 < len(sample.columns) <= panel.view.width()
    figure.area.show_window((100.5, 106.5), (100.5, 106.5))
    settle()
    assert "one token in" not in notes(panel)
    assert {"w101", "w106"} <= set(texts(panel.view))


@pytest.mark.parametrize("sentence", ["", "one"])
def test_pairs_of_no_token_and_of_one_token_are_painted(qtbot, sentence):
    panel = shown(qtbot, "pairs", document("alibi", sentence), (400, 360))
    panel.show_cursor(Cursor(0, 1))
    pixels_of(panel.view)
    QTest.keyClick(panel, Qt.Key.Key_Left)
    assert texts(panel.view).count("one") == (2 if sentence else 0)


def test_words_above_stand_upwards_where_they_would_not_all_fit_side_by_side(qtbot):
    few = shown(qtbot, "pairs", document("t5"), (760, 560))
    assert not any(word.upwards for word in painted_words(few.view) if word.text in SENTENCE)
    many = document("t5", "the quick brown fox jumps over a lazy dog while others sleep")
    panel = shown(qtbot, "pairs", many, (360, 320))
    upwards = [word.text for word in painted_words(panel.view) if word.upwards and word.text != "query"]
    assert len(upwards) >= 6
    assert {"the", "quick", "fox"} & set(upwards)


def test_the_note_says_that_a_colour_scale_is_from_a_sample(qtbot):
    long = " ".join(["a"] * 5000)
    assert "colour scale from a sample" in notes(shown(qtbot, "pairs", document("learned", long)))
    assert "colour scale from a sample" not in notes(shown(qtbot, "pairs", document("learned", long[:100])))
    assert "colour scale from a sample" not in notes(shown(qtbot, "pairs", document("t5", long)))
    assert "colour scale from a sample" not in notes(shown(qtbot, "pairs", document("rotary", long)))


@pytest.mark.parametrize("encoding", [Sinusoidal(8), Alibi(4)])
def test_without_tokens_the_panel_says_what_to_do(qtbot, encoding):
    panel = shown(qtbot, "pairs", Document("", encoding=encoding), (480, 420))
    assert sorted(texts(panel.view)) == ["Type a sentence above", "key", "query"]
    panel.show_document(Document("a word", encoding=encoding))
    assert "Type a sentence above" not in texts(panel.view)
    assert "word" in texts(panel.view)
    assert any("no unit" in text or "logits" in text for text in texts(panel.view))
