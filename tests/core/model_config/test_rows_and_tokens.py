"""Tables with more rows than tokens: their shape, and the number of tokens.

The numbers are the shape of the table, and the longest input that small models of transformers 5.23.0 accept.
"""

import json
from typing import Any

import pytest

from posenc_core import open_model

AFTER_PADDING = (
    "roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "longformer", "esm", "layoutlmv3", "luke", "markuplm",
    "lilt", "data2vec-text", "clap_text_model", "altclip_text_model", "bridgetower_text_model", "roberta-prelayernorm",
    "ibert", "xmod",
)  # fmt: skip
AFTER_TWO = ("bart", "mbart", "plbart", "mvp", "trocr", "biogpt", "yoso", "mra", "opt", "nystromformer")
SIZES: dict[str, Any] = {
    "hidden_size": 32, "d_model": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "max_position_embeddings": 40,
}  # fmt: skip


@pytest.mark.parametrize("model_type", AFTER_PADDING)
@pytest.mark.parametrize(("padding", "n_tokens"), [(1, 38), (3, 36)])
def test_tokens_come_after_the_row_of_the_padding(model_type: str, padding: int, n_tokens: int) -> None:
    model = open_model({"model_type": model_type, **SIZES, "pad_token_id": padding})
    assert (model.trained_length, model.target_length) == (n_tokens, n_tokens)
    assert model.lengths_from == "max_position_embeddings"
    assert any(note.startswith(f"40 rows for {n_tokens} tokens, from row {padding + 1}") for note in model.notes)
    assert model.layers[0].table_shape in ((40, 32), None)


@pytest.mark.parametrize("model_type", AFTER_TWO)
@pytest.mark.parametrize("padding", [1, 3])
def test_tables_behind_two_more_rows_are_longer_than_the_text(model_type: str, padding: int) -> None:
    model = open_model({"model_type": model_type, **SIZES, "pad_token_id": padding})
    assert model.trained_length == 40
    assert model.layers[0].table_shape == (42, 32)


@pytest.mark.parametrize(
    ("config", "n_tokens", "shape"),
    [
        ({"model_type": "xlm-roberta", "max_position_embeddings": 514, "pad_token_id": 1}, 512, (514, 32)),
        ({"model_type": "xlm-roberta", "max_position_embeddings": 8194, "pad_token_id": 1}, 8192, (8194, 32)),
        ({"model_type": "longformer", "max_position_embeddings": 4098}, 4096, (4098, 32)),
        ({"model_type": "lilt", "max_position_embeddings": 514}, 513, (514, 32)),
        ({"model_type": "mpnet", "max_position_embeddings": 514, "pad_token_id": 3}, 512, None),
        ({"model_type": "esm", "position_embedding_type": "rotary", "max_position_embeddings": 1026}, 1026, None),
        ({"model_type": "roberta", "max_position_embeddings": 2}, None, (2, 32)),
        ({"model_type": "bert", "max_position_embeddings": 512}, 512, (512, 32)),
        ({"model_type": "opt", "max_position_embeddings": 2048}, 2048, (2050, 32)),
        ({"model_type": "bart", "max_position_embeddings": 1024}, 1024, (1026, 32)),
        ({"model_type": "biogpt", "max_position_embeddings": 1024}, 1024, (1026, 32)),
        ({"model_type": "nystromformer", "max_position_embeddings": 510}, 510, (512, 32)),
    ],
)
def test_the_rows_of_published_sizes(config: dict[str, Any], n_tokens: int | None, shape: Any) -> None:
    model = open_model({**SIZES, **config})
    assert (model.trained_length, model.layers[0].table_shape) == (n_tokens, shape)
    assert open_model(json.loads(model.config)).trained_length == n_tokens
