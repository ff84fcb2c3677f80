"""A model's configuration as layers, lengths and notes."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from posenc_core.encodings import Alibi
from posenc_core.fields import FARTHEST, has_large_number, is_deeper, one_line, shortened
from posenc_core.model_config.config import DEEPEST, part_of, parts_beside
from posenc_core.model_config.layers import FRAMES_AND_TOKENS, LEARNED_TEMPERATURE, layers_of
from posenc_core.model_config.parts import key_beside, parts_of
from posenc_core.model_rules import Notes, Values, integer, is_params, positions_of, tokens_of
from posenc_core.session import LONGEST_CONFIG, Layer, Model, groups_of

_LONGEST = (
    "max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length", "model_max_length", "seq_length",
    "max_context_length", "max_seqlen", "n_ctx", "max_source_positions", "max_length_positions",
)  # fmt: skip
_TRAINED = (
    "original_max_position_embeddings", "initial_context_length", "original_context_length", "max_trained_positions",
)  # fmt: skip

_LISTS = (
    "layer_types", "layers_block_type", "block_types", "no_rope_layers", "layer_rope_theta", "partial_rotary_factors",
    "attention_types", "attn_config", "sliding_windows", "mlp_layer_types", "mixer_types",
    "linear_attn_config", "sparse_attention_config", "dual_chunk_attention_config", "block_configs", "per_layer_config",
    "first_layers_types", "hybrid_layers_types_block", "last_layers_types", "indexer_types", "out_features",
)  # fmt: skip
"""Keys of positions whose values are not numbers, beside those that begin with rope_."""

_TEXTS = (
    "hybrid_override_pattern", "position_embedding_type", "position_embeddings_type", "sliding_window_pattern",
    "index_topk_pattern", "attention_type", "encoder_attention_type", "use_bidirectional_attention",
    "positional_encoding_type",
)  # fmt: skip
"""Keys of positions whose values are texts."""

_ROTARY = ("rope_parameters", "rope_scaling", "rope_theta", "partial_rotary_factor", "rotary_pct")
"""Keys that say something about a rotation alone."""

_INSTEAD = {
    "cross_attention": "attend to the picture",
    "linear_attention": "have linear attention or a state-space model",
    "mamba": "have a state-space model",
    "moe": "have experts and no attention",
}
"""Words for layers without attention to the text's tokens, by their type."""

Lengths = tuple[int | None, int | None, str]


def describe(config: Mapping[str, Any], name: str, source: str, part: str | None = None) -> Model:
    """The model that a configuration describes; ValueError with one sentence for a file without facts about positions.

    ``name`` is the name of the file or its folder, ``source`` names the files that were read, ``part`` the part of the
    configuration as in ``open_model``.
    """
    if is_deeper(config, DEEPEST):
        raise ValueError(f"this configuration's parts are nested more than {DEEPEST} deep")
    try:
        values, part_notes = part_of(config, part)
        layers, layer_notes = layers_of(values)
        trained, target, key, length_notes = lengths_of(values, layers)
        parts, more_notes = parts_of(config, values) if part in (None, "text") else ((), ())
    except TypeError as error:
        raise ValueError(str(error)) from None
    encodings = (group.layer.encoding for group in groups_of(layers))
    warned = (note for encoding in encodings if encoding is not None for note in encoding.warnings)
    notes = (*_special_notes(values, layers), *warned, *layer_notes, *length_notes, *part_notes, *more_notes)
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
        parts=parts,
    )


def _positional(config: Mapping[str, Any], values: Values) -> str:
    """The part's numbers, switches, lists of layers and rotary parameters as JSON, without names and paths.

    Those of parts beside the text stand beside it, under their keys. ValueError for a number that no file has.
    """
    kept = _kept(values)
    beside = {key_beside(name, each): _kept(each) | _own_type(config, each.part)
              for name, each in parts_beside(config, values)}  # fmt: skip
    whole, own = config.get("model_type"), values.model_type
    named = {"model_type": whole or own, "architectures": config.get("architectures")}
    inner = kept if whole in (None, own) else {"text_config": {**kept, "model_type": own}}
    named |= beside if not values.part or whole not in (None, own) else {}
    told = {**inner, **{key: each for key, each in named.items() if each}}
    if has_large_number(told, math.inf):  # a session with it could not be opened again
        raise ValueError("this configuration contains a number that is out of range")
    written = json.dumps(told)
    return written if len(written) <= LONGEST_CONFIG else ""


def _kept(values: Values) -> dict[str, Any]:
    """The names and values that say something about positions."""
    return {
        key: each
        for key, each in {**values.given, **values.unread}.items()
        if isinstance(each, int | float | None)
        or key.startswith("rope_")
        or key in (*_LISTS, *_TEXTS)
        or (isinstance(each, list) and all(isinstance(number, int | float) for number in each))
    }


def _own_type(config: Mapping[str, Any], part: str) -> dict[str, Any]:
    """The ``model_type`` that the file gives a part, which its class may read as another."""
    inner: Any = config
    for key in part.split("."):
        inner = inner.get(key, {})  # a part that is not in the file is made by the class
    return {"model_type": inner["model_type"]} if isinstance(inner.get("model_type"), str) else {}


def readable_name(name: str) -> str:
    """The name of a model for a title, from the name of a file, a folder or a repository.

    A folder of a cache (``models--owner--name``) and a repository (``owner/name``) are named by their last part.
    """
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return one_line(last.rpartition("--")[2].strip()[:80])


def _named(config: Mapping[str, Any], name: str) -> str:
    """The name in the file if it is a repository's, else the name of the file or its folder."""
    own = config.get("_name_or_path")
    if isinstance(own, str) and own.count("/") <= 1 and own[:1] not in ("", ".", "/", "~"):
        return readable_name(own) or readable_name(name)
    return readable_name(name)


def lengths_of(values: Values, layers: tuple[Layer, ...]) -> tuple[int | None, int | None, str, Notes]:
    """The trained and the target length in tokens, None if neither file nor class has them, the keys, and notes."""
    longest, key, notes = _tokens(values, *_longest(values))
    scaling = next((each for layer in layers if (each := getattr(layer.encoding, "scaling", None)) is not None), None)
    original = getattr(scaling, "original_max_position_embeddings", None)
    factor = getattr(scaling, "factor", None)
    match getattr(scaling, "rope_type", None):
        case "linear" | "ntk" | "vllm_ntk":
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
    """The lengths with interpolation, which no key states unless two lengths differ by the factor."""
    allowed = values.given.get("max_position_embeddings")
    if longest is not None and factor is not None and type(allowed) is int and allowed * factor == longest:
        return allowed, longest, f"max_position_embeddings, {key}"
    return None, longest, key


def _longest(values: Values) -> tuple[int | None, str, Notes]:
    """The length that the model allows, its key, and a note if it is the class's default."""
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
    told = f"{key} is not in the file: {default:,} is taken, the default of model_type {values.shown_type}"
    return default, key, (told,)


def _tokens(values: Values, longest: int | None, key: str, notes: Notes) -> tuple[int | None, str, Notes]:
    """The same in tokens: a table may have rows that none of them uses; None if it has no other rows."""
    if longest is None or key != "max_position_embeddings" or positions_of(values) is None:
        return longest, key, notes
    tokens, told = tokens_of(values, longest)
    return (tokens, key, (*notes, *told)) if tokens > 0 else (None, "", notes)


def _is_absurd(length: Any) -> bool:
    """Whether the value is 1e30, which means no bound."""
    return type(length) in (int, float) and 1e15 <= length <= 1e31


def _trained(values: Values) -> tuple[int | None, str]:
    """A length before an extension outside the rotary parameters, and its key."""
    chunks = values.given.get("dual_chunk_attention_config")
    if isinstance(chunks, Mapping) and type(chunks.get(_TRAINED[0])) is int:
        return chunks[_TRAINED[0]], f"dual_chunk_attention_config.{_TRAINED[0]}"
    for key in (*_TRAINED, "seq_length"):
        if values.given.get(key) is not None:
            return integer(values, key), key
    return None, ""


def _special_notes(values: Values, layers: tuple[Layer, ...]) -> Notes:
    """Notes on the model's use of positions beside the encodings of its layers."""
    notes = [*_still_notes(layers)]
    unused = [key for key in _ROTARY if values.has(key)]
    if unused and {layer.kind for layer in layers} <= {"none", "learned", "sinusoidal", "bias"}:
        notes.append(f"no layer rotates: the model does not use {' and '.join(unused)} of its file")
    if not (values.model_type or values.facts.positions) and any(layer.kind == "rotary" for layer in layers):
        notes.append("the configuration names no model_type: its pair layout is not known, and read from its keys")
    if values.given.get("dual_chunk_attention_config") is not None:
        notes.append(
            "dual_chunk_attention_config: the model remaps distances beyond a chunk, so that none is larger than in "
            "training: token pairs show those that the rotation sees"
        )
    if values.given.get("use_dynamic_ntk") is True:
        length = values.given.get("seq_length")
        told = f"{length:,}" if type(length) is int and length < 2**53 else shortened(length)
        notes.append(f"use_dynamic_ntk: beyond {told} tokens the model's code raises the base with the length")
    if is_params(values.given) and values.given.keys() & {"rope_parameters", "layer_types"}:
        notes.append("the file is a params.json: its scaling and windows are named here as in a config.json")
    if values.given.get("use_scaled_rope") is True and not values.model_type:
        told = "use_scaled_rope: Meta's code scales the frequencies by the rule of Llama 3"
        notes.append(f"{told}; numbers of it that are not in this file are those of the code")
    if values.model_type in FRAMES_AND_TOKENS and values.find("max_target_positions") is not None:
        told = f"{integer(values, 'max_target_positions'):,} positions for tokens (max_target_positions)"
        default = "" if values.has("max_target_positions") else f", the default of model_type {values.shown_type}"
        notes.append(f"the decoder has {told}{default}")
    encoding = layers[0].encoding
    if isinstance(encoding, Alibi):
        notes += _slope_notes(values, encoding.n_heads)
    if values.model_type == LEARNED_TEMPERATURE:
        still = ", in layers without rotation too" if any(layer.kind == "none" for layer in layers) else ""
        told = "each head also scales its queries by a learned s ln(p + 1) + b"
        notes.append(f"{told}{still}; the numbers are in the weights")
    return tuple(notes)


def _slope_notes(values: Values, n_heads: int) -> Iterator[str]:
    """Notes on slopes of the file or the class that differ from the drawn ones."""
    if values.model_type == "falcon":
        yield _falcon_note(values, n_heads)
    own = values.given.get("attn_config")
    largest = own.get("alibi_bias_max", 8) if isinstance(own, Mapping) else 8
    if values.model_type == "mpt" and largest != 8:
        told = f"alibi_bias_max {shortened(largest)} is not read by transformers 5.23.0, whose slopes are shown"
        yield f"{told}; the code beside the weights has 2^(-alibi_bias_max (h + 1)/n_heads)"


def _still_notes(layers: tuple[Layer, ...]) -> Iterator[str]:
    """Number of layers with attention that do not rotate, by the deciding key, and number without attention."""
    still = [layer for layer in layers if layer.kind == "none" and layer.encoding is not None]
    others = [layer for layer in layers if layer.kind == "none" and layer.encoding is None]
    if still and others and len(still) + len(others) == len(layers):
        yield "no layer has positions"
    for count, layer in _counted(still, layers):
        told = "no layer rotates" if len(still) == len(layers) else f"{count} do not rotate"
        yield f"{told}: {layer.sentence.partition(':')[0]}"
    for count, layer in _counted(others, layers):
        key = layer.sentence.partition(" ")[0]
        decides = (
            f" ({key})"
            if f"{key} makes" in layer.sentence or f"{key} is {layer.layer_type} at" in layer.sentence
            else ""
        )
        of_type = f": {layer.layer_type}{decides}" if layer.layer_type else ""
        yield f"{count} {_INSTEAD.get(layer.layer_type or '', 'have no attention')}{of_type}"


def _counted(some: Sequence[Layer], layers: Sequence[Layer]) -> Iterator[tuple[str, Layer]]:
    """The number of equal layers in words, and one of them."""
    return ((f"{len(group.indices)} of {len(layers)} layers", group.layer) for group in groups_of(some))


def _falcon_note(values: Values, heads: int) -> str:
    """Falcon's code multiplies scores and biases alike (``attention_logits *= inv_norm_factor``)."""
    width = values.find("hidden_size")
    known = type(width) is int and width > 0 and width % heads == 0
    shown = f"1/sqrt({width // heads}) of" if known else "1/sqrt(head_dim) times"
    return f"Falcon's code multiplies its biases by 1/sqrt(head_dim) like its scores: they are {shown} the slopes shown"
