"""Families that are registered at run time in the panels: numbers of both positions, biases by head, and a scaling."""

import numpy as np
import pytest
from made_families import ContentBias, DotOfPlaces, FadingBias, LogBias, RootScaling, registered
from panel_bench import shown
from pixels import area_of, click, pixels_of, settle, texts, value_colour
from PySide6.QtCore import QPointF

from posenc_core import Document, Rotary
from posenc_core.gallery import story_names
from posenc_core.session import NamedEncoding
from posenc_core.text import TokenVectors
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import drawn_numbers

SENTENCE = "Dan loves icecream very much"
COUNT = 5
FADING = Document(SENTENCE, seq_len=8).with_encoding(FadingBias())


def fading(head, query, key):
    return -(0.5 ** (head + 1)) * abs(query - key) / (1 + max(query, 1))


def cell(panel, row, column, rows, columns):
    area = area_of(panel)
    return QPointF(
        area.left() + (column + 0.06) * area.width() / columns, area.top() + (row + 0.86) * area.height() / rows
    )


def colour_at(panel, place):
    return pixels_of(panel.view)[int(place.y()), int(place.x())].astype(int)


def test_a_cell_of_the_token_pairs_has_the_number_of_its_query_and_key(qtbot):
    panel = shown(qtbot, "pairs", FADING, (760, 562))
    panel.show_cursor(Cursor(-1, 1, query=3))
    reach = max(-fading(1, query, 0) for query in range(COUNT))
    for query, key in np.ndindex(COUNT, COUNT):
        if key <= query:
            found = colour_at(panel, cell(panel, query, key, COUNT, COUNT))
            assert np.abs(found - value_colour(fading(1, query, key), -reach, 0.0)).max() <= 2, (query, key)
    for cursor in (Cursor(-1, 1, query=3), Cursor(-4, 2, query=4), Cursor(0, 0, query=0)):
        panel.show_cursor(cursor)
        expected = fading(cursor.column, cursor.query, cursor.query + cursor.position)
        assert panel.figure.pointing.number() == pytest.approx(expected)


def test_what_the_tokens_say_changes_the_pairs_of_a_family_that_needs_it(qtbot):
    document = Document(SENTENCE).with_encoding(ContentBias())
    panel = shown(qtbot, "pairs", document, (760, 562))
    panel.show_cursor(Cursor(-2, 0, query=4))
    drawn = panel.figure.pointing.number()
    vectors = TokenVectors(document.token_list)
    (query,), keys = vectors.queries(range(4, 5), 8), vectors.keys(range(3, 5), 8)
    assert drawn == pytest.approx(-sum(1 / (1 + np.exp(-keys @ query))))
    panel.show_document(document.edited("pair_seed", 7))
    assert panel.figure.pointing.number() not in (None, drawn)
    ones = document.edited("query_vector", (1.0,)).edited("key_vector", (1.0,))
    panel.show_document(ones.edited("pair_vectors", "typed"))
    assert panel.figure.pointing.number() == pytest.approx(-2 / (1 + np.exp(-8.0)))  # two gates of eight ones
    assert "rotated" not in panel.figure.pointing.note()


@pytest.mark.parametrize("query", [None, 2, 4])
def test_scores_are_those_of_the_chosen_query(qtbot, query):
    panel = shown(qtbot, "scores", FADING)
    panel.show_cursor(Cursor(-1, 0, query=query))
    asked, (plot,) = COUNT - 1 if query is None else query, panel.figure.view().plots
    assert plot.x.tolist() == list(range(asked + 1))
    for head, line in enumerate(plot.lines):
        assert line.y.tolist() == pytest.approx([fading(head, asked, asked - apart) for apart in range(asked + 1)])
    panel.show_document(FADING.edited("score_weights", True))
    powers = np.exp([fading(0, asked, asked - apart) for apart in range(asked + 1)])
    assert panel.figure.view().plots[0].lines[0].y.tolist() == pytest.approx((powers / powers.sum()).tolist())


def test_a_short_query_beside_another_family_has_a_line_up_to_its_first_key(qtbot):
    both = FADING.with_encodings([NamedEncoding(FadingBias()), NamedEncoding(LogBias())], 0)
    panel = shown(qtbot, "scores", both.edited("score_distances", 6))
    panel.show_cursor(Cursor(0, 0, query=2))
    (plot,) = panel.figure.view().plots
    lines = {line.name: line.y for line in plot.lines}
    near, far = (dict(zip(plot.x.tolist(), lines[name], strict=True)) for name in (
        "A Fading bias, head 0", "B Logarithmic bias, head 0"))  # fmt: skip
    assert near[2] == pytest.approx(fading(0, 2, 0))
    assert np.isnan(near[3])
    assert far[6] == pytest.approx(-np.log1p(6 / 4))


def test_the_heatmap_has_the_table_of_the_query(qtbot):
    panel = shown(qtbot, "heatmap", FADING, (640, 620))
    for query in (4, 1):
        panel.show_cursor(Cursor(-1, 0, query=query))
        settle()
        for row, head in np.ndindex(COUNT, 4):  # the distances of the sentence, in whatever number of positions
            apart, found = -row, colour_at(panel, cell(panel, row, head, COUNT, 4))
            if apart >= -query:
                wanted = value_colour(fading(head, query, query + apart), -0.5, 0.0)
                assert np.abs(found - wanted).max() <= 2, (query, apart, head)


def test_waves_and_tokens_have_the_table_of_the_query(qtbot):
    waves, tokens = (shown(qtbot, name, FADING, (900, 600)) for name in ("waves", "tokens"))
    for query in (4, 2):
        for panel in (waves, tokens):
            panel.show_cursor(Cursor(-query, 1, query=query))
            settle()
            assert panel.figure.pointing.number() == pytest.approx(fading(1, query, 0))
        written = " ".join(texts(tokens.view))
        assert f"−{-fading(0, query, 0):.4f}" in written


def test_a_difference_is_that_of_the_tables_of_the_query(qtbot):
    both = FADING.with_encodings([NamedEncoding(FadingBias()), NamedEncoding(FadingBias(strength=3.0))], 0)
    panel = shown(qtbot, "difference", both, (900, 500))
    panel.show_cursor(Cursor(-2, 0, query=2))
    assert panel.figure.document.encodings[1].encoding == FadingBias(strength=3.0).seen_from(2)
    settle()
    assert not panel.figure.problem


def test_a_bias_family_in_its_own_file_has_scores_by_head(qtbot):
    document = Document(encoding=LogBias(2, reach=8.0)).edited("score_head", 1).edited("score_distances", 10)
    numbers = drawn_numbers("scores", document)
    assert numbers["distance"].tolist() == list(range(-10, 11))
    for head, name in ((1, "Logarithmic bias, head 1"), (0, "head 0")):
        expected = -np.log1p(np.abs(numbers["distance"]) / 8) / (head + 1)
        assert numbers[f"bias: {name}"] == pytest.approx(expected)
    panel = shown(qtbot, "scores", document)
    assert "score_mode" not in panel.spec.used_controls(document)


def test_a_scaling_in_its_own_file_is_compared_in_the_spectrum(qtbot):
    with registered(RootScaling):
        document = Document(encoding=Rotary(16)).edited("compared_scalings", ("linear", "root"))
        (waves, slower) = shown(qtbot, "spectrum", document, (700, 520)).figure.view().plots
        lines = {line.name: line.y for line in slower.lines}
        assert lines["Root interpolation ×4"] == pytest.approx(np.full(8, 2.0))
        assert lines["Position interpolation ×4"] == pytest.approx(np.full(8, 4.0))
        assert len({line.look for line in waves.lines}) == 3
        scaled = document.edited("scaling", "root").edited("root", 9.0)
        present = shown(qtbot, "spectrum", scaled, (700, 520)).figure.view().plots[1].lines[1]
        assert present.name == "Root interpolation, present"
        assert present.y == pytest.approx(np.full(8, 3.0))


def test_cards_come_and_go_with_their_families(qtbot):
    panel = shown(qtbot, "gallery", Document(SENTENCE), (1100, 800))
    assert "Fading bias" not in texts(panel.view)
    with registered(FadingBias, DotOfPlaces):
        panel.show_document(Document(SENTENCE, seq_len=30))
        settle()
        assert {"Fading bias", "Product of places"} <= set(texts(panel.view))
        chosen = []
        panel.encodingsEdited.connect(lambda listed, current, text: chosen.append((listed, text)))
        place = panel.figure.view().layout.cards[story_names().index("fading")].card.center()
        click(panel.view, panel.figure.mapToScene(place))
        ((listed, text),) = chosen
        assert text == "Fading bias"
        document = Document(SENTENCE).with_encodings(listed, 0)
        assert document.encoding == FadingBias()
        panel.show_document(document)
        settle()
        assert panel.figure.view().is_chosen(panel.figure.view().families[story_names().index("fading")])
        numbers = drawn_numbers("gallery", document)
        assert numbers["Fading bias: 0"].tolist() == pytest.approx([fading(0, 4, key) for key in range(COUNT)])
    panel.show_document(Document(SENTENCE))
    settle()
    assert "Fading bias" not in texts(panel.view)
    assert len(panel.figure.view().families) == len(story_names())
