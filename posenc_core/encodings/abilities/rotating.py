"""Rotations of queries and keys by the cosines and sines of a table."""

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from posenc_core.encodings.base import Encoding
from posenc_core.fields import check_positions, shortened
from posenc_core.numerics import Float32Array, FloatArray, IntArray


class _Turning(Protocol):
    """A table of cosines and sines of pairs, the cosine in the first column of each."""

    @property
    def n_columns(self) -> int: ...
    @property
    def head_dim(self) -> int: ...
    @property
    def pairing(self) -> str: ...
    def values(self, positions: IntArray, columns: IntArray) -> FloatArray: ...
    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array: ...


def at_length(encoding: Encoding, length: int) -> Encoding:
    """The encoding in a text of this length in positions, which LongRoPE's list and dynamic NTK's base follow."""
    rotation = encoding.rotation
    if rotation is None or rotation.scaling is None:
        return encoding
    scaling = rotation.scaling.at_length(length)
    return encoding if scaling is rotation.scaling else rotation.scaled_by(scaling)


def rotated(table: _Turning, x: Any, positions: Any, first_column: int = 0) -> npt.NDArray[np.floating[Any]]:
    """Queries or keys rotated to their positions; the shape of ``x``.

    ``x``: real numbers ``(..., T, head_dim)``, ``positions``: T integers, ``first_column``: the head's column that the
    table's first column rotates. Other columns are unchanged. float16 and float32 are computed in float32, all else in
    float64; the result has the type of x, or float64 if x is not of a float type. TypeError or ValueError with a
    sentence for anything else. Source: RoFormer, eq. 34.
    """
    rows = check_positions(positions)
    try:
        given = np.asarray(x)
    except ValueError:  # rows of unequal length
        raise ValueError(f"x must be an array of real numbers, got {shortened(x)}") from None
    if given.dtype.kind not in "iuf":
        raise TypeError(f"x must be an array of real numbers, got {given.dtype}")
    if given.shape[-2:] != (len(rows), table.head_dim):
        raise ValueError(
            f"x must have the shape (..., {len(rows)}, {table.head_dim}) for {len(rows)} positions "
            f"and head_dim = {table.head_dim}, got {shortened(given.shape)}"
        )
    is_single = given.dtype in (np.float16, np.float32)
    working: npt.NDArray[Any] = given.astype(np.float32 if is_single else np.float64)
    entries: npt.NDArray[Any] = (table.encode if is_single else table.values)(rows, np.arange(table.n_columns))
    half = table.n_columns // 2
    is_interleaved = table.pairing == "interleaved"
    first, second = (slice(0, None, 2), slice(1, None, 2)) if is_interleaved else (slice(0, half), slice(half, None))
    cosine, sine = entries[:, first], entries[:, second]
    result, columns = working.copy(), slice(first_column, first_column + table.n_columns)
    before, after = working[..., columns], result[..., columns]
    after[..., first] = before[..., first] * cosine - before[..., second] * sine
    after[..., second] = before[..., first] * sine + before[..., second] * cosine
    return result.astype(given.dtype if given.dtype.kind == "f" else np.float64, copy=False)


def turned(table: _Turning, vectors: FloatArray, positions: IntArray, first_column: int = 0) -> FloatArray:
    """The rotated vectors, float64; inf or nan for a number beyond float64."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(rotated(table, vectors, positions, first_column), np.float64)
