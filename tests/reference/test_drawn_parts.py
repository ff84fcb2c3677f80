"""Parts of models with drawn keys, built without weights: the tables of their classes and those read from the keys."""

import json
import random
import re
from typing import Any

import numpy as np
import pytest
import torch
from comparing import Compare
from library_models import (
    AXES,
    FACTS,
    ROTARY,
    accepted,
    config_class,
    labelled_angles,
    labels_of,
    rotary_class,
    run_rotary,
)
from model_facts.running import small_keys
from test_drawn_models import SCALINGS, drawn
from test_models_run import KEYS, runnable
from test_picture_axes import SINGLE, TALL, WIDE, places

from posenc_core import Document, open_model, rope_from_config
from posenc_core.encodings import RopeAxes
from posenc_core.model_rules.vision_parts import vision_facts

RELATIVE = 3e-5
"""The library computes frequencies, and angles at position 1, in float32."""

PICTURES = 12
ROTATIONS, DRAWS = 6, 60
"""Comparisons for each type, and the most draws for them: many keys do not fit each other."""

NEEDED: dict[str, dict[str, Any]] = {
    "dots3_note_vision_encoder": {"num_hidden_layers": 42},
    "dots3_note_audio_encoder": {"adapter_input_size": 64},
}
"""Keys that a class checks against others."""

FIXED = {"codegen", "gptj", "roformer", "clvp_encoder"}
"""Types whose rotation has widths of its own, which the small widths do not fit."""

UNBUILT = {"gradium_phonon_tts", "pocket_tts", "nemotron3_5_transcribe_word_timestamp", "ernie4_5_vl_moe_text"}
"""Types whose parts are checked against each other, or whose sections do not fit small widths: no draw is built."""

Keys = dict[str, Any]


def parameters(rng: random.Random, types: tuple[str, ...]) -> Keys:
    """Rotary parameters in one of the ways in which files have them."""
    theta = rng.choice([100.0, 777.0, 10000, 1e6])
    full = {"rope_type": rng.choice(types), "rope_theta": theta}
    ways: list[Keys] = [
        {},
        {"rope_parameters": full},
        {"rope_parameters": {"rope_theta": theta, "partial_rotary_factor": 0.5}},
        {"rope_parameters": rng.choice([None, {}, {"rope_type": types[0]}]), "rope_theta": theta},
        {"rope_parameters": full, "rope_theta": 50.0},
        {"rope_scaling": rng.choice([{"type": "default"}, {"rope_theta": theta}]), "rope_theta": 555.0},
        {"partial_rotary_factor": 0.5},
    ]
    return rng.choice(ways)


def drawn_picture(rng: random.Random, model_type: str) -> Keys:
    """Widths, heads, sizes of pictures and tables, and rotary parameters of a vision part."""
    defaults = config_class(model_type)().to_dict()
    heads, columns = rng.choice([1, 2, 3, 4, 6]), rng.choice([8, 16, 24, 32, 40, 48, 64, 72, 80, 96])
    named = "num_heads" if "num_heads" in defaults and rng.random() < 0.8 else "num_attention_heads"
    width = "embed_dim" if model_type == "qwen2_vl_vision" else "hidden_size"
    keys: Keys = {named: heads, width: heads * columns} if rng.random() < 0.9 else {}
    if "adapter_in_dim" in defaults and width in keys:
        keys["adapter_in_dim"] = keys[width]
    if rng.random() < 0.3:
        keys["head_dim"] = rng.choice([16, 24, 32, 64, 72])
    sizes = {"patch_size": [7, 14, 16], "image_size": [100, 112, 224, 336], "num_position_embeddings": [64, 256, 2304]}
    sizes |= {"depth": [4, 5, 9], "num_hidden_layers": [4, 5, 9]}
    keys |= {key: rng.choice(sizes[key]) for key in sizes if key in defaults and rng.random() < 0.6}
    return keys | parameters(rng, ("axial", "default")) | NEEDED.get(model_type, {})


def built(model_type: str, keys: Keys) -> tuple[Any, Any] | None:
    """The configuration and its module of rotary angles, None if a constructor refuses the keys.

    The module is None where functions compute the angles.
    """
    cls, rotary = config_class(model_type), rotary_class(model_type)

    def made() -> tuple[Any, Any]:
        config = cls(**json.loads(json.dumps(keys)))
        return config, rotary and rotary(config).eval()

    return accepted(made)


def is_run(module: Any) -> bool:
    """Whether the module computes angles: some classes find in their forward that drawn keys do not fit."""
    labels = labels_of(module)
    return accepted(lambda: [run_rotary(module, 1, label) for label in labels]) is not None


def picture_of(model_type: str, config: Any, module: Any) -> list[np.ndarray]:
    """Cosines and sines of the module for a picture, (patches, columns) each."""
    given = torch.nn.functional.pad(places(), (1, 0)) if model_type.startswith("minimax") else places()
    given = given[None] if model_type == "gemma4_vision" else given
    if vision_facts().parts[model_type].rule == "normalised":
        sides = config.patch_size if isinstance(config.patch_size, list | tuple) else [config.patch_size] * 2
        found = module(torch.zeros(1, 3, TALL * sides[0], WIDE * sides[1]))
    else:
        found = module(torch.zeros(1), given)
    return [each.double().numpy().reshape(TALL * WIDE, -1) for each in found]


def shown(encoding: RopeAxes, model_type: str) -> list[np.ndarray]:
    """Our cosines and sines in the order of the class's columns."""
    seen = Document(grid=f"{TALL}x{WIDE}").with_encoding(encoding).encoding
    table = seen.in_halves().values(np.arange(TALL * WIDE), np.arange(seen.n_columns))
    halves = np.split(table, 2, axis=1)
    if model_type == "gemma4_vision":  # halves within each axis, as the note on it says
        return [np.concatenate([np.tile(each, 2) for each in np.split(half, 2, axis=1)], axis=1) for half in halves]
    in_turns = seen.parameters()["pairing"] == "interleaved"
    return [np.repeat(half, 2, axis=1) if in_turns else np.tile(half, 2) for half in halves]


PARTS = sorted(vision_facts().parts.keys() - {"llama4_vision_model"})  # test_picture_axes


@pytest.mark.thorough
@pytest.mark.parametrize("model_type", PARTS)
def test_a_vision_part_of_drawn_keys_has_the_table_of_its_class(model_type: str, compare: Compare, count: Any) -> None:
    tried = 0
    for number in range(PICTURES):
        keys = drawn_picture(random.Random(f"{model_type} {number}"), model_type)
        made = built(model_type, keys)
        if made is None:
            continue
        config, module = made
        theirs = picture_of(model_type, config, module)
        layers = open_model({**keys, "model_type": model_type}).layers
        assert len(layers) == config.num_hidden_layers
        encoding = next(each.encoding for each in layers if each.encoding is not None)
        assert isinstance(encoding, RopeAxes)
        for ours, other in zip(shown(encoding, model_type), theirs, strict=True):
            compare("vision parts of drawn keys", ours, other, 2 * SINGLE)
        tried += 1
    assert tried > PICTURES // 2
    count("vision parts with drawn keys compared in their tables", tried)


def drawn_rotation(rng: random.Random, model_type: str) -> Keys:
    """Keys as of small models that are run, and widths and bases beside them, with parameters inside the older key."""
    defaults = config_class(model_type)().to_dict()
    keys = drawn(rng, model_type)
    labels = sorted(key for key, each in (defaults.get("rope_parameters") or {}).items() if type(each) is dict)
    if rng.random() < 0.3:
        keys["head_dim"] = rng.choice([8, 16, 24, 32])
    if rng.random() < 0.2:
        keys[rng.choice(["partial_rotary_factor", "rotary_pct"])] = rng.choice([0.5, 1.0])
    if rng.random() < 0.2:
        keys[rng.choice(["rope_theta", "rope_local_base_freq"])] = 333.0
    if labels and rng.random() < 0.2:
        keys["rope_scaling"] = {label: dict(rng.choice(SCALINGS)) for label in labels}
    return keys | NEEDED.get(model_type, {})


@pytest.mark.thorough
@pytest.mark.parametrize("model_type", sorted({*ROTARY} - {*AXES, *FIXED, *UNBUILT}))
def test_a_rotation_of_drawn_keys_has_the_frequencies_of_its_class(
    model_type: str, compare: Compare, count: Any
) -> None:
    runnable()  # a class has its small numbers by its model
    base = {
        **small_keys(config_class(model_type)),
        **FACTS[model_type].get("rotary_if", {}),
        **KEYS.get(model_type, {}),
    }
    compared = 0
    for number in range(DRAWS):
        if compared >= ROTATIONS:
            break
        keys = {**base, **drawn_rotation(random.Random(f"{model_type} {number}"), model_type)}
        made = built(model_type, keys)
        if made is None or not (made[1] is None or is_run(made[1])):
            continue
        config, _ = made
        theirs = dict(labelled_angles(model_type, config))
        whole = {**keys, "model_type": model_type}
        layers = dict.fromkeys(each for each in open_model(whole).layers if each.kind == "rotary")
        for label, angles in theirs.items():
            found = [each.encoding for each in layers if label in (None, _label_of(each.layer_type, config, [*theirs]))]
            if not found and label is not None:
                continue  # no layer of that type rotates
            rotation = (found[0] if found else rope_from_config(whole)).rotation
            assert rotation is not None
            pairs = rotation.pairs
            compare("rotations of drawn keys (relative)", pairs.frequencies, angles, RELATIVE, relative=True)
            count("rotations with drawn keys compared in frequencies", 1)
            compared += 1
    assert compared, "no drawn keys fit each other"


def _label_of(layer_type: str | None, config: Any, labels: list[str | None]) -> str | None:
    """The label of the parameters of a type of layers, None of a model whose layers are all of one type."""
    layer_type = layer_type or (getattr(config, "layer_types", None) or [None])[0]
    if labels == ["main", "compress"]:
        return "compress" if layer_type is not None and "compressed" in layer_type else "main"
    return labels[0] if layer_type not in labels and len(labels) == 1 else layer_type


SOUNDS = ("qwen2_5_omni_audio_encoder", "qwen3_asr_encoder", "qwen3_omni_moe_audio_encoder")
_TABLE = re.compile(r"(^|\.)(wpe|\w*embed_positions|\w*position_embeddings?|positional_embedding)(\.\w+)?$")


@pytest.mark.thorough
@pytest.mark.parametrize("model_type", SOUNDS)
def test_an_encoder_of_sound_with_drawn_widths_adds_the_sinusoids_of_its_class(
    model_type: str, compare: Compare
) -> None:
    rng = random.Random(model_type)
    for _ in range(3):
        keys = small_keys(config_class(model_type)) | {"max_source_positions": rng.choice([40, 100])}
        keys |= {"d_model": rng.choice([32, 64, 96])}
        model = runnable()[config_class(model_type)][0](config_class(model_type)(**keys))
        (theirs,) = [each for name, each in model.named_buffers() if _TABLE.search(name)]
        (layer, *_) = open_model({**keys, "model_type": model_type}).layers
        assert layer.encoding is not None
        assert "frames' vectors" in layer.sentence
        ours = layer.encoding.in_halves().values(np.arange(len(theirs)), np.arange(keys["d_model"]))
        compare("sinusoids of encoders of sound", ours, theirs, 3e-5)


@pytest.mark.parametrize("model_type", ["albert", "bert", "clip_text_model", "convbert", "electra", "gpt2", "rembert"])
def test_a_learned_table_of_drawn_widths_has_the_shape_of_its_class(model_type: str) -> None:
    cls, rng = config_class(model_type), random.Random(model_type)
    keys = {**small_keys(cls), ("n_positions" if model_type == "gpt2" else "max_position_embeddings"): 40}
    keys |= {key: rng.choice([24, 48]) for key in ("embedding_size", "input_embedding_size") if hasattr(cls(), key)}
    with torch.device("meta"):
        model = runnable()[cls][0](cls(**keys))
    (theirs,) = [each.shape for name, each in model.named_parameters() if _TABLE.search(name)]
    assert open_model({**keys, "model_type": model_type}).layers[0].table_shape == tuple(theirs)
