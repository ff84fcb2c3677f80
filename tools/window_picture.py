"""Makes a picture of the whole window: python tools/window_picture.py FILE WORKSPACE [PRESET]."""

import os
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEventLoop, QSettings
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QWidget

WIDTH, HEIGHT = 1440, 900
_SETTLED_MS = 1200
"""The derivation is typeset once the cursor has rested for a moment."""


def picture(path: Path, workspace: str, preset: str = "", lesson: str = "") -> None:
    """Write the picture of a window in the light theme, as at its first start, with a preset or a lesson if named."""
    from posenc_gui.files.settings import Settings
    from posenc_gui.look.qt import make_application
    from posenc_gui.window.main_window import MainWindow

    application = make_application([])
    QGuiApplication.styleHints().setCursorFlashTime(0)  # a blinking one is there in every other picture
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(QSettings(str(Path(folder, "settings.ini")), QSettings.Format.IniFormat))
        settings.theme, settings.frame_time = "light", False
        window = MainWindow(settings)
        window.resize(WIDTH, HEIGHT)
        window.show()
        if preset:
            window.commands.open_preset(preset)
        window.workspaces.choose(workspace)
        if lesson:
            window.commands.story.take_lesson(lesson)
        last, shown = None, _after_a_while(window)
        while shown != last:
            last, shown = shown, _after_a_while(window)
        shown.save(str(path))
        window.store.history.setClean()
        window.close()
    del application  # needed until the picture is painted


def _after_a_while(window: QWidget) -> QImage:
    """What the window shows after a moment in which it may go on."""
    deadline = QDeadlineTimer(_SETTLED_MS)
    while not deadline.hasExpired():
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
    return window.grab().toImage()


if __name__ == "__main__":
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    picture(Path(sys.argv[1]), *sys.argv[2:])
