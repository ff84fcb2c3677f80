"""Numbers of one's own code in the window: pasted, opened, compared, shown, refused, cancelled."""

import json
import pickle

import numpy as np
import pytest
from check_bench import SLOW, TABLE, CheckBench, one_wrong
from dialogs import choose, dismiss
from held_texts import mnemonic
from llama_config import LLAMA
from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QPushButton, QStyle, QStyleOptionComboBox
from window_bench import act, close, control

from posenc_core import Document, Rotary, Sinusoidal
from posenc_gui.check.snippets import SNIPPETS
from posenc_gui.docks import RestingDerivation
from posenc_gui.story.palette import EntryList

RIGHT = "Right. Sinusoidal, d_model 8, base 10,000, interleaved"


@pytest.fixture
def check(window, qtbot):
    return CheckBench(window, qtbot)


def test_pasted_numbers_are_checked_at_once(check):
    check.paste(TABLE.tolist())
    check.wait_for(RIGHT)
    assert check.window.store.document == Document(), "the check belongs to the window"
    assert check.window.store.is_saved


def test_the_first_wrong_number_is_beside_the_right_one_and_its_derivation_a_click_away(check):
    check.paste(one_wrong().tolist())
    check.wait_for("One number is wrong: position 7, column 5 is 0.25 and should be 0.99755.")
    lines = check.words.splitlines()
    assert lines[lines.index("given") :][:4] == ["given", "0.25", "should be", "0.99755"]
    check.press("Derive")
    (view,) = [each for each in check.window.docks["check"].findChildren(RestingDerivation) if each.isVisible()]
    assert "cos" in view.accessibleDescription()
    assert "0.997551" in view.accessibleDescription()
    assert not view.visibleRegion().isEmpty(), "the dock scrolls to the derivation"


def test_numbers_that_are_typed_are_checked_with_the_button_and_with_the_keyboard(check):
    field = control(check.window, "numbers to check")
    field.setFocus()
    QTest.keyClicks(field, "1, 0.1, 0.01, 0.001, 0.0001")
    settle()
    assert "Right" not in check.words
    check.press("Check")
    check.wait_for("Right. Rotary (RoPE), head_dim 10")
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, "1, 0.5, 0.25, 0.125")
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    check.wait_for("Right. Rotary (RoPE), head_dim 8, rope_theta 16")


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("tensor([[0.0, 1.0, ..., 0.5, 0.1]])", "The print leaves numbers out (...); print all of them after torch."),
        ("hello", "The text contains no numbers."),
        ("[1, 2, three ]", "The text contains 'three', which is not a number."),
        ("[[1, 2, 3], [4, 5]]", "The rows have different lengths, 3 and 2."),
        ("[]", "The text contains no numbers."),
        ("[nan, 1.0, 2.0, 3.0, 4.0, 5.0]", "Number 0 is nan; all numbers must be finite."),
        ("0 0 0 0 0 0", "All numbers are 0 or -inf: they identify no formula, and may be no encoding (NoPE)."),
    ],
)
def test_bad_text_is_one_sentence_and_the_last_finding_and_the_text_stay(check, text, sentence):
    check.paste(TABLE.tolist())
    check.wait_for(RIGHT)
    check.paste(text)
    check.wait_for(sentence.removesuffix("torch."))
    assert RIGHT in check.words
    assert "The finding below belongs to the previous numbers." in check.words
    assert control(check.window, "numbers to check").toPlainText() == text
    check.paste(TABLE.tolist())
    check.wait_for(RIGHT)
    assert sentence[:20] not in check.words


def test_an_emptied_field_leaves_no_finding(check):
    at_first = check.words
    for text, sentence in ((one_wrong().tolist(), "One number is wrong"), ("[0, 1, nan]", "Number 2 is nan")):
        check.paste(text)
        check.wait_for(sentence)
        field = control(check.window, "numbers to check")
        QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(field, Qt.Key.Key_Delete)
        settle()
        assert check.words == at_first
    check.paste(TABLE.tolist())
    check.wait_for(RIGHT)


def test_an_emptied_field_stops_its_check(check):
    check.paste(SLOW.tolist())
    check.wait_for_work()
    control(check.window, "numbers to check").clear()
    assert not check.is_at_work


def test_an_empty_field_says_what_to_do(check):
    check.press("Check")
    assert "There are no numbers; paste some, or open a file." in check.words


def test_a_pickle_is_refused_and_never_opened(check, answers, tmp_path):
    class Harm:
        def __reduce__(self):
            return (tmp_path.joinpath("harmed").touch, ())

    np.save(tmp_path / "a.npy", np.array([Harm()], object), allow_pickle=True)
    (tmp_path / "b.npy").write_bytes(pickle.dumps(Harm()))
    (tmp_path / "harmed").unlink(missing_ok=True)
    for name, part in (("a.npy", "Python objects, which are never unpickled"), ("b.npy", "b.npy")):
        answers.expect(choose(tmp_path / name))
        check.press("Open…")
        check.wait_for(part)
    assert not (tmp_path / "harmed").exists()


def test_a_file_is_opened_and_named(check, answers, tmp_path):
    np.save(tmp_path / "mine.npy", one_wrong())
    answers.expect(choose(tmp_path / "mine.npy"))
    check.press("Open…")
    check.wait_for("One number is wrong: position 7, column 5")
    assert "From mine.npy" in check.words
    check.paste(TABLE.tolist())
    check.wait_for(RIGHT)
    assert "From mine.npy" not in check.words


def test_of_several_arrays_in_a_file_the_person_chooses_one(check, answers, tmp_path):
    np.savez(tmp_path / "all.npz", weights=np.eye(9), table=TABLE, odd=np.arange(4.0))
    asked = []

    def second(dialog):
        asked.append(dialog.windowTitle())
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Down)
        dialog.accept()

    answers.expect(choose(tmp_path / "all.npz"))
    answers.expect(second)
    check.press("Open…")
    check.wait_for(RIGHT)
    assert asked == ["Check numbers"]
    answers.expect(choose(tmp_path / "all.npz"))
    answers.expect(dismiss)
    check.press("Open…")
    check.qtbot.waitUntil(lambda: answers.given)
    assert RIGHT in check.words


def test_numbers_are_compared_with_the_present_encoding_a_preset_and_a_config(check, answers, tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(LLAMA))
    width = LLAMA["hidden_size"] // LLAMA["num_attention_heads"]
    check.window.store.replace(Document(encoding=Rotary(width, 500000.0)), "mine")
    check.choose("the present encoding")
    check.paste(Rotary(width, 500000.0).frequencies().tolist())
    check.wait_for("Right. Rotary (RoPE)")
    answers.expect(choose(path))
    check.choose("a config.json or model…")
    check.wait_for("Not what was asked for: these are the right numbers of Rotary (RoPE)")
    assert "is off by more than 45 degrees." in check.words
    check.choose("Llama 2 7B")
    check.wait_for("Asked for: Rotary (RoPE)")


def test_a_config_that_is_not_chosen_leaves_the_choice_before(check, answers):
    box = control(check.window, "against")
    check.choose("the present encoding")
    answers.expect(dismiss)
    check.choose("a config.json or model…")
    assert box.currentText() == "the present encoding"


def test_long_work_shows_its_progress_and_can_be_cancelled(check):
    check.paste(TABLE.tolist())
    check.wait_for(RIGHT)
    check.paste(SLOW.tolist())
    check.wait_for_work()
    assert "The finding below belongs to the previous numbers." in check.words
    check.press("Cancel")
    assert not check.is_at_work
    assert RIGHT in check.words
    check.paste(SLOW.tolist())
    check.wait_for_work()
    check.paste(one_wrong().tolist())
    check.wait_for("One number is wrong")
    check.qtbot.waitUntil(lambda: not check.is_at_work)
    assert "previous numbers" not in check.words
    assert "Not one of the formulas" not in check.words


def test_a_window_closes_while_numbers_are_checked(check):
    check.paste(SLOW.tolist())
    check.wait_for_work()
    close(check.window)


def test_a_very_long_text_is_checked_without_being_laid_out(check):
    check.paste(np.array2string(Sinusoidal(64).values(np.arange(600), np.arange(64)), threshold=10**9, separator=","))
    check.wait_for("Right. Sinusoidal, d_model 64")
    assert control(check.window, "numbers to check").toPlainText() == ""
    assert "Text of " in check.words


def test_scripts_to_get_numbers_are_copied_and_are_python(check):
    (menu,) = [each for each in check.window.docks["check"].findChildren(QMenu) if each.actions()[0].text() in SNIPPETS]
    assert [action.text() for action in menu.actions()] == list(SNIPPETS)
    for action in menu.actions():
        action.trigger()
        script = QGuiApplication.clipboard().text()
        compile(script, action.text(), "exec")
        assert any(word in script for word in ("np.save", "print(")), "what it makes can be checked"


def test_the_search_over_everything_finds_the_check(window):
    act(window, "palette")
    (entries,) = [each for each in window.findChildren(EntryList) if each.isVisible()]
    QTest.keyClicks(entries.line, "is my code right")
    assert entries.list.topLevelItem(0).text(0) == "Is my code right?"
    entries.line.clear()
    QTest.keyClicks(entries.line, "check numbers")
    QTest.keyClick(entries.line, Qt.Key.Key_Return)
    settle()
    assert window.docks["check"].isVisible()
    assert window.focusWidget() is control(window, "numbers to check")


def test_the_dock_leaves_the_panels_their_room_in_a_small_window(window):
    window.resize(1024, 700)
    settle()
    before = window.docks["number"].width()
    act(window, "check")
    assert window.docks["check"].width() == before


def test_no_control_of_the_dock_takes_a_letter_of_a_field_or_cuts_its_text(check):
    check.window.resize(1024, 700)
    settle()
    check.paste(one_wrong().tolist())
    check.wait_for("One number is wrong")
    dock = check.window.docks["check"]
    buttons = [each for each in dock.findChildren(QPushButton) if each.isVisible()]
    assert {each.text() for each in buttons} == {"Open…", "Get script", "Check", "Show", "Derive", "Copy"}
    for button in buttons:
        assert mnemonic(button.text()) == "", "fields of the encodings have the letters"
        assert button.fontMetrics().horizontalAdvance(button.text()) < button.width()
    box = control(check.window, "against")
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    room = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField)
    assert box.fontMetrics().horizontalAdvance(box.currentText()) < room.width()


def test_positions_of_the_rows_can_be_given_and_a_text_that_lists_none_is_told(check):
    rows = TABLE[::3]
    line = control(check.window, "positions")
    QTest.keyClicks(line, "5,9")
    check.paste(rows.tolist())
    check.wait_for("2 positions are given for 8 rows")
    line.clear()
    QTest.keyClicks(line, "0:24:3")
    QTest.keyClick(line, Qt.Key.Key_Return)
    check.wait_for(RIGHT)
    check.wait_for("The positions are 0, 3, 6, ..., 21.")
    line.clear()
    QTest.keyClicks(line, "all")
    QTest.keyClick(line, Qt.Key.Key_Return)
    check.wait_for("ositions must be like 0:48, 0:192:4 or 0,1,5, got 'all'")


def test_escape_stops_a_check_at_work(check):
    check.paste(SLOW.tolist())
    check.wait_for_work()
    QTest.keyClick(control(check.window, "numbers to check"), Qt.Key.Key_Escape)
    assert not check.is_at_work
