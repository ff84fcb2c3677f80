"""The table of the window's actions in the order of the menus, and the QActions made from it."""

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


MENUS = ("&File", "&Edit", "&View", "&Go", "&Help")
_F, _E, _V, _G, _H = MENUS

ACTIONS = (
    ActionSpec("new", _F, "&New", "Ctrl+N", "Begin again with the first sentence", "new_session"),
    ActionSpec("open", _F, "&Open…", "Ctrl+O", "Open a session, an exported picture, or a model's file", "ask_open"),
    ActionSpec(
        "open_table",
        _F,
        "Open &table…",
        "Ctrl+Shift+O",
        "Show a table from a .npy or .safetensors file",
        "ask_open_table",
    ),
    ActionSpec(
        "open_config", _F, "Open model &config…", "", "Show the positions of a model's config.json", "ask_open_config"
    ),
    ActionSpec("save", _F, "&Save", "Ctrl+S", "Save this session", "save"),
    ActionSpec("save_as", _F, "Save &as…", "Ctrl+Shift+S", "Save this session under another name", "save_as"),
    ActionSpec(
        "export_panel", _F, "&Export panel…", "Ctrl+E", "Export the panel used last", "export_panel", separated=True
    ),
    ActionSpec("export_all", _F, "E&xport…", "Ctrl+Shift+E", "Export pictures and numbers of all panels", "export_all"),
    ActionSpec("quit", _F, "&Quit", "Ctrl+Q", "Close the window", "quit", separated=True),
    ActionSpec(
        "copy_picture",
        _E,
        "&Copy picture",
        "Ctrl+C",
        "Copy the panel used last as a picture",
        "copy_picture",
        scoped=True,
    ),
    ActionSpec("copy_numpy", _E, "Copy as &NumPy", "", "Copy a short NumPy script that makes this table", "copy_numpy"),
    ActionSpec(
        "copy_torch", _E, "Copy as &PyTorch", "", "Copy a short PyTorch script that makes this table", "copy_torch"
    ),
    ActionSpec("edit_sentence", _E, "Edit &sentence", "Ctrl+L", "Bring the keyboard to the sentence", "edit_sentence"),
    ActionSpec("reset_view", _V, "Show &everything", "Ctrl+0", "Show the whole table in every panel", "reset_view"),
    ActionSpec("reset_layout", _V, "&Reset layout", "", "Bring docks and panels back to their places", "reset_layout"),
    ActionSpec("full_screen", _V, "&Full screen", "F11", "Fill the screen, or go back", "toggle_full_screen"),
    ActionSpec("play", _G, "&Play", "Space", "Walk through the tokens, or stop", "play", scoped=True),
    ActionSpec("next_token", _G, "&Next token", "Ctrl+Right", "Hold the next token's cell", "next_token", scoped=True),
    ActionSpec(
        "previous_token",
        _G,
        "P&revious token",
        "Ctrl+Left",
        "Hold the previous token's cell",
        "previous_token",
        scoped=True,
    ),
    ActionSpec(
        "release",
        _G,
        "&Let go of the cell",
        "Esc",
        "Let the cursor follow the mouse again; while exact pictures are computed, stop those",
        "release_cursor",
    ),
    ActionSpec("explain", _H, "&What am I looking at?", "F1", "Explain the panel used last", "explain_panel"),
    ActionSpec("about", _H, "&About PosEnc", "", "Version and sources", "about"),
)


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
