"""Texts that are shown letter by letter, whatever they hold: names from files could be HTML, which loads pictures."""

import re
import textwrap
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QLabel, QWidget

from posenc_core.fields import one_line

TIP_COLUMNS = 64
"""Characters of a line: Qt does not wrap plain tool tips, and a sentence would be as wide as the screen."""

LONGEST_TIP = 2000
"""Characters; a name in a file may be as long as the file."""

_TAG_OR_ENTITY = re.compile("<|&(?=lt;)")
"""The characters by which Qt takes a text for HTML."""


def plain_tip(text: str) -> str:
    """The text as a tool tip that Qt shows as it is, in lines of at most ``TIP_COLUMNS`` characters.

    Line breaks stay. A text that Qt would take for HTML gets a zero-width space after each character that begins a tag
    or an entity: tool tips have no setting for plain text. A text of more than ``LONGEST_TIP`` characters ends in "…".
    """
    whole = text if len(text) <= LONGEST_TIP else f"{text[:LONGEST_TIP]}…"
    tip = "\n".join(line if len(line) <= TIP_COLUMNS else _filled(line) for line in whole.splitlines())
    return _TAG_OR_ENTITY.sub("\\g<0>\u200b", tip) if GuiQt.mightBeRichText(tip) else tip


@lru_cache(maxsize=256)
def _filled(line: str) -> str:
    """The line broken into several; many tool tips are set anew at each edit, most of them with the same lines."""
    return textwrap.fill(line, TIP_COLUMNS)


def menu_text(text: str) -> str:
    """The text as the entry of a menu, where ``&`` marks a letter and a tab begins a second column."""
    return one_line(text).replace("&", "&&")


class PlainLabel(QLabel):
    """A label that shows every text as it is."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
