"""A search over questions, commands, presets, panels and families, in one list."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Protocol

import shiboken6
from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QBrush, QColor, QFocusEvent, QKeyEvent, QKeySequence, QPaintEvent
from PySide6.QtWidgets import (
    QMainWindow,
    QMenu,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from posenc_core import ENCODINGS
from posenc_core.story import Question
from posenc_gui import look
from posenc_gui.look import HIT_PX, dress, present_style
from posenc_gui.panels import PANELS

QUESTION, COMMAND, PRESET, PANEL, FAMILY = "question", "command", "preset", "panel", "family"

_SIZE = (640, 420)
_LINE_PX = 15
_MARGIN = 24
_CORNER = 8.0
_STAYS = {Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason}
"""Losses of the focus that are temporary."""


class _Calls(Protocol):
    """The methods of the window that entries outside the menus call."""

    def open_question(self, number: int) -> None: ...
    def go_to_panel(self, name: str) -> None: ...
    def choose_family(self, family: str) -> None: ...


class Entry(Struct, frozen=True):
    """A line of the list: its kind, its text, further search words, its keys, and its action."""

    kind: str
    text: str
    run: Callable[[], object]
    words: str = ""
    keys: str = ""


def question_entries(questions: Iterable[Question], calls: _Calls) -> list[Entry]:
    """An entry for each question."""
    return [Entry(QUESTION, each.text, partial(calls.open_question, each.number), each.words) for each in questions]


def all_entries(questions: Iterable[Question], window: QMainWindow, calls: _Calls) -> list[Entry]:
    """Questions, the entries of the menus that can be chosen now, panels and families."""
    titles = {name: panel.title for name, panel in PANELS.items()}
    panels = [Entry(PANEL, title, partial(calls.go_to_panel, name), name) for name, title in titles.items()]
    families = [
        Entry(FAMILY, family.title, partial(calls.choose_family, name), f"{name} {family.summary}")
        for name, family in ENCODINGS.items()
    ]
    for menu in window.menuBar().findChildren(QMenu):
        menu.aboutToShow.emit()  # some menus are filled then
    menus = {menu.menuAction(): menu for menu in window.findChildren(QMenu)}  # QAction.menu() would delete the menu
    listed = _menu_entries(window.menuBar().actions(), menus)
    of_menus = [each for each in listed if each.text not in titles.values()]
    return [*question_entries(questions, calls), *of_menus, *panels, *families]


def _menu_entries(
    actions: Iterable[QAction], menus: Mapping[QAction, QMenu], path: tuple[str, ...] = ()
) -> Iterator[Entry]:
    for action in actions:
        text = _plain(action.text())
        if action in menus:
            yield from _menu_entries(menus[action].actions(), menus, (*path, text))
        elif action.isEnabled() and action.isVisible() and text and not action.isSeparator():
            is_preset = "Presets" in path
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            shown = text if is_preset or len(path) < 2 else f"{path[-1]}: {text}"
            yield Entry(
                PRESET if is_preset else COMMAND, shown, action.trigger, " ".join((*path, action.toolTip())), keys
            )


def matching(entries: Sequence[Entry], typed: str) -> list[Entry]:
    """The entries with every word: first those whose text and kind are the words, then those that begin with them.

    Among equal matches the presets come last, after the families and scalings that they set.
    """
    words = typed.casefold().split()
    whole = " ".join(words)
    if not words:
        return list(entries)
    found = []
    for entry in entries:
        text = entry.text.casefold()
        everything = f"{text} {entry.kind} {entry.words.casefold()} {entry.keys.casefold()}"
        if all(word in everything for word in words):
            begun = sum(f" {text}".find(f" {word}") >= 0 for word in words)
            held = sum(word in text for word in words)
            starts, is_preset = text.startswith(whole), entry.kind == PRESET
            found.append((f"{text} {entry.kind}" != whole, not starts, -begun, -held, is_preset, entry))
    return [entry for *_, entry in sorted(found, key=lambda each: each[:-1])]


class EntryList(QWidget):
    """A line to type words into, and the entries that contain them; ``entryChosen`` carries one.

    The keys that move in the list work while the line has the focus; Enter or a click chooses.
    """

    entryChosen = Signal(object)

    def __init__(self, entries: Sequence[Entry], prompt: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries = entries
        self._shown: list[Entry] = []
        tip = f"{prompt}; Up and Down move in the list, Enter opens the marked result"
        self.list = self._build_list()
        self.line = look.FilterLine(prompt, "search", tip, self.list)
        dress(self.line, _LINE_PX)
        self.line.textChanged.connect(self._show_matching)
        self.line.returnPressed.connect(self._choose)
        look.column_of(self, self.line, self.list)
        look.flatten_scroll_bars(self.list)
        self.setFocusProxy(self.line)
        self._show_matching("")

    def _build_list(self) -> QTreeWidget:
        shown = look.row_list(("", "", ""), "found", "Search results: a click opens a result.")
        shown.setHeaderHidden(True)
        shown.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the line has the keys
        shown.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        shown.itemClicked.connect(self._choose)
        return shown

    def _show_matching(self, typed: str) -> None:
        self._shown = matching(self._entries, typed)
        faint = QBrush(QColor(present_style().muted))
        items = []
        for entry in self._shown:
            item = QTreeWidgetItem([entry.text, entry.kind, entry.keys])
            item.setSizeHint(0, QSize(0, HIT_PX))
            for column in (1, 2):
                item.setForeground(column, faint)
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            items.append(item)
        self.list.clear()
        self.list.addTopLevelItems(items)
        if items:
            self.list.setCurrentItem(items[0])

    def _choose(self) -> None:
        place = self.list.indexOfTopLevelItem(self.list.currentItem()) if self._shown else -1
        if place >= 0:
            self.entryChosen.emit(self._shown[place])


class Palette(QWidget):
    """The list over the window, at its top; it closes without the focus, with Escape, and after a choice."""

    def __init__(self, entries: Sequence[Entry], window: QWidget) -> None:
        super().__init__(window)
        self.setAccessibleName("find anything")
        self._window = window
        self._before: QWidget | None = window.focusWidget()
        self.entries = EntryList(entries, "Search questions, commands, presets, panels and families")
        self.entries.entryChosen.connect(self._run)
        self.entries.line.installEventFilter(self)
        box = QVBoxLayout(self)
        box.addWidget(self.entries)
        window.installEventFilter(self)
        self._place()
        self.show()
        self.raise_()
        self.entries.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def end(self, with_focus: bool = True) -> None:
        """Close the list, and return the focus to the previous widget."""
        if self.isHidden():
            return
        before, self._before = self._before, None
        self.hide()
        self.deleteLater()
        if with_focus and before is not None and shiboken6.isValid(before):
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    def _run(self, entry: Entry) -> None:
        self.end()
        entry.run()

    def _place(self) -> None:
        width = min(look.enlarged(_SIZE[0]), self._window.width() - 2 * _MARGIN)
        height = min(look.enlarged(_SIZE[1]), self._window.height() - 4 * _MARGIN)
        self.setGeometry((self._window.width() - width) // 2, 2 * _MARGIN, width, height)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window:
            if event.type() == QEvent.Type.Resize:
                self._place()
        elif isinstance(event, QFocusEvent):
            if event.type() == QEvent.Type.FocusOut and event.reason() not in _STAYS:
                self.end(with_focus=False)
        elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()  # before the window's own meaning of the key
            if event.type() == QEvent.Type.KeyPress:
                self.end()
            return True
        return super().eventFilter(watched, event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        look.paint_card(self, present_style().muted, present_style().paper, _CORNER)


def _plain(text: str) -> str:
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").removesuffix("…")
