"""No text from a file can be HTML: what Qt guesses about is made plain in one file, and what shows HTML is not used."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "posenc_gui").rglob("*.py"))

TIPS = {"setToolTip": -1, "setStatusTip": -1, "setWhatsThis": -1, "setTabToolTip": -1, "showText": 1}
"""Methods of Qt that take a text and guess whether it is HTML, and where the text stands among their arguments."""
ROLES = {"ToolTipRole", "StatusTipRole", "WhatsThisRole"}

GUESSING = {
    "QLabel", "QMessageBox", "QProgressDialog", "QStaticText", "QInputDialog", "QErrorMessage", "QTextEdit",
    "QTextBrowser", "QWhatsThis", "LabelItem", "TextItem", "AxisItem",
}  # fmt: skip
"""Classes of Qt and pyqtgraph that show HTML."""
HTML = {"setHtml", "insertHtml", "appendHtml", "fromHtml", "setMarkdown", "RichText", "AutoText", "MarkdownText"}
ENUMS = {"Icon", "ButtonRole", "StandardButton"}
"""Allowed members of a message box, whose static methods would show HTML."""

ALLOWED = {
    "posenc_gui/look/plain_text.py": {"QLabel"},  # with plain text
    "posenc_gui/look/message_boxes.py": {"QLabel", "QMessageBox", "QProgressDialog"},  # with plain text
    "posenc_gui/plotting/lettering.py": {"QStaticText"},  # with plain text
    "posenc_gui/look/controls.py": {"QWhatsThis", "showText", "ToolTipRole"},  # with tool tips, which are plain already
    "posenc_gui/window/commands.py": {"QWhatsThis"},  # shows no text itself
    "posenc_gui/docks/headline.py": {"QLabel", "RichText"},  # its own HTML, with the words escaped
    "posenc_gui/docks/editors/formula_editor.py": {"QTextEdit"},  # its class of marks, which have no text
}


def found(tree: ast.AST) -> Iterator[str]:
    """The names in a file by which a text could be shown as HTML."""
    whole = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    plain = {id(role) for node in ast.walk(tree) for role in _plain_roles(node)}
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom():
                yield from (alias.name for alias in node.names if alias.name in GUESSING)
            case ast.Name() if node.id in GUESSING:
                yield node.id
            case ast.Attribute(value=ast.Name("MessageBox")) if node.attr not in ENUMS:
                yield f"MessageBox.{node.attr}"
            case ast.Attribute() if node.attr in GUESSING | HTML:
                yield node.attr
            case ast.Attribute() if node.attr in TIPS and id(node) not in whole:
                yield node.attr  # kept under another name
            case ast.Attribute() if node.attr in ROLES and id(node) not in plain:
                yield node.attr
            case ast.Call(func=ast.Attribute(attr=method), args=texts) if method in TIPS:
                if not texts or not _is_plain(texts[TIPS[method]]):
                    yield method


def _is_plain(text: ast.expr) -> bool:
    """Whether the text is made by ``plain_tip``, or is missing."""
    match text:
        case ast.Call(func=ast.Name("plain_tip")) | ast.Constant(None):
            return True
        case ast.IfExp():
            return _is_plain(text.body) and _is_plain(text.orelse)
    return False


def _plain_roles(node: ast.AST) -> Iterator[ast.AST]:
    """Roles of tool tips for which an item gets, or gives, only plain text."""
    match node:
        case ast.Call(args=given) if any(_is_plain(each) for each in given):
            yield from given
        case ast.If(test=ast.Compare(comparators=compared), body=body):
            returned = [each for line in body for each in ast.walk(line) if isinstance(each, ast.Return)]
            if returned and all(each.value is not None and _is_plain(each.value) for each in returned):
                yield from compared


def test_no_file_shows_a_text_that_qt_may_take_for_html() -> None:
    shown = {path: {*found(ast.parse(path.read_text(encoding="utf-8")))} for path in SOURCES}
    assert {path.relative_to(ROOT).as_posix(): names for path, names in shown.items() if names} == ALLOWED


@pytest.mark.parametrize(
    "line",
    [
        "item.setToolTip(0, name)", "widget.setToolTip('a constant')", "tip = widget.setToolTip", "show(w.setToolTip)",
        "action.setStatusTip(name)", "widget.setWhatsThis(name)", "QToolTip.showText(place, name)",
        "QToolTip.showText(plain_tip(name), name)", "bar.setTabToolTip(0, name)", "widget.setToolTip()",
        "widget.setToolTip(plain_tip(name) if name else name)", "item.setData(0, name, Qt.ItemDataRole.ToolTipRole)",
        "if role == Qt.ItemDataRole.ToolTipRole:\n    return name", "if role == role.WhatsThisRole:\n    x = 1",
        "roles = (Qt.ItemDataRole.ToolTipRole,)", "label.setTextFormat(Qt.TextFormat.AutoText)",
        "from PySide6.QtWidgets import QLabel", "QtWidgets.QMessageBox.about(window, title, name)",
        "MessageBox.question(window, title, name)", "MessageBox.about(window, title, name)", "document.setHtml(name)",
        "pg.TextItem(html=name)", "pg.AxisItem('left', text=name)",
    ],
)  # fmt: skip
def test_the_wall_stands(line: str) -> None:
    assert list(found(ast.parse(line)))


@pytest.mark.parametrize(
    "line",
    [
        "item.setToolTip(0, plain_tip(name))", "widget.setToolTip(plain_tip(name if name else ''))",
        "QToolTip.showText(place, plain_tip(name), widget)", "box.setItemData(0, plain_tip(name), role.ToolTipRole)",
        "if role == Qt.ItemDataRole.ToolTipRole:\n    return None if n is None else plain_tip(n)",
        "box = MessageBox(MessageBox.Icon.Warning, title, name, window)", "label = PlainLabel(name)",
    ],
)  # fmt: skip
def test_plain_texts_pass(line: str) -> None:
    assert not list(found(ast.parse(line)))
