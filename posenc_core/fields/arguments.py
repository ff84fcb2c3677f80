"""Checks of positions, columns and windows that callers pass; each error is one sentence."""

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core.fields.field import shortened
from posenc_core.numerics import FloatArray, IntArray

FARTHEST = 2**53
"""Larger positions are not distinct from their neighbours in float64."""


def check_positions(positions: Any) -> IntArray:
    """The positions as int64 ``(n,)``; TypeError unless they are integers in a row, ValueError past 2**53."""
    if isinstance(positions, range) and positions:  # numpy cannot hold the farthest ranges
        check_position(positions[0])
        check_position(positions[-1])
    integers = _integers(positions, "positions")
    if integers.size:
        check_position(integers.min())
        check_position(integers.max())
    return integers.astype(np.int64, copy=False)


def check_position(position: Any, name: str = "position") -> int:
    """The position as int; TypeError for anything but an integer, ValueError past 2**53."""
    checked = check_index(position, name)
    if abs(checked) > FARTHEST:
        raise ValueError(f"{name} must be between -2^53 and 2^53, got {shortened(checked)}")
    return checked


def check_columns(columns: Any, n_columns: int) -> IntArray:
    """The columns as int64 ``(m,)``, all of them for None; IndexError for one outside the table."""
    if columns is None:
        return np.arange(n_columns, dtype=np.int64)
    if isinstance(columns, slice):
        return np.arange(n_columns, dtype=np.int64)[columns]
    integers = _integers(columns, "columns")
    outside = integers[(integers < 0) | (integers >= n_columns)]
    if len(outside):
        raise IndexError(f"column {shortened(int(outside[0]))} is outside 0..{n_columns - 1}")
    return integers.astype(np.int64, copy=False)


def check_column(column: int, n_columns: int) -> None:
    """IndexError with a sentence for a column outside the table."""
    if not 0 <= column < n_columns:
        raise IndexError(f"column {shortened(int(column))} is outside 0..{n_columns - 1}")


def check_window(window: Any, name: str) -> tuple[float, float]:
    """The window (first, stop) as floats; ValueError unless it is finite and not empty."""
    try:
        first, stop = (_as_float(end) for end in window)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} must be two numbers (first, stop), got {shortened(window)}") from None
    if not (first < stop and max(abs(first), abs(stop)) <= FARTHEST):
        raise ValueError(f"{name} must be (first, stop) with first < stop, within 2^53 of 0, got ({first:g}, {stop:g})")
    return first, stop


def check_tile(
    positions: Any, columns: Any, shape: Any, n_columns: int, noun: str
) -> tuple[tuple[float, float], tuple[float, float], tuple[int, int]]:
    """The windows of positions and of columns, called ``noun``, and the shape; errors as ``tile`` names them."""
    rows, across = check_window(positions, "positions"), check_window(columns, noun)
    if across[0] < 0 or across[1] > n_columns:
        raise IndexError(f"{noun} must be within 0..{n_columns}, got ({across[0]:g}, {across[1]:g})")
    if not isinstance(shape, Sequence | np.ndarray) or len(shape) != 2:
        raise TypeError(f"shape must be two integers (rows, columns), got {shortened(shape)}")
    height, width = (check_index(size, "shape") for size in shape)
    if height < 1 or width < 1:
        raise ValueError(f"shape must be at least (1, 1), got ({height}, {width})")
    return rows, across, (height, width)


def check_picture(n_columns: int, columns: IntArray, positions: Any, pixels: int) -> tuple[float, float]:
    """The window of positions as floats; ValueError for an empty one or no pixels, IndexError for a column too far."""
    check_columns(columns, n_columns)
    if pixels < 1:
        raise ValueError(f"pixels must be at least 1, got {pixels}")
    return check_window(positions, "positions")


def check_length(value: Any, name: str) -> int:
    """The value as int; TypeError unless it is an integer, ValueError below 1."""
    return check_at_least(value, name, 1)


def check_at_least(value: Any, name: str, least: int) -> int:
    """The value as int; TypeError unless it is an integer, ValueError below ``least``."""
    checked = check_index(value, name)
    if checked < least:
        raise ValueError(f"{name} must be an integer >= {least}, got {shortened(checked)}")
    return checked


def check_one_of(value: Any, name: str, count: int) -> int:
    """The index of one of ``count`` things as int; TypeError unless it is an integer, IndexError outside 0..count-1."""
    checked = check_index(value, name)
    if not 0 <= checked < count:
        raise IndexError(f"{name} {shortened(checked)} is outside 0..{count - 1}")
    return checked


def check_index(value: Any, name: str) -> int:
    """The value as int; TypeError with a sentence for anything but an integer."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be an integer, got {shortened(value)} ({type(value).__name__})")
    return int(value)


def check_vector(values: Any, name: str, width: int) -> FloatArray:
    """The values as float64 ``(width,)``; ValueError for another length and for anything but finite numbers."""
    if values is None:
        raise ValueError(f"the mode typed needs {name}, a vector of {width} numbers")
    vector = as_reals(values, f"{name} must be a vector of {width} numbers")
    if vector.shape != (width,):
        got = f"{len(vector)}" if vector.ndim == 1 else f"the shape {shortened(vector.shape)}"
        raise ValueError(f"{name} must have {width} numbers, as many as the head has columns, got {got}")
    if not np.isfinite(vector).all():
        raise ValueError(f"{name} must have finite numbers")
    return vector


def as_reals(values: Any, rule: str, got: str = "") -> FloatArray:
    """The values as float64; ValueError for truth values, complex numbers, texts and rows of several lengths.

    Its sentence begins with ``rule`` and quotes ``got`` or the values.
    """
    try:
        given = np.asarray(values)
        if given.dtype.kind not in "iufO":  # no truth values, complex numbers or texts
            raise TypeError
        return given.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{rule}, got {got or shortened(values)}") from None


def _as_float(value: Any) -> float:
    """The number as float; TypeError for truth values and texts, which ``float`` takes."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise TypeError
    return float(value)


def _integers(values: Any, name: str) -> npt.NDArray[Any]:
    """The values as a one-dimensional array of integers; TypeError if they are anything else."""
    if isinstance(values, range):
        return np.arange(values.start, values.stop, values.step)
    try:
        array = np.asarray(values)
    except ValueError:  # rows of unequal length
        raise TypeError(f"{name} must be a sequence of integers, got {shortened(values)}") from None
    if array.ndim != 1:
        raise TypeError(f"{name} must be a sequence of integers, got {shortened(values)}")
    if array.size == 0:
        return np.empty(0, np.int64)
    if array.dtype == object or (array is not values and any(isinstance(value, bool) for value in values)):
        for value in values:  # numpy reads True as 1, and integers beyond 2**64 as objects
            check_index(value, name.removesuffix("s"))
    elif array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers, got {array.dtype}")
    return array
