"""Tables and models' configurations: by menu, by dropping, by the recent files, and named by a session."""

import json
import os
import re

import numpy as np
import pytest
from dialogs import choose, dismiss, press, press_text
from json_parses import parses_of
from pixels import settle
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QTreeWidget
from safetensors_bench import write
from window_bench import act, changed, drop, pictures, recent

from posenc_core import Document, LearnedTable
from posenc_gui.files.errors import FileError
from posenc_gui.files.session import open_session, save_session
from posenc_gui.model.cursor import Cursor

NUMBERS = np.sin(np.arange(90.0).reshape(30, 3)).astype("<f4")


@pytest.fixture
def model(tmp_path):
    """A model of three tables and a line of numbers."""
    tensors = {"wte.weight": NUMBERS + 1, "ln.bias": NUMBERS[0], "wpe.weight": NUMBERS, "lm_head": NUMBERS + 2}
    write(tmp_path / "model.safetensors", {name: ("F32", array) for name, array in tensors.items()})
    return tmp_path / "model.safetensors"


def encoding(window):
    return window.store.document.encoding


def choose_row(text):
    """Take the row of the list whose words are these."""

    def answer(dialog):
        view = dialog.findChild(QTreeWidget)
        (item,) = view.findItems(text, Qt.MatchFlag.MatchExactly)
        view.setCurrentItem(item)
        dialog.accept()

    return answer


def test_a_table_is_opened_as_one_step_of_undo(window, answers, tmp_path):
    np.save(tmp_path / "mine.npy", NUMBERS)
    before = window.store.document
    answers.expect(choose(tmp_path / "mine.npy"))
    act(window, "open_table")
    assert encoding(window) == LearnedTable(str(tmp_path / "mine.npy"))
    assert window.store.history.undo_text == "table mine.npy"
    assert recent(window).actions()[0].data() == str(tmp_path / "mine.npy")
    window.store.undo()
    assert window.store.document == before
    (tmp_path / "mine.npy").unlink()
    window.store.redo()
    assert np.array_equal(encoding(window).values(np.arange(30), np.arange(3)), NUMBERS), "nothing is opened again"


def test_a_tensor_is_chosen_from_the_list(window, answers, model):
    seen = []

    def look(dialog):
        view = dialog.findChild(QTreeWidget)
        for number in range(view.topLevelItemCount()):
            seen.append([view.topLevelItem(number).text(column) for column in range(3)])
        assert not dialog.findChild(QLineEdit).isVisible(), "three need no filter"
        choose_row("wte.weight")(dialog)

    answers.expect(choose(model))
    answers.expect(look)
    act(window, "open_table")
    assert seen == [[name, "30 × 3", "F32"] for name in ("wpe.weight", "wte.weight", "lm_head")]
    assert encoding(window).label == "model.safetensors: wte.weight"
    answers.expect(dismiss)
    recent(window).actions()[0].trigger()
    assert encoding(window).label == "model.safetensors: wte.weight"
    answers.expect(lambda dialog: QTest.keyClick(dialog.findChild(QTreeWidget), Qt.Key.Key_Return))
    recent(window).actions()[0].trigger()
    assert encoding(window).label == "model.safetensors: wpe.weight"


def test_the_table_stays_while_its_offset_and_everything_else_is_edited(window, answers, tmp_path):
    np.save(tmp_path / "mine.npy", NUMBERS)
    window.open_file(tmp_path / "mine.npy")
    window.store.edit("offset", 2)
    window.store.edit("seq_len", 20)
    assert encoding(window) == LearnedTable(str(tmp_path / "mine.npy"), 2)
    window.store.edit("weights", "untrained")
    assert encoding(window) == LearnedTable.untrained(30, 3, 0, 2)
    window.store.edit("weights", "trained")
    for _ in range(2):
        window.store.undo()
    assert encoding(window).label == "mine.npy"


def test_a_session_names_the_table_and_opens_when_it_is_open(window, answers, model, tmp_path):
    answers.expect(choose_row("wpe.weight"))
    window.open_file(model)
    shown = window.store.document
    path = tmp_path / "mine.posenc"
    save_session(shown, path)
    text = path.read_text()
    assert str(model.parent) not in text
    assert json.loads(text)["encoding"]["table_name"] == "model.safetensors: wpe.weight"
    act_new(window)
    window.open_file(path)
    assert window.store.document == shown, "the table was opened in this run"
    act_new(window)
    sentence = "this session shows the table 'model.safetensors: wpe.weight' (30 x 3), which a session does not contain"
    with pytest.raises(FileError, match=re.escape(sentence)):
        open_session(path)
    assert open_session(path, shown.tables) == shown


def act_new(window):
    window.store.replace(Document(), "new")
    window.store.mark_saved()


def test_a_session_whose_table_is_not_open_says_so_and_stays_on_offer(window, answers, model, tmp_path):
    document = Document(encoding=LearnedTable.from_file(model, "wpe.weight"))
    path = tmp_path / "mine.posenc"
    save_session(document, path)
    window.store.mark_saved()
    window.files.remember(path, "tables")
    answers.expect(press("Ok"))
    window.open_file(path)
    assert answers.seen[0].endswith("which a session does not contain; open that table first")
    assert window.store.document == Document()
    assert str(path) in [action.data() for action in recent(window).actions()]
    answers.expect(choose_row("wpe.weight"))
    window.open_file(model)
    window.store.mark_saved()
    window.open_file(path)
    assert window.store.document == document


def test_a_session_never_opens_a_file(tmp_path, model):
    """Paths in the fields of a session are only names."""
    plain = json.loads(Document(encoding=LearnedTable()).to_json())
    for weights in ("file", str(model), f"file://{model}", "../model.safetensors"):
        for name in ("table_digest", "table_name", "path", "source"):
            plain["encoding"] = {"family": "learned", "weights": weights, name: str(model)}
            with pytest.raises(ValueError, match=r"open that table first|no file's table is open|weights must be"):
                Document.from_json(json.dumps(plain))


def test_dropped_files_are_told_apart_by_what_they_hold(window, answers, tmp_path):
    np.save(tmp_path / "a.npy", NUMBERS)
    (tmp_path / "a.npy").rename(tmp_path / "table.json")
    answers.expect(press_text("&Open as a learned table"))
    assert drop(window, QUrl.fromLocalFile(str(tmp_path / "table.json")))
    assert encoding(window).label == "table.json"
    (tmp_path / "odd.npy").write_text(json.dumps({"model_type": "marian", "d_model": 6}))
    assert drop(window, QUrl.fromLocalFile(str(tmp_path / "odd.npy")))
    assert (encoding(window).family, encoding(window).n_columns) == ("sinusoidal", 6)
    assert window.store.history.undo_text == "model odd"


LAYERS = {
    "model_type": "gemma3_text",
    "head_dim": 64,
    "hidden_size": 640,
    "num_attention_heads": 4,
    "max_position_embeddings": 4096,
    "layer_types": ["sliding_attention", "full_attention"],
    "rope_parameters": {
        "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
        "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0},
    },
}


def test_a_config_is_opened_as_a_model(window, answers, tmp_path):
    folder = tmp_path / "gemma"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(LAYERS))
    answers.expect(choose(folder / "config.json"))
    act(window, "open_model")
    assert encoding(window).parameters()["rope_theta"] == 1e4
    assert window.store.history.undo_text == "model gemma"
    window.store.undo()
    recent(window).actions()[0].trigger()
    assert window.store.document.model.name == "gemma"


def test_a_config_is_parsed_once(window, tmp_path, monkeypatch):
    (tmp_path / "odd.json").write_text(json.dumps(LAYERS | {"read_once": True}, separators=(", ", ":  ")))
    parsed = parses_of('"read_once":  ', monkeypatch)  # with the spaces of the file, which the document does not keep
    window.open_file(tmp_path / "odd.json")
    assert encoding(window).parameters()["rope_theta"] == 1e4
    assert len(parsed) == 1


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("config.json", b'{"model_type": "no_such_model"}'),
        ("config.json", b"{"),
        ("table.npy", b"\x93NUMPY\x01\x00"),
        ("table.safetensors", b"\x02\0\0\0\0\0\0\0{}"),
        ("table.safetensors", b"nothing like it"),
        ("missing.npy", None),
    ],
)
def test_a_file_that_cannot_be_opened_is_one_sentence_and_changes_nothing(window, answers, tmp_path, name, content):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    before = pictures(window)
    window.files.remember(tmp_path / name, "tables")
    answers.expect(press("Ok"))
    window.open_file(tmp_path / name)
    assert answers.seen[0].startswith("Cannot open: ")
    assert "\n" not in answers.seen[0]
    assert window.store.document == Document()
    shown = {name for name, panel in window.panels.items() if panel.isVisible()}
    assert changed(before, pictures(window)) & shown == set()
    assert recent(window).actions() == []


@pytest.mark.parametrize("workspace", ["vectors", "relations", "story"])
def test_a_table_whose_file_is_cut_off_is_told_and_no_unexpected_error(window, tmp_path, workspace):
    """As by a script that writes the file again while the window shows it."""
    window.workspaces.choose(workspace)
    path = tmp_path / "mine.npy"
    np.save(path, np.ones((3000, 40), np.float32))
    assert window._opener.open_table(path)
    window.cursor_control.hold(Cursor(1, 2))
    os.truncate(path, 300)
    window.store.edit("sentence", "a b c d")
    settle()
    told = [label.text().replace("\u200b", "") for label in window.number_dock.findChildren(QLabel)]
    assert any("was cut off after its table was opened" in text for text in told)
    save_session(window.store.document, tmp_path / "mine.posenc")
