"""Which layers of a class attend to a window, and to which side, found by running a small model of it."""

import inspect
import re
import sys
from typing import Any

from model_facts.running import LENGTH, LayerRun, run, small_model

_WINDOW, _FROM, _LAYERS = 7, 3, 12
_MIDDLE = LENGTH // 2
_MIXED = ["full_attention", "sliding_attention", "sliding_attention", "full_attention"]
_OTHER_KEYS = "sliding_window|attention_window|local_attention|window_size"


def window_facts(cls: Any, models: list[Any], switch: dict[str, Any]) -> dict[str, Any]:
    """``windowed``: "all" or "none" for a class whose layer types do not decide; ``two_sided``; two more.

    ``gated``: without ``use_sliding_window`` there is no window. ``window_layers`` is the rule of ``max_window_layers``
    for files without layer types: "behind" it, or "alternate" before it. Of a class of which no small model runs, the
    masks that its file makes tell.
    """
    wanted = {"sliding_window": _WINDOW, "use_sliding_window": True, "max_window_layers": _FROM}
    keys = {name: value for name, value in wanted.items() if _has(cls(), name)}
    if "sliding_window" not in keys:
        return {} if not models or re.search(_OTHER_KEYS, _source(models)) else {"windowed": "none"}
    rule = _rule(cls, keys)
    facts: dict[str, Any] = {"window_layers": rule} if rule else {}
    facts |= {"gated": True} if _is_gated(cls, keys) else {}
    slides = any("sliding" in name for name in getattr(cls(), "layer_types", None) or ())
    mixed = {"num_hidden_layers": len(_MIXED), "layer_types": _MIXED}
    for more in [{}] if slides else [mixed, {}]:
        try:
            model = small_model(models, cls, **switch, **keys, **more)
            layers = run(model)
        except Exception:  # noqa: BLE001, S112 - many models have other types of layers, or need other inputs
            continue
        return facts | _by_run(layers, getattr(model.config, "layer_types", None))
    return facts | _by_masks(cls, _source(models))


def _is_gated(cls: Any, keys: dict[str, Any]) -> bool:
    """Whether ``use_sliding_window`` switches the window off."""
    try:
        return "use_sliding_window" in keys and not cls(**{**keys, "use_sliding_window": False}).sliding_window
    except Exception:  # noqa: BLE001 - a class may refuse the keys
        return False


def _by_run(layers: list[LayerRun], types: list[str] | None) -> dict[str, Any]:
    """Facts found by a run."""
    found = [(layer, each) for layer in layers if (each := reach(layer)) is not None]
    slides = [layer for layer, (before, _) in found if before <= _WINDOW]
    if not slides:
        return {"windowed": "none"}
    untyped = [layer for layer in slides if types is None or "sliding" not in types[int(layer.name.split(".")[-1])]]
    sides = {"two_sided": True} if any(0 < after < LENGTH - 1 - _MIDDLE for _, (_, after) in found) else {}
    return {"windowed": "all"} | sides if untyped else sides


def _by_masks(cls: Any, source: str) -> dict[str, Any]:
    """The same by the functions of masks that a modeling file names."""
    one, two = "create_sliding_window_causal_mask" in source, "create_bidirectional_sliding_window_mask" in source
    if not one and not two:
        return {"windowed": "none"} if source else {}
    return ({} if one else {"two_sided": True}) | ({} if _has(cls(), "layer_types") else {"windowed": "all"})


def _has(config: Any, name: str) -> bool:
    try:
        return hasattr(config, name)
    except RuntimeError:  # NeoMME refuses to name a window that depends on the layer
        return True


def reach(layer: LayerRun) -> tuple[int, int] | None:
    """How many tokens before and after its own a query in the middle sees; None for a layer without attention."""
    if not layer.attentions:
        return None
    seen = layer.attentions[0].seen[_MIDDLE].nonzero().flatten().tolist()
    return (_MIDDLE - seen[0], seen[-1] - _MIDDLE) if seen else (0, 0)


def _source(models: list[Any]) -> str:
    """The text of the modeling file."""
    return inspect.getsource(sys.modules[models[0].__module__]) if models else ""


def _rule(cls: Any, keys: dict[str, Any]) -> str | None:
    """How ``max_window_layers`` divides the layers; None where it does not."""
    try:
        types = list(cls(num_hidden_layers=_LAYERS, **keys).layer_types)
    except Exception:  # noqa: BLE001 - a class may have other numbers of layers
        return None
    slides = [index for index, name in enumerate(types) if name == "sliding_attention"]
    if slides == list(range(_FROM, _LAYERS)):
        return "behind"
    return "alternate" if slides == list(range(0, _FROM, 2)) else None
