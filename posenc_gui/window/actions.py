"""The table of the window's actions, which is ``actions.json``, and the QActions made from it."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from posenc_gui.look import plain_tip


class ActionSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """One action of a menu.

    ``slot`` is the path of the called method: a part of the window, a dot, and its method; the part
    alone for a method of the action's ``id``. The shortcut of a ``scoped`` action works only while a panel has the
    keyboard focus, because its keys have another meaning elsewhere (a space in the sentence, the press of a focused
    button). ``separated`` puts a separator above the entry.
    """

    id: str
    menu: str
    text: str
    tip: str
    slot: str
    shortcut: str = ""
    scoped: bool = False
    separated: bool = False

    @property
    def path(self) -> str:
        """The whole path of the method."""
        return self.slot if "." in self.slot else f"{self.slot}.{self.id}"


MENUS = ("&File", "&Edit", "&View", "&Go", "&Help")

ACTIONS = msgspec.json.decode(Path(__file__).with_name("actions.json").read_bytes(), type=tuple[ActionSpec, ...])
"""The actions in the order of the menus."""

_ALSO = {"Ctrl++": ("Ctrl+=",)}
"""Further keys by shortcut: those on which the plus is typed with Shift."""


def build_actions(
    slot_of: Callable[[str], Callable[[], object]], scope: QWidget, menus: Mapping[str, QMenu]
) -> dict[str, QAction]:
    """The actions of the table by id, added to their menus. ``slot_of`` resolves the path of an action's method."""
    actions: dict[str, QAction] = {}
    for spec in ACTIONS:
        menu = menus[spec.menu]
        action = actions[spec.id] = QAction(spec.text, menu)
        action.setObjectName(spec.id)
        action.setShortcuts([QKeySequence(each) for each in (spec.shortcut, *_ALSO.get(spec.shortcut, ())) if each])
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(plain_tip(f"{spec.tip} ({keys})" if keys else spec.tip))
        action.triggered.connect(slot_of(spec.path))
        if spec.scoped:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            scope.addAction(action)
        if spec.separated:
            menu.addSeparator()
        menu.addAction(action)
    return actions


def fill_late(menu: QMenu, fill: Callable[[], object]) -> None:
    """Give a menu its entries when it is about to be shown for the first time."""

    def fill_once() -> None:
        if menu.isEmpty():
            fill()

    menu.aboutToShow.connect(fill_once)


def add_choice(menu: QMenu, text: str, value: str, slot: Callable[[str], object]) -> QAction:
    """A new menu entry that calls ``slot`` with its value."""
    action = QAction(text, menu)
    action.setToolTip(plain_tip(action.toolTip()))  # by default the text, which may be a file's name
    action.setData(value)
    action.triggered.connect(partial(slot, value))
    menu.addAction(action)
    return action


def add_exclusive_choices(
    menu: QMenu, choices: Iterable[tuple[str, str]], slot: Callable[[str], object]
) -> dict[str, QAction]:
    """New entries for pairs (value, text), by value, of which one is checked at a time."""
    group = QActionGroup(menu)
    actions = {}
    for value, text in choices:
        action = actions[value] = add_choice(menu, text, value, slot)
        action.setCheckable(True)
        group.addAction(action)
    return actions
