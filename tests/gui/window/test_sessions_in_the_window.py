"""Opening, undo and saving: no session is ever written to the file of another one."""

import pytest
from dialogs import choose, press
from PySide6.QtCore import Qt

from posenc_core import Document, Sinusoidal
from posenc_gui.files.session import open_session, save_session

pytestmark = pytest.mark.one_window

WIDE, NARROW = Document(encoding=Sinusoidal(512)), Document(encoding=Sinusoidal(1))


@pytest.fixture
def sessions(tmp_path):
    paths = tmp_path / "wide.posenc", tmp_path / "narrow.posenc"
    for document, path in zip((WIDE, NARROW), paths, strict=True):
        save_session(document, path)
    return paths


def test_opening_is_one_step_and_undo_brings_the_other_session_back_with_its_file(window, sessions):
    for path in sessions:
        window.open_file(path)
    assert window.store.history.undo_text == "open narrow.posenc"
    window.store.undo()
    assert (window.store.document, window.files.path) == (WIDE, sessions[0])
    assert window.windowTitle() == "wide.posenc[*] — PosEnc"
    assert not window.isWindowModified()
    window.store.edit("d_model", 6)
    assert window.isWindowModified()
    window.files.save()
    assert open_session(sessions[0]).value("d_model") == 6
    assert open_session(sessions[1]) == NARROW
    window.store.undo()
    assert window.isWindowModified()
    window.store.undo()
    assert (window.store.document, window.files.path) == (Document(), None)
    assert not window.isWindowModified()


def test_a_session_saved_under_another_name_stays_there_when_undone(window, sessions, answers, tmp_path):
    window.open_file(sessions[0])
    window.store.edit("d_model", 6)
    answers.expect(choose(tmp_path / "third.posenc"))
    window.files.ask_save()
    window.store.undo()
    assert window.files.path == tmp_path / "third.posenc"
    assert window.isWindowModified()
    window.store.redo()
    assert not window.isWindowModified()


def test_a_new_session_is_one_step(window, sessions):
    window.open_file(sessions[0])
    window.files.new()
    assert (window.store.document, window.files.path, window.isWindowModified()) == (Document(), None, False)
    assert window.store.history.undo_text == "new session"
    window.store.undo()
    assert (window.store.document, window.files.path, window.isWindowModified()) == (WIDE, sessions[0], False)


def test_a_file_opened_again_after_saving_it_is_shown_as_saved(window, sessions, answers):
    window.open_file(sessions[1])
    window.store.edit("d_model", 3)
    answers.expect(press("Save"))
    window.open_file(sessions[1])
    assert answers.given
    assert open_session(sessions[1]) == window.store.document
    assert window.store.document.value("d_model") == 3
    assert not window.isWindowModified()


def test_discarding_brings_the_files_content_back(window, sessions, answers):
    window.open_file(sessions[1])
    window.store.edit("d_model", 3)
    answers.expect(press("Discard"))
    window.open_file(sessions[1])
    assert window.store.document == NARROW


def test_cancelling_keeps_the_work(window, sessions, answers):
    window.store.edit("d_model", 6)
    answers.expect(press("Cancel"))
    window.open_file(sessions[0])
    assert window.store.document.value("d_model") == 6
    assert window.isWindowModified()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "the file is empty"),
        (b"[]", "no PosEnc session"),
        (b'{"format": "posenc session", "version": 9}', "newer PosEnc"),
        (b'{"format": "posenc session", "version": 1, "sent', "no PosEnc session"),
        (Document().to_json().replace('"d_model": 8', '"d_model": 0').encode(), "d_model must be an integer >= 1"),
    ],
)
def test_a_file_that_is_no_session_changes_nothing(window, answers, tmp_path, content, sentence):
    path = tmp_path / "odd.posenc"
    path.write_bytes(content)
    window.store.edit("d_model", 6)
    answers.expect(press("Ok"))
    window.open_file(path)
    assert answers.given
    assert sentence in answers.seen[0]
    assert "odd.posenc" in answers.seen[0]
    assert window.store.document.value("d_model") == 6
    assert window.store.history.can_undo


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.json", b"{}"), ("a.html", b"<!doctype html><p>hello"), ("a.pdf", b"%PDF-1.7"), ("a.toml", b"a = 1")],
)
def test_a_file_of_no_known_kind_names_the_kinds_that_can_be_opened(window, answers, tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    answers.expect(press("Ok"))
    window._opener.take(tmp_path / name)
    assert "Files that can be opened: sessions (.posenc" in answers.seen[0]
    assert window.store.document == Document()


def test_a_damaged_session_is_told_without_the_kinds_of_files(window, answers, tmp_path):
    (tmp_path / "a.posenc").write_text(Document().to_json().replace('"d_model": 8', '"d_model": 0'))
    answers.expect(press("Ok"))
    window.open_file(tmp_path / "a.posenc")
    assert "Files that can be opened" not in answers.seen[0]


def test_edits_of_a_long_sentence_share_its_tokens(window):
    window.store.edit("sentence", "word " * 20_000)
    tokens = window.store.document.token_list
    window.store.edit("base", 500.0)
    assert window.store.document.token_list is tokens


def test_a_moving_cursor_repaints_little_of_the_waves(window, qtbot):
    window.store.edit("seq_len", 512)
    view = window.panels["waves"].view
    with qtbot.waitSignal(view.painted):
        view.viewport().update()
    window.cursor_control.point(window.cursor_control.cursor)
    for _ in range(2):
        with qtbot.waitSignal(view.painted):
            qtbot.keyClick(window.panels["waves"], Qt.Key.Key_Right)
    covered = sum(rect.width() * rect.height() for rect in view.exposed)
    assert 0 < covered < 0.4 * view.width() * view.height()
