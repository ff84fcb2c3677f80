"""The files of Meta's and Mistral's own code, ``params.json``, in the keys of a ``config.json``.

Sources: llama-models, ``llama3/model.py:apply_scaling`` and ``llama4/args.py:ModelArgs``; mistral-inference,
``transformer.py``; vLLM 0.33.0, ``transformers_utils/configs/mistral.py``.
"""

from collections.abc import Mapping
from typing import Any

_PARAMS = ("dim", "n_layers", "n_heads", "norm_eps")
"""Keys that every params.json has."""

_LLAMA_3, _LLAMA_4 = (8.0, 4.0), (16.0, 1.0)
"""Factor and high_freq_factor in Meta's code, which a file with ``use_scaled_rope`` may leave out."""

_ORIGINAL = "original_max_position_embeddings"


def in_usual_keys(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The names and values of a ``params.json`` with those of a ``config.json`` beside them; others as they are.

    MiniMax M2's first files, which have the ``model_type`` of an older model, get their own.
    """
    if given.get("model_type") == "minimax" and given.get("architectures") == ["MiniMaxM2ForCausalLM"]:
        return {**given, "model_type": "minimax_m2"}
    if not is_params(given):
        return given
    made = {**given, **_windows(given), **_scaling(given)}
    if made.get("rope_theta") is None and "head_dim" in given and given.get("sliding_window") is None:
        made["rope_theta"] = 1e6  # mistral-inference: 10,000 in files with a window alone
    if given.get("nope_layer_interval") is not None:
        made["no_rope_layer_interval"] = given["nope_layer_interval"]
    if isinstance(vision := given.get("vision_encoder"), Mapping):
        made["vision_config"] = {**vision, "model_type": "pixtral"}
    return made


def is_params(given: Mapping[str, Any]) -> bool:
    """Whether these are the names and values of a ``params.json``."""
    return given.get("model_type") in (None, "transformer") and all(given.get(key) is not None for key in _PARAMS)


def _windows(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Mistral's list of windows, which is repeated over the layers."""
    listed, count = given.get("sliding_window"), given["n_layers"]
    if not isinstance(listed, list) or type(count) is not int or not 0 < count <= 10_000:
        return {}
    sizes = {each for each in listed if type(each) is int}
    if len(sizes) != 1 or any(each is not None and type(each) is not int for each in listed):
        return {}
    kinds = ["full_attention" if each is None else "sliding_attention" for each in listed]
    return {"sliding_window": sizes.pop(), "layer_types": [kinds[index % len(kinds)] for index in range(count)]}


def _scaling(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The rotary parameters: Meta's switch, Mistral's YaRN, and the growth of Mistral's queries."""
    yarn, growth = _object(given, "yarn"), _object(given, "llama_4_scaling")
    made: dict[str, Any] = {}
    if given.get("use_scaled_rope") is True:
        usual = _LLAMA_3 if given.get("nope_layer_interval") is None else _LLAMA_4
        own = (given.get("rope_scaling_factor"), given.get("rope_high_freq_factor"))
        factor, high = (one if one is not None else other for one, other in zip(own, usual, strict=True))
        made = {
            "rope_type": "llama3",
            "factor": factor,
            "low_freq_factor": 1.0,
            "high_freq_factor": high,
            _ORIGINAL: 8192,
        }
    elif yarn:
        named = {"beta": "beta_fast", "alpha": "beta_slow"}
        made = {"rope_type": "yarn"} | {named.get(key, key): yarn[key] for key in yarn if key != "apply_scale"}
        made |= {"attention_factor": 1.0} if yarn.get("apply_scale") is False else {}
    if growth:
        made = {
            "rope_type": "default",
            _ORIGINAL: growth.get(_ORIGINAL),
            **made,
            "llama_4_scaling_beta": growth.get("beta"),
        }
    return {"rope_parameters": made} if made else {}


def _object(given: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = given.get(key)
    return found if isinstance(found, Mapping) else {}
