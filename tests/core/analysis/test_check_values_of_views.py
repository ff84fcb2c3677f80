"""The rows of ``tests/data/views.json``, computed elsewhere, to all the digits that they have."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import each_case

from posenc_core import (
    DynamicNtk,
    Linear,
    Llama3,
    NtkAware,
    Rotary,
    Sinusoidal,
    Yarn,
    drift,
    score_by_distance,
    score_spread,
    unseen_angles,
)
from posenc_core.analysis import explain_score, full_angles, three_ways
from posenc_core.long_context import cache_bases, explain_drift, explain_unseen, stale_angles
from posenc_core.rope_scaling import RopeScaling

ROWS = json.loads((Path(__file__).parents[2] / "data" / "views.json").read_text(encoding="utf-8"))

Row = dict[str, Any]

WAYS = {
    "interleaved": 0,
    "half_split on the same columns (wrong weights)": 1,
    "rotate_half with repeat_interleave(cos) (no rotation)": 2,
}


def scaled(row: Row) -> Rotary:
    params = row["params"]
    length = params["trained_length"]
    target = params.get("target_length", 4 * length)
    factor = params.get("factor", target / length)
    scalings: dict[str, RopeScaling | None] = {
        "none": None,
        "linear": Linear(factor),
        "ntk_aware": NtkAware(factor),
        "dynamic, factor s, at L'": DynamicNtk(factor, length, target),
        "yarn": Yarn(factor, length),
        "llama3": Llama3(factor, length),
    }
    return Rotary(params["dims"], params["base"], scaling=scalings[params["scaling"]])


def unseen_value(row: Row) -> float:
    encoding, length = scaled(row), row["params"]["trained_length"]
    if "pair" not in row["inputs"]:
        return unseen_angles(encoding, length, row["params"]["target_length"]).count
    pair = row["inputs"]["pair"]
    first = unseen_angles(encoding, length, 10**6).first[pair]
    assert explain_unseen(encoding, pair, length, 10**6).value == first
    return int(first)


def drift_value(row: Row) -> float:
    params, pair = row["params"], row["inputs"]["pair"]
    a = Rotary(params["dims"], 10000.0)
    b = Rotary(params["dims"], 500000.0) if params["b"] == "base 500000" else Rotary(128, scaling=Yarn(4.0, 4096))
    first = drift(a, b, params["threshold_deg"]).first[pair]
    assert explain_drift(a, b, pair, params["threshold_deg"]).value == first
    return int(first)


def cache_value(row: Row) -> float:
    params, inputs = row["params"], row["inputs"]
    scaling = DynamicNtk(params["factor"], params["max_position_embeddings"], params["max_position_embeddings"])
    encoding = Rotary(params["dims"], params["base"], scaling=scaling)
    if inputs["what"] == "base":
        return float(cache_bases(encoding, [inputs["length"]])[0])
    return float(stale_angles(encoding, [inputs["key"]], inputs["length_now"])[0, inputs["pair"]])


def layout_value(row: Row) -> float:
    params, inputs = row["params"], row["inputs"]
    rotary = Rotary(params["head_dim"], params["base"], pairing="interleaved")
    query, key = np.array(params["query"]), np.array(params.get("key", params["query"]))
    places = (inputs.get("query_position", inputs.get("position")), inputs.get("key_position", 0))
    way = three_ways(rotary, query, key, *places)[WAYS[params["way"]]]
    if "key" in params and params["way"] == "interleaved":
        typed = score_by_distance(rotary, [places[1] - places[0]], "typed", query, key)[0]
        assert typed == pytest.approx(way.score, rel=1e-14)
    return way.query_square if inputs["what"] == "squared norm" else way.score


def engine_value(row: Row) -> float:
    factor = Rotary(128, scaling=Yarn(float(row["params"]["factor"]), 4096)).attention_factor
    if row["inputs"]["what"] == "0.1 ln s + 1":
        return factor
    scaled, plain = (
        score_by_distance(Rotary(128, scaling=scaling), [0])[0]
        for scaling in (Yarn(float(row["params"]["factor"]), 4096), None)
    )
    return float(scaled / plain)


def odometer_value(row: Row) -> float:
    params, inputs = row["params"], row["inputs"]
    angles = full_angles(Sinusoidal(params["d_model"], params["base"]), inputs["position"])
    return float(angles[inputs["pair"]] / (2 * math.pi) % 1)


def decay_value(row: Row) -> float:
    encoding = Rotary(row["params"]["dims"], row["params"].get("base", 10000))
    if "distance" not in row["inputs"]:
        (spread,) = set(score_spread(encoding, [0, 7, 10**6]))
        return float(spread)
    distance = row["inputs"]["distance"]
    assert explain_score(encoding, distance).value / 2 == pytest.approx(row["value"], abs=1e-12)
    return float(score_by_distance(encoding, [distance], "ones")[0] / 2)


ROUNDING = 1e-12
"""Rounding error in float64 of a sum of 64 cosines of angles up to 4096 rad."""

VALUES = {
    "unseen_phase": unseen_value,
    "drift": drift_value,
    "cache_timeline": cache_value,
    "layout_lens": layout_value,
    "engine_bench": engine_value,
    "odometer": odometer_value,
    "decay": decay_value,
}


def test_no_row_is_left_out() -> None:
    assert len(ROWS) == 70
    assert {row["view"] for row in ROWS} == set(VALUES)


@each_case("row", ROWS)
def test_a_row(row: Row) -> None:
    value = VALUES[row["view"]](row)
    digits = len(row["digits"].strip("-").replace(".", "").lstrip("0"))
    tolerance = 0 if isinstance(row["value"], int) else max(1e-14, 10.0 ** -min(digits - 1, 13))
    assert math.isfinite(value)
    assert value == pytest.approx(row["value"], rel=tolerance, abs=ROUNDING if tolerance else 0)
