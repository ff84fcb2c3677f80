"""The application object, the same for window, command line and tests."""

import gc
import os

from posenc_core import Document as Document  # before PySide6, which reads the source of every module imported later
from posenc_core import __version__

os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"  # read by pyqtgraph, in case another binding is installed

import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from posenc_gui.look.resources import DESKTOP_ID, resource
from posenc_gui.look.style import LIGHT, load_fonts
from posenc_gui.look.theme import apply_style


def make_application(argv: list[str]) -> QApplication:
    """The QApplication, existing or new, with the program's name, font and look."""
    existing = QCoreApplication.instance()
    application = existing if isinstance(existing, QApplication) else _new_application(argv)
    application.setApplicationName("PosEnc")
    application.setApplicationDisplayName("PosEnc")
    application.setApplicationVersion(__version__)
    application.setOrganizationName("PosEnc")
    application.setDesktopFileName(DESKTOP_ID)
    application.setStyle("Fusion")
    application.setWindowIcon(QIcon(str(resource("icons", "posenc.svg"))))
    load_fonts()
    apply_style(LIGHT)
    # Without a limit of mouse events: pyqtgraph would drop those within 10 ms, even the last one.
    pg.setConfigOptions(antialias=True, imageAxisOrder="row-major", useOpenGL=False, mouseRateLimit=0)
    return application


def _new_application(argv: list[str]) -> QApplication:
    gc.freeze()  # imported modules live until the end
    # A picture creates thousands of objects without cycles, for which Python would collect ten times.
    gc.set_threshold(50_000, 20, 20)
    return QApplication(["PosEnc", *argv])
