"""Makes a picture of the whole window: python tools/window_picture.py FILE WORKSPACE [PRESET]."""

import os
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

WIDTH, HEIGHT = 1440, 900
_QUIET_TURNS = 10


def picture(path: Path, workspace: str, preset: str = "", lesson: str = "") -> None:
    """Write the picture of a window in the light theme, as at its first start, with a preset or a lesson if named."""
    from posenc_gui.files.settings import Settings
    from posenc_gui.look.qt import make_application
    from posenc_gui.window.main_window import MainWindow

    application = make_application([])
    QGuiApplication.styleHints().setCursorFlashTime(0)  # a blinking one is there in every other picture
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(Path(folder, "settings.json"))
        settings.change(theme="light", frame_time=False)
        window = MainWindow(settings)
        window.resize(WIDTH, HEIGHT)
        window.show()
        if preset:
            window.commands.open_preset(preset)
        window.workspaces.choose(workspace)
        if lesson:
            window.commands.story.take_lesson(lesson)
            _show_answer(window)
        _settle(window)
        window.grab().toImage().save(str(path))
        window.store.keep_guest()
        window.store.mark_saved()
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)
    del application  # needed until the picture is painted


def _show_answer(window: QWidget) -> None:
    """Press *Show*, after which no part of the window is covered."""
    _settle(window)
    (show,) = [each for each in window.findChildren(QPushButton) if each.text() == "Show" and each.isVisible()]
    show.click()


def _settle(window: QWidget) -> None:
    """Wait for all that the window does a moment later, such as typesetting a derivation, and for slow pictures."""
    from posenc_gui.figures import BackgroundRenderer

    quiet = 0
    while quiet < _QUIET_TURNS:  # a finished picture may change a note, and that the size of another picture
        QCoreApplication.processEvents()
        is_timed = any(each.isActive() for each in window.findChildren(QTimer))
        is_computing = any(each.is_busy for each in window.findChildren(BackgroundRenderer))
        quiet = 0 if is_timed or is_computing else quiet + 1


if __name__ == "__main__":
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    picture(Path(sys.argv[1]), *sys.argv[2:])
