"""Actions and readings of a user who takes lessons in the window."""

import json

from pixels import area_of, click, drag, pixels_of, settle
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QRadioButton

from posenc_core import Document
from posenc_gui.story.prose import Prose

SIZE = (1024, 700)


def step(kind: str, answer: dict, **predict) -> dict:
    """A step over the first document, whose prediction is of that kind, as its file has it."""
    asked = {"kind": kind, "question": "What do you expect?", "answer": answer, "panel": "heatmap", **predict}
    return {
        "title": f"What about a {kind}?",
        "text": ["A [[column]] of $\\sin(p)$ has numbers."],
        "start": {
            "document": {**Document().to_dict(), "sentence": "one two three four", "seq_len": 12},
            "workspace": "vectors",
            "panel": asked["panel"],
            "cursor": [1, 2],
        },
        "predict": asked,
        "gap": "You expected {prediction}; it is {answer}.",
        "attempt": "Change the base.",
        "check": {
            "kind": "number",
            "question": "What stands in column 0 at position 0?",
            "answer": {"name": "entry", "arguments": {"position": 0, "column": 0}},
            "tolerance": 0.01,
        },
        "derivation": [1, 2],
    }


def entry(position: int, column: int) -> dict:
    return {"name": "entry", "arguments": {"position": position, "column": column}}


def lesson_text(title: str, *steps: dict) -> str:
    return json.dumps({"format": "posenc lesson", "version": 1, "title": title, "steps": [*steps]})


def button(room, text: str) -> QAbstractButton:
    """The one visible button that says this, or is called so."""
    (found,) = [
        each
        for each in room.findChildren(QAbstractButton)
        if each.isVisible() and text in (each.text(), each.accessibleName())
    ]
    return found


def press(room, text: str) -> None:
    QTest.mouseClick(button(room, text), Qt.MouseButton.LeftButton)
    settle()


def texts(room) -> str:
    """Everything that can be read in the dock."""
    labels = [each.text().replace("\u200b", "") for each in room.findChildren(QLabel) if each.isVisible()]
    return "\n".join([*labels, *(each.plain_text for each in room.findChildren(Prose) if each.isVisible())])


def type_answer(line: QLineEdit, text: str) -> None:
    line.setFocus()
    line.selectAll()
    if text.isascii():
        QTest.keyClicks(line, text)
    else:  # QTest knows no keys for other signs
        line.insert(text)
    settle()


def lines(room) -> list[QLineEdit]:
    return [each for each in room.findChildren(QLineEdit) if each.isVisible() and each.isEnabled()]


def radio_buttons(room) -> list[QRadioButton]:
    return [each for each in room.findChildren(QRadioButton) if each.isVisible() and each.isEnabled()]


def predict(window, step) -> None:
    """Make a prediction with mouse and keys."""
    dock, asked = window.commands.story.lessons, step.predict
    panel = window.panels[asked.panel]
    if asked.kind == "choice":
        QTest.mouseClick(radio_buttons(dock)[0], Qt.MouseButton.LeftButton)
    elif asked.kind == "number":
        type_answer(lines(dock)[0], "62.8")
    elif asked.kind == "click":
        click_cell(panel, 1, 1)
    else:
        area, column = area_of(panel), asked.answer.arguments["column"]
        y = area.top() + panel.figure.area.to_y(panel.figure.pointing.rows.row_of(column))
        drag(panel.view, QPointF(area.left() + 3, y + 4), QPointF(area.right() - 3, y - 4))
    settle()


def click_cell(panel, position: int, column: int) -> None:
    """Click a cell of the waves or of the heatmap."""
    figure, area = panel.figure, area_of(panel)
    if panel.spec.name == "heatmap":
        place = figure.pointing.rect_of(position, column).center()
    else:
        place = QPointF(figure.area.to_x(float(position)), figure.area.to_y(float(figure.pointing.rows.row_of(column))))
    click(panel.view, area.topLeft() + place)


def figure_pixels(panel):
    """Pixels of the panel, including its header."""
    return pixels_of(panel)


def clipped(room) -> list[str]:
    """The texts of the dock that have less room than they need."""
    found: list[str] = []
    for label in room.findChildren(QLabel):
        if label.isVisible() and label.text():
            width = label.width()
            needed = label.heightForWidth(width) if label.wordWrap() else label.sizeHint().height()
            if needed > label.height() + 1 or (not label.wordWrap() and label.sizeHint().width() > width + 1):
                found.append(label.text())
    for prose in room.findChildren(Prose):
        if prose.isVisible() and (
            prose.heightForWidth(prose.width()) > prose.height() or prose.ideal_width > prose.width()
        ):
            found.append(f"{prose.plain_text}: {prose.size()}, {prose.ideal_width}")
    for each in room.findChildren(QAbstractButton):
        if each.isVisible() and each.text() and each.fontMetrics().horizontalAdvance(each.text()) + 4 > each.width():
            found.append(each.text())
    return found + outside(room)


def outside(room) -> list[str]:
    """The texts and buttons that reach over the right edge of what scrolls."""
    area = room.page.area
    content = area.widget()
    parts = [*content.findChildren(Prose), *content.findChildren(QLabel), *content.findChildren(QAbstractButton)]
    right = area.viewport().width()
    over = [each for each in parts if each.isVisible() and each.mapTo(content, each.rect().topRight()).x() > right]
    return [f"{each.accessibleName()} reaches over the edge" for each in over]
