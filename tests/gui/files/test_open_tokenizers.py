"""A model's tokenizer in the window: opened by its content, from the card or from the bar, and named by a session."""

import json
import os
import sys
import threading

import numpy as np
import pytest
from dialogs import choose, dismiss
from pixels import settle, texts
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QPushButton
from safetensors_bench import write
from tokenizer_bench import byte_fallback, byte_level, saved, word_pieces
from window_bench import drop

from posenc_core import Document
from posenc_core.tables import embedding_rows
from posenc_core.text import open_tokenizer
from posenc_gui.files import recovery
from posenc_gui.files.file_kinds import FileKind, recognized
from posenc_gui.files.recovery import Recovery, Unsaved
from posenc_gui.files.session import save_session
from posenc_gui.model.cursor import Cursor

N_ROWS = byte_level().get_vocab_size()
NUMBERS = np.sin(np.arange(N_ROWS * 8.0)).reshape(N_ROWS, 8).astype("<f4")
CONFIG = {"model_type": "llama", "hidden_size": 8, "num_attention_heads": 1, "num_hidden_layers": 2}


@pytest.fixture
def folder(tmp_path):
    """A model's folder with its configuration, its tokenizer and its weights."""
    path = tmp_path / "Some-Model"
    path.mkdir()
    saved(byte_level(), path)
    (path / "config.json").write_text(json.dumps(CONFIG))
    write(path / "model.safetensors", {"model.embed_tokens.weight": ("F32", NUMBERS), "other": ("F32", NUMBERS + 1)})
    return path


def words(window):
    return [token.text for token in window.store.document.token_list]


def shown_labels(widget):
    return "\n".join(label.text().replace("\u200b", "") for label in widget.findChildren(QLabel) if label.isVisible())


def choose_tokens(window, value):
    """Take an entry of the bar's combo box, as the mouse does."""
    box = next(box for box in window.sentence_bar.findChildren(QComboBox) if box.accessibleName() == "Split into")
    index = next(index for index in range(box.count()) if box.itemData(index)[0] == value)
    box.setCurrentIndex(index)
    box.activated.emit(index)
    settle()
    return box


def special(window):
    (box,) = [box for box in window.sentence_bar.findChildren(QCheckBox) if box.text() == "special"]
    return box


def test_a_dropped_tokenizer_divides_the_sentence(window, folder):
    before = window.store.document
    assert not special(window).isVisible()
    window.store.edit("sentence", "Dan 🍦")
    assert drop(window, QUrl.fromLocalFile(str(folder / "tokenizer.json")))
    assert words(window) == ["<s>", "Dan", " 🍦"]
    assert window.store.history.undo_text == "tokenizer tokenizer.json"
    assert "<s>" in texts(window.panels["tokens"].view)
    assert special(window).isVisible()
    special(window).click()
    assert words(window) == ["Dan", " 🍦"]
    choose_tokens(window, "bytes")
    assert not special(window).isVisible()
    choose_tokens(window, "model")
    assert words(window) == ["Dan", " 🍦"], "the tokenizer is still open"
    while window.store.history.can_undo:
        window.store.undo()
    assert window.store.document == before


def test_ids_and_bytes_are_told_in_tool_tips(window, folder):
    window.open_file(saved(byte_fallback(), folder))
    window.docks["vector"].raise_()
    window.store.edit("sentence", "日")
    window.cursor_control.point(_cell(1))
    settle()
    (headline,) = {label for label in window.vector_dock.findChildren(QLabel) if "position" in label.text()}
    assert headline.toolTip() == f"[E6]: id {0xE6 + 2}\nbytes E6\npart of “日”"
    window.store.edit("tokens", "words")
    assert not headline.toolTip()


def _cell(position):
    return Cursor(position, 0, pinned=True)


def test_the_bar_asks_for_a_file_where_no_tokenizer_is_open(window, answers, folder):
    answers.expect(dismiss)
    box = choose_tokens(window, "model")
    assert window.store.document.tokens == "words"
    assert box.currentData()[0] == "words"
    answers.expect(choose(folder / "tokenizer.json"))
    choose_tokens(window, "model")
    assert words(window)[0] == "<s>"


def test_the_card_offers_the_models_tokenizer(window, folder, tmp_path):
    window.open_file(folder)
    settle()
    button = next(each for each in window.model_dock.findChildren(QPushButton) if each.text() == "Use its tokenizer")
    assert button.isVisible()
    button.click()
    assert words(window)[0] == "<s>"
    other = tmp_path / "config.json"
    other.write_text(json.dumps(CONFIG))
    window.open_file(other)
    settle()
    assert not button.isVisible()


def test_the_embedding_of_the_model_adds_to_the_real_sum(window, folder):
    window.docks["vector"].raise_()
    window.open_file(folder / "tokenizer.json")
    document = window.store.document
    window.store.edit("embedding", "model")
    document = window.store.document
    ids = list(document.token_list.ids)
    assert np.array_equal(document.vectors_of(document.token_list), NUMBERS[ids].astype(np.float64))
    assert "= sum" in texts(window.panels["tokens"].view)
    label = "model.safetensors: model.embed_tokens.weight"
    assert label in window.panels["tokens"].figure.pointing.note()
    assert label in shown_labels(window.encoding_dock)
    for widget in (window.encoding_dock, window.vector_dock):
        assert "simulated" not in shown_labels(widget)
        assert "no model's" not in shown_labels(widget)
    choose_tokens(window, "words")
    assert window.store.document.tokens == "model"
    assert "rows for the model's own tokens only; change it first" in shown_labels(window.sentence_bar)


def test_an_embedding_without_a_file_is_refused_in_a_sentence(window):
    window.store.try_edit("embedding", "model")
    settle()
    assert window.store.document == Document()
    assert "no model with an embedding is open" in shown_labels(window.encoding_dock)


def test_an_embedding_that_cannot_be_read_is_told_and_the_tokens_are_shown(window, answers, folder):
    damaged = np.array(NUMBERS, "<f4")
    damaged[:, 3] = np.nan
    write(folder / "model.safetensors", {"wte.weight": ("F32", damaged)})
    answers.expect(dismiss)
    window.open_file(folder / "tokenizer.json")
    assert "The model's embedding is not opened: the table has nan in row 0, column 3" in answers.seen[0]
    assert words(window)[0] == "<s>"
    assert window.store.document.embedding.rows is None


def test_a_file_that_shrinks_later_is_told_and_crashes_nothing(window, folder):
    window.open_file(folder / "tokenizer.json")
    window.docks["vector"].raise_()
    window.store.edit("embedding", "model")
    window.cursor_control.point(_cell(1))
    os.truncate(folder / "model.safetensors", 300)
    window.store.edit("sentence", "Dan loves")
    settle()
    assert "was cut off after its table was opened" in shown_labels(window.vector_dock)


def test_changes_by_the_tokenizer_are_named_below_the_sentence(window, tmp_path):
    window.open_file(saved(word_pieces(), tmp_path))
    settle()
    assert "This tokenizer changes the text" in shown_labels(window.sentence_bar)
    window.store.edit("sentence", "dan loves ice")
    settle()
    assert "This tokenizer changes the text" not in shown_labels(window.sentence_bar)


def test_a_slow_file_shows_its_progress_and_can_be_cancelled(window, answers, folder, monkeypatch):
    before, go = window.store.document, threading.Event()

    def slowly(path):
        go.wait(60)
        return open_tokenizer(path)

    monkeypatch.setattr("posenc_core.text.open_tokenizer", slowly)
    said = []
    answers.expect(lambda dialog: (said.append(shown_labels(dialog)), dialog.cancel()))
    window.open_file(folder / "tokenizer.json")
    go.set()
    assert said == ["Reading tokenizer.json"]
    assert window.store.document == before
    window.open_file(folder / "tokenizer.json")
    assert words(window)[0] == "<s>"


def test_a_session_opens_where_its_tokenizer_is_open(window, answers, folder, tmp_path):
    window.open_file(folder / "tokenizer.json")
    window.store.edit("embedding", "model")
    shown, path = window.store.document, tmp_path / "mine.posenc"
    save_session(shown, path)
    assert str(folder) not in path.read_text()
    window.store.replace(Document(), "new")
    window.store.mark_saved()
    window.open_file(path)
    assert window.store.document == shown


def test_a_session_without_its_tokenizer_says_which(window, answers, folder, tmp_path):
    path = tmp_path / "mine.posenc"
    save_session(Document().with_tokenizer(open_tokenizer(folder / "tokenizer.json")), path)
    answers.expect(dismiss)
    window.open_file(path)
    assert "tokens of the tokenizer 'tokenizer.json', which a session does not contain" in answers.seen[0]
    window.open_file(folder / "tokenizer.json")
    window.store.mark_saved()
    window.open_file(path)
    assert words(window)[0] == "<s>"


def test_unsaved_work_comes_back_with_its_tokenizer(folder, tmp_path):
    tokenizer = open_tokenizer(folder / "tokenizer.json")
    document = Document("Dan").with_tokenizer(tokenizer, embedding_rows(folder, tokenizer.n_ids))
    document = document.edited("embedding", "model")
    kept = Recovery(tmp_path / "kept")
    kept.write(Unsaved(document))
    (session,) = (tmp_path / "kept").glob("*.posenc")
    assert recovery._split(session.read_bytes()).document == document
    kept.end()


def test_a_tokenizer_is_recognized_by_its_content(tmp_path):
    path = saved(byte_level(), tmp_path).rename(tmp_path / "other.json")
    assert recognized(path).kind is FileKind.TOKENIZER
    path.write_text('{"model": {"type": "BPE"}, "format": "posenc session"}')
    assert recognized(path).kind is FileKind.SESSION
    (tmp_path / "tokenizer.json").write_text("")
    assert recognized(tmp_path / "tokenizer.json").kind is FileKind.TOKENIZER


@pytest.mark.parametrize("content", [b"", b"{}", b"[" * 5000, b'{"model": {"vocab": {}}}', b"\0" * 99])
def test_a_damaged_tokenizer_is_refused_in_one_sentence(window, answers, tmp_path, content):
    before = window.store.document
    (tmp_path / "tokenizer.json").write_bytes(content)
    answers.expect(dismiss)
    window.open_file(tmp_path / "tokenizer.json")
    assert "The tokenizer 'tokenizer.json' cannot be opened: " in answers.seen[0]
    assert window.store.document == before


def test_without_the_library_the_window_says_how_to_install_it(window, answers, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    answers.expect(dismiss)
    window.open_file(folder / "tokenizer.json")
    assert 'python -m pip install "posenc[tokenizers]"' in answers.seen[0]
