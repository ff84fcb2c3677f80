"""Default configurations of transformers: the frequencies of the model's own rotary module, or a sentence why not."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from cases import each_case

from posenc_core import frequencies, open_model, rope_from_config

ROWS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "data" / "model_audit.json").read_text(encoding="utf-8")
)["rows"]

SINGLE = 2e-5
"""Relative; the module's frequencies are float32."""

OFF = {
    "zamba2": "use_mem_rope is false: the layer does not rotate",
    "granitemoehybrid": "the layers are linear_attention",
    "bamba": "the layers are linear_attention",
    "wav2vec2-bert": "model_type 'wav2vec2-bert' uses learned vectors for relative positions, as Shaw's",
}
"""Models whose module exists and is not used by a default configuration, which the first warning tells."""


STORED_SECOND = {"ernie4_5_vl_moe_text": 2}
"""The pair whose frequency a module stores second: ERNIE's stores even pairs before odd ones, and its forward puts them
back in order before it rotates (``recomposition_frequencies``)."""

UNUSED = {("laguna", "sliding_attention"), ("deepseek_v4", "main")}
"""Rotary parameters that no layer of the default configuration has."""


def name(row: dict[str, Any]) -> str:
    return f"{row['module']}-{row['layer_type'] or 'all'}"


def refusal(row: dict[str, Any]) -> str | None:
    try:
        rope_from_config(row["config"], layer_type=row["layer_type"])
    except ValueError as error:
        return str(error)
    return None


REFUSED = [row for row in ROWS if refusal(row) is not None]
READ = [row for row in ROWS if row not in REFUSED]


@each_case("row", READ, name)
def test_frequencies_are_those_of_the_models_own_module(row: dict[str, Any]) -> None:
    rotary = rope_from_config(row["config"], layer_type=row["layer_type"])
    found = frequencies(rotary)
    assert len(found) == row["model"]["pairs"]
    second = found[STORED_SECOND.get(row["model_type"], 1)]
    assert second == pytest.approx(row["model"]["second_frequency"], rel=SINGLE)
    if row["model_type"] in OFF:
        assert rotary.warnings[0].startswith(OFF[row["model_type"]])


@pytest.mark.parametrize("row", REFUSED, ids=name)
def test_positions_on_several_axes_are_no_rotary_encoding(row: dict[str, Any]) -> None:
    sentence = refusal(row)
    assert sentence is not None
    assert "axes" in sentence
    assert "height and width" in sentence
    model = open_model(row["config"])
    shown = model.layers[0].encoding
    if shown is not None:  # a vision part whose rule is known
        assert {layer.kind for layer in model.layers} == {"rotary"}
        assert shown.cells is not None
        turns = math.tau if shown.parameters()["rule"] == "normalised" else 1  # of a coordinate from -1 to 1
        second = shown.cells.pairs.weights[:, 1].max()
        assert second / turns == pytest.approx(row["model"]["second_frequency"], rel=SINGLE)
        return
    assert {layer.kind for layer in model.layers} == {"unsupported"}
    assert sentence in model.layers[0].sentence


@each_case("row", READ, name)
def test_a_model_of_the_same_configuration_has_these_frequencies_in_its_layers(row: dict[str, Any]) -> None:
    rotary = rope_from_config(row["config"], layer_type=row["layer_type"])
    model = open_model(row["config"])
    rotations = [layer.encoding for layer in model.layers if layer.kind == "rotary"]
    used = any(
        rotary in (each, each.rotation.scaled_by(each.rotation.scaling), getattr(each, "rotary", None))
        for each in rotations
    )  # also of changed distances
    assert used or row["model_type"] in OFF or (row["model_type"], row["layer_type"]) in UNUSED


def test_no_row_is_different(count: Any) -> None:
    assert len(READ) + len(REFUSED) == len(ROWS) == 164
    assert len(REFUSED) <= 24
    count("rotary modules of transformers compared with their configurations", len(READ))
    count("modules of several axes refused in a sentence", len(REFUSED))
