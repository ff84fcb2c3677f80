"""A long line is broken for Qt's sake alone: the text, what is typed into it and what is copied know nothing of it."""

import random

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from pytestqt.qtbot import QtBot

from posenc_gui.docks.sentence import long_lines
from posenc_gui.docks.sentence.sentence_edit import SentenceEdit

WORDS = ("one ", "two\t", "\n", "é", "👩‍👧", "नि", "日本", "e\u0301", "longerword", "     ")


@pytest.fixture
def edit(qtbot: QtBot) -> SentenceEdit:
    made = SentenceEdit()
    qtbot.addWidget(made)
    return made


def lines(edit: SentenceEdit) -> list[str]:
    block, found = edit.document().firstBlock(), []
    while block.isValid():
        found.append(block.text())
        block = block.next()
    return found


def at(edit: SentenceEdit) -> int:
    """The caret's place in the text, in code points."""
    cursor = edit.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.Start, QTextCursor.MoveMode.KeepAnchor)
    return len(edit.lines.without_breaks(cursor.selectedText(), 0))


def choose(edit: SentenceEdit, start: int, stop: int) -> None:
    """Select from one place in the text to another."""
    position = edit.lines.position_of
    units = [position(long_lines.utf16_length(edit.text()[:place])) for place in (start, stop)]
    cursor = edit.textCursor()
    cursor.setPosition(units[0])
    cursor.setPosition(units[1], QTextCursor.MoveMode.KeepAnchor)
    edit.setTextCursor(cursor)


def paste(edit: SentenceEdit, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    edit.insertFromMimeData(data)


def test_a_long_line_is_shown_in_short_ones(edit: SentenceEdit) -> None:
    text = " ".join(f"word{number}" for number in range(2000))
    edit.show_text(text)
    assert edit.text() == text
    assert "".join(lines(edit)) == text
    assert all(60 < len(line) <= 80 for line in lines(edit)[:-1])
    assert all(line.endswith(" ") for line in lines(edit)[:-1])


def test_what_qt_counts_twice_is_not_broken_in_two(edit: SentenceEdit) -> None:
    text = "👩‍👩‍👧‍👦" * 1000
    edit.show_text(text)
    assert edit.text() == text
    assert all(line.startswith("👩") and line.endswith("👦") for line in lines(edit))


def test_a_short_text_has_no_breaks(edit: SentenceEdit) -> None:
    edit.show_text("word " * 1000)
    choose(edit, 900, 5000)
    edit.textCursor().removeSelectedText()
    assert lines(edit) == [("word " * 1000)[:900]]
    edit.show_text("one\ntwo")
    assert lines(edit) == ["one", "two"]


def test_typing_does_not_let_a_line_grow_without_end(edit: SentenceEdit, qtbot: QtBot) -> None:
    for _ in range(30):
        qtbot.keyClicks(edit, "a hundred letters in all" * 4 + "four")
    assert edit.text() == ("a hundred letters in all" * 4 + "four") * 30
    assert max(map(len, lines(edit))) <= 2 * long_lines.LINE


@pytest.mark.parametrize("key", [Qt.Key.Key_Backspace, Qt.Key.Key_Delete])
def test_a_break_is_nothing_to_delete(edit: SentenceEdit, qtbot: QtBot, key: Qt.Key) -> None:
    text = "".join(chr(0x4E00 + number) for number in range(2000))
    edit.show_text(text)
    place = len(lines(edit)[0])
    choose(edit, place, place)  # the end of the first line
    if key == Qt.Key.Key_Backspace:
        edit.moveCursor(QTextCursor.MoveOperation.Right)  # the start of the second
        assert edit.textCursor().atBlockStart()
        place -= 1
    qtbot.keyClick(edit, key)
    assert edit.text() == text[:place] + text[place + 1 :]


def test_a_copied_text_has_no_breaks(edit: SentenceEdit) -> None:
    text = "a word and\n" + "👍 other words " * 300
    edit.show_text(text)
    edit.selectAll()
    edit.copy()
    assert QGuiApplication.clipboard().text() == text
    choose(edit, 400, 3000)
    edit.copy()
    assert QGuiApplication.clipboard().text() == text[400:3000]


@pytest.mark.parametrize("seed", range(3))
def test_random_edits_lead_to_the_same_text(
    edit: SentenceEdit, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(long_lines, "LINE", 5)
    monkeypatch.setattr(long_lines, "LONGEST", 20)
    draw, text = random.Random(seed), ""
    for _ in range(500):
        start, stop = sorted(draw.randrange(len(text) + 1) for _ in range(2))
        new = "".join(draw.choices(WORDS, k=draw.randrange(3)))
        act = draw.choice(("paste", "paste", "show", "type", "line", "cut", "cut", "cut"))
        if act == "show":
            text = text[:start] + new + text[min(stop, start + 30) :]
            edit.show_text(text)
        elif act in ("type", "line"):
            choose(edit, start, start)
            key, typed = ("x", "x") if act == "type" else (Qt.Key.Key_Return, "\n")
            shift = Qt.KeyboardModifier.ShiftModifier if act == "line" else Qt.KeyboardModifier.NoModifier
            qtbot.keyClick(edit, key, shift)
            text = text[:start] + typed + text[start:]
            assert at(edit) == start + 1
        else:
            stop = min(stop, start + draw.choice((1, 2, 40)))
            choose(edit, start, stop)
            paste(edit, new) if act == "paste" else edit.textCursor().removeSelectedText()
            text = text[:start] + (new if act == "paste" else "") + text[stop:]
        assert edit.text() == text
        assert max(map(len, lines(edit))) <= long_lines.LONGEST
    edit.show_text(f"{text} the end")
    edit.selectAll()
    edit.copy()
    assert QGuiApplication.clipboard().text() == f"{text} the end"
