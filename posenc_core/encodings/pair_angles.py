"""The angles of a table whose columns are sines and cosines in pairs: one for each pair, without whole turns."""

from typing import TYPE_CHECKING

import numpy as np

from posenc_core.numerics import FloatArray, IntArray

if TYPE_CHECKING:
    from posenc_core.encodings import Encoding


def n_whole_pairs(encoding: "Encoding") -> int:
    """How many pairs have both a sine and a cosine; 0 where columns are no pairs."""
    runs = encoding.column_blocks()
    if encoding.n_columns < 2 or encoding.column_info(0).pair is None:
        return 0
    if len(runs) > 1:
        return runs[1][1] - runs[1][0]
    return runs[0][1] // 2 if encoding.column_info(1).pair == 0 else 0


def pair_members(encoding: "Encoding", pairs: IntArray) -> tuple[IntArray, IntArray]:
    """The columns with the sines and with the cosines of whole pairs, int64 ``(n_pairs,)`` each."""
    blocks = encoding.column_blocks()
    first, second = (pairs, pairs + blocks[1][0]) if len(blocks) > 1 else (2 * pairs, 2 * pairs + 1)
    return (first, second) if encoding.column_info(0).part == "sin" else (second, first)


def pair_of(encoding: "Encoding", column: int) -> int | None:
    """The whole pair that a column belongs to; None for a sine without a cosine and for padding."""
    pair = encoding.column_info(column).pair
    return pair if pair is not None and pair < n_whole_pairs(encoding) else None


def pair_angles(encoding: "Encoding", positions: IntArray, pairs: IntArray) -> FloatArray:
    """The angle of each whole pair at each position in rad, float64 ``(n_positions, n_pairs)``, above -pi up to pi.

    It is that of the table's own sine and cosine, so that an offset, a sign or a scaling is in it.
    """
    sines, cosines = pair_members(encoding, pairs)
    return np.arctan2(encoding.values(positions, sines), encoding.values(positions, cosines))
