"""Errors of cosines and sines if a model computes their angles in float32, float16 or bfloat16."""

from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.encodings import Encoding, Rotation
from posenc_core.fields import check_length, check_one_of, check_positions, shortened
from posenc_core.numerics import Float32Array, FloatArray, IntArray, blocks
from posenc_core.tables import Cancelled, ProgressCallback, never_cancelled

ARITHMETICS = (
    "float32",
    "float32_to_bfloat16",
    "float32_to_float16",
    "bfloat16",
    "bfloat16_inv_freq",
    "llama_cpp",
)
"""float32 as in transformers; the same, then cast; all in bfloat16; float32 with inv_freq in bfloat16; llama.cpp's."""

MOST_POSITIONS = 1 << 22
"""Largest number of positions whose rounded rows are compared."""

_ANGLES_AT_A_TIME = 1 << 16


class Stages(Struct, frozen=True):
    """The rounded numbers from positions to entries, in float32, which represents the shorter formats exactly.

    ``positions`` ``(n_positions, 1)``; ``inverse`` inv_freq ``(n_pairs,)``, for ``llama_cpp`` the divisors of its
    scaling; ``angles`` ``(n_positions, n_pairs)`` in rad; ``parts`` cosines and sines ``(2, n_positions, n_pairs)``.
    """

    positions: Float32Array
    inverse: Float32Array
    angles: Float32Array
    parts: Float32Array


def precision_error(encoding: Encoding, positions: Any, arithmetic: str = "float32", pairs: Any = None) -> FloatArray:
    """The larger of the absolute errors of cosine and sine, float64 ``(n_positions, n_pairs)``.

    They are the errors of a model that computes in an ``arithmetic`` of ``ARITHMETICS``, without the attention factor.
    ``float32``: ``inv_freq = 1/theta**(2i/r)``, its scaling, ``position * inv_freq``, cosine and sine are each rounded
    to float32 (24 bits); ``float32_to_bfloat16`` and ``float32_to_float16`` then round cosine and sine to 8 and 11
    bits; ``bfloat16`` computes everything in bfloat16, including the position; ``bfloat16_inv_freq`` rounds
    inv_freq only, as in a model that is cast as a whole. ``llama_cpp`` multiplies from pair to pair in float32 and
    divides by the scaling. ``pairs`` are the indices of the pairs to compute, None for all; IndexError for one that the
    encoding does not have. ValueError for another arithmetic, and for a family other than RoPE. Sources: transformers,
    ``LlamaRotaryEmbedding``; llama.cpp, ``ggml_rope_cache_init``.
    """
    rotary, rows = rotary_of(encoding), check_positions(positions)
    chosen = _checked_pairs(pairs, rotary.pairs.n_pairs)
    errors, frequencies = np.empty((len(rows), len(chosen))), rotary.pairs.frequencies[chosen]
    for some in blocks(len(rows), len(chosen), _ANGLES_AT_A_TIME):
        stages = rounded_stages(rotary, rows[some], arithmetic, chosen)
        errors[some] = _largest_of_parts(stages.parts, rows[some, None] * frequencies)
    return errors


def tried_positions(first: int, stop: int, samples: int) -> IntArray:
    """At most ``samples`` of the positions first..stop-1, spread evenly, the ends among them, int64."""
    count = min(samples, stop - first)
    return np.array([first + (stop - 1 - first) * each // max(1, count - 1) for each in range(count)], np.int64)


def distinct_positions(
    encoding: Encoding,
    n_positions: int,
    arithmetic: str = "bfloat16",
    progress: ProgressCallback = never_cancelled,
) -> int:
    """Number of distinct positions among 0..n_positions-1: the number of different rounded rows.

    ``n_positions`` is at most 2^22; ValueError for more, and for a family other than RoPE. Cancelled once ``progress``
    returns False.
    """
    rotary, count = rotary_of(encoding), check_length(n_positions, "n_positions")
    if count > MOST_POSITIONS:
        raise ValueError(f"n_positions must be at most {MOST_POSITIONS}, got {count}")
    rows = np.arange(count)
    if arithmetic == "bfloat16":  # positions that round to one number have one row
        rows = np.unique(to_bfloat16(rows)).astype(np.int64)
    mixer = np.random.default_rng(0).integers(1, 2**63, 2 * rotary.pairs.n_pairs, np.uint64) | np.uint64(1)
    marks = np.empty(len(rows), np.uint64)  # of 2^22 rows two different ones have the same mark once in a million tries
    for some in blocks(len(rows), rotary.pairs.n_pairs, _ANGLES_AT_A_TIME):
        if not progress(some.start / len(rows)):
            raise Cancelled
        parts = rounded_stages(rotary, rows[some], arithmetic).parts + np.float32(0)  # -0.0 is 0.0
        bits = np.concatenate(list(parts), axis=1).view(np.uint32).astype(np.uint64)
        marks[some] = (bits * mixer).sum(axis=1, dtype=np.uint64)
    return len(np.unique(marks))


def rounded_stages(
    rotary: Rotation, positions: IntArray, arithmetic: str, pairs: IntArray | slice = slice(None)
) -> Stages:
    """Every rounded number of some positions and pairs; ValueError for a name that is not in ``ARITHMETICS``."""
    if arithmetic not in ARITHMETICS:
        raise ValueError(f"arithmetic must be one of {', '.join(ARITHMETICS)}, got {shortened(arithmetic)}")
    rows = positions[:, None].astype(np.float32)
    if arithmetic == "llama_cpp":
        with np.errstate(divide="ignore"):
            inverse = rotary.pairs.slowdowns.astype(np.float32)[pairs]
        angles = _running_products(rotary, rows)[:, pairs] / inverse
    elif arithmetic == "bfloat16":
        rows, inverse = to_bfloat16(rows), to_bfloat16(model_frequencies(rotary)[pairs])
        angles = to_bfloat16(rows * inverse)
    else:
        inverse = model_frequencies(rotary)[pairs]
        if arithmetic == "bfloat16_inv_freq":
            inverse = to_bfloat16(inverse)
        angles = rows * inverse
    exact = angles.astype(np.float64)
    parts = np.stack([np.cos(exact), np.sin(exact)]).astype(np.float32)
    if arithmetic in ("float32_to_bfloat16", "bfloat16"):
        parts = to_bfloat16(parts)
    elif arithmetic == "float32_to_float16":
        parts = parts.astype(np.float16).astype(np.float32)
    return Stages(rows, inverse, angles, parts)


def model_frequencies(rotary: Rotation) -> Float32Array:
    """``inv_freq`` of models, float32 ``(n_pairs,)`` in rad per token; each operation is rounded to float32.

    A power beyond float32 is inf, as in models: its pair does not turn.
    """
    width = rotary.n_columns
    exponents = (np.arange(0, width, 2, dtype=np.float32) / np.float32(width)).astype(np.float64)
    with np.errstate(over="ignore"):
        powers = np.power(rotary.rope_theta, exponents).astype(np.float32)
    with np.errstate(divide="ignore", over="ignore"):  # a base near 0 has powers of 0, and frequencies beyond float32
        inverse = np.float32(1) / powers
    if rotary.scaling is not None:
        inverse = rotary.scaling.frequencies(inverse.astype(np.float64), rotary.rope_theta).astype(np.float32)
    return np.asarray(inverse, np.float32)


def theta_scale(rotary: Rotation) -> np.float32:
    """The float32 factor from one pair's angle to the next in llama.cpp, ``rope_theta ** (-2/r)``."""
    with np.errstate(over="ignore"):
        base = float(np.float32(rotary.rope_theta))
    return np.float32(base ** float(np.float32(-2) / np.float32(rotary.n_columns)))


def to_bfloat16(values: Any) -> Float32Array:
    """Finite numbers rounded to bfloat16, ties to even, as float32 of the same shape."""
    bits: npt.NDArray[np.uint32] = np.atleast_1d(np.asarray(values, np.float32)).view(np.uint32)
    rounded = bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    kept = (rounded & np.uint32(0xFFFF0000)).view(np.float32)
    return kept.reshape(np.shape(values))


def rotary_of(encoding: Encoding) -> Rotation:
    """The rotation of the encoding; ValueError with a sentence for a family other than RoPE."""
    if encoding.rotation is None:
        raise ValueError(
            f"precision is that of RoPE's angles, which models compute at run time: {encoding.title} has none"
        )
    return encoding.rotation


def _checked_pairs(pairs: Any, n_pairs: int) -> IntArray:
    """The indices of the pairs, int64, all of them for None; IndexError for one that is none."""
    if pairs is None:
        return np.arange(n_pairs)
    return np.array([check_one_of(pair, "pair", n_pairs) for pair in check_positions(pairs).tolist()], np.int64)


def _running_products(rotary: Rotation, rows: Float32Array) -> Float32Array:
    """The position times ``theta_scale ** i``, each product rounded to float32, ``(n_positions, n_pairs)``."""
    factors = np.full((len(rows), rotary.pairs.n_pairs), theta_scale(rotary), np.float32)
    factors[:, :1] = rows
    return np.multiply.accumulate(factors, axis=1, dtype=np.float32)


def _largest_of_parts(parts: Float32Array, angles: FloatArray) -> FloatArray:
    exact = np.stack([np.cos(angles), np.sin(angles)])
    return np.asarray(np.abs(parts - exact).max(axis=0))
