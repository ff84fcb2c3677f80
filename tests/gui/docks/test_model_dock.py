"""The card of an opened model: its words, its layers, its lengths, and the way back."""

import json

import pytest
from engine_cases import public
from llama_config import LLAMA
from pixels import pixels_of, settle
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QRadioButton
from window_bench import drop

from posenc_core import Document, LearnedTable, Rotary
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.look.theme import apply_style

pytestmark = pytest.mark.one_window

GEMMA = {
    "model_type": "gemma3_text",
    "head_dim": 256,
    "hidden_size": 2560,
    "num_attention_heads": 8,
    "num_hidden_layers": 12,
    "sliding_window": 1024,
    "layer_types": (["sliding_attention"] * 5 + ["full_attention"]) * 2,
    "rope_theta": 1000000.0,
    "rope_local_base_freq": 10000.0,
    "max_position_embeddings": 131072,
}


@pytest.fixture
def opened(window, tmp_path):
    """Opens a configuration as the config.json of a folder."""

    def open_config(values, folder="Some-Model"):
        path = tmp_path / folder / "config.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(values))
        window.open_file(path)
        settle()

    return open_config


def words(window):
    labels = window.model_dock.findChildren(QLabel)
    return "\n".join(label.text().replace("\u200b", "") for label in labels if label.isVisible())


def rows(window):
    return [each for each in window.model_dock.findChildren(QRadioButton) if each.isVisible()]


def length_buttons(window):
    buttons = window.model_dock.findChildren(QPushButton)
    return {each.text(): each for each in buttons if each.isVisible() and each.text()[0].isdigit()}


@pytest.mark.parametrize("seq_len", [60, 6000])
def test_the_layers_of_a_scaling_by_length_are_marked_as_shown(window, opened, seq_len):
    window.store.edit("seq_len", seq_len)
    opened(public("phi-3_5"), "Phi-3.5")
    assert [row.text() for row in rows(window)] == ["All 32 layers"]
    assert rows(window)[0].isChecked()
    window.store.edit("rope_theta", 500_000.0)
    settle()
    assert not rows(window)[0].isChecked()


def test_an_opened_model_brings_its_card_to_the_front(window, opened):
    assert not window.model_dock.isVisible()
    opened(LLAMA, "Llama-3.1-8B")
    assert window.model_dock.isVisible()
    shown = words(window)
    assert "Llama-3.1-8B" in shown
    assert "64 pairs; 29 kept, 6 blended, 29 slowed 8 times" in shown
    assert "riginal length 8,192, before the scaling; made for 131,072 tokens" in shown
    assert [row.text() for row in rows(window)] == ["All 32 layers"]
    assert rows(window)[0].isChecked()
    assert window.windowTitle() == "Untitled[*] — Llama-3.1-8B — PosEnc"


def test_a_length_is_shown_at_a_click(window, opened):
    opened(LLAMA)
    buttons = length_buttons(window)
    assert list(buttons) == ["8,192", "131,072"]
    QTest.mouseClick(buttons["131,072"], Qt.MouseButton.LeftButton)
    assert window.store.document.seq_len == 131072
    assert buttons["131,072"].isChecked()
    assert not buttons["8,192"].isChecked()


@pytest.mark.parametrize("style", [LIGHT, DARK])
def test_the_button_of_the_length_that_is_shown_looks_pressed(window, opened, style):
    apply_style(style)
    opened(LLAMA)
    for pressed, other in (("131,072", "8,192"), ("8,192", "131,072")):
        QTest.mouseClick(length_buttons(window)[pressed], Qt.MouseButton.LeftButton)
        settle()
        grounds = [pixels_of(length_buttons(window)[name])[8, 8].astype(int) for name in (pressed, other)]
        assert abs(grounds[0] - grounds[1]).max() > 16


def test_a_row_shows_its_layers(window, opened):
    opened(GEMMA)
    assert [row.text() for row in rows(window)] == ["10 of 12 layers", "2 of 12 layers"]
    assert "0–4, 6–10: rotary, base 10,000, window 1,024" in words(window)
    assert "5, 11: rotary, base 1,000,000" in words(window)
    assert window.store.document.encoding.rope_theta == 10000.0
    rows(window)[1].setFocus()
    QTest.keyClick(rows(window)[1], Qt.Key.Key_Space)
    assert window.store.document.encoding.rope_theta == 1e6
    assert [row.isChecked() for row in rows(window)] == [False, True]


def test_a_vision_part_has_a_row_that_opens_its_encoding(window, opened):
    vision = {
        "model_type": "qwen2_vl",
        "depth": 32,
        "embed_dim": 1280,
        "num_heads": 16,
        "image_size": 140,
        "patch_size": 14,
    }
    text = {"model_type": "qwen2_vl", "hidden_size": 1536, "num_attention_heads": 12, "num_hidden_layers": 2}
    opened({**text, "vision_config": vision})
    assert [row.text() for row in rows(window)] == ["All 2 layers", "Vision part (32 layers)"]
    assert "pairs turn by the row and the column of a patch" in words(window)
    before = window.store.document.encoding
    QTest.mouseClick(rows(window)[1], Qt.MouseButton.LeftButton)
    settle()
    shown = window.store.document.encoding
    assert (shown.family, shown.head_dim, shown.rule) == ("rope_axes", 80, "shared")
    assert [row.isChecked() for row in rows(window)] == [False, True]
    assert window.store.history.undo_text == "vision part of Some-Model"
    QTest.mouseClick(rows(window)[0], Qt.MouseButton.LeftButton)
    assert window.store.document.encoding == before


def test_a_part_that_is_not_shown_says_why_and_cannot_be_chosen(window, opened):
    opened({**GEMMA, "vision_config": {"model_type": "unheard_of", "hidden_size": 64}})
    assert not rows(window)[-1].isEnabled()
    assert "how model_type 'unheard_of' encodes positions is unknown to this version" in words(window)


def test_an_edited_encoding_belongs_to_no_row(window, opened):
    opened(LLAMA)
    window.store.edit("rope_theta", 10000.0)
    settle()
    assert not rows(window)[0].isChecked()
    row = rows(window)[0].parentWidget()
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=row.rect().center())
    assert window.store.document.encoding.rope_theta == 500000.0
    assert rows(window)[0].isChecked()


def test_undo_brings_everything_back(window, opened):
    before = window.store.document
    opened(LLAMA, "first")
    first = window.store.document
    opened(GEMMA, "second")
    window.store.undo()
    settle()
    assert window.store.document == first
    assert "first" in words(window)
    assert "first" in window.windowTitle()
    window.store.undo()
    settle()
    assert window.store.document == before
    assert window.windowTitle() == "Untitled[*] — PosEnc"
    assert "No model is open" in words(window)


def test_number_comes_to_the_front_where_the_card_has_no_model_any_more(window, opened):
    opened(LLAMA, "first")
    number, model = window.docks["number"], window.docks["model"]
    assert not model.visibleRegion().isEmpty()
    window.store.undo()
    settle()
    assert not number.visibleRegion().isEmpty()
    assert model.visibleRegion().isEmpty()
    window.docks["vector"].raise_()
    window.store.redo()
    window.docks["vector"].raise_()
    settle()
    window.store.undo()
    settle()
    assert not window.docks["vector"].visibleRegion().isEmpty()


def test_a_session_keeps_the_card(window, opened, tmp_path):
    opened(GEMMA)
    again = Document.from_json(window.store.document.to_json())
    assert again == window.store.document
    assert isinstance(again.model.layers[11].encoding, Rotary)


def test_a_table_in_the_weights_is_shown_untrained_and_said_so(window, opened):
    opened({"model_type": "gpt2", "n_positions": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12})
    assert window.store.document.encoding == LearnedTable.untrained(1024, 768)
    assert "the panels show an untrained table of 1,024 x 768" in words(window)
    assert "The panels still show the previous encoding" not in words(window)
    assert rows(window)[0].isEnabled()


def test_a_model_without_numbers_says_that_the_encoding_stays(window, opened):
    before = window.store.document.encoding
    opened({"model_type": "gpt2", "n_head": 12, "n_layer": 12})
    assert window.store.document.encoding == before
    assert "The panels still show the previous encoding" in words(window)
    assert not rows(window)[0].isEnabled()


def test_a_config_that_is_refused_changes_nothing(window, opened, answers):
    before = window.store.document
    answers.expect(lambda box: box.accept())
    opened({"model_type": "llama", "hidden_size": "wide", "rope_theta": 10000.0})
    assert window.store.document == before
    assert not window.model_dock.isVisible()


def shown_buttons(window):
    return {each.text(): each for each in window.model_dock.findChildren(QPushButton) if each.isVisible()}


def label(window, beginning):
    labels = (each for each in window.model_dock.findChildren(QLabel) if each.isVisible())
    return next(each for each in labels if each.text().replace("\u200b", "").startswith(beginning))


def test_surprises_stand_before_lengths_layers_and_the_places_of_keys(window, opened):
    opened({"model_type": "mllama", "text_config": {**LLAMA, "model_type": "mllama_text_model"}})
    texts = ["• factor 8 x ", "Original length 8,192", "rotary, base 500,000", "• the parameters are those of"]
    heights = [label(window, each).mapTo(window, label(window, each).rect().topLeft()).y() for each in texts]
    assert heights == sorted(heights)


def test_a_claim_names_its_keys_and_is_copied_with_them(window, opened):
    opened(LLAMA)
    note = label(window, "• factor 8 x ")
    assert "rope_scaling.factor = 8.0" in note.toolTip()
    (copy,) = note.actions()
    copy.trigger()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("factor 8 x original_max_position_embeddings 8,192 = 65,536")
    assert "\n  rope_scaling.factor = 8.0" in copied
    shown_buttons(window)["Copy card"].click()
    assert copied in QGuiApplication.clipboard().text()
    assert "  rope_theta = 500000.0" in QGuiApplication.clipboard().text()


def test_a_model_dropped_with_shift_is_compared_as_b(window, opened, tmp_path):
    opened(LLAMA, "first")
    before = window.store.document
    path = tmp_path / "second.json"
    path.write_text(json.dumps({**LLAMA, "rope_theta": 10000.0}))
    assert drop(window, QUrl.fromLocalFile(str(path)), modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert window.store.document.model == before.model
    assert [each.encoding.rope_theta for each in window.store.document.encodings] == [500000.0, 10000.0]
    shown = words(window)
    assert "A first beside B second" in shown
    assert "frequency of pair" in shown
    assert "the first pair off by more than 45 degrees is pair 4 at position 7" in shown
    shown_buttons(window)["Close B"].click()
    settle()
    assert "beside B" not in words(window)
    window.store.undo()
    window.store.undo()
    settle()
    assert window.store.document == before


def test_a_model_equal_to_the_open_one_has_no_differences(window, opened, tmp_path):
    opened(LLAMA, "first")
    path = tmp_path / "second.json"
    path.write_text(json.dumps(LLAMA))
    drop(window, QUrl.fromLocalFile(str(path)), modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert "No difference in 32 layers." in words(window)


def test_a_model_b_without_an_open_model_waits_on_the_card(window, tmp_path):
    path = tmp_path / "second.json"
    path.write_text(json.dumps(LLAMA))
    drop(window, QUrl.fromLocalFile(str(path)), modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert window.model_dock.isVisible()
    assert "second is model B" in words(window)


def test_the_keys_of_a_model_are_copied_from_its_card(window, opened):
    opened(LLAMA, "first")
    button = shown_buttons(window)["Copy keys"]
    button.menu().aboutToShow.emit()
    entries = {each.text(): each for each in button.menu().actions()}
    assert "vLLM" in entries
    entries["config.json (rope_scaling)"].trigger()
    assert json.loads(QGuiApplication.clipboard().text())["rope_theta"] == 500000.0


def test_the_shares_of_an_edited_scaling_are_not_said_to_be_the_models(window, opened):
    """The card's statements are those of the file, beside which the pairs were counted of the edited encoding."""
    scaling = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8192}
    opened({**LLAMA, "rope_theta": 5e5, "rope_scaling": scaling})
    whose = "The chosen encoding, which no layer of this model has: "
    assert whose not in words(window)
    window.store.edit("factor", 8.0)
    settle()
    assert whose in words(window)
    window.store.undo()
    settle()
    assert whose not in words(window)
