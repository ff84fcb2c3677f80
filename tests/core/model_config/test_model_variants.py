"""Variants of the configurations of many classes: the frequencies of the model that transformers builds from each."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from cases import each_case

from posenc_core import Rotary, frequencies, open_model, rope_from_config

ROWS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "data" / "model_variants.json").read_text(encoding="utf-8")
)["rows"]

SINGLE = 2e-5
"""Relative; the modules' frequencies are float32."""

STORED_SECOND = {"ernie4_5_vl_moe_text": 2}
"""The pair whose frequency a module stores second: ERNIE's stores even pairs before odd ones."""

UNUSED = ("rotary_emb_unscaled",)
"""The module of layers that are not scaled, of which these configurations have none."""

SOFTMAX = {
    "mistral4-old_theta": 2.2058280296038424,
    "mistral4-old_partial_50": 2.2058280296038424,
    "longcat_flash-yarn_mscale_eq": 1.8738542070926265,
    "glm_moe_dsa-yarn_only_all_dim": 1.6313902266748685,
    "mistral_large4_text-yarn_af1_mscale": 1.4093245022170078,
    "mistral4-random_169": 2.2058280296038424,
    "glm_moe_dsa-random_125": (0.1 * math.log(32) + 1) ** 2,
}
"""The ``scaling`` of the models' attention times the square root of a head's width, where it is not 1.

The last one is by the formula of DeepSeek's class, ``yarn_get_mscale(factor, mscale_all_dim) ** 2``.
"""


def name(row: dict[str, Any]) -> str:
    return f"{row['config']['model_type']}-{row['what']}"


def encodings_of(config: dict[str, Any]) -> list[Rotary]:
    """Rotations of the layers, or of the keys alone if the row omits the key that selects the rotating layers."""
    layers = dict.fromkeys(layer.encoding for layer in open_model(config).layers)
    return [each for each in layers if isinstance(each, Rotary)] or [rope_from_config(config)]


def is_module(rotary: Rotary, module: dict[str, Any], second: int) -> bool:
    found = frequencies(rotary)
    if len(found) != module["pairs"]:
        return False
    numbers = (found[second], found[-1], rotary.attention_factor)
    return numbers == pytest.approx((module["f1"], module["flast"], module["scaling"]), rel=SINGLE)


def is_unused(row: dict[str, Any], module: dict[str, Any]) -> bool:
    """DeepSeek V4 makes its module of plain layers, also where each layer is compressed."""
    return module["name"] in UNUSED or (
        row["config"]["model_type"] == "deepseek_v4" and module.get("label") != "compress"
    )


@each_case("row", ROWS, name)
def test_layers_rotate_and_scale_scores_as_the_modules_of_the_model(row: dict[str, Any]) -> None:
    second = STORED_SECOND.get(row["config"]["model_type"], 1)
    modules = [module for module in row["model"] if module["name"] not in UNUSED]
    layers = encodings_of(row["config"])
    for rotary in layers:
        assert any(is_module(rotary, module, second) for module in modules), modules
        assert rotary.softmax_scale_factor == pytest.approx(SOFTMAX.get(name(row), 1), rel=SINGLE)
    for module in row["model"]:
        assert is_unused(row, module) or any(is_module(rotary, module, second) for rotary in layers), module


def test_all_rows_are_compared(count: Any) -> None:
    assert len(ROWS) == 864
    count("variants of configurations compared with transformers' models", len(ROWS))
