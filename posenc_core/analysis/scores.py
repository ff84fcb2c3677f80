"""Scores by distance: the positional part of the score of a query and a key, and its softmax weights.

Distances are key - query, in tokens, as the positions of relative families are.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from posenc_core.encodings import MODES, Encoding, Scores, known_values
from posenc_core.explain import Derivation, Step
from posenc_core.fields import check_length, check_one_of, check_position, check_positions, shortened
from posenc_core.numerics import FloatArray


def score_by_distance(
    encoding: Encoding, distances: Any, mode: str = "ones", q: Any = None, k: Any = None
) -> FloatArray:
    """The score of a query and a key at each distance, float64 ``(n_distances,)``; before the division by sqrt(d).

    RoPE, a the attention factor: ``ones`` is ``2 a**2 sum_i cos(distance theta_i)``, the score of the rotated columns
    of ones; ``bound`` is RoFormer's mean of ``|S_j|`` (``decay_bound``); ``independent`` is the mean for independent
    standard normal queries and keys, 0 at every distance: ``score_spread`` gives the deviation; ``typed`` is the score
    of ``q`` and ``k`` ``(head_dim,)``, in which columns that are not rotated keep their product.

    For vectors by distance, as those of Shaw and Transformer-XL: the product of the query with the distance's vector,
    for a query of ``ones``, an ``independent`` or a ``typed`` query ``(d,)``. For biases, as those of T5 and ALiBi, in
    every mode: the bias of each head, ``(n_heads, n_distances)``.

    ValueError for other families, which have no score by distance, for a mode that the family does not have,
    and for vectors of another length. Sources: Su et al. 2021, sections 3.4.2 and 3.4.3; Shaw et al. 2018, eq. 3; Dai
    et al. 2019, section 3.3 (b); Raffel et al. 2020, section 2.1; Press et al. 2022, section 3.
    """
    rows = check_positions(distances)
    return _scores(encoding, mode).by_distance(rows, mode, q, k)


def score_spread(encoding: Encoding, distances: Any) -> FloatArray:
    """Standard deviation of the score of independent standard normal q and k at each distance, ``(n_distances,)``.

    RoPE: exactly ``a**2 sqrt(r)`` over the r rotated columns at every distance: rotation alone causes no decay. Shaw
    and Transformer-XL: the length of the distance's vector, for a normal query. ValueError for other families.
    """
    rows = check_positions(distances)
    return _scores(encoding, "independent").spread(rows)


def softmax_weights(scores: Any) -> FloatArray:
    """The softmax of scores along their last axis, float64 of the same shape; the weights of a row sum to 1.

    ValueError for an empty row, and for a score that is not finite.
    """
    numbers = np.asarray(scores, np.float64)
    if not numbers.ndim or not numbers.shape[-1]:
        raise ValueError("a row of weights needs at least one score")
    if not np.isfinite(numbers).all():
        raise ValueError("scores must be finite numbers")
    powers = np.exp(numbers - numbers.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def row_weights(encoding: Encoding, n_keys: int, mode: str = "ones", q: Any = None, k: Any = None) -> FloatArray:
    """The attention weights of the last of ``n_keys`` tokens, float64 ``(n_keys,)`` or ``(n_heads, n_keys)``.

    The softmax of ``score_by_distance`` at the distances 1 - n_keys..0, over ``sqrt(d)`` and times the scaling's factor
    of the softmax for RoPE, over ``sqrt(d)`` for Shaw and Transformer-XL, and unscaled for biases. The part of the
    tokens' contents is left out. ValueError for the modes ``bound`` and ``independent``, which are not scores.
    """
    count = check_length(n_keys, "n_keys")
    seen = encoding.seen_from(count - 1)
    if mode in ("bound", "independent") and not (seen.scores and seen.scores.n_heads):
        raise ValueError(f"the mode {mode} has no attention weights: choose ones or typed")
    scores = score_by_distance(seen, np.arange(1 - count, 1), mode, q, k)
    return softmax_weights(_scores(seen, mode).logits(scores))


def bias_of_head(encoding: Encoding, head: int, distances: Any) -> FloatArray:
    """The bias of one head at each distance, float64 ``(n_distances,)``; nan at a distance without a value.

    ValueError for families without biases, IndexError for a head that the encoding does not have.
    """
    return biases_of_heads(encoding, [head], distances)[:, 0]


def biases_of_heads(encoding: Encoding, heads: Sequence[int], distances: Any) -> FloatArray:
    """The biases of some heads, float64 ``(n_distances, n_heads)``; errors as ``bias_of_head``."""
    if encoding.scores is None or not encoding.scores.n_heads:
        raise ValueError(f"{encoding.title} has no biases by head; among others T5 and ALiBi have them")
    checked = [check_one_of(head, "head", encoding.n_columns) for head in heads]
    return known_values(encoding, check_positions(distances), np.array(checked, np.int64))


def explain_score(
    encoding: Encoding, distance: int, mode: str = "ones", q: Any = None, k: Any = None, head: int = 0
) -> Derivation:
    """The derivation of ``score_by_distance`` at a distance key - query, of a bias for one ``head``. Errors as there.

    IndexError for a head that the encoding does not have.
    """
    apart = check_position(distance)
    scores = _scores(encoding, mode)
    if mode == "independent" and not scores.n_heads:
        step = Step("queries and keys are independent with mean 0: so is their score", r"E[q \cdot k] = 0", 0.0)
        symbol = f"score({-apart})"
        return Derivation(symbol, f"{symbol} = 0", "E[s] = 0", "print(0.0)\n", (step,))
    return scores.derivation(apart, mode, q, k, head)


def _scores(encoding: Encoding, mode: str) -> Scores:
    """The scores of the encoding; ValueError for a family without scores, and for a mode that it does not have."""
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)}, got {shortened(mode)}")
    scores = encoding.scores
    if scores is None:
        raise ValueError(f"{encoding.title} has no scores by distance; among others RoPE, ALiBi, T5 and Shaw have them")
    if mode == "bound" and not scores.is_bounded:
        raise ValueError(f"RoFormer's bound exists for RoPE only: {encoding.title} has none")
    return scores
