"""Families without turning pairs: ALiBi's biases, indices and bits, and the forms of biases."""

import math
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc_core.encodings import Alibi, BinaryCode, Encoding, IntegerIndex, NormalizedIndex
from posenc_core.fields import N_HEADS
from posenc_core.identify.faults import Bent
from posenc_core.identify.forms import Form
from posenc_core.identify.laws import Law
from posenc_core.numerics import IntArray

Numbers = npt.NDArray[Any]

_MASKED = -1e4
"""Finite numbers below this above the diagonal are a mask, as models write it in float16 and float32."""


def distances_of(numbers: Numbers) -> IntArray:
    """Key minus query of each cell; with fewer queries than keys these are the last ones."""
    n_queries, n_keys = numbers.shape[-2:]
    return np.asarray(np.arange(n_keys) - np.arange(n_keys - n_queries, n_keys)[:, None])


def is_by_distance(numbers: Numbers) -> bool:
    """Whether most cells of a bias equal the next cell on their diagonal, and the diagonals differ."""
    if numbers.ndim not in (2, 3) or numbers.shape[-1] != numbers.shape[-2] or numbers.shape[-1] < 3:
        return False
    some = numbers.reshape(-1, *numbers.shape[-2:])[:4, :256, :256].astype(np.float64)
    lower = np.tril(np.ones(some.shape[-2:], bool))
    one, other = some[:, :-1, :-1], some[:, 1:, 1:]
    with np.errstate(invalid="ignore"):
        near = np.abs(one - other) <= 1e-6 * np.abs(one) + 1e-9
    return bool(near[:, lower[1:, 1:]].mean() > 0.9) and float(np.ptp(np.where(lower, some, some[:, :1, :1]))) > 0


def bias_forms(numbers: Numbers) -> Iterator[Form]:
    """The forms of biases (heads, queries, keys): rows are pairs of query and key, columns are heads.

    Later keys are masked, have the formula's number or that of their distance without sign.
    """
    distances = distances_of(numbers)
    for turned in (False, True):
        cells, faults = (numbers.swapaxes(1, 2), (("transposed", 0.0),)) if turned else (numbers, ())
        upper = cells[:, distances > 0]
        is_masked = bool((upper < _MASKED).all()) and len(np.unique(upper[:1])) == 1
        if is_masked:
            yield _bias(cells, distances <= 0, distances, faults)
            return
        if not turned and not (cells[:, distances < 0] < _MASKED).all():
            everywhere = np.ones_like(distances, bool)
            yield _bias(cells, everywhere, -np.abs(distances), ())
            yield _bias(cells, everywhere, distances, ())
            return


def _bias(cells: Numbers, chosen: npt.NDArray[np.bool_], distances: IntArray, faults: tuple[Bent, ...]) -> Form:
    numbers = cells[:, chosen].T
    return Form("bias", "values", numbers, numbers.shape[1], positions=distances[chosen], faults=faults, cost=len(faults))


def value_laws(form: Form, positions: IntArray) -> Iterator[Law]:
    """The families without pairs that the first numbers allow."""
    width, top = form.width, form.numbers[: 2 if form.kind == "table" else 64].astype(np.float64)
    if form.kind == "bias":
        yield from _slopes(form, top, positions)
        return
    first = int(positions[0])
    with suppress(ValueError):
        if float(top[0, 0]).is_integer():
            yield Law(IntegerIndex(width, int(top[0, 0]) - first), 0.0, (), first)
    with suppress(ValueError):
        yield Law(NormalizedIndex(len(form.numbers), width), 0.0, (), first)
    for order in ("msb", "lsb"):
        with suppress(ValueError):
            yield Law(BinaryCode(width, order), 0.0, (), first)


def _slopes(form: Form, top: npt.NDArray[np.float64], positions: IntArray) -> Iterator[Law]:
    """ALiBi as it is, with the wrong sign, or multiplied by a factor."""
    if form.width > N_HEADS.maximum:
        return
    encoding, cost = Alibi(form.width), 0.0
    slopes = encoding.values(np.ones(1, np.int64), np.arange(form.width))[0]
    if form.positions is None:  # a table of distances, whose first one its numbers tell
        begun = top[0, 0] / slopes[0]
        if abs(begun) > 1e7 or not begun.is_integer():
            return
        yield Law(encoding, cost, (), int(begun))
        return
    first = int(form.positions[0])
    yield Law(encoding, cost, (), first)
    yield Law(encoding, 1.0, (("sign", -1.0),), first)
    distances = form.positions[: len(top)]
    exact = encoding.values(distances, np.arange(form.width))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = float(np.nanmedian(np.where(exact != 0, top / exact, np.nan)))
    if math.isfinite(ratio) and ratio > 0 and ratio != 1:
        yield Law(encoding, 1.1, (("values_scaled", ratio),), first)
