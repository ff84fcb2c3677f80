"""One painting for a change that reaches a widget and its figures by several events."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget

from posenc_gui.figures import FigureView

_ROUNDS = 2
"""A changed note changes its panel's layout once more."""


@contextmanager
def painted_once(widget: QWidget) -> Iterator[None]:
    """Paint a widget once after the changes in this block.

    A shown widget asks for a painting by an event of its own, and so does each changed scene, which also has the whole
    window painted at once. These events are sent here, while the widget is not painted.
    """
    if not widget.updatesEnabled():  # within another such block
        yield
        return
    widget.setUpdatesEnabled(False)
    try:
        yield
        views = [view for view in widget.findChildren(FigureView) if view.isVisible()]
        for _ in range(_ROUNDS):
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            for each in (part for view in views for part in (view, view.scene())):
                QCoreApplication.sendPostedEvents(each, QEvent.Type.MetaCall)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.UpdateLater)
    finally:
        widget.setUpdatesEnabled(True)
