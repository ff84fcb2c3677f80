"""Typing, sliders and undo in the window: every room follows, and a wrong value changes no picture."""

import numpy as np
import pytest
from pixels import CTRL, NO_KEY, SHIFT, settle, texts
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QSlider
from window_bench import changed, control, open_menus, pictures, says, sentence_edit, shown_panels, type_number, words

from posenc_core import Document
from posenc_gui.files.presets import preset, preset_groups, preset_names, preset_title

EVERY_PANEL = {"waves", "heatmap", "tokens"}
"""The panels that suit the families used here."""
ALT = Qt.KeyboardModifier.AltModifier


def entry(window, menu, text):
    """The menu's entry whose text begins so, once the menu is open."""
    open_menus(window)
    (found,) = [
        action
        for each in window.findChildren(QMenu)
        if each.title().replace("&", "").capitalize() == menu
        for action in each.actions()
        if action.text().replace("&", "").startswith(text) and action.isVisible()
    ]
    return found


def test_the_window_starts_with_the_first_sentence_selected(window):
    assert sentence_edit(window).hasFocus()
    assert sentence_edit(window).toPlainText() == "Dan loves icecream"
    assert says(window, "3 tokens")
    assert window.windowTitle() == "Untitled[*] — PosEnc"
    assert not window.isWindowModified()
    for panel in shown_panels(window).values():
        assert {"Dan", "loves", "icecream"} <= set(texts(panel.view))


def test_every_room_follows_each_key(window):
    for letter, sentence in (
        (" ", "Dan loves icecream "),
        ("i", "Dan loves icecream i"),
        ("n", "Dan loves icecream in"),
    ):
        before = pictures(window)
        QTest.keyClicks(sentence_edit(window), letter)
        settle()
        assert window.store.document.sentence == sentence
        assert changed(before, pictures(window)) == (set() if letter == " " else EVERY_PANEL)
    assert says(window, "4 tokens")
    for panel in shown_panels(window).values():
        assert "in" in texts(panel.view)


def test_an_empty_sentence_shows_what_to_do(window):
    sentence_edit(window).selectAll()
    QTest.keyClick(sentence_edit(window), Qt.Key.Key_Delete)
    assert window.store.document.sentence == ""
    assert says(window, "0 tokens")
    assert "Type a sentence above" in texts(window.panels["tokens"].view)
    QTest.keyClicks(sentence_edit(window), "one")
    assert says(window, "1 token")


def test_tokens_can_be_characters(window):
    box = control(window, "Split into")
    QTest.keyClick(sentence_edit(window), Qt.Key.Key_T, ALT)
    assert box.hasFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert window.store.document.tokens == "characters"
    assert says(window, "18 tokens")
    assert "␣" in texts(window.panels["tokens"].view)


def test_d_model_is_reached_by_its_mnemonic_and_edited_on_enter(window):
    QTest.keyClick(sentence_edit(window), Qt.Key.Key_D, ALT)
    spin = control(window, "d_model")
    assert spin.hasFocus()
    before = pictures(window)
    spin.selectAll()
    QTest.keyClicks(spin, "16")
    assert window.store.document.value("d_model") == 8
    QTest.keyClick(spin, Qt.Key.Key_Return)
    assert window.store.document.value("d_model") == 16
    assert changed(before, pictures(window)) == EVERY_PANEL
    assert says(window, "60 × 16")
    assert window.store.history.undo_text == "d_model 8 → 16"


WRONG = {
    "d_model": ("0", "-3", "2.5", "1000000000000", "abc", "1e400", ""),
    "base": ("0", "-1", "nan", "inf", "ten", "1e400"),
    "seq_len": ("0", "99999999999"),
}


@pytest.mark.one_of(3)
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_value_keeps_the_last_good_picture_and_says_why(window, name):
    before = pictures(window)
    for text in WRONG[name]:
        type_number(window, name, text)
        assert changed(before, pictures(window)) == set(), text
        assert window.store.document == Document(), text
        assert not window.store.history.can_undo, text
        (sentence,) = [word for word in words(window) if word.startswith(name)]
        assert "must be" in sentence, text
        type_number(window, name, "12")
        assert not says(window, "must be"), text
        assert changed(before, pictures(window)) >= {"waves", "heatmap"}, text
        window.store.undo()


def test_a_slider_drag_updates_the_pictures_and_is_one_step_of_undo(window):
    slider = control(window, "base slider")
    assert isinstance(slider, QSlider)
    stood = slider.value()
    start = QPoint(slider.width() // 2, slider.height() // 2)
    seen = []
    window.store.documentChanged.connect(lambda document: seen.append(document.encoding.base))
    before = pictures(window)
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, NO_KEY, start)
    for x in range(start.x(), 4, -3):
        QTest.mouseMove(slider, QPoint(x, start.y()))
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, NO_KEY, QPoint(4, start.y()))
    assert len(seen) > 4
    assert changed(before, pictures(window)) >= {"waves", "heatmap"}
    last = window.store.document.encoding.base
    assert float(control(window, "base").text()) == last
    assert len(window.store.history.texts) == 1
    window.store.undo()
    assert changed(before, pictures(window)) == set()
    assert slider.value() == stood


def test_undo_and_redo_work_while_the_user_types(window):
    type_number(window, "base", "5000")
    edit = sentence_edit(window)
    edit.setFocus(Qt.FocusReason.MouseFocusReason)
    QTest.keyClicks(edit, "s")
    assert window.store.history.undo_text == "typing"
    QTest.keyClick(edit, Qt.Key.Key_Z, CTRL)
    assert edit.toPlainText() == "Dan loves icecream"
    assert window.store.history.undo_text == "base 10,000 → 5,000"
    QTest.keyClick(edit, Qt.Key.Key_Z, CTRL)
    assert window.store.document == Document()
    assert control(window, "base").text() == "10,000"
    QTest.keyClick(edit, Qt.Key.Key_Z, CTRL | SHIFT)
    assert window.store.document.encoding.base == 5000
    QTest.keyClick(edit, Qt.Key.Key_Y, CTRL)
    assert edit.toPlainText() == "Dan loves icecreams"


def test_undo_works_from_a_panel_and_the_menu_names_the_step(window):
    assert not entry(window, "Edit", "Undo").isEnabled()
    type_number(window, "base", "5000")
    assert entry(window, "Edit", "Undo").text() == "Undo base 10,000 → 5,000"
    QTest.keyClick(window.panels["waves"], Qt.Key.Key_Z, CTRL)
    assert window.store.document == Document()
    assert entry(window, "Edit", "Redo").text() == "Redo base 10,000 → 5,000"
    entry(window, "Edit", "Redo").trigger()
    assert window.store.document.encoding.base == 5000


def test_presets_are_in_the_menu_and_are_one_step(window, amount):
    type_number(window, "d_model", "6")
    before = window.store.document
    for name in preset_names()[:: amount(4, 1)]:
        (group,) = [group for group, names in preset_groups().items() if name in names]
        entry(window, group.capitalize() or "Presets", preset_title(name)).trigger()
        assert window.store.document == preset(name, before), name
        window.store.undo()
        assert window.store.document == before, name


def test_colours_and_direction_are_chosen_in_the_view_menu(window):
    before = pictures(window)
    entry(window, "Colours", "viridis").trigger()
    assert window.store.document.view.color_map == "viridis"
    coloured = pictures(window)
    assert changed(before, coloured) == {"heatmap", "tokens"}
    entry(window, "View", "Positions across").trigger()
    assert window.store.document.value("transpose")
    assert changed(coloured, pictures(window)) == {"heatmap"}
    for _ in range(2):
        window.store.undo()
    assert entry(window, "Colours", "diverging").isChecked()
    assert not entry(window, "View", "Positions across").isChecked()
    assert changed(before, pictures(window)) == set()


def test_angles_of_pairs_are_in_the_menu_where_there_are_pairs(window):
    angles, before = entry(window, "View", "Angles of pairs"), pictures(window)
    angles.trigger()
    assert window.store.document.view.angles
    assert changed(before, pictures(window)) == {"heatmap"}
    assert angles.isChecked()
    angles.trigger()
    assert changed(before, pictures(window)) == set()
    window.store.edit("family", "alibi")
    assert not angles.isEnabled()


def test_an_embedding_adds_rows_and_its_seed_changes_them(window):
    control(window, "Embedding").click()
    box = control(window, "source")
    box.setFocus(Qt.FocusReason.MouseFocusReason)
    before = pictures(window)
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert window.store.document.embedding.embedding == "simulated"
    assert says(window, "simulated (seed 0)")
    assert "= sum" in texts(window.panels["tokens"].view)
    drawn = pictures(window)
    assert changed(before, drawn) == {"tokens"}
    type_number(window, "seed", "5")
    assert changed(drawn, pictures(window)) == {"tokens"}
    assert says(window, "simulated (seed 5)")


def test_a_pasted_sentence_of_100_000_characters_is_shown(window, qapp):
    qapp.clipboard().setText(("word " * 20_000).strip())
    sentence_edit(window).selectAll()
    QTest.keyClick(sentence_edit(window), Qt.Key.Key_V, CTRL)
    settle()
    assert says(window, "20,000 tokens")
    assert len(window.store.document.sentence) == 99_999
    assert "word" in texts(window.panels["tokens"].view)
    QTest.keyClick(sentence_edit(window), Qt.Key.Key_Z, CTRL)
    assert window.store.document == Document()


def test_a_change_is_timed_in_the_status_line(window, qtbot):
    entry(window, "View", "Frame time").trigger()
    type_number(window, "d_model", "32")
    qtbot.waitUntil(lambda: any(word.endswith(" ms") for word in words(window)))
    (time,) = [word for word in words(window) if word.endswith(" ms")]
    assert 0 < float(time.removeprefix("frame ").removesuffix(" ms")) < 60_000


def test_the_largest_table_is_shown(window):
    type_number(window, "d_model", "8192")
    type_number(window, "seq_len", "1000000")
    assert says(window, "1,000,000 × 8,192")
    assert says(window, "1 pixel = ")
    for picture in pictures(window).values():
        assert np.ptp(picture) > 100
