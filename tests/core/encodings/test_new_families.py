"""The families since 2022 against check values that were computed at 40 digits from their papers and code."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc_core.encodings import Cope, Fire, ForgetGate, GivenMlp, Kerple, QueryKeyEncoding, RelativeBank

ROWS = json.loads((Path(__file__).parents[2] / "data" / "new_families.json").read_text())
"""Rows of ``family``, ``params``, ``inputs`` and ``value``; ``digits`` are 15 digits of the value."""

Row = dict[str, Any]


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


NUMBER_OF: dict[str, Callable[[Row, Row], Any]] = {
    each.__name__: each for each in (kerple, fire, relative_bank, cope, forget_gate)
}
CASES = [row for row in ROWS if row["family"] in NUMBER_OF]


def name_of(row: Row) -> str:
    return "-".join([row["family"], *(str(each) for each in (*row["params"].values(), *row["inputs"].values()))])[:80]


@pytest.mark.parametrize("row", CASES, ids=name_of)
def test_a_check_value_is_met(row: Row) -> None:
    found = NUMBER_OF[row["family"]](row["params"], row["inputs"])
    np.testing.assert_allclose(found, row["value"], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(found, np.array(row["digits"], np.float64), rtol=1e-13, atol=1e-14)
