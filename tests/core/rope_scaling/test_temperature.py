"""Factors of queries against rows computed with 40 digits in ``tests/data/model_values.json``."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import each_case
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import QueryTemperature, Yarn, query_temperature
from posenc_core.session import Layer

DATA = json.loads((Path(__file__).parents[2] / "data" / "model_values.json").read_text(encoding="utf-8"))

Row = dict[str, Any]

TELECHAT = "telechat3 yarn"
"""The rows of this name give an attention factor, which a scaling of frequencies has."""

EXAMPLES = [
    QueryTemperature("llama4", {"attn_scale": 0.1, "floor_scale": 8192}),
    QueryTemperature("ministral3", {"llama_4_scaling_beta": 0.1, "original_max_position_embeddings": 16384}),
    QueryTemperature("inkling", {"log_scaling_alpha": 0.1, "log_scaling_n_floor": 128000}),
    QueryTemperature("beam", {"scale": 2048, "exponent": 0.1}),
    QueryTemperature("scalable softmax", {"scale": 0.168, "bias": 0.5}),
    QueryTemperature("grok", {"attn_temperature_len": 1024}),
    QueryTemperature("log-n", {"trained_length": 2048}),
]


def named(row: Row) -> str:
    return f"{row['params']['rule']} {row['inputs']}"


@each_case("row", [row for row in DATA["query_temperature"] if "position" in row["inputs"]], named)
def test_a_factor_is_that_of_the_rule(row: Row) -> None:
    parameters = {name: value for name, value in row["params"].items() if name not in ("rule", "example")}
    (found,) = query_temperature(row["params"]["rule"], [row["inputs"]["position"]], **parameters)
    assert found == pytest.approx(row["value"], rel=1e-12, abs=0)
    temperature = QueryTemperature(row["params"]["rule"], parameters)
    assert temperature.factors(np.array([5, row["inputs"]["position"]]))[1] == found


@pytest.mark.parametrize("row", [row for row in DATA["query_temperature"] if "factor" in row["inputs"]], ids=named)
def test_telechats_slope_is_an_mscale_of_yarn(row: Row) -> None:
    """0.07 ln s + 1 is YaRN's 0.1 m ln s + 1 for m = 0.7, over 1, which an mscale of next to nothing gives."""
    factor = row["inputs"]["factor"]
    given = Yarn(factor, 4096, mscale=10 * row["params"]["slope"], mscale_all_dim=1e-30)
    assert given.amplitude == pytest.approx(row["value"], rel=1e-12)


@pytest.mark.parametrize("length", [2, 1024])
def test_groks_factor_is_that_of_sglangs_kernel(length: int) -> None:
    """``decode_attention.py``: log2(p)/log2(L) where p > L, else 1."""
    positions = [0, 1, 2, 3, 1023, 1024, 1025, 131071]
    wanted = [math.log2(p) / math.log2(length) if p > length else 1.0 for p in positions]
    found = query_temperature("grok", positions, attn_temperature_len=length)
    assert found.tolist() == pytest.approx(wanted, rel=1e-12)


def test_every_row_is_compared() -> None:
    assert len(DATA["query_temperature"]) == 41
    rules = {row["params"]["rule"] for row in DATA["query_temperature"]} - {TELECHAT}
    assert {QueryTemperature(each.rule, each.parameters).rule for each in EXAMPLES} - {"grok"} == {
        rule.partition(",")[0].partition(" beyond")[0] for rule in rules
    }


@pytest.mark.parametrize("temperature", EXAMPLES, ids=lambda each: each.rule)
@given(position=st.integers(0, 2**53 - 1))
def test_a_later_query_never_has_a_smaller_factor(temperature: QueryTemperature, position: int) -> None:
    now, then = temperature.factors([position, position + 1])
    assert then >= now
    assert temperature.factors([position]).dtype == np.float64


def test_llama4_and_ministral3_step_a_position_apart() -> None:
    """They are two rules, not one: Llama 4 counts from 1, Ministral 3 from 0."""
    llama, ministral = (
        query_temperature("llama4", range(20_000), attn_scale=0.1, floor_scale=8192),
        query_temperature("ministral3", range(20_000), llama_4_scaling_beta=0.1, original_max_position_embeddings=8192),
    )
    assert np.flatnonzero(llama != ministral).tolist() == [8191, 16383]
    assert np.flatnonzero(np.diff(llama)).tolist() == [8190, 16382]


def test_no_strength_is_a_constant_factor() -> None:
    for rule, name in [("llama4", "attn_scale"), ("inkling", "log_scaling_alpha"), ("beam", "exponent")]:
        temperature = QueryTemperature(rule, {name: 0})
        assert (temperature.factors([0, 10**9]) == 1).all()
        assert temperature.sentence.endswith(", the same at every position")
    assert (query_temperature("scalable softmax", [0, 99], scale=0, bias=-2) == -2).all()
    assert query_temperature("log-n", [], trained_length=2).shape == (0,)


def test_keys_that_a_rule_omits_have_the_models_default() -> None:
    assert QueryTemperature("llama4") == EXAMPLES[0]
    assert QueryTemperature("inkling") == EXAMPLES[2]
    assert QueryTemperature("beam") == EXAMPLES[3]
    mistral = QueryTemperature("mistral4", {"original_max_position_embeddings": 16384})
    assert mistral == EXAMPLES[1]


def test_a_temperature_is_a_frozen_comparable_value() -> None:
    given = {"attn_scale": 0.2, "floor_scale": 1}
    temperature = QueryTemperature("llama4", given)
    given["attn_scale"] = 7
    assert dict(temperature.parameters) == {"attn_scale": 0.2, "floor_scale": 1.0}
    with pytest.raises(TypeError):
        temperature.parameters["attn_scale"] = 7  # type: ignore[index]
    assert len({temperature, QueryTemperature("llama4", {"floor_scale": 1.0, "attn_scale": 0.2}), EXAMPLES[0]}) == 2
    assert Layer("none", temperature=EXAMPLES[0]) == Layer("none", temperature=QueryTemperature("llama4"))
    assert hash(Layer("none", temperature=temperature)) != hash(Layer("none"))


def test_the_sentence_has_the_formula_with_its_numbers() -> None:
    assert EXAMPLES[0].sentence == (
        "a query at position p, counted from 0, is multiplied by 1 + 0.1 ln(1 + floor((p + 1)/8192)) (Llama 4)"
    )
    assert "max(ln(p + 1)/ln 2048, 1)" in EXAMPLES[6].sentence
    assert "0.168 ln(p + 1) + 0.5 (" in EXAMPLES[4].sentence
    assert "0.5 ln(p + 1) - 2 (" in QueryTemperature("scalable softmax", {"scale": 0.5, "bias": -2}).sentence
    without = QueryTemperature("scalable softmax", {"scale": 0.5})
    assert "0.5 ln(p + 1) (" in without.sentence
    assert "at position 0 that is 0: a causal model has one key there" in without.sentence


@pytest.mark.parametrize(
    ("rule", "positions", "parameters", "error", "sentence"),
    [
        ("yarn", [0], {}, ValueError,
         "rule must be llama4, ministral3, inkling, beam, scalable softmax, grok or log-n, got 'yarn'"),
        (None, [0], {}, ValueError,
         "rule must be llama4, ministral3, inkling, beam, scalable softmax, grok or log-n, got None"),
        ("llama4", [-1], {}, ValueError, "positions must be >= 0, got -1"),
        ("llama4", [0.5], {}, TypeError, "positions must be integers, got float64"),
        ("llama4", [0], {"attn_scale": -0.1}, ValueError, "attn_scale must be a finite number >= 0, got -0.1"),
        ("llama4", [0], {"floor_scale": 0}, ValueError, "floor_scale must be a finite number >= 1, got 0"),
        ("llama4", [0], {"floor_scale": "8192"}, TypeError, "floor_scale must be a number, got '8192' (str)"),
        ("inkling", [0], {"log_scaling_n_floor": math.inf}, ValueError,
         "log_scaling_n_floor must be a finite number >= 1, got inf"),
        ("beam", [0], {"exponent": math.nan}, ValueError, "exponent must be a finite number >= 0, got nan"),
        ("beam", [0, 10**6, 0], {"exponent": 1000}, ValueError,
         "the factor of a query at position 1000000 is larger than any number"),
        ("llama4", [2**53], {"attn_scale": 1.7e308}, ValueError,
         "the factor of a query at position 9007199254740992 is larger than any number"),
        ("llama4", [0], {"beta": 0.1}, TypeError,
         "the rule 'llama4' has no parameter 'beta', only attn_scale and floor_scale"),
        ("ministral3", [0], {}, ValueError, "the rule 'ministral3' needs 'original_max_position_embeddings'"),
        ("scalable softmax", [0], {"bias": 1}, ValueError, "the rule 'scalable softmax' needs 'scale'"),
        ("log-n", [0], {"trained_length": 1}, ValueError, "trained_length must be an integer >= 2, got 1"),
    ],
)  # fmt: skip
def test_a_value_that_no_rule_allows_is_refused_in_a_sentence(
    rule: Any, positions: Any, parameters: Row, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error) as caught:
        query_temperature(rule, positions, **parameters)
    assert str(caught.value) == sentence
