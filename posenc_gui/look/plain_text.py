"""Texts shown letter by letter: names from files could be HTML, which loads pictures."""

import re
import textwrap
from functools import lru_cache

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget
from typing_extensions import override

from posenc_core.explain import GLOSSARY
from posenc_core.fields import one_line
from posenc_gui.look.style import LABEL_PX
from posenc_gui.look.theme import dress

TIP_COLUMNS = 64
"""Characters of a line: Qt does not wrap plain tool tips, and a sentence would be as wide as the screen."""

LONGEST_TIP = 2000
"""Characters; a name in a file may be as long as the file."""

_LONGEST_WORD = 16
"""Longest unbroken word, without a number tied to it: a label does not wrap in a word, and would widen its dock."""

_TIE = "\u00a0"
_LOOSE = re.compile(
    r"(?<=[^\W\d_]) (?=[−-]?\d)|(?<=\S) (?=…$)|(?<=\S) (?== \S{1,16}(?!\S))|(?<=\S =) (?=\S{1,16}(?!\S))"
)

_TAG_OR_ENTITY = re.compile("<|&(?=lt;)")
"""The characters by which Qt recognises a text as HTML."""


def plain_tip(text: str) -> str:
    """The text as a tool tip that Qt shows literally, in lines of at most ``TIP_COLUMNS`` characters.

    Line breaks stay. In a text that Qt would read as HTML, a zero-width space follows each character that begins a tag
    or an entity: tool tips have no setting for plain text. A text of more than ``LONGEST_TIP`` characters ends in "…".
    """
    whole = text if len(text) <= LONGEST_TIP else f"{text[:LONGEST_TIP]}…"
    tip = "\n".join(line if len(line) <= TIP_COLUMNS else _filled(line) for line in whole.splitlines()).rstrip("\n")
    return _TAG_OR_ENTITY.sub("\\g<0>\u200b", tip) if GuiQt.mightBeRichText(tip) else tip


@lru_cache(maxsize=256)
def _filled(line: str) -> str:
    """The line wrapped; cached, since many tool tips are set again at each edit, mostly with equal lines."""
    return textwrap.fill(line, TIP_COLUMNS)


def tied(text: str) -> str:
    """The text with unbreakable spaces between words and their numbers, around "=", and before a "…" at the end.

    Wrapped lines then neither begin with a lone number or value nor consist of the sign alone. Long values stay loose.
    """
    return _LOOSE.sub(_TIE, text)


def glossary_lines(*words: str) -> str:
    """A line per word, ``pair: Two columns that ...``; KeyError for a word outside the glossary.

    A sign before the word, as in ``λ wavelength``, stays in the line.
    """
    return "\n".join(f"{word}: {GLOSSARY[word.split(' ')[-1]]}" for word in words)


def menu_text(text: str) -> str:
    """The text as a menu entry, in which ``&`` would mark a letter and a tab begin a second column."""
    return one_line(text).replace("&", "&&")


class PlainLabel(QLabel):
    """A label that shows every text literally."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)


class TiedLabel(PlainLabel):
    """A label whose lines never begin with a number that belongs to the word before; ``text`` is as it was set."""

    @override
    def setText(self, text: str) -> None:
        self._untied = text
        super().setText(tied(text))

    @override
    def text(self) -> str:
        return self._untied


class Shelf(QWidget):
    """Contains a label whose text changes often: Qt would lay out everything up to the window for each text.

    Only a text that needs another size changes the layout; a text that is cut where it is too wide, another height.
    """

    def __init__(self, label: QLabel, is_cut: bool = False) -> None:
        super().__init__()
        self.label, self._is_cut = label, is_cut
        label.setParent(self)
        usual = QSizePolicy.Policy.Preferred
        policy = QSizePolicy(QSizePolicy.Policy.Ignored if is_cut else usual, usual)
        policy.setHeightForWidth(label.wordWrap())  # a label without a text does not ask for it yet
        self.setSizePolicy(policy)
        self._kept_width, self._kept_heights = self.minimumSizeHint().width(), (0, 0)  # that the layouts keep

    def _fit(self) -> None:
        """Request a layout for other heights, or for another least width if that is what holds the shelf's width."""
        width, least = self.width(), self.minimumSizeHint()
        heights = least.height(), self.heightForWidth(width)
        is_held = self._kept_width >= width
        if heights != self._kept_heights or least.width() > width or (is_held and least.width() < self._kept_width):
            self._kept_width, self._kept_heights = least.width(), heights
            self.updateGeometry()

    @override
    def sizeHint(self) -> QSize:
        return self._across(self.label.sizeHint())

    @override
    def minimumSizeHint(self) -> QSize:
        return self._across(self.label.minimumSizeHint())

    def _across(self, hint: QSize) -> QSize:
        return QSize(0, hint.height()) if self._is_cut else hint

    @override
    def heightForWidth(self, width: int) -> int:
        return self.label.heightForWidth(width)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # of the label
            self._fit()
        return super().event(event)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.label.resize(self.size())
        self._fit()  # the layouts may know the needs of an earlier text


class Note(TiedLabel):
    """A label with a sentence that wraps, in one of the style's colours; hidden if the sentence is empty."""

    def __init__(self, role: str = "muted", parent: QWidget | None = None) -> None:
        """``role`` is the name of the style's colour: ``muted``, ``ink``, ``warning`` or ``error``."""
        super().__init__(parent=parent)
        self.sentence = ""
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.hide()
        dress(self, LABEL_PX, role=role)

    def show_sentence(self, sentence: str) -> None:
        """Show the sentence, or hide the label if the sentence is empty."""
        if sentence != self.sentence:
            self.sentence = sentence
            self.setText(_breakable(sentence))
            self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))

    def show_problem(self, problem: str) -> None:
        """Show the problem as a whole sentence, or hide the label if there is none."""
        self.show_sentence(f"{problem[:1].upper()}{problem[1:]}." if problem else "")


class SmallLabel(PlainLabel):
    """The name of a control, or a word beside it, in small letters."""

    def __init__(self, text: str = "", role: str = "muted", semibold: bool = False) -> None:
        """``role`` is the name of the style's colour."""
        super().__init__(text)
        dress(self, LABEL_PX, semibold, role)


def _breakable(sentence: str) -> str:
    """The sentence with zero-width spaces in its long words, after their signs where these are near enough."""
    long_word = re.compile(rf"\S{{{_LONGEST_WORD + 1},}}")
    part = rf"\S{{1,{_LONGEST_WORD - 1}}}[_./-]|\S{{1,{_LONGEST_WORD}}}$|\S{{1,8}}"
    return long_word.sub(lambda word: "\u200b".join(re.findall(part, word.group())), sentence)
