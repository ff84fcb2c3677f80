"""A session file that another window or program changed is never replaced without a question."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dialogs import Answers, dismiss, press, press_text
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLineEdit, QMessageBox
from window_bench import act, close, type_number

from posenc_core import Document
from posenc_gui.files.session import open_session, save_session
from posenc_gui.files.settings import Settings
from posenc_gui.window.main_window import MainWindow

pytestmark = pytest.mark.one_window

QUESTION = (
    "The file was changed: mine.posenc was changed by another window or program since it was opened or saved here."
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "mine.posenc"
    save_session(Document("as it was"), path)
    return path


@pytest.fixture
def other(window: MainWindow, path: Path, tmp_path: Path, qtbot: object) -> Iterator[MainWindow]:
    """A second window; both show the file."""
    other = MainWindow(Settings(tmp_path / "other.json"))
    other.show()
    for each in (window, other):
        each.open_file(path)
        assert each.store.document == Document("as it was")
    yield other
    close(other)


@pytest.fixture
def changed(window: MainWindow, other: MainWindow, path: Path) -> Document:
    """Document saved by the other window while this window has unsaved changes."""
    type_number(window, "d_model", "16")
    type_number(other, "d_model", "32")
    act(other, "save")
    assert open_session(path) == other.store.document
    return other.store.document


def type_name(name: str) -> Callable[[QDialog], None]:
    """Type the name over the one in the file dialog, and accept it."""

    def answer(dialog: QDialog) -> None:
        edit = dialog.findChild(QLineEdit)
        assert QTest.qWaitForWindowActive(dialog)  # a name is typed where the focus is
        edit.selectAll()
        QTest.keyClicks(edit, name)
        QTimer.singleShot(0, dialog.accept)  # which may ask, and wait for the next answer

    return answer


def escape(dialog: QDialog) -> None:
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_the_second_save_asks_and_cancel_keeps_everything(
    window: MainWindow, answers: Answers, path: Path, changed: Document
) -> None:
    for answer in (press("Cancel"), escape):
        answers.expect(answer)
        act(window, "save")
        assert open_session(path) == changed
        assert window.store.document == Document("as it was").edited("d_model", 16)
        assert window.isWindowModified()
    assert answers.seen == [QUESTION] * 2


def test_reload_shows_the_file_and_undo_brings_the_changes_back(
    window: MainWindow, answers: Answers, path: Path, changed: Document
) -> None:
    mine = window.store.document
    answers.expect(press_text("&Reload"))
    act(window, "save")
    assert window.store.document == changed == open_session(path)
    assert not window.isWindowModified()
    window.store.undo()
    assert window.store.document == mine
    assert window.isWindowModified()
    window.store.undo()
    assert window.store.document == Document("as it was")
    assert window.isWindowModified(), "the file holds something else"
    window.store.redo()
    answers.expect(press_text("Re&place"))
    act(window, "save")
    assert open_session(path) == mine
    assert answers.seen == [QUESTION] * 2


def test_replace_overwrites_the_file_once(
    window: MainWindow, answers: Answers, path: Path, changed: Document, other: MainWindow
) -> None:
    answers.expect(press_text("Re&place"))
    act(window, "save")
    assert open_session(path) == window.store.document != changed
    assert not window.isWindowModified()
    type_number(window, "d_model", "18")
    act(window, "save")
    assert open_session(path).value("d_model") == 18
    assert answers.seen == [QUESTION]
    answers.expect(press("Cancel"))
    act(other, "save")
    assert answers.seen == [QUESTION] * 2, "now the other window's is the older one"


def test_save_as_keeps_both(
    window: MainWindow, answers: Answers, path: Path, changed: Document, tmp_path: Path
) -> None:
    answers.expect(press_text("Save &as…"))
    answers.expect(type_name("second.posenc"))
    act(window, "save")
    assert open_session(path) == changed
    assert open_session(tmp_path / "second.posenc") == window.store.document
    assert window.windowTitle().startswith("second.posenc[*]")
    assert not window.isWindowModified()


def test_save_as_can_be_given_up(window: MainWindow, answers: Answers, path: Path, changed: Document) -> None:
    answers.expect(press_text("Save &as…"))
    answers.expect(dismiss)
    act(window, "save")
    assert open_session(path) == changed
    assert window.isWindowModified()


@pytest.mark.parametrize(("answer", "closes"), [("Re&place", True), ("&Reload", False), ("Cancel", False)])
def test_closing_with_unsaved_work_asks_as_well(
    window: MainWindow, answers: Answers, path: Path, changed: Document, answer: str, closes: bool
) -> None:
    mine = window.store.document
    answers.expect(press("Save"))
    answers.expect(press(answer) if answer == "Cancel" else press_text(answer))
    window.close()
    assert answers.seen == ["Unsaved changes: Save the changes to mine.posenc?", QUESTION]
    assert window.isVisible() != closes
    assert open_session(path) == (mine if closes else changed)


def by_another_process(path: Path, line: str) -> None:
    """Let another process run the line, with the file as ``path``; nothing of its size and times changes."""
    program = f"""
import os, sys
from pathlib import Path
path = Path(sys.argv[1])
before = path.stat()
{line}
os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
"""
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)


def test_other_content_of_the_same_size_and_time_is_noticed(window: MainWindow, answers: Answers, path: Path) -> None:
    window.open_file(path)
    by_another_process(path, "path.write_bytes(path.read_bytes().replace(b'as it was', b'as it is!'))")
    type_number(window, "d_model", "16")
    answers.expect(press_text("&Reload"))
    act(window, "save")
    assert answers.seen == [QUESTION]
    assert window.store.document == Document("as it is!")


def test_the_same_content_with_another_time_is_no_question(window: MainWindow, answers: Answers, path: Path) -> None:
    window.open_file(path)
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content)
    os.utime(path, (10**9, 10**9))
    type_number(window, "d_model", "16")
    act(window, "save")
    assert open_session(path).value("d_model") == 16
    assert answers.seen == []


def test_a_deleted_file_is_saved_anew(window: MainWindow, answers: Answers, path: Path) -> None:
    window.open_file(path)
    path.unlink()
    type_number(window, "d_model", "16")
    act(window, "save")
    assert open_session(path) == window.store.document
    assert answers.seen == []


@pytest.mark.parametrize(("make", "reason"), [(Path.mkdir, "it is a folder"), (os.mkfifo, "it is a device or a pipe")])
def test_something_else_in_the_file_s_place_is_reported(
    window: MainWindow, answers: Answers, path: Path, make: Callable[[Path], object], reason: str
) -> None:
    window.open_file(path)
    path.unlink()
    make(path)
    type_number(window, "d_model", "16")
    answers.expect(press("Ok"))
    act(window, "save")
    assert answers.seen[0].startswith(f"Cannot save: Cannot write {path}: {reason}")
    assert window.isWindowModified()


def test_a_file_that_became_larger_than_any_session_is_noticed(
    window: MainWindow, answers: Answers, path: Path
) -> None:
    window.open_file(path)
    os.truncate(path, 2**40)  # sparse
    answers.expect(press_text("Re&place"))
    act(window, "save")
    assert answers.seen == [QUESTION]
    assert open_session(path) == window.store.document


def test_a_damaged_file_is_not_reloaded(window: MainWindow, answers: Answers, path: Path) -> None:
    window.open_file(path)
    type_number(window, "d_model", "16")
    path.write_bytes(b"{}")
    answers.expect(press_text("&Reload"))
    answers.expect(press("Ok"))
    act(window, "save")
    assert answers.seen[1].startswith("Cannot open: This is no PosEnc session") or "Cannot open" in answers.seen[1]
    assert window.store.document.value("d_model") == 16
    assert path.read_bytes() == b"{}"


def test_each_file_of_the_history_is_known_by_what_was_read_from_it(
    window: MainWindow, answers: Answers, path: Path, tmp_path: Path
) -> None:
    """The document of the first file is back after an undo, and the file that it belongs to was changed meanwhile."""
    window.open_file(path)
    save_session(Document("second"), tmp_path / "second.posenc")
    window.open_file(tmp_path / "second.posenc")
    save_session(Document("from elsewhere"), path)
    window.store.undo()
    assert window.windowTitle().startswith("mine.posenc[*]")
    answers.expect(press("Cancel"))
    act(window, "save")
    assert answers.seen == [QUESTION]
    window.store.redo()
    act(window, "save")
    assert open_session(path) == Document("from elsewhere")


def test_the_question_s_safe_answer_is_the_default(
    window: MainWindow, answers: Answers, path: Path, changed: Document
) -> None:
    def look(dialog: QDialog) -> None:
        assert isinstance(dialog, QMessageBox)
        assert {button.text() for button in dialog.buttons()} > {"&Reload", "Save &as…", "Re&place"}
        assert dialog.defaultButton().text() == "Save &as…"
        assert "Undo restores your changes" in dialog.informativeText()
        dialog.reject()

    answers.expect(look)
    act(window, "save")
    assert open_session(path) == changed


def test_a_name_without_a_suffix_replaces_no_file_unasked(window: MainWindow, answers: Answers, path: Path) -> None:
    answers.expect(type_name("mine"))
    answers.expect(press("No"))
    answers.expect(dismiss)
    window.open_file(path)
    act(window, "save_as")
    assert "already exists" in answers.seen[1]
    assert open_session(path) == Document("as it was")
