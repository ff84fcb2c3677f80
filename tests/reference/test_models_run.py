"""Small models of transformers run end to end: which layers rotate, and what their queries see, as in our layers."""

import json
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from comparing import Compare
from library_models import FACTS, config_class
from model_facts.models import model_classes
from model_facts.running import LENGTH, LayerRun, Rotation, load_all, run, small_model

from posenc_core import Rotary, open_model
from posenc_core.encodings import DistanceRemap
from posenc_core.model_config import Layer

WINDOW, CHUNK = 7, 5

OTHER_INPUTS = frozenset((
    "blt_local_decoder", "blt_local_encoder", "deepseek_ocr2_encoder", "dia_decoder", "glmasr_encoder", "idefics",
    "lasr_encoder", "mimi", "mimi_decoder", "mimi_encoder", "moonshine", "muse_glimmer_assistant", "neucodec",
    "pe_audio_encoder", "pe_audio_video_encoder", "pe_video_encoder", "pocket_tts_audio_tokenizer",
    "pocket_tts_audio_tokenizer_decoder", "pocket_tts_audio_tokenizer_encoder", "qwen2_5_omni_dit",
    "qwen2_5_omni_talker", "qwen3_omni_moe_talker_code_predictor", "timesfm2_5", "voxtral_realtime_text",
    "wav2vec2-bert", "wav2vec2-conformer", "xcodec2", "csm",
))  # fmt: skip
"""Types whose models take more than tokens or vectors, or libraries of their own."""

NOT_SMALL = frozenset((
    "bailing_hybrid", "chameleon", "clvp_encoder", "cohere_compass_text", "dbrx", "deepseek_ocr2_text",
    "dots3_note_audio_encoder", "ernie4_5_vl_moe_text", "gradium_phonon_tts", "kyutai_speech_to_text",
    "moonshine_streaming", "nemotron3_5_transcribe_word_timestamp", "pocket_tts", "qwen4_exp_text", "step3p5",
    "t5_gemma_module", "mimo_v2_flash", "t5gemma2_decoder", "t5gemma2_text",
))  # fmt: skip
"""Types whose numbers must fit each other in ways of their own, so that no small model of them is built."""

UNSEEN = frozenset({"roformer"})
"""Types whose rotation is a method, and whose attention is a class, so that neither is recorded."""

TYPES = tuple(
    name
    for name, facts in FACTS.items()
    if facts.get("positions") == "rotary" and name not in OTHER_INPUTS | NOT_SMALL | UNSEEN
)

KEYS: dict[str, dict[str, Any]] = {
    "bamba": {"attn_layer_indices": [1, 3]},
    "codegen": {"rotary_dim": 8},
    "gptj": {"rotary_dim": 8},
    "gemma3n_text": {
        "num_kv_shared_layers": 0,
        "layer_types": ["sliding_attention", "full_attention"] * 3,
        "activation_sparsity_pattern": [0.0] * 6,
        "intermediate_size": [32] * 6,
        "laurel_rank": 8,
        "hidden_size_per_layer_input": 8,
        "altup_num_inputs": 2,
    },
    "lfm2_moe": {"num_dense_layers": 1, "layer_types": ["conv", "full_attention"] * 3},
    "mistral4": {"num_key_value_heads": 4, "head_dim": 32, "qk_head_dim": 32},
    "granitemoehybrid": {"layer_types": ["linear_attention", "full_attention"] * 3},
    "zaya": {"num_experts_per_tok": 1},
    "zamba2": {"layer_types": ["linear_attention", "hybrid"] * 3, "hybrid_layer_ids": [1, 3, 5]},
    "neomme": {"rope_parameters": None},
    "llama4_text": {"attention_chunk_size": CHUNK},
}
"""Keys that a small model of a type needs, or that bring out what it does with few tokens."""


@cache
def runnable() -> dict[Any, list[Any]]:
    load_all()
    return model_classes()


def seen_by(layer: Layer) -> torch.Tensor:
    """Which keys the queries of a layer see, bool (tokens, tokens); causal unless its window has two sides."""
    query, key = torch.arange(LENGTH)[:, None], torch.arange(LENGTH)[None]
    if layer.window is not None and layer.ahead is not None:
        return (query - key <= layer.window) & (key - query <= layer.ahead)
    seen = key <= query
    if layer.window is not None:
        seen &= query - key < layer.window
    if layer.chunk is not None:
        seen &= key >= query // layer.chunk * layer.chunk
    return seen


def in_rows(vectors: torch.Tensor) -> np.ndarray | None:
    """The vectors of the first head, (tokens, columns); None if the tokens are on no axis, or not all of them."""
    heads = vectors[0] if vectors.dim() == 4 else vectors
    for axis in range(heads.dim() - 1):
        if heads.shape[axis] == LENGTH:
            first = heads.movedim(axis, 0)
            return first.reshape(LENGTH, -1, heads.shape[-1])[:, 0].double().numpy()
    return None


def turned(rotary: Rotary, vectors: np.ndarray) -> np.ndarray:
    """The vectors as our rotation turns them: of a head, or of the part of a head that rotates."""
    width = vectors.shape[-1]
    if width != rotary.head_dim:
        assert width == rotary.n_columns
        rotary = replace(rotary, head_dim=width, rotary_dim=None, rotary_part="leading")
    return rotary.rotate(vectors[None], np.arange(LENGTH))[0]


def scores(rotation: Rotation) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Queries and keys before the rotation and the scores after it; None if these are not of all tokens."""
    found = [in_rows(each) for each in (rotation.query, rotation.key, rotation.turned_query, rotation.turned_key)]
    if any(each is None for each in found):
        return None
    query, key, turned_query, turned_key = (each for each in found if each is not None)
    return query, key, turned_query @ turned_key.T


def compare_layer(layer: Layer, theirs: LayerRun, compare: Compare) -> None:
    """The rotation and the mask of one layer; compressed entries are keys beside those of the tokens."""
    assert bool(theirs.rotations) == (layer.kind == "rotary")
    for rotation in theirs.rotations[:1]:
        found = scores(rotation)
        encoding = layer.encoding
        turning = encoding.rotation
        rotary = encoding.rotary if isinstance(encoding, DistanceRemap) else turning.scaled_by(turning.scaling)
        assert isinstance(rotary, Rotary)
        if found is not None:
            query, key, expected = found
            ours = turned(rotary, query) @ turned(rotary, key).T
            compare("scores of rotated queries and keys", ours, expected, 2e-4 * np.abs(expected).max())
    for attention in theirs.attentions[:1]:
        seen = attention.seen[:, :LENGTH]
        if layer.ahead is None and seen.all():
            continue  # an encoder's full attention
        assert torch.equal(seen, seen_by(layer))


@pytest.mark.parametrize("model_type", TYPES)
def test_a_model_does_what_its_layers_say(model_type: str, compare: Compare, count: Any) -> None:
    cls = config_class(model_type)
    keys = {**FACTS[model_type].get("rotary_if", {}), **KEYS.get(model_type, {})}
    keys |= {"sliding_window": WINDOW} if "sliding_window" in FACTS[model_type].get("defaults", {}) else {}
    model: Any = small_model(runnable().get(cls, []), cls, **keys)
    ours = open_model(json.loads(model.config.to_json_string()))
    theirs = {int(each.name.rpartition(".")[2]): each for each in run(model) if each.name[-1:].isdigit()}
    assert theirs
    for index, layer in theirs.items():
        compare_layer(ours.layers[index], layer, compare)
    count("models of transformers run end to end", 1)


def test_many_models_are_run() -> None:
    assert len(TYPES) >= 120
