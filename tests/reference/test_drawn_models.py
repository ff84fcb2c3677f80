"""Small models of transformers with drawn keys, run: each layer does what is read from the file that has these keys."""

import json
import random
from typing import Any

import pytest
import torch
from comparing import Compare
from library_models import FACTS, accepted, config_class
from model_facts.running import LayerRun, prepared, run, small_keys
from test_models_run import KEYS, TYPES, WINDOW, compare_layer, runnable
from torch import nn

from posenc_core import open_model

TRIES = 8

LENGTHS = {"rope_theta": 5e4, "original_max_position_embeddings": 64}
YARN: dict[str, Any] = {"rope_type": "yarn", "factor": 8.0, **LENGTHS}
SCALINGS: tuple[dict[str, Any], ...] = (
    {"rope_type": "default", "rope_theta": 5e5, "partial_rotary_factor": 0.5},
    {"rope_type": "linear", "rope_theta": 1e4, "factor": 3.0},
    {"rope_type": "dynamic", "rope_theta": 1e4, "factor": 2.0},
    YARN,
    YARN | {"factor": None},
    YARN | {"attention_factor": 1.25, "truncate": False},
    YARN | {"mscale": 0.707, "mscale_all_dim": 0.8, "partial_rotary_factor": 0.5},
    {"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0},
    {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, **LENGTHS},
    {"rope_type": "proportional", "rope_theta": 5e4, "partial_rotary_factor": 0.25},
)


def drawn(rng: random.Random, model_type: str) -> dict[str, Any]:
    """Keys about windows, layers and rotation, of other classes too."""
    defaults = config_class(model_type)().to_dict()
    count = rng.choice([3, 4, 6, 7])
    names = sorted(set(defaults.get("layer_types") or ()))
    foreign: dict[str, Any] = {
        "hybrid_override_pattern": "M*-E"[:count].ljust(count, "M"),
        "attn_type_list": [0, 1, 0, 1, 0, 1, 0][:count],
        "cross_attention_layers": [1],
        "no_rope_layer_interval": 2,
        "full_attn_idxs": [0],
        "attn_layer_indices": [0],
        "kv_channels": 32,
        "attention_head_dim": 32,
        "mla_use_nope": True,
        "position_embedding_type": "nope",
        "attn_temperature_tuning": True,
    }
    own: dict[str, Any] = {
        "num_hidden_layers": count,
        "sliding_window": rng.choice([5, WINDOW]),
        "use_sliding_window": rng.choice([True, False]),
        "max_window_layers": rng.randrange(count + 1),
        "original_max_position_embeddings": 96,
        "layer_types": [rng.choice(names or [""]) for _ in range(count)],
        **{key: rng.choice([2, 3]) for key in FACTS[model_type].get("layer_keys", []) if "pattern" in key},
    }
    kept = {key: own[key] for key in own if rng.random() < (0.5 if key in defaults else 0.1)}
    kept |= {key: foreign[key] for key in foreign if key not in defaults and rng.random() < 0.15}
    if not names:
        kept.pop("layer_types", None)
    parameters = defaults.get("rope_parameters") or {}  # by label in the order of a set
    return kept | rotation(rng, sorted(key for key, each in parameters.items() if type(each) is dict))


def rotation(rng: random.Random, labels: list[str]) -> dict[str, Any]:
    """A scaling in a new file, an old one, one that has both, or with parameters by the types of layers."""
    scaling = dict(rng.choice(SCALINGS))
    way = rng.choice(["new", "old", "both", "nested", "of other types", "none"])
    if way == "of other types":
        return {"rope_parameters": {"linear_attention": scaling, "hybrid": dict(rng.choice(SCALINGS))}}
    if way == "nested":
        return {"rope_parameters": {label: dict(rng.choice(SCALINGS)) for label in labels or ["full_attention"]}}
    if way == "new":
        return {"rope_parameters": scaling}
    if way == "both":
        return {"rope_parameters": dict(SCALINGS[0]), "rope_scaling": scaling}
    if way == "old":
        theta, name = scaling.pop("rope_theta"), scaling.pop("rope_type")
        return {"rope_theta": theta, "rope_scaling": scaling | {rng.choice(["type", "rope_type"]): name}}
    return {}


def run_of(model_type: str, keys: dict[str, Any]) -> list[LayerRun] | None:
    """Runs of the layers of a small model with these keys, None if its classes refuse the keys."""
    cls = config_class(model_type)
    for model_class in runnable()[cls][:3]:
        model = built(model_class, cls, keys)
        if model is not None and is_run(model):
            return run(model)
    return None


def built(model_class: Any, cls: Any, keys: dict[str, Any]) -> nn.Module | None:
    """A model with random weights, None if a constructor refuses the keys."""
    torch.manual_seed(0)
    return accepted(lambda: model_class(cls(**json.loads(json.dumps(keys)))))


def is_run(model: nn.Module) -> bool:
    """Whether the forward succeeds: some classes find only there that keys do not fit each other."""
    given = prepared(model)
    with torch.no_grad():
        return accepted(lambda: model(**given)) is not None


@pytest.mark.thorough
@pytest.mark.parametrize("model_type", TYPES)
def test_a_model_of_drawn_keys_does_what_its_layers_say(model_type: str, compare: Compare, count: Any) -> None:
    runnable()  # a class has its small numbers by its model
    base = {
        **small_keys(config_class(model_type)),
        **FACTS[model_type].get("rotary_if", {}),
        **KEYS.get(model_type, {}),
    }
    for number in range(TRIES):
        keys = {**base, **(drawn(random.Random(f"{model_type} {number}"), model_type) if number < TRIES - 1 else {})}
        theirs = run_of(model_type, keys)
        if theirs is not None:
            break
    assert theirs
    layers = open_model({**keys, "model_type": model_type}).layers
    for each in theirs:
        if each.name[-1:].isdigit():
            compare_layer(layers[int(each.name.rpartition(".")[2])], each, compare)
    count("models with drawn keys run end to end", 1)
