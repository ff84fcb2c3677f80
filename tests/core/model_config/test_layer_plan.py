"""Which layers rotate, how far they attend and what else they do, by every rule of files and of models' code."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from posenc_core import Document, NoPosition, QueryTemperature, Rotary, open_model, rope_from_config
from posenc_core.model_config import Model, ModelConfig

DATA = Path(__file__).parents[2] / "data"
CHECKS: list[dict[str, Any]] = json.loads((DATA / "layer_plans.json").read_text(encoding="utf-8"))["rows"]

SIZES = {"hidden_size": 512, "num_attention_heads": 4, "rope_theta": 1e4}
SLIDING, FULL, LINEAR = "sliding_attention", "full_attention", "linear_attention"


def rotating(model: Model) -> list[int]:
    """1 for each layer that rotates, 0 for others."""
    assert {layer.kind for layer in model.layers} <= {"rotary", "none"}
    return [int(layer.kind == "rotary") for layer in model.layers]


def opened(**config: Any) -> Model:
    return open_model({**SIZES, **config})


def bases(model: Model) -> list[float]:
    return [layer.encoding.rope_theta if isinstance(layer.encoding, Rotary) else 0 for layer in model.layers]


def configuration_of(check: dict[str, Any]) -> list[dict[str, Any]]:
    """The configurations to which the rule of the check row applies."""
    params = check["params"]
    count = params.get("num_hidden_layers")
    if params["rule"] == "no_rope_layer_interval":
        key = {"no_rope_layer_interval": params["interval"], "num_hidden_layers": count}
        return [{"model_type": name, **key} for name in ("llama4_text", "smollm3", "mistral_large4_text")]
    if params["rule"] == "every fourth from the last":
        return [{"model_type": "muse_spark_text", "num_hidden_layers": count}]
    if "layer_types" in params:
        types = {"layer_types": params["layer_types"], "sliding_window": 4096}
        return [{"model_type": name, **types} for name in ("cohere2", "afmoe", "exaone4", "kolibri1")]
    assert params["rule"].startswith("Beam")
    return [{"model_type": "beam", "num_hidden_layers": count}]


@pytest.mark.parametrize(
    ("check", "config"), [(check, config) for check in CHECKS for config in configuration_of(check)]
)
def test_the_check_rows_of_layer_plans_hold(check: dict[str, Any], config: dict[str, Any]) -> None:
    assert rotating(opened(**config)) == check["value"]


FOUR = [SLIDING, SLIDING, SLIDING, FULL]
PLANS: list[tuple[dict[str, Any], list[int], str]] = [
    ({"model_type": "llama4_text", "num_hidden_layers": 4, "no_rope_layers": [1, 0, 1, 0]}, [1, 0, 1, 0],
     "no_rope_layers is 0 at this layer: it does not rotate"),
    ({"model_type": "llama4_text", "num_hidden_layers": 4, "no_rope_layers": []}, [1, 1, 1, 0],
     "no_rope_layer_interval is 4: one layer in 4 does not rotate, this is one of them"),
    ({"model_type": "granite_swa", "num_hidden_layers": 3, "layer_rope_theta": [0, 1e4, 5e5]}, [0, 1, 1],
     "layer_rope_theta is 0 at this layer: it does not rotate"),
    ({"model_type": "cohere2", "num_hidden_layers": 4}, [1, 1, 1, 0],
     "the layer is of type full_attention: it does not rotate, only sliding_attention does in this model"),
    ({"model_type": "exaone4", "layer_types": FOUR, "sliding_window": None}, [1, 1, 1, 1],
     "sliding_window is null: all layers rotate"),
    ({"model_type": "exaone4", "num_hidden_layers": 4, "sliding_window_pattern": "LLGG"}, [1, 1, 0, 0],
     "only sliding_attention does"),
    ({"model_type": "cohere2_moe", "layer_types": [FULL, *FOUR], "first_k_dense_replace": 1}, [1, 1, 1, 1, 0],
     "the layer is one of the first, dense ones, which rotate"),
    ({"model_type": "granitemoehybrid", "layer_types": ["mamba", "attention"], "position_embedding_type": "nope"},
     [0, 0], "position_embedding_type is 'nope': the layer does not rotate"),
    ({"model_type": "granitemoehybrid", "layer_types": ["mamba", "attention"], "position_embedding_type": "rope"},
     [0, 1], "layer_types is mamba at this layer: it has a state-space model"),
    ({"model_type": "zamba2", "num_hidden_layers": 2, "use_mem_rope": False}, [0, 0], "use_mem_rope is false"),
    ({"model_type": "kimi_linear", "num_hidden_layers": 5, "qk_rope_head_dim": 64, "mla_use_nope": True}, [0] * 5,
     "mla_use_nope is true: the layer does not rotate"),
    ({"model_type": "kimi_linear", "num_hidden_layers": 5, "qk_rope_head_dim": 64}, [0] * 5, "rotates nothing"),
    ({"model_type": "glm5_next_text", "num_hidden_layers": 4, "qk_rope_head_dim": 0}, [0] * 4, "qk_rope_head_dim is 0"),
    ({"model_type": "olmo_hybrid", "layer_types": [LINEAR, FULL], "rope_parameters": None, "rope_theta": None}, [0, 0],
     "the file has no base of a rotation"),
    ({"model_type": "olmo_hybrid", "layer_types": [LINEAR, FULL], "rope_parameters": {"rope_theta": 5e5}}, [0, 1],
     "layer_types is full_attention at this layer"),
    ({"layer_types": [SLIDING, FULL], "rope_parameters": {SLIDING: {"rope_theta": 1e4}, FULL: None}}, [1, 0],
     "the rotary parameters of full_attention are null: these layers do not rotate"),
    ({"model_type": "nemotron_h", "hybrid_override_pattern": "M-*E"}, [0, 0, 0, 0], "hybrid_override_pattern makes"),
    ({"model_type": "jamba", "num_hidden_layers": 4, "attn_layer_period": 4, "attn_layer_offset": 2}, [0, 0, 0, 0],
     "model_type 'jamba' rotates nothing"),
    ({"model_type": "bamba", "num_hidden_layers": 4, "attn_layer_indices": [1]}, [0, 1, 0, 0],
     "attn_layer_indices makes this layer full_attention"),
    ({"model_type": "lfm2", "num_hidden_layers": 3, "full_attn_idxs": [0, 2]}, [1, 0, 1],
     "full_attn_idxs makes this layer conv: it has a convolution over neighbours"),
    ({"model_type": "qwen3_next", "num_hidden_layers": 4, "full_attention_interval": 2}, [0, 1, 0, 1],
     "full_attention_interval makes this layer linear_attention"),
    ({"model_type": "recurrent_gemma", "num_hidden_layers": 4, "block_types": ["recurrent", "attention"]},
     [0, 1, 0, 1], "block_types is recurrent at this layer"),
    ({"model_type": "mllama_text_model", "num_hidden_layers": 3, "cross_attention_layers": [1]}, [1, 0, 1],
     "it attends to the picture's vectors"),
    ({"num_hidden_layers": 4, "attn_type_list": [0, 1, 0, 1]}, [0, 1, 0, 1], "attn_type_list makes this layer"),
    ({"num_hidden_layers": 3, "position_embedding_type": "nope"}, [0, 0, 0], "position_embedding_type is 'nope'"),
]  # fmt: skip


@pytest.mark.parametrize(("config", "expected", "sentence"), PLANS, ids=lambda part: str(part)[:50])
def test_every_rule_tells_which_layers_rotate_and_why(
    config: dict[str, Any], expected: list[int], sentence: str
) -> None:
    model = opened(**config)
    assert rotating(model) == expected
    assert any(sentence in layer.sentence for layer in model.layers)
    for group in model.groups:
        assert all(model.layers[index] is group.layer for index in group.indices)


def test_layers_with_bases_of_their_own() -> None:
    assert bases(opened(model_type="granite_swa", num_hidden_layers=3, layer_rope_theta=[0, 1e4, 5e5])) == [0, 1e4, 5e5]
    muse = {"model_type": "muse_spark_text", "num_hidden_layers": 5, "layer_rope_theta": [0, 1e4, 1e4, 1e4, 0]}
    base = {"rope_parameters": {"rope_type": "default", "rope_theta": 9e5}}
    assert bases(opened(**muse, **base)) == [0, 9e5, 9e5, 9e5, 0]  # its list is a switch alone
    del muse["layer_rope_theta"]
    assert bases(opened(**muse, rope_theta=9e5)) == [0, 5e5, 5e5, 5e5, 0]  # its class does not read rope_theta
    mimo = {"model_type": "mimo_v2_flash", "swa_rope_theta": 1e4, "rope_theta": 5e6, "hybrid_layer_pattern": [0, 1]}
    assert bases(opened(**mimo)) == [5e6, 1e4]
    gemma = {"model_type": "gemma3_text", "layer_types": [SLIDING, FULL], "rope_local_base_freq": 2e4}
    assert bases(opened(**gemma, rope_theta=3e6)) == [2e4, 3e6]
    v4 = {"model_type": "deepseek_v4", "compress_ratios": [0, 4, 128, 0], "num_nextn_predict_layers": 1}
    assert bases(opened(**v4, num_hidden_layers=3, compress_rope_theta=7e4)) == [1e4, 7e4, 7e4]


def test_lists_of_bases_and_shares_hold_for_each_layer() -> None:
    config = {
        "model_type": "step3p5", "head_dim": 128, "num_hidden_layers": 3, "num_nextn_predict_layers": 1,
        "layer_types": [FULL, SLIDING, FULL, SLIDING], "rope_theta": [5e6, 1e4, 5e6, 1e4],
        "partial_rotary_factors": [0.5, 1.0, 0.5, 1.0], "sliding_window": 512,
        "rope_scaling": {"rope_type": "linear", "factor": 2.0},
    }  # fmt: skip
    model = opened(**config)
    encodings = [layer.encoding for layer in model.layers]
    assert encodings[0] is encodings[2]
    full, sliding = encodings[:2]
    assert isinstance(full, Rotary)
    assert isinstance(sliding, Rotary)
    assert (full.rope_theta, full.pairs.n_pairs, full.scaling is None) == (5e6, 32, False)
    assert (sliding.rope_theta, sliding.pairs.n_pairs, sliding.scaling) == (1e4, 64, None)
    assert rope_from_config({**SIZES, **config}, layer_type=SLIDING) == sliding


@pytest.mark.parametrize(
    ("config", "windows", "chunks"),
    [
        ({"model_type": "mistral", "num_hidden_layers": 1, "sliding_window": 4096}, [4096], [None]),
        ({"model_type": "mistral", "num_hidden_layers": 1}, [4096], [None]),
        ({"model_type": "mistral", "num_hidden_layers": 1, "sliding_window": None}, [None], [None]),
        ({"model_type": "qwen2", "num_hidden_layers": 1, "sliding_window": 99, "use_sliding_window": False},
         [None], [None]),
        ({"model_type": "qwen2", "num_hidden_layers": 3, "sliding_window": 99, "use_sliding_window": True,
          "max_window_layers": 1}, [None, 99, 99], [None] * 3),
        ({"model_type": "gemma2", "num_hidden_layers": 2, "sliding_window": 64}, [64, None], [None] * 2),
        ({"model_type": "llama4_text", "num_hidden_layers": 4, "attention_chunk_size": 256}, [None] * 4,
         [256, 256, 256, None]),
        ({"model_type": "modernbert", "num_hidden_layers": 3, "local_attention": 128}, [None, 64, 64], [None] * 3),
        ({"model_type": "llama", "num_hidden_layers": 1, "sliding_window": 4096}, [None], [None]),
        ({"model_type": "neomme", "layer_types": [SLIDING, SLIDING, FULL], "sliding_window": 512,
          "per_layer_config": {"01": {"sliding_window": 1024}}}, [512, 1024, None], [None] * 3),
    ],
)  # fmt: skip
def test_windows_and_chunks(config: dict[str, Any], windows: list[int | None], chunks: list[int | None]) -> None:
    model = opened(**config)
    assert [layer.window for layer in model.layers] == windows
    assert [layer.chunk for layer in model.layers] == chunks
    for layer in model.layers:
        if layer.window is not None:
            tokens = f"{layer.window:,} tokens"
            assert (f"the last {tokens}" if layer.ahead is None else f"{tokens} on each side") in layer.sentence


@pytest.mark.parametrize(
    ("config", "seen"),
    [
        ({"model_type": "gpt_neo", "num_layers": 2}, [(None, None), (256, None)]),
        ({"model_type": "gpt_neo", "num_layers": 3, "attention_types": [[["local"], 1], [["global"], 2]]},
         [(256, None), (None, None), (None, None)]),
        ({"model_type": "longformer", "num_hidden_layers": 1}, [(256, 256)]),
        ({"model_type": "modernbert", "num_hidden_layers": 2, "sliding_window": 9}, [(None, None), (9, 9)]),
        ({"model_type": "ultrabert", "num_hidden_layers": 1, "sliding_window": 9, "layer_types": [SLIDING]}, [(9, 9)]),
        ({"model_type": "openai_privacy_filter", "num_hidden_layers": 1, "sliding_window": 9}, [(9, 9)]),
        ({"model_type": "embedding_gemma2_text", "num_hidden_layers": 2, "layer_types": [SLIDING, SLIDING],
          "sliding_window": 9}, [(9, 9), (None, None)]),
        ({"model_type": "gemma3_text", "num_hidden_layers": 1, "sliding_window": 9}, [(9, None)]),
        ({"model_type": "gemma3_text", "num_hidden_layers": 1, "sliding_window": 9,
          "use_bidirectional_attention": True}, [(4, 4)]),
        ({"model_type": "gemma4_text", "num_hidden_layers": 2, "sliding_window": 9, "layer_types": [SLIDING, SLIDING],
          "use_bidirectional_attention": "all"}, [(5, 5), (None, None)]),
        ({"model_type": "t5gemma2_text", "num_hidden_layers": 1, "sliding_window": 9}, [(4, 4)]),
        ({"model_type": "mimo_v2_flash", "num_hidden_layers": 2, "sliding_window_size": 128},
         [(None, None), (129, None)]),
        ({"model_type": "qwen2_moe", "num_hidden_layers": 4, "sliding_window": 9, "use_sliding_window": True,
          "max_window_layers": 3}, [(9, None), (None, None), (9, None), (None, None)]),
        ({"model_type": "qwen3_moe", "num_hidden_layers": 1, "sliding_window": 9, "use_sliding_window": True},
         [(9, None)]),
        ({"model_type": "qwen3_vl_moe_text", "num_hidden_layers": 1, "sliding_window": 9}, [(None, None)]),
        ({"model_type": "smollm3", "num_hidden_layers": 4, "sliding_window": 9, "use_sliding_window": True},
         [*[(None, None)] * 3, (9, None)]),
        ({"model_type": "smollm3", "num_hidden_layers": 4, "use_sliding_window": True}, [(None, None)] * 4),
        ({"model_type": "minimax", "num_hidden_layers": 2, "sliding_window": 9}, [(9, None), (None, None)]),
    ],
)  # fmt: skip
def test_windows_to_one_side_and_to_two(config: dict[str, Any], seen: list[tuple[int | None, int | None]]) -> None:
    """Numbers of the masks that small models of these classes of transformers 5.23.0 were run with."""
    assert [(layer.window, layer.ahead) for layer in opened(**config).layers] == seen


def test_classes_whose_last_layer_is_full_whatever_the_file_lists() -> None:
    """gemma4_text, embedding_gemma2_text and their kin of transformers 5.23.0: ``__post_init__``."""
    model = opened(model_type="gemma4_text", num_hidden_layers=2, layer_types=[SLIDING, SLIDING])
    assert any("the class of 'gemma4_text' makes it full_attention" in note for note in model.notes)
    plain = opened(model_type="gemma4_text", num_hidden_layers=2, layer_types=[SLIDING, FULL])
    assert plain.layers == model.layers
    assert not any("makes it full" in note for note in plain.notes)
    hybrid = opened(model_type="olmo_hybrid", num_hidden_layers=2)
    assert [layer.layer_type for layer in hybrid.layers] == ["linear_attention", FULL]


def test_layers_without_rotation_of_llama_4_are_the_ones_without_chunks() -> None:
    model = opened(model_type="llama4_text", num_hidden_layers=4, no_rope_layers=[0, 1, 1, 0], attention_chunk_size=8)
    assert [(layer.kind, layer.chunk) for layer in model.layers] == [
        ("none", None), ("rotary", 8), ("rotary", 8), ("none", None),
    ]  # fmt: skip
    model = opened(model_type="llama4_text", num_hidden_layers=2, no_rope_layer_interval=2, attention_chunk_size=8)
    assert [layer.chunk for layer in model.layers] == [8, None]


def test_entries_that_stand_for_earlier_tokens_leave_the_distance_open() -> None:
    layers = opened(model_type="deepseek_v4", compress_ratios=[0, 4, 128], num_hidden_layers=3, sliding_window=9).layers
    assert [(layer.window, layer.compressed, layer.longest_distance) for layer in layers] == [
        (9, None, 8), (9, 4, None), (9, 128, None)
    ]  # fmt: skip
    assert "to the best 512 of the entries, one per 4 earlier tokens" in layers[1].sentence
    assert "to all entries, one per 128 earlier tokens" in layers[2].sentence


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"model_type": "llama4_text", "num_hidden_layers": 4, "attn_scale": 0.2},
         [None, None, None, QueryTemperature("llama4", {"attn_scale": 0.2, "floor_scale": 8192})]),
        ({"model_type": "llama4_text", "num_hidden_layers": 4, "attn_temperature_tuning": False}, [None] * 4),
        ({"model_type": "ministral3", "num_hidden_layers": 1, "rope_parameters": {
            "rope_type": "yarn", "factor": 2, "original_max_position_embeddings": 99, "llama_4_scaling_beta": 0.3}},
         [QueryTemperature("ministral3", {"llama_4_scaling_beta": 0.3, "original_max_position_embeddings": 99})]),
        ({"model_type": "inkling_text", "num_hidden_layers": 6, "log_scaling_n_floor": 1000},
         [*[None] * 5, QueryTemperature("inkling", {"log_scaling_n_floor": 1000})]),
        ({"model_type": "beam", "num_hidden_layers": 6}, [*[None] * 5, QueryTemperature("beam")]),
        ({"model_type": "qwen", "num_hidden_layers": 1, "use_logn_attn": True, "seq_length": 2048},
         [QueryTemperature("log-n", {"trained_length": 2048})]),
    ],
)  # fmt: skip
def test_temperatures(config: dict[str, Any], expected: list[QueryTemperature | None]) -> None:
    assert [layer.temperature for layer in opened(**config).layers] == expected


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        (
            {"num_hidden_layers": 4, "layer_types": [FULL] * 3},
            "layer_types must have an entry for each of the 4 layers, got 3",
        ),
        ({"num_hidden_layers": 2, "layer_types": [FULL, "rolling"]}, "layer_types has an unknown layer type 'rolling'"),
        ({"num_hidden_layers": 2, "layer_types": [FULL, 7]}, "layer_types has an unknown layer type 7"),
        (
            {"num_hidden_layers": 2, "no_rope_layers": [1]},
            "no_rope_layers must have an entry for each of the 2 layers, got 1",
        ),
        (
            {"num_hidden_layers": 2, "no_rope_layers": [1, 2]},
            "no_rope_layers must list 1 for layers that rotate and 0, got 2",
        ),
        (
            {"num_hidden_layers": 2, "no_rope_layer_interval": 0},
            "no_rope_layer_interval must be an integer >= 1, got 0",
        ),
        ({"num_hidden_layers": 2, "layer_rope_theta": [1e4]}, "layer_rope_theta must have an entry for each of the 2"),
        (
            {"num_hidden_layers": 2, "rope_theta": [1e4] * 5},
            "rope_theta must have an entry for each of the 2 layers, got 5",
        ),
        ({"num_hidden_layers": 0}, "num_hidden_layers must be an integer >= 1, got 0"),
        ({"num_hidden_layers": 10**9}, "num_hidden_layers must be an integer <= 10000, got 1000000000"),
        ({"layer_types": "full"}, "layer_types must be a list with an entry per layer, got 'full'"),
        (
            {"num_hidden_layers": 2, "sliding_window_pattern": -1},
            "sliding_window_pattern must be an integer >= 1, got -1",
        ),
        (
            {"num_hidden_layers": 2, "per_layer_config": {"2": {}}},
            "per_layer_config must have objects under the layers 0..1",
        ),
        ({"num_hidden_layers": 2, "per_layer_config": [1]}, "per_layer_config must be an object with layers"),
        ({"hybrid_override_pattern": "MX"}, "hybrid_override_pattern must be a text of the letters ME*-, got 'MX'"),
        ({"compress_ratios": [3]}, "compress_ratios must list 0 or 4 or 128, got 3"),
        ({"num_hidden_layers": 2, "sliding_window": "4k"}, "sliding_window must be an integer, got '4k'"),
    ],
)
def test_keys_that_contradict_the_layers_are_refused(config: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=r"\S") as caught:
        opened(**config)
    assert str(caught.value).startswith(sentence)
    assert len(str(caught.value)) < 200


def test_a_million_types_of_layers_are_refused() -> None:
    with pytest.raises(ValueError, match="layer_types must have at most 20000 entries, got 1000000"):
        opened(layer_types=[FULL] * 10**6)


def test_layers_without_rotation_can_be_chosen_and_are_told() -> None:
    config = ModelConfig.parse(json.dumps({**SIZES, "model_type": "cohere2", "num_hidden_layers": 4}))
    assert config.layer_types == (SLIDING, FULL)
    sliding = config.shown_in(Document(), SLIDING).encoding
    assert isinstance(sliding, Rotary)
    unasked = config.shown_in(Document()).encoding
    assert unasked == sliding
    assert any("those of sliding_attention are shown" in warning for warning in unasked.warnings)
    assert config.shown_in(Document(), FULL).encoding == NoPosition(128)
    with pytest.raises(ValueError, match="it does not rotate, only sliding_attention does"):
        rope_from_config({**SIZES, "model_type": "cohere2", "num_hidden_layers": 4}, layer_type=FULL)


def test_layers_of_one_type_that_differ_are_named_by_what_they_do() -> None:
    config = ModelConfig.parse(json.dumps({**SIZES, "model_type": "smollm3", "num_hidden_layers": 8}))
    assert config.layer_types == ("rotary", "none")
    three = {**SIZES, "model_type": "granite_swa", "num_hidden_layers": 3, "layer_types": [FULL] * 3}
    config = ModelConfig.parse(json.dumps({**three, "layer_rope_theta": [0, 1e4, 5e5]}))
    assert config.layer_types == ("layer 0", "layer 1", "layer 2")


def test_models_whose_layers_have_the_same_positions_offer_no_choice() -> None:
    for name in ("gemma2", "qwen2", "llama", "gpt_oss"):
        assert ModelConfig.parse(json.dumps({**SIZES, "model_type": name})).layer_types == ()


def test_each_rule_reads_many_layers_at_once() -> None:
    model = opened(model_type="llama4_text", num_hidden_layers=10_000)
    assert len(model.layers) == 10_000
    assert len(model.groups) == 2
    assert all(later > earlier for earlier, later in pairwise(model.groups[1].indices))


def test_blocks_that_a_search_left_without_attention() -> None:
    """As in Llama-3.3-Nemotron-Super-49B: some blocks have no attention, some a linear map in its place."""
    attentions = (
        {"no_op": False, "n_heads_in_group": 8},
        {"no_op": True},
        {"no_op": False, "replace_with_linear": True},
    )
    blocks = [{"attention": each, "ffn": {"ffn_mult": 5.25}} for each in attentions]
    model = opened(model_type="nemotron-nas", num_hidden_layers=3, rope_theta=5e5, block_configs=blocks)
    assert [layer.kind for layer in model.layers] == ["rotary", "none", "none"]
    assert "2 of 3 layers have no attention: no_attention (block_configs)" in model.notes
    with pytest.raises(ValueError, match="block_configs must list objects with an attention, got"):
        opened(model_type="nemotron-nas", num_hidden_layers=1, block_configs=[{"ffn": {}}])


def test_a_byte_latent_transformer_without_parts_pairs_neighbours() -> None:
    model = opened(model_type="blt", num_hidden_layers=1, rope_theta=5e5)
    assert [layer.encoding for layer in model.layers] == [Rotary(128, 5e5, "interleaved")]


@pytest.mark.parametrize(
    ("keys", "rotates"),
    [
        ({}, True),
        ({"rope_parameters": None}, True),
        ({"rope_parameters": {"rope_type": "default"}}, True),
        ({"rope_parameters": {"rope_theta": None}}, False),
        ({"rope_theta": None}, False),
        ({"rope_parameters": None, "rope_theta": 5e4}, True),
        ({"rope_scaling": {"rope_type": "linear", "factor": 2.0}}, True),
    ],
)
def test_olmo_hybrid_rotates_unless_its_base_is_null(keys: dict[str, Any], rotates: bool) -> None:
    """``OlmoHybridModel`` makes no rotary module of ``rope_theta: None``; a missing key is 10000 in its class."""
    layer = opened(model_type="olmo_hybrid", layer_types=[LINEAR, FULL], **keys).layers[1]
    assert (layer.kind == "rotary") == rotates
