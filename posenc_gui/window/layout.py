"""The layout of docks: the first one, the remembered one, the reset, and the docks' title bars."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QByteArray, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QMainWindow,
    QStyle,
    QTabBar,
    QWidget,
)  # fmt: skip
from shiboken6 import isValid

from posenc_core import session
from posenc_gui.files import Settings
from posenc_gui.look import TEXT_PX, PlainLabel, dress, present_style, row_of, title_button
from posenc_gui.panels import WORKSPACES
from posenc_gui.workspaces import Workspaces

LAYOUT_VERSION = 7
"""Increased when docks or tool bars change: a layout that was saved with another version is ignored."""

_SIZE = QSize(1440, 900)
_FRAME = QSize(8, 36)  # the usual frame of a window manager
_TITLE_INSET = 12
_WIDE = 1200
_DOCK_WIDTHS = {True: (264, 310), False: (204, 248)}
_LESSON_WIDTH = 300
_BOTH_NUMBERS, _VECTOR_HEIGHT = 1040, 330
"""The least height of a window in which a derivation and eight rows of a vector fit below each other, and of these."""
_HANDLE = QRect(0, 0, 120, 32)
"""The least visible part of a window's upper edge by which the mouse can move it."""


class WindowLayout:
    """Arranges the docks of a window around its workspaces: number, vector and model right, the others left."""

    def __init__(
        self,
        window: QMainWindow,
        docks: Mapping[str, QDockWidget],
        workspaces: Workspaces,
        settings: Settings,
    ) -> None:
        self._window, self._docks, self._workspaces, self._settings = window, docks, workspaces, settings
        self._first_state = QByteArray()
        self._models: tuple[session.Model | None, ...] = ()
        self._before_lessons: int | None = None
        self._soon = QTimer(window, singleShot=True, interval=0)
        self._soon.timeout.connect(self._take_room_back)
        entry = docks["lesson"].toggleViewAction()
        entry.triggered.connect(self._lessons_chosen)
        entry.toggled.connect(self._lessons_toggled)

    def begin(self) -> None:
        """Arrange the window as at the first start, then as it was when it was closed."""
        self._window.resize(_SIZE.boundedTo(self._window.screen().availableGeometry().size() - _FRAME))
        self._first_sizes()
        self._first_state = self._window.saveState(LAYOUT_VERSION)
        self._window.restoreGeometry(self._settings.bytes("layout_geometry"))
        self._window.restoreState(self._settings.bytes("layout_docks"), LAYOUT_VERSION)
        for window in (self._window, *(dock for dock in self._docks.values() if dock.isFloating())):
            bring_onto_a_screen(window)

    def show_models(self, *models: "session.Model | None") -> None:
        """Bring the model's dock to the front when another model is opened, and Number in its place without one."""
        if any(each is not None and each not in self._models for each in models):
            self._raise("model")
        elif any(self._models) and not any(models) and not self._docks["model"].visibleRegion().isEmpty():
            self._raise("number")
        self._models = models

    def show_lessons(self) -> None:
        """Bring the lessons' dock to the front, with room for a page until it is closed."""
        lessons, encoding = self._docks["lesson"], self._docks["encoding"]
        if self._before_lessons is None:
            self._before_lessons = encoding.width()
            lessons.show()
            width = max(encoding.width(), round(_LESSON_WIDTH * QApplication.font().pixelSize() / TEXT_PX))
            self._window.resizeDocks([lessons], [width], Qt.Orientation.Horizontal)
        lessons.raise_()

    def _lessons_chosen(self, is_shown: bool) -> None:
        if is_shown:
            self.show_lessons()

    def _lessons_toggled(self, is_shown: bool) -> None:
        """Give the room back that a page had, once the tab of its dock is gone."""
        if not is_shown and isValid(self._window):  # not if the dock is deleted with its window
            self._soon.start()

    def _take_room_back(self) -> None:
        if self._docks["lesson"].isHidden() and self._before_lessons is not None:
            width, self._before_lessons = self._before_lessons, None
            self._window.resizeDocks([self._docks["encoding"]], [max(1, width)], Qt.Orientation.Horizontal)

    def hide_lessons(self) -> None:
        """Close the lessons' dock."""
        self._docks["lesson"].hide()

    def show_number(self) -> None:
        """Bring the Number dock to the front."""
        self._raise("number")

    def _raise(self, name: str) -> None:
        self._docks[name].show()
        self._docks[name].raise_()

    def reset(self) -> None:
        """Restore the first layout of the docks and of the present workspace."""
        others = [name for name in WORKSPACES if name != self._workspaces.current]
        self._settings.forget_layout(kept=tuple(f"layout_{name}_" for name in others))
        self._workspaces.reset()
        for tabs in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            tabs.hide()  # Qt makes new ones, and does not remove these
        self._window.restoreState(self._first_state, LAYOUT_VERSION)
        self._first_sizes()

    @property
    def _sides(self) -> list[QDockWidget]:
        return [self._docks["encoding"], self._docks["number"]]

    @property
    def side_widths(self) -> list[int]:
        """The widths of the docks on the left and on the right."""
        return [dock.width() for dock in self._sides]

    def widen_sides(self, widths: list[int]) -> None:
        """Set the widths of the docks on the left and on the right."""
        self._window.resizeDocks(self._sides, widths, Qt.Orientation.Horizontal)

    def remember(self) -> None:
        """Save the layout for the next start."""
        self._settings.set_bytes("layout_geometry", self._window.saveGeometry())
        self._settings.set_bytes("layout_docks", self._window.saveState(LAYOUT_VERSION))
        self._workspaces.remember()
        self._settings.write_layout()

    def _first_sizes(self) -> None:
        widths = _DOCK_WIDTHS[self._window.width() >= _WIDE]
        horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self._window.resizeDocks(self._sides, list(widths), horizontal)
        number, vector = self._docks["number"], self._docks["vector"]
        if self._window.height() < _BOTH_NUMBERS * present_style().text_scale:
            self._window.tabifyDockWidget(number, vector)
            number.raise_()
        else:
            self._window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, vector)
            self._window.resizeDocks([number, vector], [556, _VECTOR_HEIGHT], vertical)


def bring_onto_a_screen(widget: QWidget) -> None:
    """Move a top-level window that no screen shows enough of."""
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    placed = reachable(widget.geometry(), screens)
    if placed != widget.geometry():
        widget.setGeometry(placed)


def reachable(geometry: QRect, screens: Sequence[QRect]) -> QRect:
    """The geometry, moved to the first screen and shrunk if no screen shows enough of its upper edge."""
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


class DockTitle(QWidget):
    """Shows a dock's title, floats and closes the dock, and moves it when dragged, as Qt's own title bar does."""

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        self._dock = dock
        self._name = PlainLabel(dock.windowTitle())
        dress(self._name, semibold=True)
        pixmap = QStyle.StandardPixmap
        self._float = title_button(pixmap.SP_TitleBarNormalButton, f"Float {dock.windowTitle()}, or dock it again")
        close = f"Close {dock.windowTitle()}; the View menu opens it again"
        self._close = title_button(pixmap.SP_TitleBarCloseButton, close)
        for button in (self._float, self._close):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the View menu does the same
        self._float.clicked.connect(self._toggle_floating)
        self._close.clicked.connect(dock.close)
        parts = (self._name, self._float, self._close)
        row_of(*parts, wide=self._name, holder=self, margins=(_TITLE_INSET, 6, 6, 0), spacing=2)

    def _toggle_floating(self) -> None:
        self._dock.setFloating(not self._dock.isFloating())
