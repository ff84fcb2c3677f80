"""The menu bar: the table of actions, and the entries that depend on the document and the settings."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QCursor, QKeySequence
from PySide6.QtWidgets import QMenu

from posenc_core import Document
from posenc_core.encodings import n_whole_pairs
from posenc_core.fields import FlagField
from posenc_core.session import ANGLES, COLOR_MAP, LOGARITHMIC, PER_ROW
from posenc_gui import files
from posenc_gui.figures import Panel
from posenc_gui.look import menu_text, plain_tip
from posenc_gui.model import column_noun, may_be_logarithmic
from posenc_gui.panels import PANELS, WORKSPACES, menu_flags
from posenc_gui.window.actions import MENUS, add_choice, add_exclusive_choices, build_actions, fill_late
from posenc_gui.window.commands import Commands
from posenc_gui.window.parts import WindowParts

_FLAGS: tuple[tuple[FlagField, Callable[[Document], bool]], ...] = (
    (ANGLES, lambda document: n_whole_pairs(document.encoding) > 0),
    (LOGARITHMIC, may_be_logarithmic),
    (PER_ROW, lambda document: column_noun(document.encoding) == "head"),
)
"""Flags of the view, and whether they have an effect on a document."""

_THEMES = (("system", "&System"), ("light", "&Light"), ("dark", "&Dark"))


class WindowMenus(QObject):
    """Builds the menus of a window and keeps their check marks up to date.

    ``themeChosen`` carries a theme's name, ``frameTimeChosen`` whether the status line shows the frame time.
    """

    themeChosen = Signal(str)
    frameTimeChosen = Signal(bool)

    def __init__(self, parts: WindowParts, commands: Commands) -> None:
        super().__init__(parts.window)
        self._parts = parts
        menus = {title: parts.window.menuBar().addMenu(title) for title in MENUS}
        self.actions = build_actions(commands.slot, parts.window.centralWidget(), menus)
        file, edit, view, _, help_menu = menus.values()
        self._recent = self._build_file_menu(file, commands)
        parts.files.changed.connect(self._show_recent)
        self._show_recent()
        self._build_edit_menu(edit)
        self.keys = QMenu("Copy keys f&or", edit)
        edit.insertMenu(self.actions["edit_sentence"], self.keys)
        fill_late(self.keys, partial(_list_forms, self.keys, commands))
        self._panels: dict[str, QAction] = {}
        self._add_rooms(view, commands)
        view.addSeparator()
        colors = ((value, f"{value} ({words})") for value, words in COLOR_MAP.choices)
        choose_color = partial(parts.store.edit, COLOR_MAP.name)
        self._colors = add_exclusive_choices(view.addMenu(COLOR_MAP.label), colors, choose_color)
        self._of_panels = [(option, spec, self._add_flag(view, option)) for option, spec in menu_flags().items()]
        self._flags = [(field, is_used, self._add_flag(view, field)) for field, is_used in _FLAGS]
        view.addSeparator()
        self._frame_time = self._add_frame_time(view)
        timeline = _add_check(
            view, "Timeline", "Show a timeline of tokens, positions, k or a length below the workspace"
        )
        timeline.triggered.connect(parts.timeline_bar.ask)
        parts.timeline_bar.shownChanged.connect(timeline.setChecked)
        themes = add_exclusive_choices(view.addMenu("&Theme"), _THEMES, self.themeChosen.emit)
        themes[parts.settings.now.theme].setChecked(True)
        self._commands = commands
        self._lessons = help_menu.addMenu("&Lessons")
        help_menu.insertMenu(self.actions["shortcuts"], self._lessons)
        self._lessons.aboutToShow.connect(self._list_lessons)
        help_menu.removeAction(self.actions["lessons"])
        self._lessons.addAction(self.actions["lessons"])

    def show_document(self, document: Document) -> None:
        """Check the entries that apply to this document."""
        self._colors[document.view.color_map].setChecked(True)
        for option, spec, action in self._of_panels:
            action.setChecked(document.option(option))
            action.setEnabled(option.name in spec.used_controls(document))
        for field, is_used, action in self._flags:
            action.setChecked(document.value(field.name))
            action.setEnabled(is_used(document))
        self.keys.setEnabled(document.encoding.rotation is not None)
        is_guest = self._parts.store.guest is not None
        self.actions["undo_lesson"].setEnabled(is_guest)
        self.actions["undo_lesson"].setVisible(is_guest)

    def show_presets(self) -> None:
        """Open the menu of presets at the mouse."""
        self._presets.popup(QCursor.pos())

    def panel_menu(self, panel: Panel) -> QMenu:
        """Menu of a panel, for a click with the right button; it is deleted once it is closed."""
        menu = QMenu(panel)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addActions([self.actions[each] for each in ("copy_number", "copy_picture", "copy_matplotlib")])
        for title, make in panel.figure.pointing.copies().items():
            copy = menu.addAction(menu_text(f"Copy {title}"))
            copy.triggered.connect(partial(self._commands.output.copy_text, title, make))
        menu.addSeparator()
        menu.addActions([self.actions["export_panel"], self.actions["maximise"]])
        everything = menu.addAction("Show &everything")
        everything.triggered.connect(panel.figure.viewport.reset)
        menu.addMenu(self._move)
        menu.addSeparator()
        menu.addAction(self.actions["explain"])
        return menu

    def _show_recent(self) -> None:
        """Offer the files that were opened or saved last."""
        paths = self._parts.settings.now.recent_files
        self._recent.clear()
        for path in paths:
            add_choice(self._recent, menu_text(path), path, lambda each: self._parts.opener.open(Path(each)))
        self._recent.setEnabled(bool(paths))

    def show_playing(self, playing: bool) -> None:
        """Offer to stop while the timeline plays."""
        self.actions["play"].setText("&Stop" if playing else "&Play")

    def _list_lessons(self) -> None:
        """List the lessons, which are read now, and check those that are done."""
        for action in self._lessons.actions()[1:]:
            self._lessons.removeAction(action)
            action.deleteLater()
        self._lessons.addSeparator()
        for name, title, is_done in self._commands.story.lessons.listed:
            action = add_choice(self._lessons, menu_text(title), name, self._commands.story.take_lesson)
            action.setCheckable(True)
            action.setChecked(is_done)

    def _show_history(self) -> None:
        """Offer the steps that can be undone and redone, by their words."""
        history = self._parts.store.history
        self._undo.setText(f"Undo {menu_text(history.undo_text)}".rstrip())
        self._redo.setText(f"Redo {menu_text(history.redo_text)}".rstrip())
        self._undo.setEnabled(history.can_undo)
        self._redo.setEnabled(history.can_redo)

    def _show_panel(self, name: str, action: QAction) -> None:
        self._parts.workspaces.show_panel(name, action.isChecked())

    def _build_file_menu(self, menu: QMenu, commands: Commands) -> QMenu:
        recent = QMenu("Open &recent", menu)
        presets = self._presets = QMenu("&Presets", menu)
        fill_late(presets, partial(_list_presets, presets, commands))
        for sub_menu in (recent, presets):
            menu.insertMenu(self.actions["save"], sub_menu)
        menu.insertSeparator(self.actions["save"])
        return recent

    def _build_edit_menu(self, menu: QMenu) -> None:
        store = self._parts.store
        undo, redo = self._undo, self._redo = QAction("Undo", menu), QAction("Redo", menu)
        undo.triggered.connect(store.undo)
        redo.triggered.connect(store.redo)
        store.historyChanged.connect(self._show_history)
        self._show_history()
        undo.setShortcut("Ctrl+Z")
        undo.setToolTip(plain_tip("Undo the last change"))  # by default the text, which may contain a file's name
        redo.setToolTip(plain_tip("Redo the undone change"))
        redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        lesson, first = menu.actions()[:2]
        menu.insertActions(lesson, [undo, redo])
        menu.insertSeparator(first)

    def _add_rooms(self, menu: QMenu, commands: Commands) -> None:
        """Entries that show and hide docks and panels, and choose a workspace, at the top of the menu."""
        first, workspaces = menu.actions()[0], self._parts.workspaces
        docks, panels = QMenu("Doc&ks", menu), QMenu("P&anels", menu)  # one column, also in a low window
        docks.addActions([dock.toggleViewAction() for dock in self._parts.docks.values()])
        for name, panel in PANELS.items():
            action = self._panels[name] = QAction(panel.title, panels)
            action.setCheckable(True)
            action.triggered.connect(partial(self._show_panel, name, action))
            panels.addAction(action)
        choose, self._move = QMenu("&Workspace", menu), QMenu("&Move panel to", menu)
        titles = {name: each.title for name, each in WORKSPACES.items()}
        self._workspaces = add_exclusive_choices(choose, titles.items(), workspaces.choose)
        for number, action in enumerate(self._workspaces.values(), 1):
            action.setShortcut(f"Ctrl+{number}")
        self._moves = {name: add_choice(self._move, title, name, commands.move_panel) for name, title in titles.items()}
        for sub_menu in (choose, panels, self._move, docks):
            menu.insertMenu(first, sub_menu)
        menu.insertSeparator(first)
        workspaces.changed.connect(self._show_workspace)

    def _show_workspace(self) -> None:
        """Check the panels of the present workspace, and offer those that there are."""
        workspaces = self._parts.workspaces
        shown, offered = workspaces.shown, workspaces.offered
        for name, action in self._panels.items():
            action.setChecked(name in shown)
        for name, action in self._workspaces.items():
            action.setVisible(name in offered)
            action.setChecked(name == workspaces.current)
        for name, action in self._moves.items():
            action.setEnabled(bool(workspaces.seen) and name != workspaces.current)
        is_alone = workspaces.maximised is not None
        self.actions["maximise"].setText("Restore a&ll panels" if is_alone else "Ma&ximise panel")

    def _add_frame_time(self, menu: QMenu) -> QAction:
        action = _add_check(menu, "Frame t&ime", "Show the time of the last repaint in the status line")
        action.setChecked(self._parts.settings.now.frame_time)
        action.toggled.connect(self._choose_frame_time)
        return action

    def _choose_frame_time(self, shown: bool) -> None:
        self._parts.settings.change(frame_time=shown)
        self.frameTimeChosen.emit(shown)

    def _add_flag(self, menu: QMenu, field: FlagField) -> QAction:
        """A checkable entry that edits the field."""
        action = _add_check(menu, field.label, field.help)
        action.triggered.connect(lambda checked: self._parts.store.edit(field.name, checked))
        return action


def _add_check(menu: QMenu, text: str, tip: str) -> QAction:
    """A new checkable entry at the end of a menu."""
    action = menu.addAction(text)
    action.setCheckable(True)
    action.setToolTip(plain_tip(tip))
    return action


def _list_presets(menu: QMenu, commands: Commands) -> None:
    for group, names in files.preset_groups().items():
        shelf = menu.addMenu(menu_text(group)) if group else menu
        for name in names:
            add_choice(shelf, menu_text(files.preset_title(name)), name, commands.open_preset)


_FORM_WORDS = {
    "rope_parameters": "config.json (rope_parameters, transformers 5)",
    "rope_scaling": "config.json (rope_scaling)",
    "vllm": "vLLM",
}


def _list_forms(menu: QMenu, commands: Commands) -> None:
    from posenc_core.model_config import FORMS  # imported on first use

    for form in FORMS:
        add_choice(menu, _FORM_WORDS.get(form, form), form, commands.output.copy_settings).setObjectName(
            f"copy_as_{form}"
        )
