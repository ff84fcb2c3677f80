"""Line breaks in an editor that are not part of its text.

Qt lays out and paints a line as a whole at each key in it: for a line of 200,000 characters, in 0.3 to 1.3 s.
"""

from itertools import pairwise

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument

from posenc_core.numerics import IntArray
from posenc_core.text import cluster_stops, code_points, last_safe_place

LINE, LONGEST = 80, 1000
"""A paragraph of more than LONGEST characters is broken into lines of about LINE characters."""

_NONE: IntArray = np.zeros(0, np.int64)

_END = "\u2029"
"""The character by which Qt separates lines."""


class LongLines(QObject):
    """Keeps the lines of a document short, and returns its text without the breaks.

    Positions in the document, breaks included, count UTF-16 units, as in Qt.
    """

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._document = document
        self._breaks = self._coming = _NONE
        self._is_broken = False
        self._changed: list[tuple[int, int]] = []
        """Start and stop of the changes since the last ``fit``, in order."""
        self._text: str | None = None
        document.contentsChange.connect(self._on_change)

    def text(self) -> str:
        """The document's text without the breaks; ends of paragraphs are newlines."""
        if self._text is None:
            self._text = self.without_breaks(self._document.toRawText(), 0).replace(_END, "\n")
        return self._text

    @property
    def are_broken(self) -> bool:
        """Whether the document has added breaks."""
        return len(self._breaks) > 0

    def half_characters(self) -> int:
        """Number of lone surrogates in the document; ``text`` omits them."""
        units = self._document.characterCount() - 1 - len(self._breaks)
        return units - utf16_length(self.text())

    def without_breaks(self, raw: str, position: int) -> str:
        """``raw``, a part of the document that starts at this position, without the breaks in it."""
        inside = self._breaks[(self._breaks >= position) & (self._breaks < position + utf16_length(raw))] - position
        if not len(inside):
            return raw
        ends = np.cumsum(1 + (code_points(raw) > 0xFFFF)) if utf16_length(raw) != len(raw) else None
        places = inside if ends is None else np.searchsorted(ends, inside, "right")
        starts, stops = np.append(0, places + 1).tolist(), np.append(places, len(raw)).tolist()
        return "".join(raw[start:stop] for start, stop in zip(starts, stops, strict=True))

    def position_of(self, units: int) -> int:
        """The document's position of the text's UTF-16 unit of this index; before a break that precedes the unit."""
        return units + int(np.searchsorted(self._breaks - np.arange(len(self._breaks)), units, "left"))

    def place_of(self, position: int) -> int:
        """The index in the text of the character at this position of the document."""
        units = position - int(np.searchsorted(self._breaks, position, "left"))
        text = self.text()
        return units if text.isascii() else len(text.encode("utf-16-le")[: 2 * units].decode("utf-16-le"))

    def is_break(self, position: int) -> bool:
        """Whether an added break is at this position."""
        place = int(np.searchsorted(self._breaks, position))
        return place < len(self._breaks) and int(self._breaks[place]) == position

    def insert(self, cursor: QTextCursor, text: str) -> None:
        """Replace the selection by a text with its breaks: Qt never lays it out as one line."""
        edges = [0, *_break_places(text), len(text)]
        pieces = [text[start:stop] for start, stop in pairwise(edges)]
        lengths = np.array([utf16_length(piece) + 1 for piece in pieces[:-1]], np.int64)
        self._coming, self._is_broken = cursor.selectionStart() + np.cumsum(lengths) - 1, True
        cursor.insertText("\n".join(pieces))
        self._is_broken = False

    def fit(self) -> None:
        """Break lines that became too long since the last call, and join lines that became short."""
        changed, self._changed = self._changed, []
        for start, stop in reversed(changed):
            for end in (stop, start):
                lines = self._joined(self._line_at(end))
                for line in lines[-2::-1]:
                    self._remove_break(line.position() + line.length() - 1)
            line = self._line_at(stop)
            while line.isValid() and line.position() + line.length() > start:
                previous = line.previous()
                ends = line.position() - 1, line.position() + line.length() - 1
                if line.length() > (2 * LINE if any(map(self.is_break, ends)) else LONGEST) + 1:
                    self._break(line)
                line = previous
        self._changed = []

    def _on_change(self, position: int, removed: int, added: int) -> None:
        """Move the breaks after a change, drop those in the removed text, and add those of the inserted text."""
        before, behind = self._breaks[self._breaks < position], self._breaks[self._breaks >= position + removed]
        self._breaks = np.concatenate([before, self._coming, behind + (added - removed)])
        if self._changed:
            start, stop = self._changed[0][0], self._changed[-1][1]
            self._changed = [(min(start, position), max(stop + added - removed, position + added))]
        elif self._is_broken or len(self._coming):  # inserted with its breaks: only its ends need fitting
            self._changed = [(position, position), (position + added, position + added)]
        else:
            self._changed = [(position, position + added)]
        self._text, self._coming = None, _NONE

    def _line_at(self, position: int) -> QTextBlock:
        return self._document.findBlock(min(position, self._document.characterCount() - 1))

    def _joined(self, line: QTextBlock) -> list[QTextBlock]:
        """The lines to join with this one: its whole paragraph if short enough, or one neighbour, or none.

        Neighbours that fit into one line are joined, so that no paragraph ends up in many short lines.
        """
        before, behind, length = [line], [line], line.length()
        while length <= LONGEST and self.is_break(before[-1].position() - 1):
            before.append(before[-1].previous())
            length += before[-1].length()
        while length <= LONGEST and self.is_break(behind[-1].position() + behind[-1].length() - 1):
            behind.append(behind[-1].next())
            length += behind[-1].length()
        if length <= LONGEST:
            return [*before[:0:-1], *behind]
        for pair in (before[1::-1], behind[:2]):
            if len(pair) == 2 and sum(each.length() for each in pair) <= LINE:
                return pair
        return [line]

    def _remove_break(self, position: int) -> None:
        cursor = QTextCursor(self._document)
        cursor.setPosition(position)
        cursor.deleteChar()

    def _break(self, line: QTextBlock) -> None:
        text, first = line.text(), line.position()
        cursor = QTextCursor(self._document)
        for place in reversed(_line_places(text)):
            position = first + utf16_length(text[:place])
            cursor.setPosition(position)
            self._coming = np.array([position])
            cursor.insertBlock()


def utf16_length(text: str) -> int:
    """Length in UTF-16 units: two for a character beyond U+FFFF."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _break_places(text: str) -> list[int]:
    """The indices at which a text is broken: in its paragraphs of more than LONGEST characters."""
    places, start = list[int](), 0
    for paragraph in text.split("\n") if len(text) > LONGEST else ():
        if len(paragraph) > LONGEST:
            places += [start + place for place in _line_places(paragraph)]
        start += len(paragraph) + 1
    return places


def _line_places(paragraph: str) -> list[int]:
    """The indices at which a paragraph is broken: after white space where possible, else between clusters."""
    places, start, stops = list[int](), 0, _NONE
    while len(paragraph) - start > LINE + LINE // 4:
        first, last = start + LINE // 2, start + LINE
        place = _after_white(paragraph, first, last) or last_safe_place(paragraph, first, last + 1)
        if not place:  # flags alone, or a very long cluster
            stops = stops if len(stops) else cluster_stops(paragraph)
            place = int(stops[np.searchsorted(stops, last, "right") - 1])
        start = place if place > start else last
        places.append(start)
    return places


def _after_white(text: str, start: int, stop: int) -> int:
    """The index after the last white space of ``text[start:stop]``, 0 if it has none."""
    found = (text.rfind(sign, start, stop) for sign in " \t\u3000")
    return next((place + 1 for place in found if place >= 0), 0)
