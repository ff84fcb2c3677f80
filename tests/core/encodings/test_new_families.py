"""The families since 2022 against check values that were computed at 40 digits from their papers and code."""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import each_case

from posenc_core import DynamicNtk, Llama3, Proportional, QueryTemperature, Rotary, encode, open_model, rope_from_config
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
    Sandwich,
    SimulatedMlp,
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


@each_case("row", ROWS, name_of)
def test_a_check_value_is_met(row: Row) -> None:
    found = NUMBER_OF[row["family"]](row["params"], row["inputs"])
    np.testing.assert_allclose(found, row["value"], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(found, np.array(row["digits"], np.float64), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("encoding", [
    Fope(40), Fope(40, deviation=0.0), Fope(40, num_inv_freq=0), Fope(40, 0.3, num_inv_freq=20), Fope(16, 10.0, 10**7),
    XPos(40), XPos(40, 0.3, pairing="interleaved"), XPos(40, scale_base=1), XPos(40, gamma=1000.0, scale_base=10**7),
], ids=repr)  # fmt: skip
@pytest.mark.parametrize(
    "positions", [np.arange(-2000, 1), np.arange(-9_999_999, -9_990_000, 7), np.arange(0, -90, -1)]
)
@pytest.mark.parametrize("columns", [np.arange(10), np.array([15, 2, 2, 9])])
def test_float32_has_the_entries_of_float64_at_evenly_spaced_positions(encoding, positions, columns) -> None:
    found, exact = encoding.encode(positions, columns), encoding.values(positions, columns)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, exact, atol=1.5e-7 * max(1, np.abs(exact).max()))


@pytest.mark.parametrize("base", [0.3, 1e-5, 1e-20, 1e-300])
def test_pairs_with_many_turns_per_position_are_those_of_rope(base) -> None:
    """Decimals leave whole turns out of the frequencies of RoPE; float64 has no digits for the angles themselves."""
    distances, columns = np.arange(-3000, 1, 11), np.arange(12)
    turned = Rotary(12, base).values(distances, columns)
    xpos = XPos(12, base)
    faded = turned * np.tile(xpos.zetas ** (-distances[:, None] / xpos.scale_base), 2)
    np.testing.assert_allclose(xpos.values(distances, columns), faded, atol=1e-13)
    np.testing.assert_allclose(encode(xpos, distances), faded, atol=2e-7)
    fope = Fope(12, base, num_inv_freq=6, deviation=0.0)
    np.testing.assert_allclose(fope.values(-distances, columns), turned * np.repeat([1, -1], 6), atol=1e-13)
    np.testing.assert_allclose(encode(fope, -distances), turned * np.repeat([1, -1], 6), atol=2e-7)
    assert fope.explain(2904, 5).value == pytest.approx(fope.values(np.array([2904]), columns)[0, 5], abs=1e-13)


@pytest.mark.parametrize("n_heads", [1, 4])
@pytest.mark.parametrize("first", [-59, -4000])
def test_the_scale_of_sandwich_is_that_of_the_biases_in_view(n_heads: int, first: int) -> None:
    """Curves of a scale with room for minus the largest bias would be flat."""
    encoding = Sandwich(64, n_heads=n_heads)
    biases = encoding.values(np.arange(first, 1), np.arange(n_heads))
    assert encoding.range_over(first, 1) == (biases.min(), 4.0 * n_heads)


def test_sandwich_is_nemos_bias_but_for_a_constant_of_each_head() -> None:
    """NeMo's sandwich_relative_position_embedding: ``(sum of cosines - hidden_size/2)/(bias_scales * 8/heads)``."""
    distances, hidden_size, heads = np.arange(40), 32, 6
    inv_freq = 1.0 / 10000 ** (2 * np.arange(hidden_size // 2) / hidden_size)
    sums = np.array([sum(math.cos(distance * each) for each in inv_freq) for distance in distances])
    bias_scales = np.arange(1, heads + 1)
    nemo = (sums[:, None] - hidden_size / 2) / (bias_scales * 8 / heads)
    biases = Sandwich(hidden_size, n_heads=heads).values(-distances, np.arange(heads))
    np.testing.assert_allclose(biases - biases[0], nemo - nemo[0], rtol=0, atol=1e-12)


def test_the_scale_of_sandwich_over_many_distances_has_room_for_any_bias() -> None:
    assert Sandwich(64).range_over(-1_000_000, 1) == (-32.0, 32.0)
    low, high = Sandwich(64, n_heads=1).range_over(0, 1)
    assert low < 4.0 < high


@pytest.mark.parametrize("mlp", [None, SimulatedMlp(n_heads=5, table_seed=3)])
@pytest.mark.parametrize("n_tokens", [3, 40, 2000])
def test_the_range_of_fire_is_that_of_the_numbers_in_view(mlp, n_tokens):
    fire = Fire(threshold=512, mlp=mlp)
    low, high = fire.range_over(1 - n_tokens, n_tokens)
    some = np.unique(np.linspace(0, n_tokens - 1, 60).astype(int)).tolist()
    numbers = [fire.seen_from(query).row(query, np.arange(query + 1), np.arange(fire.n_columns)) for query in some]
    least, most = (float(f([f(each) for each in numbers])) for f in (np.min, np.max))
    assert low <= least + 1e-12
    assert high >= most - 1e-12
    assert high - low <= (most - least) * (1 if mlp is None else 1.05) + 1e-12, "no wider than what is seen"
