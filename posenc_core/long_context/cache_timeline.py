"""Keys in a cache whose angles are stale, because dynamic NTK changes the base while the sequence grows."""

from typing import Any

import numpy as np

from posenc_core.encodings import Encoding, Rotation
from posenc_core.fields import check_length, check_positions
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling import RopeScaling


def cache_bases(encoding: Encoding, lengths: Any) -> FloatArray:
    """The base of dynamic NTK at each length of the sequence, float64 ``(n_lengths,)``; lengths in positions, >= 1.

    ValueError unless ``encoding`` is RoPE with dynamic NTK. Source: Peng et al. 2023 (YaRN), section 3.3.
    """
    rotation, scaling = _growing(encoding)
    width, theta = rotation.n_columns, rotation.rope_theta
    checked = (check_length(length, "length") for length in check_positions(lengths).tolist())
    return np.array([scaling.at_length(length).base(width, theta) for length in checked])


def stale_angles(encoding: Encoding, keys: Any, length: int) -> FloatArray:
    """Errors of the cached keys' angles, float64 ``(n_keys, n_pairs)`` in rad: cached minus present.

    The key at position j is rotated when the sequence has j + 1 positions, and is then unchanged; at ``length`` n its
    angle has the error ``(theta_i(b(j + 1)) - theta_i(b(n))) j``. ``keys`` are positions from 0 to n - 1. ValueError
    for other positions, and unless ``encoding`` is RoPE with dynamic NTK. Source: Peng et al. 2023 (YaRN), section 3.3,
    on caching.
    """
    rotation, scaling = _growing(encoding)
    rows, present = check_positions(keys), check_length(length, "length")
    outside = rows[(rows < 0) | (rows >= present)]
    if len(outside):
        raise ValueError(f"keys must be positions from 0 to {present - 1}, got {outside[0]}")
    unscaled, theta = rotation.pairs.unscaled, rotation.rope_theta
    now = scaling.at_length(present).frequencies(unscaled, theta)
    cached = [scaling.at_length(row + 1).frequencies(unscaled, theta) for row in rows.tolist()]
    angles: FloatArray = rotation.direction * (np.reshape(cached, (len(rows), len(unscaled))) - now) * rows[:, None]
    return angles


def grows_with_cache(encoding: Encoding) -> bool:
    """Whether the base of the encoding's rotation grows with the length of the sequence."""
    scaling = None if encoding.rotation is None else encoding.rotation.scaling
    return scaling is not None and scaling.grows_with_length


def _growing(encoding: Encoding) -> tuple[Rotation, RopeScaling]:
    rotation = encoding.rotation
    if rotation is None or rotation.scaling is None or not grows_with_cache(encoding):
        raise ValueError(f"the cache timeline needs RoPE with dynamic NTK, got {_named(encoding)}")
    return rotation, rotation.scaling


def _named(encoding: Encoding) -> str:
    if encoding.rotation is None:
        return encoding.title
    scaling = encoding.rotation.scaling
    return f"RoPE with {scaling.title} scaling" if scaling else "RoPE without scaling"
