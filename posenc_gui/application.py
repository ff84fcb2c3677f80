"""The application object, made once and alike for the window, the command line and the tests."""

import gc
import os
import sys

from posenc_core import __version__  # first: once PySide6 is loaded, it reads the source of every module imported

os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"  # before pyqtgraph is imported: another binding may be installed

import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from posenc_gui.resources import resource
from posenc_gui.style import LIGHT, load_fonts

_HELP = """\
usage: posenc [FILE]            open the window, with a session, an exported picture, a table or a config.json
       posenc export [OPTIONS]  write pictures and numbers without a window; posenc export --help
       posenc --version
options: --reset-settings        forget layout, theme and recent files first; the old settings stay beside the new
"""

_RESET = "--reset-settings"


def make_application(argv: list[str]) -> QApplication:
    """The one QApplication, with the program's name, font and look; the existing one if there is one."""
    existing = QCoreApplication.instance()
    application = existing if isinstance(existing, QApplication) else _new_application(argv)
    application.setApplicationName("PosEnc")
    application.setApplicationDisplayName("PosEnc")
    application.setApplicationVersion(__version__)
    application.setOrganizationName("PosEnc")
    application.setDesktopFileName("posenc")
    application.setStyle("Fusion")
    application.setWindowIcon(QIcon(str(resource("icons", "posenc.svg"))))
    load_fonts()
    application.setFont(LIGHT.font(13))
    # Every movement of the mouse counts: pyqtgraph would drop those that come within 10 ms, the last one too.
    pg.setConfigOptions(antialias=True, imageAxisOrder="row-major", useOpenGL=False, mouseRateLimit=0)
    return application


def _new_application(argv: list[str]) -> QApplication:
    gc.freeze()  # what was imported stays
    # A picture makes some thousand objects, none of them in a cycle: Python would look for cycles ten times in each.
    gc.set_threshold(50_000, 20, 20)
    return QApplication(["PosEnc", *argv])


def run(argv: list[str]) -> int:
    """The exit status of the window, once it is closed.

    ``argv`` may name a file to open (``FileOpener``), and holds Qt's own options (``-platform``, ``-style``).
    """
    if {"-h", "--help"} & set(argv):
        sys.stdout.write(_HELP)
        return 0
    if "--version" in argv:
        sys.stdout.write(f"PosEnc {__version__}\n")
        return 0
    application = make_application(argv)
    names = [name for name in application.arguments()[1:] if name != _RESET]
    unknown = [name for name in names if name.startswith("-")]
    if unknown or len(names) > 1:
        sys.stderr.write(f"posenc: {unknown[0] if unknown else names[1]} is not understood; --help lists what is\n")
        return 2
    return _run_window(application, names, reset=_RESET in argv)


def _run_window(application: QApplication, names: list[str], reset: bool) -> int:
    from posenc_gui.main_window import MainWindow
    from posenc_gui.recovery import state_folder
    from posenc_gui.safety import Safety
    from posenc_gui.window_state import Settings

    settings = Settings.of_user()
    if reset:
        settings.forget_everything()
    window = MainWindow(settings)
    safety = Safety(window, state_folder())
    window.show()
    safety.begin(settings.problem)
    if names:
        window.open_file(names[0])
    gc.freeze()  # what is there by now stays: looking through all of it would hold up a picture
    status: int = application.exec()
    safety.end()
    return status
