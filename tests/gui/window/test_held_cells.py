"""A held cell is brought into sight in every panel; hovering and double clicks hold nothing and scroll nothing."""

from dataclasses import replace

import pytest
from panel_bench import shown
from pixels import double_click, hover, painted_words, settle
from PySide6.QtCore import QPointF
from window_bench import words

from posenc_core import Alibi, Document, Embedding, Rotary, Sinusoidal, View
from posenc_gui.docks.headline import Headline
from posenc_gui.model.cursor import Cursor
from posenc_gui.plotting.plot_area import Window

MANY = " ".join(f"w{index}" for index in range(60))


def windows(window):
    settle()
    return {name: panel.figure.viewport.window() for name, panel in window.panels.items() if panel.isVisible()}


@pytest.fixture
def zoomed(window):
    """The window with 60 tokens, three rows each, and the heatmap zoomed to its first cells."""
    document = Document(MANY, seq_len=200, encoding=Sinusoidal(64), embedding=Embedding("simulated"))
    window.store.replace(document, "another")
    window.panels["heatmap"].figure.viewport.show_window(Window((-0.5, 7.5), (-0.5, 9.5)))
    settle()
    return window


def test_holding_a_cell_scrolls_heatmap_and_tokens_the_least_that_shows_it(zoomed):
    before = windows(zoomed)
    zoomed.cursor_control.point(Cursor(50, 40))
    assert windows(zoomed) == before, "hovering scrolls nothing"
    zoomed.cursor_control.hold(Cursor(50, 40))
    after = windows(zoomed)
    assert after["heatmap"].x == pytest.approx((32.5, 40.5))
    assert after["heatmap"].y == pytest.approx((40.5, 50.5))
    tokens = zoomed.panels["tokens"]
    (word,) = [word for word in painted_words(tokens.view) if word.text == "w50"]
    assert 0 < word.y < tokens.view.height()
    zoomed.cursor_control.hold(Cursor(49, 39))
    assert windows(zoomed)["heatmap"] == after["heatmap"], "a cell in sight scrolls nothing"


def test_holding_a_cell_scrolls_the_pairs(qtbot):
    panel = shown(qtbot, "pairs", Document(MANY, seq_len=60).with_encoding(Alibi(4)))
    area = panel.figure.area
    area.show_window((-0.5, 4.5), (-0.5, 4.5))
    panel.show_cursor(Cursor(-10, 1, query=40))
    assert (area.across, area.upright) == (pytest.approx((-0.5, 4.5)), pytest.approx((-0.5, 4.5)))
    panel.show_cursor(Cursor(-10, 1, pinned=True, query=40))
    assert area.across == pytest.approx((25.5, 30.5))
    assert area.upright == pytest.approx((35.5, 40.5))


@pytest.mark.one_of(3)
@pytest.mark.parametrize("name", ["waves", "heatmap", "tokens"])
def test_a_double_click_does_not_hold_the_cell_under_it(zoomed, name):
    panel = zoomed.panels[name]
    place = QPointF(panel.view.width() * 0.6, panel.view.height() * 0.5)
    hover(panel.view, place)
    double_click(panel.view, place)
    assert not zoomed.cursor_control.cursor.pinned
    if name == "heatmap":
        assert panel.figure.viewport.window().x == pytest.approx((-0.5, 63.5))
    zoomed.cursor_control.hold(Cursor(3, 5))
    double_click(panel.view, place)
    assert zoomed.cursor_control.cursor == Cursor(3, 5, pinned=True), "what was held stays held"


@pytest.mark.parametrize("pairing", ["half_split", "interleaved"])
def test_with_angles_the_status_line_and_the_headline_give_the_angle(window, pairing):
    document = Document(encoding=Rotary(8, pairing=pairing), view=View(angles=True))
    window.store.replace(document, "another")
    column = 1 if pairing == "half_split" else 2
    window.cursor_control.point(Cursor(2, column))
    settle()
    angle = "angle of pair 1: 0.2 rad"
    (line,) = [text for text in words(window) if text.startswith("position 2 “icecream”")]
    assert angle in line
    assert f"column {column}" in line
    assert angle in window.number_dock.findChild(Headline).accessibleName()
    window.store.replace(replace(document, view=View()), "another")
    settle()
    assert not [text for text in words(window) if "rad" in text and text.startswith("position 2")]
