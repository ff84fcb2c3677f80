"""The application object, made once and alike for the window, the command line and the tests."""

import os

os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"  # before pyqtgraph is imported: another binding may be installed
os.environ["QT_API"] = "pyside6"  # the same for superqt

import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from posenc_core import __version__
from posenc_gui.resources import resource
from posenc_gui.style import LIGHT, load_fonts


def make_application(argv: list[str]) -> QApplication:
    """The one QApplication, with the program's name, font and look; the existing one if there is one."""
    existing = QCoreApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication(["PosEnc", *argv])
    application.setApplicationName("PosEnc")
    application.setApplicationDisplayName("PosEnc")
    application.setApplicationVersion(__version__)
    application.setOrganizationName("PosEnc")
    application.setDesktopFileName("posenc")
    application.setStyle("Fusion")
    application.setWindowIcon(QIcon(str(resource("icons", "posenc.svg"))))
    load_fonts()
    application.setFont(LIGHT.font(13))
    pg.setConfigOptions(antialias=True, imageAxisOrder="row-major", useOpenGL=False)
    return application


def run(argv: list[str]) -> int:
    """The exit status of the window, once it is closed; a file named in ``argv`` is opened."""
    application = make_application([])
    from posenc_gui.main_window import MainWindow
    from posenc_gui.window_state import Settings

    window = MainWindow(Settings.of_user())
    window.show()
    for name in argv:
        if not name.startswith("-"):
            window.open_file(name)
    status: int = application.exec()
    return status
