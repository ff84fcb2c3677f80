"""The application that figures are drawn with: without a display, with the program's fonts."""

import os

import pytest
from PySide6.QtWidgets import QApplication

from posenc_gui.look.qt import make_application

os.environ["QT_QPA_PLATFORM"] = "offscreen"


@pytest.fixture(scope="session", autouse=True)
def application() -> QApplication:
    return make_application([])
