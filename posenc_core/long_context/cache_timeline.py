"""Keys in a cache whose angles are stale, because dynamic NTK changes the base while the sequence grows."""

from dataclasses import replace
from typing import Any

import numpy as np

from posenc_core.encodings import Encoding, Rotary
from posenc_core.fields import check_length, check_positions
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling import DynamicNtk


def cache_bases(encoding: Encoding, lengths: Any) -> FloatArray:
    """The base of dynamic NTK at each length of the sequence, float64 ``(n_lengths,)``; lengths in positions, >= 1.

    ValueError unless ``encoding`` is RoPE with dynamic NTK. Source: Peng et al. 2023 (YaRN), section 3.3.
    """
    rotary, scaling = _dynamic(encoding)
    return np.array([
        replace(scaling, seq_len=check_length(length, "length")).base(rotary.n_columns, rotary.rope_theta)
        for length in check_positions(lengths).tolist()
    ])  # fmt: skip


def stale_angles(encoding: Encoding, keys: Any, length: int) -> FloatArray:
    """How far the cached keys' angles are off, float64 ``(n_keys, n_pairs)`` in rad: cached minus present.

    The key at position j is rotated when the sequence has j + 1 positions, and stays as it is; at ``length`` n its
    angle would be another: ``(theta_i(b(j + 1)) - theta_i(b(n))) j``. ``keys`` are positions from 0 to n - 1.
    ValueError for others, and unless ``encoding`` is RoPE with dynamic NTK. Source: Peng et al. 2023 (YaRN), section
    3.3, on caching.
    """
    rotary, scaling = _dynamic(encoding)
    rows, present = check_positions(keys), check_length(length, "length")
    outside = rows[(rows < 0) | (rows >= present)]
    if len(outside):
        raise ValueError(f"keys must be positions from 0 to {present - 1}, got {outside[0]}")
    unscaled, theta = rotary.unscaled_frequencies(), rotary.rope_theta
    now = replace(scaling, seq_len=present).frequencies(unscaled, theta)
    cached = [replace(scaling, seq_len=row + 1).frequencies(unscaled, theta) for row in rows.tolist()]
    angles: FloatArray = rotary.direction * (np.reshape(cached, (len(rows), rotary.n_pairs)) - now) * rows[:, None]
    return angles


def _dynamic(encoding: Encoding) -> tuple[Rotary, DynamicNtk]:
    if not isinstance(encoding, Rotary) or not isinstance(encoding.scaling, DynamicNtk):
        raise ValueError(f"the cache timeline needs RoPE with dynamic NTK, got {_named(encoding)}")
    return encoding, encoding.scaling


def _named(encoding: Encoding) -> str:
    if not isinstance(encoding, Rotary):
        return encoding.title
    return f"RoPE with {encoding.scaling.title} scaling" if encoding.scaling else "RoPE without scaling"
