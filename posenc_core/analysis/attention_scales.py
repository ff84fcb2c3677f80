"""Factors of rotated queries and keys that depend on the position: xPos. For scripts; the window does not show them."""

from typing import Any

import numpy as np

from posenc_core.fields import RealField, check_positions
from posenc_core.numerics import FloatArray
from posenc_core.rope_scaling import HEAD_DIM


def xpos_bases(head_dim: int, gamma: float = 0.4) -> FloatArray:
    """``zeta_i = (2i / head_dim + gamma) / (1 + gamma)`` of each pair, float64 ``(head_dim / 2,)``, all below 1.

    ValueError unless ``head_dim`` is even and gamma > 0. Source: Sun et al. 2022 (arXiv 2212.10554), section 3.2.
    """
    HEAD_DIM.check(head_dim)
    if head_dim % 2:
        raise ValueError(f"RoPE rotates pairs: head_dim must be even, got {head_dim}")
    _check_above_zero("gamma", gamma)
    return (2 * np.arange(head_dim // 2) / head_dim + gamma) / (1 + gamma)


def xpos_amplitudes(head_dim: int, positions: Any, gamma: float = 0.4, scale_base: float = 512.0) -> FloatArray:
    """The factor of each pair of a query, ``zeta_i ** (n / scale_base)``, float64 ``(n_positions, head_dim / 2)``.

    A key has the reciprocal factors: the pair's part of a score shrinks by ``zeta_i ** (distance / scale_base)``, and
    grows for keys after the query, which causal models mask.
    """
    _check_above_zero("scale_base", scale_base)
    return xpos_bases(head_dim, gamma) ** (check_positions(positions)[:, None] / scale_base)


def _check_above_zero(name: str, value: float) -> None:
    RealField(name=name, label="", help="", default=1.0, above=0.0, slider=(0.0, 1.0)).check(value)
