"""A picture without text: panels, docks, files and the bar name its patches, and no word of the sentence."""

import pytest
from panel_bench import shown
from pixels import settle, texts
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from window_bench import says, sentence_edit, words

from posenc_core import Document
from posenc_core.encodings import RopeAxes
from posenc_core.session import NamedEncoding
from posenc_gui.files.presets import preset
from posenc_gui.model.cursor import Cursor

SENTENCE = ("Dan", "loves", "icecream")


def document(grid="4x5", **changed):
    made = Document(grid=grid, encoding=RopeAxes(16, axes="t,h,w", grid=grid)).edited("grid", grid)
    for name, value in changed.items():
        made = made.edited(name, value)
    return made


def names_word(told):
    return [word for word in SENTENCE for text in told if word in text]


@pytest.mark.parametrize("grid", ["4x5", "2x4x5"])
@pytest.mark.parametrize("name", ["waves", "heatmap", "tokens", "similarity", "pairs", "lens", "scores"])
def test_a_panel_names_patches(qtbot, name, grid):
    panel = shown(qtbot, name, document(grid, score_mode="tokens"), (900, 640))
    panel.show_cursor(Cursor(2, 4, pinned=True))
    settle()
    told = [*texts(panel.view), *(label.text() for label in panel.findChildren(QLabel)), panel.figure.pointing.spoken()]
    assert not names_word(told)
    if name in ("waves", "heatmap", "tokens"):
        prefix = "t0 " if grid.count("x") == 2 else ""
        assert {f"{prefix}h0 w0", f"{prefix}h0 w1", f"{prefix}h0 w2"} <= set(told)


@pytest.mark.parametrize("grid", ["4x5", "8+4x5"])
def test_words_in_the_text_of_a_grid_stay(qtbot, grid):
    told = texts(shown(qtbot, "heatmap", document(grid), (900, 640)).view)
    assert bool(names_word(told)) == (grid == "8+4x5")


@pytest.mark.parametrize("name", ["waves", "heatmap", "tokens"])
def test_a_difference_names_patches(qtbot, name):
    made = document(compared_panel=name)
    other = NamedEncoding(RopeAxes(16, axes="t,h,w", grid="4x5", rope_theta=100.0))
    panel = shown(qtbot, "difference", made.with_encodings((*made.encodings, other), 0), (1200, 640))
    assert not names_word(texts(panel.view))


@pytest.mark.parametrize("name", ["flux-1", "pixtral", "wan-2.1"])
def test_the_window_names_patches(window, name):
    window.docks["vector"].raise_()
    window.store.replace(preset(name), "open")
    settle()
    assert not names_word(words(window))
    assert says(window, " patches, no text")
    QTest.keyClick(sentence_edit(window), Qt.Key.Key_X)
    settle()
    assert not names_word(words(window))


def test_the_bar_says_how_many_words_are_before_the_patches(window):
    window.store.replace(document("2+4x5"), "open")
    settle()
    assert says(window, "3 tokens, 2 before the patches")
    window.store.replace(document("3+4x5"), "open")
    settle()
    assert says(window, "3 tokens")
    assert not says(window, "before the patches")


def test_words_of_a_picture_do_not_change_places(window):
    window.store.replace(document(), "open")
    settle()
    assert not window.panels["waves"].figure._words.may_move()
    window.store.replace(document("3+4x5"), "open")
    settle()
    assert window.panels["waves"].figure._words.may_move()
