"""The window does little in each turn of its event loop, whatever a family's parameters are within their bounds."""

import json
import random
from functools import partial

import pytest
from amounts import some
from corners import document_at_the_ends, encoding_at_the_ends
from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from turns import Turns

from posenc_core import ENCODINGS, Document, Rotary, ShawRelative
from posenc_core.fields import SEQ_LEN, IntegerField, RealField
from posenc_core.rope_scaling import SCALINGS
from posenc_gui.model.cursor import Cursor
from posenc_gui.plotting.plot_area import Window

LIMIT = 1_000_000
"""Calls, some 0.3 s on a slow machine; a repaint of all panels takes 10,000. 0.1 took from 20 to 80,000 repaints."""

DRAWN = 2

KINDS = {
    **{name: (kind, {}) for name, kind in ENCODINGS.items()},
    **{f"rotary {name}": (Rotary, {"scaling": name}) for name in SCALINGS},
}
ZOOMS = (3, 1000)


@pytest.fixture
def wide(window):
    """The window with all four panels."""
    for panel in window.panels.values():
        (shows,) = [action for action in window.findChildren(QAction) if action.text() == panel.spec.title]
        if not shows.isChecked():
            shows.trigger()
    settle()
    return window


def largest(kind):
    """The largest of a family's parameters, as far as they are allowed together."""
    widths = {field.name: field.maximum for field in kind.FIELDS if field.name in ("d_model", "d", "head_dim")}
    made = kind.from_parameters(widths)
    for field in made.fields:
        if isinstance(field, IntegerField) and field is not SEQ_LEN:
            try:
                made = made.edited(field.name, field.maximum)
            except ValueError:
                continue
    return made


def drawn(name):
    """Some documents of this family; the first is as large as it can be."""
    kind, fixed = KINDS[name]
    chance = random.Random(name)
    longest = SEQ_LEN.maximum
    first = [] if fixed else [Document(seq_len=longest, encoding=largest(kind))]
    others = [
        document_at_the_ends(encoding_at_the_ends(kind, chance, **fixed), length, chance)
        for length in (longest, SEQ_LEN.default, longest)[: 1 if fixed else DRAWN]
    ]
    return first + others


def work_with(turns, window, document):
    """Open the document, move the cursor, edit, show everything, zoom in."""
    heatmap, waves = (window.panels[name].figure for name in ("heatmap", "waves"))
    turns.take("open", lambda: window.store.begin(document, "a session"))
    window.panels["heatmap"].setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right):
        turns.take("move the cursor", lambda key=key: QTest.keyClick(window.panels["heatmap"], key))
    far = Cursor(heatmap.pointing.positions[-1], document.encoding.n_columns - 1, pinned=True)
    turns.take("move the cursor to the end", lambda: window.cursor_control.hold(far))
    turns.take("show everything", lambda: [figure.viewport.reset() for figure in (heatmap, waves)])
    n_rows = min(200, document.encoding.n_columns)
    turns.take("show 200 waves", lambda: waves.viewport.show_window(Window(waves.area.across, (-0.5, n_rows - 0.5))))
    for zoom in ZOOMS:
        turns.take(f"zoom in {zoom} times", lambda zoom=zoom: zoom_in(heatmap, waves, zoom))
    turns.take("show everything again", lambda: [figure.viewport.reset() for figure in (heatmap, waves)])
    for field in (*document.encoding.fields, SEQ_LEN):
        value = document.value(field.name)
        changed = next((each for each in near(field, value) if allows(document, field.name, each)), None)
        if changed is not None:
            edit = partial(window.store.edit, field.name, changed)
            turns.take(f"edit {field.name}", edit)
            document = window.store.document


def near(field, value):
    """Values next to this one, as an editor's arrows or slider give them."""
    if isinstance(field, IntegerField):
        return [value - field.step, value + field.step]
    if isinstance(field, RealField):
        return [value * 1.01, value / 1.01]
    return []


def allows(document, name, value):
    try:
        document.edited(name, value)
    except ValueError:
        return False
    return True


def zoom_in(heatmap, waves, times):
    """A part of the positions and of the columns in the heatmap, and the same positions in the waves."""
    positions, n_columns = heatmap.pointing.positions, heatmap.document.encoding.n_columns
    first = positions.start + len(positions) // 3
    across = (first - 0.5, first + max(1, len(positions) // times) - 0.5)
    columns = (-0.5, max(1, n_columns // times) - 0.5)
    heatmap.viewport.show_window(
        Window(*(across, columns) if heatmap.document.value("transpose") else (columns, across))
    )
    waves.viewport.show_window(Window(across, waves.area.upright))


def test_choosing_rows_of_a_wide_table_does_not_hold_a_small_window(window, count):
    """Its labels are short, and the note says whether columns are bands, which is known from the curves in view."""
    window.resize(880, 560)
    window.store.begin(Document(encoding=Rotary(65_536)), "a session")
    settle()
    turns, waves = Turns(), window.panels["waves"].figure
    turns.take("show 200 waves", lambda: waves.viewport.show_window(Window(waves.area.across, (-0.5, 199.5))))
    turns.take("spread them again", waves.viewport.reset)
    assert max(turns.most.values()) < LIMIT, turns.most
    count("turns of the event loop in a small window", turns.count)


USUAL = ("sinusoidal", "learned", "rotary", "rotary longrope", "t5")


@pytest.mark.one_of(6)
@pytest.mark.parametrize("name", some(KINDS, *USUAL))
def test_no_parameters_hold_the_window(wide, amount, count, name):
    for document in drawn(name)[: amount(1, 1 + DRAWN)]:
        turns = Turns()
        work_with(turns, wide, document)
        held = {act: round(work) for act, work in turns.most.items() if work > LIMIT}
        assert not held, f"{held} calls: {document.encoding}"[:2000]
        count("turns of the event loop at the ends of a family's parameters", turns.count)
        count("documents at the ends of a family's parameters", 1)


def test_a_session_of_130_bytes_opens_at_once(wide):
    session = {"format": "posenc session", "version": 2, "seq_len": 10_000_000,
               "encoding": {"family": "shaw", "d": 65536, "clip": 100_000}}  # fmt: skip
    document = Document.from_json(json.dumps(session))
    assert document.encoding == ShawRelative(65536, 100_000) == largest(ShawRelative).edited("table_seed", 0)
    turns = Turns()
    turns.take("open", lambda: wide.store.begin(document, "a session"))
    assert turns.most["open"] < LIMIT
    assert "mean" in wide.panels["heatmap"].figure.pointing.note(1.0)
    wide.workspaces.choose("relations")
    assert "simulated (seed 0)" in wide.panels["pairs"].figure.pointing.note(1.0)
