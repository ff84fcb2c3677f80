"""Panels of long contexts, of a layer whose attention ends at a window: no distance beyond it counts in any of them."""

import math

import pytest
from panel_bench import shown

from posenc_core import Document, Rotary, open_model
from posenc_core.gallery import Scorecard
from posenc_core.gallery.measures import share_unseen
from posenc_core.session import NamedEncoding
from posenc_gui.panels.drift.plots import plots as drift_plots

WINDOW, TRAINED, TARGET = 1024, 4096, 32768
CONFIG = {
    "model_type": "mistral", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 2,
    "rope_theta": 10000.0, "max_position_embeddings": TARGET, "sliding_window": WINDOW,
    "rope_scaling": {"rope_type": "yarn", "factor": 2.0, "original_max_position_embeddings": TRAINED},
}  # fmt: skip
SLOW = sum(10000 ** (-pair / 64) * TRAINED < 2 * math.pi for pair in range(64))
"""Pairs that do not complete a circle in the trained length."""


def opened(window: int | None) -> Document:
    document = Document().with_model(open_model({**CONFIG, "sliding_window": window}))
    assert (document.lengths.trained, document.lengths.target) == (TRAINED, TARGET)
    return document


@pytest.mark.parametrize(("window", "unseen"), [(WINDOW, 0), (None, SLOW)])
def test_maps_and_scorecard_count_the_same_unseen_pairs(qtbot, window, unseen):
    document = opened(window)
    maps = shown(qtbot, "unseen", document, (1300, 800)).figure.view().maps.maps
    counts = {each.title: each.angles.count for each in maps}
    assert counts["as trained"] == unseen
    assert window is None or not any(counts.values())
    present = counts["YaRN, present"]
    assert share_unseen(document.encoding, Scorecard.of(document).setting) == present / 64
    assert (present > 0) == (window is None)  # scaled for twice the length, in a text of eight times


def test_drift_ends_at_the_window(qtbot):
    bounded = opened(WINDOW)
    other = Rotary(128, 10000.0 * (1 + 1e-5))  # off by 45 degrees behind the window
    for document, last in ((bounded, WINDOW - 1), (opened(None), TARGET - 1)):
        compared = document.with_encodings([NamedEncoding(Rotary(128)), NamedEncoding(other)], 0)
        (plot,) = drift_plots(compared)
        assert plot.x[-1] == last
        note = shown(qtbot, "drift", compared, (760, 560)).figure.pointing.note()
        assert ("no pair is off by 45° within the reach of attention" in note) == (last < TARGET - 1)


@pytest.mark.parametrize("panel", ["spectrum", "unseen"])
def test_a_note_says_how_far_attention_sees(qtbot, panel):
    told = "attention sees distances up to 1,023"
    assert told in shown(qtbot, panel, opened(WINDOW), (1300, 800)).figure.pointing.note()
    assert "attention sees" not in shown(qtbot, panel, opened(None), (1300, 800)).figure.pointing.note()
