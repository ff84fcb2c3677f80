"""Ctrl+K: a search by words over all there is in the window, with the keyboard alone."""

import pytest
from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog
from window_bench import act, control, sentence_edit

from posenc_core import ENCODINGS
from posenc_gui.files.presets import preset, preset_names, preset_title
from posenc_gui.panels import PANELS
from posenc_gui.story.palette import EntryList, Palette
from posenc_gui.story.questions_dialog import questions

pytestmark = pytest.mark.one_window

CTRL = Qt.KeyboardModifier.ControlModifier


def palette(window):
    settle()
    found = [each for each in window.findChildren(Palette) if each.isVisible()]
    return found[0] if found else None


def search(window, words=""):
    """Opens the search with the keyboard shortcut and types."""
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_K, CTRL)
    found = palette(window)
    assert found is not None
    QTest.keyClicks(window.focusWidget(), words)
    settle()
    return found


def rows(found):
    shown = found.entries.list
    items = [shown.topLevelItem(index) for index in range(shown.topLevelItemCount())]
    return [(item.text(0), item.text(1), item.text(2)) for item in items]


def press(window, *keys):
    for key in keys:
        QTest.keyClick(window.focusWidget(), key)
    settle()


def chosen(found):
    return found.entries.list.currentItem().text(0)


def test_the_key_works_in_the_sentence_and_leaves_it_as_it_is(window):
    sentence_edit(window).setFocus()
    before = window.store.document
    found = search(window)
    assert window.focusWidget() is found.entries.line
    assert window.store.document == before


def test_the_list_holds_questions_commands_presets_panels_and_families(window):
    found = rows(search(window))
    by_kind = {kind: {text for text, each, _ in found if each == kind} for _, kind, _ in found}
    assert by_kind["question"] == {question.text for question in questions()}
    assert by_kind["panel"] == {PANELS[name].title for name in PANELS}
    assert by_kind["family"] == {family.title for family in ENCODINGS.values()}
    assert by_kind["preset"] == {preset_title(name) for name in preset_names()}
    assert {"Export panel", "Workspace: Relations", "Theme: Dark", "Keyboard shortcuts"} <= by_kind["command"]
    assert len(found) == len(set(found))


def test_a_command_shows_its_keys(window):
    assert ("Export panel", "command", "Ctrl+E") in rows(search(window))
    assert ("Workspace: Compare", "command", "Ctrl+5") in rows(palette(window))


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("heat", "Heatmap"),
        ("extrapol", "What happens beyond the trained length?"),
        ("rotate_half", "Interleaved or in halves: is my code wrong?"),
        ("relations", "Workspace: Relations"),
        ("alibi", "ALiBi"),
        ("llama 3.1", "Llama 3.1 8B: base 500,000, Llama 3's scaling x 8, for 131,072 positions"),
        ("ctrl+e", "Export panel"),
        ("COSINE why", "Why sine and cosine?"),
        ("formula", "Formula of your own"),
    ],
)
def test_words_find_the_entry(window, words, first):
    assert chosen(search(window, words)) == first


def test_words_that_nothing_holds_find_nothing_and_enter_does_nothing(window):
    found = search(window, "zzz nothing")
    assert rows(found) == []
    press(window, Qt.Key.Key_Return)
    assert palette(window) is found


def test_the_arrows_move_in_the_list_while_one_types(window):
    found = search(window, "why")
    first = chosen(found)
    press(window, Qt.Key.Key_Down, Qt.Key.Key_Down)
    assert chosen(found) == rows(found)[2][0] != first
    press(window, Qt.Key.Key_Up)
    assert chosen(found) == rows(found)[1][0]
    assert found.entries.line.text() == "why"


def test_enter_opens_a_question(window):
    search(window, "sine and cosine")
    press(window, Qt.Key.Key_Return)
    assert palette(window) is None
    assert set(window.workspaces.seen) == {"waves", "lens", "shift"}
    assert window.focusWidget() is window.panels["shift"]
    assert "0.86" in control(window, "answer").text()


def test_enter_runs_a_command(window):
    search(window, "workspace compare")
    press(window, Qt.Key.Key_Return)
    assert window.workspaces.current == "compare"


def test_after_a_formula_of_your_own_is_chosen_the_next_key_goes_into_its_formula(window):
    search(window, "formula of your own")
    press(window, Qt.Key.Key_Return)
    assert window.store.document.encoding.family == "formula"
    formula = control(window, "formula")
    assert window.focusWidget() is formula
    QTest.keyClicks(formula, "cos(p)")
    assert formula.toPlainText() == "cos(p)"
    settle()
    assert window.store.document.encoding.parameters()["formula"] == "cos(p)"
    search(window, "rotary (rope)")
    press(window, Qt.Key.Key_Return)
    assert window.store.document.encoding.family == "rotary"


def test_enter_opens_a_preset(window):
    name = preset_names()[0]
    search(window, preset_title(name))
    press(window, Qt.Key.Key_Return)
    assert window.store.document.encoding == preset(name).encoding


def test_enter_chooses_a_family(window):
    search(window, "alibi")
    press(window, Qt.Key.Key_Return)
    assert window.store.document.encoding.family == "alibi"
    assert window.store.history.undo_text


def test_enter_brings_a_panel_to_the_screen_and_gives_it_the_keyboard(window):
    for name, panel in PANELS.items():
        assert chosen(search(window, f"{panel.title} panel")) == panel.title
        press(window, Qt.Key.Key_Return)
        assert window.panels[name].isVisible(), name
        assert window.focusWidget() is window.panels[name], name
        assert name in window.workspaces.shown, name


def test_a_panel_that_the_workspace_shows_is_not_sought_elsewhere(window):
    window.workspaces.choose("relations")
    window.workspaces.show_panel("waves", True)
    search(window, "waves")
    press(window, Qt.Key.Key_Return)
    assert window.workspaces.current == "relations"
    assert window.focusWidget() is window.panels["waves"]


def test_escape_closes_it_and_gives_the_focus_back_without_letting_go_of_the_cell(window):
    panel = window.panels["waves"]
    panel.setFocus()
    window.cursor_control.hold(window.cursor_control.cursor)
    search(window, "x")
    press(window, Qt.Key.Key_Escape)
    assert palette(window) is None
    assert window.focusWidget() is panel
    assert window.cursor_control.cursor.pinned


def test_the_key_closes_it_again(window):
    search(window)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_K, CTRL)
    assert palette(window) is None


def test_a_click_elsewhere_closes_it_and_one_in_the_list_chooses(window):
    search(window)
    QTest.mouseClick(window.panels["tokens"], Qt.MouseButton.LeftButton)
    assert palette(window) is None
    found = search(window, "alibi").entries.list
    QTest.mouseClick(
        found.viewport(), Qt.MouseButton.LeftButton, pos=found.visualItemRect(found.topLevelItem(0)).center()
    )
    settle()
    assert window.store.document.encoding.family == "alibi"


@pytest.mark.one_of(3)
@pytest.mark.parametrize("size", [(1440, 900), (1024, 700), (880, 560)])
def test_the_palette_lies_within_the_window_and_follows_its_size(window, size):
    found = search(window)
    window.resize(*size)
    settle()
    assert window.rect().contains(found.geometry())
    assert found.entries.list.viewport().height() > 200


def test_an_entry_that_cannot_be_chosen_now_is_left_out(window):
    assert not [text for text, *_ in rows(search(window, "undo")) if text.startswith("Undo")]
    press(window, Qt.Key.Key_Escape)
    window.store.edit("d_model", 12)
    assert chosen(search(window, "undo")).startswith("Undo")


def test_the_list_of_questions_is_searched_by_their_words_and_opened_by_enter(window):
    act(window, "questions")
    (dialog,) = [each for each in window.findChildren(QDialog) if each.isVisible()]
    entries = dialog.findChild(EntryList)
    QTest.keyClicks(entries.line, "kv cache")
    assert rows_of(entries) == ["Dynamic NTK: why does the cache not fit?"]
    QTest.keyClick(entries.line, Qt.Key.Key_Return)
    settle()
    assert not dialog.isVisible()
    assert "30,528" in control(window, "answer").text()


def rows_of(entries):
    return [entries.list.topLevelItem(index).text(0) for index in range(entries.list.topLevelItemCount())]
