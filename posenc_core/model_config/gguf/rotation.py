"""The rotation of a GGUF file's layers, made from the keys as in the code of llama.cpp.

The pair layout is not in the file: llama.cpp derives it from the architecture (``llama_model_rope_type``), and
converters permute the weights of Llama to fit. Sources: llama.cpp as in llama-cpp-python 0.3.36, src/llama-model.cpp,
src/llama-context.cpp (YaRN's factors), ggml ``rope_yarn``.
"""

import math

from posenc_core.encodings import Rotary
from posenc_core.fields import shortened
from posenc_core.model_config.gguf.architectures import SCALINGS
from posenc_core.model_config.gguf.header import Keys
from posenc_core.rope_scaling import (
    FrequencyDivisors,
    FrequencyScale,
    Linear,
    LongRope,
    RopeScaling,
    Yarn,
    rope_frequencies,
)

Notes = tuple[str, ...]

SLIDES, COMPRESSED = "_swa", "_compress"
"""The endings of keys of sliding layers, and a name for DeepSeek V4's layers with compressed entries."""

_MOST_PAIRS = 32768
_DEFAULT_BASE = 10000.0
_DIVISORS, _LONG, _SHORT = "rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight"


def pairing_of(keys: Keys) -> tuple[str, Notes]:
    """The pair layout of the file's architecture, and a note on facts missing in the file."""
    architecture, pairing = keys.architecture, keys.facts.pairing
    if keys.facts.halves_in_sections and _has_sections(keys):
        pairing = "half_split"
    if pairing == "interleaved":
        note = (
            "llama.cpp pairs neighbouring columns for it; files converted from half-split weights are permuted to fit"
        )
        return "interleaved", (note,) if architecture == "llama" else ()
    if pairing == "half_split":
        return "half_split", ()
    return "half_split", (f"the pair layout of '{architecture[:40]}' is not known; half_split is assumed",)


def _has_sections(keys: Keys) -> bool:
    """Whether the first two sections have columns, as in ``llama_hparams::use_mrope``; a number counts for all four."""
    sections = keys.find("rope.dimension_sections")
    first = sections[:2] if isinstance(sections, list) else [sections, sections]
    return len(first) == 2 and all(isinstance(each, int) and each > 0 for each in first)


def rotation_of(keys: Keys, which: str = "") -> tuple[Rotary, str, Notes]:
    """The rotation of layers, the key of its base, and notes; ``which`` is empty, ``SLIDES`` or ``COMPRESSED``.

    ValueError with one sentence for unreadable keys.
    """
    width, rotated = _widths(keys, which)
    if max(width, rotated) > 2 * _MOST_PAIRS:  # before lists of as many numbers
        raise ValueError(f"a head has at most {2 * _MOST_PAIRS:,} columns, got {max(width, rotated):,}")
    base, key = _base(keys, which)
    scaling, notes = _scaling(keys, rotated // 2, which)
    sections = keys.find("rope.dimension_sections")
    if sections:
        told = f"rope.dimension_sections {shortened(sections)} divides the pairs among axes"
        notes += (f"{told}: text is shown, on one axis",)
    pairing, _ = pairing_of(keys)
    part = "trailing" if keys.architecture == "deepseek4" else "leading"
    rotary_dim = None if rotated == width else rotated
    return Rotary(width, base, pairing, rotary_dim, scaling, rotary_part=part, notes=notes), key, notes


def refusal_of(keys: Keys) -> str:
    """The error with which llama.cpp refuses the file; empty without an error about positions."""
    kind = keys.find("rope.scaling.type")
    if not keys.facts.pairing:
        return f"unknown model architecture: {shortened(keys.architecture)}"
    if kind is not None and kind not in SCALINGS:
        told = "GGML_ASSERT(hparams.rope_scaling_type_train != LLAMA_ROPE_SCALING_TYPE_UNSPECIFIED) failed"
        return f"{told}: rope.scaling.type is {shortened(kind)}"
    if keys.facts.whole_head:
        width, rotated = _widths(keys, "")
        return "" if width == rotated else f"invalid n_rot: {rotated}, expected {width}"
    return ""


def _widths(keys: Keys, which: str) -> tuple[int, int]:
    """The columns of a head, and how many of them rotate."""
    ending = SLIDES if which == SLIDES else ""
    width = keys.whole(f"attention.key_length{ending}") or keys.whole("attention.key_length")
    if width is None:
        whole, heads = keys.whole("embedding_length"), keys.whole("attention.head_count")
        if whole is None or heads is None:
            missing = f"{keys.architecture}.attention.key_length is not in the file"
            raise ValueError(f"the width of a head is unknown: {missing}")
        width = whole // heads
    rotated = keys.whole(f"rope.dimension_count{ending}") or keys.whole("rope.dimension_count") or width
    if keys.architecture == "step35" and which != SLIDES:
        rotated //= 2  # its code halves the number for layers with full attention
    return (rotated, rotated) if keys.facts.latent else (width, rotated)


def _base(keys: Keys, which: str) -> tuple[float, str]:
    """The base of the layers, and its key; empty if llama.cpp uses its own."""
    if which == COMPRESSED:
        key = "attention.compress_rope_freq_base"
        return keys.number(key, _DEFAULT_BASE), key
    rule = keys.facts.sliding
    if which == SLIDES and not keys.facts.one_base:
        if keys.find("rope.freq_base_swa") is not None:
            return keys.number("rope.freq_base_swa", _DEFAULT_BASE), "rope.freq_base_swa"
        if rule is not None and not rule.inherits:
            return _DEFAULT_BASE, ""
    base = keys.number("rope.freq_base", _DEFAULT_BASE)
    alpha = keys.number("rope.scaling.alpha", 0.0) if keys.architecture == "hunyuan_vl" else 0.0
    if alpha > 0:
        base *= _stretch(alpha, _widths(keys, "")[0])
    return base, "rope.freq_base" if keys.find("rope.freq_base") is not None else ""


def _stretch(alpha: float, width: int) -> float:
    """The factor of the base; ValueError for a head of 2 columns, and beyond float64."""
    try:
        return float(alpha ** (width / (width - 2)))
    except ArithmeticError:
        raise ValueError(f"rope.scaling.alpha = {alpha:g} gives heads of {width} columns no base") from None


def _scaling(keys: Keys, n_pairs: int, which: str) -> tuple[RopeScaling | None, Notes]:
    """The scaling of the layers, shared by sliding layers that inherit it; deepseek4 scales compressed layers."""
    rule = keys.facts.sliding
    tensors, amplitude = keys.header.tensors, keys.number("rope.scaling.attn_factor", 1.0)
    if which == SLIDES and rule is not None and rule.inherits != "base and factor":
        keeps = not keys.facts.plain_sliding and amplitude != 1
        return (FrequencyDivisors((1.0,) * n_pairs, amplitude) if keeps else None), ()
    if keys.architecture == "deepseek4" and which != COMPRESSED:
        return None, ()
    factor = keys.number("rope.scaling.factor", keys.number("rope.scale_linear", 0.0)) or 1.0
    kind = keys.find("rope.scaling.type") or "linear"
    if kind == "none" and which == SLIDES and not keys.facts.one_base:
        kind = "linear"  # none resets only the factor of the other layers
    original = keys.whole("rope.scaling.original_context_length", keys.whole("context_length"))
    if _LONG in tensors and _SHORT in tensors and _DIVISORS not in tensors and original is not None:
        more = factor if kind in ("linear", "longrope") else 1.0
        short, long = (tuple(each * more for each in _divisors(keys, name, n_pairs)) for name in (_SHORT, _LONG))
        note = f"{_SHORT} is shown: a context longer than {original} uses {_LONG} in every position"
        longest = keys.whole("context_length") or original
        return LongRope(short, long, original, longest, None, amplitude), (note,)
    if keys.architecture == "grok" and _DIVISORS not in tensors:
        return _of_grok(keys, kind, factor, original or 1, amplitude, n_pairs), ()
    if kind == "yarn" and original is not None and factor > 1:
        return _yarn(keys, factor, original, amplitude), ()
    notes: Notes = ()
    if kind not in SCALINGS:
        notes = (f"llama.cpp knows no scaling {shortened(kind)}: the frequencies are shown unscaled",)
    factor = factor if kind in ("linear", "longrope") else 1.0
    if _DIVISORS in tensors and not (which == SLIDES and keys.architecture == "step35"):
        note = f"{_DIVISORS} divides the frequencies: it was made at conversion, from the rule of Llama 3 in most files"
        divisors = tuple(each * factor for each in _divisors(keys, _DIVISORS, n_pairs))
        return FrequencyDivisors(divisors, amplitude), (*notes, note)
    if amplitude != 1:
        return FrequencyDivisors((factor,) * n_pairs, amplitude), notes
    if factor == 1:
        return None, notes
    return (Linear(factor) if factor > 1 else FrequencyScale(1 / factor)), notes


def _yarn(keys: Keys, factor: float, original: int, amplitude: float) -> Yarn:
    """YaRN, whose attention factor ``rope.scaling.attn_factor`` multiplies.

    The converter writes a tenth of DeepSeek's mscale_all_dim as the multiplier of the logarithm.
    """
    fast, slow = 32.0, 1.0
    if keys.facts.beta_fast is not None:
        fast = keys.number("rope.scaling.yarn_beta_fast", keys.facts.beta_fast)
        slow = keys.number("rope.scaling.yarn_beta_slow", slow)
    if keys.architecture == "deepseek4":
        return Yarn(factor, original, fast, slow, 1.0)
    all_dim = keys.number("rope.scaling.yarn_log_multiplier", 0.0) if keys.facts.reads_log_multiplier else 0.0
    if keys.architecture != "mistral3":
        all_dim = round(10 * all_dim, 6)  # the file has float32
    mscale = all_dim if keys.architecture == "deepseek2" else 1.0
    if all_dim and keys.architecture != "mistral3" and amplitude == 1:
        return Yarn(factor, original, fast, slow, None, mscale, all_dim)
    log = 0.1 * math.log(factor)
    own = (log * mscale + 1) / (log * all_dim + 1) if all_dim else log + 1
    usual = amplitude == 1 and not all_dim
    return Yarn(factor, original, fast, slow, None if usual else own * amplitude)


def _of_grok(keys: Keys, kind: str, factor: float, original: int, amplitude: float, n_pairs: int) -> RopeScaling | None:
    """Grok's own keys: the part of YaRN's ramp in any type, and for none of it the amplitude."""
    part = keys.number("rope.scaling.yarn_ext_factor", -1.0)
    part = float(kind == "yarn") if part < 0 else part
    factor = 1.0 if kind == "none" else factor
    if part == 0 or factor == 1:
        amplitude *= 1.0 if part else keys.number("rope.scaling.yarn_attn_factor", 1.0)
        return None if factor == amplitude == 1 else FrequencyDivisors((factor,) * n_pairs, amplitude)
    whole, base = _yarn(keys, factor, original, amplitude), keys.number("rope.freq_base", _DEFAULT_BASE)
    if part == 1:
        return whole
    kept = rope_frequencies(base, n_pairs, whole) / rope_frequencies(base, n_pairs, None)  # (1 - ramp) / s + ramp
    ramp = (kept - 1 / factor) / (1 - 1 / factor) * part
    return FrequencyDivisors(tuple((1 / ((1 - ramp) / factor + ramp)).tolist()), whole.amplitude)


def _divisors(keys: Keys, name: str, n_pairs: int) -> tuple[float, ...]:
    found = keys.header.numbers(name, _MOST_PAIRS)
    if keys.architecture == "step35":
        found = found[:n_pairs]  # layers with fewer rotated columns use the first ones
    if len(found) != n_pairs:
        raise ValueError(f"the tensor {name} has {len(found)} numbers, but {n_pairs} pairs rotate")
    return tuple(found.tolist())
