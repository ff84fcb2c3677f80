"""Every question is answered in at most two clicks, in the view that it names, with numbers that are right."""

import math
import re

import pytest
from amounts import some
from pixels import settle
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QToolButton
from question_values import expected_values
from window_bench import act, control, says, sentence_edit

from posenc_core import Document
from posenc_gui.story.palette import EntryList
from posenc_gui.story.questions_dialog import questions

NUMBERS = [question.number for question in questions()]
VIEWS = [question.number for question in questions() if question.start is not None]
SMALL = (1024, 700)


@pytest.fixture(scope="module")
def expected():
    return expected_values()


def question_of(number):
    return next(each for each in questions() if each.number == number)


class Clicks:
    """A mouse that counts."""

    def __init__(self):
        self.count = 0

    def click(self, widget, place=None):
        self.count += 1
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=place or widget.rect().center())
        settle()


def tool_button(window, text):
    (found,) = [each for each in window.findChildren(QToolButton) if each.isVisible() and each.text() == text]
    return found


def opened(window, number):
    """Opens the question as a person does from any start, with the mouse; returns the number of clicks."""
    mouse = Clicks()
    mouse.click(tool_button(window, "Questions…"))
    (dialog,) = [each for each in window.findChildren(QDialog) if each.isVisible()]
    found = dialog.findChild(EntryList).list
    (item,) = [
        found.topLevelItem(index)
        for index in range(found.topLevelItemCount())
        if found.topLevelItem(index).text(0) == question_of(number).text
    ]
    found.scrollToItem(item)
    mouse.click(found.viewport(), found.visualItemRect(item).center())
    assert not dialog.isVisible()
    return mouse.count


def answer(window):
    return control(window, "answer").text().replace("\u00a0", " ")  # in fractions


def numbers_in(question, text):
    """Texts at the places of the answer's numbers, as (name, text) pairs."""
    parts = re.split(r"\{(\w+)(?::[^}]*)?\}", question.answer)
    pattern = "".join(re.escape(part) if index % 2 == 0 else "(.+?)" for index, part in enumerate(parts))
    found = re.fullmatch(pattern, text)
    assert found is not None, text
    return list(zip(parts[1::2], found.groups(), strict=True))


def is_told(value, text):
    """Whether the text is the value to the digits that it has."""
    if isinstance(value, str):
        return text == value
    plain = text.replace(",", "").replace("−", "-")
    digits, _, exponent = plain.partition("e")
    decimals = len(digits.partition(".")[2])
    return abs(float(plain) - value) <= 0.51 * 10.0 ** (int(exponent or 0) - decimals) + 1e-12


@pytest.mark.parametrize("numbers", some([VIEWS[start::3] for start in range(3)], VIEWS[::3]), ids=str)
def test_two_clicks_lead_to_the_view_and_its_answer(window, numbers):
    for number in numbers:
        check_two_clicks(window, number)


def check_two_clicks(window, number):
    question, before = question_of(number), window.store.document
    assert opened(window, number) <= 2
    start = question.start
    assert window.workspaces.current == start.workspace
    panel = window.panels[start.panel]
    assert panel.isVisible()
    assert window.focusWidget() is panel
    assert panel.figure.spec.missing(window.store.document) is None
    assert (panel.figure.problem, panel.view.problem) == ("", "")
    assert window.store.document == start.document
    cursor = window.cursor_control.cursor
    assert (cursor.position, cursor.column, cursor.pinned) == (*start.cursor, True)
    assert answer(window) == question.answered()
    act(window, "doors")  # nothing but the document is a step
    window.store.undo()
    settle()
    assert window.store.document == before
    assert not window.store.history.can_undo


@pytest.mark.parametrize("number", VIEWS)
def test_the_numbers_of_an_answer_are_those_of_the_core_and_of_the_definitions(number, expected):
    question = question_of(number)
    core, told = question.values(), numbers_in(question, question.answered())
    assert {name for name, _ in told} == set(core)
    for name, text in told:
        assert is_told(core[name], text), f"{name}: {text} is not {core[name]}"
        if name in expected[number] and name != "both":
            assert is_told(expected[number][name], text), f"{name}: {text} is not {expected[number][name]}"
    left = set(core) - expected[number].keys()
    assert left <= {"untrained", "lines", "size"}, "checked below"


def test_the_matrix_of_sines_and_cosines_is_exact_but_for_rounding(window):
    assert 0 < question_of(3).values()["both"] < 1e-15


def test_rows_of_an_untrained_table_are_as_unlike_as_random_ones():
    assert abs(question_of(8).values()["untrained"]) < 4 / math.sqrt(768)


def test_simulated_embeddings_have_the_size_of_random_vectors_of_length_one():
    width, n_numbers = 4, 12
    expected = 1 / math.sqrt(width)
    assert question_of(22).values()["size"] == pytest.approx(expected, abs=4 * expected / math.sqrt(2 * n_numbers))


def test_the_script_that_is_spoken_of_has_as_many_lines(window):
    window.commands.story.open_question(21)
    act(window, "copy_numpy")
    assert len(QGuiApplication.clipboard().text().splitlines()) == question_of(21).values()["lines"]


def test_the_question_about_the_own_model_brings_the_model_dock_and_visits_an_example(window):
    window.store.edit("sentence", "my own words")
    before = window.store.document
    assert opened(window, 24) == 2
    assert window.store.document == question_of(24).start.document != before
    dock = window.docks["model"]
    assert dock.isVisible()
    assert not dock.visibleRegion().isEmpty()
    assert control(window, "Open model…").isVisible()
    assert "Open model" in answer(window)
    Clicks().click(control(window, "Back to my sentence"))
    assert window.store.document == before
    assert window.docks["model"].isVisible()


def test_the_question_about_own_code_checks_an_example_that_the_first_paste_replaces(qtbot, window):
    assert opened(window, 25) == 2
    assert not window.docks["check"].visibleRegion().isEmpty()
    field = control(window, "numbers to check")
    assert field.toPlainText() == question_of(25).given
    qtbot.waitUntil(lambda: says(window, "The exponent counts columns, 2c/d, and should count pairs, 2i/d."))
    QGuiApplication.clipboard().setText("[[0.0, 1.0], [0.5, 0.5]]")
    field.paste()
    assert field.toPlainText() == "[[0.0, 1.0], [0.5, 0.5]]"


def test_the_question_about_own_code_leaves_numbers_that_are_in_the_form(window):
    window.commands.checks.dock.give("[[0.0, 1.0], [0.5, 0.5]]")
    assert opened(window, 25) == 2
    assert control(window, "numbers to check").toPlainText() == "[[0.0, 1.0], [0.5, 0.5]]"


def test_a_question_without_a_dock_brings_number_to_the_front_after_one_with_a_dock(window):
    window.commands.story.open_question(25)
    settle()
    assert window.docks["number"].visibleRegion().isEmpty()
    window.commands.story.open_question(4)
    settle()
    assert not window.docks["number"].visibleRegion().isEmpty()


def test_the_question_about_the_code_of_a_plot_has_the_button_that_copies_it(window):
    window.commands.story.open_question(21)
    settle()
    Clicks().click(tool_button(window, "Copy as Matplotlib"))
    assert "imshow" in QGuiApplication.clipboard().text()
    window.commands.story.open_question(6)
    settle()
    assert not [each for each in window.findChildren(QToolButton) if each.isVisible() and "Matplotlib" in each.text()]


@pytest.mark.parametrize("number", NUMBERS)
def test_an_answer_is_one_plain_sentence_and_then_the_numbers(number):
    question = question_of(number)
    found = re.split(r"(?<=[.?!])\s+(?=\w)", question.answered())
    assert 2 <= len(found) <= 4
    assert re.search(r"(?<![\w-])[\d−]", found[0]) is None, "a digit only within a name, as GPT-2"
    if question.copies is None:  # a text to copy stands last, as it is
        assert found[-1].endswith(".")


def test_all_questions_are_read_and_have_words_of_their_own():
    assert sorted(NUMBERS) == list(range(1, 26))
    assert len({question.text for question in questions()}) == 25
    assert all(question.text.endswith("?") for question in questions())


@pytest.mark.thorough
def test_in_a_small_window_the_answer_is_whole_and_the_panel_has_the_room(window):
    window.resize(*SMALL)
    settle()
    for number in NUMBERS:
        check_room(window, number)


def check_room(window, number):
    window.commands.story.open_question(number)
    settle()
    assert (window.width(), window.height()) == SMALL
    words = control(window, "answer")
    (title,) = [
        each for each in window.findChildren(QLabel) if each.text() == question_of(number).text and each.isVisible()
    ]
    for label in (words, title):
        assert label.heightForWidth(label.width()) <= label.height()
    strip = words.parentWidget()
    rows = [strip, window.centralWidget(), window.sentence_bar.focusProxy().parentWidget()]
    rects = [QRect(each.mapTo(window, each.rect().topLeft()), each.size()) for each in rows]
    assert not any(a.intersects(b) for index, a in enumerate(rects) for b in rects[:index])
    start = question_of(number).start
    if start is not None:
        assert window.workspaces.maximised == start.panel
        assert window.panels[start.panel].view.height() >= 200


def test_escape_brings_the_other_panels_back_in_a_small_window(window):
    window.resize(*SMALL)
    settle()
    window.commands.story.open_question(15)
    settle()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    settle()
    assert window.workspaces.maximised is None
    assert window.panels["spectrum"].isVisible()


def test_the_answer_says_that_the_document_is_another_and_goes_with_its_undoing(window):
    window.commands.story.open_question(6)
    settle()
    window.store.edit("d_model", 64)
    settle()
    assert any("(before your changes)" in label.text() for label in window.findChildren(QLabel) if label.isVisible())
    window.store.undo()
    settle()
    assert not any("(before your changes)" in label.text() for label in window.findChildren(QLabel))
    window.store.undo()
    settle()
    assert window.store.document == Document()
    assert not [each for each in window.findChildren(QLabel) if each.accessibleName() == "answer" and each.isVisible()]


def test_the_answer_is_closed_by_its_button_and_gives_its_room_back(window):
    before = window.centralWidget().height()
    window.commands.story.open_question(4)
    settle()
    assert window.centralWidget().height() < before
    Clicks().click(control(window, "Close the answer and keep the document that it shows"))
    assert window.centralWidget().height() == before
    assert window.store.document == question_of(4).start.document


def test_a_question_leaves_unsaved_work_unsaved_and_its_file_alone(window, tmp_path):
    QTest.keyClicks(sentence_edit(window), " today")
    assert not window.store.is_saved
    window.store.set_saved(tmp_path / "mine.posenc")
    window.commands.story.open_question(4)
    assert window.store.path is None
    assert window.store.is_saved, "nothing of the person's is lost"
    window.store.undo()
    assert window.store.path == tmp_path / "mine.posenc"
    QTest.keyClicks(sentence_edit(window), " again")
    window.commands.story.open_question(4)
    assert not window.store.is_saved
