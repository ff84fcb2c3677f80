"""Models since 2022 whose config.json alone names changed distances, mixed waves or biases."""

from typing import Any

import numpy as np
import pytest

from posenc_core import Encoding, open_model
from posenc_core.encodings import DistanceRemap, DualChunk, Fire, Fope, Kerple, Sandwich, SimulatedMlp

QWEN_1M = {
    "model_type": "qwen2",
    "hidden_size": 3584,
    "num_attention_heads": 28,
    "max_position_embeddings": 1010000,
    "rope_theta": 10000000.0,
    "dual_chunk_attention_config": {"chunk_size": 262144, "local_size": 8192},
}
LLAMA_4 = {
    "model_type": "llama4_text",
    "hidden_size": 5120,
    "num_attention_heads": 40,
    "head_dim": 128,
    "num_hidden_layers": 4,
    "rope_theta": 500000.0,
    "attention_chunk_size": 8192,
}


def rotation_of(config: dict[str, Any]) -> Encoding:
    encoding = open_model(config).layers[0].encoding
    assert encoding is not None
    return encoding


def seen(encoding: Any, query: int, key: int) -> float:
    return float(encoding.pair_values(range(query, query + 1), range(key, key + 1))[0, 0])


def test_qwens_million_token_models_see_no_distance_above_a_chunk() -> None:
    encoding = rotation_of(QWEN_1M)
    assert encoding == DistanceRemap(DualChunk(262144, 8192), 128, 10000000.0)
    assert [seen(encoding, 1_000_000, key) for key in (0, 999_999)] == [262144, 1]
    assert seen(encoding, 300_000, 253_951) == 8193


def test_llama_4_attends_within_chunks() -> None:
    encoding = rotation_of(LLAMA_4)
    assert isinstance(encoding, DistanceRemap)
    assert encoding.rotary.pairing == "interleaved"
    assert [encoding.visible(20_000, key) for key in (16_384, 16_383)] == [True, False]
    assert seen(encoding, 20_000, 16_384) == 3616
    assert np.isnan(seen(encoding, 20_000, 16_383))


def test_fope_keeps_the_pairs_that_its_file_says() -> None:
    config = {"model_type": "llama", "hidden_size": 512, "num_attention_heads": 4, "max_position_embeddings": 4096}
    assert rotation_of({**config, "use_fope": True}) == Fope(128, 10000.0, 4096)
    assert rotation_of({**config, "use_fope": True}).n_kept == 46
    assert rotation_of({**config, "use_fope": True, "num_inv_freq": 7}).n_kept == 7


def test_hostile_chunks_are_refused_in_a_sentence() -> None:
    for chunks in (5, {"chunk_size": 8, "local_size": 8}, {"chunk_size": "x"}):
        with pytest.raises((TypeError, ValueError), match="chunk"):
            rotation_of({**QWEN_1M, "dual_chunk_attention_config": chunks})


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("kerple", Kerple(n_heads=12)), ("sandwich", Sandwich(n_heads=12)), ("fire", Fire(mlp=SimulatedMlp(12)))],
)
def test_a_key_names_the_biases_of_megatron(name: str, encoding: Any) -> None:
    config = {"model_type": "gpt_neox", "num_attention_heads": 12, "hidden_size": 768, "num_hidden_layers": 2}
    model = open_model({**config, "position_embedding_type": name})
    assert [(layer.kind, layer.encoding) for layer in model.layers] == [("bias", encoding)] * 2
