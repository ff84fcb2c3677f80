"""Before *Show* no text on the screen reveals the answer; *Show* changes the picture and leaves everything in view."""

import re

import numpy as np
import pytest
from amounts import some
from lesson_bench import button, predict
from pixels import pixels_of, settle, window_words
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication

from posenc_core.story import compute, filled, names_in, shown_value
from posenc_gui.look import resource
from posenc_gui.story.ghost import Cover, GhostMark
from posenc_gui.story.prose import Prose

pytestmark = pytest.mark.one_window

NAMES = sorted(path.stem for path in resource("lessons").glob("*.json"))
EVERY_LESSON = pytest.mark.parametrize("name", some(NAMES, *NAMES[::3]))
NUMBER = re.compile(r"(?<![\w.,])[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-−]?\d+)?(?![\w.]*\w)")
INDEX = re.compile(r"\b(position|column|col|pair|bit|row|layer|kept|first|d|λ)\s[\d,.]+|\(\d+, \d+\)|\bfrom 0 to\b")
"""Words that count places, whose numbers are no values."""
FEW = 12
"""Up to this number, whole numbers are on every axis: only sentences tell them."""


def taken(window, name):
    """Each step of the lesson, on the screen before *Show*."""
    window.commands.story.take_lesson(name)
    dock = window.commands.story.lessons
    (lesson,) = [each for each in dock.lessons if each.name == name]
    for index, step in enumerate(lesson.steps):
        QApplication.processEvents()
        settle()
        yield dock, index, step
        dock.turn(1)


def seen_words(window) -> list[str]:
    """The texts that are painted and not covered; the fields of the status bar are texts of their own."""
    covers = [
        QRect(each.mapTo(window, QPoint()), each.size()) for each in window.findChildren(Cover) if each.isVisible()
    ]
    for panel in (each for each in window.panels.values() if each.isVisible()):
        at = panel.view.viewport().mapTo(window, QPoint())
        covers += [rect.translated(at) for rect in ghost_covers(panel)]
    words = [
        each for each in window_words(window) if not any(cover.contains(int(each.x), int(each.y)) for cover in covers)
    ]
    return [field for each in words for field in each.text.split("  |  ")]


def ghost_covers(panel) -> list[QRect]:
    """Where the panel's ghost hides what is below, in the pixels of its view."""
    (mark,) = [each for each in panel.view.items() if isinstance(each, GhostMark)] or [None]
    if mark is None or not (mark.ghost.hides_labels or mark.ghost.frame):
        return []
    hidden = [panel.figure] if mark.ghost.frame else panel.figure.pointing.labels
    return [panel.view.mapFromScene(each.sceneBoundingRect()).boundingRect() for each in hidden]


def secrets_of(step) -> dict[str, object]:
    """The answer, and the numbers of the sentence after *Show* that the texts before it do not have.

    A 0 of that sentence is left out: exact numbers have errors of 0, and the first pair is pair 0.
    """
    document = step.start.document
    values = {name: compute(call, document) for name, call in (step.numbers or {}).items()}
    before = " ".join((step.title, *step.text, step.predict.question))
    hidden = {name: values[name] for name in names_in(step.gap) if values.get(name) and name not in names_in(before)}
    given = filled(before, values)
    told = {"answer": compute(step.predict.answer, document), **hidden}
    offered = {*step.predict.choices, *step.check.choices}
    return {name: each for name, each in told.items() if shown_value(each) not in offered and not tells(given, each)}


def tells(text: str, value: object) -> bool:
    """Whether the text has the value, with the digits that say it."""
    if isinstance(value, bool | tuple):
        return False
    if isinstance(value, str):
        return len(value.split()) > 4 and value in text
    plain = INDEX.sub("", text)
    if float(value).is_integer() and abs(value) <= FEW and len(re.findall(r"[a-z]{3,}", plain)) < 4:
        return False
    return any(says(each[0], float(value)) for each in NUMBER.finditer(plain))


def says(number: str, value: float) -> bool:
    digits, _, exponent = number.replace(",", "").replace("−", "-").partition("e")
    power = int(exponent.replace("−", "-") or 0)
    told, last_place = float(digits) * 10.0**power, 10.0 ** (power - len(digits.partition(".")[2]))
    if len(f"{abs(value):.12g}".replace(".", "").strip("0")) < 3:
        return abs(told - value) < 1e-9
    return len(digits.replace(".", "").strip("-0")) >= 3 and abs(told - value) <= 0.51 * last_place


@pytest.mark.parametrize(
    ("text", "value", "is_told"),
    [
        ("18 of 64 pairs unseen", 18, True),
        ("1,502 on", 1502, True),
        ("largest error 1 at the rows held out", 1.0, True),
        ("0.87", 0.8735, False),
        ("0.874", 0.8735, True),
        ("0.25", 0.25, True),
        ("position 18", 18, False),
        ("4", 4, False),
        ("λ 6.3", 628.3, False),
    ],
)
def test_a_text_tells_a_value_if_it_has_its_digits(text, value, is_told):
    assert tells(text, value) == is_told


@pytest.mark.one_of(6)
@EVERY_LESSON
def test_no_text_on_the_screen_before_show_holds_the_answer(window, name):
    for _, index, step in taken(window, name):
        for secret, value in secrets_of(step).items():
            found = [text for text in seen_words(window) if tells(text, value)]
            assert not found, f"step {index + 1}: {secret} = {value}"


def test_a_click_on_a_wave_does_not_say_its_column(window):
    for _, _, step in taken(window, "04-waves-instead-of-switches"):
        predict(window, step)
        assert not [text for text in seen_words(window) if re.search(r"\bcol(umn)? \d\b", text) and "Click" not in text]
        break


def test_a_curve_is_drawn_on_paper_without_the_axes_and_the_curve_of_the_panel(window):
    for _, _, step in taken(window, "01-why-not-just-count"):
        panel = window.panels[step.predict.panel]
        painted = pixels_of(panel.view)
        words = [each.text for each in window_words(window)]
        assert {"position 0", "position 511", "largest", "smallest"} <= set(words)
        window.store.edit("offset", 1)
        assert (pixels_of(panel.view) == painted).all(), "the paper has nothing of the table"
        break


@pytest.mark.one_of(3)
@EVERY_LESSON
def test_show_changes_what_is_seen(window, name):
    for dock, index, _step in taken(window, name):
        before = pixels_of(window.centralWidget())
        dock.page.reveal()
        settle()
        assert (pixels_of(window.centralWidget()) != before).any(), f"step {index + 1}"


def test_show_points_at_the_column_that_was_asked_for(window):
    for dock, _, _ in taken(window, "04-waves-instead-of-switches"):
        dock.page.reveal()
        assert window.cursor_control.cursor.column == 4
        break


def test_show_draws_the_height_at_which_a_wave_passes_twice(window):
    for dock, index, step in taken(window, "04-waves-instead-of-switches"):
        if index == 3:
            dock.page.reveal()
            settle()
            line = compute(step.predict.line, step.start.document)
            assert np.allclose(line, np.sin(5 / 10000 ** (2 / 8)))
            area, rows = window.panels["waves"].figure.area, window.panels["waves"].figure.pointing.rows
            with_line = pixels_of(window.panels["waves"].view)
            dock._stage.clear()
            changed = np.flatnonzero((with_line != pixels_of(window.panels["waves"].view)).any(axis=(1, 2)))
            height = area.mapToScene(0, area.to_y(rows.row_of(2) + rows.height_of(line[0]))).y()
            assert changed.min() - 1 <= height <= changed.max() + 1


@pytest.mark.one_of(3)
@EVERY_LESSON
def test_try_has_its_controls_and_check_is_in_sight_in_a_window_of_the_usual_size(qtbot, window, name):
    window.resize(1440, 870)  # of a screen 900 pixels high a window manager's title takes its part
    for dock, index, step in taken(window, name):
        dock.page.reveal()
        qtbot.waitUntil(lambda: all(each.is_typeset for each in dock.findChildren(Prose) if each.isVisible()))  # noqa: B023
        settle()
        check, area = button(dock, "Check"), dock.page.area
        assert check.visibleRegion().boundingRect() == check.rect(), f"step {index + 1}"
        answer = dock.page._check_editor
        below = answer.mapTo(area.widget(), answer.rect().bottomLeft()).y()
        assert below <= area.viewport().height(), f"step {index + 1}"
        for field in step.controls:
            assert dock.page._form.editor(field).isVisible()
