"""The tokens' strips in every family: its own range, distances from a query, rotated queries, and empty boxes."""

import re

import numpy as np
import pytest
from panel_bench import shown
from pixels import click, hover, item_rect, near, painted_words, pixels_of, step_of, texts, value_colour
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QLabel

from posenc_core import Document, Embedding, Rotary
from posenc_core.encodings import ENCODINGS
from posenc_core.rope_scaling.yarn import Yarn
from posenc_core.session.seen import seen_document
from posenc_gui.model.cursor import Cursor

NUMBER = re.compile(r"−?\d*\.?\d+(e−?\d+)?")
ROOM = (1000, 640)


def document(family, sentence="Dan loves icecream", **parameters):
    made = Document(sentence).edited("family", family)
    for name, value in parameters.items():
        made = made.edited(name, value)
    return made


def notes(panel):
    return " ".join(label.text() for label in panel.findChildren(QLabel))


def numbers(panel):
    """Painted numbers in the boxes between the ruler and the colour bar."""
    canvas = item_rect(panel.view, panel.figure.layout.itemAt(1, 0))
    words = painted_words(panel.view)
    return [word for word in words if NUMBER.fullmatch(word.text) and canvas.top() < word.y < canvas.bottom()]


def values(panel):
    return [float(word.text.replace("−", "-")) for word in numbers(panel)]


@pytest.mark.parametrize("family", [name for name, kind in ENCODINGS.items() if kind.relative])
def test_keys_are_seen_from_the_query(qtbot, family):
    made = document(family)
    panel = shown(qtbot, "tokens", made, ROOM)
    for query, positions in ((None, [-2, -1, 0]), (1, [-1, 0, 1]), (0, [0, 1, 2])):
        panel.show_cursor(Cursor(0, 0, query=query))
        seen = seen_document(made, 2 if query is None else query).encoding
        valued = [position for position in positions if position <= 0 or not made.encoding.causal]
        valued = [position for position in valued if seen.has_value(position)]
        wanted = seen.values(np.array(valued), np.arange(made.encoding.n_columns))
        assert values(panel) == pytest.approx(wanted.ravel(), abs=0.00051 * max(1, np.abs(wanted).max()))
        said = [text for text in texts(panel.view) if text.startswith("distance")]
        assert said == [f"distance {-position}".replace("-", "−") for position in positions]
        token = 2 if query is None else query
        assert f"seen from “{made.token_list[token].text}” (token {token})" in notes(panel)


def test_pointing_at_a_key_names_its_distance(qtbot):
    panel = shown(qtbot, "tokens", document("t5"), ROOM)
    panel.show_cursor(Cursor(0, 0, query=1))
    moved = []
    panel.cursorMoved.connect(moved.append)
    word = numbers(panel)[8 * 2 + 5]
    hover(panel.view, QPointF(word.x, word.y))
    assert moved[-1] == Cursor(1, 5, False, 1)


@pytest.mark.parametrize(
    ("family", "low", "high", "title"),
    [
        ("integer", 0, 59, "index (positions)"),
        ("binary", 0, 1, "PE (no unit)"),
        ("normalized", 0, 1, "share of the length (no unit)"),
    ],
)
def test_boxes_have_the_colours_of_the_familys_own_range(qtbot, family, low, high, title):
    made = document(family, "a b c d e f")
    panel = shown(qtbot, "tokens", made, ROOM)
    pixels, wanted = (
        pixels_of(panel.view),
        made.encoding.values(np.arange(6), np.arange(made.encoding.n_columns)).ravel(),
    )
    assert values(panel) == pytest.approx(wanted, abs=0.00051)
    for word, number in zip(numbers(panel), wanted, strict=True):
        found = near(pixels, word.x + 3, word.y + 6, 0)[0, 0].astype(int)
        assert np.abs(found - value_colour(number, low, high, step_of(made.encoding))).max() <= 3
    assert {title, str(high)} <= set(texts(panel.view))


def test_whole_numbers_have_no_decimals(qtbot):
    assert {word.text for word in numbers(shown(qtbot, "tokens", document("binary"), ROOM))} == {"0", "1"}


@pytest.mark.parametrize("offset", [0, 95, 123_456, 9_999_999])
@pytest.mark.parametrize("width", [300, 420, 700, 1000])
def test_large_numbers_fit_their_boxes(qtbot, offset, width):
    made = document("integer", offset=offset, embedding="simulated")
    panel = shown(qtbot, "tokens", made, (width, 700))
    figure = panel.figure
    layout = figure.view().layout
    if layout.box is None:
        return
    painted = numbers(panel)
    assert len(painted) >= 8
    left = item_rect(panel.view, figure.layout.itemAt(1, 0)).left()
    for word in painted[:8]:
        column = int((word.x - left - layout.gutter) // layout.box) % 8
        assert word.x >= left + layout.gutter + column * layout.box
        assert len(word.text) * 5 <= layout.box + 5
    assert all(abs(number) < 1.2 * (offset + 60) for number in values(panel))


def test_tokens_without_a_value_keep_their_words_and_have_hatched_boxes(qtbot):
    made = document("binary", n_bits=1, embedding="simulated")
    panel = shown(qtbot, "tokens", made, ROOM)
    assert len(numbers(panel)) == 3 + 3 + 1  # the third has W_e alone
    assert {"Dan", "loves", "icecream"} <= set(texts(panel.view))
    assert notes(panel).count(made.encoding.no_value(2)) == 1
    layout = panel.figure.view().layout
    canvas = item_rect(panel.view, panel.figure.layout.itemAt(1, 0)).topLeft()
    rect = layout.row_rect(layout.strip(2), 1).translated(canvas)
    place = rect.center()
    patch = near(pixels_of(panel.view), place.x(), place.y(), 10).reshape(-1, 3)
    assert 0.3 < (patch == 255).all(axis=1).mean() < 0.98


@pytest.mark.parametrize("pairing", ["half_split", "interleaved"])
@pytest.mark.parametrize("source", ["simulated", "typed"])
def test_a_query_is_shown_before_and_after_its_rotation(qtbot, source, pairing):
    encoding = Rotary(8, pairing=pairing, rotary_dim=4)
    made = Document("Dan loves icecream", encoding=encoding, embedding=Embedding(source, vector=(1.0, -0.5, 0.25)))
    panel = shown(qtbot, "tokens", made, ROOM)
    before = made.embedding.vectors([token.text for token in made.token_list], 8)
    after = encoding.rotate(before, range(3))
    wanted = np.stack([before, after], axis=1).ravel()
    assert values(panel) == pytest.approx(wanted, abs=0.00051)
    said = [text for text in texts(panel.view) if text.startswith("|q|")]
    assert said == [f"|q| = {length:.3f} → {length:.3f}" for length in np.linalg.norm(before, axis=1)]
    assert {"q", "rotated"} <= set(texts(panel.view))
    assert "columns 4–7 pass through" in notes(panel)
    assert f"q {made.embedding.label_at(8)}" in notes(panel)


def test_columns_that_pass_through_can_be_pointed_at_and_reached_with_the_keys(qtbot):
    made = Document("Dan loves", encoding=Rotary(8, rotary_dim=4), embedding=Embedding("simulated"))
    panel = shown(qtbot, "tokens", made, ROOM)
    seen = []
    panel.cursorMoved.connect(seen.append)
    layout = panel.figure.view().layout
    canvas = item_rect(panel.view, panel.figure.layout.itemAt(1, 0)).topLeft()
    click(panel.view, layout.column_rect(layout.row_rect(layout.strip(1), 1), 6).translated(canvas).center())
    assert Cursor(1, 6, pinned=True) in seen
    panel.show_cursor(Cursor(1, 6, pinned=True))
    assert panel.figure.pointing.moved(Qt.Key.Key_Right, 10) == Cursor(1, 7, pinned=True)


def test_the_last_columns_of_a_query_are_rotated_and_pointed_at_in_their_places(qtbot):
    encoding = Rotary(8, rotary_dim=4, rotary_part="trailing")
    made = Document("Dan loves", encoding=encoding, embedding=Embedding("simulated"))
    panel = shown(qtbot, "tokens", made, ROOM)
    before = made.embedding.vectors([token.text for token in made.token_list], 8)
    after = encoding.rotate(before, range(2))
    assert (after[1, :4] == before[1, :4]).all()
    assert values(panel) == pytest.approx(np.stack([before, after], axis=1).ravel(), abs=0.00051)
    assert "columns 0–3 pass through" in notes(panel)
    seen = []
    panel.cursorMoved.connect(seen.append)
    layout = panel.figure.view().layout
    canvas = item_rect(panel.view, panel.figure.layout.itemAt(1, 0)).topLeft()
    for strip_column, table_column in ((5, 1), (4, 0), (3, 7), (0, 4)):
        box = layout.column_rect(layout.row_rect(layout.strip(1), 1), strip_column).translated(canvas)
        click(panel.view, box.center())
        wanted = Cursor(1, table_column, pinned=True)
        assert wanted in seen
        assert {cursor.column for cursor in seen} == {table_column}
        seen.clear()
        panel.show_cursor(wanted)
        ink = near(pixels_of(panel.view), box.left(), box.center().y(), 2).astype(int).sum(axis=2)
        assert ink.min() < 200, "the cursor's frame stands around the box that was clicked"
    assert panel.figure.pointing.moved(Qt.Key.Key_Right, 3) == Cursor(1, 7, pinned=True)
    assert panel.figure.pointing.moved(Qt.Key.Key_Right, 4) == Cursor(1, 0, pinned=True)
    assert panel.figure.pointing.moved(Qt.Key.Key_Left, 1) == Cursor(1, 4, pinned=True)
    panel.figure.viewport.show_columns(0, 3)
    assert panel.figure.view().columns == (4, 7), "the table's columns"


def test_an_attention_factor_lengthens_queries_and_is_named(qtbot):
    encoding = Rotary(8, scaling=Yarn(factor=4.0, original_max_position_embeddings=4096))
    made = Document("Dan loves", encoding=encoding, embedding=Embedding("typed", vector=(3.0, 4.0)))
    panel = shown(qtbot, "tokens", made, ROOM)
    factor = encoding.attention_factor
    assert factor > 1.1
    said = [text for text in texts(panel.view) if text.startswith("|q|")]
    assert said == [f"|q| = 10.000 → {10 * factor:.3f} (× {factor:.4g})"] * 2


def test_without_a_vector_a_rotary_family_shows_its_cosines_and_sines(qtbot):
    made = document("rotary", head_dim=8)
    panel = shown(qtbot, "tokens", made, ROOM)
    assert values(panel) == pytest.approx(made.encoding.values(np.arange(3), np.arange(8)).ravel(), abs=0.00051)
    assert "|q|" not in " ".join(texts(panel.view))


@pytest.mark.parametrize("family", list(ENCODINGS))
@pytest.mark.parametrize("source", ["none", "simulated", "typed"])
def test_every_family_is_drawn_with_every_vector_in_little_room(qtbot, family, source):
    made = document(family, " ".join("abcdefgh"), embedding=source, seq_len=2)
    panel = shown(qtbot, "tokens", made, (250, 180))
    panel.show_cursor(Cursor(1, 1))
    assert np.ptp(pixels_of(panel.view)) > 0
