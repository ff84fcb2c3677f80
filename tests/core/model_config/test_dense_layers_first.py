"""The layers of Cohere 2 MoE, whose first ones are dense and have a period of their own."""

import json
from typing import Any

import pytest

from posenc_core import open_model

S, F = "sliding_attention", "full_attention"
KEYS = {
    "model_type": "cohere2_moe", "num_hidden_layers": 8, "hidden_size": 1024, "num_attention_heads": 8, "head_dim": 128,
    "sliding_window": 4096,
}  # fmt: skip

CASES: list[tuple[dict[str, Any], list[str], list[int]]] = [
    ({"first_k_dense_replace": 3}, [F, F, F, S, S, S, F, S], [6]),
    ({"first_k_dense_replace": 3, "prefix_dense_sliding_window_pattern": 2}, [S, F, S, S, S, S, F, S], [1, 6]),
    ({"first_k_dense_replace": 1, "sliding_window_pattern": 2}, [F, S, F, S, F, S, F, S], [2, 4, 6]),
    ({"first_k_dense_replace": 0, "prefix_dense_sliding_window_pattern": 2}, [S, S, S, F, S, S, S, F], [3, 7]),
    ({"first_k_dense_replace": 1, "layer_types": [S] * 7 + [F]}, [S] * 7 + [F], [7]),
    ({"mlp_layer_types": ["sparse"] * 7 + ["dense"]}, [S, S, S, F, S, S, S, F], [3]),
]
"""Keys, the layers' types, and the layers without rotation, as in the class of transformers 5.23.0."""


@pytest.mark.parametrize(("keys", "types", "still"), CASES, ids=lambda part: str(part)[:50])
def test_dense_layers_have_a_period_of_their_own_and_rotate_if_all_are_full(
    keys: dict[str, Any], types: list[str], still: list[int]
) -> None:
    model = open_model({**KEYS, **keys})
    assert [layer.layer_type for layer in model.layers] == types
    assert [layer.window for layer in model.layers] == [4096 if each == S else None for each in types]
    assert [index for index, layer in enumerate(model.layers) if layer.kind == "none"] == still
    assert open_model(json.loads(model.config)).layers == model.layers


def test_numbers_of_dense_layers_and_periods_that_no_class_could_use_are_refused() -> None:
    for keys, sentence in (
        ({"first_k_dense_replace": -1}, "first_k_dense_replace must be"),
        ({"first_k_dense_replace": 9}, "first_k_dense_replace must have an entry for each of the 8 layers, got 9"),
        ({"first_k_dense_replace": 1, "prefix_dense_sliding_window_pattern": 0}, "prefix_dense_sliding_window_pattern"),
    ):
        with pytest.raises(ValueError, match=sentence):
            open_model({**KEYS, **keys})
