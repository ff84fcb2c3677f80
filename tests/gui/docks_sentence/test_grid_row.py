"""The strip of the grid's cells: it marks the cursor's cell, is pointed at, and its slider chooses frames."""

import pytest
from pixels import settle
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSlider, QWidget

from posenc_core import Document
from posenc_core.encodings import RopeAxes
from posenc_gui.docks.sentence.sentence_bar import SentenceBar
from posenc_gui.look.style import load_fonts
from posenc_gui.model.cursor import Cursor


def document(grid):
    return Document(grid=grid).with_encoding(RopeAxes(16, axes="t,h,w", grid=grid))


@pytest.fixture
def bar(qtbot):
    load_fonts()
    made = SentenceBar()
    qtbot.addWidget(made)
    made.resize(900, 160)
    made.show()
    return made


def strip_of(bar):
    (strip,) = [each for each in bar.findChildren(QWidget) if each.accessibleName() == "cells of the grid"]
    return strip


def test_a_text_has_no_strip(bar):
    bar.show_document(Document())
    assert bar._cells is None
    bar.show_document(document("3x2x4"))
    assert strip_of(bar).isVisible()
    bar.show_document(document("text"))
    assert not strip_of(bar).isVisible()


@pytest.mark.parametrize("grid", ["2x3", "4+2x3", "3x2x4", "1000x1000", "1x1"])
def test_the_cell_under_the_mouse_is_pointed_at_and_marked(bar, grid):
    made = document(grid)
    bar.show_document(made)
    settle()
    seen, strip, count = [], strip_of(bar), made.encoding.cells.grid.n_cells
    bar.cursorMoved.connect(seen.append)
    for position in {0, count // 2, count - 1}:
        at = QPoint(min(strip.width() - 1, int((position + 0.5) * strip.width() / count)), 5)
        QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=at)
        assert abs(seen[-1].position - position) <= count / strip.width()
        assert seen[-1].pinned
        bar.show_cursor(seen[-1])
        image = strip.grab().toImage()
        accent = strip.palette().highlight().color()
        found = image.pixelColor(at.x(), 9)
        assert abs(found.red() - accent.red()) + abs(found.blue() - accent.blue()) < 60


def test_the_slider_goes_to_the_same_patch_of_another_frame(bar):
    bar.show_document(document("3x2x4"))
    bar.show_cursor(Cursor(5, 3))
    (slider,) = bar.findChildren(QSlider)
    assert (slider.minimum(), slider.maximum(), slider.value()) == (0, 2, 0)
    seen = []
    bar.cursorMoved.connect(seen.append)
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert seen == [Cursor(13, 3, True)]
    bar.show_cursor(seen[0])
    assert slider.value() == 1
    bar.show_document(document("5x6"))
    assert not slider.isVisible()
