"""Kills the program again and again while it edits and saves, and looks each time at what the next start finds.

    killed.py KIND FOLDER SEED MOMENTS INTERVAL_MS LONGEST_SECONDS

KIND is ``core`` (document, history, autosave, recovery and saving, as the window uses them) or ``window``. Every
process is a fork of this one, which imports everything and touches no Qt object. Writes one line of JSON.
"""

import json
import os
import random
import select
import signal
import struct
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTimer

from posenc_core import Document
from posenc_gui.files.atomic import remove_leftover
from posenc_gui.files.recovery import Recovery, Unsaved
from posenc_gui.files.session import open_session, save_session
from posenc_gui.files.settings import Settings
from posenc_gui.look.qt import make_application
from posenc_gui.model.document_store import DocumentStore
from posenc_gui.window.main_window import MainWindow
from posenc_gui.window.sessions.autosave import Autosave

sys.path.insert(0, str(Path(__file__).parents[2]))
os.environ["QT_QPA_PLATFORM"] = "offscreen"


LINE = struct.Struct("<cq")
"""Code of an event (saved or recovered document found, typed, saved, written aside), and the document's number."""

LEAST_A_SECOND = 100
"""Least number of events before a run is killed, also on a slow machine."""


def sentence(number: int) -> str:
    return f"{number} " + "typed " * (number * 37 % 900)


def number_in(document: Document) -> int:
    """The number of the document, which must be whole."""
    number = int(document.sentence.split(maxsplit=1)[0])
    assert document == Document(sentence=sentence(number)), "half a document"
    return number


class ToldRecovery(Recovery):
    """The program's own class, which also reports the documents on the disk."""

    def __init__(self, folder: Path, tell: Callable[[bytes, int], None]) -> None:
        super().__init__(folder)
        self._tell = tell

    def write(self, work: Unsaved) -> None:
        super().write(work)
        self._tell(b"W", number_in(work.document))


class Child:
    """A run of the program: starts, restores unsaved work, edits and saves until killed."""

    def __init__(self, kind: str, folder: Path, seed: int, interval_ms: int, pipe: int) -> None:
        self._pipe, self._random = pipe, random.Random(seed)
        self._often = self._random.choice([0.0, 0.02, 0.5])
        self._path, state = folder / "sessions" / "mine.posenc", folder / "state"
        self._recovery = ToldRecovery(state, self._tell)
        if kind == "window":
            self._application = make_application([])
            window = MainWindow(Settings(folder / "settings" / "settings.json"))
            window.show()
            self._window, self._store, self._save = window, window.store, window.files.save
        else:
            self._application = QCoreApplication([])
            self._store = DocumentStore(Document())
            self._save = self._save_alone
        self._recovery.begin()
        self._autosave = Autosave(self._store, self._recovery, interval_ms=interval_ms)
        self._number = self._restore(state)
        self._timer = QTimer()
        self._timer.timeout.connect(self._act)
        self._timer.start(0)

    def _restore(self, state: Path) -> int:
        numbers = [0]
        if self._path.exists():
            saved = open_session(self._path)
            self._store.begin(saved, "open", self._path)
            remove_leftover(self._path)  # as SessionCommands does
            numbers.append(number_in(saved))
            self._tell(b"F", numbers[-1])
        else:  # the next save removes what a first save left that was cut off
            remove_leftover(self._path)
        for left in self._recovery.left():
            numbers.append(number_in(left.document))
            self._tell(b"K", numbers[-1])
            if numbers[-1] == max(numbers):
                self._store.begin(left.document, "restore", left.file or self._path, saved=False)
                self._autosave.keep()
                self._autosave.finish()
            left.discard()
        strays = [path.name for path in self._path.parent.iterdir() if path != self._path]
        others = [path.name for path in state.iterdir() if not path.name.startswith(f"{os.getpid()}-")]
        assert not strays + others, f"left behind: {strays + others}"
        self._tell(b"R", max(numbers))
        return max(numbers)

    def _act(self) -> None:
        self._number += 1
        self._store.edit("sentence", sentence(self._number))
        self._tell(b"T", self._number)
        if self._random.random() < self._often:
            if self._store.path is None:
                save_session(self._store.document, self._path)
                self._store.set_saved(self._path)
            else:
                self._save()
            self._tell(b"S", self._number)

    def _save_alone(self) -> None:
        save_session(self._store.document, self._path)
        self._store.set_saved(self._path)

    def _tell(self, what: bytes, number: int) -> None:
        os.write(self._pipe, LINE.pack(what, number))

    def run(self) -> None:
        self._application.exec()


def run_and_kill(child_of: Callable[[int], Child], seconds: float) -> list[tuple[bytes, int]]:
    """Events of the child, killed ``seconds`` after its start, or later on a slow machine."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        try:
            child_of(writing).run()
        except BaseException as error:  # noqa: BLE001  # the parent sees that it ended by itself
            sys.stderr.write(f"{error!r}\n")
        os._exit(1)
    os.close(writing)
    told, until, enough = b"", None, 0
    while until is None or time.monotonic() < until or len(told) < enough:
        ready, _, _ = select.select([reading], [], [], 30 if until is None else max(0.001, until - time.monotonic()))
        if ready:
            part = os.read(reading, 65536)
            if not part:
                break
            told += part
        if until is None and b"R" in told[:: LINE.size]:
            until, enough = time.monotonic() + seconds, len(told) + LINE.size * int(LEAST_A_SECOND * seconds)
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status), "it ended by itself"
    while part := os.read(reading, 65536):
        told += part
    os.close(reading)
    return [LINE.unpack_from(told, start) for start in range(0, len(told) - LINE.size + 1, LINE.size)]


def main() -> None:
    kind, folder, seed, moments, interval_ms, longest = sys.argv[1], Path(sys.argv[2]), *map(float, sys.argv[3:])
    (folder / "sessions").mkdir(parents=True)
    chance, report = random.Random(seed), {"moments": 0, "typed": 0, "saved": 0, "restored": 0, "written": 0}
    saved, written = 0, 0
    for moment in range(int(moments) + 1):  # the last one only looks
        seconds = chance.uniform(0, longest) if moment < moments else 0.0
        told = run_and_kill(partial(Child, kind, folder, int(seed) + moment, int(interval_ms)), seconds)
        found = [number for what, number in told if what in b"FK"]
        assert max(found, default=0) >= written, "work that was written aside is lost"
        assert not saved or next(number for what, number in told if what == b"F") >= saved, "a save was undone"
        report["restored"] += any(what == b"K" for what, _ in told)
        saved = max([saved, *(number for what, number in told if what == b"S")])
        written = max([written, saved, *(number for what, number in told if what == b"W")])
        if moment < moments:
            report["moments"] += 1
            report["typed"] += sum(what == b"T" for what, _ in told)
            report["saved"] += sum(what == b"S" for what, _ in told)
            report["written"] += sum(what == b"W" for what, _ in told)
    sys.stdout.write(json.dumps(report))


if __name__ == "__main__":
    main()
