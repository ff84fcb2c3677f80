"""The scaling of each rope_type: its required keys, its optional keys, and notes."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from posenc_core.fields import shortened
from posenc_core.model_rules.facts import Notes, Values
from posenc_core.model_rules.rotation.rope_parameters import RopeParameters
from posenc_core.rope_scaling import (
    FACTOR,
    HEAD_DIM,
    MAXIMUM_LENGTH,
    ORIGINAL_LENGTH,
    DynamicNtk,
    FrequencyDivisors,
    Linear,
    Llama3,
    LongRope,
    NtkAware,
    Proportional,
    RopeScaling,
    ServedNtk,
    ThetaScale,
    Yarn,
    YarnLog,
    rope_frequencies,
)

_EVERYWHERE = {"rope_type", "type", "rope_theta", "partial_rotary_factor", "mrope_section", "mrope_interleaved",
               "xdrope_section"}  # fmt: skip
_KEYS = {
    "default": (),
    "mrope": (),
    "axial": (),
    "linear": ("factor",),
    "dynamic": ("factor", "alpha"),
    "yarn": ("factor", "original_max_position_embeddings", "beta_fast", "beta_slow", "attention_factor", "mscale",
             "mscale_all_dim", "truncate"),
    "llama3": ("factor", "original_max_position_embeddings", "low_freq_factor", "high_freq_factor"),
    "longrope": ("factor", "original_max_position_embeddings", "short_factor", "long_factor", "attention_factor",
                 "short_mscale", "long_mscale"),
    "proportional": ("factor",),
    "ntk": ("factor", "mixed_b"),
    "yarn_log": ("factor", "original_max_position_embeddings", "beta_fast", "beta_slow", "attention_factor"),
    "theta_scale": ("factor", "original_max_position_embeddings"),
}  # fmt: skip
_NEEDED = {
    "mrope": ("mrope_section",),
    "linear": ("factor",),
    "yarn": ("factor",),
    "llama3": ("factor", "low_freq_factor", "high_freq_factor"),
    "longrope": ("short_factor", "long_factor"),
    **dict.fromkeys(("ntk", "yarn_log", "theta_scale"), ("factor",)),
}


_TELECHAT = "telechat3-yarn"
"""YaRN with a smaller attention factor. Source: vLLM's telechat3_scaling_rope."""

_ORIGINAL = "original_max_position_embeddings"
_READ_WITH_BETA, _RAMP = {"llama_4_scaling_beta", _ORIGINAL}, ("beta_fast", "beta_slow", "truncate")
_LENGTHS = ("max_position_embeddings", "model_max_length", "max_seq_len")
_MEANT = {"attn_factor": "attention_factor"}


def scaling_of(
    form: RopeParameters, seq_len: int | None, share: float, n_pairs: int
) -> tuple[RopeScaling | None, Notes]:
    """The scaling of the parameters' rope_type, None for unscaled frequencies, and notes on surprising values.

    ``share`` is the partial rotary factor, ``n_pairs`` the number of rotated pairs. ValueError with a sentence for a
    missing key or a value out of bounds.
    """
    for key in _NEEDED.get(form.rope_type, ()):
        if key != "factor" or form.rope_type != "yarn" or key not in form.parameters:  # YaRN's null has a meaning
            _needed(form, key)
    scaling, notes = _scaling(form, seq_len, share, n_pairs)
    return scaling, (*_unknown_keys(form), *refusal_notes(form), *notes)


def refusal_notes(form: RopeParameters, usual: str | None = None) -> Notes:
    """A note on a rope_type that the class refuses; ``usual`` is the only one of its kind, None if it has several.

    Source: transformers 5.23.0, the rotary classes, which raise an error for another name.
    """
    only = (own := form.values.exception("only_rope_type")) or usual
    if only is None or form.rope_type in (only, "default" if own else only):
        return ()
    told = f"transformers 5.23.0 refuses rope_type {form.rope_type!r} in model_type {form.values.shown_type}"
    return (f"{told}, whose class has only {only!r}",)


def _scaling(form: RopeParameters, seq_len: int | None, share: float, n_pairs: int) -> tuple[RopeScaling | None, Notes]:
    match form.rope_type:
        case "linear":
            return Linear(_needed(form, "factor")), ()
        case "dynamic":
            return _dynamic(form, seq_len)
        case "yarn":
            return _yarn(form, n_pairs)
        case "llama3":
            original, notes = _original_length(form)
            scaling = Llama3(
                original_max_position_embeddings=original, **{key: _needed(form, key) for key in _NEEDED["llama3"]}
            )
            return scaling, (*notes, *_product_notes(form, scaling.factor, original))
        case "longrope":
            return _longrope(form, seq_len)
        case "proportional":
            return Proportional(share, form.parameters.get("factor") or 1.0), ()
        case "ntk":
            told = "rope_type 'ntk' is read as vLLM reads it; the model's code may mean another base"
            known = bool(form.values.facts.positions)
            return ServedNtk(_needed(form, "factor"), form.parameters.get("mixed_b")), () if known else (told,)
        case "yarn_log" | "theta_scale":
            return _of_grok(form)
    return None, ()


def _of_grok(form: RopeParameters) -> tuple[RopeScaling, Notes]:
    """Grok's scalings: its YaRN leaves the amplitude as it is. Source: SGLang 0.5.23, srt/models/grok.py."""
    (original, notes), factor = _original_length(form), _needed(form, "factor")
    if form.rope_type == "theta_scale":
        return ThetaScale(factor, original), notes
    given = {key: form.parameters[key] for key in _KEYS["yarn_log"][2:] if form.parameters.get(key) is not None}
    return YarnLog(factor, original, **{"attention_factor": 1.0, **given}), notes


def _unknown_keys(form: RopeParameters) -> Notes:
    read = _EVERYWHERE | {*_KEYS[form.rope_type]} | (_READ_WITH_BETA if form.values.reads("beta") else set())
    unknown = [str(key) for key in form.parameters if key not in read]
    return tuple(
        f"unknown key {key!r} ignored; the transformers key is {_MEANT[key]!r}"
        if key in _MEANT
        else f"key {key[:40]!r} ignored: rope_type {form.rope_type!r} has no such key"
        for key in unknown
    )


def _needed(form: RopeParameters, key: str) -> Any:
    value = form.parameters.get(key)
    if value is None and key in _LENGTHS:
        value = _longest(form.values)
    if value is None:
        raise ValueError(f"rope_type {form.rope_type!r} needs {key!r}")
    return value


def _dynamic(form: RopeParameters, seq_len: int | None) -> tuple[RopeScaling, Notes]:
    alpha, notes = form.parameters.get("alpha"), list[str]()
    if alpha is not None and form.values.reads("alpha"):
        return NtkAware(alpha), ("'alpha' is HunYuan's: a fixed NTK factor, independent of the length",)
    if alpha is not None:
        notes.append(f"key 'alpha' ignored: it is HunYuan's, and model_type {form.values.shown_type} does not read it")
    factor = FACTOR.check(_needed(form, "factor"))
    length = ORIGINAL_LENGTH.check(_needed(form, "max_position_embeddings"))
    if seq_len is None:
        notes.append(f"the frequencies depend on the length of the sequence: up to {length:,} they are unscaled")
    return DynamicNtk(factor, length, length if seq_len is None else seq_len), tuple(notes)


def _yarn(form: RopeParameters, n_pairs: int) -> tuple[RopeScaling, Notes]:
    original, notes = _original_length(form)
    factor = form.parameters.get("factor")
    if factor is None:
        factor = MAXIMUM_LENGTH.check(_needed(form, "max_position_embeddings")) / original
        notes += (f"factor is null: max_position_embeddings/original_max_position_embeddings = {factor:g}",)
        if factor < 1:
            return _quickened(form, factor, original, n_pairs), notes
    given = {key: form.parameters[key] for key in _KEYS["yarn"] if form.parameters.get(key) is not None}
    if "truncate" in form.parameters and form.parameters["truncate"] is None:
        given["truncate"] = False  # the classes ask whether the value is true
    if _TELECHAT in (form.parameters.get("rope_type"), form.parameters.get("type")) and "attention_factor" not in given:
        given["attention_factor"] = 1 + 0.07 * math.log(max(FACTOR.check(factor), 1))
    if form.nested:
        given.pop("truncate", None)  # the class reads it beside the labels
    scaling = Yarn(**{**given, "factor": factor, "original_max_position_embeddings": original})
    notes = (*notes, *_yarn_notes(form, scaling))
    if scaling.softmax_scale_factor != 1 and form.values.facts.positions and not _scales_softmax(form.values):
        return replace(scaling, attention_factor=scaling.amplitude, mscale=None, mscale_all_dim=None), notes
    return scaling, notes


def _quickened(form: RopeParameters, factor: float, original: int, n_pairs: int) -> FrequencyDivisors:
    """YaRN's divisors for a factor below 1, which makes the pairs after its ramp faster; its attention factor is 1.

    The ramp is derived from YaRN of factor 2, whose divisors are ``2 / (2 - ramp)``.
    """
    ramp = Yarn(2.0, original, **{key: form.parameters[key] for key in _RAMP if form.parameters.get(key) is not None})
    plain = rope_frequencies(form.rope_theta, n_pairs, None)
    ramps = 2 - 2 * rope_frequencies(form.rope_theta, n_pairs, ramp) / plain
    divisors = tuple((1 / (ramps / factor + 1 - ramps)).tolist())
    return FrequencyDivisors(divisors, form.parameters.get("attention_factor") or 1.0)


def _scales_softmax(values: Values) -> bool:
    """Whether the model's code obeys mscale_all_dim in its softmax, as DeepSeek's does; unknown code is taken to."""
    return bool(values.exception("scales_softmax")) or not values.facts.source


def _yarn_notes(form: RopeParameters, scaling: Yarn) -> Iterator[str]:
    yield from _product_notes(form, scaling.factor, scaling.original_max_position_embeddings)
    if not scaling.truncate:
        yield "truncate is false: the ends of the ramp between kept and slowed pairs are not rounded to whole pairs"
    if form.nested and form.parameters.get("truncate") is False:
        yield "transformers 5.23.0 ignores truncate where the parameters are nested by layer type"
    if form.find("llama_4_scaling_beta") is not None and form.values.reads("beta"):
        yield "llama_4_scaling_beta: every layer also multiplies its queries by a factor of their position"
    if scaling.softmax_scale_factor != 1 and _scales_softmax(form.values):
        yield f"mscale_all_dim: the model also multiplies its softmax scale by {scaling.softmax_scale_factor:.10g}"


def _product_notes(form: RopeParameters, factor: float, original: int) -> Notes:
    """The note on a length that the scaling does not lead to."""
    longest = form.values.given.get("max_position_embeddings")
    reached = float(factor) * original  # a whole factor may be larger than any float64 times the length
    if type(longest) is not int or longest == reached:
        return ()
    product = f"factor {factor:g} x original_max_position_embeddings {original:,} = {reached:,.10g}"
    told = f"{longest:,}" if longest < 2**53 else shortened(longest)
    return (f"{product}, but max_position_embeddings is {told}",)


def _original_length(form: RopeParameters) -> tuple[int, Notes]:
    """original_max_position_embeddings as the class reads the key, else max_position_embeddings, and notes on both.

    Parameters that all layers share are overruled by the key beside them, and nested parameters do not read that key.
    Unknown code is assumed to read its own parameters first. Source: transformers 5.23.0,
    modeling_rope_utils.py:standardize_rope_params, which every scaling runs again when all keys are attributes.
    """
    inside, beside = form.parameters.get(_ORIGINAL), form.values.find(_ORIGINAL)
    if not form.values.facts.source:
        inside, beside = form.find(_ORIGINAL), None
    if form.nested:
        beside = None
    if beside is not None:
        return ORIGINAL_LENGTH.check(beside), _overruled(form, inside, beside)
    if inside is not None:
        return ORIGINAL_LENGTH.check(inside), ()
    note = (
        f"{_ORIGINAL} is not given: max_position_embeddings is taken, as transformers does, "
        "so the context does not become longer"
    )
    return ORIGINAL_LENGTH.check(_first_length(form.values) or _needed(form, "max_position_embeddings")), (note,)


def _longest(values: Values) -> Any:
    """The length that the class computes with; Bailing's keeps that under ``model_max_length``."""
    keys = ("model_max_length", "max_position_embeddings") if values.model_type == "bailing_hybrid" else _LENGTHS
    return values.find(*keys)


def _first_length(values: Values) -> Any:
    """The length that the class uses in place of a missing original length; None if it has none.

    DBRX's class has another name for it. Bailing's class reads ``model_max_length`` of the file as well.
    """
    if values.model_type == "bailing_hybrid":
        return values.given.get("max_position_embeddings") or values.default("model_max_length")
    return values.find("max_seq_len") if values.model_type == "dbrx" else None


def _overruled(form: RopeParameters, inside: Any, beside: Any) -> Notes:
    """The note on a length among the parameters that differs from the length beside them."""
    if inside in (None, beside) or _ORIGINAL not in form.keys:
        return ()
    second = f"{shortened(beside)} beside it"
    if not form.values.has(_ORIGINAL):
        second = f"not given beside it, where the class has {shortened(beside)}"
    told = f"{_ORIGINAL} is {shortened(inside)} in {form.source} and {second}"
    return (f"{told}: transformers 5.23.0 takes the second",)


_MOST_FACTORS = HEAD_DIM.maximum // 2


def _longrope(form: RopeParameters, seq_len: int | None) -> tuple[LongRope, Notes]:
    for key in ("short_factor", "long_factor"):
        listed = form.parameters[key]
        if isinstance(listed, list | tuple) and len(listed) > _MOST_FACTORS:
            raise ValueError(f"{key} must list at most {_MOST_FACTORS} numbers, got {len(listed)}")
    original, notes = _original_length(form)
    longest = _longest(form.values)
    is_long = seq_len is not None and seq_len > original
    own_magnitudes = form.values.model_type == "phimoe" or not form.values.facts.source
    magnitude = form.parameters.get("long_mscale" if is_long else "short_mscale") if own_magnitudes else None
    scaling = LongRope(
        form.parameters["short_factor"],
        form.parameters["long_factor"],
        original,
        original if longest is None else longest,
        form.parameters.get("factor"),
        form.parameters.get("attention_factor") if magnitude is None else magnitude,
        seq_len,
    )
    if seq_len is None:
        notes += (f"short_factor is shown: sequences longer than {original:,} use long_factor in every position",)
    return scaling, notes
