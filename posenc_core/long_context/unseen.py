"""Angles that a model never saw in training: the positions at which the pairs leave their trained arcs."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.encodings import Encoding, at_length
from posenc_core.explain import ARC_ROUNDING, Derivation, unseen_derivation
from posenc_core.fields import SEQ_LEN, check_at_least, check_length, check_one_of
from posenc_core.long_context.angle_drift import NEVER, pairs_that_turn
from posenc_core.numerics import IntArray


class UnseenAngles(Struct, frozen=True):
    """First positions at which the pairs of an encoding reach angles outside their trained arc.

    ``first``: the first unseen position of each pair, int64 ``(n_pairs,)``, -1 if none is below the target length.
    ``is_complete``: the pairs that saw the full circle in training, bool ``(n_pairs,)``.
    """

    first: IntArray
    is_complete: npt.NDArray[np.bool_]

    @property
    def count(self) -> int:
        """The number of pairs that reach an unseen angle."""
        return int((self.first != NEVER).sum())


def _where_open(encoding: Encoding, length: int) -> Encoding:
    """The encoding in a text of this length, unless its scaling has the length of a text already."""
    return encoding if encoding.parameters().get(SEQ_LEN.name) is not None else at_length(encoding, length)


def unseen_angles(
    encoding: Encoding, trained_length: int, target_length: int, longest_distance: int | None = None
) -> UnseenAngles:
    """The first position below ``target_length`` at which each pair has an angle that training did not show.

    ``encoding`` has the scaling; its pairs were trained without it, at positions up to ``trained_length`` L. LongRoPE
    without ``seq_len`` is evaluated at the target length. A pair with ``theta_i L >= 2 pi`` saw the full circle. The
    others saw the arc from 0 to ``theta_i L``, and leave it at ``floor(theta_i L / theta'_i) + 1``, theta' the scaled
    frequency. Both lengths are in positions, L at least 1. Scores depend on angles of distances: if a window or a chunk
    limits distances to ``longest_distance`` >= 0 tokens, in training as well, both lengths count up to it, while a
    scaling still follows the text. For a rotation with changed distances, positions are the changed ones, up to the
    farthest. ValueError for a target below L, and for a family without pairs that turn. Source: the argument of Chen et
    al. 2023 (arXiv 2306.15595), section 2.2, for each pair by itself.
    """
    length, target = _lengths(trained_length, target_length)
    pairs = pairs_that_turn(_where_open(encoding, target), "unseen angles need")
    length, target = _seen(encoding, length, target, longest_distance)
    with np.errstate(over="ignore"):  # a rate or a slowdown near the end of float64 reaches farther than any text
        is_complete = pairs.unscaled * length >= 2 * math.pi
        reach = pairs.slowdowns * length * (1 + ARC_ROUNDING)
    leaves = ~is_complete & (pairs.frequencies > 0) & (reach + 1 < target)
    first = np.full(pairs.n_pairs, NEVER, np.int64)
    first[leaves] = np.floor(reach[leaves]).astype(np.int64) + 1
    first[first >= target] = NEVER
    return UnseenAngles(first, is_complete)


def explain_unseen(
    encoding: Encoding, pair: int, trained_length: int, target_length: int, longest_distance: int | None = None
) -> Derivation:
    """The derivation of a pair's first unseen position, -1 if there is none; errors as ``unseen_angles``.

    IndexError for a pair outside the table.
    """
    length, target = _lengths(trained_length, target_length)
    pairs = pairs_that_turn(_where_open(encoding, target), "unseen angles need")
    pair = check_one_of(pair, "pair", pairs.n_pairs)
    first = int(unseen_angles(encoding, length, target, longest_distance).first[pair])
    frequencies = float(pairs.unscaled[pair]), float(pairs.frequencies[pair])
    return unseen_derivation(pair, frequencies, _seen(encoding, length, target, longest_distance), first)


def distances_seen(encoding: Encoding, n_positions: int) -> int:
    """Number of distances that the encoding sees in a text of that many positions, fewer if it changes distances."""
    rule = None if encoding.rotation is None else encoding.rotation.distance_rule
    return n_positions if rule is None else int(rule.farthest(n_positions)) + 1


def _seen(encoding: Encoding, length: int, target: int, longest_distance: Any) -> tuple[int, int]:
    """The numbers of distances that attention sees in texts of these lengths; ValueError for a distance below 0."""
    target = distances_seen(encoding, target)
    if longest_distance is None:
        return length, target
    most = check_at_least(longest_distance, "longest_distance", 0) + 1
    return min(length, most), min(target, most)


def _lengths(trained_length: Any, target_length: Any) -> tuple[int, int]:
    length, target = check_length(trained_length, "trained_length"), check_length(target_length, "target_length")
    if target < length:
        raise ValueError(f"target_length must be at least trained_length = {length}, got {target}")
    return length, target
