"""The words in the panels' headers: whole, or in the tool tip and behind F1."""

import pytest
from dialogs import press_text
from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel
from window_bench import act, shown_panels

from posenc_core import ENCODINGS
from posenc_gui.panels import PANELS, spec_of


def labels(panel):
    return [label for label in panel.findChildren(QLabel) if label.isVisible() and label.text()]


@pytest.mark.thorough
def test_no_header_is_cut_off_at_1440(window):
    for family in ENCODINGS:
        window.store.edit("family", family)
        settle()
        check_headers(window)


def check_headers(window):
    assert shown_panels(window)
    for panel in shown_panels(window).values():
        texts = [label.text() for label in labels(panel)]
        assert panel.figure.spec.title in texts
        hint = panel.figure.pointing.subtitle()
        assert {hint, hint.partition(". ")[0]} & set(texts)
        assert not any("…" in text for text in texts)
        for label in labels(panel):
            if not label.wordWrap():
                assert label.fontMetrics().horizontalAdvance(label.text()) <= label.width()


def test_the_tool_tip_of_a_title_explains_the_panel(window):
    for panel in shown_panels(window).values():
        (title,) = [label for label in labels(panel) if label.text() == panel.figure.spec.title]
        assert title.toolTip().replace("\n", " ") == f"{panel.figure.spec.explanation} (F1)"


def test_a_narrow_header_has_no_half_sentence(window):
    panel = window.panels["waves"]
    window.resize(880, 560)
    window.store.edit("family", "rotary")
    settle()
    texts = [label.text() for label in labels(panel)]
    assert not any("…" in text for text in texts)
    hint = panel.figure.pointing.subtitle()
    assert all(hint == text or hint[:6] not in text for text in texts)


def test_f1_is_short_shows_the_keys_and_says_more_where_that_is_asked_for(window, answers, qtbot):
    for name in PANELS:
        answers.seen.clear()
        window.activateWindow()  # which it is not at once after a dialog
        qtbot.waitUntil(window.isActiveWindow)
        check_f1(window, answers, name)


def check_f1(window, answers, name):
    window.commands.story.finder.go_to_panel(name)
    settle()
    spec = spec_of(name)
    if spec.more:
        answers.expect(press_text("&More"))
    answers.expect(press_text("&OK"))
    act(window, "explain")
    assert answers.given
    told = answers.seen[0]
    assert spec.explanation in told
    assert spec.handling in told
    assert "Home: Show everything" in told
    assert all(spec.more in more and spec.more not in told for more in answers.seen[1:])
    assert len(answers.seen) == (2 if spec.more else 1)


@pytest.mark.parametrize("close", [lambda dialog: QTest.keyClick(dialog, Qt.Key.Key_Escape), QDialog.close])
def test_escape_and_the_frame_close_what_f1_shows(window, answers, close):
    still_open = []

    def answer(dialog):
        close(dialog)
        if dialog.isVisible():
            still_open.append(dialog.windowTitle())
            press_text("&OK")(dialog)

    answers.expect(answer)
    act(window, "explain")
    assert answers.given
    assert not still_open
    assert not window.docks["lesson"].isVisible()
