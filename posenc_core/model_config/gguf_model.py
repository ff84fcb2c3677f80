"""A model from the header of its GGUF file.

The pair layout is not in the file: llama.cpp decides it by the architecture (``llama_model_rope_type``), and converters
permute the weights of Llama to fit. Source of the keys: llama.cpp, gguf/constants.py and src/llama-arch.cpp.
"""

from itertools import cycle, islice
from typing import Any

from msgspec import Struct

from posenc_core.encodings import Alibi, Encoding, Rotary, T5Bias
from posenc_core.fields import shortened
from posenc_core.model_config.gguf import GgufHeader
from posenc_core.model_config.gguf_architectures import (
    HALF_SPLIT,
    INTERLEAVED,
    NO_ROTATION,
    PERIODS,
    STILL_EVERY,
    STILL_IF_FULL,
)
from posenc_core.rope_scaling import FrequencyDivisors, Linear, LongRope, QueryTemperature, RopeScaling, Yarn
from posenc_core.session import MAXIMUM_LAYERS, FoundTable, Layer, Model

Notes = tuple[str, ...]

_MOST_PAIRS = 32768

_LEARNED = "position_embd.weight"
_DIVISORS, _LONG, _SHORT = "rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight"


class _Keys(Struct, frozen=True):
    """The values of a header under the name of its architecture."""

    header: GgufHeader
    architecture: str

    def find(self, key: str) -> Any:
        """The value under the key; None if the file does not have the key."""
        return self.header.values.get(f"{self.architecture}.{key}")

    def whole(self, key: str, default: int | None = None) -> int | None:
        """A whole number from 1; the largest of a list with one for each layer. ValueError for other values."""
        value = self.find(key)
        value = max(value, default=None) if isinstance(value, list) else value
        if value is None:
            return default
        if type(value) is not int or not 0 < value < 2**53:
            raise ValueError(f"{self.architecture}.{key} must be a whole number from 1, got {shortened(value)}")
        return value

    def number(self, key: str, default: float) -> float:
        """A number; ValueError for other values."""
        value = self.find(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"{self.architecture}.{key} must be a number, got {shortened(value)}")
        return float(value)


def gguf_model(header: GgufHeader, name: str) -> Model:
    """The model that the header describes; ``name`` counts where the file gives none. ValueError with one sentence."""
    architecture = header.values.get("general.architecture")
    if not isinstance(architecture, str) or not architecture:
        raise ValueError("this GGUF file names no architecture, so its positions are unknown")
    keys = _Keys(header, architecture)
    n_layers = keys.whole("block_count")
    if n_layers is None or n_layers > MAXIMUM_LAYERS:
        raise ValueError(f"{architecture}.block_count must be from 1 to {MAXIMUM_LAYERS}, got {n_layers}")
    layers, notes = _layers(keys, n_layers)
    told = header.values.get("general.name")
    trained, target = keys.whole("rope.scaling.original_context_length"), keys.whole("context_length")
    return Model(
        told if isinstance(told, str) and told.strip() else name,
        architecture,
        header.path.name,
        layers,
        trained if trained is not None else target,
        target,
        "context_length" if trained is None else "rope.scaling.original_context_length, context_length",
        notes,
        _tables(header),
    )


def _layers(keys: _Keys, n_layers: int) -> tuple[tuple[Layer, ...], Notes]:
    other = _other_layer(keys)
    if other is not None:
        return (other,) * n_layers, ()
    pairing, notes = _pairing(keys.architecture)
    sliding = _sliding(keys, n_layers)
    window = keys.whole("attention.sliding_window")
    full, full_notes = _rotary(keys, pairing, "")
    local = _rotary(keys, pairing, "_swa")[0] if any(sliding) else full
    temperature = _temperature(keys)
    by_kind = {
        (slides, still): _layer(keys, None if still else (local if slides else full), slides, window, temperature)
        for slides in (False, True)
        for still in (False, True)
    }
    layers = tuple(by_kind[slides, _is_still(keys, i, slides)] for i, slides in enumerate(sliding))
    n_still = sum(layer.kind == "none" for layer in layers)
    told = (
        (f"{n_still} of {n_layers} layers do not rotate, as llama.cpp does for {keys.architecture}",) if n_still else ()
    )
    return layers, (*told, *notes, *full_notes)


def _layer(
    keys: _Keys, encoding: Rotary | None, slides: bool, window: int | None, temperature: QueryTemperature | None
) -> Layer:
    name = ("sliding_attention" if slides else "full_attention") if window is not None else None
    chunked = keys.architecture == "llama4"
    where = window if slides else None
    scaled = temperature if keys.architecture != "llama4" or encoding is None else None
    if encoding is None:
        return Layer(
            "none", None, None if chunked else where, None, scaled, name, "llama.cpp rotates no pair of this layer"
        )
    base = f"{keys.architecture}.rope.freq_base{'_swa' if slides and keys.find('rope.freq_base_swa') else ''}"
    sentence = (
        f"{base} is {encoding.rope_theta:g}: {encoding.n_columns} of {encoding.head_dim} columns of a head rotate"
    )
    return Layer("rotary", encoding, None if chunked else where, where if chunked else None, scaled, name, sentence)


def _other_layer(keys: _Keys) -> Layer | None:
    """The layer of a model that does not rotate; None for one that does, or whose architecture is unknown."""
    largest = keys.number("attention.max_alibi_bias", 0.0)
    heads = keys.whole("attention.head_count")
    buckets = keys.whole("attention.relative_buckets_count")
    if largest and heads:
        if largest != 8:
            return Layer(
                "unsupported", sentence=f"its largest ALiBi bias is {largest:g}; only 8, as in the paper, is shown"
            )
        return Layer("bias", Alibi(heads), sentence="attention.max_alibi_bias is 8: ALiBi")
    if buckets and heads:
        encoding: Encoding = T5Bias(buckets, 128, keys.architecture == "t5encoder", heads)
        return Layer(
            "bias", encoding, sentence="attention.relative_buckets_count: biases by buckets of distance, as in T5"
        )
    if _LEARNED in keys.header.tensors:
        return Layer("learned", sentence=f"the tensor {_LEARNED} is a learned table of positions")
    if keys.architecture in NO_ROTATION:
        return Layer("none", sentence=f"llama.cpp rotates nothing in models of the architecture {keys.architecture}")
    return None


def _pairing(architecture: str) -> tuple[str, Notes]:
    if architecture in INTERLEAVED:
        note = (
            "llama.cpp pairs neighbouring columns for it; files converted from half-split weights are permuted to fit"
        )
        return "interleaved", (note,) if architecture == "llama" else ()
    if architecture in HALF_SPLIT:
        return "half_split", ()
    return "half_split", (f"the pair layout of '{architecture[:40]}' is not known; half_split is assumed",)


def _rotary(keys: _Keys, pairing: str, which: str) -> tuple[Rotary, Notes]:
    """The rotation of layers with full attention, or, for ``_swa``, with a sliding window."""
    width = _head_width(keys, which)
    rotated = keys.whole(f"rope.dimension_count{which}") or keys.whole("rope.dimension_count") or width
    if keys.architecture == "deepseek2":
        width = rotated  # the rotated columns are a part of their own, as in the model's config.json
    base = keys.number(f"rope.freq_base{which}", keys.number("rope.freq_base", 10000.0))
    scaling, notes = _scaling(keys, rotated // 2) if not (which and keys.find(f"rope.freq_base{which}")) else (None, ())
    sections = keys.find("rope.dimension_sections")
    if sections:
        notes += (
            f"rope.dimension_sections {shortened(sections)} divides the pairs among axes: shown is text, one axis",
        )
    return Rotary(width, base, pairing, None if rotated == width else rotated, scaling, notes=notes), notes


def _head_width(keys: _Keys, which: str) -> int:
    width = keys.whole(f"attention.key_length{which}") or keys.whole("attention.key_length")
    if width is not None:
        return width
    whole, heads = keys.whole("embedding_length"), keys.whole("attention.head_count")
    if whole is None or heads is None:
        raise ValueError(f"the width of a head is unknown: {keys.architecture}.attention.key_length is not in the file")
    return whole // heads


def _scaling(keys: _Keys, n_pairs: int) -> tuple[RopeScaling | None, Notes]:
    tensors, longest = keys.header.tensors, keys.whole("context_length")
    kind = keys.find("rope.scaling.type")
    factor = keys.number("rope.scaling.factor", keys.number("rope.scale_linear", 0.0))
    original = keys.whole("rope.scaling.original_context_length", longest)
    if _DIVISORS in tensors:
        divisors = _divisors(keys, _DIVISORS, n_pairs)
        note = f"{_DIVISORS} divides the frequencies: it was made at conversion, from the rule of Llama 3 in most files"
        return FrequencyDivisors(divisors), (note,)
    if _LONG in tensors and _SHORT in tensors and original is not None:
        short, long = (_divisors(keys, name, n_pairs) for name in (_SHORT, _LONG))
        given = keys.number("rope.scaling.attn_factor", 1.0)
        note = f"{_SHORT} is shown: a context longer than {original} uses {_LONG} in every position"
        return LongRope(short, long, original, longest or original, None, given), (note,)
    if kind in (None, "none") and not factor:
        return None, ()
    if kind in (None, "linear"):
        return (None if factor in (0.0, 1.0) else Linear(factor)), ()
    if kind == "yarn" and original is not None and factor:
        return _yarn(keys, factor, original), ()
    return None, (f"the scaling {shortened(kind)} of this file is not read: the frequencies are unscaled",)


def _yarn(keys: _Keys, factor: float, original: int) -> Yarn:
    """YaRN; DeepSeek's files hold a tenth of mscale_all_dim as the multiplier of the logarithm."""
    log_multiplier = keys.number("rope.scaling.yarn_log_multiplier", 0.0)
    mscale = 10 * log_multiplier if keys.architecture.startswith("deepseek") and log_multiplier else None
    fast, slow = keys.number("rope.scaling.yarn_beta_fast", 32.0), keys.number("rope.scaling.yarn_beta_slow", 1.0)
    given = keys.find("rope.scaling.attn_factor") or keys.find("rope.scaling.yarn_attn_factor")
    attention = None if mscale is not None or given is None else _number(given)
    return Yarn(factor, original, fast, slow, attention, mscale, mscale)


def _number(value: Any) -> float:
    """An attention factor of a file as a number; ValueError for other values."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"the attention factor must be a number, got {shortened(value)}")
    return float(value)


def _divisors(keys: _Keys, name: str, n_pairs: int) -> tuple[float, ...]:
    found = keys.header.numbers(name, _MOST_PAIRS)
    if len(found) != n_pairs:
        raise ValueError(f"the tensor {name} has {len(found)} numbers, but {n_pairs} pairs rotate")
    return tuple(found.tolist())


def _sliding(keys: _Keys, n_layers: int) -> tuple[bool, ...]:
    """Whether each layer attends to a window."""
    if keys.whole("attention.sliding_window") is None:
        return (False,) * n_layers
    pattern = keys.find("attention.sliding_window_pattern")
    if isinstance(pattern, list):
        if len(pattern) != n_layers:
            raise ValueError(f"attention.sliding_window_pattern has {len(pattern)} entries for {n_layers} layers")
        return tuple(map(bool, pattern))
    period = pattern if type(pattern) is int and pattern > 0 else PERIODS.get(keys.architecture, 0)
    if not period:
        return (True,) * n_layers
    return tuple(islice(cycle([True] * (period - 1) + [False]), n_layers))


def _is_still(keys: _Keys, index: int, slides: bool) -> bool:
    if keys.architecture in STILL_IF_FULL:
        return not slides and keys.whole("attention.sliding_window") is not None
    every = STILL_EVERY.get(keys.architecture)
    return every is not None and (index + 1) % every == 0


def _temperature(keys: _Keys) -> QueryTemperature | None:
    length, scale = keys.whole("attention.temperature_length"), keys.find("attention.temperature_scale")
    if length is None:
        if keys.architecture != "llama4":
            return None
        length, scale = 8192, 0.1
    strength = 0.1 if scale is None else float(scale)
    if keys.architecture == "llama4":
        return QueryTemperature("llama4", {"attn_scale": strength, "floor_scale": float(length)})
    named = {"llama_4_scaling_beta": strength, "original_max_position_embeddings": length}
    return QueryTemperature("ministral3", named)


def _tables(header: GgufHeader) -> tuple[FoundTable, ...]:
    tensor = header.tensors.get(_LEARNED)
    if tensor is None or len(tensor.axes) != 2:
        return ()
    columns, rows = tensor.axes
    return (FoundTable(header.path, _LEARNED, (rows, columns), 0, "as llama.cpp counts its rows"),)
