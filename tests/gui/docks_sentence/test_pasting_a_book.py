"""A text of a million characters: it comes by and by, can be stopped, and is one step that is undone."""

from itertools import pairwise

import pytest
from books import KINDS, book, paste, turns_until
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from window_bench import control, says, sentence_edit

from posenc_core import Document
from posenc_gui.docks.sentence import long_lines
from posenc_gui.docks.sentence.long_lines import parts


@pytest.mark.parametrize("kind", KINDS)
def test_it_comes_by_and_by_and_is_one_step(qtbot, window, kind):
    edit, text, before = sentence_edit(window), book(kind), window.store.document
    edit.selectAll()
    paste(edit, text)
    assert window.store.document is before, "the pictures are those of the text before until it is there"
    assert edit.text() == before.sentence
    assert edit.isReadOnly()
    assert says(window, "pasting, 0 %")
    seen: list[int] = []
    edit.progressed.connect(seen.append)
    assert turns_until(lambda: window.store.document is not before) > 5
    assert seen == sorted(seen)
    assert len(set(seen)) > 3
    assert window.store.document.sentence == text
    assert edit.text() == text
    assert not edit.isReadOnly()
    assert not says(window, "pasting, ")
    QTest.keyClicks(edit, "x")
    assert window.store.document.sentence == f"{text}x", "the caret stands behind what was pasted"
    window.store.history.undo()
    window.store.history.undo()
    assert window.store.document == before
    turns_until(lambda: not edit.is_building)
    assert edit.text() == before.sentence
    assert not window.store.history.canUndo()
    window.store.history.redo()
    assert window.store.document.sentence == text
    turns_until(lambda: not edit.is_building)
    assert edit.text() == text
    assert not edit.isReadOnly()


@pytest.mark.parametrize("how", ["escape", "button"])
def test_who_stops_it_has_the_text_as_before(qtbot, window, how):
    edit, before = sentence_edit(window), window.store.document
    edit.selectAll()
    paste(edit, book("words in lines"))
    with qtbot.waitSignal(edit.progressed):
        pass
    if how == "escape":
        QTest.keyClick(edit, Qt.Key.Key_Escape)
    else:
        QTest.mouseClick(control(window, "Stop pasting"), Qt.MouseButton.LeftButton)
    assert not edit.is_building
    assert not says(window, "pasting, ")
    assert says(window, "3 tokens")
    assert edit.text() == before.sentence
    assert edit.textCursor().selectedText() == before.sentence, "what was selected still is"
    QTest.keyClicks(edit, "typed")
    assert window.store.document.sentence == "typed"
    qtbot.wait(50)
    assert edit.text() == "typed"
    while window.store.history.canUndo():
        window.store.history.undo()
    assert window.store.document == before


def test_it_goes_where_the_caret_is_and_takes_the_place_of_what_is_selected(qtbot, window):
    edit, text = sentence_edit(window), book("lines of Chinese")
    window.store.edit("sentence", "👍 one two\nthree")
    cursor = edit.textCursor()
    cursor.setPosition(7)
    cursor.setPosition(10, QTextCursor.MoveMode.KeepAnchor)
    edit.setTextCursor(cursor)
    paste(edit, text)
    turns_until(lambda: not edit.is_building)
    assert window.store.document.sentence == f"👍 one {text}\nthree"
    QTest.keyClicks(edit, "x")
    assert window.store.document.sentence == f"👍 one {text}x\nthree"


def test_edits_elsewhere_leave_it_going_and_another_text_ends_it(qtbot, window):
    edit, text = sentence_edit(window), book("one line")
    paste(edit, text)
    window.store.edit("base", 500.0)
    assert edit.is_pasting
    assert says(window, "pasting, ")
    window.store.edit("sentence", "something else")
    assert not edit.is_building
    assert edit.text() == "something else"
    paste(edit, text)
    window.store.begin(Document(book("letters")), "a session")
    assert not edit.is_pasting
    turns_until(lambda: not edit.is_building)
    assert edit.text() == window.store.document.sentence == book("letters")


def test_the_window_can_be_closed_meanwhile(qtbot, window):
    paste(sentence_edit(window), book("letters"))
    edit = sentence_edit(window)
    window.store.history.setClean()
    window.close()
    turns_until(lambda: not edit.is_building)
    assert edit.text() == window.store.document.sentence, "what is made after that harms nobody"


def test_edits_at_every_turn_lose_nothing(qtbot, window):
    """A slider is dragged while a book comes, also between the book's being shown and being told."""
    edit, text = sentence_edit(window), book("letters")
    edit.selectAll()
    paste(edit, text)

    def turned() -> bool:
        window.store.edit("base", 2.0 if window.store.document.encoding.base != 2.0 else 3.0)
        return not edit.is_building

    turns_until(turned)
    assert window.store.document.sentence == edit.text() == text


def test_nothing_can_be_typed_meanwhile(qtbot, window):
    edit, text = sentence_edit(window), book("letters")
    window.store.replace(Document(text), "another sentence")
    assert edit.is_building
    QTest.keyClick(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(edit, "typed")
    turns_until(lambda: not edit.is_building)
    assert window.store.document.sentence == edit.text() == text


@pytest.mark.parametrize("kind", [*KINDS, "mixed"])
@pytest.mark.parametrize("size", [1200, 4000])
def test_parts_make_the_text_and_leave_no_line_too_long(kind, size):
    text = (
        book(kind)[:30_000]
        if kind != "mixed"
        else "\n".join(book(each)[: 37 * k] for k, each in enumerate([*KINDS] * 9))
    )
    found = list(parts(text, size))
    assert "".join(part.text for part in found) == text
    broken, at = [], 0
    for part in found:
        assert len(part.text) <= size
        broken += [at + place for place in part.breaks]
        at += len(part.text)
    assert broken == sorted(set(broken))
    edges = [0, *broken, len(text)]
    lines = [line for a, b in pairwise(edges) for line in text[a:b].split("\n")]
    assert max(map(len, lines)) <= long_lines.LONGEST
    assert all(0 < place < len(text) for place in broken)
