"""Every text of a window or a dialog, read from its widgets, items and actions."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from hostile_names import FAT, TAGGED
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtGui import QAccessible, QAction, QKeySequence, QTextDocument
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QGraphicsView,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)
from window_bench import open_menus

from posenc_gui.docks.headline import Headline

ITEM_TIPS = (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.StatusTipRole, Qt.ItemDataRole.WhatsThisRole)
RICH = (Headline,)
"""Labels that are HTML of the program's own, with escaped names in it."""


class Held(NamedTuple):
    """A text, its owner, and whether Qt guesses whether the text is HTML."""

    holder: object
    kind: str
    text: str
    guessed: bool = False


def held_texts(root: QWidget) -> list[Held]:
    """The texts of a window or dialog and of everything in it, those of hidden widgets included."""
    held: list[Held] = []
    for widget in (root, *root.findChildren(QWidget)):
        held += _of_widget(widget)
    actions = dict.fromkeys((*root.findChildren(QAction), *root.actions()))
    for action in actions:
        held += [Held(action, "entry", action.text()), Held(action, "short entry", action.iconText())]
        held += _tips(action)
    return [each for each in held if each.text]


def look_through(root: QWidget) -> int:
    """Number of texts in the window or dialog, after asserting that Qt changes none and reads none as HTML."""
    open_menus(root)
    held = held_texts(root)
    labels = [label for label in root.findChildren(QLabel) if label.text()]
    wrong = [each for each in held if each.guessed and GuiQt.mightBeRichText(each.text)]
    wrong += [each for each in held if _was_html(each.text)]
    wrong += [Held(label, "format", label.text()) for label in labels if label.textFormat() != _format_of(label)]
    assert not wrong, wrong[:9]
    return len(held)


def _format_of(label: QLabel) -> Qt.TextFormat:
    return Qt.TextFormat.RichText if isinstance(label, RICH) else Qt.TextFormat.PlainText


def _was_html(text: str) -> bool:
    """Whether the text shows a picture, or a name has lost its tags."""
    shown = text.replace("\u200b", "")
    return "\ufffc" in shown or shown.count(FAT) != shown.count(TAGGED)


def _of_widget(widget: QWidget) -> Iterator[Held]:
    yield from _tips(widget)
    yield Held(widget, "title", widget.windowTitle())
    yield Held(widget, "accessible name", widget.accessibleName())
    yield Held(widget, "accessible description", widget.accessibleDescription())
    spoken = QAccessible.queryAccessibleInterface(widget)
    if spoken is not None:
        yield Held(widget, "spoken name", spoken.text(QAccessible.Text.Name))
        yield Held(widget, "spoken description", spoken.text(QAccessible.Text.Description))
    match widget:
        case QLabel():
            yield Held(widget, "label", _shown(widget))
        case QAbstractButton() | QLineEdit():
            yield Held(widget, "control", widget.text())
        case QPlainTextEdit():
            yield Held(widget, "control", widget.toPlainText())
        case QMenu():
            yield Held(widget, "menu", widget.title())
        case QComboBox():
            yield from _of_model(widget.model())
        case QAbstractItemView() if widget.model() is not None:
            yield from _of_model(widget.model())
        case QTabBar():
            for index in range(widget.count()):
                yield Held(widget, "tab", widget.tabText(index))
                yield Held(widget, "tool tip", widget.tabToolTip(index), guessed=True)
        case QGraphicsView() if widget.scene() is not None:
            for item in widget.scene().items():
                yield Held(item, "tool tip", item.toolTip(), guessed=True)


def _shown(label: QLabel) -> str:
    """Visible text of the label."""
    if label.textFormat() != Qt.TextFormat.RichText:
        return label.text()
    document = QTextDocument()
    document.setHtml(label.text())
    return document.toPlainText()


def _tips(holder: QWidget | QAction) -> Iterator[Held]:
    for kind, text in (("tool", holder.toolTip()), ("status", holder.statusTip()), ("what's this", holder.whatsThis())):
        yield Held(holder, f"{kind} tip", text, guessed=True)


def _of_model(model: QAbstractItemModel) -> Iterator[Held]:
    for role in (Qt.ItemDataRole.DisplayRole, *ITEM_TIPS):
        for column in range(model.columnCount()):
            yield _held(model, role, model.headerData(column, Qt.Orientation.Horizontal, role))
            for row in range(model.rowCount()):
                yield _held(model, role, model.data(model.index(row, column, QModelIndex()), role))


def _held(model: QAbstractItemModel, role: Qt.ItemDataRole, text: Any) -> Held:
    return Held(model, role.name, "" if text is None else str(text), guessed=role in ITEM_TIPS)


def letters_of(entry: str) -> str:
    """Visible text of an entry, a button or a label, without the marks of mnemonics."""
    return entry.replace("&&", "\0").replace("&", "").replace("\0", "&")


def mnemonic(text: str) -> str:
    """The letter that Alt reaches an entry, a button or a label by; empty if it has none."""
    return QKeySequence.mnemonic(text).toString().removeprefix("Alt+")
