"""The scaling of each rope_type: the keys that it needs, those that it has, and notes on what they leave open."""

from collections.abc import Iterator
from typing import Any

from posenc_core.fields import shortened
from posenc_core.model_config.rope_form import Notes, RopeForm
from posenc_core.rope_scaling import (
    FACTOR,
    MAXIMUM_LENGTH,
    ORIGINAL_LENGTH,
    DynamicNtk,
    Linear,
    Llama3,
    LongRope,
    NtkAware,
    Proportional,
    RopeScaling,
    Yarn,
)

_EVERYWHERE = {"rope_type", "type", "rope_theta", "partial_rotary_factor", "mrope_section", "mrope_interleaved"}
_KEYS = {
    "default": (),
    "mrope": (),
    "axial": (),
    "linear": ("factor",),
    "dynamic": ("factor", "alpha"),
    "yarn": ("factor", "original_max_position_embeddings", "beta_fast", "beta_slow", "attention_factor", "mscale",
             "mscale_all_dim", "truncate", "llama_4_scaling_beta"),
    "llama3": ("factor", "original_max_position_embeddings", "low_freq_factor", "high_freq_factor"),
    "longrope": ("factor", "original_max_position_embeddings", "short_factor", "long_factor", "attention_factor"),
    "proportional": ("factor",),
}  # fmt: skip
_NEEDED = {
    "mrope": ("mrope_section",),
    "linear": ("factor",),
    "yarn": ("factor",),
    "llama3": ("factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"),
    "longrope": ("short_factor", "long_factor"),
}
_MEANT = {"attn_factor": "attention_factor"}


def scaling_of(form: RopeForm, seq_len: int | None, share: float) -> tuple[RopeScaling | None, Notes]:
    """The scaling of the form's rope_type, None for unscaled frequencies, and notes on what is surprising.

    ``share`` is the partial rotary factor. ValueError with a sentence for a missing key or a value out of bounds.
    """
    for key in _NEEDED.get(form.rope_type, ()):
        if key != "factor" or form.rope_type != "yarn" or key not in form.parameters:  # YaRN's null has a meaning
            _needed(form, key)
    scaling, notes = _scaling(form, seq_len, share)
    return scaling, (*_unknown_keys(form), *notes)


def _scaling(form: RopeForm, seq_len: int | None, share: float) -> tuple[RopeScaling | None, Notes]:
    match form.rope_type:
        case "linear":
            return Linear(_needed(form, "factor")), ()
        case "dynamic":
            return _dynamic(form, seq_len)
        case "yarn":
            return _yarn(form)
        case "llama3":
            return Llama3(**{key: _needed(form, key) for key in _NEEDED["llama3"]}), ()
        case "longrope":
            return _longrope(form, seq_len)
        case "proportional":
            return Proportional(share, form.parameters.get("factor") or 1.0), ()
    return None, ()


def _unknown_keys(form: RopeForm) -> Notes:
    unknown = [str(key) for key in form.parameters if key not in _EVERYWHERE and key not in _KEYS[form.rope_type]]
    return tuple(
        f"unknown key {key!r} ignored; the transformers key is {_MEANT[key]!r}"
        if key in _MEANT
        else f"key {key[:40]!r} ignored: rope_type {form.rope_type!r} does not know it"
        for key in unknown
    )


def _needed(form: RopeForm, key: str) -> Any:
    value = form.find(key) if key.endswith("_embeddings") else form.parameters.get(key)
    if value is None:
        raise ValueError(f"rope_type {form.rope_type!r} needs {key!r}")
    return value


def _dynamic(form: RopeForm, seq_len: int | None) -> tuple[RopeScaling, Notes]:
    alpha = form.parameters.get("alpha")
    if alpha is not None:
        return NtkAware(alpha), ("'alpha' is HunYuan's: a fixed NTK factor, whatever the length",)
    factor = FACTOR.check(_needed(form, "factor"))
    length = ORIGINAL_LENGTH.check(_needed(form, "max_position_embeddings"))
    if seq_len is not None:
        return DynamicNtk(factor, length, seq_len), ()
    note = f"the frequencies depend on the length of the sequence: up to {length} they are unscaled"
    return DynamicNtk(factor, length, length), (note,)


def _yarn(form: RopeForm) -> tuple[Yarn, Notes]:
    original, notes = _original_length(form)
    factor = form.parameters.get("factor")
    if factor is None:
        factor = MAXIMUM_LENGTH.check(_needed(form, "max_position_embeddings")) / original
        notes += (f"factor is null: max_position_embeddings/original_max_position_embeddings = {factor:g}",)
    given = {key: form.parameters[key] for key in _KEYS["yarn"] if form.parameters.get(key) is not None}
    given.pop("llama_4_scaling_beta", None)
    scaling = Yarn(**{**given, "factor": factor, "original_max_position_embeddings": original})
    return scaling, (*notes, *_yarn_notes(form, scaling))


def _yarn_notes(form: RopeForm, scaling: Yarn) -> Iterator[str]:
    longest, original = form.config.get("max_position_embeddings"), scaling.original_max_position_embeddings
    if isinstance(longest, int) and longest != scaling.factor * original:
        yield (
            f"factor {scaling.factor:g} x original_max_position_embeddings {original} = {scaling.factor * original:g}, "
            f"but max_position_embeddings is {shortened(longest)}"
        )
    if not scaling.truncate and form.source == "rope_parameters" and form.parameters is not form.config[form.source]:
        yield "transformers 5.23.0 ignores truncate where the parameters are nested by layer type"
    if form.find("llama_4_scaling_beta") is not None:
        yield "llama_4_scaling_beta: the model also scales its queries by their position, not shown here"
    if scaling.softmax_scale_factor != 1:
        yield f"mscale_all_dim: the model also multiplies its softmax scale by {scaling.softmax_scale_factor:.10g}"


def _original_length(form: RopeForm) -> tuple[int, Notes]:
    """original_max_position_embeddings, or max_position_embeddings with a note where it is not given."""
    original = form.find("original_max_position_embeddings")
    if original is not None:
        return ORIGINAL_LENGTH.check(original), ()
    note = (
        "original_max_position_embeddings is not given: max_position_embeddings is taken, as transformers does, "
        "so the context does not become longer"
    )
    return ORIGINAL_LENGTH.check(_needed(form, "max_position_embeddings")), (note,)


def _longrope(form: RopeForm, seq_len: int | None) -> tuple[LongRope, Notes]:
    original, notes = _original_length(form)
    longest = form.config.get("max_position_embeddings")
    scaling = LongRope(
        form.parameters["short_factor"],
        form.parameters["long_factor"],
        original,
        original if longest is None else longest,
        form.parameters.get("factor"),
        form.parameters.get("attention_factor"),
        seq_len,
    )
    if seq_len is None:
        notes += (f"short_factor is shown: sequences longer than {original} use long_factor in every position",)
    return scaling, notes
