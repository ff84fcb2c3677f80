"""Two words change places: dragged above the waves, and both orders as vectors of the tokens."""

import numpy as np
import pytest
from pixels import drag, painted_words, pixels_of, settle
from PySide6.QtCore import QPointF
from window_bench import sentence_edit

from posenc_core import Document
from posenc_core.text import exchanged, tokenize
from posenc_gui.panels.tokens.rows import BEFORE, further_rows, strip_rows

pytestmark = pytest.mark.one_window


@pytest.fixture
def biting(window):
    """The window with the sentence of the dog, whose tokens have vectors."""
    window.store.edit("sentence", "dog bites man")
    window.store.edit("embedding", "simulated")
    settle()
    return window


def word_in(panel, text: str) -> QPointF:
    """The middle of a word above the waves."""
    (word,) = (each for each in painted_words(panel.view) if each.text == text)
    return QPointF(word.x + 6, word.y - 4)


def drag_word(window, word: str, other: str) -> None:
    view = window.panels["waves"].view
    drag(view, word_in(window.panels["waves"], word), word_in(window.panels["waves"], other))
    settle()


def test_a_dragged_word_changes_places_with_the_one_that_it_is_dropped_on_in_one_step(biting):
    before = biting.store.document
    drag_word(biting, "dog", "man")
    assert biting.store.document.sentence == "man bites dog"
    assert sentence_edit(biting).toPlainText() == "man bites dog"
    biting.store.undo()
    assert biting.store.document == before


def test_a_word_that_is_dropped_on_itself_changes_nothing(biting):
    before = biting.store.document
    drag_word(biting, "dog", "dog")
    assert biting.store.document == before


def test_both_orders_are_drawn_as_vectors_of_the_tokens(biting):
    tokens = biting.panels["tokens"]
    alone = pixels_of(tokens.view)
    drag_word(biting, "dog", "man")
    painted = " ".join(word.text for word in painted_words(tokens.view))
    assert "before dog" in painted
    assert "before man" in painted
    assert (pixels_of(tokens.view) != alone).any()
    document, axis = biting.store.document, tokens.figure.axis
    rows = strip_rows(document, axis, (0, 1, 2), None)
    (before,) = further_rows(document, rows=rows, axis=axis, tokens=(0, 1, 2), columns=(0, 8))
    original = strip_rows(document.edited("sentence", "dog bites man"), axis, (0, 1, 2), None)[-1]
    assert before.name == BEFORE
    np.testing.assert_array_equal(before.values, original.values)
    biting.store.edit("sentence", "cat bites dog")
    settle()
    assert "before" not in " ".join(word.text for word in painted_words(tokens.view))


def test_without_an_embedding_the_note_says_that_both_orders_have_the_same_rows(window):
    window.store.edit("sentence", "dog bites man")
    settle()
    drag_word(window, "man", "dog")
    assert "the same rows in both orders: choose an embedding" in window.panels["tokens"].figure.pointing.note()


def test_bytes_cannot_be_dragged(biting):
    biting.store.edit("sentence", "ab")
    biting.store.edit("tokens", "bytes")
    settle()
    drag_word(biting, "61", "62")
    assert biting.store.document.sentence == "ab"


@pytest.mark.parametrize(
    ("sentence", "tokens", "pair", "expected"),
    [
        ("dog bites man", "words", (0, 2), "man bites dog"),
        ("dog bites man", "words", (2, 0), "man bites dog"),
        ("  a  bcd\te ", "words", (1, 2), "  a  e\tbcd "),
        ("a e\u0301", "characters", (0, 2), "e\u0301 a"),
        ("one", "words", (0, 0), "one"),
    ],
)
def test_tokens_are_exchanged_and_the_spaces_between_them_stay(sentence, tokens, pair, expected):
    assert exchanged(sentence, tokenize(sentence, tokens), *pair) == expected


def test_a_concatenation_has_the_columns_of_both_vectors_side_by_side(window):
    window.store.edit("embedding", "simulated")
    window.store.edit("concatenation", True)
    settle()
    tokens = window.panels["tokens"]
    assert sum(word.text == "W_e | PE" for word in painted_words(tokens.view)) == 3
    document, axis = window.store.document, tokens.figure.axis
    rows = strip_rows(document, axis, (0, 1, 2), None)
    (beside,) = further_rows(document, axis, rows, (0, 1, 2), (0, 8))
    np.testing.assert_array_equal(beside.values, np.concatenate([rows[0].values, rows[1].values], axis=1))


def test_the_order_before_is_kept_by_a_session(biting):
    drag_word(biting, "dog", "man")
    document = biting.store.document
    assert Document.from_json(document.to_json()) == document


def test_words_and_boxes_stay_in_a_narrow_window(biting):
    biting.resize(1024, 700)
    settle()
    drag_word(biting, "dog", "man")
    panel = biting.panels["tokens"]
    words = [word.text for word in painted_words(panel.view)]
    assert {"man", "position 0", "W_e", "+ PE", "= sum", "before"} <= set(words)
    assert panel.figure.view().layout.box is not None
