"""The positions that waves and heatmap show: some 64 at the first start, the sentence's or all on demand."""

from itertools import pairwise

import pytest
from pixels import CTRL, area_of, settle, wheel
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_bench import act, control, sentence_edit

from posenc_core import Alibi

PANELS = ("waves", "heatmap")


def positions(window, name):
    """The first and the last position that a panel shows."""
    shown = window.panels[name].figure.viewport.window()
    low, high = shown.x if name == "waves" else shown.y
    return round(low + 0.5, 6), round(high - 0.5, 6)


def click(window, name):
    QTest.mouseClick(control(window, name), Qt.MouseButton.LeftButton)
    settle()


@pytest.mark.parametrize("name", PANELS)
def test_at_the_first_start_all_sixty_positions_are_in_view(window, name):
    assert positions(window, name) == (0, 59)
    assert control(window, f"{name.capitalize()}: All").isChecked()


@pytest.mark.parametrize("name", PANELS)
def test_of_a_long_table_the_first_64_positions_are_in_view_and_more_for_a_long_sentence(window, name):
    window.store.edit("seq_len", 4096)
    settle()
    assert positions(window, name) == (0, 64)
    window.store.edit("sentence", "word " * 50)
    settle()
    assert positions(window, name) == (0, 100)


def test_the_first_picture_shows_a_turn_of_pair_1_and_words_that_stand_apart(window):
    figure = window.panels["waves"].figure
    wavelength = window.store.document.encoding.column_info(2).wavelength
    assert positions(window, "waves")[1] > 0.9 * wavelength
    places = [figure.area.to_x(position) for position in range(3)]
    assert min(b - a for a, b in pairwise(places)) > 8


@pytest.mark.parametrize("name", PANELS)
def test_the_sentence_stays_fitted_while_it_is_typed(window, name):
    click(window, f"{name.capitalize()}: Sentence")
    edit = sentence_edit(window)
    for count in range(4, 12):
        QTest.keyClicks(edit, " word")
        settle()
        assert positions(window, name) == (0, max(12, 2 * count))


@pytest.mark.parametrize("name", PANELS)
def test_all_positions_are_one_click_away_and_so_is_the_sentence(window, name):
    title = name.capitalize()
    click(window, f"{title}: Sentence")
    assert positions(window, name) == (0, 12)
    click(window, f"{title}: All")
    assert positions(window, name) == (0, 59)
    assert control(window, f"{title}: All").isChecked()
    assert not control(window, f"{title}: Sentence").isChecked()
    window.store.edit("seq_len", 100)
    settle()
    assert positions(window, name) == (0, 99)
    click(window, f"{title}: Sentence")
    assert positions(window, name) == (0, 12)


def test_ctrl_0_shows_all_positions_in_every_panel(window):
    QTest.keyClick(window, Qt.Key.Key_0, CTRL)
    settle()
    for name in PANELS:
        assert positions(window, name) == (0, 59)


def test_once_the_person_has_zoomed_typing_moves_nothing_and_neither_choice_is_checked(window):
    panel = window.panels["waves"]
    wheel(panel.view, area_of(panel).center(), 1, CTRL)
    zoomed = positions(window, "waves")
    assert zoomed != (0, 59)
    assert not control(window, "Waves: Sentence").isChecked()
    assert not control(window, "Waves: All").isChecked()
    click(window, "Heatmap: Sentence")
    QTest.keyClicks(sentence_edit(window), " and more and more and more words")
    settle()
    assert positions(window, "waves") == zoomed
    assert positions(window, "heatmap") == (0, 20)


def test_the_heatmap_stays_fitted_when_its_positions_go_across(window):
    click(window, "Heatmap: Sentence")
    window.store.edit("transpose", True)
    settle()
    low, high = window.panels["heatmap"].figure.viewport.window().x
    assert (low + 0.5, high - 0.5) == pytest.approx((0, 12))
    assert control(window, "Heatmap: Sentence").isChecked()
    window.store.edit("transpose", False)
    settle()
    assert positions(window, "heatmap") == (0, 12)


def test_distances_are_fitted_to_those_between_tokens(window):
    click(window, "Waves: Sentence")
    window.store.edit("family", Alibi.family)
    settle()
    low, high = positions(window, "waves")
    assert low in (-6, -12)
    assert high in (0, 6)


def test_a_click_on_the_checked_choice_leaves_it_checked(window):
    click(window, "Waves: Sentence")
    assert control(window, "Waves: Sentence").isChecked()
    act(window, "reset_view")
    assert control(window, "Waves: All").isChecked()
