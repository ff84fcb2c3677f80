"""From the parameters of a rope_type to its scaling: which keys it needs, which it knows, and what it leaves open."""

from typing import Any

from posenc_core.model_config.rope_form import RopeForm
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


def scaling_of(form: RopeForm, seq_len: int | None, share: float) -> RopeScaling | None:
    """The scaling of the form's rope_type, None for the frequencies as they are; what is surprising goes to its notes.

    ``share`` is the partial rotary factor. ValueError with a sentence for a key that is needed and missing, or out of
    bounds.
    """
    _note_unknown(form)
    for key in _NEEDED.get(form.rope_type, ()):
        if key != "factor" or form.rope_type != "yarn" or key not in form.parameters:  # null has a meaning there
            _needed(form, key)
    if form.rope_type in ("default", "mrope", "axial"):
        return None
    if form.rope_type == "linear":
        return Linear(_needed(form, "factor"))
    if form.rope_type == "dynamic":
        return _dynamic(form, seq_len)
    if form.rope_type == "yarn":
        return _yarn(form)
    if form.rope_type == "llama3":
        return Llama3(**{key: _needed(form, key) for key in _NEEDED["llama3"]})
    if form.rope_type == "longrope":
        return _longrope(form, seq_len)
    return Proportional(share, form.parameters.get("factor") or 1.0)


def _note_unknown(form: RopeForm) -> None:
    for key in form.parameters:
        if key in _EVERYWHERE or key in _KEYS[form.rope_type]:
            continue
        if key in _MEANT:
            form.notes.append(f"unknown key {key!r} ignored; the transformers key is {_MEANT[key]!r}")
        else:
            form.notes.append(f"key {str(key)[:40]!r} ignored: rope_type {form.rope_type!r} does not know it")


def _needed(form: RopeForm, key: str) -> Any:
    value = form.find(key) if key.endswith("_embeddings") else form.parameters.get(key)
    if value is None:
        raise ValueError(f"rope_type {form.rope_type!r} needs {key!r}")
    return value


def _dynamic(form: RopeForm, seq_len: int | None) -> RopeScaling:
    alpha = form.parameters.get("alpha")
    if alpha is not None:
        form.notes.append("'alpha' is HunYuan's: a fixed NTK factor, whatever the length")
        return NtkAware(alpha)
    factor = FACTOR.check(_needed(form, "factor"))
    length = ORIGINAL_LENGTH.check(_needed(form, "max_position_embeddings"))
    if seq_len is None:
        form.notes.append(f"the frequencies depend on the length of the sequence: up to {length} they are unscaled")
    return DynamicNtk(factor, length, length if seq_len is None else seq_len)


def _yarn(form: RopeForm) -> Yarn:
    original = _original_length(form)
    longest = form.config.get("max_position_embeddings")
    factor = form.parameters.get("factor")
    if factor is None:
        factor = MAXIMUM_LENGTH.check(_needed(form, "max_position_embeddings")) / original
        form.notes.append(f"factor is null: max_position_embeddings/original_max_position_embeddings = {factor:g}")
    given = {key: form.parameters[key] for key in _KEYS["yarn"] if form.parameters.get(key) is not None}
    given.pop("llama_4_scaling_beta", None)
    scaling = Yarn(**{**given, "factor": factor, "original_max_position_embeddings": original})
    if isinstance(longest, int) and longest != scaling.factor * original:
        form.notes.append(
            f"factor {scaling.factor:g} x original_max_position_embeddings {original} = {scaling.factor * original:g}, "
            f"but max_position_embeddings is {longest}"
        )
    if not scaling.truncate and form.source == "rope_parameters" and form.parameters is not form.config[form.source]:
        form.notes.append("transformers 5.23.0 ignores truncate where the parameters are nested by layer type")
    if form.find("llama_4_scaling_beta") is not None:
        form.notes.append("llama_4_scaling_beta: the model also scales its queries by their position, not shown here")
    if scaling.softmax_scale_factor != 1:
        form.notes.append(
            f"mscale_all_dim: the model also multiplies its softmax scale by {scaling.softmax_scale_factor:.10g}"
        )
    return scaling


def _original_length(form: RopeForm) -> int:
    """original_max_position_embeddings, or max_position_embeddings with a note where it is not given."""
    original = form.find("original_max_position_embeddings")
    if original is None:
        original = _needed(form, "max_position_embeddings")
        form.notes.append(
            "original_max_position_embeddings is not given: max_position_embeddings is taken, as transformers does, "
            "so the context does not become longer"
        )
    return int(ORIGINAL_LENGTH.check(original))


def _longrope(form: RopeForm, seq_len: int | None) -> LongRope:
    original = _original_length(form)
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
        form.notes.append(f"short_factor is shown: sequences longer than {original} use long_factor in every position")
    return scaling
