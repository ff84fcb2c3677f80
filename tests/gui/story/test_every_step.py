"""Every step of every shipped lesson, taken in the real window at its smallest usual size."""

import re
from itertools import pairwise

import pytest
from amounts import some
from lesson_bench import SIZE, clipped, figure_pixels, lines, predict, press, radio_buttons, texts, type_answer
from pixels import settle
from PySide6.QtCore import QSize
from PySide6.QtTest import QTest
from window_bench import shown_panels

from posenc_core.story import compute, filled, shown_value
from posenc_gui.look.resources import resource
from posenc_gui.story.ghost import Cover
from posenc_gui.story.prose import Prose

NAMES = sorted(path.stem for path in resource("lessons").glob("*.json"))


def typeset(qtbot, dock):
    """Wait until all formulas are pictures, which may change the layout."""
    qtbot.waitUntil(lambda: all(each.is_typeset for each in dock.findChildren(Prose) if each.isVisible()))
    settle()


def answer_of(editor_lines, dock, step, right: str) -> None:
    """Answer the check."""
    if step.check.kind == "number":
        type_answer(editor_lines[-1], right.replace("−", "-"))
    else:
        radio_buttons(dock)[step.check.choices.index(right)].click()


def is_covered(panel) -> bool:
    return any(cover.isVisible() and cover.size() == panel.size() - QSize(2, 2) for cover in panel.findChildren(Cover))


def take_step(qtbot, window, dock, step) -> None:
    typeset(qtbot, dock)
    assert window.store.document == step.start.document
    assert window.workspaces.current == step.start.workspace
    assert clipped(dock) == []
    panel = window.panels[step.predict.panel]
    assert panel.isVisible()
    assert is_covered(panel) == (step.predict.panel in step.predict.covers), "what would tell the answer"
    answer = compute(step.predict.answer, window.store.document)
    predict(window, step)
    press(dock, "Show")
    typeset(qtbot, dock)
    assert clipped(dock) == []
    assert not is_covered(panel)
    told = texts(dock)
    for stated in re.findall(r"\{answer[^}]*\}", step.gap):
        assert filled(stated, {"answer": answer}) in told
    with_ghost = figure_pixels(panel)
    dock._stage.clear()
    assert (figure_pixels(panel) != with_ghost).any(), "the ghost"
    dock.page.mark()
    right = compute(step.check.answer, window.store.document)
    assert right == compute(step.check.answer, step.start.document), "the check of the page that is shown"
    answer_of(lines(dock), dock, step, shown_value(right))
    press(dock, "Check")
    typeset(qtbot, dock)
    assert f"It is {shown_value(right)}" in texts(dock)
    assert "as you said." in texts(dock)
    assert clipped(dock) == []
    cut = [name for name, each in shown_panels(window).items() if each.visibleRegion().boundingRect() != each.rect()]
    assert cut == [], "panels beside the lesson, also with the card of a model"


@pytest.mark.one_of(6)
@pytest.mark.parametrize("name", some(NAMES, *NAMES[::3]))
def test_every_step_loads_and_says_what_is_computed_and_has_its_ghost_and_room_for_its_texts(
    qtbot, window, answers, name
):
    window.resize(*SIZE)
    own = window.store.document
    window.commands.story.take_lesson(name)
    QTest.qWait(1)
    dock = window.commands.story.lessons
    (lesson,) = [each for each in dock.lessons if each.name == name]
    for index, step in enumerate(lesson.steps):
        assert f"{index + 1}/{len(lesson.steps)}" in texts(dock)
        take_step(qtbot, window, dock, step)
        press(dock, "Finish" if step is lesson.steps[-1] else "Go on")
    assert dock.list.rows[name].state == "✓ done"
    window.store.undo()
    assert window.store.document == own
    assert all(one != other for one, other in pairwise(lesson.steps))


def test_there_are_eleven_lessons(window):
    window.menus.actions["lessons"].trigger()
    settle()
    assert window.commands.story.lessons.list.refusals == []
    assert len(window.commands.story.lessons.listed) == len(NAMES) == 11
