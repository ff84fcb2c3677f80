"""An edit makes one new document, whether it is taken or refused, whichever control it comes from."""

import pytest
from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox
from window_bench import changed, control, pictures, says, sentence_edit, type_number

from posenc_core import Document, Rotary, Sinusoidal

pytestmark = pytest.mark.one_window


@pytest.fixture
def made(window, monkeypatch):
    """The edits that any document was asked for."""
    asked, edited = [], Document.edited
    monkeypatch.setattr(
        Document, "edited", lambda document, name, value: asked.append((name, value)) or edited(document, name, value)
    )
    return asked


def choose(window, name: str, key: Qt.Key) -> QComboBox:
    combo = control(window, name)
    combo.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(combo, key)
    return combo


def test_a_number_that_is_taken(window, made):
    type_number(window, "d_model", "16")
    assert made == [("d_model", 16)]
    assert window.store.document.encoding.d_model == 16
    QTest.keyClick(control(window, "d_model"), Qt.Key.Key_Up)
    assert len(made) == 2


def test_a_number_that_is_refused_stays_with_its_sentence(window, made):
    window.store.replace(Document(encoding=Rotary(8)), "RoPE")
    painted, before = pictures(window), window.store.document
    type_number(window, "head_dim", "7")
    assert made == [("head_dim", 7)]
    assert says(window, "RoPE rotates pairs: rotary dimension must be even, got 7")
    assert control(window, "head_dim").text() == "7"
    assert window.store.document is before
    assert changed(painted, pictures(window)) == set()
    type_number(window, "head_dim", "6")
    assert made == [("head_dim", 7), ("head_dim", 6)]
    assert not says(window, "must be even")


def test_a_slider_move(window, made):
    slider = control(window, "base slider")
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert made == [("base", window.store.document.encoding.base)]
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert len(made) == 2


def test_a_choice_that_is_taken(window, made):
    choose(window, "layout", Qt.Key.Key_Down)
    assert made == [("layout", "concatenated")]
    assert window.store.document.encoding.layout == "concatenated"


def test_a_choice_that_is_refused_stays_with_its_sentence(window, made):
    window.store.replace(Document(encoding=Sinusoidal(7)), "an odd width")
    painted, before = pictures(window), window.store.document
    combo = choose(window, "spacing", Qt.Key.Key_End)
    assert made == [("spacing", "one_based")]
    assert says(window, "needs an even d_model, got 7")
    assert combo.currentText().startswith("one_based")
    assert window.store.document is before
    assert changed(painted, pictures(window)) == set()


def test_a_typed_sentence_that_is_taken(window, made):
    QTest.keyClicks(sentence_edit(window), "!")
    assert made == [("sentence", "Dan loves icecream!")]
    assert window.store.document.sentence == "Dan loves icecream!"


def test_a_typed_sentence_that_is_refused_stays_with_its_sentence(window, made):
    painted, before = pictures(window), window.store.document
    sentence_edit(window).textCursor().insertText("\0")
    assert made == [("sentence", "Dan loves icecream\0")]
    assert says(window, "sentence contains a NUL (U+0000) at character 18")
    assert says(window, "3 tokens")
    assert sentence_edit(window).text() == "Dan loves icecream\0"
    assert window.store.document is before
    QTest.keyClick(sentence_edit(window), Qt.Key.Key_Escape)
    settle()
    assert changed(painted, pictures(window)) == set()


def test_an_embedding_that_is_taken(window, made):
    control(window, "Embedding").click()
    choose(window, "source", Qt.Key.Key_Down)
    assert made == [("embedding", "simulated")]
