"""Every number of models' configurations, replaced by numbers beyond float64 and by values of other types."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hostile import opened
from hostile_numbers import assert_finite, with_each_number
from rope_data import CONFIGS

from posenc_core import Document, rope_from_config
from posenc_core.model_config import ModelConfig

MODELS: list[dict[str, Any]] = [
    *(row["config_old"] for row in CONFIGS),
    *({"head_dim": 64, "max_position_embeddings": 8192, "rope_parameters": row["rope_parameters_new"]}
      for row in CONFIGS),
    {"model_type": "deepseek_v3", "qk_rope_head_dim": 64, "rope_theta": 10000, "max_position_embeddings": 163840,
     "rope_scaling": {"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "beta_fast": 32,
                      "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0}},
    {"model_type": "qwen2_vl", "head_dim": 8, "rope_scaling": {"type": "mrope", "mrope_section": [1, 1, 2]}},
    {"model_type": "gptj", "rotary_dim": 4, "n_embd": 16, "n_head": 2, "rotary": True},
    {"model_type": "gpt_neox", "hidden_size": 64, "num_attention_heads": 4, "rotary_pct": 0.25, "rotary_emb_base": 1e4},
    {"model_type": "marian", "d_model": 16, "max_position_embeddings": 12},
    {"model_type": "m2m_100", "d_model": 16, "pad_token_id": 1, "max_position_embeddings": 12},
    {"model_type": "t5", "relative_attention_num_buckets": 32, "relative_attention_max_distance": 128, "num_heads": 8},
    {"model_type": "bloom", "n_head": 6},
    {"model_type": "mpt", "n_heads": 6, "attn_config": {"alibi": True, "alibi_bias_max": 8}},
    {"model_type": "transfo-xl", "d_model": 16, "clamp_len": 40},
]  # fmt: skip


@pytest.fixture
def configs(amount: Callable[[int, int], int]) -> list[dict[str, Any]]:
    """Every model's configuration with one number replaced, in usual runs one in seven of these."""
    return [*with_each_number(MODELS, amount(7, 1))]


def finite(document: Document | None) -> bool:
    """Whether there is a document, which is proven to be finite."""
    if document is not None:
        assert_finite(document)
    return document is not None


def test_every_config_shows_finite_numbers_or_is_refused(
    configs: list[dict[str, Any]], count: Callable[[str, int], None]
) -> None:
    def shown(config: Any) -> Document:
        return ModelConfig.parse(json.dumps(config)).shown_in(Document(sentence="kept", seq_len=9))

    found = [finite(opened(lambda config=config: shown(config))) for config in configs]
    assert min(sum(found), len(found) - sum(found)) > 500 // 7
    count("numbers of model configs replaced", len(found))


def test_every_mapping_gives_a_finite_rotation_or_is_refused(
    configs: list[dict[str, Any]], count: Callable[[str, int], None]
) -> None:
    """Also with integers that no file can hold."""

    def rotation(config: Any) -> Document:
        return Document(encoding=rope_from_config(config, seq_len=10**6), seq_len=9)

    refusals = (ValueError, TypeError)
    found = [finite(opened(lambda config=config: rotation(config), refusals)) for config in configs]
    assert min(sum(found), len(found) - sum(found)) > 500 // 7
    count("numbers of mappings for a rotation replaced", len(found))
