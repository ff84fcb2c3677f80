"""The application object, made once and alike for the window, the command line and the tests."""

import gc
import os

from posenc_core import __version__  # first: once PySide6 is loaded, it reads the source of every module imported

os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"  # before pyqtgraph is imported: another binding may be installed

import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from posenc_gui.look.resources import resource
from posenc_gui.look.style import LIGHT, load_fonts


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
