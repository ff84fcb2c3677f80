"""What two mistakes in the layout of rotary pairs do to a score, and how far each pair has turned."""

import math
from typing import Any

import numpy as np
from msgspec import Struct

from posenc_core.analysis.scores import check_vector
from posenc_core.encodings import Encoding, Rotary
from posenc_core.fields import check_position
from posenc_core.numerics import FloatArray


class Way(Struct, frozen=True):
    """One way to rotate a query and a key: its name, the score, and the squared lengths after the rotation."""

    name: str
    score: float
    query_square: float
    key_square: float


def three_ways(rotary: Rotary, q: Any, k: Any, query: int, key: int) -> tuple[Way, Way, Way]:
    """The score of a query and a key ``(head_dim,)`` at two positions: right, wrong convention, broken code.

    ``right`` rotates as the encoding says. ``wrong convention`` pairs the columns in the other layout, as if the
    weights were made for it: it still is a rotation, so that lengths and the dependence on the distance alone remain.
    ``broken code`` lays out cosines and sines in the encoding's pairing and rotates in the other, which is no rotation:
    both are lost. ValueError for a family other than RoPE and for vectors of another length.
    """
    if not isinstance(rotary, Rotary):
        raise ValueError(f"layouts of pairs are those of RoPE: {rotary.title} rotates nothing")
    vectors = check_vector(q, "q", rotary.head_dim), check_vector(k, "k", rotary.head_dim)
    places = check_position(query), check_position(key)
    own, other = rotary.is_interleaved, not rotary.is_interleaved
    ways = (("right", own, own), ("wrong convention", other, other), ("broken code", own, other))
    return tuple(  # type: ignore[return-value]
        _way(name, *(_rotated(rotary, *each, angles, turn) for each in zip(vectors, places, strict=True)))
        for name, angles, turn in ways
    )


def turn_fractions(encoding: Encoding, position: int) -> FloatArray:
    """The turns of each pair at a position less whole ones, float64 ``(n_pairs,)`` from 0 up to 1.

    ValueError for a family without pairs.
    """
    frequencies = encoding.wrapped_frequencies()
    if not len(frequencies):
        raise ValueError(f"{encoding.title} has no pairs that turn")
    return np.mod(frequencies * check_position(position) / (2 * math.pi), 1.0)


def _way(name: str, query: FloatArray, key: FloatArray) -> Way:
    return Way(name, float(query @ key), float(query @ query), float(key @ key))


def _rotated(
    rotary: Rotary, vector: FloatArray, position: int, is_interleaved: bool, turns_interleaved: bool
) -> FloatArray:
    """``x cos + turned(x) sin`` over the rotated columns, the angles laid out one way, the turn by the other."""
    first, width = rotary.first_column, rotary.n_columns
    angles = rotary.direction * rotary.wrapped_frequencies() * position
    laid_out = np.repeat(angles, 2) if is_interleaved else np.tile(angles, 2)
    x = vector[first : first + width]
    if turns_interleaved:
        turned = np.stack([-x[1::2], x[0::2]], axis=1).ravel()
    else:
        turned = np.concatenate([-x[width // 2 :], x[: width // 2]])
    rotated = vector.copy()
    rotated[first : first + width] = rotary.attention_factor * (x * np.cos(laid_out) + turned * np.sin(laid_out))
    return rotated
