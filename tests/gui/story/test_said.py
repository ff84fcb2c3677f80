"""Agreed sentences of the program, word for word, each at its place on the screen."""

import json

import numpy as np
import pytest
from dialogs import press
from pixels import pixels_of, settle, window_words
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QDialog, QTreeWidget, QWidget

from posenc_core import Document, LearnedTable, Rotary
from posenc_gui.model import Cursor
from posenc_gui.story.prose import Prose

ROPE = Rotary(128)


def open_panel(window, name: str, document: Document) -> None:
    """Show the panel alone with the document, and its cell (1, 2)."""
    window.store.replace(document, "document")
    window.commands.story.finder.go_to_panel(name)
    window.workspaces.show_alone((name,))
    window.cursor_control.hold(Cursor(1, 2))


def take(window, lesson: str, step: int, reveal: bool = False) -> None:
    """Show a step of a lesson."""
    window.commands.story.take_lesson(lesson)
    window.commands.story.lessons.turn(step - 1)
    if reveal:
        window.commands.story.lessons.page.reveal()


def readable(window) -> str:
    """All texts that are painted, the tool tips of what is visible, and the entries of its lists."""
    shown = [each for each in window.findChildren(QWidget) if each.isVisible()]
    boxes = [each for each in shown if isinstance(each, QComboBox)]
    entries = [box.itemData(row, Qt.ItemDataRole.ToolTipRole) or "" for box in boxes for row in range(box.count())]
    painted = " ".join(each.text for each in window_words(window))
    formulas = [each.plain_text for each in shown if isinstance(each, Prose)]
    words = " ".join([painted, *formulas, *(each.toolTip() for each in shown), *entries])
    return words.replace("\u200b", "").replace("\u00a0", " ")


def show_gallery(window) -> None:
    """Show the gallery at the standard size, where its cards have room for a few words."""
    window.resize(1440, 900)
    window.commands.story.finder.go_to_panel("gallery")


def spectrum_of_yarn() -> Document:
    edits = {"trained_length": 4096, "target_length": 16384, "compared_scalings": ("yarn",)}
    document = Document(encoding=ROPE)
    for name, value in edits.items():
        document = document.edited(name, value)
    return document


SEEN = {
    "first start": (
        lambda window: None,
        "Read a token's dots from bottom to top: that is its vector",
        "one row per token",
        "words, split at spaces",
        "What does RoPE rotate?",
    ),
    "question 3": (
        lambda window: window.commands.story.open_question(3),
        "one fixed matrix takes each row to the next",
        "you cannot tell which one",
    ),
    "question 15": (
        lambda window: window.commands.story.open_question(15),
        "Counts pairs; says nothing about quality",
        "always within range",
    ),
    "question 14": (
        lambda window: window.commands.story.open_question(14),
        "769 of 4,096 positions remain distinct",
        "Each point: largest error over up to 64 positions and all pairs",
    ),
    "question 1": (
        lambda window: window.commands.story.open_question(1),
        "Only comparing scores reveals the wrong layout",
    ),
    "question 8": (lambda window: window.commands.story.open_question(8), "A, B and A − B"),
    "question 17": (lambda window: window.commands.story.open_question(17), "Others soon follow"),
    "question 22": (lambda window: window.commands.story.open_question(22), "Random (seed 0), not from a model"),
    "spectrum": (
        lambda window: open_panel(window, "spectrum", spectrum_of_yarn()),
        "Shading: YaRN ×4. Pair 2 makes 489 turns within L",
    ),
    "lens": (
        lambda window: open_panel(window, "lens", Document(encoding=ROPE)),
        "Your q, repeated to fill the head; length unchanged (57.13)",
    ),
    "one encoding": (
        lambda window: open_panel(window, "drift", Document(encoding=ROPE)),
        "Add a second encoding to compare",
    ),
    "learned table": (
        lambda window: window.store.replace(Document(seq_len=8, encoding=LearnedTable()), "document"),
        "Small demo table trained for this program",
    ),
    "gallery": (
        show_gallery,
        "slows only the slow pairs",
    ),
    "no position": (
        lambda window: window.store.edit("family", "none"),
        "position shows only in how many keys the mask leaves visible",
    ),
    "lesson 1": (
        lambda window: take(window, "01-why-not-just-count", 1, reveal=True),
        "What is the value in column 2 at position 300?",
    ),
    "lesson 4, step 2": (
        lambda window: take(window, "04-waves-instead-of-switches", 2),
        "A wave repeats once the angle has grown by 2π",
    ),
    "lesson 4, step 4": (
        lambda window: take(window, "04-waves-instead-of-switches", 4),
        "How many times does column 2 reach its value at position 5?",
    ),
    "lesson 7": (lambda window: take(window, "07-turn-do-not-add", 1), "What does rotation preserve?"),
    "lesson 10": (
        lambda window: take(window, "10-find-the-fault", 1, reveal=True),
        "Show restores the trained base",
    ),
}
"""By place: the action that shows sentences, and these sentences."""

ELSEWHERE = ("Why not just number the words?", "this model", "not valid JSON")
"""Sentences with a test of their own below."""


@pytest.mark.one_of(12)
@pytest.mark.parametrize("place", SEEN)
def test_a_sentence_is_on_the_screen(qtbot, window, place):
    show, *sentences = SEEN[place]
    window.resize(1440, 1000)
    show(window)
    settle()
    for sentence in sentences:
        qtbot.waitUntil(lambda sentence=sentence: sentence in readable(window))


def test_a_question_is_in_the_list_of_questions(window):
    window.commands.story.show_questions()
    (dialog,) = [each for each in window.findChildren(QDialog) if each.isVisible()]
    listed = dialog.findChild(QTreeWidget)
    assert "Why not just number the words?" in [
        listed.topLevelItem(row).text(0) for row in range(listed.topLevelItemCount())
    ]
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_the_card_of_a_model_without_numbers_says_which_encoding_stays(window, tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"model_type": "xlnet", "d_model": 64, "n_layer": 2, "n_head": 2}))
    window.open_file(path)
    settle()
    assert "these files have no numbers of this model's positions" in readable(window)


def test_a_file_that_is_damaged_is_refused_in_words(window, answers, tmp_path):
    path = tmp_path / "config.json"
    path.write_text('{"model_type" 1}')
    answers.expect(press("Ok"))
    window.open_file(path)
    assert "not valid JSON" in answers.seen[0]


def test_lines_of_a_config_are_set_line_by_line_and_indented(window):
    take(window, "10-find-the-fault", 1)
    settle()
    lines = {each.text: each for each in window_words(window) if each.text in ("{", '"model_type": "llama",', "}")}
    opening, key, closing = sorted(lines.values(), key=lambda each: each.y)
    assert [opening.text, closing.text] == ["{", "}"]
    pixels, begins = pixels_of(window).astype(int), []
    for each in (opening, key, closing):
        line = pixels[round(each.y) - 8 : round(each.y), round(each.x) : round(each.x) + 60]
        begins.append((np.abs(line - line[0, -1]).max(axis=(0, 2)) > 60).argmax())
    assert max(begins[0], begins[2]) < begins[1] - 3


def test_the_sentences_are_twenty_eight():
    assert sum(len(each) - 1 for each in SEEN.values()) + len(ELSEWHERE) == 28
