"""A hidden panel computes nothing, and is up to date when it is shown."""

import numpy as np
import pytest
from panel_bench import VECTOR_PANELS, shown
from pixels import pixels_of, settle

from posenc_core import Document, Sinusoidal
from posenc_core.encodings.harmonic import HarmonicSampler
from posenc_gui.model.cursor import Cursor

ASKED = {
    Sinusoidal: ("values", "column_info", "column_blocks", "frequencies", "range_over"),
    HarmonicSampler: ("tile", "traces"),
}
"""The methods of an encoding and of its sampler that figures call."""


@pytest.fixture
def asked(monkeypatch) -> list[str]:
    """The names of the methods called on sinusoidal encodings and their samplers."""
    questions: list[str] = []

    def count(name, answer):
        def counted(*given):
            questions.append(name)
            return answer(*given)

        return counted

    for kind, names in ASKED.items():
        for name in names:
            monkeypatch.setattr(kind, name, count(name, getattr(kind, name)))
    return questions


@pytest.mark.parametrize("name", VECTOR_PANELS)
def test_a_hidden_panel_asks_nothing_and_catches_up_when_it_is_shown(qtbot, asked, name):
    panel = shown(qtbot, name, Document(), size=(520, 420))
    panel.hide()
    settle()
    asked.clear()
    documents = [Document(encoding=Sinusoidal(16, base), seq_len=40) for base in (100.0, 5000.0, 90000.0)]
    for document in documents:
        panel.show_document(document)
        panel.show_cursor(Cursor(2, 5, True))
        settle()
    assert asked == []
    panel.show()
    settle()
    assert asked
    fresh = shown(qtbot, name, documents[-1], size=(520, 420))
    fresh.show_cursor(Cursor(2, 5, True))
    for each in (panel, fresh):
        each.figure.viewport.reset()
    assert np.array_equal(pixels_of(panel.view), pixels_of(fresh.view))


@pytest.mark.parametrize("name", VECTOR_PANELS)
def test_the_figure_of_a_hidden_panel_has_the_newest_document_and_cursor(qtbot, name):
    panel = shown(qtbot, name, Document())
    panel.hide()
    panel.show_document(Document(seq_len=40))
    panel.show_cursor(Cursor(1, 1))
    assert panel.figure.document == Document(seq_len=40)
    assert panel.figure.cursor == Cursor(1, 1)


def test_edits_with_every_panel_hidden_compute_no_picture(window, asked):
    for panel in window.panels.values():
        panel.hide()
    settle()
    asked.clear()
    window.store.edit("base", 777.0)
    settle()
    assert {"tile", "traces"}.isdisjoint(asked)
