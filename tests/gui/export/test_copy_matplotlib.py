"""Edit > Copy as Matplotlib: what is pasted draws the panel that was used last, in a process that knows no PosEnc."""

import numpy as np
import pytest
from dialogs import dismiss, words_of
from documents import with_values
from panel_bench import VECTOR_PANELS
from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication

from posenc_core import ENCODINGS, Alibi, Document, Embedding, IntegerIndex, LearnedTable, Rotary, Sinusoidal, View
from posenc_core.session import NamedEncoding
from posenc_gui.model import seen_by

pytestmark = pytest.mark.one_window


def copied(window, panel: str, shows_all: bool = True) -> str:
    """Script that the menu copies for the focused panel, zoomed out if ``shows_all``."""
    window.workspaces.show_panel(panel, True)
    if shows_all:
        window.panels[panel].figure.viewport.reset()
    window.panels[panel].setFocus(Qt.FocusReason.MouseFocusReason)
    settle()
    window.menus.actions["copy_matplotlib"].trigger()
    return QGuiApplication.clipboard().text()


FOUR_KINDS = ("sinusoidal", "rotary", "t5", "learned")
"""Families that are added, that rotate, that bias, and whose numbers are written out."""


def test_every_panels_script_draws_its_numbers(window, run_plots, amount, count):
    scripts, checks = [], []
    for family in [*FOUR_KINDS, *(set(ENCODINGS) - set(FOUR_KINDS))][: amount(len(FOUR_KINDS), len(ENCODINGS))]:
        window.store.replace(Document("the quick brown fox", seq_len=24).edited("family", family), "a family")
        scripts += [copied(window, panel) for panel in VECTOR_PANELS]
        figure, column = window.panels["waves"].figure, window.panels["pairs"].figure.view().column
        seen = seen_by(window.store.document, window.cursor_control.cursor).encoding
        checks.append((seen, figure.axis, figure.view().rows, column))
    found = iter(run_plots(scripts))
    for check in checks:
        check_numbers(*check, {panel: next(found) for panel in VECTOR_PANELS})
    count("copied Matplotlib scripts run", len(scripts))


def check_numbers(encoding, axis, row_scale, column, found):
    """The pictures have the encoding's numbers, computed here."""
    domain = [each for each in axis.shown if encoding.has_value(each)]
    columns, tokens = np.arange(encoding.n_columns), np.array(axis.tokens)
    values = encoding.values(np.array(domain), columns)
    assert np.allclose(found["heatmap"]["image 0 0"], values, rtol=1e-12, atol=1e-12), encoding.family
    if encoding.n_columns <= 16:
        strips = encoding.values(tokens, columns)
        assert np.allclose(found["tokens"]["image 0 0"], strips, atol=1e-12), encoding.family
    shown = encoding.pair_values(range(4), range(4), column).copy()
    if encoding.causal:
        shown[np.triu_indices(4, 1)] = np.nan
    assert np.allclose(found["pairs"]["image 0 0"], shown, rtol=1e-12, atol=1e-12, equal_nan=True), encoding.family
    curve = found["waves"]["line 0 1"]  # after the line at zero
    whole = curve[np.isin(curve[:, 0], domain)]
    heights = row_scale.height(encoding.values(whole[:, 0].astype(int), np.array([0]))[:, 0])
    assert len(whole) >= 4  # a family of query and key has the sentence's positions alone
    assert np.allclose(whole[:, 1], heights, atol=1e-9), encoding.family
    for panel in ("tokens", "pairs", "waves"):
        assert "quick" in found[panel]["words"], (encoding.family, panel)


def test_the_picture_has_the_panels_colours(window, run_plots):
    window.store.replace(Document(seq_len=12), "a short one")
    figure = window.panels["heatmap"].figure
    script = copied(window, "heatmap")
    (found,) = run_plots([script])
    values = window.store.document.encoding.values(np.arange(12), np.arange(8))
    scale = figure.view().colors.scale
    expected = [[QColor(scale.color(value)).getRgb()[:3] for value in row] for row in values.tolist()]
    assert np.abs(found["colours 0 0"].astype(int) - np.array(expected)).max() <= 8
    assert window.statusBar().currentMessage() == (
        f"Copied a Matplotlib script of {len(script.splitlines())} lines that draws Heatmap"
    )


def test_the_script_draws_the_part_in_view_in_the_chosen_direction(window, run_plots):
    window.store.replace(with_values(Document(seq_len=40), transpose=True), "across")
    window.panels["heatmap"].figure.area.show_window((9.5, 20.5), (1.5, 5.5))
    (found,) = run_plots([copied(window, "heatmap", shows_all=False)])
    values = window.store.document.encoding.values(np.arange(10, 21), np.arange(2, 6))
    assert np.allclose(found["image 0 0"], values.T, atol=1e-12)


def test_angles_embeddings_and_rotations_are_drawn(window, run_plots):
    embedding = Embedding("simulated", seed=4)
    rotary = Document("a b", seq_len=9, embedding=embedding, view=View(angles=True)).with_encoding(Rotary(8))
    window.store.replace(rotary, "rotary")
    scripts = [copied(window, "heatmap"), copied(window, "tokens")]
    summed = Document("a b", seq_len=9, embedding=embedding, encoding=Sinusoidal(6))
    window.store.replace(summed, "a sum")
    angles, turned, added = run_plots([*scripts, copied(window, "tokens")])
    positions, frequencies = np.arange(9)[:, None], rotary.encoding.frequencies()
    difference = angles["image 0 0"] - positions * frequencies
    assert np.allclose(np.exp(1j * difference), 1, atol=1e-9)
    q = rotary.vectors_of(rotary.token_list)
    rotated = rotary.encoding.combination.combined(q, np.arange(2))
    assert np.allclose(turned["image 0 0"], np.stack([q[0], rotated[0], q[1], rotated[1]]), atol=1e-12)
    w, pe = summed.vectors_of(summed.token_list), summed.encoding.values(np.arange(2), np.arange(6))
    assert np.allclose(added["image 0 0"], np.stack([w[0], pe[0], w[0] + pe[0], w[1], pe[1], w[1] + pe[1]]), atol=1e-12)


def test_words_of_any_kind_are_written_as_they_are(window, run_plots):
    sentence = "$x_1$ _'\"y {w}\\z$"
    window.store.replace(Document(sentence, seq_len=9), "signs")
    pictures = run_plots([copied(window, panel) for panel in VECTOR_PANELS])
    for panel, picture in zip(VECTOR_PANELS, pictures, strict=True):
        words = [str(word).replace("\\$", "$").strip("\u200a") for word in picture["words"]]
        expected = sentence.split() if panel != "heatmap" else sentence.split()[:1]
        assert set(expected) <= set(words), panel


def test_a_picture_without_a_script_is_told_and_the_clipboard_stays(window, answers):
    QGuiApplication.clipboard().setText("mine")
    window.store.replace(Document(seq_len=1_000_000, encoding=Sinusoidal(512)), "a large one")
    said = []
    answers.expect(lambda dialog: (said.append(words_of(dialog)), dismiss(dialog)))
    assert copied(window, "heatmap") == "mine"
    assert "The script would compute 512,000,000 numbers, at most 20,000,000 are drawn: zoom in first" in said[0]
    made = LearnedTable.from_array(np.ones((600, 40)), "an array")
    window.store.replace(Document(seq_len=600, encoding=made), "an array")
    answers.expect(lambda dialog: (said.append(words_of(dialog)), dismiss(dialog)))
    assert copied(window, "heatmap") == "mine"
    assert "24000 numbers would have to be written out" in said[1]


def test_a_script_of_sines_and_cosines_apart_numbers_the_tables_columns(window, run_plots):
    scripts = []
    for transpose in (False, True):
        document = with_values(Document(seq_len=24, encoding=Sinusoidal(1024)), transpose=transpose)
        window.store.replace(document, "a wide table")
        scripts.append(copied(window, "heatmap"))
    two = [NamedEncoding(each) for each in (Sinusoidal(1024), Sinusoidal(1024, base=100))]
    window.store.replace(Document(seq_len=24).with_encodings(two, 0), "two wide tables")
    scripts.append(copied(window, "difference"))
    for found in run_plots(scripts):
        words = set(found["words"].tolist())
        assert {"0", "512", "1", "513"} <= words
        assert not {"200", "400", "600"} & words


SHAPES = {"few": (200, 16), "many positions": (1200, 16), "many columns": (24, 1024), "many of both": (900, 900)}
"""Positions and columns of a table; Matplotlib has fewer pixels for many."""


@pytest.mark.parametrize("shape", SHAPES)
def test_cells_of_a_heatmap_have_edges_and_those_of_a_pixel_their_mean(shape, window, run_plots):
    n_positions, d_model = SHAPES[shape]
    encoding, scripts = Sinusoidal(d_model, layout="concatenated"), []
    for view in ({}, {"transpose": True}, {"angles": True}):
        document = with_values(Document(seq_len=n_positions, encoding=encoding), **view)
        window.store.replace(document, "a table")
        scripts.append(copied(window, "heatmap"))
    scale = window.panels["heatmap"].figure.view().colors.scale
    values = encoding.values(np.arange(n_positions), np.arange(d_model))
    half = d_model // 2
    turns = np.exp(1j * np.arctan2(values[:, :half], values[:, half:]))
    upright, turned, angles = run_plots(scripts)
    drawn, angle = upright["image 0 0"], angles["image 0 0"]
    assert np.array_equal(turned["image 0 0"], drawn.T)
    assert np.allclose(drawn, values if shape == "many of both" else in_parts(in_parts(values).T).T, atol=1e-12)
    assert np.allclose(np.exp(1j * angle), np.exp(1j * np.angle(in_parts(in_parts(turns).T).T)), atol=1e-9)
    if angle.shape[1] < 20:
        painted = angles["colours 0 0"][2:-2].astype(int)
        expected = np.array([[QColor(scale.color(each)).getRgb()[:3] for each in row] for row in angle.tolist()])
        rows = [expected[2 + by : by - 2] for by in (-1, 0, 1)]  # of a row of one to two pixels
        assert np.min([np.abs(painted - row).max(axis=-1) for row in rows], axis=0).max() <= 20
    for found in (upright, turned, angles):
        assert not [word for word in found["words"].tolist() if word.endswith(".5")], "positions are whole numbers"


def in_parts(table):
    """The means of so many equal parts of the rows that there are at most 400."""
    step = -(-len(table) // 400)
    return np.array([part.mean(0) for part in np.array_split(table, -(-len(table) // step))])


@pytest.mark.parametrize(
    "encoding",
    [IntegerIndex(3, offset=-4), IntegerIndex(3), Alibi(6)],
    ids=["both signs", "large", "small and large"],
)
def test_pictures_of_logarithmic_colours_have_the_panels(encoding, window, run_plots):
    window.store.replace(Document("a b", seq_len=3000).with_encoding(encoding), "values without bound")
    window.panels["heatmap"].figure.area.show_window((-0.5, encoding.n_columns - 0.5), (-11.5, 11.5))
    figure = window.panels["heatmap"].figure
    scripts = [copied(window, "heatmap", shows_all=False), copied(window, "gallery")]
    assert "FuncNorm" in scripts[0]
    heatmap, _ = run_plots(scripts)
    scale, values = figure.view().colors.scale, heatmap["image 0 0"]
    expected = [[QColor(scale.color(value)).getRgb()[:3] for value in row] for row in values.tolist()]
    assert np.unique(heatmap["colours 0 0"].reshape(-1, 3), axis=0).shape[0] >= 12
    assert np.abs(heatmap["colours 0 0"].astype(int) - np.array(expected)).max() <= 10
