"""Names and sentences that are HTML, loaded everywhere: the window shows them letter by letter."""

from collections.abc import Callable

import pytest
from held_texts import letters_of, look_through, mnemonic
from hostile_names import DOCUMENT, FILE_NAME, NAME, TAGGED, config_file, session_file, table_file
from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget
from window_bench import open_menus, recent, says

from posenc_core.encodings import ENCODINGS
from posenc_gui.files.presets import preset_names, preset_title
from posenc_gui.files.session import save_session
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import PANELS

Count = Callable[[str, int], None]

LOOKED_AT = "texts of a window full of HTML that are letters"


def show_all(window) -> None:
    """Show every panel, with a cell held."""
    for name in PANELS:
        if name not in window.workspaces.seen:
            window.workspaces.show_panel(name, True)
    window.cursor_control.hold(Cursor(0, 1))
    settle()


def entry(window, begins: str) -> str:
    """The text of the menu entry that begins with a word."""
    texts = [each.text() for each in window.findChildren(QAction) if each.objectName() != "undo_lesson"]
    (found,) = [text for text in texts if text.startswith(f"{begins} ")]
    return found


@pytest.mark.thorough
def test_names_of_tensors_are_letters(window, answers, tmp_path, count: Count):
    answers.expect(lambda dialog: dialog.accept())
    window.open_file(table_file(tmp_path))
    show_all(window)
    assert says(window, TAGGED)
    offered = [box.itemText(index) for box in window.findChildren(QComboBox) for index in range(box.count())]
    assert [text for text in offered if NAME in text]
    count(LOOKED_AT, look_through(window))


@pytest.mark.thorough
def test_names_of_layers_and_of_models_are_letters(window, tmp_path, count: Count):
    window.open_file(config_file(tmp_path))
    show_all(window)
    assert letters_of(entry(window, "Undo")) == f"Undo model {window.store.document.model.name}"
    count(LOOKED_AT, look_through(window))


@pytest.mark.thorough
def test_names_of_sessions_are_letters(window, tmp_path, count: Count):
    window.open_file(session_file(tmp_path))
    show_all(window)
    assert says(window, TAGGED)
    assert window.windowTitle() == f"{FILE_NAME}.posenc[*] — PosEnc"
    looked = look_through(window)
    window.store.undo()
    assert letters_of(entry(window, "Redo")) == f"Redo open {FILE_NAME}.posenc"
    count(LOOKED_AT, looked + look_through(window))


def test_a_sentence_of_tags_is_letters_in_every_family(window, amount, count: Count):
    looked = 0
    window.store.replace(DOCUMENT, NAME)
    for family in list(ENCODINGS)[:: amount(8, 1)]:
        window.store.edit("family", family)
        show_all(window)
        assert says(window, TAGGED)
        looked += look_through(window)
    count(LOOKED_AT, looked)


def test_refused_values_are_quoted_as_letters(window, amount, count: Count):
    looked = 0
    window.store.edit("embedding", "typed")
    for family in list(ENCODINGS)[:: amount(8, 1)]:
        window.store.edit("family", family)
        settle()
        for line in [line for line in window.findChildren(QLineEdit) if line.isVisible()]:
            line.setText(NAME)
            QTest.keyClick(line, Qt.Key.Key_Return)
        assert says(window, f"got '{TAGGED}")
        looked += look_through(window)
    count(LOOKED_AT, looked)


def test_entries_of_recent_files_and_presets_are_whole_names(window, tmp_path):
    path = tmp_path / f"{FILE_NAME}\t\n.posenc"
    save_session(DOCUMENT, path)
    window.open_file(path)
    open_menus(window)
    (entry,) = recent(window).actions()
    assert letters_of(entry.text()) == str(path).replace("\t", r"\t").replace("\n", r"\n")
    assert mnemonic(entry.text()) == ""
    entries = {letters_of(action.text()) for widget in window.findChildren(QWidget) for action in widget.actions()}
    assert {preset_title(name) for name in preset_names()} <= entries
