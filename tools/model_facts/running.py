"""Small models with random weights, run on the CPU: what rotates in each layer, and which tokens each query sees."""

import importlib
import inspect
import re
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
import transformers
from torch import nn

LENGTH = 24
"""Tokens of the sequence that is run."""

_SMALL = {
    r"vocab_size(_per_layer_input)?|text_vocab_size|audio_vocab_size": 64,
    r"hidden_size|n_embd|d_model|emb_dim|embed_dim|dim": 64,
    r"(\w+_)?intermediate_size|(\w+_)?ffn_dim|d_ff|n_inner|ffn_hidden_size|decoder_ffn_dim|encoder_ffn_dim": 32,
    r"((encoder|decoder)_)?num_attention_heads|n_heads?|(encoder|decoder)_attention_heads|num_heads": 4,
    r"((encoder|decoder)_)?num_key_value_heads|multi_query_group_num": 4,
    r"head_dim|d_kv|kv_channels|attention_head_dim": 16,
    r"num_(local_)?experts|n_routed_experts|moe_num_experts|num_routed_experts": 4,
    r"num_experts_per_tok|moe_k|moe_topk|top_k_experts|num_selected_experts": 2,
    r"n_group|topk_group|num_expert_group|n_shared_experts|num_shared_experts": 1,
    r"(q|kv|o)_lora_rank|o_lora_dim": 16,
    r"qk_rope_head_dim|qk_nope_head_dim|index_head_dim": 16,
    r"v_head_dim": 16,
    r"index_n_heads": 2,
    r"max_position_embeddings|n_positions": 256,
    r"num_hidden_layers|n_layers?|(encoder|decoder)_layers|num_layers": 6,
    r"pad_token_id": 0,
    r"bos_token_id": 1,
    r"eos_token_id": 2,
    r"mamba_(n_heads|num_heads)|n_mamba_heads": 8,
    r"mamba_d_state|mamba_state_dim|ssm_state_size": 8,
    r"linear_num_(key|value)_heads": 2,
    r"linear_(key|value)_head_dim|linear_head_dim": 16,
}  # fmt: skip
"""By a pattern of names, the small numbers of a configuration that is run."""

_LARGEST = 1_000_000_000
"""Parameters; a model with more has widths that no pattern names, and would fill the memory (ESMFold 2's)."""


@dataclass
class Rotation:
    """Call of a rotating function: query and key before and after."""

    query: torch.Tensor
    key: torch.Tensor
    turned_query: torch.Tensor
    turned_key: torch.Tensor


@dataclass
class Attention:
    """Call of the attention: queries and keys ``(heads, tokens, columns)``, the scale, and the mask.

    ``seen``: bool ``(tokens, tokens)``, True where the query of a row sees the key of a column.
    """

    module: str
    query: torch.Tensor
    key: torch.Tensor
    scale: float | None
    seen: torch.Tensor


@dataclass
class LayerRun:
    """Calls of a layer's rotations and of its attention."""

    name: str
    rotations: list[Rotation] = field(default_factory=list)
    attentions: list[Attention] = field(default_factory=list)


def small_keys(cls: Any) -> dict[str, Any]:
    """Few and narrow layers, in the keys of the class."""
    small: dict[str, Any] = {}
    for name, value in vars(cls()).items():
        number = next((number for pattern, number in _SMALL.items() if re.fullmatch(pattern, name)), None)
        if number is not None and (value is None or isinstance(value, int)):
            small[name] = number
    fitted = _fitted(cls, small)
    return {**small, **({"rope_parameters": fitted} if fitted else {})}


def small_config(cls: Any, **keys: Any) -> Any:
    """The class's configuration with few and narrow layers, and with these keys."""
    return cls(**{**small_keys(cls), **keys})


def _fitted(cls: Any, small: dict[str, Any]) -> dict[str, Any] | None:
    """The class's rotary parameters with sections of axes that fit the small head; None where it has no axes."""
    module = sys.modules.get(cls.__module__.replace("configuration_", "modeling_"))
    if module is None or "mrope_section" not in inspect.getsource(module):
        return None
    found = dict(getattr(cls(), "rope_parameters", None) or {})
    pairs = int(small.get("head_dim", 16) * found.get("partial_rotary_factor", 1.0)) // 2
    third = pairs // 3
    sections = [pairs - 2 * third, third, third]
    return found | {"mrope_section": [*sections, *[0] * (len(found.get("mrope_section", sections)) - 3)]}


def run(model: nn.Module) -> list[LayerRun]:
    """Run of each layer for a sequence of ``LENGTH`` tokens, in the order of the first calls."""
    recorder = _Recorder()
    hooks = [
        module.register_forward_pre_hook(recorder.entering(name))
        for name, module in model.named_modules()
        if re.search(r"(^|\.)(layers?|h|blocks?)\.\d+$", name)
    ]
    given = prepared(model)
    with _patched(recorder), torch.no_grad():
        model(**given)
    for hook in hooks:
        hook.remove()
    return list(recorder.layers.values())


def prepared(model: nn.Module) -> dict[str, Any]:
    """Arguments for a forward of the model, which is set to evaluation with eager attention."""
    model.eval()
    if hasattr(model, "set_attn_implementation"):
        model.set_attn_implementation("eager")
    return _inputs(model)


def _inputs(model: nn.Module) -> dict[str, Any]:
    """Arguments of the model's forward: tokens, or vectors where it takes no tokens."""
    parameters = inspect.signature(model.forward).parameters
    tokens = torch.arange(LENGTH)[None] % 16 + 3
    given: dict[str, Any] = {"input_ids": tokens} if "input_ids" in parameters else {}
    if "decoder_input_ids" in parameters:
        given["decoder_input_ids"] = tokens
    for name, parameter in parameters.items():
        if name not in given and name in ("inputs_embeds", "hidden_states") and "input_ids" not in given:
            given[name] = torch.randn(1, LENGTH, model.config.hidden_size)
        elif parameter.default is inspect.Parameter.empty and name == "position_ids":
            given[name] = torch.arange(LENGTH)[None]
    return given | ({"use_cache": False} if "use_cache" in parameters or "kwargs" in parameters else {})


class _Recorder:
    """Keeps what the functions of a model are called with, under the layer that calls them."""

    def __init__(self) -> None:
        self.layers: dict[str, LayerRun] = {}
        self._layer = ""

    def entering(self, name: str) -> Callable[..., None]:
        """A hook before a layer's forward."""

        def enter(*_: Any) -> None:
            self._layer = name

        return enter

    def _here(self) -> LayerRun:
        return self.layers.setdefault(self._layer, LayerRun(self._layer))

    def rotating(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function that rotates, recorded."""
        names = list(inspect.signature(function).parameters)

        def called(*args: Any, **keys: Any) -> Any:
            result = function(*args, **keys)
            given = dict(zip(names, args, strict=False)) | keys
            vectors = [value for name, value in given.items() if not re.match("cos|sin|freqs|pos|unsq", name)]
            vectors = [value for value in vectors if isinstance(value, torch.Tensor)]
            turned = result if isinstance(result, tuple) else (result,)
            if vectors and isinstance(turned[0], torch.Tensor):
                self._here().rotations.append(Rotation(vectors[0], vectors[-1], turned[0], turned[-1]))
            return result

        return called

    def attending(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The attention, recorded."""

        def called(module: Any, query: Any, key: Any, value: Any, *args: Any, **keys: Any) -> Any:
            mask, scale = keys.get("attention_mask", args[0] if args else None), keys.get("scaling")
            scale = args[1] if len(args) > 1 else scale
            seen = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool)
            if mask is not None:
                rows = mask[0, 0, :, : key.shape[-2]]
                seen = (rows > -1 if rows.is_floating_point() else rows).bool().expand_as(seen)
            number = float(scale) if isinstance(scale, int | float) else None
            self._here().attentions.append(Attention(type(module).__name__, query[0], key[0], number, seen))
            return function(module, query, key, value, *args, **keys)

        return called


@contextmanager
def _patched(recorder: _Recorder) -> Iterator[None]:
    """The functions of all loaded model files replaced by recorded ones."""
    replaced = []
    for name, module in list(sys.modules.items()):
        if not name.startswith("transformers.models.") or ".modeling_" not in name:
            continue
        for key, value in list(vars(module).items()):
            if not isinstance(value, types.FunctionType):
                continue
            if re.search(r"apply_\w*(rot|rope)", key):
                changed = recorder.rotating(value)
            elif key == "eager_attention_forward":
                changed = recorder.attending(value)
            else:
                continue
            replaced.append((module, key, value))
            setattr(module, key, changed)
    try:
        yield
    finally:
        for module, key, value in replaced:
            setattr(module, key, value)


def small_model(models: list[type[nn.Module]], cls: Any, **keys: Any) -> nn.Module:
    """A small model of the configuration class, of the first of the model classes that can be built."""
    problem: Exception | None = None
    for model in models[:3]:
        try:
            config = small_config(cls, **keys)
            if _is_large(model, config):
                raise ValueError(f"more than {_LARGEST:,} parameters")
            torch.manual_seed(0)
            return model(small_config(cls, **keys))
        except Exception as error:  # noqa: BLE001 - the next class is tried
            problem = error
    raise ValueError(f"no model of {cls.__name__} can be built: {problem}")


def _is_large(model: type[nn.Module], config: Any) -> bool:
    """Whether the model has too many parameters; False for a model that cannot be built without memory."""
    try:
        with torch.device("meta"):
            return sum(each.numel() for each in model(config).parameters()) > _LARGEST
    except Exception:  # noqa: BLE001 - some classes compute with their numbers when they are built
        return False


def load_all() -> None:
    """Import every modeling file, so that their functions can be recorded."""
    for path in sorted((Path(transformers.__file__).parent / "models").glob("*/modeling_*.py")):
        try:
            importlib.import_module(f"transformers.models.{path.parent.name}.{path.stem}")
        except ImportError:
            continue
