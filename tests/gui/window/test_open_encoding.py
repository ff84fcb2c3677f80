"""Python files with encodings in the window: run where the user chose one and agreed, and never else."""

import json

import pytest
from dialogs import choose, dismiss, press, press_text
from pixels import settle
from plugin_files import BROKEN, EXAMPLE, SLOW, changed, installed
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QLabel
from window_bench import control, drop, says, type_number

from posenc_core import ENCODINGS, Document, encode
from posenc_gui.cli import parser_of

pytestmark = pytest.mark.one_window

RUNS = "from pathlib import Path\nPath(__file__).with_suffix('.ran').touch()\n"


@pytest.fixture
def path(tmp_path, window):
    """A file to write; its encodings are gone after the test."""
    before = set(ENCODINGS)
    yield tmp_path / "mine.py"
    window.store.replace(Document(), "a new one")
    settle()
    for family in set(ENCODINGS) - before:
        ENCODINGS.unregister(family)


def open_encoding(window):
    window.menus.actions["open_encoding"].trigger()
    settle()


def test_the_first_time_the_user_is_told_that_the_file_is_code(window, answers, path):
    path.write_text(RUNS + EXAMPLE)
    answers.expect(choose(path))
    answers.expect(press("Cancel"))
    open_encoding(window)
    assert answers.seen[-1].startswith("Open encoding (Python): mine.py is code.")
    assert not path.with_suffix(".ran").exists(), "nothing was run"
    answers.expect(choose(path))
    answers.expect(press_text("&Run it"))
    open_encoding(window)
    assert path.with_suffix(".ran").exists()
    assert window.store.document.encoding.family == "fading_waves"
    assert window.store.history.undo_text == "encoding Fading waves"
    answers.expect(choose(path))
    open_encoding(window)
    assert len(answers.seen) == 5, "no question the second time"


def test_the_question_shows_the_path(window, answers, path):
    path.write_text(EXAMPLE)
    told = []

    def look(dialog):
        told.append(dialog.informativeText())
        dialog.reject()

    answers.expect(choose(path))
    answers.expect(look)
    open_encoding(window)
    assert str(path) in told[0]


def test_an_opened_encoding_is_edited_undone_and_opened_again_after_a_change_of_the_file(window, path):
    path.write_text(EXAMPLE)
    window.commands.open_encoding(path)
    settle()
    assert control(window, "family").currentText() == "Fading waves"
    assert says(window, "Triangle waves of doubling periods")
    type_number(window, "rate", "0.5")
    before = encode(window.store.document.encoding, [1])
    path.write_text(EXAMPLE.replace("-self.rate *", "-2 * self.rate *"))
    window.commands.open_encoding(path)
    settle()
    assert window.store.document.encoding.parameters() == {"d_model": 8, "rate": 0.5}
    assert encode(window.store.document.encoding, [1]) == pytest.approx(before * 0.6065307, abs=1e-6)
    for _ in range(3):
        window.store.undo()
    assert window.store.document == Document()


@pytest.mark.parametrize("way", ["import error", "raises in values", "wrong shape", "nan", "name taken"])
def test_a_broken_file_is_told_in_a_sentence_and_the_picture_stays(window, answers, path, way):
    text, sentence = BROKEN[way]
    path.write_text(text)
    shown = window.store.document
    answers.expect(press("Ok"))
    window.commands.open_encoding(path)
    settle()
    assert answers.seen[0].startswith(f"Cannot open: Cannot use mine.py: {sentence}")
    assert window.store.document is shown


def test_a_slow_file_shows_its_progress_and_can_be_cancelled(window, answers, path):
    path.write_text(SLOW)
    before, said = window.store.document, []
    answers.expect(lambda dialog: (said.append(dialog.findChild(QLabel).text()), dialog.cancel()))
    window.commands.open_encoding(path)
    settle()
    assert said == ["Running mine.py"]
    assert window.store.document is before
    path.write_text(EXAMPLE)
    window.commands.open_encoding(path)
    assert window.store.document.encoding.family == "fading_waves"


def test_an_encoding_that_fails_later_leaves_the_window_alive(window, path):
    late = "        if (positions > 20).any():\n            raise RuntimeError('no more')\n        return"
    path.write_text(changed("        return", late))
    window.commands.open_encoding(path)
    window.store.edit("seq_len", 100)
    for workspace in window.workspaces.offered:
        window.workspaces.choose(workspace)
        settle()
    assert says(window, "entries are left out, and are 0: at position 32, values raises RuntimeError: no more")


def test_a_drop_a_name_and_a_recent_file_run_nothing(window, answers, path, settings):
    path.write_text(RUNS + EXAMPLE)
    answers.expect(press("Ok"))
    drop(window, QUrl.fromLocalFile(str(path)))
    (told,) = answers.seen
    assert told.endswith("mine.py: it is Python code, which only File > Open encoding (Python) and --plugin FILE run")
    answers.expect(press("Ok"))
    window.open_file(path)
    assert not path.with_suffix(".ran").exists()
    window.commands.open_encoding(path)
    assert str(path) not in settings.now.recent_files


def test_a_session_of_an_encoding_that_is_not_here_says_so_and_runs_nothing(window, answers, path, tmp_path):
    values = json.loads(Document().to_json())
    values["encoding"] = {"family": "fading_waves", "file": str(path)}
    path.write_text(RUNS + EXAMPLE)
    session = tmp_path / "theirs.posenc"
    session.write_text(json.dumps(values))
    answers.expect(dismiss)
    window.open_file(session)
    assert "his session shows the encoding 'fading_waves', which is not installed" in answers.seen[0]
    assert not path.with_suffix(".ran").exists()
    window.commands.open_encoding(path)
    window.store.undo()
    window.open_file(session)
    assert window.store.document.encoding.family == "fading_waves"


def test_a_broken_package_is_told_in_the_status_line(window, tmp_path, monkeypatch):
    installed(tmp_path, "windows", changed("ramp_of_mine", "rotary"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(ENCODINGS, "_problems", None)
    window.commands.find_encodings()
    assert window.statusBar().currentMessage() == (
        "The encoding windows_encoding of the package windows is left out: rotary is the name of another kind, Rotary "
        "(RoPE)."
    )


def test_the_program_takes_files_of_encodings_and_opens_them_in_the_window():
    given = parser_of().parse_args(["--plugin", "a.py", "--plugin=b.py", "c.posenc"])
    assert (given.plugin, given.files) == (["a.py", "b.py"], ["c.posenc"])
