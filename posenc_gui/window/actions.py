"""The table of the window's actions in the order of the menus, and the QActions made from it."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from posenc_gui.look import plain_tip


class ActionSpec(Struct, frozen=True):
    """One action of a menu.

    ``slot`` is the path of the called method: a part of the window, a dot, and its method; the part
    alone for a method of the action's ``id``. The shortcut of a ``scoped`` action works only while a panel has the
    keyboard focus, because its keys have another meaning elsewhere (a space in the sentence, the press of a focused
    button). ``separated`` puts a separator above the entry.
    """

    id: str
    menu: str
    text: str
    shortcut: str
    tip: str
    slot: str
    scoped: bool = False
    separated: bool = False

    @property
    def path(self) -> str:
        """The whole path of the method."""
        return self.slot if "." in self.slot else f"{self.slot}.{self.id}"


MENUS = ("&File", "&Edit", "&View", "&Go", "&Help")
_F, _E, _V, _G, _H = MENUS

ACTIONS = (
    ActionSpec("new", _F, "&New", "Ctrl+N", "Start a new session", "files"),
    ActionSpec("open", _F, "&Open…", "Ctrl+O", "Open a session, exported picture, table or config", "opener.ask_open"),
    ActionSpec(
        "open_table",
        _F,
        "Open &table…",
        "Ctrl+Shift+O",
        "Open a table from a .npy or .safetensors file",
        "opener.ask_open_table",
    ),
    ActionSpec("open_model", _F, "Open &model…", "", "Open a model and describe its layers", "opener.ask_open_model"),
    ActionSpec(
        "open_model_b",
        _F,
        "Open model as &B…",
        "",
        "Compare with another model: its encoding becomes B, and the card lists the differences",
        "opener.ask_open_model_b",
    ),
    ActionSpec(
        "open_encoding",
        _F,
        "Open en&coding (Python)…",
        "",
        "Run a Python file and show the encoding that it defines",
        "commands.ask_open_encoding",
    ),
    ActionSpec("check", _F, "Chec&k numbers…", "", "Check the numbers of your own code", "checks.show"),
    ActionSpec("save", _F, "&Save", "Ctrl+S", "Save this session", "files"),
    ActionSpec("save_as", _F, "Save &as…", "Ctrl+Shift+S", "Save this session under another name", "files.ask_save"),
    ActionSpec("export_panel", _F, "&Export panel…", "Ctrl+E", "Export the panel used last", "output", separated=True),
    ActionSpec("export_all", _F, "E&xport…", "Ctrl+Shift+E", "Export pictures and numbers of all panels", "output"),
    ActionSpec(
        "export_film",
        _F,
        "Export &film…",
        "",
        "Export a film of the panel used last: a parameter that sweeps, or a position that moves",
        "output",
    ),
    ActionSpec(
        "export_page",
        _F,
        "Export pa&ge…",
        "",
        "Export an interactive page for browsers, in one file",
        "output",
    ),
    ActionSpec("quit", _F, "&Quit", "Ctrl+Q", "Close the window", "window.close", separated=True),
    ActionSpec(
        "undo_lesson",
        _E,
        "Undo &lesson or question",
        "Ctrl+Alt+Z",
        "Restore the document from before the lesson or question",
        "story",
    ),
    ActionSpec(
        "copy_picture", _E, "&Copy picture", "Ctrl+C", "Copy the panel used last as a picture", "output", scoped=True
    ),
    ActionSpec(
        "copy_number", _E, "Copy n&umber", "", "Copy the number under the cursor of the panel used last", "output"
    ),
    ActionSpec("copy_numpy", _E, "Copy as &NumPy", "", "Copy a NumPy script that computes this table", "output"),
    ActionSpec("copy_torch", _E, "Copy as &PyTorch", "", "Copy a PyTorch script that computes this table", "output"),
    ActionSpec(
        "copy_matplotlib",
        _E,
        "Copy as &Matplotlib",
        "",
        "Copy a Matplotlib script that draws the panel used last",
        "output",
    ),
    ActionSpec(
        "copy_matplotlib_all",
        _E,
        "Cop&y panels as Matplotlib",
        "",
        "Copy a Matplotlib script that draws all panels on the screen as one figure",
        "output",
    ),
    ActionSpec(
        "copy_bibtex", _E, "Copy &BibTeX", "", "Copy BibTeX entries of the encoding's source and of PosEnc", "output"
    ),
    ActionSpec("edit_sentence", _E, "Edit &sentence", "Ctrl+L", "Move the focus to the sentence", "commands"),
    ActionSpec("reset_view", _V, "Show &everything", "Ctrl+0", "Show the whole table in every panel", "commands"),
    ActionSpec(
        "maximise", _V, "Ma&ximise panel", "Ctrl+M", "Maximise the panel used last, or restore all panels", "commands"
    ),
    ActionSpec("reset_layout", _V, "&Reset layout", "", "Restore the default layout of this workspace", "layout.reset"),
    ActionSpec("enlarge_text", _V, "Lar&ger text", "Ctrl++", "Increase the text size", "text.enlarge", separated=True),
    ActionSpec("reduce_text", _V, "&Smaller text", "Ctrl+-", "Decrease the text size", "text.reduce"),
    ActionSpec("reset_text", _V, "&Default text size", "", "Restore the desktop's text size", "text.reset"),
    ActionSpec(
        "present",
        _V,
        "Present",
        "F5",
        "Show only the panels, for a talk. Arrow keys choose among sessions opened together; Escape ends it",
        "commands",
    ),
    ActionSpec("full_screen", _V, "&Full screen", "F11", "Enter or leave full screen", "commands.toggle_full_screen"),
    ActionSpec("play", _G, "&Play", "Space", "Start or stop playback along the timeline", "timeline_bar", scoped=True),
    ActionSpec("next_token", _G, "&Next token", "Ctrl+Right", "Hold the next token's cell", "cursor", scoped=True),
    ActionSpec(
        "previous_token", _G, "P&revious token", "Ctrl+Left", "Hold the previous token's cell", "cursor", scoped=True
    ),
    ActionSpec(
        "release",
        _G,
        "Re&lease the cell",
        "Esc",
        "Stop playback and computation; else restore all panels; else release the held cell",
        "commands.release_cursor",
    ),
    ActionSpec("explain", _H, "&What am I looking at?", "F1", "Explain the panel used last", "commands.explain_panel"),
    ActionSpec("questions", _H, "&Questions…", "", "Frequently asked questions", "story.show_questions"),
    ActionSpec(
        "palette",
        _H,
        "&Find anything…",
        "Ctrl+K",
        "Search questions, commands, presets, panels and families",
        "story.show_palette",
    ),
    ActionSpec("doors", _H, "&Show first questions", "", "Show the first questions again", "story.show_doors"),
    ActionSpec("lessons", _H, "&All lessons", "", "Show the list of lessons", "story.show_lessons"),
    ActionSpec(
        "whats_this", _H, "W&hat's this?", "Shift+F1", "Explain the next clicked control", "commands.what_is_this"
    ),
    ActionSpec("shortcuts", _H, "&Keyboard shortcuts", "", "Show all keyboard shortcuts", "commands.show_shortcuts"),
    ActionSpec("about", _H, "&About PosEnc", "", "Version and sources", "commands"),
)


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
    """New entries for pairs (value, text), by value; one of them is checked."""
    group = QActionGroup(menu)
    actions = {}
    for value, text in choices:
        action = actions[value] = add_choice(menu, text, value, slot)
        action.setCheckable(True)
        group.addAction(action)
    return actions
