"""What all docks share of their look: margins, palettes made from the style, and sentences that wrap."""

import re
from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from posenc_gui.look.style import LIGHT, Style

# Lengths in logical pixels.
OUTER_MARGIN = 12
GAP = 8
TEXT_PX, LABEL_PX = 13, 12

_LONGEST_WORD = 16
"""Longer words are allowed to break: a label never wraps within a word, and would widen its dock instead."""


def blend(colour: str, ground: str, share: float) -> QColor:
    """The colour laid over the ground as if it covered it by ``share``, 0 to 1."""
    over, under = QColor(colour), QColor(ground)
    return QColor.fromRgbF(
        over.redF() * share + under.redF() * (1 - share),
        over.greenF() * share + under.greenF() * (1 - share),
        over.blueF() * share + under.blueF() * (1 - share),
    )


@cache
def text_palette(style: Style, colour: str) -> QPalette:
    """The style's palette with labels in this colour, fainter where they are disabled."""
    palette = style.palette()
    faint = blend(colour, style.ground, 0.55)
    # In a tool bar, labels are painted in the colour of its buttons.
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
        palette.setColor(role, QColor(colour))
        palette.setColor(QPalette.ColorGroup.Disabled, role, faint)
    return palette


@cache
def control_palette(style: Style, wrong: bool = False) -> QPalette:
    """The style's palette for a control with a visible edge; red text on a reddish ground for a refused value."""
    palette = style.palette()
    role = QPalette.ColorRole
    edge = QColor(style.error) if wrong else blend(style.muted, style.ground, 0.5)
    palette.setColor(role.Window, _before_fusion_darkens(edge))
    if wrong:
        for which in (role.Text, role.WindowText, role.ButtonText, role.Highlight, role.Accent):
            palette.setColor(which, QColor(style.error))
        palette.setColor(role.HighlightedText, QColor(style.field))
        for which in (role.Base, role.Button):
            palette.setColor(which, blend(style.error, style.field, 0.14))
    return palette


def _before_fusion_darkens(edge: QColor) -> QColor:
    """The window's colour from which Fusion derives this edge: a 1.4th of its brightness, unseen on dark grounds."""
    return QColor.fromHsvF(edge.hueF(), edge.saturationF(), min(1.0, 1.4 * edge.valueF()))


def scrolling(content: QWidget) -> QScrollArea:
    """An area in which the content scrolls up and down, as wide as the area is."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(content)
    return area


def column_of(dock: QWidget, *widgets: QWidget, margin: int = 0) -> QVBoxLayout:
    """The dock's new layout, which holds the widgets one below the other."""
    column = QVBoxLayout(dock)
    column.setContentsMargins(margin, GAP if margin else 0, margin, margin)
    column.setSpacing(GAP)
    for widget in widgets:
        column.addWidget(widget)
    return column


class Note(QLabel):
    """A sentence that wraps, in one of the style's colours; hidden while there is none."""

    def __init__(self, role: str = "muted", parent: QWidget | None = None) -> None:
        """``role`` is the name of the style's colour: ``muted``, ``ink``, ``warning`` or ``error``."""
        super().__init__(parent)
        self._role = role
        self.sentence = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.hide()
        self.show_style(LIGHT)

    def show_sentence(self, sentence: str) -> None:
        """Shows the sentence from now on, or nothing at all for an empty one."""
        if sentence != self.sentence:
            self.sentence = sentence
            self.setText(_breakable(sentence))
            self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))

    def show_style(self, style: Style) -> None:
        """Takes on the style's font and colour."""
        self.setFont(style.font(LABEL_PX))
        self.setPalette(text_palette(style, getattr(style, self._role)))


def _breakable(sentence: str) -> str:
    """The sentence with invisible places to break in its long words."""
    long_word = re.compile(rf"\S{{{_LONGEST_WORD + 1},}}")
    return long_word.sub(lambda word: "\u200b".join(re.findall(r".{1,8}", word.group())), sentence)
