"""A model's ``config.json``: the chosen part of it, and the document that shows its positions."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from posenc_core.encodings import Rotary
from posenc_core.fields import SEQ_LEN, decode_json, is_deeper, shortened
from posenc_core.model_config.kinds import kinds_of
from posenc_core.model_config.layers import check_known, check_rotary, has_rotary_keys, no_position, rotary_at
from posenc_core.model_rules import (
    Notes,
    Values,
    changed_rotation,
    checked,
    encoding_of,
    facts_of,
    length_key,
    positions_of,
    refusal,
    some_names,
)
from posenc_core.rope_scaling import SEQUENCE_LENGTH
from posenc_core.session import Document

MAXIMUM_BYTES = 4 * 2**20
"""A config.json has some kilobytes, or two megabytes with twenty thousand labels."""

DEEPEST = 100
"""Levels of nested objects and lists; a model's configuration has about five."""

_NO_CONFIG = "this is not a model's config.json: it"

_PARTS = {
    "text": (
        "text_config", "llm_config", "language_config", "lm_config", "text_model_config", "text_encoder",
        "thinker_config", "vlm_config", "decoder", "decoder_config", "llm_cfg",
    ),
    "vision": ("vision_config", "visual", "vision_encoder_config", "vision_tower_config", "vit_config"),
    "audio": ("audio_config", "audio_encoder_config", "audio_tower_config", "speech_config"),
    "encoder": ("encoder_config", "encoder"),
}  # fmt: skip
"""The keys of a configuration's parts, in the order to look for them."""

_FURTHER = {
    "talker": ("talker_config",),
    "code predictor": ("code_predictor_config",),
    "code2wav": ("code2wav_config", "token2wav_config"),
    "dit": ("dit_config",),
    "vocoder": ("bigvgan_config", "vocoder_config"),
    "depth decoder": ("depth_decoder_config",),
    "codec": ("codec_config", "audio_encoder"),
    "acoustic": ("acoustic_tokenizer_encoder_config", "acoustic_model_config"),
    "semantic": ("semantic_tokenizer_encoder_config", "semantic_model_config"),
    "diffusion head": ("diffusion_head_config",),
    "qformer": ("qformer_config", "projector_config"),
    "perceiver": ("perceiver_config",),
    "vq": ("vq_config", "image_codebook_config"),
    "image": ("image_config", "high_res_vision_config", "sam_config"),
    "video": ("video_config",),
    "multimodal": ("multimodal_config", "audio_video_config"),
    "text encoder": ("text_encoder",),
    "word timestamp": ("word_timestamp_config",),
    "backbone": ("backbone_config",),
    "prompt encoder": ("prompt_encoder_config",),
    "mask decoder": ("mask_decoder_config",),
}  # fmt: skip
"""The keys of further parts, which are listed only if the positions of their class are known."""

_UNNAMED = {
    "code2wav_config": "qwen3_omni_moe_code2wav",
    "code_predictor_config": "qwen3_omni_moe_talker_code_predictor",
}
"""The types of parts for which neither a file nor the class of the whole has a ``model_type``."""

BESIDE = {key: name for name in ("vision", "audio", "encoder") for key in _PARTS[name]} | {
    key: name for name, keys in _FURTHER.items() for key in keys
}
"""The names of parts beside the text, by their keys."""

_OTHER_PARTS = (
    "encoder_config", "semantic_config", "semantic_model_config", "backbone_config", "vision_config",
    "detector_config", "asr_config", "audio_config", "dit_config", "image_model_config", "model_config",
)  # fmt: skip
"""The keys of the parts of a whole without text and positions, in the order of the search."""

_OWN_KEYS = {
    "model_type", "hidden_size", "num_attention_heads", "head_dim", "num_hidden_layers", "rope_theta", "rope_scaling",
    "rope_parameters", "d_model", "n_embd",
}  # fmt: skip
"""A part that describes a model has one of these keys."""

_DEEPEST_PART = 3


class ModelConfig(Struct, frozen=True):
    """A model's ``config.json``, parsed once: its names and values."""

    values: dict[str, Any]

    @classmethod
    def parse(cls, text: bytes | str) -> "ModelConfig":
        """The configuration in a text; ValueError with one sentence for any other text."""
        if len(text) > MAXIMUM_BYTES:
            raise ValueError(f"{_NO_CONFIG} is larger than {MAXIMUM_BYTES // 2**20} MB")
        values = decode_json(text, _NO_CONFIG, non_finite=True)
        if is_deeper(values, DEEPEST):
            raise ValueError(f"this is not a model's config.json: its parts are nested more than {DEEPEST} deep")
        return cls(values)

    @property
    def layer_types(self) -> tuple[str, ...]:
        """The layer types with different positions, empty if all layers have the same."""
        try:
            values, _ = part_of(self.values)
            if positions_of(values) is not None:
                return ()
            check_known(values)
            names = tuple(kinds_of(values).by_name)
        except (TypeError, ValueError):  # the sentence is raised when the model is shown
            return ()
        return names if len(names) > 1 else ()

    def shown_in(self, document: Document, layer_type: str | None = None) -> Document:
        """The document with the encoding of this model; its ``warnings`` are surprising facts.

        ``layer_type`` is one of ``layer_types``. The number of positions is that of a model with fixed sinusoids, whose
        table ends there; otherwise it is unchanged. ValueError with one sentence for a model whose positions are not
        shown; the sentence names the model's encoding if known.
        """
        try:
            return _shown(self.values, document, layer_type)
        except TypeError as error:
            raise ValueError(str(error)) from None


def rope_from_config(config: Mapping[str, Any], seq_len: int | None = None, layer_type: str | None = None) -> Rotary:
    """The rotary encoding that a model with this configuration uses; its ``warnings`` are surprising facts.

    ``config``: the parsed ``config.json``. ``seq_len`` (positions) affects the types ``dynamic`` and ``longrope``,
    whose frequencies depend on the length; by default they are those of short sequences. ``layer_type`` chooses among
    the parameters of models that have several (``full_attention``, ``sliding_attention``). TypeError or ValueError
    with one sentence for an unreadable configuration. Source: transformers 5.23.0, ``modeling_rope_utils``.
    """
    if not isinstance(config, Mapping):
        raise TypeError(f"config must be a mapping of names to values, got {shortened(config)}")
    if seq_len is not None:
        seq_len = SEQUENCE_LENGTH.check(seq_len)
    values, notes = part_of(config)
    ignored = check_rotary(values)
    return _rotary(values, (*ignored, *notes), seq_len, layer_type)


def _rotary(values: Values, notes: Notes, seq_len: int | None, layer_type: str | None) -> Rotary:
    planned, choice_notes = kinds_of(values).chosen(layer_type)
    if not planned.rotates and (layer_type is not None or values.facts.positions != "rotary"):
        raise ValueError(planned.reason)
    still = () if planned.rotates else (planned.reason,)  # the file switches off the rotation of the code
    return rotary_at(values, planned, seq_len, (*notes, *still, *choice_notes))


def _shown(config: dict[str, Any], document: Document, layer_type: str | None) -> Document:
    values, notes = part_of(config)
    other = positions_of(values)
    if other is None:
        check_known(values)
        planned, _ = kinds_of(values).chosen(layer_type)
        if not planned.rotates:
            return document.with_encoding(no_position(values))
        rotary = _rotary(values, notes, document.seq_len, layer_type)
        return document.with_encoding(changed_rotation(values, rotary))
    encoding = encoding_of(values, other)
    if encoding is None:
        raise ValueError(refusal(values, other))
    key = length_key(other)
    shown = document.with_encoding(encoding)
    if key is None or values.given.get(key) is None:
        return shown
    return shown.edited(SEQ_LEN.name, checked(values.given, key, SEQ_LEN))


def part_of(config: Mapping[str, Any], part: str | None = None) -> tuple[Values, Notes]:
    """The chosen part of the configuration, and a note that names it; ValueError if it has no such part.

    ``part`` is "text" (also None: the whole where it has no such part), the name of a part beside it ("vision",
    "audio", "talker", ...), or the key of a part, with points between the keys of parts within parts.
    """
    whole = Values.of(config)
    if part is None or part == "text":
        return _text_part(whole, 0)
    for key in part.split("."):
        found = next((name for name in (_PARTS | _FURTHER).get(key, (key,)) if _has_part(whole, name)), None)
        if found is None:
            names = [name for name in whole.given if _has_part(whole, name)]
            there = some_names(names, ", ") if names else "none"
            raise ValueError(f"this config.json has no part {shortened(part)}; its parts are {there}")
        whole = _inner(whole, found)
    inner = _text_part(whole, 0)[0]
    return inner, (f"the parameters are those of '{inner.part}'",)


def parts_beside(config: Mapping[str, Any], text: Values) -> Iterator[tuple[str, Values]]:
    """The parts beside the part ``text`` of a configuration, by their names: of pictures, of sound, and all others.

    ``Values.part`` is the key of each, with points between the keys of parts within parts.
    """
    levels = [Values.of(config)]
    for key in text.part.split(".")[:-1] if text.part else ():
        levels.append(_inner(levels[-1], key))
    for name in ("vision", "audio", "encoder"):
        found = next((key for key in _PARTS[name] if _is_part(levels[-1].given.get(key))), None)
        if found is not None and _inner(levels[-1], found).part != text.part:
            part = _text_part(_inner(levels[-1], found), 0)[0]
            yield name, part
            yield from _further(_inner(levels[-1], found), part)
    for level in levels:
        yield from _further(level, text)


def _further(whole: Values, text: Values) -> Iterator[tuple[str, Values]]:
    """The other parts of a whole, and those within them, of classes whose positions are known."""
    for name, keys in _FURTHER.items():
        for key in keys:
            if not isinstance(whole.given.get(key), Mapping):
                continue
            inner = _inner(whole, key)
            part = _text_part(inner, 0)[0]
            is_own = BESIDE.keys().isdisjoint(part.part.removeprefix(inner.part).split("."))  # not of a part within it
            if part.facts.positions and is_own and not f"{text.part}.".startswith(f"{inner.part}."):
                yield name, part
            yield from _further(inner, text)


def _text_part(whole: Values, depth: int) -> tuple[Values, Notes]:
    for key in _PARTS["text"]:
        if depth < _DEEPEST_PART and _is_part(whole.given.get(key)) and _describes(whole, key):
            return _named(*_text_part(_inner(whole, key), depth + 1))
    if whole.facts.positions or not whole.facts.parts or has_rotary_keys(whole):
        return whole, ()
    of_class = [key for key in _PARTS["text"] if key in whole.facts.parts and not whole.given.get(key)]
    given = [key for key in _OTHER_PARTS if isinstance(whole.given.get(key), Mapping)]
    others = [key for key in _OTHER_PARTS if key in whole.facts.parts and key not in whole.given]
    for key in (*of_class, *given, *others):  # the class makes a part that is null, empty or missing
        if depth < _DEEPEST_PART:
            return _named(*_text_part(_inner(whole, key), depth + 1))
    return whole, ()


def _describes(whole: Values, key: str) -> bool:
    """Whether the part is a model, and not some sizes of a whole whose positions are known."""
    return whole.facts.told is None or "model_type" in whole.given[key] or key in whole.facts.parts


def _named(part: Values, notes: Notes) -> tuple[Values, Notes]:
    return part, notes or (f"the parameters are those of '{part.part}'",)


def _inner(whole: Values, key: str) -> Values:
    """The part under the key, with the type from the whole's class unless the part's own type is another model's.

    Some files name the whole, or the one that the part is of; MiniMax M3's names CLIP although its tower rotates.
    """
    named, given = f"{whole.part}.{key}" if whole.part else key, whole.given.get(key) or {}
    told = whole.given.get("model_type")  # the text part's type, if its keys are in the whole
    of_type = told if isinstance(told, str) and told else whole.model_type
    own = each if isinstance(each := given.get("model_type"), str) else ""
    of_whole = facts_of(of_type).parts.get(key) or _UNNAMED.get(key) or _of_another(own, given, key)
    is_own = own not in ("", of_type, whole.model_type) and not facts_of(own).parts
    if of_whole and (not is_own or given.get("rope_mode") is not None):
        given = {**given, "model_type": of_whole}
    return Values.of(given, of_whole, named)


def _of_another(own: str, given: Mapping[str, Any], key: str) -> str:
    """The type of such a part in another whole, named by a part without parts; empty if the whole has none."""
    parts, name = facts_of(own).parts, BESIDE.get(key)
    alike = (parts[each] for each in parts if each == key or (name and BESIDE.get(each) == name))
    return next(alike, "") if parts.keys().isdisjoint(given) else ""


def _has_part(whole: Values, key: str) -> bool:
    """Whether the key has an object that describes a model, or one whose class that of the whole knows."""
    given = whole.given.get(key)
    return _is_part(given) or (isinstance(given, Mapping) and key in whole.facts.parts)


def _is_part(value: Any) -> bool:
    """Whether the value is an object that describes a model, or contains one."""
    if not isinstance(value, Mapping):
        return False
    return bool(_OWN_KEYS & value.keys()) or any(key in value for keys in _PARTS.values() for key in keys)
