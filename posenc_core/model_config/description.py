"""A model's configuration as layers, lengths and notes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from posenc_core.encodings import Alibi
from posenc_core.fields import FARTHEST, is_deeper, one_line, shortened
from posenc_core.model_config.config import DEEPEST, part_of, parts_beside
from posenc_core.model_config.layers import layers_of
from posenc_core.model_rules import Notes, Values, integer
from posenc_core.session import LONGEST_CONFIG, Layer, Model, ModelPart

_LONGEST = (
    "max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length", "model_max_length", "seq_length",
    "max_context_length", "rope_max_length", "n_ctx", "max_source_positions", "max_length_positions",
)  # fmt: skip
_TRAINED = ("original_max_position_embeddings", "initial_context_length", "original_context_length")

_LISTS = (
    "layer_types", "layers_block_type", "block_types", "no_rope_layers", "layer_rope_theta", "partial_rotary_factors",
    "attention_types", "attn_config", "linear_attn_config", "sparse_attention_config", "dual_chunk_attention_config",
)  # fmt: skip
"""Keys that hold more than a number and say something about positions, beside those that begin with rope_."""

_TEXTS = ("hybrid_override_pattern", "position_embedding_type", "position_embeddings_type")
"""Keys with a text that says something about positions."""

_INSTEAD = {
    "cross_attention": "attend to the picture",
    "linear_attention": "have linear attention or a state-space model",
}
"""What layers without attention to the text's tokens do, by their type."""

Lengths = tuple[int | None, int | None, str]


def describe(config: Mapping[str, Any], name: str, source: str, part: str | None = None) -> Model:
    """The model that a configuration describes; ValueError with one sentence where it says nothing about positions.

    ``name`` is that of the file or its folder, ``source`` names the files that were read, ``part`` the part of the
    configuration as in ``open_model``.
    """
    if is_deeper(config, DEEPEST):
        raise ValueError(f"this configuration's parts are nested more than {DEEPEST} deep")
    try:
        values, part_notes = part_of(config, part)
        layers, layer_notes = layers_of(values)
        trained, target, key, length_notes = lengths_of(values, layers)
    except TypeError as error:
        raise ValueError(str(error)) from None
    distinct = {id(layer): layer for layer in layers}.values()
    warned = (note for layer in distinct if layer.encoding is not None for note in layer.encoding.warnings)
    notes = (*_special_notes(values, layers), *warned, *layer_notes, *length_notes, *part_notes)
    whole_type = config.get("model_type")
    return Model(
        name=_named(config, name) or readable_name(values.model_type) or "model",
        model_type=whole_type if isinstance(whole_type, str) else values.model_type,
        source=source,
        layers=layers,
        trained_length=trained,
        target_length=target,
        lengths_from=key,
        notes=tuple(dict.fromkeys(notes)),
        config=_positional(config, values),
        parts=tuple(_parts(config, values)) if part in (None, "text") else (),
    )


def _parts(config: Mapping[str, Any], values: Values) -> Iterator[ModelPart]:
    """The parts beside the described one; a sentence says why the positions of a part are not shown."""
    for name, beside in parts_beside(config, values):
        try:
            layers, _ = layers_of(beside)
        except (TypeError, ValueError) as error:
            layers = (Layer("unsupported", sentence=str(error)),)
        yield ModelPart(name, len(layers), layers[0])


def _positional(config: Mapping[str, Any], values: Values) -> str:
    """The part's numbers, switches, lists of layers and rotary parameters as JSON, without names and paths."""
    kept = {
        key: each
        for key, each in values.given.items()
        if isinstance(each, int | float | None)
        or key.startswith("rope_")
        or key in (*_LISTS, *_TEXTS)
        or _is_numbers(each)
    }
    whole, own = config.get("model_type"), values.model_type
    named = {"model_type": whole or own, "architectures": config.get("architectures")}
    inner = kept if whole in (None, own) else {"text_config": {**kept, "model_type": own}}
    written = json.dumps({**inner, **{key: each for key, each in named.items() if each}})
    return written if len(written) <= LONGEST_CONFIG else ""


def _is_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, int | float) for each in value)


def readable_name(name: str) -> str:
    """The name of a model for a title, from the name of a file or folder or from that of a repository.

    A folder of a cache (``models--owner--name``) and a repository (``owner/name``) are called by their last part.
    """
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return one_line(last.rpartition("--")[2].strip()[:80])


def _named(config: Mapping[str, Any], name: str) -> str:
    """The name in the file where that is one of a repository, else that of the file or its folder."""
    own = config.get("_name_or_path")
    if isinstance(own, str) and own.count("/") <= 1 and own[:1] not in ("", ".", "/", "~"):
        return readable_name(own) or readable_name(name)
    return readable_name(name)


def lengths_of(values: Values, layers: tuple[Layer, ...]) -> tuple[int | None, int | None, str, Notes]:
    """The trained and the target length in tokens, None if neither file nor class tells, the keys, and notes."""
    longest, key, notes = _longest(values)
    scaling = next((each for layer in layers if (each := getattr(layer.encoding, "scaling", None)) is not None), None)
    original = getattr(scaling, "original_max_position_embeddings", None)
    factor = getattr(scaling, "factor", None)
    match getattr(scaling, "rope_type", None):
        case "linear" | "ntk":
            return *_interpolated(values, longest, key, factor), notes
        case "dynamic" if longest is not None and factor is not None:
            told = f"{key}, factor x {key}"
            return longest, _grown(longest, factor), told, notes
    if original is not None:
        told = f"original_max_position_embeddings, {key}"
        if factor is not None and (longest is None or longest <= original):
            told = "original_max_position_embeddings, factor x original_max_position_embeddings"
            return original, _grown(original, factor), told, notes
        return original, longest, told, notes
    trained, trained_key = _trained(values)
    if trained is not None and longest is not None and trained < longest:
        return trained, longest, f"{trained_key}, {key}", notes
    return longest, longest, key, notes


def _grown(length: int, factor: float) -> int | None:
    """The length times the factor, in tokens; None beyond all positions that are computed."""
    grown = length * factor
    return round(grown) if grown <= FARTHEST else None


def _interpolated(
    values: Values, longest: int | None, key: str, factor: float | None
) -> tuple[int | None, int | None, str]:
    """The lengths with interpolation, which no key tells unless two lengths differ by the factor."""
    allowed = values.given.get("max_position_embeddings")
    if longest is not None and factor is not None and type(allowed) is int and allowed * factor == longest:
        return allowed, longest, f"max_position_embeddings, {key}"
    return None, longest, key


def _longest(values: Values) -> tuple[int | None, str, Notes]:
    """The length that the model allows, its key, and a note where it is the class's default."""
    given = [key for key in _LONGEST if values.given.get(key) not in (None, -1, 0)]
    if given:
        numbers = {key: integer(values, key) for key in given if not _is_absurd(values.given[key])}
        if not numbers:
            return None, "", ()
        key = max(numbers, key=lambda each: numbers[each])
        return numbers[key], key, ()
    key = values.key(*_LONGEST)
    default = values.default(key)
    if type(default) is not int or default < 1 or key in values.given:
        return None, "", ()
    told = f"{key} is not in the file: {default} is taken, the default of model_type {values.shown_type}"
    return default, key, (told,)


def _is_absurd(length: Any) -> bool:
    """Whether it is the 1e30 that stands for no bound."""
    return type(length) in (int, float) and 1e15 <= length <= 1e31


def _trained(values: Values) -> tuple[int | None, str]:
    """A length before an extension that no rotary parameters tell, and its key."""
    chunks = values.given.get("dual_chunk_attention_config")
    if isinstance(chunks, Mapping) and type(chunks.get(_TRAINED[0])) is int:
        return chunks[_TRAINED[0]], f"dual_chunk_attention_config.{_TRAINED[0]}"
    for key in (*_TRAINED, "seq_length"):
        if values.given.get(key) is not None:
            return integer(values, key), key
    return None, ""


def _special_notes(values: Values, layers: tuple[Layer, ...]) -> Notes:
    """Notes on what the model does with positions beside the encodings of its layers."""
    notes = [*_still_notes(layers)]
    if not values.model_type and any(layer.kind == "rotary" for layer in layers):
        notes.append("the configuration names no model_type: its pair layout is not known, and read from its keys")
    if values.given.get("dual_chunk_attention_config") is not None:
        notes.append(
            "dual_chunk_attention_config: the model remaps distances beyond a chunk, so that none is larger than in "
            "training: token pairs show those that the rotation sees"
        )
    if values.given.get("use_dynamic_ntk") is True:
        length = shortened(values.given.get("seq_length"))
        notes.append(f"use_dynamic_ntk: beyond {length} tokens the model's code raises the base with the length")
    encoding = layers[0].encoding
    if isinstance(encoding, Alibi) and values.model_type == "falcon":
        notes.append(_falcon_note(values, encoding.n_heads))
    if values.model_type == "mistral_large4_text" and encoding is not None and encoding.rotation is not None:
        notes.append("each head also scales its queries by a learned s ln(p + 1) + b, whose numbers the weights hold")
    return tuple(notes)


def _still_notes(layers: tuple[Layer, ...]) -> Iterator[str]:
    """How many layers with attention do not rotate, by the key that decides, and how many have no attention."""
    still = [layer for layer in layers if layer.kind == "none" and layer.encoding is not None]
    others = [layer for layer in layers if layer.kind == "none" and layer.encoding is None]
    if still and others and len(still) + len(others) == len(layers):
        yield "no layer has positions"
    for layer in {id(each): each for each in still}.values():
        count = "no layer rotates" if len(still) == len(layers) else f"{_of(still, layer, layers)} do not rotate"
        yield f"{count}: {layer.sentence.partition(':')[0]}"
    for layer in {id(each): each for each in others}.values():
        of_type = f": {layer.layer_type}" if layer.layer_type else ""
        yield f"{_of(others, layer, layers)} {_INSTEAD.get(layer.layer_type or '', 'have no attention')}{of_type}"


def _of(some: Sequence[Layer], layer: Layer, layers: Sequence[Layer]) -> str:
    return f"{sum(each is layer for each in some)} of {len(layers)} layers"


def _falcon_note(values: Values, heads: int) -> str:
    """Falcon's code multiplies scores and biases alike (``attention_logits *= inv_norm_factor``)."""
    width = values.find("hidden_size")
    known = type(width) is int and width > 0 and width % heads == 0
    shown = f"1/sqrt({width // heads}) of" if known else "1/sqrt(head_dim) times"
    return f"Falcon's code multiplies its biases by 1/sqrt(head_dim) like its scores: they are {shown} the slopes shown"
