"""One painting of a window for a change that reaches its figures by several events."""

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from posenc_gui.figures import Panel

_ROUNDS = 2
"""A changed note changes its panel's layout once more."""


class LaidOutFirst(QObject):
    """Lays out a window and the figures of its panels before each painting.

    Each layout, each shown widget and each changed scene waits for an event. A scene then has the whole window painted
    at once: figures whose events come later would be painted twice. All these events are sent here.
    """

    def __init__(self, window: QWidget, panels: Mapping[str, Panel]) -> None:
        super().__init__(window)
        self._panels, self._is_busy = panels, False
        window.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.UpdateRequest:
            return False
        if self._is_busy:  # a scene asks for a painting, which follows
            return True
        self._is_busy = True
        try:
            self._lay_out()
        finally:
            self._is_busy = False
        return False

    def _lay_out(self) -> None:
        views = [panel.view for panel in self._panels.values() if panel.isVisible()]
        for _ in range(_ROUNDS):
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            for each in (part for view in views for part in (view, view.scene())):
                QCoreApplication.sendPostedEvents(each, QEvent.Type.MetaCall)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.UpdateLater)
