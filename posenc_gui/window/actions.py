"""Builds menus and shortcuts from the table of actions."""

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget


class ActionSpec(Struct, frozen=True):
    """One action: where it stands, what it is called, and which method does it.

    ``scoped`` shortcuts work where a panel has the keyboard, because elsewhere the same keys mean something else
    (a space in the sentence, the press of a focused button). ``separated`` draws a line above the entry.
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
    specs: Iterable[ActionSpec], commands: QObject, scope: QWidget, menus: Mapping[str, QMenu]
) -> dict[str, QAction]:
    """The actions by id, put into the menus, with their shortcuts at work."""
    actions: dict[str, QAction] = {}
    for spec in specs:
        action = QAction(spec.text, commands)
        action.setObjectName(spec.id)
        action.setShortcut(QKeySequence(spec.shortcut))
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{spec.tip} ({keys})" if keys else spec.tip)
        slot: Callable[[], None] = getattr(commands, spec.slot)
        action.triggered.connect(slot)
        if spec.scoped:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            scope.addAction(action)
        if spec.separated:
            menus[spec.menu].addSeparator()
        menus[spec.menu].addAction(action)
        actions[spec.id] = action
    return actions


def add_choice(menu: QMenu, text: str, value: str, slot: Callable[[], None]) -> QAction:
    """A menu entry that carries a value, for the slot to read from its sender."""
    action = QAction(text, menu)
    action.setData(value)
    action.triggered.connect(slot)
    menu.addAction(action)
    return action


def add_exclusive_choices(
    menu: QMenu, choices: Iterable[tuple[str, str]], slot: Callable[[], None]
) -> dict[str, QAction]:
    """Entries (value, text) of which one holds, by value."""
    group = QActionGroup(menu)
    actions = {}
    for value, text in choices:
        action = actions[value] = add_choice(menu, text, value, slot)
        action.setCheckable(True)
        group.addAction(action)
    return actions
