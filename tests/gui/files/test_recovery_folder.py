"""The folder of unsaved work: readable sessions are offered; all other files stay and are reported."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dialogs import Answers, press_text
from hostile_state import ACCEPTED, REFUSED, WORK, fill, fill_with_many, session
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from posenc_core import Document
from posenc_gui.files.recovery import MAXIMUM_BYTES, MOST_LEFT, Recovery, Unsaved
from posenc_gui.files.session import open_session, save_session
from posenc_gui.window.main_window import MainWindow
from posenc_gui.window.sessions.autosave import Autosave
from posenc_gui.window.sessions.recovery_dialog import RecoveryOffer

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes and devices among its files")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state" / "recovery"


@pytest.fixture
def recovery(folder: Path) -> Iterator[Recovery]:
    recovery = Recovery(folder)
    recovery.begin()
    yield recovery
    recovery.end()


def released(recovery: Recovery) -> list[Document]:
    """The documents that are offered; they are left to the next start."""
    left = recovery.left()
    for each in left:
        each.release()
    return [each.document for each in left]


@pytest.mark.parametrize("name", REFUSED)
def test_a_document_that_cannot_be_restored_is_set_aside(recovery: Recovery, folder: Path, name: str) -> None:
    (folder / "1-a.posenc").write_bytes(REFUSED[name])
    assert released(recovery) == []
    (problem,) = recovery.problems
    aside = folder / "unreadable-1-a.posenc"
    assert problem.startswith(f"unsaved work cannot be restored, and is kept as {aside}: ")
    assert problem.isprintable()
    assert len(problem) < 600
    assert aside.read_bytes() == REFUSED[name]
    assert released(recovery) == []
    assert len(recovery.problems) == 1, "it is told once"


@pytest.mark.one_of(3)
@pytest.mark.parametrize("name", ACCEPTED)
def test_a_document_is_offered_whatever_it_says_of_its_file(
    window: MainWindow, answers: Answers, recovery: Recovery, folder: Path, qtbot: object, name: str
) -> None:
    (folder / "1-a.posenc").write_bytes(ACCEPTED[name])
    autosave = Autosave(window.store, recovery, interval_ms=1)
    offer = RecoveryOffer(recovery.left(), window.store, autosave, window)
    answers.expect(press_text("&Restore"))
    offer.ask()
    qtbot.waitUntil(lambda: answers.given)  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: window.store.document.sentence == WORK.sentence)  # type: ignore[attr-defined]
    assert len(answers.seen[0]) < 600
    assert window.windowTitle().isprintable()
    autosave.end()
    assert list(folder.iterdir()) == []


def test_quit_ends_the_program_while_the_question_is_open(
    window: MainWindow, recovery: Recovery, folder: Path, qtbot: object
) -> None:
    (folder / "1-a.posenc").write_bytes(session())
    (folder / "2-a.posenc").write_bytes(session())
    autosave = Autosave(window.store, recovery, interval_ms=1)
    offer = RecoveryOffer(recovery.left(), window.store, autosave, window)
    offer.ask()
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is QApplication.activeWindow())  # type: ignore[attr-defined]
    QTest.keyClick(QApplication.activeWindow(), Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert not window.isVisible()
    autosave.end()
    assert {path.name for path in folder.iterdir()} == {"1-a.posenc", "2-a.posenc"}, "the next start offers them"


@pytest.mark.parametrize("host", ["", "another-host"])
def test_the_work_of_a_container_that_was_started_anew_is_offered(recovery: Recovery, folder: Path, host: str) -> None:
    """The container has no machine-id, and a live process (this test) has the number and name of the dead one."""
    number, name = os.getpid(), Path(sys.executable).name
    (folder / f"{number}-abcd.posenc").write_bytes(session())
    (folder / f"{number}-abcd.lock").write_text(f"{number}\n{name}\n{host}\n\n\n")
    assert [document.sentence for document in released(recovery)] == [WORK.sentence]


def test_a_folder_full_of_everything_gives_what_can_be_restored(recovery: Recovery, folder: Path) -> None:
    recovery.end()
    folder.rmdir()
    fill(folder)
    recovery.begin()
    found: list[Document] = []
    for _ in range(20):
        left = recovery.left()
        found += [each.document for each in left]
        for each in left:
            each.discard()
    others = {"3-pipe", "6-folder", "11-\udcff", "12-late", "13-early"}
    assert len(found) == len(ACCEPTED) + len(others)
    assert all(document.sentence == WORK.sentence for document in found)
    assert all(problem.isprintable() for problem in recovery.problems)
    assert Path("/etc/passwd").stat().st_size > 0
    left_there = {path.name for path in folder.iterdir()}
    assert left_there >= {"2-pipe.posenc", "5-folder.posenc", "10-link.posenc"}, "their locks cannot be taken"
    assert len({name for name in left_there if name.startswith("unreadable-")}) >= len(REFUSED)


def test_of_very_many_the_newest_are_offered_and_the_others_wait(recovery: Recovery, folder: Path) -> None:
    fill_with_many(folder, 2000)
    newest = session(sentence="the newest")
    (folder / "5-newest.posenc").write_bytes(newest)
    os.utime(folder / "5-newest.posenc", (2**31, 2**31))
    n_open = len(list(Path("/dev/fd").iterdir()))
    left = recovery.left()
    assert left[0].document.sentence == "the newest"
    assert len(left) == MOST_LEFT
    assert len(list(Path("/dev/fd").iterdir())) == n_open + MOST_LEFT
    for each in left:
        each.discard()
    assert len(list(folder.glob("*.posenc"))) == 2001 - MOST_LEFT
    assert len(list(folder.glob("*.lock"))) == 1, "this process's own"


def test_of_very_large_ones_the_newest_is_read_and_the_others_wait(recovery: Recovery, folder: Path) -> None:
    padded = session() + b" " * (MAXIMUM_BYTES - len(session()))
    for number in range(3):
        (folder / f"{number + 1}-a.posenc").write_bytes(padded)
    assert len(released(recovery)) == 1
    (folder / "1-a.posenc").write_bytes(padded + b" ")
    os.utime(folder / "1-a.posenc", (2**31, 2**31))
    assert len(released(recovery)) == 1
    assert recovery.problems[0].endswith("unreadable-1-a.posenc: it is larger than 16 MB")


def test_every_document_fits_into_its_bound(recovery: Recovery, folder: Path) -> None:
    pairs = 32768
    longest = Document("🙂" * 200_000).edited("family", "rotary").edited("head_dim", 2 * pairs)
    longest = longest.edited("scaling", "longrope").edited("short_factor", [1 + 1 / 3] * pairs)
    recovery.write(Unsaved(longest.edited("long_factor", [1 + 1 / 3] * pairs), Path("/" + "x" * 4000)))
    (kept,) = folder.glob("*.posenc")
    assert kept.stat().st_size < MAXIMUM_BYTES


def test_a_folder_that_takes_no_names_keeps_the_files(recovery: Recovery, folder: Path) -> None:
    """The name for what cannot be read is taken by a folder."""
    (folder / "1-a.posenc").write_bytes(b"{}")
    (folder / "unreadable-1-a.posenc").mkdir()
    assert released(recovery) == []
    assert recovery.problems[0].startswith(f"unsaved work cannot be restored, and is kept as {folder / '1-a.posenc'}: ")
    assert (folder / "1-a.posenc").read_bytes() == b"{}"


def test_an_error_of_the_program_is_told_and_sets_the_file_aside(
    recovery: Recovery, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A file left in place would fail at every start."""
    (folder / "1-a.posenc").write_bytes(session())
    monkeypatch.setattr(Document, "from_json", lambda *_arguments: 1 / 0)
    assert released(recovery) == []
    assert recovery.problems[0].endswith("unreadable-1-a.posenc: see the log")
    assert "ZeroDivisionError" in caplog.text


@given(data=st.binary(max_size=200) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["recovery", "file", "tables", "digest", "sentence", "encoding", "format", "version"]), inner),
    max_leaves=9,
).map(lambda value: json.dumps({**WORK.to_dict(), "recovery": value}).encode()))  # fmt: skip
def test_any_content_is_restored_or_told(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, count: Callable[[str, int], None]
) -> None:
    folder = tmp_path_factory.mktemp("recovery")
    (folder / "1-a.posenc").write_bytes(data)
    recovery = Recovery(folder)
    assert len(released(recovery)) + len(recovery.problems) == 1
    assert all(problem.isprintable() for problem in recovery.problems)
    count("contents of kept work tried", 1)


def test_a_file_with_a_strange_name_is_kept_and_restored(recovery: Recovery, folder: Path, tmp_path: Path) -> None:
    """Names on disk need not be text."""
    path = tmp_path / os.fsdecode(b"caf\xe9.posenc")
    recovery.write(Unsaved(Document("kept", unknown=Document.from_json(session(later=10**300)).unknown), path))
    (kept,) = folder.glob("*.posenc")
    kept.rename(folder / "1-a.posenc")
    (left,) = recovery.left()
    assert (left.document.sentence, left.file) == ("kept", path)
    left.discard()


def test_restored_work_knows_what_its_file_held(
    window: MainWindow, answers: Answers, recovery: Recovery, folder: Path, tmp_path: Path, qtbot: object
) -> None:
    """Another window saved the file after the crash: to save the restored work asks first."""
    path = tmp_path / "mine.posenc"
    digest = save_session(Document("as it was"), path)
    recovery.write(Unsaved(Document("as it was").edited("d_model", 16), path, digest))
    (kept,) = folder.glob("*.posenc")
    kept.rename(folder / "1-a.posenc")
    save_session(Document("from elsewhere"), path)
    autosave = Autosave(window.store, recovery, interval_ms=1)
    answers.expect(press_text("&Restore"))
    offer = RecoveryOffer(recovery.left(), window.store, autosave, window)
    offer.ask()
    qtbot.waitUntil(window.isWindowModified)  # type: ignore[attr-defined]
    autosave.finish()
    (again,) = folder.glob("*.posenc")
    assert json.loads(again.read_bytes())["recovery"]["digest"] == digest, "for a second crash"
    answers.expect(press_text("Re&place"))
    window.files.save()
    assert answers.seen[-1].startswith("The file was changed: mine.posenc was changed by another window")
    assert open_session(path) == window.store.document
    autosave.end()
