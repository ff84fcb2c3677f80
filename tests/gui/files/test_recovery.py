"""Unsaved work is kept, offered after a crash, and never taken from a living window."""

import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from dialogs import press_text
from plugin_files import EXAMPLE
from tokenizer_bench import saved, word_pieces

from posenc_core import ENCODINGS, Document, LearnedTable, Sinusoidal
from posenc_core.encodings import open_plugin
from posenc_gui.files.atomic import temporary_file
from posenc_gui.files.errors import FileError
from posenc_gui.files.recovery import Recovery, Unsaved
from posenc_gui.files.session import open_session, save_session
from posenc_gui.model.document_store import DocumentStore
from posenc_gui.window.sessions.autosave import INTERVAL_MS, MOST_LOST_MS, Autosave
from posenc_gui.window.sessions.recovery_dialog import RecoveryOffer

pytestmark = pytest.mark.one_window

ROOT = Path(__file__).parents[3]
OTHER = Document("unsaved words", encoding=Sinusoidal(12, base=77.0))


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "state" / "recovery"


@pytest.fixture
def recovery(folder):
    recovery = Recovery(folder)
    recovery.begin()
    yield recovery
    recovery.end()


@pytest.fixture
def store(qapp):
    return DocumentStore(Document())


@pytest.fixture
def autosave(store, recovery):
    autosave = Autosave(store, recovery, interval_ms=1)
    yield autosave
    autosave.end()


def names_in(folder):
    return sorted(path.suffix for path in folder.iterdir())


def die(folder, *lines):
    """Let another process do this with the folder, and die in the middle."""
    program = "\n".join(
        [
            "import os, signal, sys",
            "from pathlib import Path",
            "from posenc_core import Document, LearnedTable, Sinusoidal",
            "from posenc_gui.files.atomic import writing",
            "from posenc_gui.files.recovery import Recovery, Unsaved",
            "recovery = Recovery(Path(sys.argv[1]))",
            "recovery.begin()",
            *lines,
            "os.kill(os.getpid(), signal.SIGKILL)",
        ]
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.run([sys.executable, "-c", program, str(folder)], env=environment, check=False)
    assert process.returncode == -9


KEEP = "recovery.write(Unsaved(Document('unsaved words', encoding=Sinusoidal(12, base=77.0)), {}))"


def test_the_interval_leaves_time_for_a_slow_disk():
    assert INTERVAL_MS <= 1000


def test_an_unsaved_document_is_kept_until_it_is_saved(qtbot, store, autosave, folder, tmp_path):
    store.edit("base", 500.0)
    qtbot.waitUntil(lambda: ".posenc" in names_in(folder))
    autosave.finish()
    (kept,) = folder.glob("*.posenc")
    assert open_session(kept).value("base") == 500.0
    assert json.loads(kept.read_bytes())["recovery"] == {"file": None, "digest": "", "tables": [], "tokenizer": None}
    store.set_saved(tmp_path / "mine.posenc")
    autosave.finish()
    assert not list(folder.glob("*.posenc"))


def test_in_a_lesson_the_own_document_is_kept_too_until_it_is_saved(qtbot, store, autosave, recovery, folder, tmp_path):
    store.edit("base", 500.0)
    own = store.document
    store.visit(Document("of the lesson"), "lesson", "lesson")
    qtbot.waitUntil(lambda: ".posenc" in names_in(folder))
    autosave.keep()
    autosave.finish()
    (kept,) = folder.glob("*.posenc")
    assert open_session(kept).value("base") == own.value("base")
    assert json.loads(kept.read_bytes())["recovery"]["lesson"]["sentence"] == "of the lesson"
    store.end_visit()
    store.set_saved(tmp_path / "mine.posenc")
    store.visit(Document("of the lesson"), "lesson", "lesson")
    store.mark_saved()
    autosave.finish()
    assert not list(folder.glob("*.posenc"))


def test_the_own_document_is_kept_once_a_lessons_is_saved_in_its_file(qtbot, store, autosave, folder, tmp_path):
    path = tmp_path / "mine.posenc"
    store.begin(Document("my own"), "open", path)
    store.visit(Document("of the lesson"), "lesson", "lesson")
    store.edit("base", 500.0)
    qtbot.waitUntil(lambda: ".posenc" in names_in(folder))
    store.set_saved(path)
    autosave.keep()
    autosave.finish()
    (kept,) = folder.glob("*.posenc")
    assert open_session(kept).sentence == "my own"
    assert json.loads(kept.read_bytes())["recovery"]["lesson"]["sentence"] == "of the lesson"


def test_a_lessons_document_that_cannot_be_opened_does_not_take_the_own_one_along(recovery, folder):
    die(folder, KEEP.format("None, '', Document('of the lesson')"))
    (kept,) = folder.glob(f"*{'.posenc'}")
    values = json.loads(kept.read_bytes())
    values["recovery"]["lesson"]["format"] = "of another program"
    kept.write_text(json.dumps(values))
    (left,) = recovery.left()
    assert (left.document, left.lesson) == (OTHER, None)
    left.discard()


def test_going_back_to_what_is_saved_removes_it_as_well(qtbot, store, autosave, folder):
    store.edit("base", 500.0)
    qtbot.waitUntil(lambda: ".posenc" in names_in(folder))
    store.undo()
    autosave.finish()
    assert not list(folder.glob("*.posenc"))


def test_typing_without_a_pause_is_saved_too(qtbot, store, recovery, folder):
    """Every change would put the writing off, if it began to wait anew each time."""
    autosave = Autosave(store, recovery, interval_ms=100)

    def type_until_saved() -> bool:
        store.edit("sentence", store.document.sentence + "x")
        return bool(list(folder.glob("*.posenc")))

    qtbot.waitUntil(type_until_saved)
    autosave.end()


@pytest.mark.one_of(6)
@pytest.mark.parametrize(
    ("write_ms", "late_ms", "delay_ms"),
    [(0, 0, 1000), (500, 0, 1000), (700, 0, 600), (500, 300, 700), (0, 1500, 500), (1500, 0, 0)],
)
def test_a_busy_machine_shortens_the_delay_so_that_two_seconds_are_the_most_that_a_crash_loses(
    qtbot, store, folder, write_ms, late_ms, delay_ms
):
    seconds = [0.0]

    class SlowDisk(Recovery):
        def write(self, work):
            super().write(work)
            seconds[0] += write_ms / 1000

    recovery = SlowDisk(folder)
    recovery.begin()
    autosave = Autosave(store, recovery, interval_ms=1000, clock=lambda: seconds[0])
    store.edit("base", 500.0)
    seconds[0] += 1 + late_ms / 1000
    qtbot.waitUntil(lambda: ".posenc" in names_in(folder))
    autosave.finish()
    assert autosave.delay_ms == pytest.approx(delay_ms, abs=1)
    assert autosave.delay_ms + late_ms + 2 * write_ms <= MOST_LOST_MS + 1 or autosave.delay_ms == 0
    autosave.end()


def test_a_slow_disk_gets_the_newest_document_next_and_no_queue_of_earlier_ones(qtbot, store, folder):
    """Each write of a queue would be older than the one before it, without end."""
    begun, may_write, written = Event(), Event(), []

    class SlowDisk(Recovery):
        def write(self, work):
            begun.set()
            may_write.wait()
            super().write(work)
            written.append(work.document.sentence)

    recovery = SlowDisk(folder)
    recovery.begin()
    autosave = Autosave(store, recovery, interval_ms=1)
    store.edit("sentence", "first")
    qtbot.waitUntil(begun.is_set)
    for number in range(5):
        store.edit("sentence", f"typed {number}")
        qtbot.waitUntil(lambda: not autosave._timer.isActive())
    may_write.set()
    qtbot.waitUntil(lambda: written[-1:] == ["typed 4"])
    assert written == ["first", "typed 4"]
    autosave.end()


def test_the_first_change_loads_what_a_session_needs_before_it_is_due(qapp, folder):
    """On a busy machine, loading the options of all panels took seconds, in which a crash lost the first work."""
    told = []

    class Told(Document):
        def to_dict(self):
            told.append(self.sentence)
            return super().to_dict()

    store = DocumentStore(Told())
    autosave = Autosave(store, Recovery(folder), interval_ms=10**9)
    store.edit("sentence", "first")
    store.edit("sentence", "second")
    autosave.finish()
    assert told == ["first"]
    assert not folder.exists()
    autosave.end()


def test_nothing_is_kept_once_a_saved_lessons_document_is_the_persons_own(qtbot, store, recovery, folder, autosave):
    """The document that a lesson showed is edited after it, saved, and the next lesson begins from it."""
    store.edit("base", 500.0)
    qtbot.waitUntil(lambda: ".posenc" in names_in(folder))
    store.visit(Document("lesson"), "lesson", object())
    store.guest.left = store.document
    store.edit("base", 600.0)
    store.set_saved(folder.parent / "edited.posenc")
    autosave.finish()
    assert ".posenc" in names_in(folder), "the own document is unsaved"
    store.keep_guest()
    store.visit(Document("next lesson"), "lesson", object())
    qtbot.waitUntil(lambda: ".posenc" not in names_in(folder))


def test_a_good_end_leaves_nothing(qtbot, store, recovery, folder):
    autosave = Autosave(store, recovery, interval_ms=1)
    store.edit("base", 500.0)
    qtbot.waitUntil(lambda: ".posenc" in names_in(folder))
    autosave.end()
    assert list(folder.iterdir()) == []


def test_an_end_without_a_folder_says_nothing(tmp_path, caplog):
    (tmp_path / "recovery").write_text("a file in its place")
    Recovery(tmp_path / "recovery").end()
    assert not caplog.records


def test_a_long_sentence_is_saved_without_a_wait(qtbot, store, autosave, folder):
    store.edit("sentence", "word " * 39_000)
    qtbot.waitUntil(lambda: ".posenc" in names_in(folder))
    autosave.finish()
    (kept,) = folder.glob("*.posenc")
    assert open_session(kept).sentence == store.document.sentence


def test_the_work_of_a_living_window_is_not_offered(recovery, folder):
    recovery.write(Unsaved(OTHER))
    program = (
        "import sys; from pathlib import Path; from posenc_gui.files.recovery import Recovery\n"
        "print(Recovery(Path(sys.argv[1])).left())"
    )
    command = [sys.executable, "-c", program, str(folder)]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout == "[]\n"
    (kept,) = folder.glob("*.posenc")
    assert open_session(kept).sentence == OTHER.sentence


def test_the_work_of_a_dead_process_is_found_once(recovery, folder, tmp_path):
    die(folder, KEEP.format(f"Path({str(tmp_path / 'mine.posenc')!r})"))
    (left,) = recovery.left()
    assert (left.document, left.file) == (OTHER, tmp_path / "mine.posenc")
    assert Recovery(folder).left() == [], "its lock is held"
    left.release()
    (again,) = recovery.left()
    again.discard()
    assert recovery.left() == []
    assert names_in(folder) == [".lock"], "this process's own"


def test_several_are_found_newest_first(recovery, folder):
    for number in range(3):
        die(folder, f"recovery.write(Unsaved(Document('number {number}')))")
        (kept,) = (path for path in folder.glob("*.posenc") if open_session(path).sentence == f"number {number}")
        os.utime(kept, (1_000_000 + number, 1_000_000 + number))
    left = recovery.left()
    assert [each.document.sentence for each in left] == ["number 2", "number 1", "number 0"]
    for each in left:
        each.discard()


def test_leftovers_of_a_dead_process_are_removed_where_its_work_is_restored(recovery, folder, tmp_path):
    """The process was killed while saving the recovered session and writing the next copy."""
    path = tmp_path / "mine.posenc"
    save_session(OTHER, path)
    (tmp_path / ".others.posenc.part").write_bytes(b"")
    die(
        folder,
        f"path = Path({str(path)!r})",
        KEEP.format("path"),
        "writers = [writing(path), writing(recovery._own('.posenc'))]",
        "for writer in writers: writer.__enter__()",
    )
    assert len(list(tmp_path.iterdir())) == 4
    assert len(list(folder.glob(".*.part"))) == 1
    (left,) = recovery.left()
    assert (left.document, left.file) == (OTHER, path)
    assert {each.name for each in tmp_path.iterdir()} == {"mine.posenc", ".others.posenc.part", "state"}
    assert list(folder.glob(".*")) == []
    assert open_session(path) == OTHER
    left.discard()


def test_a_leftover_beside_a_session_is_removed_when_the_window_opens_it(window, tmp_path):
    path = tmp_path / "mine.posenc"
    save_session(OTHER, path)
    temporary_file(path).write_bytes(b"half")
    assert window.files.open(path)
    assert [each.name for each in tmp_path.glob("*mine*")] == ["mine.posenc"]


def test_a_table_from_a_file_is_opened_again(recovery, folder, tmp_path):
    np.save(tmp_path / "table.npy", np.arange(12.0).reshape(3, 4))
    made = f"Document(encoding=LearnedTable.from_file({str(tmp_path / 'table.npy')!r}))"
    die(folder, f"recovery.write(Unsaved({made}))")
    (left,) = recovery.left()
    assert left.document == Document(encoding=LearnedTable.from_file(tmp_path / "table.npy"))
    left.discard()


def test_work_that_cannot_be_opened_is_reported_and_kept(recovery, folder, tmp_path):
    np.save(tmp_path / "table.npy", np.arange(12.0).reshape(3, 4))
    made = f"Document(encoding=LearnedTable.from_file({str(tmp_path / 'table.npy')!r}))"
    die(folder, f"recovery.write(Unsaved({made}))")
    (tmp_path / "table.npy").unlink()
    assert recovery.left() == []
    (problem,) = recovery.problems
    (aside,) = folder.glob("unreadable-*.posenc")
    assert str(aside) in problem
    assert problem.endswith("there is no such file")
    assert recovery.left() == []
    assert aside.exists()


def test_work_with_an_encoding_that_is_not_installed_waits_for_a_start_with_it(recovery, folder, tmp_path):
    (tmp_path / "mine.py").write_text(EXAMPLE)
    opening = f"(kind,) = open_plugin(ENCODINGS, Path({str(tmp_path / 'mine.py')!r}))"
    lines = ("from posenc_core import ENCODINGS", "from posenc_core.encodings import open_plugin", opening)
    die(folder, *lines, "recovery.write(Unsaved(Document('mine', encoding=kind(rate=0.25))))")
    for _ in range(2):
        assert recovery.left() == []
        assert "unsaved work waits in" in recovery.problems[-1]
        assert "the encoding 'fading_waves', which is not installed" in recovery.problems[-1]
    (kind,) = open_plugin(ENCODINGS, tmp_path / "mine.py")
    try:
        (left,) = recovery.left()
        assert left.document == Document("mine", encoding=kind(rate=0.25))
        left.discard()
    finally:
        ENCODINGS.unregister(kind.family)


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"\xff", b"[" * 10_000, b'{"recovery": 5}', b'{"recovery": {"tables": [["/etc/passwd", ""]]}}'],
    ids=range(6),
)
def test_damaged_files_in_the_folder_are_set_aside(recovery, folder, data):
    (folder / "1-stranger.posenc").write_bytes(data)
    (folder / "2-stranger.files").write_bytes(b'"/no/such/folder/file"\n5\n{"a\n"nul\\u0000"\n' + data)
    (folder / "readme.txt").write_bytes(data)
    assert recovery.left() == []
    assert len(recovery.problems) == 1
    assert {path.name for path in folder.iterdir() if path.suffix != ".lock"} == {
        "readme.txt",
        "unreadable-1-stranger.posenc",
    }


def test_a_folder_without_write_access_is_reported_once_and_the_work_continues(qtbot, store, tmp_path):
    blocked = tmp_path / "blocked"
    blocked.write_bytes(b"a file is in the way")
    recovery = Recovery(blocked / "recovery")
    with pytest.raises(FileError, match=r"^cannot create .*blocked is not a folder$"):
        recovery.begin()
    autosave, said = Autosave(store, recovery, interval_ms=1), []
    autosave.failed.connect(said.append)
    for base in (500.0, 600.0, 700.0):
        with qtbot.waitSignal(autosave._finished):
            store.edit("base", base)
        qtbot.waitUntil(autosave._last.done)
    assert len(said) == 1
    assert said[0].startswith("Unsaved work is not protected against a crash: cannot create ")
    assert store.document.value("base") == 700.0
    blocked.unlink()
    with qtbot.waitSignal(autosave._finished):
        store.edit("base", 800.0)
    assert list((blocked / "recovery").glob("*.posenc"))
    autosave.end()
    assert list((blocked / "recovery").iterdir()) == []


def test_an_unexpected_error_is_not_hidden_in_the_thread(store, autosave, recovery, monkeypatch):
    told = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: told.append((kind, str(error))))
    monkeypatch.setattr(recovery, "write", lambda *written: 1 / 0)
    store.edit("base", 500.0)
    autosave.keep()
    autosave.finish()
    assert told == [(ZeroDivisionError, "division by zero")]


def test_a_removed_folder_is_created_again(qtbot, store, autosave, folder):
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    store.edit("base", 500.0)
    qtbot.waitUntil(lambda: folder.is_dir() and ".posenc" in names_in(folder))
    assert names_in(folder).count(".lock") == 1


@pytest.fixture
def offered(window, folder, tmp_path):
    """The offer in the window after a crash that left two sessions, one of them with a file."""
    save_session(Document("as saved"), tmp_path / "mine.posenc")
    die(folder, "recovery.write(Unsaved(Document('older')))")
    (kept,) = folder.glob("*.posenc")
    os.utime(kept, (1_000_000, 1_000_000))
    die(folder, KEEP.format(f"Path({str(tmp_path / 'mine.posenc')!r})"))
    recovery = Recovery(folder)
    recovery.begin()
    autosave = Autosave(window.store, recovery, interval_ms=1)
    yield RecoveryOffer(recovery.left(), window.store, autosave, window)
    autosave.end()
    for left in recovery.left():
        left.discard()
    assert list(folder.iterdir()) == []


def answered(qtbot, answers, offered, *names):
    for name in names:
        answers.expect(press_text(name))
    offered.ask()
    qtbot.waitUntil(lambda: answers.given and not offered._waiting)


def test_restored_work_is_unsaved_and_belongs_to_its_file(qtbot, window, answers, offered, folder, tmp_path):
    answered(qtbot, answers, offered, "&Restore")
    assert window.store.document == OTHER
    assert window.windowTitle() == "mine.posenc[*] — PosEnc"
    assert window.isWindowModified()
    assert open_session(tmp_path / "mine.posenc") == Document("as saved"), "until it is saved"
    assert [open_session(path).sentence for path in folder.glob(f"{os.getpid()}-*.posenc")] == ["unsaved words"]
    (other,) = Recovery(folder).left()
    assert other.document.sentence == "older", "it waits"
    other.release()
    window.files.save()
    assert open_session(tmp_path / "mine.posenc") == OTHER
    window.store.undo()
    assert window.store.document == Document()


def test_discarded_work_is_gone_and_the_next_is_offered(qtbot, window, answers, offered, folder):
    answered(qtbot, answers, offered, "&Discard", "&Discard")
    assert not window.isWindowModified()
    assert Recovery(folder).left() == []
    assert list(folder.glob("*.posenc")) == []


def test_work_can_be_left_to_the_next_start(qtbot, window, answers, offered, folder):
    answered(qtbot, answers, offered, "&Later")
    assert "the session mine.posenc" in answers.seen[0]
    assert window.store.document == Document()
    assert len(list(folder.glob("*.posenc"))) == 2
    left = Recovery(folder).left()
    assert len(left) == 2
    for each in left:
        each.release()


def test_work_that_was_left_in_a_lesson_is_restored_over_the_lessons_document(qtbot, window, answers, recovery, folder):
    die(folder, KEEP.format("None, '', Document('of the lesson')"))
    autosave = Autosave(window.store, recovery, interval_ms=1)
    answered(qtbot, answers, RecoveryOffer(recovery.left(), window.store, autosave, window), "&Restore")
    assert window.store.document == OTHER
    assert not window.store.is_saved
    window.store.undo()
    assert window.store.document == Document("of the lesson")
    window.store.redo()
    autosave.finish()
    (kept,) = folder.glob("*.posenc")
    assert Document.from_json(kept.read_bytes()).sentence == OTHER.sentence
    autosave.end()


@pytest.mark.one_of(2)
@pytest.mark.parametrize(
    ("kept", "told"),
    [
        ("None, '', None, True", ["before your changes in a lesson was saved", "“unsaved words”"]),
        ("None, '', Document('of the lesson')", ["a session without a name", "of the lesson, “of the lesson”"]),
    ],
)
def test_an_offer_names_the_document_that_was_left(qtbot, window, answers, recovery, folder, kept, told):
    die(folder, KEEP.format(kept))
    autosave = Autosave(window.store, recovery, interval_ms=1)
    said = []
    answers.expect(lambda box: (said.append(f"{box.text()} {box.informativeText()}"), press_text("&Discard")(box)))
    RecoveryOffer(recovery.left(), window.store, autosave, window).ask()
    qtbot.waitUntil(lambda: answers.given)
    for each in told:
        assert each in said[0]
    autosave.end()


def test_work_that_was_saved_after_all_is_not_offered(window, recovery, folder, tmp_path):
    save_session(OTHER, tmp_path / "mine.posenc")
    die(folder, KEEP.format(f"Path({str(tmp_path / 'mine.posenc')!r})"))
    offer = RecoveryOffer(recovery.left(), window.store, None, window)
    offer.ask()
    assert window.store.document == Document()
    assert list(folder.glob("*.posenc")) == []


def test_work_with_a_table_and_a_tokenizer_that_was_saved_after_all_is_not_offered(window, recovery, folder, tmp_path):
    np.save(tmp_path / "table.npy", np.arange(12.0).reshape(3, 4))
    tokenizer, mine = saved(word_pieces(), tmp_path), tmp_path / "mine.posenc"
    die(
        folder,
        "from posenc_core.text import open_tokenizer",
        "from posenc_gui.files.session import save_session",
        f"made = Document('Dan', encoding=LearnedTable.from_file({str(tmp_path / 'table.npy')!r}))",
        f"made = made.with_tokenizer(open_tokenizer({str(tokenizer)!r}))",
        f"save_session(made, Path({str(mine)!r}))",
        f"recovery.write(Unsaved(made, Path({str(mine)!r})))",
    )
    assert list(folder.glob("*.posenc")), "stored before the crash"
    RecoveryOffer(recovery.left(), window.store, None, window).ask()
    assert list(folder.glob("*.posenc")) == []


def test_restored_work_waits_for_the_next_start_if_it_cannot_be_written_anew(
    qtbot, window, answers, recovery, folder, tmp_path
):
    die(folder, "recovery.write(Unsaved(Document('unsaved words')))")
    blocked = tmp_path / "blocked"
    blocked.write_bytes(b"a file is in the way")
    autosave = Autosave(window.store, Recovery(blocked / "recovery"), interval_ms=1)
    answered(qtbot, answers, RecoveryOffer(recovery.left(), window.store, autosave, window), "&Restore")
    assert window.store.document.sentence == "unsaved words"
    (left,) = recovery.left()
    assert left.document.sentence == "unsaved words"
    left.discard()
    autosave.end()
