"""The table of actions; menus, shortcuts and tool buttons are built from it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

MENUS = ("&File", "&Edit", "&View", "&Go", "&Help")


@dataclass(frozen=True)
class ActionSpec:
    """One action: where it stands, what it is called and does.

    ``slot`` names a method of the window. ``scoped`` shortcuts work where a panel has the keyboard, because
    elsewhere the same keys mean something else (a space in the sentence, a press of a focused button).
    """

    id: str
    menu: str
    text: str
    shortcut: str
    tip: str
    slot: str
    scoped: bool = False
    separated: bool = False


def build_actions(
    specs: Iterable[ActionSpec], window: QMainWindow, scope: QWidget, menus: dict[str, QMenu]
) -> dict[str, QAction]:
    """The actions by id, put into the menus, with their shortcuts at work."""
    actions: dict[str, QAction] = {}
    for spec in specs:
        action = QAction(spec.text, window)
        action.setObjectName(spec.id)
        action.setShortcut(QKeySequence(spec.shortcut))
        tip = f"{spec.tip} ({action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)})"
        action.setToolTip(tip if spec.shortcut else spec.tip)
        action.setStatusTip(spec.tip)
        slot: Callable[[], None] = getattr(window, spec.slot)
        action.triggered.connect(slot)
        if spec.scoped:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            scope.addAction(action)
        if spec.separated:
            menus[spec.menu].addSeparator()
        menus[spec.menu].addAction(action)
        actions[spec.id] = action
    return actions


def build_menus(window: QMainWindow) -> dict[str, QMenu]:
    """The empty menus, in order."""
    return {title: window.menuBar().addMenu(title) for title in MENUS}


def choice_menu(parent: QObject, menu: QMenu, title: str) -> QMenu:
    """A sub-menu for a few choices of which one holds."""
    sub_menu = menu.addMenu(title)
    sub_menu.setToolTipsVisible(True)
    return sub_menu
