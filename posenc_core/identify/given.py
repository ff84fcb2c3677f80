"""The numbers that were given, from arrays, files and texts, and the forms that their shape allows."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.fields import shortened
from posenc_core.identify.biases import bias_forms, is_by_distance
from posenc_core.identify.forms import (
    Form,
    frequency_forms,
    phasor_forms,
    rotation_forms,
    stacked_forms,
    table_forms,
)
from posenc_core.tables import Printed, arrays_in, parse_numbers

Numbers = npt.NDArray[Any]

_LEAST = 6
"""Fewer numbers fit too many formulas; of frequencies two are enough."""

_TEXTS = (".txt", ".csv", ".tsv", ".json", ".log", ".md")
_WIDEST = 65536
_LARGEST_TEXT = 2**26
_FIRST = ("cos", "before", "q", "k", "x", "query", "key")
"""Beginnings of the names of arrays that come first of two."""


class Given(Struct, frozen=True):
    """One array of numbers, or two of one shape, without axes of length 1; ``printed`` if they were read from a text."""

    arrays: tuple[Numbers, ...]
    printed: Printed | None = None


def given_numbers(numbers: Any) -> Given:
    """The numbers of an array, two arrays, arrays by name, the path of a file, or a text.

    TypeError or ValueError with one sentence for anything else, and for numbers that tell nothing.
    """
    if isinstance(numbers, str | os.PathLike):
        return _from_text(numbers) if isinstance(numbers, str) and not _is_path(numbers) else _from_file(Path(numbers))
    if isinstance(numbers, Mapping):
        return _checked(_chosen({str(name): _array(each) for name, each in numbers.items()}))
    if isinstance(numbers, tuple) and len(numbers) == 2 and all(np.ndim(each) > 1 for each in numbers):
        return _checked(tuple(_array(each) for each in numbers))
    return _checked((_array(numbers),))


def _is_path(text: str) -> bool:
    """Whether a text is a path and not numbers: it is short, in one line, and has letters that numbers lack."""
    return len(text) < 1024 and "\n" not in text and "[" not in text and Path(text).suffix[1:2].isalpha()


def _from_file(path: Path) -> Given:
    if path.suffix.lower() not in _TEXTS:
        return _checked(_chosen(arrays_in(path)))
    return _from_text(_text_of(path))


def _text_of(path: Path) -> str:
    from posenc_core.tables.table_files import opened

    with opened(path, "the file") as stream:
        data = stream.read(_LARGEST_TEXT + 1)
        if len(data) > _LARGEST_TEXT:
            raise ValueError(f"it is larger than {_LARGEST_TEXT // 2**20} MB; save the array as .npy")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise ValueError("it is no UTF-8 text") from None


def _from_text(text: str | os.PathLike[str]) -> Given:
    printed = parse_numbers(str(text))
    return _checked((printed.numbers,), printed)


def _array(values: Any) -> Numbers:
    if isinstance(values, np.ndarray):
        return values
    try:
        return np.asarray(values)
    except ValueError:
        raise ValueError(f"the rows have different lengths in {shortened(values)}") from None


def _chosen(arrays: Mapping[str, Numbers]) -> tuple[Numbers, ...]:
    """The only array, or two of one shape in their order: cosines before sines, vectors before those after."""
    if len(arrays) == 1:
        return tuple(arrays.values())
    if len(arrays) == 2 and len({np.squeeze(each).shape for each in arrays.values()}) == 1:
        return tuple(arrays[name] for name in sorted(arrays, key=lambda name: not name.lower().startswith(_FIRST)))
    named = ", ".join(shortened(name) for name in list(arrays)[:3])
    raise ValueError(f"there are {len(arrays)} arrays ({named}, ...); give one, or two of one shape")


def _checked(arrays: tuple[Numbers, ...], printed: Printed | None = None) -> Given:
    """The arrays without axes of length 1; ValueError with one sentence for numbers that tell nothing."""
    squeezed = tuple(_finite(np.squeeze(each)) for each in arrays)
    first = squeezed[0]
    if len(squeezed) == 2 and squeezed[0].shape != squeezed[1].shape:
        raise ValueError(f"the two arrays have different shapes, {squeezed[0].shape} and {squeezed[1].shape}")
    if first.size < (2 if first.ndim == 1 else _LEAST):
        shape = " x ".join(map(str, arrays[0].shape)) or "1"
        raise ValueError(f"{shape} numbers are too few to tell a formula")
    if not any(each.any() for each in squeezed):
        raise ValueError("all numbers are 0: nothing can be told from them but that they add nothing (NoPE)")
    return Given(squeezed, printed)


def _finite(numbers: Numbers) -> Numbers:
    """The numbers; ValueError for an empty array, other types, nan, and inf in anything but a mask."""
    if numbers.dtype.hasobject or numbers.dtype.kind not in "fiuc":
        raise ValueError(f"there must be numbers, got {shortened(str(numbers.dtype))}")
    if not numbers.size:
        raise ValueError("the array is empty")
    if numbers.dtype.kind in "iu":
        numbers = numbers.astype(np.float64)
    tall = max(1, (1 << 20) // max(1, numbers[0].size if numbers.ndim else 1))
    for top in range(0, len(numbers) if numbers.ndim else 0, tall):
        some = numbers[top : top + tall]
        if not np.isfinite(some).all():
            wrong = np.isnan(some) | (some == np.inf) if numbers.ndim in (2, 3) and numbers.dtype.kind == "f" else ~np.isfinite(some)
            if wrong.any():
                place = np.argwhere(wrong)[0]
                place[0] += top
                raise ValueError(f"number {tuple(place.tolist())} is {some[wrong][0]}; every number must be finite")
    return numbers


def forms_of(given: Given) -> Iterator[Form]:
    """The forms that the shape of the numbers allows; ValueError with one sentence for other shapes."""
    if len(given.arrays) == 2:
        yield from _paired(*given.arrays)
        return
    (numbers,) = given.arrays
    shape = numbers.shape
    if numbers.ndim > 1 and max(shape[-1], 1) > _WIDEST and min(shape[-2:]) > 1 and shape[-2] > _WIDEST:
        raise ValueError(f"{shortened(shape)} numbers have too many columns; at most {_WIDEST} are read")
    if numbers.dtype.kind == "c":
        if numbers.ndim != 2:
            raise ValueError(f"complex numbers must have rows and columns, got the shape {shortened(shape)}")
        yield from phasor_forms(numbers)
    elif numbers.ndim == 1:
        yield from frequency_forms(numbers)
    elif is_by_distance(numbers):
        yield from bias_forms(numbers if numbers.ndim == 3 else numbers[None])
    elif numbers.ndim == 2 and np.isfinite(numbers).all():
        yield from table_forms(numbers)
    elif numbers.ndim > 2 and shape[0] == 2:
        yield from _paired(numbers[0], numbers[1])
    elif numbers.ndim == 3 and shape[2] == 2:
        yield from stacked_forms(numbers[..., 0], numbers[..., 1], "interleaved")
    else:
        raise ValueError(f"numbers of the shape {shortened(shape)} are no table, cache, rotation or bias known here")


def _paired(one: Numbers, other: Numbers) -> Iterator[Form]:
    """Cosines and sines, whose squares have one sum, or vectors before and after a rotation, of one head or several."""
    if one.dtype.kind == "c" or one.ndim < 2:
        raise ValueError(f"two arrays must have rows and columns of real numbers, got the shape {shortened(one.shape)}")
    one, other = (each.reshape(-1, each.shape[-1]) for each in (one, other))
    some = slice(0, 64)
    squares = one[some].astype(np.float64) ** 2 + other[some].astype(np.float64) ** 2
    if np.median(np.abs(squares / np.median(squares) - 1)) < 0.02:
        yield from stacked_forms(one, other)
        yield from stacked_forms(other, one)
    else:
        yield from rotation_forms(one, other)


def rows_per_head(given: Given) -> int:
    """Number of rows after which positions begin again: those of one head."""
    numbers = given.arrays[0]
    return numbers.shape[-2] if numbers.ndim > 2 and numbers.shape[-1] > 2 else 0


def named_shape(shape: Sequence[int]) -> str:
    """The shape in words."""
    return " x ".join(f"{length:,}" for length in shape)
