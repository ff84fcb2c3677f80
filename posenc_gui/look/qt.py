"""The application object, the same for window, command line and tests."""

import builtins
import ctypes
import gc
import locale
import os
import sys
from contextlib import suppress

from posenc_core import __version__

os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"  # read by pyqtgraph, in case another binding is installed

from PySide6.QtCore import QCoreApplication, QTimer

# PySide6's import reads the source of each imported module, in search of the words that switch its naming features
# (``from __feature__ import snake_case``). No module of the program switches them. The 400 modules that are
# imported later use the import that was in place before; an import that another package has set stays.
if hasattr(builtins, "__orig_import__") and builtins.__import__ is getattr(builtins, "__feature_import__", None):
    builtins.__import__ = builtins.__orig_import__

import pyqtgraph as pg
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from posenc_gui.look.resources import DESKTOP_ID, resource
from posenc_gui.look.style import LIGHT, load_fonts
from posenc_gui.look.theme import apply_style

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # of malloc.h


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
    # No limit of mouse events: pyqtgraph would drop events within 10 ms, even the last one.
    pg.setConfigOptions(antialias=True, imageAxisOrder="row-major", useOpenGL=False, mouseRateLimit=0)
    return application


def _new_application(argv: list[str]) -> QApplication:
    gc.freeze()  # imported modules live until the end
    # A picture creates thousands of objects without cycles, for which Python would collect ten times.
    gc.set_threshold(50_000, 20, 20)
    _keep_freed_memory()
    application = QApplication(["PosEnc", *argv])
    _speak_plainly()
    return application


def _keep_freed_memory() -> None:
    """Let the C library keep the memory that a picture's numbers have freed, up to 16 MB.

    glibc would return it to the system after each picture, and the next one would wait for each of its pages: a tenth
    of the time of the means of a large table. Other C libraries have no such setting.
    """
    if sys.platform != "linux":
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):
        library.mallopt(_M_MMAP_THRESHOLD, 4 << 20)
        library.mallopt(_M_TRIM_THRESHOLD, 16 << 20)


def _speak_plainly() -> None:
    """Set the system's error texts back to English; Qt has just set the user's language for the whole process.

    In Turkish the C library has no usual capital of the letter i, which PySide needs to find the setters of properties.
    """
    letters = locale.setlocale(locale.LC_CTYPE)
    locale.setlocale(locale.LC_ALL, "C")
    locale.setlocale(locale.LC_CTYPE, letters)
    try:
        QTimer(interval=0)
    except AttributeError:
        for plain in ("C", "C.UTF-8"):
            with suppress(locale.Error):
                locale.setlocale(locale.LC_CTYPE, plain)
