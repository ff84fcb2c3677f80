"""Listed divisors against rows computed with 40 digits in ``tests/data/model_values.json``."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc_core import Document, FrequencyDivisors, Llama3, Rotary, Yarn, encode, explain
from posenc_core.explain import Digits

ROWS = json.loads((Path(__file__).parents[2] / "data" / "model_values.json").read_text(encoding="utf-8"))[
    "listed_frequencies"
]
FROM_FILES = [row for row in ROWS if "file" in row["params"]]
LEARNED = [row for row in ROWS if row["params"].get("rule") == "lerope"]

Row = dict[str, Any]


def named(row: Row) -> str:
    return f"{row['params']['example']} {row['params'].get('alpha', '')} {row['inputs']['pair']}"


def test_every_row_is_compared() -> None:
    assert len(FROM_FILES) + len(LEARNED) == len(ROWS) == 19


@pytest.mark.parametrize("row", FROM_FILES, ids=named)
def test_a_conversions_divisors_give_the_frequencies_of_llama_3s_rule(row: Row) -> None:
    """Llama 3.1 8B is slowed 8 times, Llama 3.2 1B 32 times; both were trained on 8192 positions."""
    given, pair = row["params"], row["inputs"]["pair"]
    ruled = Rotary(given["dims"], given["base"], scaling=Llama3(given.get("factor", 8), 8192))
    divisors = ruled.pairs.unscaled / ruled.frequencies()
    assert divisors[pair] == pytest.approx(row["value"], rel=1e-12)
    listed = Rotary(given["dims"], given["base"], scaling=FrequencyDivisors(divisors))
    np.testing.assert_allclose(listed.frequencies(), ruled.frequencies(), rtol=1e-14)
    assert listed.frequencies()[pair] == pytest.approx(given["base"] ** (-2 * pair / given["dims"]) / row["value"])


@pytest.mark.parametrize("row", LEARNED, ids=named)
def test_learned_exponents_are_divisors_too(row: Row) -> None:
    """Mistral Large 4 multiplies its YaRN frequencies by exp(alpha), which is a list of divisors of the plain ones."""
    given, pair = row["params"], row["inputs"]["pair"]
    yarn = Rotary(given["dims"], given["base"], scaling=Yarn(**given["yarn"]))
    alpha = (np.arange(given["dims"] // 2) - 16) / 100 if given["alpha"] != "0" else 0.0
    divisors = yarn.pairs.unscaled / (yarn.frequencies() * np.exp(alpha))
    listed = Rotary(given["dims"], given["base"], scaling=FrequencyDivisors(divisors))
    assert listed.frequencies()[pair] == pytest.approx(row["value"], rel=1e-12)


def test_ones_change_nothing_and_an_attention_factor_is_as_given() -> None:
    assert Rotary(8, scaling=FrequencyDivisors([1] * 4)).frequencies().tolist() == Rotary(8).frequencies().tolist()
    scaled = Rotary(8, scaling=FrequencyDivisors([1] * 4, 1.25))
    assert scaled.attention_factor == 1.25
    assert encode(scaled, [0])[0].tolist() == [1.25] * 4 + [0] * 4
    assert "attention factor a = 1.25, as given" in explain(scaled, 3, 1).to_text()


def test_the_derivation_has_the_number_of_the_list() -> None:
    rotary = Rotary(8, scaling=FrequencyDivisors((1, 2.5, 8, 8)))
    lines = explain(rotary, 10, 1).to_text().splitlines()
    assert "divisor of pair 1, as listed: divisors[1] = 2.5" in lines
    assert "frequency θ' = θ/divisors[1] = 0.1/2.5 = 0.04 rad/token" in lines
    assert explain(rotary, 10, 1).value == pytest.approx(np.cos(0.4), rel=1e-12)
    steps = FrequencyDivisors((3,)).steps(0, np.ones(1), 1e4, Digits(8))
    assert [step.value for step in steps] == [3, pytest.approx(1 / 3)]


def test_a_list_begins_with_ones_when_it_is_chosen_and_takes_the_attention_factor_over() -> None:
    document = Document(encoding=Rotary(8, scaling=Yarn(4, 4096))).edited("scaling", "listed")
    assert document.encoding == Rotary(8, scaling=FrequencyDivisors((1,) * 4))
    given = Document(encoding=Rotary(8, scaling=Yarn(4, 4096, attention_factor=1.5))).edited("scaling", "listed")
    assert given.encoding == Rotary(8, scaling=FrequencyDivisors((1,) * 4, 1.5))
    edited = given.edited("divisors", (1, 2, 3, 4))
    assert Document.from_json(edited.to_json()) == edited
    assert edited.to_dict()["encoding"]["divisors"] == (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("divisors", "error", "sentence"),
    [
        ((1,), ValueError, "divisors must list rotary_dim/2 = 4 numbers, got 1"),
        ((1,) * 5, ValueError, "divisors must list rotary_dim/2 = 4 numbers, got 5"),
        ((1, 1, 0, 1), ValueError, "divisors[2] must be a finite number > 0, got 0"),
        ((1, 1, 1, float("inf")), ValueError, "divisors[3] must be a finite number > 0, got inf"),
        ("1 1 1 1", TypeError, "divisors must be a list of finite numbers > 0, one per pair, got '1 1 1 1'"),
        (None, TypeError, "divisors must be a list of finite numbers > 0, one per pair, got None"),
    ],
)
def test_other_lists_are_refused(divisors: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        Rotary(8, scaling=FrequencyDivisors(divisors))
    assert str(caught.value) == sentence
