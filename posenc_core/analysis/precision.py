"""Errors of cosines and sines if a model computes their angles in float32, float16 or bfloat16."""

from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.encodings import Rotary
from posenc_core.fields import check_position, shortened
from posenc_core.numerics import Float32Array, FloatArray

ARITHMETICS = ("float32", "float32_to_bfloat16", "float32_to_float16", "bfloat16")
"""Angles, cosines and sines in float32 as in transformers; the same, then cast; all in bfloat16."""


class RotaryError(Struct, frozen=True):
    """Differences from exact arithmetic at one position, per pair ``(n_pairs,)``.

    ``angle``: the absolute error of the angle in rad; ``entry``: the larger of the absolute errors of its cosine and
    sine, without the attention factor.
    """

    angle: FloatArray
    entry: FloatArray

    @property
    def worst_pair(self) -> int:
        """The pair with the largest error of its angle."""
        return int(np.argmax(self.angle))


def rotary_error(rotary: Rotary, position: int, arithmetic: str = "float32") -> RotaryError:
    """Errors of the pairs at a position for a model that computes in an ``arithmetic`` of ``ARITHMETICS``.

    ``float32``: ``inv_freq = 1/theta**(2i/r)``, its scaling, ``position * inv_freq``, cosine and sine are each rounded
    to float32 (24 bits); ``float32_to_bfloat16`` and ``float32_to_float16`` then round cosine and sine to 8 and 11
    bits; ``bfloat16`` computes everything in bfloat16, beginning with the position. ValueError for another name.
    Source: transformers, ``LlamaRotaryEmbedding``.
    """
    if arithmetic not in ARITHMETICS:
        raise ValueError(f"arithmetic must be one of {', '.join(ARITHMETICS)}, got {shortened(arithmetic)}")
    exact_angles = rotary.frequencies() * check_position(position)
    inverse = model_frequencies(rotary)
    if arithmetic == "bfloat16":
        angles = to_bfloat16(to_bfloat16(np.float32(position)) * to_bfloat16(inverse))
    else:
        angles = np.float32(position) * inverse
    parts = np.stack([np.cos(angles.astype(np.float64)), np.sin(angles.astype(np.float64))]).astype(np.float32)
    if arithmetic.endswith("bfloat16"):
        parts = to_bfloat16(parts)
    elif arithmetic.endswith("float16"):
        parts = parts.astype(np.float16).astype(np.float32)
    exact = np.stack([np.cos(exact_angles), np.sin(exact_angles)])
    return RotaryError(np.abs(angles - exact_angles), np.abs(parts - exact).max(axis=0))


def model_frequencies(rotary: Rotary) -> Float32Array:
    """``inv_freq`` of models, float32 ``(n_pairs,)`` in rad per token; each operation is rounded to float32."""
    width = rotary.n_columns
    exponents = (np.arange(0, width, 2, dtype=np.float32) / np.float32(width)).astype(np.float64)
    powers = np.power(rotary.rope_theta, exponents).astype(np.float32)
    inverse = np.float32(1) / powers
    if rotary.scaling is not None:
        inverse = rotary.scaling.frequencies(inverse.astype(np.float64), rotary.rope_theta).astype(np.float32)
    return np.asarray(inverse, np.float32)


def to_bfloat16(values: Any) -> Float32Array:
    """Finite numbers rounded to bfloat16, ties to even, as float32 of the same shape."""
    bits: npt.NDArray[np.uint32] = np.atleast_1d(np.asarray(values, np.float32)).view(np.uint32)
    rounded = bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    kept = (rounded & np.uint32(0xFFFF0000)).view(np.float32)
    return kept.reshape(np.shape(values))
