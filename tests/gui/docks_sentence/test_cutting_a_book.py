"""A long text is cut into tokens by and by: one sees how far it is, can stop it, and then all is as before."""

import pytest
from books import book, paste, turns_until
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox
from window_bench import control, says, sentence_edit

from posenc_core import Document, tokenize
from posenc_core.text.tokens import TOKENS
from posenc_gui.docks.sentence.text_builder import FILLED
from posenc_gui.files.session import save_session
from posenc_gui.model.tokenizing import LONG


@pytest.fixture
def reader(window):
    """The window with a book in it."""
    window.store.begin(Document(book("words in lines")), "a book")
    turns_until(lambda: not sentence_edit(window).is_building)
    return window


def choose_tokens(window, value: str) -> None:
    """As with the keyboard, by the arrow keys."""
    box = control(window, "tokens")
    assert isinstance(box, QComboBox)
    box.setFocus(Qt.FocusReason.TabFocusReason)
    steps = TOKENS.values.index(value) - box.currentIndex()
    for _ in range(abs(steps)):
        QTest.keyClick(box, Qt.Key.Key_Down if steps > 0 else Qt.Key.Key_Up)


def chosen_tokens(window) -> str:
    return control(window, "tokens").value()


def trigger(window, name: str) -> None:
    """An entry of the menus by the word it begins with."""
    (action,) = (each for each in window.findChildren(QAction) if each.text().replace("&", "").startswith(name))
    action.trigger()


def watched(window) -> list[int]:
    """The per cent that are told from now on."""
    seen: list[int] = []
    window.store.cutting.progressed.connect(seen.append)
    return seen


def settle_cutting(window) -> int:
    return turns_until(lambda: not window.store.cutting.is_busy)


@pytest.mark.parametrize("value", ["characters", "bytes"])
def test_another_way_of_cutting_comes_by_and_by(qtbot, reader, value):
    before, index = reader.store.document, reader.store.history.index()
    seen = watched(reader)
    choose_tokens(reader, value)
    assert reader.store.document is before, "the pictures are those of the words until it is cut"
    assert says(reader, "cutting, 0 %")
    assert chosen_tokens(reader) == value
    settle_cutting(reader)
    assert seen == sorted(seen)
    assert len(set(seen)) > 5
    assert reader.store.document == before.edited("tokens", value)
    assert reader.store.history.index() == index + 1
    fresh = tokenize(before.sentence, value)
    assert len(reader.store.document.token_list) == len(fresh)
    assert reader.store.document.token_list[-3:] == fresh[-3:]
    assert says(reader, f"{len(fresh):,} tokens")
    assert not says(reader, "cutting, ")


@pytest.mark.parametrize("how", ["escape", "button", "undo"])
def test_who_stops_it_has_the_way_of_before(qtbot, reader, how):
    before, index = reader.store.document, reader.store.history.index()
    choose_tokens(reader, "characters")
    assert reader.store.cutting.is_busy
    if how == "escape":
        QTest.keyClick(sentence_edit(reader), Qt.Key.Key_Escape)
    elif how == "button":
        QTest.mouseClick(control(reader, "Stop cutting"), Qt.MouseButton.LeftButton)
    else:
        trigger(reader, "Undo")
    assert not reader.store.cutting.is_busy
    QApplication.processEvents()
    assert reader.store.document is before
    assert reader.store.history.index() == index
    assert chosen_tokens(reader) == "words"
    assert sentence_edit(reader).text() == before.sentence
    assert says(reader, f"{len(before.token_list):,} tokens")
    assert not says(reader, "cutting, ")
    choose_tokens(reader, "characters")
    settle_cutting(reader)
    assert reader.store.document.tokens == "characters", "it can be asked for again"


def test_who_takes_the_choice_back_stops_it(qtbot, reader):
    before = reader.store.document
    choose_tokens(reader, "characters")
    choose_tokens(reader, "words")
    assert not reader.store.cutting.is_busy
    assert reader.store.document is before
    assert not says(reader, "cutting, ")


def test_the_window_can_be_closed_meanwhile(qtbot, reader):
    before = reader.store.document
    choose_tokens(reader, "characters")
    reader.store.history.setClean()
    reader.close()
    assert not reader.store.cutting.is_busy
    QApplication.processEvents()
    assert reader.store.document is before


def test_other_edits_meanwhile_are_kept(qtbot, reader):
    before = reader.store.document
    choose_tokens(reader, "characters")
    reader.store.edit("base", 500.0)
    assert says(reader, "cutting, ")
    assert chosen_tokens(reader) == "characters"
    QTest.keyClicks(sentence_edit(reader), "x")
    typed = reader.store.document.sentence
    assert len(typed) == len(before.sentence) + 1, "a key goes straight into the text"
    settle_cutting(reader)
    assert reader.store.document == Document(typed).edited("base", 500.0).edited("tokens", "characters")
    assert len(reader.store.document.token_list) == len(tokenize(typed, "characters"))


def test_a_key_in_a_book_waits_for_nothing(qtbot, reader):
    seen = watched(reader)
    for letter in "typed":
        QTest.keyClicks(sentence_edit(reader), letter)
        assert reader.store.document.sentence == sentence_edit(reader).text()
    assert not seen
    assert len(reader.store.document.token_list) == len(tokenize(reader.store.document.sentence))


@pytest.mark.parametrize("how", ["escape", "button"])
def test_stopped_while_a_pasted_book_is_cut(qtbot, window, how):
    """Of the progress of a paste the last tenth is the cutting."""
    edit, before, seen = sentence_edit(window), window.store.document, list[int]()
    edit.selectAll()
    paste(edit, book("words in lines") + how)
    edit.progressed.connect(seen.append)
    turns_until(lambda: seen and seen[-1] > FILLED)
    assert edit.is_pasting
    assert seen[-1] < 100
    assert says(window, f"pasting, {seen[-1]} %")
    if how == "escape":
        QTest.keyClick(edit, Qt.Key.Key_Escape)
    else:
        QTest.mouseClick(control(window, "Stop pasting"), Qt.MouseButton.LeftButton)
    assert not edit.is_building
    assert edit.text() == before.sentence
    assert edit.textCursor().selectedText() == before.sentence
    QApplication.processEvents()
    assert window.store.document is before
    assert not window.store.history.canUndo()
    assert says(window, "3 tokens")


def test_a_pasted_book_is_cut_before_it_is_shown_whatever_is_chosen_meanwhile(qtbot, window):
    edit, text = sentence_edit(window), book("lines of Chinese")
    seen = watched(window)
    edit.selectAll()
    paste(edit, text)
    choose_tokens(window, "characters")
    turns_until(lambda: not edit.is_building)
    assert window.store.document == Document(text).edited("tokens", "characters")
    assert not seen, "nothing is left to be cut"
    assert len(window.store.document.token_list) == len(text)


def test_redo_of_a_book_can_be_stopped(qtbot, window):
    text = book("one line")
    window.store.replace(Document(text), "a book")
    trigger(window, "Undo")
    assert window.store.document == Document()
    for sentence in ("one", "two"):  # the book's tokens are forgotten
        assert Document(sentence).token_list
    trigger(window, "Redo")
    assert says(window, "cutting, 0 %")
    assert window.store.document == Document()
    trigger(window, "Redo")  # once more does nothing
    QTest.keyClick(sentence_edit(window), Qt.Key.Key_Escape)
    assert window.store.history.canRedo()
    assert window.store.document == Document()
    turns_until(lambda: not sentence_edit(window).is_building)
    assert sentence_edit(window).text() == Document().sentence
    trigger(window, "Redo")
    settle_cutting(window)
    assert window.store.document == Document(text)
    assert not window.store.history.canRedo()


def test_an_undo_that_was_overtaken_is_dropped(qtbot, window):
    window.store.replace(Document(book("one line")), "a book")
    window.store.replace(Document(), "no book")
    for sentence in ("one", "two"):
        assert Document(sentence).token_list
    trigger(window, "Undo")
    assert window.store.cutting.is_busy
    window.store.edit("base", 500.0)
    settle_cutting(window)
    assert window.store.document == Document().edited("base", 500.0)
    assert not says(window, "cutting, ")


def test_a_session_with_a_book_can_be_stopped(qtbot, window, tmp_path):
    path, before = tmp_path / "book.posenc", window.store.document
    save_session(Document(book("letters"), tokens="bytes"), path)
    window.open_file(path)
    assert says(window, "cutting, 0 %")
    QTest.keyClick(sentence_edit(window), Qt.Key.Key_Escape)
    QApplication.processEvents()
    assert window.store.document is before
    assert window.store.path is None
    assert not window.store.history.canUndo()
    window.open_file(path)
    settle_cutting(window)
    assert window.store.document == Document(book("letters"), tokens="bytes")
    assert window.store.path == path
    assert len(window.store.document.token_list) > LONG


def test_a_new_session_meanwhile_counts_and_not_the_one_that_is_coming(qtbot, window, tmp_path):
    path = tmp_path / "book.posenc"
    save_session(Document(book("letters"), tokens="characters"), path)
    window.open_file(path)
    assert window.store.cutting.is_busy
    trigger(window, "New")
    assert not window.store.cutting.is_busy
    QApplication.processEvents()
    assert window.store.document == Document()
    assert not says(window, "cutting, ")
