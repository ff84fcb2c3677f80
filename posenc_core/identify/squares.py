"""The forms of square biases of queries and keys: distances or keys, masks, and some heads of a model."""

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings import Alibi
from posenc_core.identify.faults import Bent
from posenc_core.identify.forms import Form, Numbers
from posenc_core.numerics import IntArray

_MASKED = -5e3
"""Numbers below this above the diagonal are a mask: the least one is -10,000, to which models may add the bias."""

_BY_KEY = (
    "Every query has the same biases, slope times the position of the key, as in Bloom: softmax ignores what the keys "
    "of a query share, so that the scores are those of the distance."
)

_MOST_HEADS, _SLOPE = 128, 0.02
"""Most heads of a model, some of which are given, and the largest difference of a slope as a share."""

_SOME = slice(0, 256)
"""Rows and columns from which a form is recognised."""


def is_by_distance(numbers: Numbers) -> bool:
    """Whether most cells of square biases equal the next cell on their diagonal, and the diagonals differ."""
    if numbers.ndim > 1 and numbers[..., -1, 0].max() == -np.inf:  # rows are keys, and later ones are masked
        numbers = numbers.swapaxes(-1, -2)
    return _is_repeated(numbers, (slice(None, -1), slice(None, -1)), (slice(1, None), slice(1, None)))


def is_by_key(numbers: Numbers) -> bool:
    """Whether the rows of square biases of heads are equal as far as keys are not later, and no single number.

    Biases that are equal for most distances are those of the distance.
    """
    by_row = (slice(None, -1), slice(None)), (slice(1, None), slice(None))
    return numbers.ndim == 3 and not is_by_distance(numbers) and _is_repeated(numbers, *by_row, is_by_row=True)


def _is_repeated(
    numbers: Numbers, ones: tuple[slice, slice], others: tuple[slice, slice], is_by_row: bool = False
) -> bool:
    """Whether most cells at and below the diagonal equal their neighbours, in a square of numbers that differ."""
    if numbers.ndim not in (2, 3) or numbers.shape[-1] != numbers.shape[-2] or numbers.shape[-1] < 3:
        return False
    some = numbers.reshape(-1, *numbers.shape[-2:])[:4, _SOME, _SOME].astype(np.float64)
    lower = np.tril(np.ones(some.shape[-2:], bool))
    one, other = some[:, *ones], some[:, *others]
    with np.errstate(invalid="ignore"):
        near = np.abs(one - other) <= 1e-6 * np.abs(one) + 1e-9
    chosen = lower[ones] if is_by_row else lower[others]
    return bool(near[:, chosen].mean() > 0.9) and float(np.ptp(np.where(lower, some, some[:, :1, :1]))) > 0


def bias_forms(numbers: Numbers) -> Iterator[Form]:
    """The forms of biases (heads, queries, keys): rows are pairs of query and key, columns are heads.

    Later keys are masked, with zeros too, or have the formula's number, or the number of the absolute distance. Biases
    that are equal for all queries have the key's position in place of the distance.
    """
    is_zero = not any(row.any() for row in _later(numbers))
    is_masked = [is_zero or _is_masked(numbers), _is_masked(numbers.swapaxes(1, 2))]
    notes = ("All numbers of later keys are 0: they count as masked.",) if is_zero else ()
    faults: tuple[Bent, ...] = (("transposed", 0.0),) if is_masked == [False, True] else ()
    cells, cost = (numbers.swapaxes(1, 2) if faults else numbers), float(len(faults))
    places = np.arange(cells.shape[-1])
    if any(is_masked):
        columns = np.concatenate([cells[:, query, : query + 1] for query in places.tolist()], axis=1).T
        if is_by_key(numbers):
            spans = [np.concatenate([places[: query + 1] for query in places.tolist()])]
        else:
            spans = [np.concatenate([places[: query + 1] - query for query in places.tolist()])]
    else:
        columns, distances = cells.reshape(len(cells), -1).T, (places - places[:, None]).ravel()
        spans = [np.tile(places, len(places))] if is_by_key(numbers) else [-np.abs(distances), distances]
    if is_by_key(numbers):
        notes = (*notes, _BY_KEY)
    heads = _some_heads(columns[-len(places) :], spans[0][-len(places) :])
    for positions in spans:
        every = Form("bias", "values", columns, len(cells), "", faults=faults, cost=cost, notes=notes)
        every = replace(every, positions=positions)
        yield every
        for n_heads, some in heads:
            said = f"head {some[0]}" if len(some) == 1 else f"heads {some[0]} to {some[-1]}"
            given = (*notes, f"These are the biases of {said} of {n_heads}.")
            yield replace(every, width=n_heads, heads=some, notes=given)


def _later(cells: Numbers) -> Iterator[Numbers]:
    """The numbers of later keys, query by query."""
    return (cells[:, query, query + 1 :] for query in range(cells.shape[1]))


def _is_masked(cells: Numbers) -> bool:
    """Whether all numbers of later keys are those of a mask."""
    return all(bool((row < _MASKED).all()) for row in _later(cells))


def _some_heads(columns: Numbers, distances: IntArray) -> list[tuple[int, range]]:
    """Numbers of heads of which some, also returned, have the given slopes in ALiBi: powers of two, else the fewest.

    Empty if the given slopes are those of all heads.
    """
    size = np.abs(distances)
    far = np.flatnonzero(size >= max(1, int(size.max()) // 2))[:4096]
    slopes, count = np.median(np.abs(columns[far] / distances[far, None]), axis=0), columns.shape[1]
    found: list[tuple[int, range]] = []
    for n_heads in range(count, _MOST_HEADS + 1):
        every = np.lib.stride_tricks.sliding_window_view(Alibi(n_heads).slopes(np.arange(n_heads)), count)
        near = (np.abs(every - slopes) < _SLOPE * slopes).all(axis=1)
        if near.any():
            first = int(near.argmax())
            found.append((n_heads, range(first, first + count)))
    if found and found[0][0] == count:
        return []
    return [each for each in found if each[0] & (each[0] - 1) == 0] or found[:1]
