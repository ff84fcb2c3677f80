"""ENGINES: a row and a curve per engine, what to write, and a click that compares an engine's encoding as B."""

import json
from pathlib import Path

import numpy as np
import pytest
from documents import with_values
from panel_bench import shown
from pixels import click, coverage, hover, item_rect, pixels_of, settle, texts
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from window_bench import control, says, shown_panels

from posenc_core import Alibi, Document, Rotary, Yarn, compare_engines, drift, open_model
from posenc_gui.figures.lines import line_pen
from posenc_gui.look.style import LIGHT
from posenc_gui.panels import drawn_numbers, spec_of, suitable_panels
from posenc_gui.panels.engines.spec import CURVES, SHOWN

CONFIGS = Path(__file__).parents[2] / "data" / "model_configs"


def of_model(name, layer=None):
    return Document().with_model(open_model(CONFIGS / f"{name}.json"), layer)


GPT_OSS = of_model("openai--gpt-oss-20b", 1)
"""With full attention: layer 0 has the same rotation, and sees 128 tokens."""


@pytest.fixture
def panel(qtbot):
    return shown(qtbot, "engines", GPT_OSS, (760, 560))


def middle_of(panel, row):
    place = panel.figure.place_of(row).center()
    rect = item_rect(panel.view, panel.figure.table)
    return QPointF(rect.left() + 20, rect.top() + place.y())


def test_the_rows_are_those_of_the_models_own_configuration(panel) -> None:
    table = compare_engines(CONFIGS / "openai--gpt-oss-20b.json", 131072)
    first = [row for row in table.rows if 1 in row.indices]
    shown_rows = panel.figure.engine_rows
    assert [(row.engine, row.verdict, row.position) for row in shown_rows] == [
        (row.engine, row.verdict, row.position) for row in first
    ]
    assert "3 engines agree, 3 differ from position 3,558 on" in panel.figure.pointing.note()
    assert "131,072 tokens" in panel.figure.pointing.note()
    assert "sources read 2026-" in panel.figure.pointing.note()


def test_the_curves_are_the_drift_of_the_engines_that_differ() -> None:
    found = drawn_numbers("engines", GPT_OSS)
    rows = compare_engines(CONFIGS / "openai--gpt-oss-20b.json").rows
    row = next(each for each in rows if each.engine == "mlx-lm" and 1 in each.indices)
    counts = drift(row.wanted, row.computed.encoding).count(found["position"].astype(np.int64))
    assert np.array_equal(found["pairs off > 45°: mlx-lm, llama.cpp, TensorRT-LLM"], counts)


def test_layers_with_a_window_see_no_distance_that_is_off(qtbot) -> None:
    figure = shown(qtbot, "engines", of_model("openai--gpt-oss-20b"), (760, 560)).figure
    assert {row.verdict for row in figure.engine_rows} == {"same", "different"}
    assert {row.position for row in figure.engine_rows} == {None}
    assert {row.unseen for row in figure.engine_rows} == {0}
    assert "3 engines agree, 3 differ ·" in figure.pointing.note()


def test_a_low_panel_shows_the_table_or_the_curves(qtbot) -> None:
    for size in ((225, 265), (440, 351)):
        panel = shown(qtbot, "engines", GPT_OSS, size)
        figure, (switch,) = panel.figure, panel.figure.viewport.switches()
        assert [each.text for each in switch.choices] == ["Table", "Curves"]
        assert (figure.table.isVisible(), figure.area.isVisible()) == (True, False)
        panel.show_document(GPT_OSS.edited(SHOWN.name, CURVES))
        settle()
        assert (figure.table.isVisible(), figure.area.isVisible()) == (False, True)
        assert figure.area.rect().height() >= 40
        painted = coverage(pixels_of(panel.view), line_pen(LIGHT, 1).color(), LIGHT.paper)
        assert (painted > 0.5).any(axis=0).sum() >= 60, "the curve"
        assert any("mlx-lm, llama.cpp, TensorRT-LLM" in text for text in texts(panel.view))


def test_a_panel_that_was_low_has_curves_above_its_table_once_it_is_high(qtbot) -> None:
    panel = shown(qtbot, "engines", GPT_OSS, (440, 300))
    panel.resize(440, 560)
    settle()
    assert panel.figure.area.isVisible()
    assert panel.figure.table.isVisible()
    assert panel.figure.area.rect().height() > 150


def test_rows_alone_take_the_room_of_the_panel(qtbot) -> None:
    figure = shown(qtbot, "engines", GPT_OSS, (421, 351)).figure
    last = figure.place_of(len(figure.engine_rows) - 1)
    assert figure.size().height() - last.bottom() < figure.row_px, "less than a row is left"
    assert last.bottom() <= figure.table.rect().height()


def test_a_panel_that_becomes_lower_keeps_all_rows(qtbot) -> None:
    panel = shown(qtbot, "engines", GPT_OSS, (225, 400))
    panel.resize(225, 265)
    settle()
    figure = panel.figure
    assert len(figure.shown_rows) == 7
    last = item_rect(panel.view, figure.table).top() + figure.place_of(6).bottom()
    assert last <= panel.view.viewport().height()


def test_a_row_that_differs_in_its_window_alone_says_so_where_others_have_a_position(qtbot) -> None:
    panel = shown(qtbot, "engines", of_model("olmo-3-7b", 0), (440, 300))
    figure, pixels = panel.figure, pixels_of(panel.view)
    origin = item_rect(panel.view, figure.table)
    written = {}
    for index, row in enumerate(figure.engine_rows):
        place = figure.place_of(index).translated(origin.topLeft())
        left, right = (int(place.left() + share * place.width()) for share in (0.56, 0.82))
        ink = coverage(pixels[int(place.top()) + 2 : int(place.bottom()) - 2, left:right], LIGHT.ink, LIGHT.paper)
        written[row.engine] = bool((ink > 0.5).any())
    assert {engine for engine, has in written.items() if has} == {"exllamav3"}


def test_the_switch_above_the_panel_chooses_the_curves(window) -> None:
    window.store.visit(GPT_OSS, "gpt-oss", None)
    window.commands.show_view("long_context", "engines")
    settle()
    QTest.mouseClick(control(window, "Engines: Curves"), Qt.MouseButton.LeftButton)
    settle()
    figure = shown_panels(window)["engines"].figure
    assert figure.area.isVisible()
    assert not figure.table.isVisible()


def test_pointing_at_a_row_tells_why_and_where_in_the_source(panel) -> None:
    hover(panel.view, middle_of(panel, 3))
    settle()
    said = panel.figure.pointing.spoken()
    assert said.startswith("mlx-lm: different; 9 of 32 frequencies differ, pair 17 the most")
    assert "truncate False has no effect" in said
    assert "run in models/rope_utils.py, YarnRoPE" in said
    assert "YarnRoPE" in panel.figure.table.toolTip()
    assert said.endswith("no keys, flags or overrides were found with which it agrees with the class")
    assert panel.figure.pointing.number() == 3558


def test_a_click_compares_what_the_engine_computes_as_b(window) -> None:
    window.store.visit(GPT_OSS, "gpt-oss", None)
    window.commands.show_view("long_context", "engines")
    settle()
    panel = shown_panels(window)["engines"]
    row = panel.figure.engine_rows[3]
    click(panel.view, middle_of(panel, 3))
    settle()
    a, b = window.store.document.encodings
    assert a.encoding == GPT_OSS.encoding
    assert (b.encoding, b.name) == (row.computed.encoding, "mlx-lm 0.32.2")
    assert "difference" in shown_panels(window)


def test_the_suggested_line_can_be_copied(qtbot) -> None:
    yarn = Yarn(4.0, 32768, attention_factor=1.25)
    document = with_values(Document(), target_length=131072).with_encoding(Rotary(128, 1e6, scaling=yarn))
    panel = shown(qtbot, "engines", document, (760, 560))
    copies = panel.figure.pointing.copies()
    assert set(copies) == {f"setting for {name}" for name in ("SGLang", "mlx-lm", "llama.cpp", "TensorRT-LLM")}
    assert json.loads(copies["setting for mlx-lm"]())["rope_scaling"]["mscale"] == pytest.approx(0.25 / 0.138629436)
    assert "as a config.json of Llama" in panel.figure.pointing.note()


def test_a_model_that_all_agree_on_has_a_line_at_zero() -> None:
    found = drawn_numbers("engines", of_model("meta-llama--Meta-Llama-3.1-8B"))
    assert list(found) == ["position", "pairs off > 45°: no pair is off"] or not found["no pair is off"].any()


def test_a_model_that_some_engines_are_unknown_for_has_a_line_that_says_so() -> None:
    assert "pairs off > 45°: no pair is known to be off" in drawn_numbers(
        "engines", of_model("deepseek-ai--DeepSeek-V3.2")
    )


def test_the_length_of_the_document_in_an_encoding_keeps_it_the_models(qtbot) -> None:
    panel = shown(qtbot, "engines", of_model("phi-3_5"), (760, 560))
    assert {row.verdict for row in panel.figure.engine_rows} == {"same"}
    assert "as a config.json of Llama" not in panel.figure.pointing.note()


GEMMA_2 = of_model("gemma2_9b")
"""Its first layer sees 4,096 of 8,192 tokens; TensorRT-LLM's window was not read."""


def test_a_window_that_was_not_read_is_not_called_the_same(qtbot) -> None:
    panel = shown(qtbot, "engines", GEMMA_2, (900, 560))
    verdicts = {row.engine: row.verdict for row in panel.figure.engine_rows}
    assert [name for name, each in verdicts.items() if each == "same angles"] == ["exllamav3", "tensorrt-llm"]
    assert [name for name, each in verdicts.items() if each == "different"] == ["mlx-lm"]
    assert "2 agree in angles (windows not read)" in panel.figure.pointing.note()
    hover(panel.view, middle_of(panel, 6))
    settle()
    said = panel.figure.pointing.spoken()
    assert said.startswith("TensorRT-LLM: same angles; ")
    assert "its window was not read; the model's class has 4,096 tokens" in said


def test_a_model_with_a_table_per_query_is_compared_by_its_own_configuration(qtbot) -> None:
    """Llama 4's chunks: figures draw the table of one query, which is another encoding than the layer's."""
    figure = shown(qtbot, "engines", of_model("meta-llama--Llama-4-Scout-17B-16E-Instruct"), (760, 560)).figure
    assert "as a config.json of Llama" not in figure.pointing.note()
    assert {row.engine: row.verdict for row in figure.engine_rows} == {
        "transformers": "same", "vllm": "same", "sglang": "same angles", "mlx-lm": "same angles",
        "exllamav3": "refuses", "llama.cpp": "same", "tensorrt-llm": "same angles",
    }  # fmt: skip


def test_an_encoding_whose_window_was_not_read_has_that_in_its_name_as_b(window) -> None:
    window.store.visit(GEMMA_2, "gemma2", None)
    window.commands.show_view("long_context", "engines")
    settle()
    panel = shown_panels(window)["engines"]
    click(panel.view, middle_of(panel, 6))
    settle()
    assert window.store.document.encodings[1].name == "TensorRT-LLM, window not read"


def test_the_models_card_says_that_windows_were_not_read(window) -> None:
    window.store.visit(GEMMA_2, "gemma2", None)
    settle()
    told = "3 engines agree, 2 agree in angles (windows not read), 1 differs (View, Panels, Engines)."
    assert says(window, f"At 8,192 tokens {told}")


def test_an_encoding_without_rotation_is_no_matter_of_engines() -> None:
    document = Document().with_encoding(Alibi(8))
    assert "engines" not in suitable_panels(document)
    assert spec_of("engines").missing(document).sentence == "Engines needs a rotation, as RoPE has."


def test_the_models_card_has_the_verdict_in_one_line(window) -> None:
    window.store.visit(GPT_OSS, "gpt-oss", None)
    settle()
    assert says(window, "At 131,072 tokens 3 engines agree, 3 differ from position 3,558 on (View, Panels, Engines).")
    window.store.edit("factor", 16.0)
    settle()
    told = "With the numbers of the files, at 131,072 tokens 3 engines agree, 3 differ from position 3,558 on"
    assert says(window, f"{told}; the panel Engines compares the chosen encoding.")
