"""Actions and readings of a user in the window; controls are found by their accessible names."""

import numpy as np
import shiboken6
from pixels import pixels_of, settle
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPointF, Qt
from PySide6.QtGui import QAccessible, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMainWindow, QMenu, QWidget

from posenc_gui.docks.derivation import RestingDerivation
from posenc_gui.files.settings import Settings
from posenc_gui.look.style import LIGHT
from posenc_gui.look.theme import apply_style
from posenc_gui.model.cursor import Cursor
from posenc_gui.model.history import History
from posenc_gui.model.origin import Origin
from posenc_gui.workspaces.workspaces import FIRST


def name_of(widget: QWidget) -> str:
    """Accessible name of the widget."""
    return widget.accessibleName() or QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def control(window: QWidget, name: str) -> QWidget:
    """The one visible control with this accessible name."""
    visible = [widget for widget in window.findChildren(QWidget) if widget.isVisibleTo(window)]
    named = [widget for widget in visible if widget.accessibleName() == name]
    (found,) = named or [
        widget for widget in visible if isinstance(widget, QAbstractButton) and name_of(widget) == name
    ]
    return found


def sentence_edit(window) -> QWidget:
    return control(window, "sentence")


def type_number(window, name: str, text: str) -> None:
    """Replace the text of a field and press Enter."""
    line = control(window, name)
    line.setFocus(Qt.FocusReason.MouseFocusReason)
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Delete)
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)
    settle()


def words(window) -> list[str]:
    """The text of every visible label, and the lines of the cell's derivation."""
    labels = [label.text().replace("\u200b", "") for label in window.findChildren(QLabel) if label.isVisible()]
    views = [view for view in window.findChildren(RestingDerivation) if view.isVisible()]
    return labels + [line for view in views for line in view.accessibleDescription().splitlines()]


def says(window, part: str) -> bool:
    """Whether this can be read anywhere outside the figures."""
    return any(part in text for text in words(window))


def make_high(window) -> None:
    """The window as at the first start on a higher screen, where Number and Vector are below each other."""
    window.resize(1440, 1200)
    window.menus.actions["reset_layout"].trigger()
    settle()


def pictures(window) -> dict[str, np.ndarray]:
    """Pixels of the figure of each shown panel, by name."""
    return {name: pixels_of(panel.view) for name, panel in shown_panels(window).items()}


def shown_panels(window) -> dict:
    """The panels that are not hidden, by name."""
    return {name: panel for name, panel in window.panels.items() if panel.isVisible()}


def changed(before: dict[str, np.ndarray], after: dict[str, np.ndarray]) -> set[str]:
    """The panels whose picture is another."""
    return {
        name for name, picture in before.items() if picture.shape != after[name].shape or (picture != after[name]).any()
    }


def begin_again(window: QMainWindow, settings: Settings) -> None:
    """Give a used window a new session and the layout of the first start; zooms and opened folds stay."""
    window.commands.stop_presenting()
    window.timeline_bar.timeline.stop()
    settings.forget_everything()
    window.store.keep_guest()
    window.store.mark_saved()
    window.files.new()
    window._text_size.reset()
    window._resize_text()
    window.workspaces.restore()
    window.workspaces.choose(FIRST)
    window.resize(1440, 900)
    act(window, "reset_layout")
    window.cursor_control.pin(False)
    window.cursor_control.point(Cursor(1, 2))
    window.sentence_bar.setFocus()
    origin = Origin(None, window.store.document)
    window.store._origins.add(origin)
    window.store.history = History(window.store.document, origin)
    window.store.historyChanged.emit()
    QGuiApplication.clipboard().clear()


def close(window: QMainWindow) -> None:
    """Close the window without a question, and see that it dies."""
    if not shiboken6.isValid(window):
        return
    window.store.keep_guest()
    window.store.mark_saved()
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not shiboken6.isValid(window)
    QGuiApplication.clipboard().clear()
    apply_style(LIGHT)


def act(window, name):
    window.menus.actions[name].trigger()
    settle()


def open_menus(window):
    """Give every menu its entries, as opening it does."""
    for menu in window.findChildren(QMenu):
        menu.aboutToShow.emit()


def recent(window):
    (menu,) = [menu for menu in window.findChildren(QMenu) if menu.title() == "Open &recent"]
    return menu


def drop(window, *urls, target=None, modifiers=Qt.KeyboardModifier.NoModifier):
    """Drag files over the window and let go; whether they were taken."""
    content = QMimeData()
    content.setUrls(list(urls))
    target = target or window
    place = QPointF(target.rect().center())
    about = (Qt.DropAction.CopyAction, content, Qt.MouseButton.LeftButton, modifiers)
    enter = QDragEnterEvent(place.toPoint(), *about)
    QApplication.sendEvent(target, enter)
    if not enter.isAccepted():
        return False
    event = QDropEvent(place, *about)
    QApplication.sendEvent(target, event)
    settle()
    return event.isAccepted()
