"""The families since 2022 against check values that were computed at 40 digits from their papers and code."""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc_core import DynamicNtk, Llama3, Proportional, QueryTemperature, Rotary, open_model, rope_from_config
from posenc_core.encodings import (
    Cope,
    DistanceRemap,
    Fire,
    Fope,
    ForgetGate,
    GivenMlp,
    GrapeM,
    Kerple,
    Pope,
    QueryKeyEncoding,
    RelativeBank,
    XPos,
    softplus,
)
from posenc_core.rope_scaling import LeRope, RopeScaling, ServedNtk, YarnLog

ROWS = json.loads((Path(__file__).parents[2] / "data" / "new_families.json").read_text())
"""Rows of ``family``, ``params``, ``inputs`` and ``value``; ``digits`` are 15 digits of the value."""

Row = dict[str, Any]

SIZES = {"hidden_size": 512, "num_attention_heads": 4, "rope_theta": 1e4}


def of_pair(encoding: QueryKeyEncoding, inputs: Row) -> float:
    query, key = inputs["query"], inputs["key"]
    return float(encoding.pair_values(range(query, query + 1), range(key, key + 1))[0, 0])


def kerple(params: Row, inputs: Row) -> float:
    return float(Kerple(**params).values(np.array([-inputs["distance"]]), np.array([0]))[0, 0])


def fire(params: Row, inputs: Row) -> float:
    mlp = {name: each for name, each in params.get("mlp", {}).items() if name != "activation"}
    return of_pair(Fire(params["c"], params["threshold"], mlp=GivenMlp.of(**mlp) if mlp else None), inputs)


def relative_bank(params: Row, inputs: Row) -> float:
    profiles, distances = np.arange(params["d_rel"])[:, None], np.arange(params["rel_extent"])
    encoding = RelativeBank.from_arrays(np.cos(profiles * distances) / (distances + 1), params["states"])
    distance = inputs["distance"] if "distance" in inputs else inputs["query"] - inputs["key"]
    return float(encoding.values(np.array([-distance]), np.array([0]))[0, 0])


def cope(params: Row, inputs: Row) -> float:
    encoding = Cope(params["p_max"], tuple(params["gate_logits_row3"]), tuple(params["position_logits_row3"]))
    if inputs["what"] == "contextual position":
        return float(encoding.contextual_positions(inputs["query"], np.array([inputs["key"]]))[0])
    return of_pair(encoding, inputs)


def forget_gate(params: Row, inputs: Row) -> float:
    return of_pair(ForgetGate(tuple(params["gates"])), inputs)


def distance_remap(params: Row, inputs: Row) -> float:
    encoding = DistanceRemap.from_parameters({**params, "distance_rule": params["rule"]})
    if inputs["what"] == "visible":
        return encoding.visible(inputs["query"], inputs["key"])
    return of_pair(encoding, inputs)


def xpos(params: Row, inputs: Row) -> float:
    encoding, distance = XPos(**params), inputs["distance"]
    (cosine, sine) = encoding.values(np.array([-distance]), np.array([inputs["pair"], inputs["pair"] + 32]))[0]
    assert math.hypot(cosine, sine) == pytest.approx(encoding.factor(inputs["pair"], distance))
    return encoding.factor(inputs["pair"], distance)


def fope(params: Row, inputs: Row) -> float:
    encoding = Fope(params["dims"], params["base"], params["trained_length"])
    if inputs["what"] == "number of kept pairs":
        return encoding.n_kept
    pairs = np.arange(encoding.n_kept)
    mix = np.eye(len(pairs)) + 0.1 / (1 + np.abs(pairs[:, None] - pairs))
    encoding = Fope.from_arrays(
        mix, mix, head_dim=params["dims"], rope_theta=params["base"], fope_length=params["trained_length"]
    )
    column = inputs["pair"] + (params["dims"] // 2 if inputs["what"] == "sin" else 0)
    return float(encoding.values(np.array([inputs["position"]]), np.array([column]))[0, 0])


def pope(params: Row, inputs: Row) -> float:
    if inputs["what"] == "softplus":
        return float(softplus(np.array(inputs["x"], float)))
    encoding = Pope(params["width"], params["base"], tuple(params["delta"]))
    if "column" in inputs:
        return float(encoding.frequencies()[inputs["column"]])
    distance = inputs["key_position"] - inputs["query_position"]
    return encoding.score(params["query"], params["key"], distance)


def p_rope(params: Row, inputs: Row) -> float:
    scaling = Proportional(params["kept_fraction"])
    return float(Rotary(params["head_dim"], params["base"], scaling=scaling).frequencies()[inputs["pair"]])


def grape_m(params: Row, inputs: Row) -> Any:
    encoding = GrapeM(tuple(params["a"]), tuple(params["b"]), params["omega"])
    if "position" not in inputs:
        return encoding.area
    (rotated,) = encoding.rotate([inputs["vector"]], [inputs["position"]])
    seen = replace(encoding, vector_turned=tuple(inputs["vector"]))
    np.testing.assert_allclose(seen.values(np.array([inputs["position"]]), np.arange(3))[0], rotated)
    return float(rotated @ rotated) if inputs["what"] == "squared norm" else rotated


def listed_frequencies(params: Row, inputs: Row) -> float:
    if params.get("rule") == "lerope":
        alpha = tuple((pair - 16) / 100 for pair in range(32)) if params["alpha"] != "0" else ()
        scaling: RopeScaling = LeRope(**params["yarn"], lerope_alpha=alpha)
        return float(Rotary(params["dims"], params["base"], scaling=scaling).frequencies()[inputs["pair"]])
    scaling = Llama3(params.get("factor", 8.0), 8192)
    return float(Rotary(params["dims"], params["base"], scaling=scaling).pairs.slowdowns[inputs["pair"]])


def rope_scaling_more(params: Row, inputs: Row) -> float:
    rule, factor = params["rule"], float(params["factor"])
    if rule.startswith("dynamic"):
        length = params["max_position_embeddings"]
        scaling: RopeScaling = DynamicNtk(factor, length, int(factor * length))
    elif rule.startswith("yarn_log"):
        scaling = YarnLog(factor, params["original_max_position_embeddings"], params["beta_fast"], params["beta_slow"])
    else:
        scaling = ServedNtk(factor, params.get("mixed_b"))
    rotary = Rotary(params["dims"], params["base"], scaling=scaling)
    if inputs["what"] == "base":
        return scaling.base(params["dims"], params["base"])
    if inputs["what"].startswith("bracket"):
        assert isinstance(scaling, DynamicNtk)
        return scaling.stretch
    return float(rotary.frequencies()[inputs["pair"]])


def query_temperature(params: Row, inputs: Row) -> float:
    if params["rule"] == "telechat3 yarn":
        scaling = {"type": "telechat3-yarn", "factor": inputs["factor"], "original_max_position_embeddings": 8192}
        return rope_from_config({"model_type": "telechat3", **SIZES, "rope_scaling": scaling}).attention_factor
    given = {name: each for name, each in params.items() if name not in ("rule", "example")}
    return float(QueryTemperature(params["rule"], given).factors([inputs["position"]])[0])


def layer_plan(params: Row, inputs: Row) -> list[int]:
    rule, count = params["rule"], {"num_hidden_layers": params.get("num_hidden_layers")}
    if rule == "no_rope_layer_interval":
        config = {"model_type": "smollm3", "no_rope_layer_interval": params["interval"], **count}
    elif rule.startswith("layer_types"):
        config = {"model_type": "cohere2", "layer_types": params["layer_types"], "sliding_window": 4096}
    else:
        config = {"model_type": "beam" if rule.startswith("Beam") else "muse_spark_text", **count}
    return [int(layer.kind == "rotary") for layer in open_model({**SIZES, **config}).layers]


NUMBER_OF: dict[str, Callable[[Row, Row], Any]] = {
    each.__name__: each
    for each in (
        kerple, fire, relative_bank, cope, forget_gate, distance_remap, xpos, fope, pope, p_rope, grape_m,
        listed_frequencies, rope_scaling_more, query_temperature, layer_plan,
    )
}  # fmt: skip


def name_of(row: Row) -> str:
    return "-".join([row["family"], *(str(each) for each in (*row["params"].values(), *row["inputs"].values()))])[:80]


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_a_check_value_is_met(row: Row) -> None:
    found = NUMBER_OF[row["family"]](row["params"], row["inputs"])
    np.testing.assert_allclose(found, row["value"], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(found, np.array(row["digits"], np.float64), rtol=1e-13, atol=1e-14)
