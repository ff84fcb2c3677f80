"""Keeps windows where they can be reached, also when the screen that they were on has gone."""

from collections.abc import Sequence

from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

_HANDLE = QRect(0, 0, 120, 32)
"""So much of a window's upper edge is enough to take hold of it."""


def bring_onto_a_screen(widget: QWidget) -> None:
    """Move a window of its own that no screen shows enough of."""
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    placed = reachable(widget.geometry(), screens)
    if placed != widget.geometry():
        widget.setGeometry(placed)


def reachable(geometry: QRect, screens: Sequence[QRect]) -> QRect:
    """The geometry, moved and shrunk onto the first screen where no screen shows enough of its upper edge."""
    edge = QRect(geometry.left(), geometry.top(), geometry.width(), min(_HANDLE.height(), geometry.height()))
    for screen in screens:
        seen = edge.intersected(screen)
        if seen.width() >= min(_HANDLE.width(), edge.width()) and seen.height() >= edge.height():
            return geometry
    if not screens:
        return geometry
    first = screens[0]
    size = geometry.size().boundedTo(first.size())
    left = min(max(geometry.left(), first.left()), first.right() + 1 - size.width())
    top = min(max(geometry.top(), first.top()), first.bottom() + 1 - size.height())
    return QRect(left, top, size.width(), size.height())
