"""No panel does much in a turn of the event loop, at any zoom, with any four encodings."""

import random

import numpy as np
import pytest
from amounts import some
from corners import encoding_at_the_ends
from pixels import item_rect
from PySide6.QtCore import QPointF
from PySide6.QtTest import QTest
from turns import Turns

from posenc_core import ENCODINGS, Document, LearnedTable, Rotary, Sinusoidal
from posenc_core.session import NamedEncoding
from posenc_gui.panels import WORKSPACES
from posenc_gui.plotting.plot_area import Window

LIMIT = 1_000_000
"""Calls, some 0.3 s on a slow machine; a loop over the cells of a matrix of 512 by 512 took 4,000,000."""

FEWER = 4
"""The part of either axis that is in view after a zoom is that many times smaller than before."""

MOST_ZOOMS = 8
DRAWN = 8


def wide():
    """Encodings as wide as maps of rows are computed, and the widest learned table with them."""
    table = np.random.default_rng(0).normal(size=(1024, 1024)).astype(np.float32)
    return [Sinusoidal(2048), LearnedTable(table), Rotary(2048), Sinusoidal(1024)]


def widest():
    """Encodings with all columns that their bounds allow, the widest learned table among them."""
    table = np.random.default_rng(0).normal(size=(1024, 8192)).astype(np.float32)
    return [Sinusoidal(8192), LearnedTable(table), Rotary(8192), LearnedTable(table[:, :1024])]


def drawn(seed):
    """Four families, each with its parameters at the ends of their bounds."""
    chance = random.Random(seed)
    return [encoding_at_the_ends(kind, chance) for kind in chance.sample(list(ENCODINGS.values()), 4)]


MIXTURES = {
    "512 columns": lambda: [Sinusoidal(512)],
    "wide": wide,
    "widest": widest,
    **{f"drawn {seed}": lambda seed=seed: drawn(seed) for seed in range(DRAWN)},
}


def quarter(window):
    """A part of the window, not in its middle."""
    low, high = window
    first = low + (high - low) * 0.37
    return first, first + (high - low) / FEWER


def zoom_through(turns, name, panel):
    """Zoom in to the limit, move the mouse at each zoom, and show everything again."""
    viewport, view = panel.figure.viewport, panel.view
    area = getattr(panel.figure.pointing, "area", None)
    for zoom in range(MOST_ZOOMS):
        window = viewport.window()
        if window is None:
            break
        closer = Window(quarter(window.x), quarter(window.y), window.spread)
        turns.take(f"{name}: zoom in {zoom + 1} times", lambda closer=closer: viewport.show_window(closer))
        if area is not None and area.isVisible():
            middle = item_rect(view, area).center()
            for place in (middle, middle + QPointF(3, 3)):
                turns.take(f"{name}: point", lambda place=place: QTest.mouseMove(view.viewport(), place.toPoint()))
        if viewport.window() == window:
            break
    turns.take(f"{name}: show everything", viewport.reset)


@pytest.mark.one_of(2)
@pytest.mark.parametrize("shown", range(4))
@pytest.mark.parametrize("mixture", some(MIXTURES, "512 columns", "widest"))
def test_no_choice_of_a_workspace_holds_the_window(window, count, mixture, shown):
    """Each workspace, twice: panels are made when they are first seen, and the cursor moves in those that are there."""
    turns, made = Turns(), MIXTURES[mixture]()
    encodings = [NamedEncoding(each) for each in made]
    document = Document(seq_len=1024).with_encodings(encodings, shown % len(encodings))
    turns.take("open", lambda: window.store.begin(document, "a session"))
    for workspace in (*WORKSPACES, *WORKSPACES):
        turns.take(f"choose {workspace}", lambda workspace=workspace: window.workspaces.choose(workspace))
    held = {act: round(work) for act, work in turns.most.items() if work > LIMIT}
    assert not held, f"{held} calls"
    count("turns of the event loop at all workspaces", turns.count)


@pytest.mark.thorough
@pytest.mark.parametrize("mixture", some(MIXTURES, "512 columns", "wide"))
def test_no_zoom_of_a_panel_holds_the_window(window, count, mixture):
    turns, encodings = Turns(), [NamedEncoding(each) for each in MIXTURES[mixture]()]
    window.store.begin(Document(seq_len=1024).with_encodings(encodings, 0), "a session")
    for workspace in WORKSPACES:
        window.workspaces.choose(workspace)
        for name, panel in window.panels.items():
            if panel.isVisible():
                zoom_through(turns, name, panel)
    held = {act: round(work) for act, work in turns.most.items() if work > LIMIT}
    assert not held, f"{held} calls"
    count("turns of the event loop at all zooms", turns.count)
