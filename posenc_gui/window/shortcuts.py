"""The list of all keys: the menus' and the figures' own, and those of the window's other parts."""

import re
from collections.abc import Iterable, Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QMenu, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from posenc_gui.figures.figure import Figure
from posenc_gui.look.controls import GAP, OUTER_MARGIN, control_palette, flatten_scroll_bars, remove_icons
from posenc_gui.look.style import Style

Rows = list[tuple[str, str]]
"""Keys, and what they do."""

_SIZE = (680, 560)

_ELSEWHERE: dict[str, Rows] = {
    "All panels": [
        ("Shift + arrow", "Move the cursor by ten"),
        ("Home", "Show everything"),
    ],
    "Sentence and fields": [
        ("Shift+Enter", "Begin a new line of the sentence"),
        ("Enter", "Take the number that was typed"),
        ("Esc", "Take back what was typed and is refused"),
        ("Up, Down, Page Up, Page Down", "Change a number step by step"),
        ("Alt + letter", "Go to the field or the menu whose name underlines the letter"),
        ("Tab, Shift+Tab", "Go to the next or the previous field, panel or dock"),
    ],
    "Vector": [
        ("Up, Down", "Hold the cell of another column"),
        ("Ctrl+C", "Copy the vector"),
    ],
}
"""What neither an action nor a figure names."""


def shortcut_rows(menus: Iterable[QMenu], figures: Iterable[type[Figure]]) -> dict[str, Rows]:
    """Keys and what they do, by the title of the menu, the figure or the part of the window."""
    rows = {_plain(menu.title()): list(_menu_rows(menu)) for menu in menus}
    rows |= {figure.title: list(_figure_rows(figure)) for figure in figures}
    return {title: found for title, found in (rows | _ELSEWHERE).items() if found}


def _menu_rows(menu: QMenu) -> Iterator[tuple[str, str]]:
    for action in (action for each in (menu, *menu.findChildren(QMenu)) for action in each.actions()):
        keys = [key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts()]
        if keys:
            tip = action.toolTip().replace("\n", " ").removesuffix(f" ({keys[0]})")
            name = _plain(action.text()).removesuffix("…")
            yield ", ".join(keys), name if tip == name else f"{name}: {tip[:1].lower()}{tip[1:]}"


def _figure_rows(figure: type[Figure]) -> Iterator[tuple[str, str]]:
    """The arrow keys, and what the explanation says about the mouse."""
    for place, what in enumerate(("position", "column")):
        keys = [QKeySequence(key).toString() for key, step in figure.steps.items() if step[place]]
        if keys:
            yield ", ".join(keys), f"Move the cursor to another {what}"
    for sentence in re.split(r"(?<=\.) ", figure.explanation):
        if re.search(r"\b(wheel|drag|click)", sentence, re.IGNORECASE):
            yield "Mouse", sentence


def _plain(text: str) -> str:
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


class ShortcutsDialog(QDialog):
    """Shows keys and what they do, in groups."""

    def __init__(self, rows: dict[str, Rows], style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        self.resize(*_SIZE)
        shown = QTreeWidget()
        shown.setAccessibleName("keyboard shortcuts")
        shown.setHeaderLabels(["Keys", "What they do"])
        shown.setRootIsDecorated(False)
        shown.setItemsExpandable(False)
        shown.setWordWrap(True)
        shown.setSelectionMode(QTreeWidget.SelectionMode.NoSelection)
        shown.setPalette(control_palette(style))
        for title, keys in rows.items():
            group = QTreeWidgetItem(shown, [title])
            group.setFirstColumnSpanned(True)
            group.setFont(0, style.font(13, semibold=True))
            for row in keys:
                QTreeWidgetItem(group, list(row)).setTextAlignment(0, Qt.AlignmentFlag.AlignTop)
        shown.expandAll()
        shown.resizeColumnToContents(0)
        flatten_scroll_bars(shown, style)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setText("&Close")
        remove_icons(buttons.buttons())
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(OUTER_MARGIN, OUTER_MARGIN, OUTER_MARGIN, OUTER_MARGIN)
        column.setSpacing(GAP)
        column.addWidget(shown)
        column.addWidget(buttons)
