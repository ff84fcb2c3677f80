"""Performs thousands of random actions in one window and checks errors, memory and what is left.

    monkey.py FOLDER SEED ACTIONS [VERBOSE]

Every action has a generator of chance of its own, made of the seed and its number. Writes one line of JSON, with
all that went wrong; the program's events run as they do for a person, between handfuls of actions.
"""

import ctypes
import faulthandler
import gc
import json
import os
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random
from types import TracebackType

from monkey_actions import ACTIONS, files_in
from PySide6.QtCore import QCoreApplication, QEvent, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLineEdit, QMessageBox, QWhatsThis, QWidget

from posenc_core import ENCODINGS
from posenc_gui.export.dialog import ExportDialog
from posenc_gui.files.settings import Settings
from posenc_gui.look.qt import make_application
from posenc_gui.start.crash_safety import CrashSafety
from posenc_gui.window.main_window import MainWindow

sys.path.insert(0, str(Path(__file__).parents[2]))
# Relative: the colon after a drive's letter would end the name.
os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={os.path.relpath(Path(__file__).parents[1] / 'screen.json')}"


NO_DISPLAY = "This plugin does not support"
"""Qt's message without a display, where windows cannot be raised or given a minimum size."""
HANDFUL = 50
"""Actions between two turns of the event loop, in which everything is painted."""
HANGS_SECONDS = 600
"""Limit for a handful of actions, out of reach of a busy machine; then the place of the hang is printed."""
CHECKED_EVERY = 1000


class Monkey:
    """The owner of the window."""

    def __init__(self, folder: Path, seed: int, n_actions: int, verbose: bool) -> None:
        self.folder, self._seed, self._n_actions, self._verbose = folder / "files", seed, n_actions, verbose
        self._state = folder / "state"
        self.folder.mkdir(parents=True)
        files_in(self.folder)
        self.gesture: object = None
        self.number = 0
        self.problems: list[str] = []
        self.done: Counter[str] = Counter()
        self.families: set[str] = set()
        self.measured: list[dict[str, int]] = []
        self.n_answers = 0
        self._seconds: Counter[str] = Counter()
        self._settings = folder / "settings.json"
        self._closes = True
        self._open()
        QTimer.singleShot(0, self._answer)
        self._turn = QTimer()
        self._turn.timeout.connect(self._handful)
        self._turn.start(0)

    def reopen(self, as_first: bool = False) -> None:
        """Close the window, whose unsaved work nobody wants, see that nothing of it is left, and open another.

        ``as_first`` opens it as at the first start, without what the closed one remembered.
        """
        QWhatsThis.hideText()  # Qt's popup, which a person closes by the next click or key
        _let_die()  # pictures that were exported a moment ago: no person is as quick
        self.window.store.mark_saved()
        self.window.close()
        self._safety.end()
        self.window.deleteLater()
        del self.window, self._safety
        _let_die()
        left = [widget for widget in QApplication.allWidgets() if not _is_a_layouts(widget)]
        if left:
            self.problems.append(f"{self.number}: {len(left)} widgets outlive their window: {left[:5]}")
        if as_first:
            self._settings.unlink(missing_ok=True)
        self._open()

    def _open(self) -> None:
        self.window = MainWindow(Settings(self._settings))
        self._safety = CrashSafety(self.window, self._state)
        self.window.show()
        self._safety.begin()
        self._safety.offer_unsaved()
        sys.excepthook = self.failed  # instead of the dialog, which is tried elsewhere
        self.gesture = None

    def _handful(self) -> None:
        actions, weights = list(ACTIONS), list(ACTIONS.values())
        faulthandler.dump_traceback_later(HANGS_SECONDS, exit=True)
        for _ in range(HANDFUL):
            if self.number >= self._n_actions:
                self._turn.stop()
                QCoreApplication.exit()
                return
            self.number += 1
            rng = Random(f"{self._seed} {self.number}")
            (action,) = rng.choices(actions, weights)
            started = time.perf_counter()
            try:
                action(self, rng)
            except Exception:  # noqa: BLE001 - told at the end
                self.failed(*sys.exc_info())
            self.done[action.__name__] += 1
            self._seconds[action.__name__] += time.perf_counter() - started
            self.families.add(self.window.store.document.encoding.family)
            if self.number % CHECKED_EVERY == 0:
                self._measure()

    def _measure(self) -> None:
        """Record memory and objects of the program with a window as at the first start."""
        self.reopen(as_first=True)
        QGuiApplication.clipboard().clear()
        gc.collect()
        kinds = Counter(type(each).__name__ for each in gc.get_objects())
        self.measured.append(
            {
                "action": self.number,
                "megabytes": _resident_bytes() // 2**20,
                "widgets": len(QApplication.allWidgets()),
                "windows": kinds["MainWindow"],
                "figures": sum(n for kind, n in kinds.items() if kind.endswith("Figure")),
                "documents": kinds["Document"],
            }
        )
        self._tell(f"{self.measured[-1]} { ({name: round(s, 1) for name, s in self._seconds.most_common(8)}) }")

    def failed(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Take down what went wrong, after which action."""
        told = f"{self.number}: " + "".join(traceback.format_exception(kind, error, trace))
        self.problems.append(told)
        self._tell(told)

    def warned(self, kind: QtMsgType, _context: object, message: str) -> None:
        """Take down what Qt complains of."""
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg) and not message.startswith(NO_DISPLAY):
            self.problems.append(f"{self.number}: Qt: {message}")
            self._tell(self.problems[-1])

    def _tell(self, text: str) -> None:
        if self._verbose:
            sys.stderr.write(text + "\n")

    def _answer(self) -> None:
        """Something to the dialog that waits, and to what that may ask in its turn."""
        QTimer.singleShot(2, self._answer)
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QDialog):
            return
        self.n_answers += 1  # another chance each time: who always refuses to replace a file is asked for ever
        rng = Random(f"{self._seed} {self.number} dialog {self.n_answers}")
        if isinstance(dialog, QFileDialog) and rng.random() < 0.7:
            names = sorted(path.name for path in self.folder.iterdir())
            name = "saved.posenc" if dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave else rng.choice(names)
            dialog.findChild(QLineEdit).setText(str(self.folder / name))
            dialog.accept()
        elif isinstance(dialog, QMessageBox):
            rng.choice(dialog.buttons()).click()
        elif isinstance(dialog, ExportDialog) and rng.random() < 0.3 and not dialog.written:
            dialog.form.folder.setText(str(self.folder / "exports"))
            dialog.accept()
        else:
            dialog.reject()


def _is_a_layouts(widget: QWidget) -> bool:
    """Whether it is what each grid of a picture asks for the style's distances, of which Qt keeps one now and then.

    It has neither name, parent nor child and is never shown; how many there are is counted with all widgets.
    """
    return type(widget) is QWidget and widget.parent() is None and not widget.children() and not widget.isVisible()


def _let_die() -> None:
    """Delete what waits for it: what Python lets go of may be Qt's to delete, and the other way round."""
    for _ in range(2):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()


def _resident_bytes() -> int:
    """Resident bytes that are of no file, with the allocator's free memory released; 0 where none are reported."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
        _, resident, shared, *_ = map(int, Path("/proc/self/statm").read_text(encoding="ascii").split())
    except (OSError, AttributeError):  # not Linux, or another C library
        return 0
    return (resident - shared) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    folder, seed, n_actions, *verbose = sys.argv[1:]
    application = make_application([])
    monkey = Monkey(Path(folder), int(seed), int(n_actions), bool(verbose))
    qInstallMessageHandler(monkey.warned)
    application.exec()
    qInstallMessageHandler(None)
    monkey.reopen()
    monkey.window.close()
    report = {
        "actions": monkey.number,
        "done": monkey.done,
        "problems": monkey.problems[:20],
        "families": sorted(monkey.families),
        "all_families": sorted(ENCODINGS),
        "measured": monkey.measured,
    }
    sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main()
