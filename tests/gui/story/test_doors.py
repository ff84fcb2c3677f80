"""The row of first questions: there at the first start, closed for good, shown again, folded in a small window."""

import json
import subprocess
import sys

import pytest
import shiboken6
from pixels import area_of, settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QMainWindow, QToolButton
from window_bench import act, control, sentence_edit

from posenc_gui.look.resources import resource
from posenc_gui.model.cursor import Cursor
from posenc_gui.story import QuestionRow, doors
from posenc_gui.story.palette import EntryList

pytestmark = pytest.mark.one_window

STARTED = """
import json, sys
from pathlib import Path
from posenc_gui.look.qt import make_application
application = make_application([])
from posenc_gui.files.settings import Settings
from posenc_gui.window.main_window import MainWindow
window = MainWindow(Settings(Path(sys.argv[1])))
window.show()
application.processEvents()
print(json.dumps([name for name in sys.modules if ".story" in name]))
"""

DOORS = [
    "Is my code right?",
    "Why sine and cosine?",
    "What does the base do?",
    "What does RoPE rotate?",
    "What happens beyond the trained length?",
    "What does my model do?",
]
CLOSE = "Close these questions; Help > Show first questions restores them"


def shown_doors(window):
    found = [each for each in window.findChildren(QToolButton) if each.isVisible() and each.text() in DOORS]
    return [each.text() for each in sorted(found, key=lambda each: each.x())]


def click(widget):
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
    settle()


def test_the_first_start_offers_six_questions_in_their_order(window):
    settle()
    assert shown_doors(window) == DOORS


@pytest.mark.one_of(3)
@pytest.mark.parametrize("text", DOORS)
def test_one_click_on_a_door_opens_its_view_and_says_the_answer(window, text):
    click(control(window, text))
    assert control(window, "answer").text()
    assert shown_doors(window) == DOORS, "the next question is one click away"


@pytest.mark.parametrize("answers", [1, 2])
def test_one_click_leads_from_an_answer_back_to_the_own_sentence_and_workspace(window, answers):
    window.store.edit("sentence", "my own words")
    own = window.store.document
    for text in DOORS[1 : answers + 1]:
        click(control(window, text))
    assert window.store.document != own
    click(control(window, "Back to my sentence"))
    assert window.store.document == own
    assert window.workspaces.current == "vectors"


def test_the_way_back_from_an_answer_restores_the_waves_of_a_window_with_less_room_for_columns(window):
    """The waves are given another size in the same event as the own document."""
    window.resize(1432, 800)
    settle()
    own = window.panels["waves"].figure.viewport.positions()
    click(control(window, "Is my code right?"))
    click(control(window, "Back to my sentence"))
    assert window.panels["waves"].figure.viewport.positions() == own


def test_the_first_start_offers_the_first_lesson_beside_the_questions(window):
    settle()
    start = control(window, "Start here: why not just number the words? 5 minutes")
    assert start.x() < min(control(window, text).x() for text in DOORS)
    click(start)
    assert window.docks["lesson"].isVisible()
    assert window.store.document.encoding.family == "integer"


def test_a_door_opens_with_the_keyboard(window):
    control(window, DOORS[1]).setFocus()
    QTest.keyClick(control(window, DOORS[1]), Qt.Key.Key_Space)
    settle()
    assert set(window.workspaces.seen) == {"waves", "lens", "shift"}
    assert window.focusWidget() is window.panels["shift"]
    assert "0.86" in control(window, "answer").text()


def test_doors_come_behind_the_sentence_in_the_ring_of_the_tab_key(window):
    sentence_edit(window).setFocus()
    met = []
    for _ in range(12):
        window.focusNextPrevChild(True)
        met.append(getattr(window.focusWidget(), "text", str)())
    assert [each for each in met if each in DOORS] == DOORS


def test_closed_doors_do_not_come_back_until_help_shows_them(window, next_start):
    before = window.centralWidget().height()
    click(control(window, CLOSE))
    assert shown_doors(window) == []
    assert window.centralWidget().height() > before
    again = next_start(window)
    assert shown_doors(again) == []
    act(again, "doors")
    assert shown_doors(again) == DOORS
    assert shown_doors(next_start(again)) == DOORS


def test_other_settings_survive_the_closing_of_the_doors(window, settings):
    settings.change(theme="dark")
    click(control(window, CLOSE))
    assert (settings.now.theme, settings.now.doors) == ("dark", False)


@pytest.mark.parametrize("size", [(1024, 700), (1440, 700), (1000, 900), (880, 560)])
def test_in_a_small_window_the_doors_fold_into_the_button_questions(window, size):
    window.resize(*size)
    settle()
    assert shown_doors(window) == []
    click(control(window, "Questions…"))
    (dialog,) = [each for each in window.findChildren(QDialog) if each.isVisible()]
    found = dialog.findChild(EntryList).list
    assert [found.topLevelItem(index).text(0) for index in range(6)] == DOORS
    dialog.reject()
    window.resize(1440, 900)
    settle()
    assert shown_doors(window) == DOORS


def test_the_button_questions_lists_the_first_questions_in_a_small_window(window):
    window.resize(1024, 700)
    settle()
    menu = control(window, "Questions…").menu()
    menu.aboutToShow.emit()
    assert [entry.text().replace("&&", "&") for entry in menu.actions()] == DOORS
    menu.actions()[1].trigger()
    settle()
    assert control(window, "answer").isVisible()


@pytest.mark.parametrize("size", [(1024, 700), (1440, 900)])
def test_the_heatmap_keeps_most_of_its_card(window, size):
    window.resize(*size)
    window.menus.actions["reset_layout"].trigger()
    settle()
    panel = window.panels["heatmap"]
    if size == (1024, 700):
        area = area_of(panel)
        assert area.width() * area.height() >= 0.6 * panel.width() * panel.height()
    assert panel.view.height() > 0.6 * panel.height()


def test_larger_text_makes_room_for_the_doors_or_folds_them(window):
    for _ in range(4):
        act(window, "enlarge_text")
    for button in window.findChildren(QToolButton):
        if button.isVisible() and button.text() in DOORS:
            assert button.fontMetrics().horizontalAdvance(button.text()) + 10 <= button.width()
    assert window.width() == 1440


def test_the_row_at_the_start_reads_no_question_but_its_own_texts(window):
    settle()
    assert doors.door_texts() == dict(zip((25, 3, 4, 23, 15, 24), DOORS, strict=True))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"questions": 3}', '{"questions": [1, {"door": true}]}', "{"])
def test_a_damaged_file_of_questions_has_no_doors(monkeypatch, tmp_path, caplog, text):
    (tmp_path / "questions.json").write_text(text, encoding="utf-8")
    monkeypatch.setattr(doors.look, "resource", lambda name: tmp_path / name)
    assert doors.door_texts() == {}
    assert "there are no first questions" in caplog.text
    assert resource("questions.json").is_file()


def test_the_start_loads_the_row_and_nothing_else_of_the_story(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", STARTED, str(tmp_path / "settings.ini")], capture_output=True, text=True, check=True
    )
    assert set(json.loads(done.stdout)) == {
        "posenc_gui.story",
        "posenc_gui.story.doors",
        "posenc_gui.window.story_commands",
    }


def test_a_font_that_changes_after_the_window_was_deleted_is_harmless(qtbot, settings):
    window = QMainWindow()
    row = QuestionRow(settings, window)
    qtbot.addWidget(row)
    shiboken6.delete(window)
    font = row.font()
    font.setPixelSize(3 * font.pixelSize() if font.pixelSize() > 0 else 40)
    row.setFont(font)
    settle()
    assert row.fontMetrics().height() > 40


@pytest.mark.parametrize("held", [True, False])
def test_the_way_back_from_an_answer_restores_the_cell(window, held):
    """The answer holds a cell of its own."""
    before = Cursor(2, 5, pinned=held)
    (window.cursor_control.hold if held else window.cursor_control.point)(before)
    window.commands.story.open_question(4)
    settle()
    assert window.cursor_control.cursor != before
    window.store.end_visit()
    settle()
    assert window.cursor_control.cursor == before
