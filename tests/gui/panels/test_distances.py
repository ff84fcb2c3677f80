"""Distances of relative families: query - key, with the past to the right, and keys that move as the screen does."""

import numpy as np
import pytest
from documents import with_values
from families import RELATIVE, document_of
from panel_bench import shown
from pixels import CTRL, area_of, hover, painted_words, pixels_of, wheel
from PySide6.QtCore import QPointF, Qt

from posenc_core import Alibi, Document, Sinusoidal, T5Bias, explain
from posenc_gui.model.cursor import Cursor

SENTENCE = "one two three four five six"


def made(qtbot, kind, encoding, **values):
    document = with_values(Document(SENTENCE, seq_len=12, encoding=encoding), transpose=kind == "transposed", **values)
    return shown(qtbot, "heatmap" if kind == "transposed" else kind, document, (760, 520))


def numbers_along(panel, kind):
    """The numbers of the axis of distances, from the left or from the top."""
    area, words = area_of(panel), painted_words(panel.view)
    beside = [word for word in words if word.text.replace("−", "").isdigit()]
    if kind == "heatmap":
        found = sorted((word.y, word.text) for word in beside if word.x < area.left())
    else:
        below = [word for word in beside if word.y > area.bottom() and word.x < area.right()]
        found = sorted((word.x, word.text) for word in below)
    return [int(text.replace("−", "-")) for _, text in found]


@pytest.mark.parametrize("kind", ["waves", "heatmap", "transposed"])
@pytest.mark.parametrize("encoding", [Alibi(4), T5Bias(8, 16, True, 4)])
def test_distances_grow_to_the_right_and_down(qtbot, kind, encoding):
    numbers = numbers_along(made(qtbot, kind, encoding), kind)
    assert len(numbers) > 2
    assert numbers == sorted(numbers)
    assert numbers[-1] > 9
    assert (numbers[0] < 0) == (not encoding.causal)


@pytest.mark.parametrize(("kind", "backwards"), [("waves", "Left"), ("heatmap", "Up"), ("transposed", "Left")])
@pytest.mark.parametrize(("encoding", "first"), [(T5Bias(8, 16, True, 4), 2), (Sinusoidal(4), -2)])
def test_an_arrow_key_moves_the_mark_as_it_points(qtbot, kind, backwards, encoding, first):
    panel = made(qtbot, kind, encoding)
    panel.show_cursor(Cursor(4, 1, pinned=True))
    moved = panel.figure.pointing.moved(getattr(Qt.Key, f"Key_{backwards}"), 2)
    assert moved.position == 4 + first


@pytest.mark.parametrize("logarithmic", [False, True])
def test_zooming_keeps_the_distance_under_the_mouse(qtbot, logarithmic):
    document = with_values(Document(SENTENCE, seq_len=4000, encoding=T5Bias()), logarithmic=logarithmic)
    panel = shown(qtbot, "waves", document, (760, 520))
    moved, area = [], area_of(panel)
    panel.cursorMoved.connect(moved.append)
    place = QPointF(area.left() + 0.8 * area.width(), area.center().y())
    hover(panel.view, place)
    wheel(panel.view, place, 1, CTRL)
    hover(panel.view, place + QPointF(0, 1))
    assert moved[0].position < 0, "the past is at the right"
    assert abs(moved[-1].position - moved[0].position) <= 1 + abs(moved[0].position) / 200


@pytest.mark.parametrize("name", RELATIVE)
def test_the_words_of_a_cell_and_its_derivation_name_the_same_distance(qtbot, name):
    document = document_of(name)
    panel = shown(qtbot, "waves", document)
    panel.show_cursor(Cursor(-2, 1))
    pixels_of(panel.view)
    seen = panel.figure.document.encoding
    assert "(-2, " not in explain(seen, -2, 1).symbol
    assert np.isfinite(panel.figure.pointing.number())
