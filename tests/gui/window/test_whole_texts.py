"""Every text in small windows and with large text: drawn whole, or visibly cut with a tool tip."""

import pytest
from pixels import painted_words, settle
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QLabel, QLineEdit, QWidget
from window_bench import act, shown_panels

from posenc_gui.panels import WORKSPACES

CASES = [(size, steps) for size, steps in (((1024, 700), 0), ((1440, 900), 3))]
ENCODINGS = {
    "sinusoidal": {},
    "512 columns": {"d_model": 512},
    "learned": {"family": "learned"},
    "t5": {"family": "t5"},
    "alibi": {"family": "alibi"},
    "rope": {"family": "rotary"},
    "yarn": {"family": "rotary", "head_dim": 64, "scaling": "yarn", "factor": 4},
}
CONTROLS = (QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit, QLabel)
EDGE_PX = 2


def show(window, size, steps, edits):
    window.resize(*size)
    for _ in range(steps):
        act(window, "enlarge_text")
    for name, value in edits.items():
        window.store.edit(name, value)
    settle()


def cut_controls(room: QWidget) -> list[str]:
    """The controls of a room that are not whole: their places and their texts."""
    inside, found = room.rect().adjusted(EDGE_PX, EDGE_PX, -EDGE_PX, -EDGE_PX), []
    for each in room.findChildren(QWidget):
        if not isinstance(each, CONTROLS) or not each.isVisible() or each.visibleRegion().isEmpty():
            continue
        size = QSize(min(each.width(), width_of(each)), each.height()) if isinstance(each, QLabel) else each.size()
        place = QRect(each.mapTo(room, QPoint()), size)
        if not inside.contains(place) or not each.visibleRegion().boundingRect().contains(QRect(QPoint(), size)):
            found.append(f"{each.accessibleName() or text_of(each)}: {place}")
        elif not is_whole(each):
            found.append(f"{each.accessibleName()}: {text_of(each)!r} in {each.width()}")
    return found


def text_of(each) -> str:
    if isinstance(each, QComboBox):
        return each.currentData()[1] if isinstance(each.currentData(), tuple) else each.currentText()
    return each.text()


def width_of(each) -> int:
    return max(map(each.fontMetrics().horizontalAdvance, text_of(each).replace("&", "").split("\n")))


def has_rest_elsewhere(panel, text: str) -> bool:
    """Whether the rest of a cut text is near: a token's in the sentence, that of a card or a strip in its tool tip."""
    begun = text.rstrip("… ")
    tips = [item.toolTip() for item in panel.view.scene().items() if item.toolTip()]
    tokens = [token.text for token in panel.figure.document.token_list]
    return panel.figure.spec.name == "gallery" or any(each.startswith(begun) for each in (*tokens, *tips))


def is_whole(each) -> bool:
    """Whether the text of a control has room, or ends in an ellipsis whose tool tip has it all."""
    text = text_of(each).replace("&", "")
    if text.endswith("…") and each.toolTip():
        return True
    if isinstance(each, QLabel) and (each.wordWrap() or "<" in text):
        return True
    return width_of(each) <= each.width()


@pytest.mark.own_window
@pytest.mark.one_of(4)
@pytest.mark.parametrize(("size", "steps"), CASES, ids=str)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_controls_and_words_in_and_around_the_panels_are_whole(window, size, steps, encoding):
    show(window, size, steps, ENCODINGS[encoding])
    bad = cut_around_the_panels(window)
    for name in WORKSPACES:
        window.workspaces.choose(name)
        settle()
        for panel_name, panel in shown_panels(window).items():
            bad += [f"{name} {panel_name}: {each}" for each in cut_controls(panel)]
            if panel.view.isVisible():
                bad += [
                    f"{name} {panel_name}: drawn {word.text}"
                    for word in painted_words(panel.view)
                    if word.text.endswith("…") and not has_rest_elsewhere(panel, word.text)
                ]
    assert not bad, "\n".join(bad)


def cut_around_the_panels(window) -> list[str]:
    """The visible controls outside the panels that cut their texts."""
    inside = [*shown_panels(window).values()]
    return [
        f"{each.accessibleName()}: {text_of(each)!r} in {each.width()}"
        for each in window.findChildren(QWidget)
        if isinstance(each, CONTROLS) and each.isVisible() and not is_whole(each)
        if not any(panel.isAncestorOf(each) for panel in inside)
    ]
