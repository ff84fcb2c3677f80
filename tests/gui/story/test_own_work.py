"""Random lessons, questions, undo, saving, opening and crashes: no edit is lost unless the user discards it."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from window_bench import act

from posenc_core import ENCODINGS, Alibi, Document, Sinusoidal, identify
from posenc_core.encodings.plugins import EXAMPLE
from posenc_core.session import NamedEncoding
from posenc_gui.files import Recovery, save_session
from posenc_gui.window.sessions.autosave import Autosave

ACTIONS = 120
CONFIGS = Path(__file__).parents[2] / "data" / "model_configs"
FAMILY = "fading_waves"
"""Name of the family in the example plugin."""

WRONG = np.where(np.arange(24)[:, None] == 7, 0.5, Sinusoidal(8).values(np.arange(24), np.arange(8)))
KINDS, SHORT = "1-kinds", "2-short"
KEYS = {"next": Qt.Key.Key_Space, "before": Qt.Key.Key_Backspace, "leave": Qt.Key.Key_Escape}


class Person:
    """Acts on the window at random, and remembers the documents that they made by edits."""

    def __init__(self, window, dock, folder, draw):
        self.window, self.store, self.dock, self.folder, self.draw = window, window.store, dock, folder, draw
        self.made = []
        self.autosave = Autosave(window.store, Recovery(folder / "recovery"), interval_ms=10**9)

    def edit(self):
        number = len(self.made)
        if self.draw.random() < 0.5:
            self.store.edit("sentence", f"words of edit {number}")
        else:
            self.store.edit("seq_len", 100 + number)
        self.made.append(self.store.document)

    def _made(self, edit):
        """Keep what the edit makes, if it makes another document."""
        before = self.store.document
        edit()
        if self.store.document != before:
            self.made.append(self.store.document)

    def formula(self):
        """A formula of one's own, in two edits."""
        self._made(lambda: self.store.edit("family", "formula"))
        self._made(lambda: self.store.edit("formula", f"sin(p / {len(self.made) + 1})"))

    def compare(self):
        """Another encoding beside the present one, or that one alone."""
        document = self.store.document
        listed = (*document.encodings[:1], NamedEncoding(Alibi(self.draw.choice([2, 4]))))
        self._made(lambda: self.store.compare(listed[: self.draw.choice([1, 2])], 0, "encodings"))

    def preset(self):
        self._made(lambda: self.window.commands.open_preset(self.draw.choice(["paper", "llama-3.1-8b", "kerple"])))

    def encoding(self):
        """A Python file of one's own."""
        path = self.folder / "mine.py"
        path.write_text(EXAMPLE)
        self._made(lambda: self.window.commands.open_encoding(path))

    def model(self):
        path = CONFIGS / self.draw.choice(["gpt2_medium.json", "Qwen--Qwen3-0.6B.json"])
        self._made(lambda: self.window._opener.open_model(path, as_b=self.draw.random() < 0.3))

    def drag_word(self):
        """A word to another word's place, as the waves tell it."""
        words = self.store.document.sentence.split()
        self.draw.shuffle(words)
        self._made(lambda: self.window.panels["waves"].fieldEdited.emit("sentence", " ".join(words), object()))

    def check(self):
        """Show a finding in place of the document."""
        self.window.commands.checks._show(identify(WRONG))

    def back(self):
        """Bring back what was there before a finding was shown."""
        buttons = [each for each in self.window.findChildren(QPushButton) if each.text() == "Back to my sentence"]
        if buttons and buttons[0].isEnabled():
            buttons[0].click()

    def present(self):
        self.window.commands.present()
        settle()
        self.window.commands.stop_presenting()

    def lesson(self):
        self.window.commands.story.take_lesson(self.draw.choice([KINDS, SHORT]))

    def turn(self):
        self.dock.page.area.setFocus()
        QTest.keyClick(self.dock.page.area, self.draw.choice([*KEYS.values()]))

    def question(self):
        self.window.commands.story.open_question(self.draw.choice([1, 8, 15]))

    def undo(self):
        self.store.undo()

    def redo(self):
        self.store.redo()

    def undo_lesson(self):
        if self.window.menus.actions["undo_lesson"].isEnabled():
            act(self.window, "undo_lesson")

    def save(self):
        self.window.files._write(self.folder / "saved.posenc")

    def open(self):
        """Open another file, with the present work saved or discarded as the dialog would do."""
        path = self.folder / "other.posenc"
        save_session(Document("another file"), path)
        self.window.files._begin(path, "open")

    def crash(self):
        """Assert that a crash now would leave files with the shown documents."""
        self.autosave.keep()
        self.autosave.finish()
        guest, document = self.store.guest, self.store.document
        kept = sorted((self.folder / "recovery").glob("*.posenc"))
        if not self.autosave.is_needed:
            assert not kept
            return
        session = json.loads(kept[0].read_bytes())
        about, shown = session["recovery"], (document.sentence, document.seq_len)
        lesson = about.get("lesson")
        assert shown in [(each["sentence"], each["seq_len"]) for each in (session, lesson) if each is not None]
        if lesson is not None:
            assert session["sentence"] == guest.own.sentence
        is_guest = guest is not None and guest.is_own_saved and guest.is_present(document)
        assert about.get("guest", False) == is_guest

    def behind(self):
        """The documents up to the present one, which undo shows; they are walked and left as they were."""
        seen, index = [self.store.document], self.store.history.index
        while self.store.history.can_undo:
            self.store.history.move(-1)
            seen.append(self.store.history.document)
        while self.store.history.index < index:
            self.store.history.move(1)
        return seen

    def ahead(self):
        """The documents that redo shows."""
        seen, index = [], self.store.history.index
        while self.store.history.can_redo:
            self.store.history.move(1)
            seen.append(self.store.history.document)
        while self.store.history.index > index:
            self.store.history.move(-1)
        return seen


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_no_edit_is_lost_but_what_a_person_undoes_and_replaces(window, dock, tmp_path, seed):
    draw = random.Random(seed)
    person = Person(window, dock, tmp_path, draw)
    names = ["edit"] * 5 + ["turn"] * 3 + ["lesson", "question", "undo", "redo", "undo_lesson", "save", "open", "crash"]
    names += ["formula", "compare", "preset", "encoding", "model", "drag_word", "check", "back", "present"]
    done = []
    for _ in range(ACTIONS):
        behind = person.behind()
        reachable = [each for each in person.made if each in behind]
        done.append(draw.choice(names))
        getattr(person, done[-1])()
        settle()
        now = [*person.behind(), *person.ahead()]
        lost = [person.made.index(each) for each in reachable if each not in now]
        assert not lost, f"edits {lost} are lost after {done[-8:]}"
    person.autosave.end()
    if FAMILY in ENCODINGS:
        ENCODINGS.unregister(FAMILY)


def test_the_undo_of_a_visit_says_that_it_returns_to_my_document(window):
    window.store.edit("sentence", "my own words")
    window.commands.story.open_question(3)
    window.store.edit("base", 50.0)
    window.store.fold_visit()
    window.store.undo()
    assert window.store.history.undo_text == "return to my document"
