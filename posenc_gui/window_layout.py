"""Where docks and panels are: the layout of the first start, the remembered one, and the way back."""

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QSplitter

from posenc_gui.panel import Panel
from posenc_gui.window_state import Settings

LAYOUT_VERSION = 1
"""Raised when docks or panels are added: a layout remembered for other docks is then left alone."""

_SIZE = QSize(1440, 900)
_FRAME = QSize(8, 36)  # what a window manager usually adds around
_WIDE = 1200
_DOCK_WIDTHS = {True: (236, 310), False: (214, 258)}


class WindowLayout:
    """Arranges one window's docks (left two, right two) and its two splitters."""

    def __init__(
        self, window: QMainWindow, docks: list[QDockWidget], splitters: dict[str, QSplitter], settings: Settings
    ) -> None:
        self._window, self._docks, self._splitters, self._settings = window, docks, splitters, settings
        self._first_state = QByteArray()

    def begin(self) -> None:
        """Arrange the window as at the first start, then as it was left."""
        self._window.resize(_SIZE.boundedTo(self._window.screen().availableGeometry().size() - _FRAME))
        self._first_sizes()
        self._first_state = self._window.saveState(LAYOUT_VERSION)
        self._window.restoreGeometry(self._settings.bytes("layout_geometry"))
        self._window.restoreState(self._settings.bytes("layout_docks"), LAYOUT_VERSION)
        for name, splitter in self._splitters.items():
            state = self._settings.bytes(f"layout_{name}")
            if not state.isEmpty():
                splitter.restoreState(state)
        hidden = bytes(self._settings.bytes("layout_hidden").data()).split()
        for panel in self._panels():
            panel.visibilityAsked.emit(panel.figure.name.encode() not in hidden)

    def reset(self) -> None:
        """Bring docks and panels back to where they were at the first start."""
        self._settings.forget_layout()
        for panel in self._panels():
            panel.visibilityAsked.emit(True)
        self._window.restoreState(self._first_state, LAYOUT_VERSION)
        self._first_sizes()

    def remember(self) -> None:
        """Keep the present layout for the next start."""
        self._settings.set_bytes("layout_geometry", self._window.saveGeometry())
        self._settings.set_bytes("layout_docks", self._window.saveState(LAYOUT_VERSION))
        for name, splitter in self._splitters.items():
            self._settings.set_bytes(f"layout_{name}", splitter.saveState())
        hidden = " ".join(panel.figure.name for panel in self._panels() if panel.isHidden())
        self._settings.set_bytes("layout_hidden", QByteArray(hidden.encode()))

    def _panels(self) -> list[Panel]:
        inside = [splitter.widget(index) for splitter in self._splitters.values() for index in range(splitter.count())]
        return [widget for widget in inside if isinstance(widget, Panel)]

    def _first_sizes(self) -> None:
        widths = _DOCK_WIDTHS[self._window.width() >= _WIDE]
        horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self._window.resizeDocks([self._docks[0], self._docks[2]], list(widths), horizontal)
        self._window.resizeDocks(self._docks[:2], [460, 240], vertical)
        self._window.resizeDocks(self._docks[2:], [556, 224], vertical)
        self._splitters["down"].setSizes([540, 460])
        self._splitters["across"].setSizes([460, 520])
