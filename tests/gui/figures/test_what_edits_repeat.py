"""Edits do not repeat work: no layout for a text of the same size, no second painting, no new polygons."""

import random

import numpy as np
import pytest
from pixels import settle
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QVBoxLayout, QWidget

from posenc_gui.docks.derivation import RestingDerivation
from posenc_gui.look.plain_text import PlainLabel, Shelf
from posenc_gui.look.style import LIGHT
from posenc_gui.plotting import Polygons, width_of

LABELS = ("col {0} · pair {1} · sin · λ {2:,.1f}", "col {0} · pair {1} · cos · λ {2:,.1f}", "col {0} · λ {2:.3g}")


class Requests(QObject):
    """Counts the layouts that are requested of the watched widget."""

    count = 0

    def eventFilter(self, watched, event):
        """Count the event."""
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


@pytest.fixture
def shelf(qtbot):
    """A shelf in a layout, and the requests that reach this layout."""
    around, requests = QWidget(), Requests()
    qtbot.addWidget(around)
    label = PlainLabel()
    label.setWordWrap(True)
    shelf = Shelf(label)
    label.setText("bias(-3, 7) ≈ 0.2254116818")
    column = QVBoxLayout(around)
    column.addWidget(shelf)
    column.addStretch()
    around.resize(300, 300)
    around.show()
    qtbot.waitExposed(around)
    settle()
    around.installEventFilter(requests)
    yield shelf, requests
    around.removeEventFilter(requests)


def test_a_text_of_the_same_size_requests_no_layout(shelf):
    """As for each number of a drag."""
    shelf, requests = shelf
    shelf.label.setText("PE(1, 2) = 0.7654321")
    settle()
    assert requests.count == 0
    assert shelf.label.text() == "PE(1, 2) = 0.7654321"


def test_a_text_that_fits_into_a_line_has_a_line(shelf):
    """Qt's hint of a text is two lines high, as it prefers a broad rectangle."""
    shelf, _ = shelf
    shelf.updateGeometry()
    settle()
    assert shelf.height() == shelf.label.heightForWidth(shelf.width()) < shelf.sizeHint().height()


def test_a_longer_text_has_its_room(shelf):
    """A text of more lines makes its shelf higher, and a shorter one lower again."""
    shelf, requests = shelf
    low = shelf.height()
    shelf.label.setText("a sentence of many words " * 8)
    settle()
    assert requests.count
    assert shelf.height() == shelf.label.height() == shelf.label.heightForWidth(shelf.width()) > low
    shelf.label.setText("short")
    settle()
    assert shelf.height() == low


def test_a_text_that_changes_before_a_resize_has_its_room(shelf):
    """The layout of a resize uses the heights that it knows, those of the text before."""
    shelf, _ = shelf
    around, low = shelf.parentWidget(), shelf.height()
    shelf.label.setText("a sentence of many words " * 8)
    settle()
    shelf.label.setText("short")
    around.resize(around.width() + 1, around.height())
    settle()
    assert shelf.height() == low


def test_a_long_word_widens_what_is_around(shelf):
    """Although the words before needed less than the present width."""
    shelf, _ = shelf
    shelf.label.setText("w" * 100)
    settle()
    assert shelf.width() >= shelf.label.minimumSizeHint().width() > 300


def test_a_shelf_can_be_narrowed_after_a_long_word(shelf):
    """The layouts must not keep the width of the long word."""
    shelf, _ = shelf
    around = shelf.parentWidget()
    shelf.label.setText("w" * 100)
    settle()
    shelf.label.setText("short")
    settle()
    around.resize(200, around.height())
    settle()
    assert around.width() == 200


@pytest.mark.parametrize("scale", [0.8, 1.0, 1.25, 1.37, 2.0, 3.0])
def test_no_digit_is_wider_than_zero(qapp, scale):
    """The widest label is searched among those that are widest with zeros."""
    style, numbers = LIGHT.scaled(scale), random.Random(1)
    zeros = str.maketrans("123456789", "0" * 9)
    for label in LABELS * 200:
        text = label.format(numbers.randrange(10_000), numbers.randrange(5_000), 10 ** numbers.uniform(0, 7))
        assert width_of(text, style, 11, True) <= width_of(text.translate(zeros), style, 11, True)


def test_polygons_are_refilled_at_other_lengths():
    """Each has its own points, whatever it had before."""
    polygons, numbers = Polygons(), random.Random(2)
    for _ in range(300):
        polygons.begin()
        made = []
        for _ in range(numbers.randrange(4)):
            shape = 2, numbers.randrange(1, 6), numbers.choice([1, 2, 63, 64, 65, 300])
            x, y = np.random.default_rng(3).random(shape)
            made += zip(polygons.filled(x, y), x, y, strict=True)
        for polygon, x, y in made:
            assert [(point.x(), point.y()) for point in polygon.toList()] == list(zip(x, y, strict=True))


def test_an_edit_repaints_each_figure_once_and_whole(window):
    """A region of many rectangles clips each stroke."""
    settle()
    painted = []
    for panel in window.panels.values():
        panel.painted.connect(painted.append)
    for base in (123.4, 5678.9):
        painted.clear()
        window.store.edit("base", base, "a drag of the slider")
        settle()
        assert sorted(panel.spec.title for panel in painted) == ["Heatmap", "Tokens", "Waves"]
        for panel in painted:
            assert panel.view.exposed == QRegion(panel.view.viewport().rect())


@pytest.mark.parametrize(
    ("workspace", "field"), [("vectors", "base"), ("relations", "rope_theta"), ("long_context", "rope_theta")]
)
def test_edits_lay_out_neither_the_window_nor_figures(window, workspace, field):
    """Also if a derivation has a line more, which only scrolls further, or a panel another note."""
    window.workspaces.choose(workspace)
    window.store.edit("family", "sinusoidal" if field == "base" else "rotary")
    settle()
    figures = [window.panels[name].figure for name in window.workspaces.seen]
    watched = [(Requests(), each) for each in (window, *figures)]
    for requests, each in watched:
        each.installEventFilter(requests)
    derivation = window.findChild(RestingDerivation)
    heights = set()
    for base in range(9000, 9350, 7):
        window.store.edit(field, float(base), "a drag of the slider")
        heights.add(derivation.heightForWidth(derivation.width()))
        settle()
    for requests, each in watched:
        each.removeEventFilter(requests)
    assert len(heights) > 1 or field != "base"
    # A legend moves once where its lines come near.
    assert {type(each).__name__: requests.count for requests, each in watched if requests.count > 1} == {}
