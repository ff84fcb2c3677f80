"""Effects of two mistakes in the layout of rotary pairs on a score, the turns of pairs, and the roles of columns."""

from itertools import pairwise
from typing import Any

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Encoding, Rotation, n_whole_pairs, pair_members, turning_pairs
from posenc_core.fields import check_position, check_positions, check_vector
from posenc_core.numerics import FloatArray, IntArray, blocks

_ENTRIES_AT_A_TIME = 1 << 18
_FINE = 16
"""Number of neighbouring places whose cosines are derived from those of one place."""


class Way(Struct, frozen=True):
    """One way to rotate a query and a key: its name, the score, and the squared lengths after the rotation."""

    name: str
    score: float
    query_square: float
    key_square: float


def three_ways(encoding: Encoding, q: Any, k: Any, query: int, key: int) -> tuple[Way, Way, Way]:
    """The score of a query and a key ``(head_dim,)`` at two positions: right, wrong convention, broken code.

    ``right`` rotates by the encoding. ``wrong convention`` pairs the columns in the other layout, as if the weights
    were made for it. It is still a rotation: it preserves lengths, and scores depend on the distance alone.
    ``broken code`` lays out cosines and sines in the encoding's pairing and combines columns in the other: not a
    rotation, so that both properties are lost. ValueError for a family other than RoPE and for vectors of another
    length.
    """
    places = check_position(query), check_position(key)
    found = []
    for name, *turned in _turned_ways(_rotation(encoding), q, k, np.array([places[0]]), np.array([places[1]])):
        of_query, of_key = (each[0] for each in turned)
        found.append(Way(name, float(of_query @ of_key), float(of_query @ of_query), float(of_key @ of_key)))
    return found[0], found[1], found[2]


def way_scores(encoding: Encoding, q: Any, k: Any, query: int, key: int, shifts: Any) -> FloatArray:
    """The scores of ``three_ways`` with each shift added to both positions, float64 ``(3, n_shifts)``.

    ``shifts`` are integers in tokens. ValueError as for ``three_ways``.
    """
    rows, places = check_positions(shifts), (check_position(query), check_position(key))
    rotation = _rotation(encoding)
    x, y = check_vector(q, "q", rotation.head_dim), check_vector(k, "k", rotation.head_dim)
    ways = _layouts(rotation)
    return np.array([_shifted_scores(rotation, x, y, places, rows, *way) for _, *way in ways]).reshape(3, len(rows))


def _shifted_scores(
    rotation: Rotation,
    x: FloatArray,
    y: FloatArray,
    places: tuple[int, int],
    shifts: IntArray,
    angles: bool,
    turn: bool,
) -> FloatArray:
    """The scores of a query and a key at two places plus each shift, float64 ``(n_shifts,)``; layouts as ``_rotated``.

    A column's product is that of two angles a and b: cosines and sines of a - b, which no shift changes, and of a + b.
    """
    of_query, of_key = ((part, _turned(part, turn)) for part in (_rotary_part(rotation, each) for each in (x, y)))
    same, crossed = of_query[0] * of_key[0], of_query[0] * of_key[1]
    twice, back = of_query[1] * of_key[1], of_query[1] * of_key[0]
    apart = rotation.direction * rotation.pairs.wrapped * (places[0] - places[1])
    still = _by_pair(same + twice, angles) @ np.cos(apart) + _by_pair(back - crossed, angles) @ np.sin(apart)
    moving = _by_pair(same - twice, angles) / 2, _by_pair(crossed + back, angles) / 2
    moved = _waves(rotation, *moving, sum(places) + 2 * shifts)
    passing = x @ y - _rotary_part(rotation, x) @ _rotary_part(rotation, y) if rotation.n_columns < len(x) else 0.0
    factor = rotation.attention_factor * rotation.attention_factor  # inf beyond float64, where a power would raise
    return np.asarray(passing + factor * (still / 2 + moved))


def query_alone_scores(encoding: Encoding, q: Any, k: Any, query: int, shifts: Any) -> FloatArray:
    """The scores of a query rotated to its position plus each shift, with a key that is not rotated, float64.

    ``(n_shifts,)``; arguments and errors as for ``way_scores``.
    """
    rows, rotation = check_positions(shifts) + check_position(query), _rotation(encoding)
    layout, key = rotation.pairs.is_interleaved, check_vector(k, "k", rotation.head_dim)
    return _rotated(rotation, check_vector(q, "q", rotation.head_dim), rows, layout, layout) @ key


def full_angles(encoding: Encoding, position: int) -> FloatArray:
    """The angle of each pair at a position with all its whole turns, float64 ``(n_pairs,)`` in rad.

    It is negative for pairs with a negative direction, and includes an offset; inf beyond float64. ValueError for a
    family without pairs that turn with the position or with the coordinates of a grid's cell.
    """
    pairs, cells = turning_pairs(encoding), encoding.cells
    if cells is not None:
        return np.asarray(cells.angles(np.array([check_position(position)]), cells.pairs_of(""))[0])
    if pairs is None:
        raise ValueError(f"{encoding.title} has no pairs that turn")
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(pairs.turning * (check_position(position) + pairs.shift))


class ColumnRun(Struct, frozen=True):
    """Columns ``first..stop-1`` of a token's vector with one role: ``turning``, ``standing still`` or ``passing``."""

    first: int
    stop: int
    role: str


ROLES = ("turning", "standing still", "passing")
"""A pair with a frequency, a pair of frequency 0, and a column without a pair, which no rotation changes."""


def column_roles(encoding: Encoding) -> tuple[ColumnRun, ...]:
    """Roles of the columns of a token's vector in a rotation or a sum, as runs of one role from the first column on."""
    roles = np.full(max(encoding.combination.width, encoding.n_columns), ROLES.index("passing"))
    pairs = np.arange(n_whole_pairs(encoding))
    is_still = encoding.frequencies()[: len(pairs)] == 0
    for members in head_columns(encoding, pairs):
        roles[members] = np.where(is_still, ROLES.index("standing still"), ROLES.index("turning"))
    edges = [0, *(np.flatnonzero(np.diff(roles)) + 1).tolist(), len(roles)]
    return tuple(ColumnRun(first, stop, ROLES[roles[first]]) for first, stop in pairwise(edges))


def head_columns(encoding: Encoding, pairs: IntArray) -> tuple[IntArray, IntArray]:
    """The two columns of a token's vector that each whole pair acts on, the lower first, int64 ``(n_pairs,)`` each."""
    one, other = pair_members(encoding, pairs)
    first = encoding.combination.first
    return np.minimum(one, other) + first, np.maximum(one, other) + first


def _rotation(encoding: Encoding) -> Rotation:
    if encoding.rotation is None:
        raise ValueError(f"pair layouts exist for RoPE only: {encoding.title} does not rotate")
    return encoding.rotation


def _turned_ways(
    rotation: Rotation, q: Any, k: Any, queries: IntArray, keys: IntArray
) -> list[tuple[str, FloatArray, FloatArray]]:
    """The name of each way, and the query and the key that it turns to each of their positions."""
    query, key = check_vector(q, "q", rotation.head_dim), check_vector(k, "k", rotation.head_dim)
    return [
        (name, _rotated(rotation, query, queries, angles, turn), _rotated(rotation, key, keys, angles, turn))
        for name, angles, turn in _layouts(rotation)
    ]


def _layouts(rotation: Rotation) -> tuple[tuple[str, bool, bool], ...]:
    """The name of each way, and whether its angles and its turns are interleaved."""
    own, other = rotation.pairs.is_interleaved, not rotation.pairs.is_interleaved
    return ("right", own, own), ("wrong convention", other, other), ("broken code", own, other)


def _rotary_part(rotation: Rotation, vector: FloatArray) -> FloatArray:
    """The columns that are rotated."""
    return vector[rotation.first_column : rotation.first_column + rotation.n_columns]


def _turned(x: FloatArray, is_interleaved: bool) -> FloatArray:
    """The columns that the sines are multiplied by."""
    if is_interleaved:
        return np.stack([-x[1::2], x[0::2]], axis=1).ravel()
    return np.concatenate([-x[len(x) // 2 :], x[: len(x) // 2]])


def _by_pair(numbers: FloatArray, is_interleaved: bool) -> FloatArray:
    """The sums over the two columns that have a pair's angle, float64 ``(n_pairs,)``."""
    return np.asarray(numbers.reshape((-1, 2) if is_interleaved else (2, -1)).sum(axis=int(is_interleaved)))


def _waves(rotation: Rotation, cosines: FloatArray, sines: FloatArray, places: IntArray) -> FloatArray:
    """``sum_i cosines_i cos(w_i p) + sines_i sin(w_i p)`` at each place p, float64 ``(n_places,)``.

    Each place is a coarse plus a fine place, so that few angles are evaluated and the rest are matrix products.
    """
    if not (cosines.any() or sines.any()):
        return np.zeros(len(places))
    frequencies = rotation.direction * rotation.pairs.wrapped
    coarse, which = np.unique(places // _FINE, return_inverse=True)
    fine = np.multiply.outer(frequencies, np.arange(_FINE))
    near, across = np.cos(fine), np.sin(fine)
    found = np.empty((len(coarse), _FINE))
    for some in blocks(len(coarse), len(frequencies), _ENTRIES_AT_A_TIME):
        angles = np.multiply.outer(coarse[some] * _FINE, frequencies)
        cosine, sine = np.cos(angles), np.sin(angles)
        found[some] = (cosines * cosine + sines * sine) @ near + (sines * cosine - cosines * sine) @ across
    return found[which.ravel(), places % _FINE]


def _rotated(
    rotation: Rotation, vector: FloatArray, positions: IntArray, is_interleaved: bool, turns_interleaved: bool
) -> FloatArray:
    """``x cos + turned(x) sin`` over the rotated columns, with separate layouts for the angles and for the turn.

    A row for each position, float64 ``(n_positions, head_dim)``.
    """
    first, width = rotation.first_column, rotation.n_columns
    angles = rotation.direction * rotation.pairs.wrapped * positions[:, np.newaxis]
    laid_out = np.repeat(angles, 2, axis=1) if is_interleaved else np.tile(angles, (1, 2))
    x = _rotary_part(rotation, vector)
    turned = _turned(x, turns_interleaved)
    rotated = np.tile(vector, (len(positions), 1))
    rotated[:, first : first + width] = rotation.attention_factor * (x * np.cos(laid_out) + turned * np.sin(laid_out))
    return rotated
