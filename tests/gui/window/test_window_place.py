"""A window can be reached, also if its screen was removed."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from posenc_gui.window.layout import bring_onto_a_screen, reachable

ONE, TWO = QRect(0, 0, 1920, 1080), QRect(1920, 0, 2560, 1440)


@pytest.mark.parametrize(
    "geometry",
    [
        QRect(100, 100, 1440, 900),
        QRect(2000, 50, 1440, 900),  # on the other screen
        QRect(-1000, 40, 1440, 900),  # half outside, its upper edge still there
        QRect(1800, 1040, 1440, 900),
        QRect(0, 0, 1920, 1080),
    ],
)
def test_a_window_that_can_be_reached_stays(geometry):
    assert reachable(geometry, [ONE, TWO]) == geometry


@pytest.mark.parametrize(
    ("geometry", "moved"),
    [
        (QRect(2000, 50, 1440, 900), QRect(480, 50, 1440, 900)),  # the second screen has gone
        (QRect(-5000, -5000, 1440, 900), QRect(0, 0, 1440, 900)),
        (QRect(100, -500, 1440, 900), QRect(100, 0, 1440, 900)),  # the edge to take hold of is above
        (QRect(100, 1070, 1440, 900), QRect(100, 180, 1440, 900)),
        (QRect(-1400, 50, 1440, 900), QRect(0, 50, 1440, 900)),
        (QRect(5000, 50, 3000, 2000), QRect(0, 0, 1920, 1080)),
    ],
)
def test_a_window_that_cannot_is_moved_and_fits(geometry, moved):
    assert reachable(geometry, [ONE]) == moved


def test_without_any_screen_nothing_is_moved():
    assert reachable(QRect(5, 5, 10, 10), []) == QRect(5, 5, 10, 10)


def test_the_window_of_a_screen_that_has_gone_is_brought_back(window, settings):
    window.move(90_000, 90_000)
    window._layout.remember()
    screen = QGuiApplication.primaryScreen().availableGeometry()
    lost = QWidget()
    lost.setGeometry(90_000, 90_000, 300, 200)
    bring_onto_a_screen(lost)
    assert screen.contains(lost.geometry())
    lost.deleteLater()
    window._layout.begin()
    assert screen.intersects(window.geometry())
