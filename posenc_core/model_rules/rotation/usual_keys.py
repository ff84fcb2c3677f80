"""Files of their own form, among them the ``params.json`` of Meta and Mistral, in the keys of other files.

Sources: llama-models, ``llama3/model.py:apply_scaling`` and ``llama4/args.py:ModelArgs``; mistral-inference,
``transformer.py``; vLLM 0.33.0, ``transformers_utils/configs/mistral.py``.
"""

from collections.abc import Callable, Mapping
from typing import Any

_PARAMS = ("dim", "n_layers", "n_heads", "norm_eps")
"""Keys that every params.json has."""

_LLAMA_3, _LLAMA_4 = (8.0, 4.0), (16.0, 1.0)
"""Factor and high_freq_factor in Meta's code, which a file with ``use_scaled_rope`` may leave out."""

_ORIGINAL = "original_max_position_embeddings"


def in_usual_keys(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The names and values of a file of its own form with those of a usual ``config.json`` beside them."""
    name = given.get("model_type") or given.get("_class_name")
    make = _of_params if is_params(given) else _BY_TYPE.get(name) if isinstance(name, str) else None
    return given if make is None else {**given, **make(given)}


def is_params(given: Mapping[str, Any]) -> bool:
    """Whether these are the names and values of a ``params.json``."""
    return given.get("model_type") in (None, "transformer") and all(given.get(key) is not None for key in _PARAMS)


def _of_params(given: Mapping[str, Any]) -> Mapping[str, Any]:
    made = {**_windows(given), **_scaling(given)}
    if given.get("rope_theta") is None and "head_dim" in given and given.get("sliding_window") is None:
        made["rope_theta"] = 1e6  # mistral-inference: 10,000 in files with a window alone
    if given.get("nope_layer_interval") is not None:
        made["no_rope_layer_interval"] = given["nope_layer_interval"]
    if vision := _object(given, "vision_encoder"):
        made["vision_config"] = {**vision, "model_type": "pixtral"}
    return made


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


def _of_minimax(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The type of MiniMax M2, whose first files have that of an older model."""
    return {"model_type": "minimax_m2"} if given.get("architectures") == ["MiniMaxM2ForCausalLM"] else {}


def _of_jet_nemotron(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The window of its layers of type swa: SGLang 0.5.23, srt/models/jet_nemotron.py."""
    window = _object(_object(given, "efficient_attention_config"), "swa").get("window_size")
    return {} if window is None else {"sliding_window": window}


def _of_moondream(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The keys of the text, which such a file has in an inner object: vLLM 0.33.0, configs/moondream3.py."""
    text = _object(_object(given, "config"), "text")
    return {**text, "max_position_embeddings": text["max_context"]} if "max_context" in text else text


def _of_striped_hyena(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The linear scaling of Evo's longer models: stripedhyena/model.py, ``AttentionBlock``."""
    if given.get("use_interpolated_rotary_pos_emb") is not True:
        return {}
    return {"rope_scaling": {"type": "linear", "factor": given.get("rotary_emb_scaling_factor", 1.0)}}


def _of_pictures(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The widths of the axes, which make up a head: diffusers 0.42.1, Z-Image and Lumina 2."""
    widths = given.get("axes_dims", given.get("axes_dim_rope"))
    if not isinstance(widths, list) or not all(type(each) is int for each in widths):
        return {}
    return {"axes_dims_rope": widths, "attention_head_dim": sum(widths)}


_BY_TYPE: dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {
    "Lumina2Transformer2DModel": _of_pictures,
    "ZImageTransformer2DModel": _of_pictures,
    "jet_nemotron": _of_jet_nemotron,
    "minimax": _of_minimax,
    "moondream1": _of_moondream,
    "moondream3": _of_moondream,
    "stripedhyena": _of_striped_hyena,
}
