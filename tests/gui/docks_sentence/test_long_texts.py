"""Texts up to the bound are pasted, typed into, tokenized and opened at once; beyond it they are refused."""

import json
from itertools import pairwise

import pytest
from books import KINDS, book, paste
from dialogs import press
from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox
from window_bench import changed, control, pictures, says, sentence_edit

from posenc_core import Document, tokenize
from posenc_core.session import SENTENCE
from posenc_core.text import TOKENS, TextChange
from posenc_core.text.incremental import TOKENIZERS
from posenc_gui.docks.sentence import long_lines
from posenc_gui.files.session import save_session

pytestmark = pytest.mark.one_window

REFUSAL = "sentence must be at most 200000 characters long, got {}"


def choose_tokens(window, value: str) -> None:
    """As with the keyboard, by the arrow keys."""
    box = control(window, "Split into")
    assert isinstance(box, QComboBox)
    box.setFocus(Qt.FocusReason.TabFocusReason)
    steps = TOKENS.values.index(value) - box.currentIndex()
    for _ in range(abs(steps)):
        QTest.keyClick(box, Qt.Key.Key_Down if steps > 0 else Qt.Key.Key_Up)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("kind", KINDS)
def test_a_pasted_text_is_there_at_once_and_is_one_step(window, kind):
    edit, text, before = sentence_edit(window), book(kind), window.store.document
    edit.selectAll()
    paste(edit, text)
    assert window.store.document.sentence == edit.text() == text
    assert says(window, f"{len(tokenize(text)):,} token")
    QTest.keyClicks(edit, "x")
    assert window.store.document.sentence == f"{text}x", "the caret stands behind what was pasted"
    window.store.undo()
    window.store.undo()
    assert window.store.document == before
    assert edit.text() == before.sentence
    assert not window.store.history.can_undo
    window.store.redo()
    assert window.store.document.sentence == edit.text() == text


@pytest.mark.parametrize("width", [1024, 1440])
def test_no_line_of_a_pasted_text_is_cut_off_at_the_right(window, width):
    window.resize(width, 700)
    edit = sentence_edit(window)
    edit.selectAll()
    paste(edit, "wwwwwwww MMMMMMM " * 400)
    settle()
    block = edit.firstVisibleBlock()
    while block.isValid():
        layout = block.layout()
        widths = [layout.lineAt(index).naturalTextWidth() for index in range(layout.lineCount())]
        assert 0 < max(widths) <= edit.viewport().width()
        block = block.next()
    window.store.edit("sentence", "a short one")
    settle()
    assert edit.document().firstBlock().layout().lineCount() == 1


def test_a_paste_goes_where_the_caret_is_and_takes_the_place_of_what_is_selected(window):
    edit, text = sentence_edit(window), book("lines of Chinese")
    window.store.edit("sentence", "👍 one two\nthree")
    cursor = edit.textCursor()
    cursor.setPosition(7)
    cursor.setPosition(10, QTextCursor.MoveMode.KeepAnchor)
    edit.setTextCursor(cursor)
    paste(edit, text)
    assert window.store.document.sentence == f"👍 one {text}\nthree"
    QTest.keyClicks(edit, "x")
    assert window.store.document.sentence == f"👍 one {text}x\nthree"


@pytest.mark.parametrize(("start", "value"), [("words", "characters"), ("characters", "bytes")])
def test_another_way_to_tokenize_a_long_text_is_one_step(window, start, value):
    window.store.begin(Document(book("emoji"), tokens=start), "a book")
    before, index = window.store.document, window.store.history.index
    choose_tokens(window, value)
    fresh = tokenize(before.sentence, value)
    assert window.store.document == before.edited("tokens", value)
    assert window.store.history.index == index + 1
    assert window.store.document.token_list[-3:] == fresh[-3:]
    assert says(window, f"{len(fresh):,} tokens")
    window.store.undo()
    assert control(window, "Split into").value() == start


@pytest.mark.one_of(3)
@pytest.mark.parametrize("tokens", TOKENIZERS)
def test_tokens_follow_each_key_in_a_long_text(window, tokens):
    window.store.begin(Document(book("words in lines"), tokens=tokens), "a book")
    edit = sentence_edit(window)
    for place in (0, 100_000):
        cursor = edit.textCursor()
        cursor.setPosition(place)
        edit.setTextCursor(cursor)
        QTest.keyClicks(edit, "typed")
    assert window.store.document.sentence == edit.text()
    assert window.store.document.token_list == tokenize(edit.text(), tokens)


def test_a_session_with_a_long_text_is_opened(window, tmp_path):
    path, document = tmp_path / "book.posenc", Document(book("letters"), tokens="bytes")
    save_session(document, path)
    window.open_file(path)
    assert window.store.document == document
    assert window.store.path == path
    assert sentence_edit(window).text() == document.sentence


@pytest.mark.parametrize("how", ["paste", "keys", "session"])
def test_a_text_beyond_the_bound_is_refused_and_the_old_one_stays(window, answers, tmp_path, how):
    window.store.begin(Document("x" * SENTENCE.maximum), "the longest text")
    settle()
    edit, before, painted = sentence_edit(window), window.store.document, pictures(window)
    if how == "session":
        answers.expect(press("Ok"))
        path = tmp_path / "long.posenc"
        path.write_text(json.dumps(before.to_dict() | {"sentence": "x" * 500_000}))
        window.open_file(path)
        assert REFUSAL.format(500_000) in answers.seen[0]
    elif how == "paste":
        paste(edit, "more\ntext")
        assert says(window, REFUSAL.format(SENTENCE.maximum + 9))
        assert edit.text() == before.sentence
        QTest.keyClick(edit, Qt.Key.Key_Escape)
    else:
        edit.moveCursor(QTextCursor.MoveOperation.End)
        QTest.keyClicks(edit, "ab")
        assert says(window, REFUSAL.format(SENTENCE.maximum + 2))
        assert edit.text() == f"{before.sentence}ab", "what was typed is not lost"
        for _ in "ab":
            QTest.keyClick(edit, Qt.Key.Key_Backspace)
    assert not says(window, "must be")
    assert window.store.document is before
    settle()
    assert changed(painted, pictures(window)) == set()


@pytest.mark.parametrize("tokens", TOKENIZERS)
@pytest.mark.parametrize("text", ["Dan loves icecream", book("lines of Chinese", 5000)], ids=["short", "long"])
def test_a_key_searches_once_what_the_texts_have_in_common(window, monkeypatch, tokens, text):
    window.store.begin(Document(text, tokens=tokens), "a text")
    edit, searched, between = sentence_edit(window), [], TextChange.between
    monkeypatch.setattr(TextChange, "between", lambda *texts: searched.append(texts) or between(*texts))
    for place in (3, 10, 1):
        cursor = edit.textCursor()
        cursor.setPosition(place)
        edit.setTextCursor(cursor)
        for key in "ab":  # the second one joins the step of the first
            before = window.store.document.sentence
            searched.clear()
            QTest.keyClicks(edit, key)
            assert searched == [(before, window.store.document.sentence)]
    assert window.store.document.token_list == tokenize(edit.text(), tokens)


@pytest.mark.parametrize("kind", [*KINDS, "mixed"])
def test_breaks_leave_no_line_too_long(kind):
    mixed = "\n".join(book(each, 37 * k) for k, each in enumerate([*KINDS] * 9))
    text = mixed if kind == "mixed" else book(kind, 30_000)
    breaks = long_lines._break_places(text)
    assert breaks == sorted(set(breaks))
    assert all(0 < place < len(text) for place in breaks)
    edges = [0, *breaks, len(text)]
    lines = [line for start, stop in pairwise(edges) for line in text[start:stop].split("\n")]
    assert max(map(len, lines)) <= long_lines.LONGEST
