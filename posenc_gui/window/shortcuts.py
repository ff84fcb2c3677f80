"""The list of all keys of the menus, the panels, and the other parts of the window."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QMainWindow, QMenu, QWidget

from posenc_gui import look
from posenc_gui.look import GAP, OUTER_MARGIN, PlainLabel, dress, plain_tip
from posenc_gui.model import PanelSpec

Rows = list[tuple[str, str]]
"""Keys, and their effects."""

_SIZE = (680, 560)
_MOUSE, _KEYS = "Mouse", "Keys"
_WIDEST_KEYS = "Ctrl+Shift+Z, Ctrl+Y"

_ELSEWHERE = msgspec.json.decode(Path(__file__).with_name("other_keys.json").read_bytes(), type=dict[str, Rows])
"""Keys that neither an action nor a panel names."""


def shortcut_rows(menus: Iterable[QMenu], specs: Iterable[PanelSpec]) -> dict[str, Rows]:
    """Keys and their effects, by the title of the menu, the panel or the part of the window."""
    rows = {_plain(menu.title()): list(_menu_rows(menu)) for menu in menus}
    rows |= {spec.title: list(_panel_rows(spec)) for spec in specs}
    return {title: found for title, found in (rows | _ELSEWHERE).items() if found}


def panel_keys(spec: PanelSpec) -> str:
    """The keys of a panel, a line each."""
    rows = [row for row in _panel_rows(spec) if row[0] not in (_MOUSE, _KEYS)]
    keys = "\n".join(f"{keys}: {what}" for keys, what in (*rows, *_ELSEWHERE["All panels"]))
    return f"{spec.handling}\n{keys}".strip()


def show_all_keys(window: QMainWindow, specs: Iterable[PanelSpec]) -> None:
    """Show the keys of a window's menus and of the panels, until the user closes the list."""
    titles = [action.text() for action in window.menuBar().actions()]
    menus = {menu.title(): menu for menu in window.findChildren(QMenu) if menu.title() in titles}
    dialog = ShortcutsDialog(shortcut_rows([menus[title] for title in titles if title in menus], specs), window)
    dialog.exec()
    dialog.deleteLater()


def _menu_rows(menu: QMenu) -> Iterator[tuple[str, str]]:
    for action in (action for each in (menu, *menu.findChildren(QMenu)) for action in each.actions()):
        keys = [key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts()]
        if keys:
            tip = action.toolTip().replace("\n", " ").removesuffix(f" ({keys[0]})")
            name = _plain(action.text()).removesuffix("…")
            yield ", ".join(keys), name if tip == name else f"{name}: {tip[:1].lower()}{tip[1:]}"


def _panel_rows(spec: PanelSpec) -> Iterator[tuple[str, str]]:
    """The arrow keys, and the panel's words on the mouse and on other keys."""
    for keys, what in zip(spec.arrows, ("position", "column"), strict=True):
        if keys:
            yield keys, f"Move the cursor to another {what}"
    for sentence in filter(None, re.split(r"(?<=\.) ", spec.handling)):
        yield _MOUSE if re.search(r"\b(wheel|drag|click|point)", sentence, re.IGNORECASE) else _KEYS, sentence


def _plain(text: str) -> str:
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def _add_row(grid: QGridLayout, keys: str, what: str) -> None:
    names, meaning = PlainLabel(keys), PlainLabel(what)
    for label in (names, meaning):
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    names.setMinimumWidth(names.fontMetrics().horizontalAdvance(_WIDEST_KEYS))
    row = grid.rowCount()
    grid.addWidget(names, row, 0)
    grid.addWidget(meaning, row, 1)


class ShortcutsDialog(QDialog):
    """Shows keys and their effects, in groups."""

    def __init__(self, rows: dict[str, Rows], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        look.open_with(self, *_SIZE)
        content = QWidget()
        grid = look.grid_of(content, 2 * GAP, GAP // 2)
        grid.setContentsMargins(0, 0, OUTER_MARGIN, 0)
        grid.setColumnStretch(1, 1)
        for title, keys in rows.items():
            heading = PlainLabel(title)
            dress(heading, semibold=True)
            heading.setContentsMargins(0, GAP, 0, 0)
            grid.addWidget(heading, grid.rowCount(), 0, 1, 2)
            for key, what in keys:
                _add_row(grid, key, what)
        area = look.scrolling(content)
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the keys scroll it
        area.setAccessibleName("keyboard shortcuts")
        area.setAccessibleDescription("Keyboard shortcuts of menus, panels and other parts.")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setText("&Close")
        buttons.button(QDialogButtonBox.StandardButton.Close).setToolTip(plain_tip("Close the list of keys (Escape)"))
        look.remove_icons(buttons.buttons())
        look.explain_controls(self)
        buttons.rejected.connect(self.reject)
        look.dialog_column(self, area, buttons)
