"""Presenting: the panels fill the screen with larger text until Escape brings everything back as it was."""

from collections.abc import Mapping

from msgspec import Struct
from PySide6.QtCore import QByteArray, QEvent, QObject, Qt
from PySide6.QtGui import QColor, QCursor, QKeyEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QApplication, QToolBar, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_gui.files import Place
from posenc_gui.look import present_style
from posenc_gui.panels import WORKSPACES
from posenc_gui.plotting import Window
from posenc_gui.window.parts import WindowParts

TEXT_SCALE = 1.4
"""The size of text while presenting, as a multiple of the size before."""

_RING_PX, _LINE_PX = 36, 4
_STEPS = {
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageDown: 1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageUp: -1,
}
_ACROSS = (Qt.Key.Key_Right, Qt.Key.Key_PageDown, Qt.Key.Key_Left, Qt.Key.Key_PageUp)
"""The keys of a remote control, and keys for saved views, beside up and down for workspaces."""

_ANY_HEIGHT = 16_777_215
"""Qt's QWIDGETSIZE_MAX."""

_LEAVE = (Qt.Key.Key_Escape, Qt.Key.Key_F5)


class _Before(Struct, frozen=True):
    """The window before presenting."""

    state: Qt.WindowState
    docks: QByteArray
    hidden: tuple[QWidget, ...]
    place: Place
    document: Document
    zooms: Mapping[str, Window | None]
    was_playing: bool
    had_timeline: bool
    in_lesson: bool
    has_views: bool


class Presentation(QObject):
    """Shows the panels alone. Space plays, arrow keys step through a lesson, or else through the workspaces.

    If several sessions were opened together, the left and right arrow keys step through them as saved views.
    """

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._before: _Before | None = None
        self._view = 0

    @property
    def is_on(self) -> bool:
        """Whether the panels are alone now."""
        return self._before is not None

    def begin(self) -> None:
        """Hide all but the panels, enlarge the text, and fill the screen."""
        parts, window, timeline = self._parts, self._parts.window, self._parts.timeline_bar
        bars = (window.statusBar(), *window.findChildren(QToolBar))
        self._before = _Before(
            state=window.windowState(),
            docks=window.saveState(),
            hidden=tuple(each for each in bars if not each.isHidden()),
            place=parts.workspaces.place(),
            document=parts.store.document,
            zooms={name: panel.figure.viewport.window() for name, panel in parts.shelf.made.items()},
            was_playing=timeline.timeline.playing,
            had_timeline=timeline.isVisible(),
            in_lesson=not parts.docks["lesson"].isHidden() and parts.lessons.content.is_taking,
            has_views=bool(parts.opener.views) and parts.store.guest is None,
        )
        self._view = 0
        timeline.ask(False)
        if self._before.in_lesson:
            parts.lessons.content.is_presented = True
        self._hide_around()
        window.menuBar().setMaximumHeight(0)  # a hidden one has no shortcuts
        parts.text.enlarge_by(TEXT_SCALE)
        window.setWindowState(self._before.state | Qt.WindowState.WindowFullScreen)
        QApplication.setOverrideCursor(_ring())
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)

    def _hide_around(self) -> None:
        """Hide all but the panels; a document with another model shows its card."""
        for each in (*(self._before.hidden if self._before is not None else ()), *self._parts.docks.values()):
            each.hide()

    def end(self) -> None:
        """Bring everything back as it was; a document that was changed meanwhile stays."""
        before, self._before = self._before, None
        if before is None:
            return
        parts, window = self._parts, self._parts.window
        application = QApplication.instance()
        assert application is not None
        application.removeEventFilter(self)
        QApplication.restoreOverrideCursor()
        parts.timeline_bar.timeline.stop()
        parts.text.enlarge_by(1.0)
        window.setWindowState(before.state)
        window.menuBar().setMaximumHeight(_ANY_HEIGHT)
        for each in before.hidden:
            each.show()
        if before.has_views:
            parts.store.end_visit()
        window.restoreState(before.docks)  # last, as another model shows its dock
        if before.in_lesson:
            parts.lessons.content.is_presented = False
        else:
            parts.workspaces.go_to(before.place)
        if parts.store.document == before.document:
            for name, zoom in before.zooms.items():
                parts.shelf.panel(name).figure.viewport.show_window(zoom)
        parts.timeline_bar.ask(before.had_timeline)
        if before.was_playing:
            parts.timeline_bar.play()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
        if not isinstance(event, QKeyEvent) or event.type() not in kinds or not self._has_keys(event):
            return False
        event.accept()  # in place of the window's shortcuts
        if event.type() == QEvent.Type.KeyPress:
            self._act(Qt.Key(event.key()))
        return True

    def _has_keys(self, event: QKeyEvent) -> bool:
        is_ours = event.key() in (*_STEPS, *_LEAVE, Qt.Key.Key_Space)
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        return is_ours and plain and QApplication.activeModalWidget() is None

    def _act(self, key: Qt.Key) -> None:
        if key in _LEAVE:
            self.end()
            return
        if key == Qt.Key.Key_Space:
            self._parts.timeline_bar.timeline.play()
        elif self._before is not None and self._before.in_lesson:
            self._parts.lessons.content.go(_STEPS[key])
        elif self._before is not None and self._before.has_views and key in _ACROSS:
            self._show_view(_STEPS[key])
        else:
            self._turn(_STEPS[key])
        self._hide_around()

    def _show_view(self, by: int) -> None:
        """Show the next or the previous saved view in its workspace, the first one after the last one.

        A damaged view is reported in a message.
        """
        views = self._parts.opener.views
        self._view = (self._view + by) % len(views)
        found = self._parts.files.read(views[self._view])
        if found is not None:
            self._parts.store.visit(found.document, f"view {views[self._view].name}", self)
            self._parts.workspaces.go_to(found.place)

    def _turn(self, by: int) -> None:
        """Show the next or the previous workspace, the first one after the last one."""
        offered = [name for name in WORKSPACES if name in self._parts.workspaces.offered]
        index = offered.index(self._parts.workspaces.current)
        self._parts.workspaces.choose(offered[(index + by) % len(offered)])


def _ring() -> QCursor:
    """A ring as pointer, transparent inside."""
    picture = QPixmap(_RING_PX, _RING_PX)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(present_style().accent), _LINE_PX))
    painter.drawEllipse(picture.rect().adjusted(_LINE_PX, _LINE_PX, -_LINE_PX, -_LINE_PX))
    painter.end()
    return QCursor(picture)
