"""Names and sentences of files are shown as plain text, never as HTML or mnemonics."""

import pytest
from dialogs import dismiss, press
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMenu, QMessageBox

from posenc_core import Document, Sinusoidal
from posenc_gui.files.session import save_session
from posenc_gui.model.cursor import Cursor
from posenc_gui.model.history import brief

pytestmark = pytest.mark.one_window

HTML = "<b>bold</b>"
OTHER = Document(HTML, encoding=Sinusoidal(6))


def edit_action(window, verb):
    (menu,) = [menu for menu in window.findChildren(QMenu) if menu.title() == "&Edit"]
    (found,) = [entry for entry in menu.actions() if entry.text().split(" ")[0] == verb and entry.isVisible()]
    return found


def test_the_edit_menu_names_what_can_be_undone_and_redone(window):
    window.store.edit("base", 5000.0)
    assert edit_action(window, "Undo").text() == "Undo base 10,000 → 5,000"
    assert edit_action(window, "Redo").text() == "Redo"
    edit_action(window, "Undo").trigger()
    assert edit_action(window, "Undo").text() == "Undo"
    assert edit_action(window, "Redo").text() == "Redo base 10,000 → 5,000"


def test_a_files_name_in_the_edit_menu_is_that_name(window, tmp_path):
    path = tmp_path / "R&D\nof mine.posenc"
    save_session(OTHER, path)
    window.open_file(path)
    assert edit_action(window, "Undo").text() == r"Undo open R&&D\nof mine.posenc"


def test_a_step_in_the_menu_is_short_however_long_the_value(window):
    window.store.edit("embedding", "typed")
    window.store.edit("vector", tuple(float(number) for number in range(5000)))
    assert len(edit_action(window, "Undo").text()) < 100
    assert brief("x" * 40) == "x" * 40
    assert brief("x" * 41) == "x" * 39 + "…"


def test_a_name_with_qts_mark_for_unsaved_changes_stands_in_the_title(window, tmp_path):
    path = tmp_path / "a[*].posenc"
    save_session(OTHER, path)
    window.open_file(path)
    assert window.windowTitle() == "a[*][*].posenc[*] — PosEnc"  # two of them are Qt's way to write one
    assert not window.isWindowModified()
    window.store.edit("base", 7.0)
    assert window.isWindowModified()


def plain(dialog):
    assert isinstance(dialog, QMessageBox)
    assert {label.textFormat() for label in dialog.findChildren(QLabel)} == {Qt.TextFormat.PlainText}


@pytest.mark.parametrize("content", ["{}", '{"format": "posenc session", "version": 2, "tokens": "<img src=a>"}'])
def test_the_text_of_a_damaged_file_is_not_html(window, answers, tmp_path, content):
    path = tmp_path / f"{HTML.replace('/', '')}.posenc"
    path.write_text(content, encoding="utf-8")
    answers.expect(lambda dialog: (plain(dialog), dismiss(dialog)))
    window.open_file(path)


def test_the_question_before_closing_shows_the_very_name(window, answers, tmp_path):
    path = tmp_path / "<u>mine.posenc"
    save_session(OTHER, path)
    window.open_file(path)
    window.store.edit("base", 7.0)
    answers.expect(lambda dialog: (plain(dialog), press("Cancel")(dialog)))
    window.close()
    assert answers.seen == ["Unsaved changes: Save the changes to <u>mine.posenc?"]


def test_a_token_that_looks_like_html_is_shown_as_it_is(window):
    window.store.replace(OTHER, "other")
    window.cursor_control.hold(Cursor(0, 1))
    (cell,) = [label for label in window.statusBar().findChildren(QLabel) if HTML in label.text()]
    assert cell.textFormat() == Qt.TextFormat.PlainText
