"""Keys with a value of null are not missing keys; expected values are of transformers 5.23.0's classes."""

from typing import Any

import pytest

from posenc_core import Rotary, frequencies, open_model

SIZES: dict[str, Any] = {"hidden_size": 512, "num_attention_heads": 4, "head_dim": 128, "num_hidden_layers": 4}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}


@pytest.mark.parametrize("keys", [{}, {"rope_scaling": YARN}], ids=["plain", "scaled"])
@pytest.mark.parametrize("model_type", ["glm", "moonshine", "nemotron", "phi", "qwen3_5_text", "stablelm"])
def test_a_share_of_null_is_the_whole_head_where_a_class_fills_in_a_missing_one(
    model_type: str, keys: dict[str, Any]
) -> None:
    model = open_model({**SIZES, **keys, "model_type": model_type, "partial_rotary_factor": None})
    rotating = [layer.encoding for layer in model.layers if layer.encoding is not None]
    assert {len(frequencies(each)) for each in rotating} == {64}
    assert "partial_rotary_factor is null in the file, not missing: all columns of a head rotate" in model.notes


def test_a_share_of_null_is_that_of_a_class_with_another_key() -> None:
    model = open_model({**SIZES, "model_type": "gpt_neox", "partial_rotary_factor": None})
    rotary = model.layers[0].encoding
    assert isinstance(rotary, Rotary)
    assert len(frequencies(rotary)) == 16
