"""Lessons in the window: predicted, shown, checked, left, undone, and gone on with at the next start."""

import subprocess
import sys

import numpy as np
import pytest
from dialogs import press as answer
from dialogs import press_text
from lesson_bench import button, click_cell, figure_pixels, lines, predict, press, radio_buttons, texts, type_answer
from pixels import area_of, drag, inside, pixels_of, settle
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QMenu
from whats_this import unexplained
from window_bench import act, close, type_number

from posenc_core import Document
from posenc_gui.files.session import save_session
from posenc_gui.files.settings import LessonProgress, Settings
from posenc_gui.story.drawing import Pen
from posenc_gui.story.prose import Prose
from posenc_gui.window.main_window import MainWindow

KINDS, SHORT = "1-kinds", "2-short"


def take(window, name, index=0):
    dock = window.commands.story.lessons
    window.commands.story.take_lesson(name)
    dock.turn(index - dock._index) if index else None
    settle()
    return dock.lessons[[each.name for each in dock.lessons].index(name)].steps[index]


def key(dock, which):
    dock.page.area.setFocus()
    QTest.keyClick(dock.page.area, which)
    settle()


def lessons_menu(window):
    (menu,) = [menu for menu in window.findChildren(QMenu) if menu.title() == "&Lessons"]
    menu.aboutToShow.emit()
    return {action.text(): action for action in menu.actions() if not action.isSeparator()}


def test_a_lesson_closes_the_answer_to_a_question(window):
    before = window.centralWidget().height()
    window.commands.story.open_question(4)
    settle()
    assert window.centralWidget().height() < before
    window.commands.story.take_first_lesson()
    settle()
    assert window.centralWidget().height() == before
    window.commands.story.open_question(4)
    settle()
    assert window.centralWidget().height() < before, "a question during a lesson has its answer"


def test_the_window_starts_without_the_lessons_and_without_what_reads_models(tmp_path):
    program = (
        "import sys\nfrom pathlib import Path\nfrom posenc_gui.look.qt import make_application\n"
        "from posenc_gui.files.settings import Settings\nfrom posenc_gui.window.main_window import MainWindow\n"
        "application = make_application([])\nwindow = MainWindow(Settings(Path(sys.argv[1])))\n"
        "window.show()\napplication.processEvents()\n"
        "print([name for name in sys.modules if 'lesson' in name or 'model_config.' in name or 'model_rules' in name])"
    )
    found = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "settings.json")], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"


def test_the_help_menu_takes_a_lesson_and_marks_what_is_done(window, folder):
    entries = lessons_menu(window)
    assert list(entries) == ["&All lessons", "What kinds are there?", "Is it short?"]
    entries["Is it short?"].trigger()
    settle()
    dock = window.commands.story.lessons
    assert dock.isVisible()
    assert window.store.document.sentence == "one two three four"
    press(dock, "Show")
    press(dock, "Finish")
    assert "✓ done" in texts(dock)
    assert [text for text, entry in lessons_menu(window).items() if entry.isChecked()] == ["Is it short?"]


def test_a_damaged_file_is_named_in_the_list_and_the_others_go_on(dock):
    assert "What kinds are there?" in texts(dock)
    (sentence,) = [note.sentence for note in dock.list.refusals]
    assert "3-damaged.json" in sentence
    assert sentence in texts(dock)


def test_f1_ends_with_the_lessons(window, folder, answers):
    answers.expect(press_text("&Lessons"))
    act(window, "explain")
    assert answers.seen[0].splitlines()[-1].startswith("The lessons")
    assert window.commands.story.lessons.isVisible()


@pytest.mark.parametrize("index", range(4))
def test_a_prediction_stays_as_a_ghost_in_the_panel(window, dock, index):
    step = take(window, KINDS, index)
    panel = window.panels[step.predict.panel]
    predict(window, step)
    press(dock, "Show")
    with_ghost = figure_pixels(panel)
    dock._stage.clear()
    without = figure_pixels(panel)
    assert (with_ghost != without).any()
    dock.page.mark()
    assert (figure_pixels(panel) == with_ghost).all()


def test_a_ghost_is_not_exported(window, dock):
    predict(window, take(window, KINDS))
    press(dock, "Show")
    copied = []
    for _ in range(2):
        act(window, "copy_picture")
        copied.append(QApplication.clipboard().image())
        dock._stage.clear()
    assert copied[0] == copied[1]


def test_the_gap_has_both_numbers(window, dock):
    take(window, KINDS)
    type_answer(lines(dock)[0], "0.25")
    press(dock, "Show")
    assert window.store.document.seq_len == 30
    assert f"You expected 0.25; it is {np.cos(3):.6g}.".replace("-", "−") in texts(dock)


def test_a_click_in_the_panel_is_a_prediction(window, dock):
    step = take(window, KINDS, 2)
    assert "A click elsewhere" not in texts(dock)
    click_cell(window.panels[step.predict.panel], 3, 5)
    assert "A click elsewhere changes your answer." in texts(dock)
    assert "column 5" not in texts(dock), "the name of what is asked for"
    press(dock, "Show")
    assert "You expected 3, 5; it is 0, 0.841471." in texts(dock)


def test_a_drawing_follows_the_mouse_and_is_compared_where_it_is_farthest(window, dock):
    step = take(window, KINDS, 3)
    panel = window.panels["waves"]
    area, window_before = area_of(panel), panel.figure.area.across
    y = area.top() + panel.figure.area.to_y(float(panel.figure.pointing.rows.row_of(1)))
    drag(panel.view, QPointF(area.left() + 2, y), QPointF(area.right() - 2, y))
    assert panel.figure.area.across == window_before  # the line is drawn, and the picture stays
    press(dock, "Show")
    words = [each.plain_text for each in dock.findChildren(Prose) if each.isVisible()]
    (told,) = [text for text in words if "farthest" in text]
    drawn = float(told.split("you drew ")[1].split(";")[0].replace("−", "-"))  # in the middle of a pixel
    farthest = int(np.abs(np.cos(np.arange(12)) - drawn).argmax())
    assert f"at position {farthest}: you drew" in told
    assert told.split("you drew ")[1].startswith(("0.0", "−0.0", "0;"))
    assert step.predict.kind == "drawing"


def test_a_drawing_in_another_row_is_refused_in_a_sentence(window, dock):
    take(window, KINDS, 3)
    panel = window.panels["waves"]
    area = area_of(panel)
    y = area.top() + panel.figure.area.to_y(float(panel.figure.pointing.rows.row_of(4)))
    drag(panel.view, QPointF(area.left() + 2, y), QPointF(area.right() - 2, y))
    assert "This is the row of column 4; draw in the row of column 1." in texts(dock)


def test_a_drawing_is_made_and_compared_with_the_keys_alone(window, dock):
    take(window, KINDS, 3)
    dock.page.area.setFocus()
    for _ in range(20):
        if isinstance(QApplication.focusWidget(), Pen):
            break
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    pen = QApplication.focusWidget()
    assert pen.accessibleName() == "pen at position 0, value 0"
    assert "Arrow keys draw" in pen.accessibleDescription()
    assert "the arrow keys draw" in texts(dock)
    ghost, before = dock._stage._marks["waves"], figure_pixels(window.panels["waves"])
    keys = [*[Qt.Key.Key_Up] * 10, Qt.Key.Key_Right, *[Qt.Key.Key_Right] * 2, *[Qt.Key.Key_Down] * 5]
    for which in keys:
        QTest.keyClick(pen, which)
    QTest.keyClick(pen, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)  # to the last position
    assert np.allclose(ghost.ghost.line, [(0, 1), (1, 1), (2, 1), (3, 0.5), (11, 0.5)])
    assert pen.accessibleName() == "pen at position 11, value 0.5"
    assert (figure_pixels(window.panels["waves"]) != before).any()
    QTest.keyClick(pen, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)  # along the line
    assert pen.accessibleName() == "pen at position 1, value 1"
    assert "3/4" not in texts(dock)
    QTest.keyClick(pen, Qt.Key.Key_Return)
    settle()
    drawn = np.interp(np.arange(12), [0, 1, 2, 3, 11], [1, 1, 1, 0.5, 0.5])
    farthest = int(np.abs(np.cos(np.arange(12)) - drawn).argmax())
    assert f"at position {farthest}: you drew {drawn[farthest]:g}" in texts(dock)


def test_the_pen_goes_on_where_the_mouse_ended(window, dock):
    predict(window, take(window, KINDS, 3))
    (pen,) = dock.findChildren(Pen)
    line = dock._stage._marks["waves"].ghost.line
    pen.setFocus()
    QTest.keyClick(pen, Qt.Key.Key_Up)
    drawn = dock._stage._marks["waves"].ghost.line
    assert drawn[:-1] == tuple(point for point in line if abs(point[0] - 11) >= 0.5)
    assert drawn[-1] == pytest.approx((11, line[-1][1] + 0.1))


def test_the_mouse_pans_the_waves_again_after_a_drawing(window, dock):
    take(window, KINDS, 3)
    press(dock, "Show")
    panel = window.panels["waves"]
    click_cell(panel, 5, 2)
    assert (window.cursor_control.cursor.position, window.cursor_control.cursor.column) == (5, 2)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("text", ["many", "nan", "inf", "1e400", "--3", "3 4", "0,5"])
def test_a_wrong_number_gets_one_sentence_and_blocks_nothing(window, dock, text):
    take(window, KINDS)
    type_answer(lines(dock)[0], text)
    assert texts(dock).count("Number must be") == 1
    press(dock, "Show")
    assert button(dock, "Go on")
    assert f"It is {np.cos(3):.6g}.".replace("-", "−") in texts(dock)


@pytest.mark.parametrize(
    ("text", "told"), [("0", "It is 0, as you said."), ("0.5", "It is 0; you said 0.5."), ("", "It is 0.")]
)
def test_a_check_says_what_is_computed_beside_what_was_said(window, dock, text, told):
    take(window, KINDS, 1)
    press(dock, "Show")
    type_answer(lines(dock)[-1], text)
    press(dock, "Check")
    assert told in texts(dock)


def test_a_check_is_computed_from_the_present_document(window, dock):
    take(window, KINDS)
    press(dock, "Show")
    window.store.edit("family", "integer")
    window.store.edit("offset", 7)
    type_answer(lines(dock)[-1], "7")
    press(dock, "Check")
    assert "It is 7, as you said." in texts(dock)


def test_a_check_without_an_answer_says_why(window, dock):
    take(window, KINDS)
    press(dock, "Show")
    window.store.replace(window.store.document.with_encoding(Document().edited("family", "none").encoding), "none")
    press(dock, "Check")
    assert "It is 0." in texts(dock) or "This document has no answer" in texts(dock)


def test_take_me_back_restores_the_step(window, dock):
    step = take(window, KINDS)
    press(dock, "Show")
    window.store.edit("base", 20.0)
    window.workspaces.choose("relations")
    press(dock, "Take me back")
    assert window.store.document == step.start.document
    assert window.workspaces.current == "vectors"
    assert button(dock, "Show")
    window.store.undo()
    assert window.store.document.value("base") == 20.0


def test_space_and_backspace_turn_pages_but_not_in_a_line_of_text(window, dock):
    take(window, KINDS)
    key(dock, Qt.Key.Key_Space)
    assert "2/4" in texts(dock)
    key(dock, Qt.Key.Key_Backspace)
    assert "1/4" in texts(dock)
    key(dock, Qt.Key.Key_Backspace)
    assert "1/4" in texts(dock)
    line = lines(dock)[0]
    type_answer(line, "1 2")
    QTest.keyClick(line, Qt.Key.Key_Backspace)
    assert line.text() == "1 "
    assert "1/4" in texts(dock)


def test_escape_leaves_and_keeps_the_document(window, dock):
    step = take(window, KINDS)
    predict(window, step)
    press(dock, "Show")
    shown = window.store.document
    key(dock, Qt.Key.Key_Escape)
    assert window.store.document == shown
    assert not dock.isVisible()
    assert not dock._stage._marks[step.predict.panel].ghost.words
    window.menus.actions["lessons"].trigger()
    settle()
    assert "Each lesson is" in texts(dock)


def test_the_docks_have_their_sizes_back_after_a_lesson(window, folder, qtbot):
    left = [window.docks["encoding"]]
    before = [each.size() for each in left]
    (entry,) = [each for each in window.findChildren(QAction) if each.text() == "Lesson"]

    def in_sight():
        assert not window.docks["lesson"].visibleRegion().isEmpty()
        assert window.docks["lesson"].height() > 400

    def as_before():
        assert [each.size() for each in left] == before

    entry.trigger()
    qtbot.waitUntil(in_sight)
    take(window, KINDS)
    key(window.commands.story.lessons, Qt.Key.Key_Escape)
    qtbot.waitUntil(as_before)


def test_escape_leaves_from_a_line_of_text_too(window, dock):
    take(window, KINDS)
    type_answer(lines(dock)[0], "1")
    QTest.keyClick(lines(dock)[0], Qt.Key.Key_Escape)
    settle()
    assert not dock.isVisible()
    assert window.cursor_control.cursor.pinned  # the window's Escape would release the cell


@pytest.mark.parametrize(("typed", "taken"), [("6,283.2", "6,283.2"), ("−3", "−3"), ("1e-3", "0.001")])
def test_a_number_is_read_as_people_write_it(window, dock, typed, taken):
    take(window, KINDS)
    type_answer(lines(dock)[0], typed)
    QTest.keyClick(lines(dock)[0], Qt.Key.Key_Return)
    settle()
    assert f"You expected {taken}; it is" in texts(dock)


def test_one_undo_brings_the_own_document_and_its_workspace_back(window, dock):
    window.store.edit("sentence", "my own words")
    window.workspaces.choose("rotation")
    own = window.store.document
    step = take(window, KINDS)
    press(dock, "Show")
    for _ in range(2):
        key(dock, Qt.Key.Key_Space)
    assert window.workspaces.current == "vectors"
    window.store.undo()
    assert window.store.document == own
    assert window.workspaces.current == "rotation"
    window.store.redo()
    assert window.store.document != own
    assert step.start.document.sentence == "one two three four"


@pytest.mark.parametrize("seq_len", [60, 4096])
def test_a_step_shows_all_positions_and_undo_those_from_before(window, dock, seq_len):
    window.store.edit("seq_len", seq_len)
    waves = window.panels["waves"].figure
    own = waves.area.across
    take(window, KINDS, 3)
    assert waves.area.across == pytest.approx((-0.5, 11.5))
    window.store.undo()
    assert waves.area.across == pytest.approx(own)


def test_an_own_document_is_brought_back_whatever_was_tried(window, dock):
    window.store.edit("sentence", "my own words")
    own = window.store.document
    take(window, KINDS)
    window.store.edit("base", 33.0)
    key(dock, Qt.Key.Key_Space)
    press(dock, "All lessons")
    press(dock, "Restore my document")
    assert window.store.document == own
    assert not window.store.is_saved


def test_undo_takes_back_what_was_tried_edit_by_edit_and_then_the_lesson(window, dock):
    window.store.edit("sentence", "my own words")
    own = window.store.document
    take(window, KINDS)
    press(dock, "Show")
    shown = window.store.document
    for base in (33.0, 44.0):
        type_number(window, "base", str(base))
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.store.document.value("base") == 33.0
    for expected in (shown, own):
        window.store.undo()
        assert window.store.document == expected


@pytest.mark.one_of(3)
@pytest.mark.parametrize("way", ["menu", "keys", "button", "list"])
def test_the_own_document_is_one_step_away_whatever_was_tried(window, dock, way):
    window.store.edit("sentence", "my own words")
    own = window.store.document
    take(window, KINDS)
    press(dock, "Show")
    window.store.edit("base", 33.0)
    press(dock, "Take me back")
    window.store.edit("sentence", "tried words")
    window.store.edit("seq_len", 40)
    tried = window.store.document
    if way == "menu":
        act(window, "undo_lesson")
    elif way == "keys":
        QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    elif way == "button":
        press(dock, "Undo the lesson: restore the document from before it (Ctrl+Alt+Z)")
    else:
        press(dock, "All lessons")
        press(dock, "Restore my document")
    assert window.store.document == own
    assert not window.menus.actions["undo_lesson"].isEnabled()
    window.store.redo()
    assert window.store.document == tried
    window.store.undo()
    assert window.store.document == own


@pytest.mark.one_of(3)
@pytest.mark.parametrize("onwards", ["next page", "page before", "Escape", "All lessons", "another lesson", "dock"])
def test_one_undo_brings_the_own_document_back_after_a_page_on_which_something_was_tried(window, dock, onwards):
    window.store.edit("sentence", "my own words")
    own = window.store.document
    take(window, KINDS, 1)
    press(dock, "Show")
    window.store.edit("base", 33.0)
    window.store.edit("sentence", "tried words")
    if onwards in ("All lessons", "another lesson"):
        window.commands.story.take_lesson(SHORT) if onwards == "another lesson" else press(dock, onwards)
    elif onwards == "dock":  # closed, opened and gone on with
        (place,) = [each for each in window.findChildren(QDockWidget) if each.windowTitle() == "Lesson"]
        place.close()
        place.show()
        settle()
        press(dock, "Go on")
    else:
        keys = {"next page": Qt.Key.Key_Space, "page before": Qt.Key.Key_Backspace, "Escape": Qt.Key.Key_Escape}
        key(dock, keys[onwards])
    shown = window.store.document
    window.store.undo()
    assert window.store.document == own
    window.store.redo()
    assert window.store.document == shown


@pytest.mark.one_of(3)
@pytest.mark.parametrize("onwards", ["next page", "another lesson", "question", "undo the lesson and another lesson"])
def test_undo_reaches_each_edit_that_was_tried_in_a_lesson(window, dock, onwards):
    window.store.edit("sentence", "my own words")
    own = window.store.document
    take(window, KINDS, 1)
    press(dock, "Show")
    tried = []
    for name, value in (("base", 33.0), ("sentence", "tried words")):
        window.store.edit(name, value)
        tried.append(window.store.document)
    if onwards == "question":
        window.commands.story.open_question(15)
    elif onwards == "next page":
        key(dock, Qt.Key.Key_Space)
    else:
        if "undo" in onwards:
            act(window, "undo_lesson")
            assert window.store.document == own
        window.commands.story.take_lesson(SHORT)
    seen = []
    while window.store.history.can_undo:
        window.store.undo()
        seen.append(window.store.document)
    assert all(each in seen for each in tried)
    assert seen[0] == own or onwards == "question"
    while window.store.history.can_redo:
        window.store.redo()
    assert window.store.guest is not None


@pytest.mark.one_of(3)
@pytest.mark.parametrize("left", ["Escape", "dock", "question", "question and list"])
def test_a_document_edited_after_a_lesson_is_the_own_document_of_the_next_lesson(window, dock, left):
    take(window, KINDS)
    (place,) = [each for each in window.findChildren(QDockWidget) if each.windowTitle() == "Lesson"]
    if left == "question and list":
        press(dock, "All lessons")
    if left.startswith("question"):
        window.commands.story.open_question(15)
    else:
        key(dock, Qt.Key.Key_Escape) if left == "Escape" else place.close()
    window.store.edit("sentence", "an hour of work")
    work = window.store.document
    if left == "question and list":
        place.close()
    take(window, SHORT)
    assert window.store.document != work
    act(window, "undo_lesson")
    assert window.store.document == work


def test_a_file_that_is_opened_in_a_lesson_is_the_own_document_from_then_on(window, dock, tmp_path):
    save_session(Document("in the file"), tmp_path / "mine.posenc")
    take(window, KINDS)
    window.open_file(tmp_path / "mine.posenc")
    window.store.edit("base", 55.0)
    own = window.store.document
    press(dock, "Show")
    key(dock, Qt.Key.Key_Space)
    assert window.store.document != own
    window.store.undo()
    assert window.store.document == own
    assert window.files.path == tmp_path / "mine.posenc"


def test_closing_asks_about_what_was_tried_and_about_the_own_document(window, dock, answers):
    window.store.edit("sentence", "my own words")
    take(window, KINDS)
    window.store.edit("base", 33.0)
    answers.expect(answer("Discard"))
    answers.expect(answer("Cancel"))
    window.close()
    assert "the document of the lesson" in answers.seen[0]
    assert "your own session" in answers.seen[1]
    assert window.store.document.sentence == "my own words"


def test_a_lesson_neither_needs_saving_nor_goes_into_the_own_file(window, dock, tmp_path):
    window.files._write(tmp_path / "own.posenc")
    take(window, KINDS)
    press(dock, "Show")
    key(dock, Qt.Key.Key_Space)
    assert window.files.path is None
    assert window.store.is_saved
    window.store.undo()
    assert window.files.path == tmp_path / "own.posenc"
    assert window.store.is_saved


def test_closing_asks_about_the_own_document(window, dock, answers):
    window.store.edit("sentence", "my own words")
    take(window, KINDS)
    answers.expect(answer("Cancel"))
    window.close()
    assert window.store.document.sentence == "my own words"


def test_progress_is_remembered(window, dock, settings, qtbot, tmp_path):
    take(window, KINDS, 2)
    key(dock, Qt.Key.Key_Escape)
    take(window, SHORT)
    key(dock, Qt.Key.Key_Space)
    window.store.mark_saved()
    window.close()
    again = MainWindow(Settings(tmp_path / "settings" / "settings.json"))
    try:
        again.show()
        qtbot.waitExposed(again)
        again.menus.actions["lessons"].trigger()
        settle()
        later = again.commands.story.lessons
        assert [row.state for row in later.list.rows.values()] == ["4 steps, continue with step 3", "✓ done"]
        QTest.mouseClick(later.list.rows[KINDS].button, Qt.MouseButton.LeftButton)
        settle()
        assert "3/4" in texts(later)
    finally:
        close(again)


def test_progress_beyond_a_lesson_is_a_new_start(window, folder, settings):
    settings.change(lessons={KINDS: LessonProgress(99), SHORT: LessonProgress(-1)})
    window.menus.actions["lessons"].trigger()
    settle()
    rows = window.commands.story.lessons.list.rows.values()
    assert [row.state for row in rows] == ["4 steps", "1 step"]


def test_a_choice_is_made_by_its_words(window, dock):
    take(window, KINDS, 1)
    first, second, _ = radio_buttons(dock)
    texts_of = [each for each in dock.findChildren(Prose) if each.plain_text in ("0", "1")]
    QTest.mouseClick(texts_of[1], Qt.MouseButton.LeftButton)
    assert second.isChecked()
    assert not first.isChecked()
    press(dock, "Show")
    assert "You expected 1; it is 0." in texts(dock)


def test_a_word_of_the_glossary_is_underlined_and_explained(window, dock):
    take(window, KINDS)
    (prose,) = [each for each in dock.findChildren(Prose) if "has numbers" in each.plain_text]
    tips = {prose.tip_at(QPointF(x, 8)) for x in range(prose.width())}
    assert "" in tips
    assert any(tip.startswith("One of the numbers of a vector") for tip in tips)


def test_formulas_are_typeset_in_the_line(window, dock, qtbot):
    take(window, KINDS)
    (prose,) = [each for each in dock.findChildren(Prose) if "has numbers" in each.plain_text]
    qtbot.waitUntil(lambda: prose.is_typeset)
    assert "$" not in prose.plain_text
    picture = pixels_of(prose)
    assert (inside(picture, prose.rect()).std() > 0).all()
    assert prose.heightForWidth(prose.width()) <= prose.height()


def test_a_closed_dock_takes_its_ghost_with_it_and_brings_it_back(window, dock):
    step = take(window, KINDS)
    predict(window, step)
    press(dock, "Show")
    (place,) = [each for each in window.findChildren(QDockWidget) if each.windowTitle() == "Lesson"]
    place.close()
    settle()
    mark = dock._stage._marks[step.predict.panel]
    assert not mark.ghost.words
    place.show()
    settle()
    assert mark.ghost.words == "expected: 62.8 rows"


def test_every_control_of_the_lessons_and_of_an_answer_says_what_it_does(window, folder):
    story = window.commands.story
    window.menus.actions["lessons"].trigger()
    settle()
    assert not unexplained(story.lessons)
    story.take_lesson("1-kinds")
    for step in story.lessons.lessons[0].steps:
        settle()
        assert not unexplained(story.lessons)
        predict(window, step)
        press(story.lessons, "Show")
        assert not unexplained(story.lessons)
        story.lessons.turn(1)
    story.open_question(15)
    settle()
    assert not unexplained(window)


def test_the_room_of_a_page_is_given_back_in_a_window_that_is_smaller_now(qtbot, window, qtlog):
    window.resize(1440, 1000)
    settle()
    window.resizeDocks([window.docks["encoding"]], [1], Qt.Orientation.Horizontal)
    settle()
    window.menus.actions["lessons"].trigger()
    settle()
    window.resize(1024, 420)
    settle()
    dock = next(each for each in window.findChildren(QDockWidget) if each.windowTitle() == "Lesson")
    dock.close()
    qtbot.waitUntil(lambda: not window._layout._soon.isActive())
    settle()
    assert not [each.message for each in qtlog.records if "resizeDocks" in each.message]


@pytest.mark.thorough
def test_lessons_that_are_hidden_after_a_panel_with_a_ghost_is_gone_leave_it_alone(tmp_path):
    program = (
        "import sys\nfrom pathlib import Path\nfrom PySide6.QtTest import QTest\n"
        "from posenc_gui.look.qt import make_application\nfrom posenc_gui.files.settings import Settings\n"
        "from posenc_gui.window.main_window import MainWindow\n"
        "application = make_application([])\nwindow = MainWindow(Settings(Path(sys.argv[1])))\n"
        "window.show()\nstory = window.commands.story\nstory.take_lesson(story.lessons.listed[0][0])\n"
        "window.docks['lesson'].setFloating(True)\nfrom posenc_gui.story.ghost import Ghost\n"
        "story.lessons._stage.show_ghost('similarity', Ghost(words='here'))\nQTest.qWait(50)\n"
        "import shiboken6\nshiboken6.delete(window.panels['similarity'])\nwindow.docks['lesson'].hide()\n"
        "print('gone')"
    )
    found = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "settings.json")], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout.strip()) == (0, "gone"), found.stderr
    assert "Error" not in found.stderr
