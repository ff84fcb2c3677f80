"""Wrapped notes: no line begins with a number that belongs to the word before, or consists of "…" alone."""

import re
from itertools import pairwise

import pytest
from panel_bench import shown
from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel

from posenc_core import Document, Rotary, Sinusoidal
from posenc_gui.export.names import caption
from posenc_gui.export.sheet import Caption
from posenc_gui.look.plain_text import tied
from posenc_gui.look.style import LIGHT
from posenc_gui.model.cursor import Cursor


def lines(label):
    """The lines of a label as Qt wraps them."""
    layout, text = QTextLayout(QLabel.text(label), label.font()), QLabel.text(label)
    layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
    layout.beginLayout()
    found = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(label.contentsRect().width())
        found.append(text[line.textStart() : line.textStart() + line.textLength()])
    layout.endLayout()
    return found


@pytest.mark.one_of(5)
@pytest.mark.parametrize("encoding", [Sinusoidal(8), Rotary(64)], ids=["sinusoidal", "rotary"])
@pytest.mark.parametrize("name", ["lens", "similarity", "shift", "heatmap", "spectrum"])
def test_no_line_of_a_note_begins_with_the_number_of_a_word(qtbot, name, encoding):
    panel = shown(qtbot, name, Document(encoding=encoding), (700, 700))
    panel.show_cursor(Cursor(1, 2, pinned=True))
    for width in range(700, 260, -7):
        panel.resize(width, 700)
        settle()
        for label in panel.findChildren(QLabel):
            if not (label.isVisible() and label.wordWrap()):
                continue
            wrapped = lines(label)
            for above, below in pairwise(wrapped):
                assert not (re.match(r"[−-]?\d", below) and re.search(r"[^\W\d_]\s*$", above)), wrapped
                assert below.strip() != "…", wrapped


def test_words_and_their_numbers_are_tied():
    assert tied("at position 1") == "at position\u00a01"
    assert tied("pair 1, columns 2 and −3: 0.0159 turns") == "pair\u00a01, columns\u00a02 and\u00a0−3: 0.0159 turns"
    assert tied("largest error …") == "largest error\u00a0…"
    assert tied("base = 10,000, layout = paper") == "base\u00a0=\u00a010,000, layout\u00a0=\u00a0paper"
    assert tied("formula = sin(alpha*p / b^(2*i/d))") == "formula\u00a0=\u00a0sin(alpha*p / b^(2*i/d))"
    assert tied("numbers = 0.1234567890123456789") == "numbers = 0.1234567890123456789"
    assert tied("no number") == "no number"


def test_no_line_of_a_caption_begins_with_the_number_of_a_word(qapp):
    text = caption(Document(encoding=Rotary(8)), "q simulated (seed 0)")
    assert "(seed 0)" in text
    assert " · length 60" in text
    for room in range(150, 900, 7):
        written = Caption.of(text, LIGHT, room, 14.0).lines
        assert " ".join(written) == text
        assert not re.search(r"[a-z]\n\d|\n=|=\n", "\n".join(written)), written
