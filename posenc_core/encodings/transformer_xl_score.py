"""The attention score of Transformer-XL, term by term (Dai et al. 2019, section 3.3)."""

import math
from typing import Any

import numpy as np
from msgspec import Struct

from posenc_core.fields import shortened
from posenc_core.numerics import FloatArray


class Score(Struct, frozen=True):
    """The four terms of ``A_ij`` as the paper letters them, and the width of the head.

    ``content`` (a) is ``q.k``, ``position`` (b) ``q.(W_kR R)``, ``content_bias`` (c) ``u.k`` and ``position_bias``
    (d) ``v.(W_kR R)``.
    """

    content: float
    position: float
    content_bias: float
    position_bias: float
    d_head: int

    @property
    def total(self) -> float:
        """The sum of the four terms."""
        return self.content + self.position + self.content_bias + self.position_bias

    @property
    def scaled(self) -> float:
        """The logit: the sum over ``sqrt(d_head)``."""
        return self.total / math.sqrt(self.d_head)


def four_terms(q: Any, k: Any, u: Any, v: Any, r: FloatArray, projection: Any | None) -> Score:
    """The terms for vectors ``(d_head,)``, R of the distance ``(d,)`` and W_kR ``(d_head, d)``, None for identity.

    ValueError, with a sentence, for what is no vector or matrix of finite numbers, or of another size.
    """
    query = _finite(q, "q", 1)
    if projection is None:
        projected = r
    else:
        matrix = _finite(projection, "projection", 2)
        if matrix.shape != (len(query), len(r)):
            raise ValueError(f"projection must be of shape ({len(query)}, {len(r)}), got {matrix.shape}")
        projected = matrix @ r
    key, content, position = _finite(k, "k", 1), _finite(u, "u", 1), _finite(v, "v", 1)
    for name, vector in (("k", key), ("u", content), ("v", position), ("the projected R", projected)):
        if len(vector) != len(query):
            raise ValueError(f"{name} must have as many entries as q, {len(query)}, got {len(vector)}")
    return Score(
        content=float(query @ key),
        position=float(query @ projected),
        content_bias=float(content @ key),
        position_bias=float(position @ projected),
        d_head=len(query),
    )


def _finite(values: Any, name: str, rank: int) -> FloatArray:
    """The values as float64 of that rank; ValueError unless they are finite numbers."""
    kind = "vector" if rank == 1 else "matrix"
    try:
        array = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a {kind} of numbers, got {shortened(values)}") from None
    if array.ndim != rank or not array.size or not np.isfinite(array).all():
        raise ValueError(f"{name} must be a {kind} of finite numbers, got {shortened(values)}")
    return array
