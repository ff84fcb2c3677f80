"""Models whose code is not in transformers: small files with their keys, compared with what their code does."""

import json
import math
from typing import Any

import numpy as np
import pytest

from posenc_core import Alibi, NoPosition, Rotary, frequencies, open_model, rope_from_config
from posenc_core.encodings import RopeAxes
from posenc_core.rope_scaling import QueryTemperature

SIZES = {"hidden_size": 512, "num_attention_heads": 4, "num_hidden_layers": 8, "max_position_embeddings": 4096}
LATENT = {"qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "kv_lora_rank": 512}

ROTATING: dict[str, tuple[dict[str, Any], int, float, str]] = {
    "nanbeige": ({"rope_theta": 70000.0}, 64, 70000.0, "half_split"),
    "telechat3": ({"rope_theta": 10000.0}, 64, 10000.0, "half_split"),
    "exaone": ({"rope_theta": 500000.0, "head_dim": 64}, 32, 500000.0, "half_split"),
    "chatglm": ({"kv_channels": 128}, 32, 10000.0, "interleaved"),
    "bailing_moe": ({"rope_theta": 600000.0}, 64, 600000.0, "half_split"),
    "bailing_moe_v2": ({"rope_theta": 600000.0, "head_dim": 128}, 32, 600000.0, "half_split"),
    "gigachat3_5": (LATENT, 32, 100000.0, "interleaved"),
    "step3_text": ({"rope_theta": 500000.0, "head_dim": 256}, 128, 500000.0, "half_split"),
    "kimi_vl": ({"text_config": {"rope_theta": 800000.0, **LATENT, **SIZES}}, 32, 800000.0, "interleaved"),
    "k2_horizon": ({"rope_theta": 1e7, "head_dim": 128}, 64, 1e7, "half_split"),
}
"""By model_type: its keys, its number of pairs, its base, and which columns are pairs."""


@pytest.mark.parametrize("model_type", ROTATING)
def test_every_layer_rotates_as_in_the_models_code(model_type: str) -> None:
    keys, pairs, base, layout = ROTATING[model_type]
    layers = open_model({"model_type": model_type, **SIZES, **keys}).layers
    assert len(layers) == 8
    rotary = layers[0].encoding
    assert isinstance(rotary, Rotary)
    assert {layer.encoding for layer in layers} == {rotary}
    assert rotary.pairing == layout
    expected = [base ** (-pair / pairs) for pair in range(pairs)]
    assert frequencies(rotary) == pytest.approx(expected, rel=1e-12)


FIRST_GLM = {"model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32, "num_layers": 28,
             "max_sequence_length": 2048, "inner_hidden_size": 16384}  # fmt: skip


def test_the_first_chatglm_has_positions_of_two_axes() -> None:
    """Source: ``modeling_chatglm.py`` of ChatGLM-6B, ``SelfAttention``: each half of a head has its own positions."""
    config = {**FIRST_GLM, "position_encoding_2d": True}
    model = open_model(config)
    assert (len(model.layers), model.trained_length) == (28, 2048)
    assert {(layer.kind, layer.encoding) for layer in model.layers} == {("unsupported", None)}
    told = "two axes, the position in the context (position_ids) and the position in the answer (block_position_ids)"
    assert told in model.layers[0].sentence
    with pytest.raises(ValueError, match="two axes, the position in the context"):
        rope_from_config(config)
    assert open_model(json.loads(model.config)).layers == model.layers


def test_the_first_chatglm_without_two_axes_turns_all_columns_in_halves() -> None:
    rotary = open_model({**FIRST_GLM, "position_encoding_2d": False}).layers[0].encoding
    assert isinstance(rotary, Rotary)
    assert (rotary.pairing, rotary.pairs.n_pairs, rotary.rope_theta) == ("half_split", 64, 10000.0)


def test_telechats_yarn_has_a_smaller_attention_factor() -> None:
    scaling = {"type": "telechat3-yarn", "factor": 32.0, "original_max_position_embeddings": 8192}
    rotary = open_model({"model_type": "telechat3", **SIZES, "rope_scaling": scaling}).layers[0].encoding
    assert isinstance(rotary, Rotary)
    assert rotary.attention_factor == pytest.approx(1 + 0.07 * math.log(32))


def test_step5_slides_in_three_of_four_layers_unless_its_keys_say_otherwise() -> None:
    layers = open_model({"model_type": "step5", **SIZES, "sliding_window": 512}).layers
    assert [layer.window for layer in layers] == [512, 512, 512, None] * 2


def test_spark_has_a_base_and_a_share_for_each_type_of_layer() -> None:
    first, *_, last = open_model({"model_type": "spark2_5", **SIZES}).layers
    assert isinstance(first.encoding, Rotary)
    assert isinstance(last.encoding, Rotary)
    assert (first.window, first.encoding.rope_theta, len(frequencies(first.encoding))) == (512, 10000.0, 128)
    assert (last.window, last.encoding.rope_theta, len(frequencies(last.encoding))) == (None, 5000000.0, 32)


def test_iquest_lists_the_layers_that_do_not_rotate() -> None:
    layers = open_model({"model_type": "iquest_q1", **SIZES, "head_dim": 128, "no_rope_layers": [1, 3]}).layers
    assert [isinstance(layer.encoding, NoPosition) for layer in layers] == [False, True, False, True, *[False] * 4]
    assert layers[1].sentence.startswith("no_rope_layers lists this layer")


def test_recurrent_models_have_no_positions() -> None:
    layers = open_model({"model_type": "rwkv7", **SIZES}).layers
    assert {layer.kind for layer in layers} == {"none"}
    assert "recurrent" in layers[0].sentence


def test_plamo_2_attends_in_the_middle_of_each_step_and_rotates_by_its_fixed_base() -> None:
    """``modeling_plamo.py`` beside the weights, and ``is_mamba`` of mlx-lm 0.32.2."""
    keys = {"hidden_size_per_head": 128, "mamba_step": 2, "attention_window_size": 2048, "full_attention_idx": [3]}
    layers = open_model({"model_type": "plamo2", **SIZES, **keys}).layers
    assert [layer.kind for layer in layers] == ["none", "rotary"] * 4
    assert [layer.window for layer in layers[1::2]] == [2048, None, 2048, 2048]
    rotary = layers[1].encoding
    assert isinstance(rotary, Rotary)
    assert (rotary.rope_theta, len(frequencies(rotary)), rotary.pairing) == (10000.0, 64, "half_split")


def test_plamo_3_has_two_bases_and_a_full_layer_at_the_end_of_each_period() -> None:
    """``is_full_attention`` and ``Attention`` of mlx-lm 0.32.2, models/plamo3.py."""
    keys = {"head_dim": 128, "sliding_window": 1024, "sliding_window_pattern": 4, "rope_theta": 1e6}
    layers = open_model({"model_type": "plamo3", **SIZES, **keys, "rope_local_theta": 20000}).layers
    assert [layer.window for layer in layers] == [1024, 1024, 1024, None] * 2
    assert [getattr(layer.encoding, "rope_theta", None) for layer in layers] == [2e4, 2e4, 2e4, 1e6] * 2


def test_deepseek_v41_turns_the_last_columns_and_scales_compressed_layers_alone() -> None:
    """mlx-lm 0.32.2, models/deepseek_v41.py: ``traditional=True``, ``x[..., -rope_dim:]``, no YaRN without a ratio."""
    scaling = {"type": "yarn", "factor": 16, "original_max_position_embeddings": 65536, "beta_fast": 32, "beta_slow": 1}
    keys = {"head_dim": 512, "qk_rope_head_dim": 64, "compress_ratios": [0, 0, 4, 128] * 2, "sliding_window": 128,
            "compress_rope_theta": 160000.0, "rope_theta": 10000.0, "rope_scaling": scaling}  # fmt: skip
    layers = open_model({"model_type": "deepseek_v41", **SIZES, **keys}).layers
    found = [layer.encoding.rotation for layer in layers[:4] if layer.encoding is not None]
    rotations = [each for each in found if each is not None]
    assert [(each.rope_theta, each.scaling is not None) for each in rotations] == [(1e4, False)] * 2 + [
        (1.6e5, True)
    ] * 2
    assert {(each.n_columns, each.head_dim, each.pairing, each.attention_factor) for each in rotations} == {
        (64, 512, "interleaved", 1.0)
    }
    assert [layer.compressed for layer in layers[:4]] == [None, None, 4, 128]


def test_kimi_k3_has_no_rotation_at_all() -> None:
    """mlx-lm 0.32.2, models/kimi_k3.py: "Only NoPE MLA is supported"."""
    linear = {"kda_layers": [1, 2, 3, 5, 6, 7], "full_attn_layers": [4, 8]}
    text = {**SIZES, **LATENT, "mla_use_nope": True, "linear_attn_config": linear}
    model = open_model({"model_type": "kimi_k3", "text_config": text})
    assert model.notes[0] == "no layer has positions"
    assert [layer.layer_type for layer in model.layers] == (["linear_attention"] * 3 + ["full_attention"]) * 2


def test_interns2_mobius_turns_a_quarter_of_a_head_in_the_layers_that_attend() -> None:
    """SGLang 0.5.23, srt/models/interns2_mobius.py: ``partial_rotary_factor``, ``is_neox_style=True``."""
    types = ["linear_attention"] * 3 + ["full_attention"]
    text = {**SIZES, "head_dim": 256, "partial_rotary_factor": 0.25, "rope_theta": 1e7, "layer_types": types * 2}
    vision = {"hidden_size": 1152, "num_heads": 16}
    model = open_model({"model_type": "interns2_mobius", "text_config": text, "vision_config": vision})
    assert [layer.kind for layer in model.layers] == ["none", "none", "none", "rotary"] * 2
    rotary = model.layers[3].encoding
    assert isinstance(rotary, Rotary)
    assert (rotary.n_columns, rotary.head_dim, rotary.rope_theta, rotary.pairing) == (64, 256, 1e7, "half_split")
    assert [(part.name, part.layer.kind) for part in model.parts] == [("vision", "rotary")]


def test_step3_vl_opens_its_text() -> None:
    """SGLang 0.5.23, srt/models/step3_vl.py: all columns of a head of ``head_dim``."""
    text = {**SIZES, "head_dim": 256, "rope_theta": 500000.0, "share_q_dim": 2048}
    rotary = open_model({"model_type": "step3_vl", "text_config": text}).layers[7].encoding
    assert isinstance(rotary, Rotary)
    assert (rotary.n_columns, rotary.rope_theta, rotary.pairing) == (256, 500000.0, "half_split")


def test_an_xlm_roberta_with_rotary_positions_rotates_by_its_own_base() -> None:
    """``modeling_xlm_roberta.py`` beside the weights of jina-embeddings-v3, whose model_type is another model's."""
    keys = {"model_type": "xlm-roberta", "hidden_size": 1024, "num_attention_heads": 16, "num_hidden_layers": 24}
    file = {**keys, "position_embedding_type": "rotary", "rotary_emb_base": 20000.0, "max_position_embeddings": 8194}
    model = open_model(file)
    rotary = model.layers[0].encoding
    assert isinstance(rotary, Rotary)
    assert (rotary.rope_theta, rotary.pairing, len(frequencies(rotary))) == (20000.0, "half_split", 32)
    assert open_model(json.loads(model.config)).layers == model.layers
    assert open_model({**file, "position_embedding_type": "absolute"}).layers[0].kind == "learned"


def test_a_bert_with_a_starting_size_of_alibi_has_its_biases() -> None:
    """``bert_layers.py`` beside the weights of MosaicBERT and DNABERT-2; its table of positions is not used."""
    file = {"model_type": "bert", "hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 12,
            "position_embedding_type": "absolute", "alibi_starting_size": 512}  # fmt: skip
    model = open_model(file)
    assert {(layer.kind, getattr(layer.encoding, "n_heads", None)) for layer in model.layers} == {("bias", 12)}
    assert open_model(json.loads(model.config)).layers == model.layers
    assert open_model({**file, "alibi_starting_size": None}).layers[0].kind == "learned"


GROK: dict[str, Any] = {
    "model_type": "git", "hidden_size": 8192, "num_attention_heads": 64, "num_hidden_layers": 64, "head_dim": 128,
    "rope_theta": 208533496, "max_position_embeddings": 131072, "original_max_position_embeddings": 8192,
    "rope_type": "original", "scaling_factor": 16.0, "beta_fast": 8, "beta_slow": 1, "attn_temperature_len": 1024,
    "sliding_window_size": -1,
}  # fmt: skip
"""The keys of Grok 2's file, whose model_type is that of GIT, a model with a learned table."""


def test_grok_2_is_not_taken_for_git() -> None:
    """SGLang 0.5.23, srt/models/grok.py: ``extra_method`` "original" leaves the frequencies as they are."""
    model = open_model(GROK)
    rotary = model.layers[0].encoding
    assert isinstance(rotary, Rotary)
    assert (rotary.rope_theta, rotary.pairing, rotary.scaling) == (208533496.0, "half_split", None)
    assert (model.trained_length, model.target_length, model.layers[0].window) == (8192, 131072, None)
    assert model.layers[0].temperature == QueryTemperature("grok", {"attn_temperature_len": 1024})
    assert open_model(json.loads(model.config)).layers == model.layers
    assert open_model({"model_type": "git", "architectures": ["GitForCausalLM"]}).layers[0].kind == "learned"


@pytest.mark.parametrize("name", ["yarn", "yarn_log", "theta_scale"])
def test_groks_scalings_have_their_keys_beside_the_others(name: str) -> None:
    model = open_model({**GROK, "rope_type": name})
    rotary = model.layers[0].encoding
    assert isinstance(rotary, Rotary)
    assert rotary.scaling is not None
    assert (rotary.scaling.rope_type, rotary.attention_factor) == (name, 1.0)
    assert not any("ignored" in note for note in model.notes)


def test_gtes_ntk_is_that_of_vllm() -> None:
    """``NTKScalingRotaryEmbedding`` of modeling.py beside the weights of gte-base-en-v1.5."""
    keys = {"hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 12, "max_position_embeddings": 8192}
    scaling = {"type": "ntk", "factor": 2.0}
    model = open_model({"model_type": "new", **keys, "rope_theta": 500000, "rope_scaling": scaling})
    rotary = model.layers[0].encoding
    assert isinstance(rotary, Rotary)
    expected = [1e6 ** (-pair / 32) / 2 ** (1 / 32) for pair in range(32)]
    assert frequencies(rotary) == pytest.approx(expected, rel=1e-12)
    assert (rotary.pairing, model.trained_length, model.target_length) == ("half_split", None, 8192)
    assert not any("'ntk'" in note for note in model.notes)
    other = open_model({"model_type": "skywork", **keys, "rope_theta": 500000, "rope_scaling": scaling})
    assert any(note.startswith("rope_type 'ntk' is read as vLLM reads it") for note in other.notes)


def test_neobert_and_the_first_olmo_rotate_by_the_base_of_their_code() -> None:
    first = open_model({"model_type": "neobert", **SIZES}).layers[0].encoding
    keys = {"d_model": 512, "n_heads": 4, "n_layers": 8, "max_sequence_length": 2048}
    second = open_model({"model_type": "hf_olmo", **keys, "rope": True, "alibi": False}).layers[0].encoding
    assert [(each.rope_theta, each.pairing) for each in (first, second) if isinstance(each, Rotary)] == [
        (10000.0, "interleaved"),
        (10000.0, "half_split"),
    ]
    assert open_model({"model_type": "hf_olmo", **keys, "rope": False, "alibi": True}).layers[0].kind == "bias"


@pytest.mark.parametrize("model_type", ["dots_vlm", "longcat_flash_ngram", "youtu_llm", "kimi_k2"])
def test_the_same_code_has_the_same_exceptions(model_type: str) -> None:
    """Latent attention of DeepSeek's kind turns neighbours, and multiplies its softmax as well."""
    scaling = {"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "mscale": 1, "mscale_all_dim": 1}
    model = open_model({"model_type": model_type, **SIZES, **LATENT, "rope_theta": 1e4, "rope_scaling": scaling})
    rotary = model.layers[0].encoding
    assert isinstance(rotary, Rotary)
    assert rotary.pairing == "interleaved"
    assert any(note.startswith("mscale_all_dim: the model also multiplies its softmax scale") for note in model.notes)


@pytest.mark.parametrize(
    ("model_type", "keys", "pairs", "base"),
    [
        ("minimax_m1", {"rotary_dim": 64, "rope_theta": 1e7}, 32, 1e7),
        (
            "hunyuan",
            {"rope_scaling": {"type": "dynamic", "alpha": 1000.0, "factor": 1.0}},
            64,
            1e4 * 1000 ** (128 / 126),
        ),
        ("phi4mm", {"partial_rotary_factor": 0.75}, 48, 1e4),
        ("dots_ocr", {"rope_theta": 1e6, "use_sliding_window": False, "sliding_window": 131072}, 64, 1e6),
        ("molmo", {"rope_theta": 1e6}, 64, 1e6),
    ],
)
def test_models_of_engines_have_a_layout_that_is_known(
    model_type: str, keys: dict[str, Any], pairs: int, base: float
) -> None:
    model = open_model({"model_type": model_type, **SIZES, **keys})
    rotary = model.layers[0].encoding
    assert isinstance(rotary, Rotary)
    assert frequencies(rotary) == pytest.approx([base ** (-pair / pairs) for pair in range(pairs)], rel=1e-12)
    assert model.layers[0].window is None
    assert not any("is assumed" in note for note in model.notes)


def test_a_part_of_gemma_4s_assistant_has_the_type_of_its_class() -> None:
    """``Gemma4AssistantConfig`` of transformers 5.23.0, whose defaults no model is made of."""
    text = {"hidden_size": 256, "num_attention_heads": 4, "num_hidden_layers": 4, "head_dim": 256}
    model = open_model({"model_type": "gemma4_assistant", "text_config": text})
    assert model.layers == open_model({"model_type": "gemma4_text", **text}).layers


def test_ernies_older_file_turns_neighbours_and_says_which_axes_pictures_have() -> None:
    file = {"model_type": "ernie4_5_moe_vl", **SIZES, "rope_theta": 5e5, "head_dim": 128}
    encoding = (
        open_model({**file, "rope_scaling": {"type": "default", "mrope_section": [22, 22, 20]}}).layers[0].encoding
    )
    assert encoding is not None
    assert encoding.rotation is not None
    assert (encoding.rotation.pairing, encoding.rotation.rope_theta) == ("interleaved", 5e5)


def test_baichuan_m1_lists_the_layers_with_a_window_and_divides_them_into_other_heads() -> None:
    """``Attention`` of mlx-lm 0.32.2, models/baichuan_m1.py."""
    keys = {"sliding_window": 32, "sliding_window_layers": [1, 3], "num_swa_attention_heads": 8, "rope_theta": 1e6}
    layers = open_model({"model_type": "baichuan_m1", **SIZES, **keys}).layers
    assert [layer.window for layer in layers] == [None, 32, None, 32, None, None, None, None]
    assert [getattr(layer.encoding, "head_dim", None) for layer in layers[:2]] == [128, 64]
    told = "model_type 'llama' does not read sliding_window_layers here: [1, 3] is without effect"
    assert told in open_model({"model_type": "llama", **SIZES, "sliding_window_layers": [1, 3]}).notes


def test_striped_hyena_attends_in_the_listed_layers_alone() -> None:
    """``get_block`` and ``AttentionBlock`` of stripedhyena/model.py."""
    config = {"model_type": "stripedhyena", "hidden_size": 4096, "num_attention_heads": 32, "num_layers": 4,
              "attn_layer_idxs": [1, 3], "hyena_layer_idxs": [0, 2], "rotary_emb_base": 500000, "max_seqlen": 32768,
              "rotary_emb_scaling_factor": 16}  # fmt: skip
    model = open_model(config)
    assert [layer.kind for layer in model.layers] == ["none", "rotary", "none", "rotary"]
    assert (model.layers[1].encoding, model.target_length) == (Rotary(128, 500000.0), 32768)
    scaled = open_model({**config, "use_interpolated_rotary_pos_emb": True}).layers[1].encoding
    assert scaled is not None
    assert frequencies(scaled).tolist() == pytest.approx([500000 ** (-i / 64) / 16 for i in range(64)], rel=1e-12)


def test_jet_nemotron_attends_in_some_layers_and_in_windows_in_others() -> None:
    """``JetNemotronAttention`` of SGLang 0.5.23, srt/models/jet_nemotron.py."""
    kinds = ["jet", "attn", "swa", "jet", "jet", "attn", "swa", "jet"]
    config = {"model_type": "jet_nemotron", **SIZES, "rope_theta": 1e6, "layer_types": kinds,
              "efficient_attention_config": {"swa": {"window_size": 1152}}}  # fmt: skip
    layers = open_model(config).layers
    assert [layer.kind for layer in layers] == ["none" if kind == "jet" else "rotary" for kind in kinds]
    assert [layer.window for layer in layers] == [1152 if kind == "swa" else None for kind in kinds]
    assert {layer.encoding for layer in layers} == {None, Rotary(128, 1e6)}


@pytest.mark.parametrize(
    ("model_type", "text", "base", "length"),
    [
        ("moondream1", {}, 1e4, 2048),
        ("moondream3", {}, 1.5e6, 4096),
        ("moondream3", {"max_context": 8192}, 1.5e6, 8192),
    ],
)
def test_moondream_turns_32_columns_of_its_own_sizes(
    model_type: str, text: dict[str, Any], base: float, length: int
) -> None:
    """``Moondream3Attention`` of vLLM 0.33.0; the file has the sizes in an inner object, or none."""
    config = {"model_type": model_type, "architectures": ["HfMoondream"], "config": {"text": text}}
    model = open_model(config)
    assert (len(model.layers), model.target_length) == (24, length)
    assert model.layers[0].encoding == Rotary(64, base, rotary_dim=32)
    assert open_model(json.loads(model.config)).layers == model.layers


@pytest.mark.parametrize(("keys", "base"), [({}, 1e4), ({"num_multi_query_heads": 8}, 5e5)], ids=["first", "second"])
def test_cogvlm_has_a_base_for_each_of_its_language_models(keys: dict[str, Any], base: float) -> None:
    """``FastRotaryEmbedding`` in the code of CogVLM and CogVLM 2, whose files name neither a type nor a base."""
    config = {"architectures": ["CogVLMForCausalLM"], **SIZES, **keys}
    model = open_model(config)
    assert model.layers[0].encoding == Rotary(128, base)
    assert not any("not known" in note for note in model.notes)
    assert open_model(json.loads(model.config)).layers == model.layers


def test_the_older_files_of_nomic_bert_have_a_base_and_a_trained_length_of_their_own() -> None:
    """modeling_hf_nomic_bert.py; the class of transformers reads neither of these keys."""
    config = {"model_type": "nomic_bert", "n_embd": 768, "n_head": 12, "n_layer": 2, "n_positions": 8192,
              "max_trained_positions": 2048, "rotary_emb_base": 10000, "rotary_emb_fraction": 1.0}  # fmt: skip
    model = open_model(config)
    assert (model.trained_length, model.target_length) == (2048, 8192)
    assert model.layers[0].encoding == Rotary(64, 10000.0)
    newer = open_model({"model_type": "nomic_bert", "hidden_size": 768, "num_attention_heads": 12})
    assert newer.layers[0].encoding == Rotary(64, 1000.0)


def test_models_with_other_positions_are_named() -> None:
    """Refact's ALiBi, and the table of InternVL's pictures (vLLM 0.33.0, models/intern_vit.py)."""
    refact = open_model({"model_type": "gpt_refact", "n_embd": 2048, "n_head": 32, "n_layer": 2, "n_positions": 4096})
    assert (refact.layers[0].kind, refact.layers[0].encoding) == ("bias", Alibi(32))
    text = {"model_type": "qwen2", **SIZES}
    vision = {"model_type": "intern_vit_6b", "hidden_size": 1024, "num_attention_heads": 16, "num_hidden_layers": 24}
    (part,) = open_model({"model_type": "internvl_chat", "llm_config": text, "vision_config": vision}).parts
    assert (part.name, part.layer.kind) == ("vision", "learned")


def test_the_older_file_of_ernies_pictures_and_sd_3_are_not_said_to_be_unknown() -> None:
    vision = {"hidden_size": 1280, "num_heads": 16, "depth": 32, "patch_size": 14, "spatial_merge_size": 2}
    text = {"model_type": "ernie4_5_moe_vl", **SIZES, "rope_theta": 5e5}
    parts = [
        open_model({**text, "vision_config": {**vision, "model_type": name}}).parts[0].layer.encoding
        for name in ("DFNRope_vision_transformer", "ernie4_5_vl_moe_vision")
    ]
    assert parts[0] is not None
    assert parts[0] == parts[1]
    (layer, *_) = open_model({"_class_name": "SD3Transformer2DModel", "num_layers": 24}).layers
    assert "fixed sinusoids of a patch's row and column" in layer.sentence


def test_openelms_table_is_longer_than_its_texts() -> None:
    """``rope_max_length`` of configuration_openelm.py is that of the cached cosines, twice the length of the texts."""
    config = {"model_type": "openelm", "head_dim": 64, "num_transformer_layers": 2, "max_context_length": 2048}
    assert open_model({**config, "rope_max_length": 4096}).target_length == 2048


def test_a_latent_head_without_rotation_is_as_wide_as_both_its_parts() -> None:
    """Kimi Linear's ``head_dim`` is its width over its heads, and no vector of its attention has that many columns."""
    config = {"model_type": "kimi_linear", **SIZES, "head_dim": 72, **LATENT, "mla_use_nope": True}
    assert {layer.encoding for layer in open_model(config).layers} == {None, NoPosition(192)}


@pytest.mark.parametrize(
    ("config", "axes", "base"),
    [
        ({"_class_name": "ZImageTransformer2DModel", "n_layers": 30, "axes_dims": [32, 48, 48], "rope_theta": 256.0},
         (32, 48, 48), 256.0),
        ({"_class_name": "ZImageTransformer2DModel"}, (32, 48, 48), 256.0),
        ({"_class_name": "Lumina2Transformer2DModel", "axes_dim_rope": [40, 28, 28]}, (40, 28, 28), 1e4),
    ],
)  # fmt: skip
def test_z_image_and_lumina_2_turn_a_block_of_pairs_by_each_axis(
    config: dict[str, Any], axes: tuple[int, ...], base: float
) -> None:
    """``RopeEmbedder`` and ``Lumina2RotaryPosEmbed`` of diffusers 0.42.1, for the patches of a picture."""
    encoding = open_model(config).layers[0].encoding
    assert isinstance(encoding, RopeAxes)
    assert (encoding.head_dim, encoding.pairing) == (sum(axes), "interleaved")
    cells = [0, 1, 63, 64, 4095]
    wanted = [
        [
            (0, cell // 64, cell % 64)[axis] * base ** (-2 * pair / width)
            for axis, width in enumerate(axes)
            for pair in range(width // 2)
        ]
        for cell in cells
    ]
    assert encoding.cells is not None
    found = encoding.cells.angles(np.array(cells), np.arange(sum(axes) // 2))
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)
