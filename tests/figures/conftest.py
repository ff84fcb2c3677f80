"""The application that figures are drawn with: without a display, with the program's fonts."""

import os

import pytest
from PySide6.QtWidgets import QApplication

from posenc_gui.export.pictures import start_qt

os.environ["QT_QPA_PLATFORM"] = "offscreen"


@pytest.fixture(scope="session", autouse=True)
def application() -> QApplication:
    return start_qt()
