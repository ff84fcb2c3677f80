"""The numbers that were given, from arrays, files and texts, and the forms that their shape allows."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from posenc_core.fields import check_positions, shortened
from posenc_core.identify.closed.doubts import BY_QUERY
from posenc_core.identify.forms import (
    Form,
    Numbers,
    angle_forms,
    frequency_forms,
    rotation_forms,
    stacked_forms,
    table_forms,
)
from posenc_core.identify.squares import bias_forms, is_by_distance, is_by_key
from posenc_core.numerics import IntArray, blocks
from posenc_core.tables import TEXT_SUFFIXES, Printed, arrays_in, parse_numbers, read_printed

_LEAST = 6
"""Fewer numbers fit too many formulas; of frequencies two are enough."""

_LOWEST, _HIGHEST = 1e-30, 1e100
"""The bounds of the largest number, of which squares and sums are computed."""

_SAMPLED = 512
"""Number of rows from which the precision is determined."""

_CHECKED = 1 << 20
"""Numbers that are checked at a time."""

_POSITIONS = re.compile(r"\s*(-?\d{1,16})\s*:\s*(-?\d{1,16})\s*(?::\s*(\d{1,16})\s*)?")
_MOST_POSITIONS = 2**31
"""Places of first:stop:step, and most positions."""

_BY_POSITION = 0.1
"""Cost of vectors (positions, heads, head_dim) in place of (heads, positions, head_dim)."""

_LEAST_FADING, _FADING = 8, 0.9
"""Rows that show fading, and the share of changes of one sign in pairs that fade."""

_FIRST = ("cos", "before", "q", "k", "x")
"""Beginnings of the names of the first of two arrays."""


class Given(Struct, frozen=True):
    """One array of numbers, or two of one shape, without axes of length 1.

    ``printed`` if they come from a text; ``is_named`` if the first of two is named as the cosines. ``positions`` are
    those of the rows, if they come with the numbers.
    """

    arrays: tuple[Numbers, ...]
    printed: Printed | None = None
    is_named: bool = False
    positions: Sequence[int] | None = None

    @property
    def rows_per_head(self) -> int:
        """Number of rows after which positions begin again; 0 for numbers of one head."""
        return self.arrays[0].shape[-2] if self.arrays[0].ndim > 2 and self.arrays[0].shape[-1] > 2 else 0

    def rows_at(self, positions: Any) -> IntArray | None:
        """These positions of the rows, or those that came with the numbers; None for neither."""
        known = self.positions if positions is None else positions
        return None if known is None else check_positions(known)

    @property
    def sample(self) -> Numbers:
        """The first rows, for the precision: real parts, and 0 for -inf."""
        some = self.arrays[0][:_SAMPLED]
        return some.real if some.dtype.kind == "c" else np.where(np.isfinite(some), some, 0).astype(some.dtype)


def given_numbers(numbers: Any) -> Given:
    """The numbers of an array, two arrays, arrays by name, the path of a file, or a text.

    TypeError or ValueError with one sentence for anything else, and for numbers without information.
    """
    if isinstance(numbers, os.PathLike) or (isinstance(numbers, str) and _is_path(numbers)):
        if Path(numbers).suffix.lower() not in TEXT_SUFFIXES:
            return _of_names(arrays_in(Path(numbers)))
        printed = read_printed(Path(numbers))
    elif isinstance(numbers, str):
        printed = parse_numbers(numbers)
    elif isinstance(numbers, Mapping):
        return _of_names({str(name): _array(each) for name, each in numbers.items()})
    elif isinstance(numbers, tuple) and len(numbers) == 2 and all(np.ndim(each) > 1 for each in numbers):
        return _checked(tuple(_array(each) for each in numbers))
    else:
        return _checked((_array(numbers),))
    return replace(_checked((printed.numbers,), printed), positions=printed.positions)


def is_export(arrays: Mapping[str, Numbers]) -> bool:
    """Whether the arrays are those of exported vectors, which have their positions beside them."""
    return arrays.keys() >= {"positions", "encoding"}


def _is_path(text: str) -> bool:
    """Whether a text is a path and not numbers: one short line that ends in a suffix of letters."""
    return len(text) < 1024 and not set("\n[") & set(text) and Path(text).suffix[1:2].isalpha()


def _array(values: Any) -> Numbers:
    try:
        return np.asarray(values)
    except ValueError:
        raise ValueError(f"the rows have different lengths in {shortened(values)}") from None


def _of_names(arrays: Mapping[str, Numbers]) -> Given:
    """The only array, or two in their order: cosines before sines, vectors before those after; exported vectors."""
    if is_export(arrays):
        return replace(_checked((arrays["encoding"],)), positions=arrays["positions"])
    if len(arrays) < 3:
        names = sorted(arrays, key=lambda name: not name.lower().startswith(_FIRST))
        is_named = len(names) == 2 and names[0].lower().startswith("cos") and names[1].lower().startswith("sin")
        return replace(_checked(tuple(arrays[name] for name in names)), is_named=is_named)
    named = ", ".join(shortened(name) for name in list(arrays)[:3])
    raise ValueError(f"there are {len(arrays)} arrays ({named}, ...); give one, or two of one shape")


def _checked(arrays: tuple[Numbers, ...], printed: Printed | None = None) -> Given:
    """The arrays without axes of length 1; ValueError with one sentence for numbers without information."""
    floats = [_floats(each) for each in arrays]
    largest = max((_largest(each) for each in floats), default=0.0)
    squeezed = tuple(np.squeeze(each) for each in floats)
    if not squeezed:
        raise ValueError("there are no arrays")
    if len({each.shape for each in squeezed}) > 1:
        raise ValueError(f"the two arrays have different shapes, {squeezed[0].shape} and {squeezed[1].shape}")
    if squeezed[0].size < (2 if squeezed[0].ndim == 1 else _LEAST):
        if squeezed[0].size == 1:
            raise ValueError("one number is too few to identify a formula")
        raise ValueError(f"{' x '.join(map(str, arrays[0].shape))} numbers are too few to identify a formula")
    if largest == 0:
        raise ValueError("all numbers are 0 or -inf: they identify no formula, and may be no encoding (NoPE)")
    if not _LOWEST <= largest <= _HIGHEST:
        raise ValueError(f"the largest number is {largest:.3g}, which is not a number of a positional encoding")
    return Given(squeezed, printed)


def _floats(numbers: Numbers) -> Numbers:
    """The numbers, floating-point or complex; ValueError for an empty array and other types."""
    if numbers.dtype.kind not in "fiuc":
        raise ValueError(f"there must be numbers, got {shortened(str(numbers.dtype))}")
    if not numbers.size:
        raise ValueError("the array is empty")
    if numbers.dtype.kind not in "iu" and numbers.dtype != np.longdouble:
        return numbers
    with np.errstate(over="ignore"):  # what is inf is refused
        return numbers.astype(np.float64)


def _largest(numbers: Numbers) -> float:
    """The largest absolute number; ValueError for nan, and for infinities but -inf, which masks biases."""
    rows, largest = np.atleast_1d(numbers), 0.0
    for block in blocks(len(rows), rows[0].size, _CHECKED):
        some = rows[block]
        low, high = (0.0, np.abs(some).max()) if some.dtype.kind == "c" else (some.min(), some.max())
        if not high < np.inf:  # nan too
            row, *rest = np.argwhere(~(np.isfinite(some) | (some == -np.inf)))[0].tolist()
            where = ", ".join(map(str, (block.start + row, *rest)))
            raise ValueError(f"number {where} is {some[row, *rest]}; all numbers must be finite")
        if low == -np.inf:
            low = some[some > -np.inf].min(initial=0.0)
        largest = max(largest, float(high), -float(low))
    return largest


def forms_of(given: Given) -> list[Form]:
    """The forms that the shape of the numbers allows; ValueError with one sentence if there are none."""
    found = list(_paired(*given.arrays, given.is_named) if len(given.arrays) == 2 else _forms(given.arrays[0]))
    if not found:
        shape = shortened(given.arrays[0].shape)
        said = f"numbers of the shape {shape} are not a table, frequencies, a cache, a rotation or a bias"
        is_square = given.arrays[0].ndim > 1 and given.arrays[0].shape[-1] == given.arrays[0].shape[-2] > 2
        raise ValueError(f"{said}; {BY_QUERY}" if is_square else said)
    return found


def _forms(numbers: Numbers) -> Iterator[Form]:
    shape = numbers.shape
    if numbers.dtype.kind == "c":
        yield from stacked_forms(numbers.real, numbers.imag, "interleaved") if numbers.ndim == 2 else ()
    elif is_by_distance(numbers) or is_by_key(numbers):
        yield from bias_forms(numbers.reshape(-1, *shape[-2:]))
    elif not np.isfinite(numbers.ravel()[:_CHECKED]).all():
        return
    elif numbers.ndim == 1:
        yield from frequency_forms(numbers)
        yield from (form for form in table_forms(numbers[None]) if form.law != "values")  # a row
    elif numbers.ndim == 2:
        yield from table_forms(numbers)
        yield from angle_forms(numbers)
    elif numbers.ndim == 3 and all(np.array_equal(each, numbers[0]) for each in numbers[1:]):  # a batch of one table
        yield from table_forms(numbers[0])
        yield from angle_forms(numbers[0])
    elif shape[0] == 2:
        yield from _paired(numbers[0], numbers[1])
    elif numbers.ndim == 3 and shape[2] == 2:
        yield from stacked_forms(numbers[..., 0], numbers[..., 1], "interleaved")


def _paired(one: Numbers, other: Numbers, is_named: bool = False) -> Iterator[Form]:
    """Cosines and sines, with a constant sum of squares, or vectors before and after a rotation, of one or more heads.

    ``is_named``: the cosines come first; otherwise either may. Vectors are ordered by head or, at a cost, by position.
    """
    if one.dtype.kind == "c":
        return
    if one.ndim < 2:
        raise ValueError("two arrays of one row do not determine a formula: give the rows of several positions")
    yield from _of_two(one, other, is_named)
    by_position = (one.swapaxes(-3, -2), other.swapaxes(-3, -2)) if one.ndim > 2 else None
    for form in _of_two(*by_position, is_named) if by_position else ():
        yield replace(form, per_head=one.shape[-3], cost=form.cost + _BY_POSITION)


def _of_two(one: Numbers, other: Numbers, is_named: bool) -> Iterator[Form]:
    one, other = (each.reshape(-1, each.shape[-1]) for each in (one, other))
    some = slice(0, 64)
    squares = one[some].astype(np.float64) ** 2 + other[some].astype(np.float64) ** 2
    if np.median(np.abs(squares / np.median(squares) - 1)) < 0.02 or _is_fading(squares):
        yield from stacked_forms(one, other)
        yield from () if is_named else stacked_forms(other, one)
    else:
        yield from rotation_forms(one, other)


def _is_fading(squares: Numbers) -> bool:
    """Whether the squared lengths of most pairs fall, or rise, from one half of the rows to the other, as in xPos."""
    half = len(squares) // 2
    rising = float((squares[half : 2 * half] > squares[:half]).mean()) if len(squares) >= _LEAST_FADING else 0.5
    return not 1 - _FADING < rising < _FADING


def parsed_positions(text: str, name: str = "positions") -> Sequence[int]:
    """The positions first:stop, first:stop:step, or a list with commas.

    ValueError with one sentence about ``name`` for another text.
    """
    found = _POSITIONS.fullmatch(text)
    if found:
        first, stop, step = int(found[1]), int(found[2]), int(found[3] or 1)
        if step and 0 < stop - first <= _MOST_POSITIONS * step:
            return range(first, stop, step)
    elif re.fullmatch(r"\s*-?\d{1,16}\s*(,\s*-?\d{1,16}\s*)*", text):
        return [int(word) for word in text.split(",")]
    raise ValueError(f"{name} must be like 0:48, 0:192:4 or 0,1,5, got {shortened(text)}")
