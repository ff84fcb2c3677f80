"""Unexpected errors: one dialog, an entry in the log, and the program continues."""

import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from posenc_gui.files.errors import FileError
from posenc_gui.start.crash_safety import KEPT, LOG_NAME, MAXIMUM_BYTES, end_log, start_log
from posenc_gui.start.error_dialog import QUIET_SECONDS, ErrorReporter, details_of

ROOT = Path(__file__).parents[3]


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def caught(text="first", kind=RuntimeError):
    try:
        raise kind(text)
    except kind as error:
        return kind, error, error.__traceback__


def elsewhere():
    try:
        raise ValueError("second")
    except ValueError as error:
        return ValueError, error, error.__traceback__


@pytest.fixture
def saves():
    return []


@pytest.fixture
def reporter(window, saves):
    reporter = ErrorReporter(window, lambda: saves.append("saved"), "The log is somewhere.", Clock())
    yield reporter
    for box in boxes(window):
        box.reject()


def boxes(window):
    return [box for box in window.findChildren(QMessageBox) if box.isVisible()]


def button(box, text):
    (found,) = (button for button in box.buttons() if button.text() == text)
    return found


def test_the_dialog_shows_one_sentence_and_what_the_user_can_do(window, reporter, saves, qapp, capsys):
    reporter.handle(*caught("it\nbroke"))
    (box,) = boxes(window)
    assert box.text() == "An unexpected error occurred: RuntimeError: it broke"
    assert box.informativeText() == "Your work is not lost: you can continue and save it. The log is somewhere."
    button(box, "Copy &details").click()
    button(box, "&Save session…").click()
    assert box.isVisible(), "it stays until the person goes on"
    assert saves == ["saved"]
    copied = qapp.clipboard().text()
    assert copied.startswith("PosEnc ")
    assert "Traceback" in copied
    assert "in caught" in copied
    assert "RuntimeError: it\nbroke" in copied
    button(box, "&Continue").click()
    assert boxes(window) == []
    assert "RuntimeError: it" in capsys.readouterr().err


def test_many_errors_open_one_dialog(window, reporter):
    reporter.handle(*caught())
    for _ in range(50):
        reporter.handle(*caught())
    reporter.handle(*elsewhere())
    reporter.handle(*elsewhere())
    (box,) = boxes(window)
    assert "2 more errors followed." in box.informativeText()
    box.reject()
    assert boxes(window) == []


def test_the_same_error_is_quiet_for_a_while_and_another_is_not(window, reporter):
    reporter.handle(*caught())
    boxes(window)[0].reject()
    reporter.handle(*caught())
    assert boxes(window) == []
    reporter.handle(*elsewhere())
    assert "second" in boxes(window)[0].text()
    boxes(window)[0].reject()
    reporter._clock.now += QUIET_SECONDS
    reporter.handle(*caught())
    assert len(boxes(window)) == 1


def test_an_error_of_another_thread_is_shown_too(window, reporter, qtbot):
    thread = threading.Thread(target=lambda: reporter.handle(*caught("in a thread")))
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: len(boxes(window)) == 1)
    assert "in a thread" in boxes(window)[0].text()


def test_an_interrupt_is_not_reported(window, reporter):
    reporter.handle(*caught("", KeyboardInterrupt))
    assert boxes(window) == []


def test_the_reporter_handles_uncaught_errors_until_it_is_uninstalled(reporter):
    before = sys.excepthook
    reporter.install()
    assert sys.excepthook == reporter.handle
    reporter.uninstall()
    assert sys.excepthook is sys.__excepthook__
    sys.excepthook = before


def test_an_error_without_a_message_has_details():
    assert "ValueError" in details_of(ValueError())


def test_the_log_starts_anew_before_it_grows_large(tmp_path):
    handler = start_log(tmp_path / "state")
    log = logging.getLogger("posenc_gui.test")
    try:
        for _ in range(40):
            log.error("%s", "x" * 100_000)
        log.info("not a problem")
    finally:
        end_log(handler)
    files = sorted(path.name for path in (tmp_path / "state").iterdir())
    assert files == [LOG_NAME, *(f"{LOG_NAME}.{number}" for number in range(1, KEPT + 1))]
    assert sum(path.stat().st_size for path in (tmp_path / "state").iterdir()) <= (KEPT + 1) * MAXIMUM_BYTES
    log.error("after the end")
    assert "after the end" not in (tmp_path / "state" / LOG_NAME).read_text()


def test_a_folder_that_takes_no_log_is_one_sentence(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileError, match=r"^cannot create the folder .*file: a file of that name is there$"):
        start_log(tmp_path / "file")
    (tmp_path / LOG_NAME).mkdir()
    with pytest.raises(FileError, match=r"^cannot write .*posenc\.log: it is a folder$"):
        start_log(tmp_path)


PROGRAM = """
import sys
from pathlib import Path
from posenc_gui.look.qt import make_application
application = make_application([])
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMessageBox
from posenc_gui.window.main_window import MainWindow
from posenc_gui.start.crash_safety import CrashSafety
from posenc_gui.files.settings import Settings
folder = Path(sys.argv[1])
window = MainWindow(Settings(folder / "a.json"))
safety = CrashSafety(window, folder / "state")
window.show()
safety.begin("A notice.")
safety.offer_unsaved()
assert window.statusBar().currentMessage() == "A notice."
window.store.documentChanged.connect(lambda document: 1 / 0)
def look():
    (box,) = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    print(box.text())
    box.reject()
    window.store.mark_saved()
    window.close()
QTimer.singleShot(0, lambda: window.store.edit("base", 500.0))
QTimer.singleShot(200, look)
status = application.exec()
safety.end()
print(window.store.document.value("base"), sorted(path.name for path in (folder / "state").rglob("*")))
sys.exit(status)
"""


def test_an_error_in_a_slot_of_the_real_program_ends_nothing(tmp_path):
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    process = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    assert process.stdout.splitlines() == [
        "An unexpected error occurred: ZeroDivisionError: division by zero",
        "500.0 ['posenc.log', 'recovery']",
    ]
    log = (tmp_path / "state" / LOG_NAME).read_text()
    assert "ERROR posenc_gui.start.error_dialog: unexpected error" in log
    assert "ZeroDivisionError: division by zero" in log


def test_a_state_folder_that_takes_nothing_does_not_stop_the_program(tmp_path):
    (tmp_path / "state").write_bytes(b"a file is in the way")
    asserted = 'assert window.statusBar().currentMessage() == "A notice."'
    program = PROGRAM.replace(asserted, "print(window.statusBar().currentMessage())")
    program = program.replace('(folder / "state").rglob("*")', "[]")
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program, str(tmp_path)]
    process = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    notice = process.stdout.splitlines()[0]
    assert notice.startswith("A notice. There is no log: cannot create ")
    assert "Unsaved work is not protected against a crash: cannot create " in notice
    assert process.stdout.splitlines()[-1].startswith("500.0")
