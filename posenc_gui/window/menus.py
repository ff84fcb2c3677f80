"""The menu bar: the table of actions, and the menus whose entries depend on the document and the settings."""

from collections.abc import Callable, Iterable

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QWidget

from posenc_core import Document
from posenc_core.encodings import n_whole_pairs
from posenc_core.fields import FlagField
from posenc_core.session import ANGLES, COLOR_MAP, TRANSPOSE
from posenc_gui.figures.panel import Panel
from posenc_gui.files.presets import preset_groups, preset_title
from posenc_gui.model.document_store import DocumentStore
from posenc_gui.window.action_table import ACTIONS, MENUS
from posenc_gui.window.actions import add_choice, add_exclusive_choices, build_actions
from posenc_gui.window.commands import Commands

_THEMES = (("system", "As the &system"), ("light", "&Light"), ("dark", "&Dark"))


class WindowMenus:
    """Builds the menus of a window and keeps their ticks true."""

    def __init__(self, window: QMainWindow, commands: Commands, scope: QWidget, store: DocumentStore) -> None:
        self._commands = commands
        self._menus = {title: window.menuBar().addMenu(title) for title in MENUS}
        self.actions = build_actions(ACTIONS, commands, scope, self._menus)
        self._recent = self._build_file_menu(self._menus["&File"])
        self._build_edit_menu(self._menus["&Edit"], store)
        self._colors = self._build_colors(self._menus["&View"])
        self._transpose = _add_flag(self._menus["&View"], TRANSPOSE, commands.choose_transpose)
        self._angles = _add_flag(self._menus["&View"], ANGLES, commands.choose_angles)

    def show_document(self, document: Document) -> None:
        """Tick what holds for this document."""
        self._colors[document.view.color_map].setChecked(True)
        self._transpose.setChecked(document.view.transpose)
        self._angles.setChecked(document.view.angles)
        self._angles.setEnabled(n_whole_pairs(document.encoding) > 0)

    def show_recent(self, paths: list[str]) -> None:
        """Offer these files."""
        self._recent.clear()
        for path in paths:
            add_choice(self._recent, path.replace("&", "&&"), path, self._commands.open_recent)
        self._recent.setEnabled(bool(paths))

    def show_playing(self, playing: bool) -> None:
        """Offer to stop what plays."""
        self.actions["play"].setText("&Stop" if playing else "&Play")

    def add_rooms(self, docks: Iterable[QDockWidget], panels: Iterable[Panel]) -> None:
        """Entries that show and hide docks and panels, at the top of the View menu."""
        menu, first = self._menus["&View"], self._menus["&View"].actions()[0]
        for dock in docks:
            menu.insertAction(first, dock.toggleViewAction())
        menu.insertSeparator(first)
        for panel in panels:
            action = QAction(panel.figure_class.title, menu)
            action.setCheckable(True)
            action.setChecked(True)
            action.toggled.connect(panel.setVisible)
            action.triggered.connect(panel.visibilityChosen)
            panel.visibilityAsked.connect(action.setChecked)
            menu.insertAction(first, action)
        menu.insertSeparator(first)

    def add_themes(self, chosen: str, slot: Callable[[], None]) -> None:
        """The sub-menu of themes; the slot reads the value from its sender."""
        self._menus["&View"].addSeparator()
        menu = self._menus["&View"].addMenu("&Theme")
        add_exclusive_choices(menu, _THEMES, slot)[chosen].setChecked(True)

    def _build_file_menu(self, menu: QMenu) -> QMenu:
        recent, presets = QMenu("Open &recent", menu), QMenu("&Presets", menu)
        for group, names in preset_groups().items():
            shelf = presets.addMenu(group) if group else presets
            for name in names:
                add_choice(shelf, preset_title(name), name, self._commands.open_preset)
        for sub_menu in (recent, presets):
            menu.insertMenu(self.actions["save"], sub_menu)
        menu.insertSeparator(self.actions["save"])
        return recent

    def _build_edit_menu(self, menu: QMenu, store: DocumentStore) -> None:
        undo, redo = store.history.createUndoAction(menu, "Undo"), store.history.createRedoAction(menu, "Redo")
        undo.setShortcut("Ctrl+Z")
        redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        first = menu.actions()[0]
        menu.insertActions(first, [undo, redo])
        menu.insertSeparator(first)

    def _build_colors(self, menu: QMenu) -> dict[str, QAction]:
        choices = ((value, f"{value} ({words})") for value, words in COLOR_MAP.choices)
        menu.addSeparator()
        return add_exclusive_choices(menu.addMenu(COLOR_MAP.label), choices, self._commands.choose_colors)


def _add_flag(menu: QMenu, field: FlagField, slot: Callable[[bool], None]) -> QAction:
    """An entry to tick for what the field says."""
    action = QAction(field.label, menu)
    action.setCheckable(True)
    action.setToolTip(field.help)
    action.triggered.connect(slot)
    menu.addAction(action)
    return action
