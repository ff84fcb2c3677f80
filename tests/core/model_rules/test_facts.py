"""Facts about a model_type, and the configuration merged from a file's keys and the defaults of its class."""

from typing import Any

import pytest

from posenc_core.model_rules import Values, facts_of
from posenc_core.model_rules.facts import LayerPattern


def test_facts_of_known_and_unknown_models() -> None:
    llama = facts_of("llama")
    assert (llama.positions, llama.layout, llama.direction, llama.trailing) == ("rotary", "half_split", 1, False)
    assert llama.source.startswith("models/llama/modeling_llama.py")
    assert facts_of("deepseek_v4").trailing
    assert facts_of("nanochat").direction == -1
    assert facts_of("pixtral").axes == ("height", "width")
    assert facts_of("llama4").parts["text_config"] == "llama4_text"
    assert facts_of("newest").positions == ""


@pytest.mark.parametrize(("model", "same"), [("kimi_k2", "deepseek_v3"), ("stablelm_epoch", "stablelm")])
def test_models_of_the_same_code_have_its_layout_and_not_its_sizes(model: str, same: str) -> None:
    assert facts_of(model).layout == facts_of(same).layout
    assert facts_of(model).defaults == {}


def test_a_missing_key_has_the_default_of_the_class_and_null_has_none() -> None:
    values = Values.of({"model_type": "mistral", "hidden_size": 64})
    assert values.find("sliding_window") == 4096
    assert values.find("hidden_size") == 64
    assert not values.has("sliding_window")
    assert Values.of({"model_type": "mistral", "sliding_window": None}).find("sliding_window") is None
    assert values.find("n_embd", "hidden_size") == 64
    assert values.key("n_embd", "hidden_size") == "hidden_size"
    assert values.find("nothing of this name") is None


@pytest.mark.parametrize(
    ("pattern", "count", "names"),
    [
        (LayerPattern(period=("a", "b")), 3, ("a", "b", "a")),
        (LayerPattern(first=("x",), period=("a", "b")), 4, ("x", "a", "b", "a")),
        (LayerPattern(first=("x", "y"), period=("a",)), 1, ("x",)),
        (LayerPattern(period=("a", "b"), last="z"), 4, ("a", "b", "a", "z")),
        (LayerPattern(period=("a", "b", "b"), from_end=True), 4, ("a", "b", "b", "a")),
        (LayerPattern(), 2, (None, None)),
    ],
)
def test_patterns_of_layers(pattern: LayerPattern, count: int, names: tuple[Any, ...]) -> None:
    assert pattern.names(count) == names
