"""Documents at their ends in every panel: one position, lines that fill a plot, and a problem before any picture."""

import time

import numpy as np
import pytest
from documents import with_values
from panel_bench import shown
from pixels import coverage, inside, item_rect, pixels_of, settle, texts

from posenc_core import Alibi, BinaryCode, Document, IntegerIndex, Rotary, ShawRelative, Sinusoidal, T5Bias, View, Yarn
from posenc_core.rope_scaling import DynamicNtk
from posenc_core.session import NamedEncoding
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import PANELS

ONE_POSITION = (Sinusoidal(4), Rotary(8, scaling=DynamicNtk(4.0, 64, 128)), Alibi(3), BinaryCode(2))
LOUD = Rotary(8, scaling=Yarn(2.0, 64, attention_factor=1e154))
SIMULATED = "simulated (seed 0)"


def compared(*encodings, current: int = 0, **fields) -> Document:
    return Document(**fields).with_encodings([NamedEncoding(each) for each in encodings], current)


def note(panel) -> str:
    return panel.figure.pointing.note(1.0)


@pytest.mark.parametrize("name", PANELS)
@pytest.mark.parametrize("encoding", ONE_POSITION, ids=lambda each: each.family)
def test_a_table_of_one_position_is_shown(qtbot, name, encoding):
    panel = shown(qtbot, name, compared(encoding, Sinusoidal(6), sentence="one", seq_len=1))
    panel.show_cursor(Cursor(0, 0, pinned=True))
    assert np.ptp(pixels_of(panel)) > 100


def seconds_of_paint(panel, document) -> float:
    """The thread's own time on the processor for a repaint of a document that is shown already."""
    panel.show_document(document)
    settle()
    start = time.thread_time()
    panel.view.grab()
    return time.thread_time() - start


def test_a_line_that_fills_the_plot_is_painted_about_as_fast_as_a_calm_one(qtbot):
    calm = with_values(Document(encoding=Rotary(64)), score_mode="independent")
    crowded = Document(encoding=Rotary(64, 1.0001))
    panel = shown(qtbot, "scores", calm)
    usual = max(seconds_of_paint(panel, calm) for _ in range(3))
    fastest = min(seconds_of_paint(panel, crowded) for _ in range(3))
    assert fastest < 50 * usual  # Qt's joins of one antialiased line would take hundreds of times as long


def test_the_chosen_line_is_drawn_above_the_others(qtbot):
    crowded, chosen = Rotary(64, 1.0001), Rotary(64, scaling=None)
    panel = shown(qtbot, "scores", compared(crowded, chosen, current=1))
    settle()
    rect = item_rect(panel.view, panel.figure.area)
    picture = inside(pixels_of(panel.view), rect.adjusted(rect.width() / 3, 0, -rect.width() / 3, 0))
    assert (coverage(picture, LIGHT.encodings[1], LIGHT.encodings[0]) > 0.9).any(axis=0).mean() > 0.3


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=lambda each: each.name)
@pytest.mark.parametrize(
    ("name", "document", "sentence"),
    [
        (
            "shift",
            Document(encoding=Sinusoidal(8192)).edited("shift_without_cosines", True),
            "a matrix of 4,096 columns is too large",
        ),
        ("scores", with_values(Document("", encoding=Rotary(8)), score_mode="tokens"), "the sentence has no token"),
        ("unseen", Document(view=View(trained_length=64, target_length=32)), "target_length must be at least"),
        ("ways", Document(encoding=LOUD, view=View(query_vector=(1e100,), key_vector=(1e100,))), "beyond float64"),
    ],
    ids=["shift", "scores", "unseen", "ways"],
)
def test_a_problem_before_any_picture_is_written_in_its_place(qtbot, name, document, sentence, style):
    panel = shown(qtbot, name, document, style=style)
    assert sentence in panel.figure.problem
    assert not panel.figure.has_picture
    assert np.ptp(pixels_of(panel.view)) > 60
    assert "0.5403" not in texts(panel.view), "no numbers of another document"
    panel.show_document(Document(encoding=Rotary(8)))
    panel.show_document(document)
    settle()
    assert panel.figure.problem
    assert panel.figure.has_picture, "the last good picture stays"


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        (T5Bias(n_heads=3), ["waves", "heatmap", "tokens", "scores", "pairs"]),
        (ShawRelative(8, 3), ["waves", "heatmap", "tokens", "similarity", "shift", "scores", "pairs"]),
    ],
    ids=["t5", "shaw"],
)
def test_a_picture_of_simulated_numbers_says_so(qtbot, encoding, names):
    for name in names:
        assert SIMULATED in note(shown(qtbot, name, Document(encoding=encoding))), name


@pytest.mark.parametrize("name", ["similarity", "shift", "scores"])
def test_a_line_of_simulated_numbers_beside_the_chosen_one_says_so_with_its_letter(qtbot, name):
    panel = shown(qtbot, name, compared(Rotary(8), ShawRelative(8, 3)))
    assert f"B {SIMULATED}" in note(panel)
    panel.show_document(compared(Rotary(8), Rotary(8, 500.0)))
    assert "simulated" not in note(panel)


def test_the_lines_of_similarity_that_are_means_say_over_how_many_positions(qtbot):
    panel = shown(qtbot, "similarity", Document(seq_len=12, encoding=BinaryCode(3)))
    assert "line: mean over the first 8 positions" in note(panel)
    panel.show_document(compared(Sinusoidal(8), IntegerIndex(4)))
    assert "B line: mean over the first 512 positions" in note(panel)
    assert "A line" not in note(panel)


def test_shift_says_which_other_encodings_are_fitted_or_left_out(qtbot):
    panel = shown(qtbot, "shift", compared(Sinusoidal(8), IntegerIndex(4), BinaryCode(3), Sinusoidal(4096)))
    assert "B best map by least squares" in note(panel)
    assert "C is left out: its rows are at other positions" in note(panel)
    assert "D is left out: a matrix of 4,096 columns is too large" in note(panel)
    assert len(panel.figure.view().plots[0].lines) == 2


def test_shift_maps_no_biases(qtbot):
    panel = shown(qtbot, "shift", compared(Sinusoidal(8), Alibi(8)))
    assert "B is left out: it has no vectors" in note(panel)
    assert len(panel.figure.view().plots[0].lines) == 1


@pytest.mark.parametrize("name", ["spectrum", "unseen"])
def test_an_encoding_without_pairs_beside_the_chosen_one_is_named(qtbot, name):
    panel = shown(qtbot, name, compared(Rotary(8), Alibi(4), Sinusoidal(1), Sinusoidal(6)))
    assert "B has no pairs that turn · C has no pairs that turn" in note(panel)
    assert "D has" not in note(panel)
