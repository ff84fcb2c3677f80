"""Scores by distance: what positions alone give to a query and a key, and the weights that a softmax makes of them.

Distances are key - query, in tokens, as the positions of relative families are.
"""

import math
from typing import Any

import numpy as np

from posenc_core.analysis.pair_waves import decay_bound, score_of_ones
from posenc_core.encodings import (
    Alibi,
    Encoding,
    Rotary,
    ShawRelative,
    T5Bias,
    TransformerXLRelative,
    pair_members,
)
from posenc_core.fields import check_length, check_one_of, check_positions, shortened
from posenc_core.numerics import FloatArray, IntArray

MODES = ("ones", "bound", "independent", "typed")
"""q = k = ones; RoFormer's bound; independent standard normal numbers; the given q and k."""

_ENTRIES_AT_A_TIME = 1 << 18


def score_by_distance(
    encoding: Encoding, distances: Any, mode: str = "ones", q: Any = None, k: Any = None
) -> FloatArray:
    """The score of a query and a key at each distance, float64 ``(n_distances,)``; before the division by sqrt(d).

    RoPE, a the attention factor: ``ones`` is ``2 a**2 sum_i cos(distance theta_i)``, the score of the rotated columns
    of ones; ``bound`` is RoFormer's mean of ``|S_j|`` (``decay_bound``); ``independent`` is the mean for independent
    standard normal queries and keys, 0 at every distance: ``score_spread`` gives the deviation; ``typed`` is the score
    of ``q`` and ``k`` ``(head_dim,)``, in which columns that are not rotated keep their product.

    Shaw and Transformer-XL have the product of the query with the distance's vector, for a query of ``ones``, an
    ``independent`` or a ``typed`` one ``(d,)``. T5 and ALiBi have a bias for each head, whatever the mode:
    ``(n_heads, n_distances)``.

    ValueError for other families, whose positions give no score by distance, for a mode that the family does not have,
    and for vectors of another length. Sources: Su et al. 2021, sections 3.4.2 and 3.4.3; Shaw et al. 2018, eq. 3; Dai
    et al. 2019, section 3.3 (b); Raffel et al. 2020, section 2.1; Press et al. 2022, section 3.
    """
    rows = check_positions(distances)
    _check_mode(encoding, mode)
    if isinstance(encoding, T5Bias | Alibi):
        return encoding.values(rows, np.arange(encoding.n_columns)).T
    if mode == "independent":
        return np.zeros(len(rows))
    if isinstance(encoding, Rotary):
        return _rotary_scores(encoding, rows, mode, q, k)
    query = check_vector(q, "q", encoding.n_columns) if mode == "typed" else np.ones(encoding.n_columns)
    return _products(encoding, rows, lambda vectors: vectors @ query)


def score_spread(encoding: Encoding, distances: Any) -> FloatArray:
    """Standard deviation of the score of independent standard normal q and k at each distance, ``(n_distances,)``.

    RoPE: ``a**2 sqrt(r)`` over the r rotated columns at every distance, exact: rotation alone brings no decay. Shaw and
    Transformer-XL: the length of the distance's vector, for a normal query. ValueError for other families.
    """
    rows = check_positions(distances)
    _check_mode(encoding, "independent")
    if isinstance(encoding, T5Bias | Alibi):
        raise ValueError(f"the biases of {encoding.title} do not depend on queries and keys: they have no spread")
    if isinstance(encoding, Rotary):
        with np.errstate(over="ignore"):
            return np.full(len(rows), np.square(encoding.attention_factor) * math.sqrt(encoding.n_columns))
    return _products(encoding, rows, lambda vectors: np.sqrt(np.square(vectors).sum(axis=1)))


def softmax_weights(scores: Any) -> FloatArray:
    """The softmax of scores along their last axis, float64 of the same shape; the weights of a row sum to 1.

    ValueError for an empty row, and for a score that is no finite number.
    """
    numbers = np.asarray(scores, np.float64)
    if not numbers.ndim or not numbers.shape[-1]:
        raise ValueError("a row of weights needs at least one score")
    if not np.isfinite(numbers).all():
        raise ValueError("scores must be finite numbers")
    powers = np.exp(numbers - numbers.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def row_weights(encoding: Encoding, n_keys: int, mode: str = "ones", q: Any = None, k: Any = None) -> FloatArray:
    """The weights of the last of ``n_keys`` tokens for all of them, float64 ``(n_keys,)`` or ``(n_heads, n_keys)``.

    The softmax of ``score_by_distance`` at the distances 1 - n_keys..0, over ``sqrt(d)`` and times the scaling's factor
    of the softmax for RoPE, over ``sqrt(d)`` for Shaw and Transformer-XL, and as it is for biases. What the tokens' own
    contents add to the scores is left out. ValueError for the modes ``bound`` and ``independent``, which are no scores.
    """
    count = check_length(n_keys, "n_keys")
    if mode in ("bound", "independent") and not isinstance(encoding, T5Bias | Alibi):
        raise ValueError(f"the mode {mode} gives no scores to weigh keys by: choose ones or typed")
    scores = score_by_distance(encoding, np.arange(1 - count, 1), mode, q, k)
    if isinstance(encoding, Rotary):
        scores = scores * (encoding.softmax_scale_factor / math.sqrt(encoding.head_dim))
    elif not isinstance(encoding, T5Bias | Alibi):
        scores = scores / math.sqrt(encoding.n_columns)
    return softmax_weights(scores)


def bias_of_head(encoding: Encoding, head: int, distances: Any) -> FloatArray:
    """The bias of one head at each distance, float64 ``(n_distances,)``.

    ValueError for families without biases, IndexError for a head that the encoding does not have.
    """
    if not isinstance(encoding, T5Bias | Alibi):
        raise ValueError(f"{encoding.title} has no biases by head: T5 and ALiBi have them")
    checked = check_one_of(head, "head", encoding.n_columns)
    return encoding.values(check_positions(distances), np.array([checked]))[:, 0]


def pair_products(rotary: Rotary, q: Any, k: Any) -> tuple[FloatArray, FloatArray, float]:
    """What a query and a key ``(head_dim,)`` give a score: ``sum_i (A_i cos + B_i sin)(distance theta_i) + C``.

    A and B ``(n_pairs,)`` without the attention factor, C the product of the columns that are not rotated; the
    distance is key - query. ValueError with a sentence for vectors of another length. Source: Su et al. 2021, eq. 16.
    """
    query, key = check_vector(q, "q", rotary.head_dim), check_vector(k, "k", rotary.head_dim)
    sines, cosines = pair_members(rotary, np.arange(rotary.n_pairs))
    one, other = cosines + rotary.first_column, sines + rotary.first_column  # a pair's first column has the cosine
    passed = np.ones(rotary.head_dim, bool)
    passed[np.concatenate([one, other])] = False
    straight = query[one] * key[one] + query[other] * key[other]
    crossed = rotary.direction * (query[other] * key[one] - query[one] * key[other])
    return straight, crossed, float(query[passed] @ key[passed])


def check_vector(values: Any, name: str, width: int) -> FloatArray:
    """The values as float64 ``(width,)``; ValueError for another length and for anything but finite numbers."""
    if values is None:
        raise ValueError(f"the mode typed needs {name}, a vector of {width} numbers")
    try:
        given = np.asarray(values)
        if given.dtype.kind not in "iufO":  # no truth values, complex numbers or texts
            raise TypeError
        vector = given.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be a vector of {width} numbers, got {shortened(values)}") from None
    if vector.shape != (width,):
        got = f"{len(vector)}" if vector.ndim == 1 else f"the shape {shortened(vector.shape)}"
        raise ValueError(f"{name} must have {width} numbers, as many as the head has columns, got {got}")
    if not np.isfinite(vector).all():
        raise ValueError(f"{name} must have finite numbers")
    return vector


def _rotary_scores(rotary: Rotary, rows: IntArray, mode: str, q: Any, k: Any) -> FloatArray:
    with np.errstate(over="ignore", invalid="ignore"):
        square = np.square(rotary.attention_factor)
        if mode == "ones":
            return np.asarray(2 * square * score_of_ones(rotary, rows))
        if mode == "bound":
            return decay_bound(rotary, rows)
        straight, crossed, passed = pair_products(rotary, q, k)
        scores = np.empty(len(rows))
        tall = max(1, _ENTRIES_AT_A_TIME // rotary.n_pairs)
        for first in range(0, len(rows), tall):
            angles = rows[first : first + tall, None] * rotary.wrapped_frequencies()
            scores[first : first + tall] = np.cos(angles) @ straight + np.sin(angles) @ crossed
        return np.asarray(square * scores + passed)


def _products(encoding: Encoding, rows: IntArray, product: Any) -> FloatArray:
    """A number of each distance's vector, some distances at a time."""
    columns, found = np.arange(encoding.n_columns), np.empty(len(rows))
    tall = max(1, _ENTRIES_AT_A_TIME // encoding.n_columns)
    for first in range(0, len(rows), tall):
        found[first : first + tall] = product(encoding.values(rows[first : first + tall], columns))
    return found


def _check_mode(encoding: Encoding, mode: str) -> None:
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}, got {shortened(mode)}")
    if not isinstance(encoding, Rotary | ShawRelative | TransformerXLRelative | T5Bias | Alibi):
        raise ValueError(f"{encoding.title} gives no scores by distance: RoPE, ALiBi, T5, Shaw and Transformer-XL do")
    if mode == "bound" and not isinstance(encoding, Rotary | T5Bias | Alibi):
        raise ValueError(f"RoFormer's bound is one of RoPE: {encoding.title} has none")
