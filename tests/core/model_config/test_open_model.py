"""A model's configuration, whole or a part of it, opens as layers, lengths, a name and notes."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc_core import (
    Alibi,
    Linear,
    LongRope,
    NoPosition,
    NtkAware,
    Rotary,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
    frequencies,
    open_model,
    rope_from_config,
)
from posenc_core.encodings import RopeAxes
from posenc_core.model_config import Model

LLAMA: dict[str, Any] = {
    "model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "num_hidden_layers": 3, "rope_theta": 5e5,
    "max_position_embeddings": 4096,
}  # fmt: skip
PICTURES = {
    "model_type": "llava",
    "text_config": LLAMA,
    "vision_config": {"model_type": "clip_vision_model", "hidden_size": 8, "num_hidden_layers": 2},
}


def saved(tmp_path: Path, config: dict[str, Any], name: str = "config.json") -> Path:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(config), encoding="utf-8")
    return path


def only(model: Model) -> Rotary:
    """The rotary encoding of a model whose layers are all alike."""
    (group,) = model.groups
    assert isinstance(group.layer.encoding, Rotary)
    return group.layer.encoding


def test_a_mapping_and_its_file_are_the_same_model(tmp_path: Path) -> None:
    path = saved(tmp_path, LLAMA, "my-llama.json")
    read, given = open_model(path), open_model(LLAMA)
    assert read.layers == open_model(str(path)).layers == given.layers
    assert len(given.layers) == 3
    assert only(given) == Rotary(32, 5e5)
    assert (read.name, read.source) == ("my-llama", "my-llama.json")
    assert (given.name, given.model_type, given.source) == ("llama", "llama", "a mapping")
    assert given.layers[0] is given.layers[2]
    assert given.layers[0].layer_type is None
    assert "the base is 500,000: all 32 columns of a head rotate" in given.layers[0].sentence


@pytest.mark.parametrize(
    ("folder", "config", "name"),
    [
        ("Llama-3.1-8B/config.json", {}, "Llama-3.1-8B"),
        ("meta-llama--Llama-3.1-8B.json", {}, "Llama-3.1-8B"),
        ("models--meta-llama--Llama-3.1-8B/snapshots/0e9e39f2/config.json", {}, "Llama-3.1-8B"),
        ("x/config.json", {"_name_or_path": "meta-llama/Llama-3.1-8B"}, "Llama-3.1-8B"),
        ("mine/config.json", {"_name_or_path": "/home/me/checkpoints/step-100"}, "mine"),
        ("mine/config.json", {"_name_or_path": ""}, "mine"),
        ("mine/config.json", {"_name_or_path": 7}, "mine"),
    ],
)
def test_the_name_is_that_of_the_repository_the_folder_or_the_file(
    tmp_path: Path, folder: str, config: dict[str, Any], name: str
) -> None:
    assert open_model(saved(tmp_path, {**LLAMA, **config}, folder)).name == name


def test_parts_of_a_model_of_pictures_and_texts() -> None:
    text = open_model(PICTURES)
    assert text.layers == open_model(PICTURES, "text").layers == open_model(PICTURES, "text_config").layers
    assert only(text) == Rotary(32, 5e5)
    assert text.notes[-1] == "the parameters are those of 'text_config'"
    assert text.model_type == "llava"
    vision = open_model(PICTURES, "vision")
    assert {layer.kind for layer in vision.layers} == {"learned"}
    assert len(vision.layers) == 2
    with pytest.raises(ValueError, match="has no part 'audio'; its parts are text_config, vision_config"):
        open_model(PICTURES, "audio")
    with pytest.raises(ValueError, match="has no part 'vision'; its parts are none"):
        open_model(LLAMA, "vision")


@pytest.mark.parametrize(
    ("config", "part"),
    [
        ({"llm_config": LLAMA}, "llm_config"),
        ({"language_config": LLAMA}, "language_config"),
        ({"thinker_config": {"text_config": LLAMA}}, "thinker_config.text_config"),
        ({"vlm_config": {"text_config": LLAMA}}, "vlm_config.text_config"),
        ({"decoder": LLAMA, "encoder": LLAMA}, "decoder"),
    ],
)
def test_the_text_is_found_under_many_keys(config: dict[str, Any], part: str) -> None:
    model = open_model({"model_type": "a new one", **config})
    assert only(model) == Rotary(32, 5e5)
    assert f"the parameters are those of '{part}'" in model.notes
    assert open_model(config, part).layers == model.layers


def test_a_part_without_a_model_type_has_that_of_its_whole() -> None:
    inside = {"num_hidden_layers": 4, "hidden_size": 512, "num_attention_heads": 4}
    assert [layer.kind for layer in open_model({"model_type": "llama4", "text_config": inside}).layers][-1] == "none"
    flat = open_model({"model_type": "llama4", **inside})
    assert [layer.kind for layer in flat.layers] == ["rotary"] * 3 + ["none"]


@pytest.mark.parametrize(
    ("config", "trained", "target", "keys"),
    [
        ({}, 4096, 4096, "max_position_embeddings"),
        ({"rope_scaling": {"type": "yarn", "factor": 4, "original_max_position_embeddings": 1024}}, 1024, 4096,
         "original_max_position_embeddings, max_position_embeddings"),
        ({"rope_scaling": {"type": "yarn", "factor": 4, "original_max_position_embeddings": 4096}}, 4096, 16384,
         "original_max_position_embeddings, factor x original_max_position_embeddings"),
        ({"rope_scaling": {"type": "dynamic", "factor": 2.0}}, 4096, 8192,
         "max_position_embeddings, factor x max_position_embeddings"),
        ({"rope_scaling": {"type": "linear", "factor": 4.0}}, None, 4096, "max_position_embeddings"),
        ({"rope_scaling": {"type": "linear", "factor": 4.0}, "max_sequence_length": 16384}, 4096, 16384,
         "max_position_embeddings, max_sequence_length"),
        ({"dual_chunk_attention_config": {"original_max_position_embeddings": 1024}}, 1024, 4096,
         "dual_chunk_attention_config.original_max_position_embeddings, max_position_embeddings"),
        ({"seq_length": 2048}, 2048, 4096, "seq_length, max_position_embeddings"),
        ({"model_max_length": 10**30}, 4096, 4096, "max_position_embeddings"),
        ({"model_max_length": 1e30}, 4096, 4096, "max_position_embeddings"),
        ({"max_position_embeddings": None}, None, None, ""),
    ],
)  # fmt: skip
def test_lengths_and_the_keys_that_tell_them(
    config: dict[str, Any], trained: int | None, target: int | None, keys: str
) -> None:
    model = open_model({**LLAMA, **config})
    assert (model.trained_length, model.target_length, model.lengths_from) == (trained, target, keys)


@pytest.mark.parametrize(
    ("config", "length", "key"),
    [
        ({"model_type": "gpt2", "n_positions": 1024}, 1024, "n_positions"),
        ({"model_type": "bloom", "n_head": 4, "seq_length": 2048}, 2048, "seq_length"),
        ({"model_type": "mpt", "n_heads": 4, "max_seq_len": 2048}, 2048, "max_seq_len"),
        ({"model_type": "whisper", "d_model": 8, "max_source_positions": 1500}, 1500, "max_source_positions"),
        ({"model_type": "falcon", "hidden_size": 64, "num_attention_heads": 1}, 2048, "max_position_embeddings"),
    ],
)
def test_lengths_of_other_models(config: dict[str, Any], length: int, key: str) -> None:
    model = open_model(config)
    assert (model.trained_length, model.target_length, model.lengths_from) == (length, length, key)


OTHERS: list[tuple[dict[str, Any], str, Any, str]] = [
    ({"model_type": "gpt2", "n_layer": 2}, "learned", None, "uses a learned table of positions, added to the tokens'"),
    ({"model_type": "bert", "num_hidden_layers": 2}, "learned", None, "uses a learned table of positions"),
    ({"model_type": "marian", "d_model": 8, "encoder_layers": 2}, "sinusoidal",
     Sinusoidal(8, layout="concatenated"), "uses fixed sinusoids"),
    ({"model_type": "t5", "num_heads": 2, "num_layers": 2}, "bias", T5Bias(32, 128, True, 2), "biases by buckets"),
    ({"model_type": "bloom", "n_head": 4, "n_layer": 2}, "bias", Alibi(4), "uses ALiBi biases"),
    ({"model_type": "baichuan", "hidden_size": 5120, "num_attention_heads": 40, "num_hidden_layers": 2}, "bias",
     Alibi(40), "uses ALiBi biases"),
    ({"model_type": "bert", "position_embedding_type": "alibi", "num_attention_heads": 4, "num_hidden_layers": 2},
     "bias", Alibi(4), "uses ALiBi biases"),
    ({"model_type": "transfo-xl", "d_model": 8, "n_layer": 2}, "bias", TransformerXLRelative(8), "Transformer-XL"),
    ({"model_type": "xlnet", "n_layer": 2}, "unsupported", None, "which this version does not show"),
    ({"model_type": "pixtral", "num_hidden_layers": 2, "image_size": 1024, "patch_size": 16}, "rotary",
     RopeAxes(64, rule="even_odd", grid="64x64"), "pairs turn by the row and the column of a patch"),
    ({"model_type": "vjepa2", "num_hidden_layers": 2}, "unsupported", None,
     "the positions of model_type 'vjepa2' have three axes, time, height and width: their rotation is not shown"),
    ({**LLAMA, "num_hidden_layers": 2, "rope_scaling": {"rope_type": "mllama4"}}, "unsupported", None,
     "rope_type 'mllama4' is not read: the name is vLLM's, for the two axes of Llama 4's pictures"),
]  # fmt: skip


@pytest.mark.parametrize(("config", "kind", "encoding", "sentence"), OTHERS, ids=lambda part: str(part)[:40])
def test_models_of_every_kind_have_layers_of_it(
    config: dict[str, Any], kind: str, encoding: Any, sentence: str
) -> None:
    model = open_model(config)
    assert [(layer.kind, layer.encoding) for layer in model.layers] == [(kind, encoding)] * 2
    assert sentence in model.layers[0].sentence


REPAIRED: list[tuple[dict[str, Any], Rotary]] = [
    ({"model_type": "mistral4", "head_dim": 128, "qk_rope_head_dim": 64, "partial_rotary_factor": 0.5,
      "num_hidden_layers": 1, "rope_scaling": {"type": "linear", "factor": 1}},
     Rotary(64, 1e4, "interleaved", scaling=Linear(1))),
    ({"model_type": "mistral4", "num_hidden_layers": 1, "rope_scaling": {"type": "default"}},
     Rotary(128, 1e4, "interleaved")),
    ({"model_type": "zamba2", "attention_head_dim": 160, "kv_channels": 80, "use_mem_rope": True,
      "num_hidden_layers": 1}, Rotary(160)),
    ({"model_type": "jetmoe", "hidden_size": 64, "kv_channels": 128, "num_hidden_layers": 1}, Rotary(128)),
    ({"model_type": "dbrx", "d_model": 256, "n_heads": 2, "n_layers": 1, "attn_config": {"rope_theta": 5e5}},
     Rotary(128, 5e5)),
    ({"model_type": "esm", "position_embedding_type": "rotary", "hidden_size": 64, "num_attention_heads": 2,
      "num_hidden_layers": 1}, Rotary(32)),
    ({"model_type": "phi3small", "hidden_size": 64, "num_attention_heads": 2, "rope_embedding_base": 1e6},
     Rotary(32, 1e6)),
    ({"model_type": "openelm", "head_dim": 64, "num_transformer_layers": 1, "rope_freq_constant": 20000},
     Rotary(64, 2e4)),
    ({"model_type": "stablelm_epoch", "hidden_size": 64, "num_attention_heads": 1, "rope_pct": 0.25, "rope_theta": 1e4},
     Rotary(64, rotary_dim=16)),
    ({"model_type": "fuyu", "num_hidden_layers": 1, "rope_theta": 25000.0, "text_config": {"model_type": "persimmon"}},
     Rotary(64, rotary_dim=32)),
    ({"model_type": "paligemma", "text_config": {"model_type": "gemma", "hidden_size": 64, "num_attention_heads": 2}},
     Rotary(256)),
    ({"model_type": "mixtral", "hidden_size": 64, "num_attention_heads": 2}, Rotary(32, 1e6)),
    ({"model_type": "helium", "hidden_size": 64, "num_attention_heads": 2}, Rotary(128, 1e5, "interleaved")),
    ({"model_type": "minicpm3", "qk_rope_head_dim": 32, "rope_theta": 1e4}, Rotary(32)),
    ({"model_type": "chatglm", "kv_channels": 128, "num_layers": 1, "rope_ratio": 500},
     Rotary(128, 5e6, "interleaved", 64)),
    ({"model_type": "nanochat", "hidden_size": 64, "num_attention_heads": 2}, Rotary(32, direction=-1)),
    ({"model_type": "deepseek_vl_v2", "language_config": {"model_type": "deepseek_v2", "use_mla": False,
      "qk_rope_head_dim": 0, "hidden_size": 64, "num_attention_heads": 2}}, Rotary(32)),
    ({"model_type": "hunyuan_v1_dense", "head_dim": 32, "rope_theta": 1e4,
      "rope_scaling": {"type": "xdrope", "alpha": 10.0, "xdrope_section": [4, 4, 4, 4]}},
     Rotary(32, scaling=NtkAware(10))),
]  # fmt: skip


@pytest.mark.parametrize(("config", "expected"), REPAIRED, ids=lambda part: str(part)[:40])
def test_keys_and_defaults_of_many_classes(config: dict[str, Any], expected: Rotary) -> None:
    found = only(open_model(config))
    assert found == expected
    assert rope_from_config(config) == expected


def test_defaults_of_the_class_are_named() -> None:
    notes = open_model({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text"}}).notes
    for sentence in (
        "the config gives no rope_theta of the sliding_attention layers: 10,000 is taken, the default of model_type "
        "'gemma3_text'",
        "the config gives no rope_theta: 1,000,000 is taken, the default of model_type 'gemma3_text'",
        "the config gives no head_dim: 256 is taken, the default of model_type 'gemma3_text'",
        "num_hidden_layers is not in the file: 26 is taken, the default of model_type 'gemma3_text'",
        "max_position_embeddings is not in the file: 131,072 is taken, the default of model_type 'gemma3_text'",
    ):
        assert sentence in notes


def test_an_unknown_model_is_read_by_its_keys_and_its_layout_is_assumed() -> None:
    model = open_model({**LLAMA, "model_type": "newest"})
    assert only(model) == Rotary(32, 5e5)
    assert "the pair layout of 'newest' is not known; half_split is assumed" in model.notes
    with pytest.raises(ValueError, match=r"^how model_type 'newest' encodes positions is unknown to this version"):
        open_model({"model_type": "newest", "hidden_size": 64})
    with pytest.raises(ValueError, match=r"^this config.json names no model_type"):
        open_model({})


def test_a_configuration_without_a_model_type_is_noted() -> None:
    native = {"dim": 64, "n_layers": 2, "n_heads": 2, "head_dim": 32, "rope_theta": 1e6}
    model = open_model(native)
    assert only(model) == Rotary(32, 1e6)
    assert model.notes == (
        "the configuration names no model_type: its pair layout is not known, and read from its keys",
    )


def test_the_width_of_full_layers_stands_in_the_configuration_of_single_layers() -> None:
    config = {
        "model_type": "gemma4_text", "head_dim": 256, "layer_types": ["sliding_attention", "full_attention"],
        "per_layer_config": {"01": {"head_dim": 512}},
    }  # fmt: skip
    sliding, full = (layer.encoding for layer in open_model(config).layers)
    assert isinstance(sliding, Rotary)
    assert isinstance(full, Rotary)
    assert (sliding.pairs.n_pairs, full.pairs.n_pairs) == (128, 256)
    assert rope_from_config(config, layer_type="full_attention") == full


def test_ernies_pairs_of_text_are_in_the_order_in_which_its_code_rotates_them() -> None:
    config = {"model_type": "ernie4_5_vl_moe_text", "hidden_size": 256, "num_attention_heads": 2, "rope_theta": 5e5}
    rotary = rope_from_config(config)
    assert rotary == Rotary(128, 5e5, "interleaved")
    np.testing.assert_allclose(frequencies(rotary), 5e5 ** (-np.arange(64) / 64), rtol=1e-12)
    assert any("time, height and width" in warning for warning in rotary.warnings)


def test_phis_factors_of_short_and_long_sequences() -> None:
    config = {
        "model_type": "phimoe", "hidden_size": 256, "num_attention_heads": 2, "max_position_embeddings": 131072,
        "rope_theta": 1e4, "rope_scaling": {
            "type": "longrope", "short_factor": [1.0] * 64, "long_factor": [2.0] * 64, "short_mscale": 1.25,
            "long_mscale": 1.5, "original_max_position_embeddings": 4096},
    }  # fmt: skip
    assert rope_from_config(config).attention_factor == rope_from_config(config, seq_len=4096).attention_factor == 1.25
    assert rope_from_config(config, seq_len=4097).attention_factor == 1.5
    assert isinstance(only(open_model(config)).scaling, LongRope)


def test_qwens_and_falcons_peculiarities_are_noted() -> None:
    qwen = open_model({"model_type": "qwen", "kv_channels": 32, "rotary_emb_base": 1e4, "use_dynamic_ntk": True,
                       "seq_length": 2048, "num_hidden_layers": 1})  # fmt: skip
    assert "use_dynamic_ntk: beyond 2,048 tokens the model's code raises the base with the length" in qwen.notes
    chunks = open_model({**LLAMA, "dual_chunk_attention_config": {"chunk_size": 9, "local_size": 1}})
    assert any(note.startswith("dual_chunk_attention_config: the model remaps distances") for note in chunks.notes)
    falcon = open_model({"model_type": "falcon", "alibi": True, "hidden_size": 2048, "num_attention_heads": 32})
    assert any("they are 1/sqrt(64) of the slopes shown" in note for note in falcon.notes)


def test_layers_that_do_not_rotate_have_an_encoding_of_their_own() -> None:
    model = open_model({**LLAMA, "model_type": "smollm3", "num_hidden_layers": 4})
    assert model.layers[3].encoding == NoPosition(32)
    assert "1 of 4 layers do not rotate: no_rope_layer_interval is 4" in model.notes
    mamba = open_model({"model_type": "mamba", "num_hidden_layers": 2})
    assert mamba.layers[0].encoding is None
    assert mamba.notes[0] == "2 of 2 layers have no attention"


def test_scaled_layers_beside_unscaled_ones() -> None:
    config = {**LLAMA, "model_type": "olmo3", "rope_scaling": {"rope_type": "linear", "factor": 2.0},
              "layer_types": ["sliding_attention", "full_attention"], "num_hidden_layers": 2}  # fmt: skip
    sliding, full = (layer.encoding for layer in open_model(config).layers)
    assert sliding == Rotary(32, 5e5)
    assert full == Rotary(32, 5e5, scaling=Linear(2))


def test_a_path_that_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(ValueError, match="it is a device or a pipe"):
        open_model(tmp_path / "pipe.json")
    with pytest.raises(FileNotFoundError):
        open_model(tmp_path / "none.json")
    (tmp_path / "text.json").write_text("no JSON")
    with pytest.raises(ValueError, match=r"this is not a model's config.json: it is not valid JSON"):
        open_model(tmp_path / "text.json")
    with pytest.raises(TypeError, match="source must be a path or a mapping of names to values, got 7"):
        open_model(7)  # type: ignore[arg-type]
