"""The ways in which an array can hold an encoding: what its rows and columns are."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.fields import D_MODEL
from posenc_core.identify.faults import Bent
from posenc_core.numerics import IntArray

Numbers = npt.NDArray[Any]


class Form(Struct, frozen=True):
    """Numbers ``(n_rows, n_columns)`` and what their columns hold.

    ``law`` names the candidates: ``sinusoidal``, ``rotary``, or ``values`` for families without pairs. ``width`` counts
    the encoding's columns, ``layout`` is the sinusoids' layout or the pairing of the rotation. ``pairs`` and ``quarters``: the pair of each column, -1 for
    padding, and 0 for its sine, 1 for its cosine. ``before``: vectors before the rotation, ``partners`` the column that
    turns with each, -1 for one that is not rotated. ``positions``: those of the rows if the form has them. ``faults`` are those of the form itself; ``cost`` ranks forms.
    """

    kind: str
    law: str
    numbers: Numbers
    width: int
    layout: str = ""
    pairs: IntArray = np.empty(0, np.int64)
    quarters: IntArray = np.empty(0, np.int64)
    before: Numbers | None = None
    partners: IntArray = np.empty(0, np.int64)
    positions: IntArray | None = None
    faults: tuple[Bent, ...] = ()
    cost: float = 0.0

    @property
    def n_pairs(self) -> int:
        """Number of pairs, also those without a cosine."""
        return int(self.pairs.max(initial=-1)) + 1

    @property
    def tells_pairing(self) -> bool:
        """Whether the numbers tell which columns are pairs: cosines and sines of pairs alone do not."""
        is_repeated = len(self.pairs) > 2 * self.n_pairs
        return self.kind in ("table", "rotation", "bias") or (self.kind == "cache" and is_repeated)

    @property
    def first_turning(self) -> int:
        """The first column of a head that is rotated."""
        return int(np.argmax(self.pairs >= 0))

    def members(self, quarter: int) -> IntArray:
        """The first column of each pair that holds its sine (0) or its cosine (1); -1 for a pair without one."""
        found = np.full(self.n_pairs, -1)
        columns = np.flatnonzero((self.quarters == quarter) & (self.pairs >= 0))[::-1]
        found[self.pairs[columns]] = columns
        return found


def frequency_forms(numbers: Numbers) -> Iterator[Form]:
    """The forms of one number per pair, or per head."""
    n_pairs, row = len(numbers), numbers[None]
    if 2 * n_pairs > D_MODEL.maximum:
        return
    pairs, quarters = np.arange(n_pairs), np.zeros(n_pairs, np.int64)
    yield Form("bias", "values", row, n_pairs, positions=np.ones(1, np.int64))
    yield Form("frequencies", "rotary", row, 2 * n_pairs, "half_split", pairs, quarters)
    yield Form("frequencies", "sinusoidal", row, 2 * n_pairs, "interleaved", pairs, quarters, cost=0.2)


def table_forms(numbers: Numbers) -> Iterator[Form]:
    """The forms of rows by columns: sinusoids in neighbours or halves, cosines then sines of a cache, and others."""
    for turned in (False, True):
        table = numbers.T if turned else numbers
        if table.shape[1] > D_MODEL.maximum:
            continue
        faults: tuple[Bent, ...] = (("transposed", 0.0),) if turned else ()
        width, cost = table.shape[1], float(turned)
        columns = np.arange(width)
        yield Form("table", "values", table, width, faults=faults, cost=cost)
        yield Form("bias", "values", table, width, faults=faults, cost=cost)
        for pairs, quarters, layout in _layouts(width):
            yield Form("table", "sinusoidal", table, width, layout, pairs, quarters, faults=faults, cost=cost)
        if width % 2 == 0 and width > 1:
            halves, neighbours = (columns % (width // 2), columns // (width // 2)), (columns // 2, columns % 2)
            yield Form("cache", "rotary", table, width, "half_split", halves[0], 1 - halves[1], faults=faults, cost=cost)
            extra = cost + 1.5  # kept as a table, cosines first: seldom meant
            yield Form(
                "cache", "rotary", table, width, "interleaved", neighbours[0], 1 - neighbours[1], faults=faults, cost=extra
            )


def _layouts(width: int) -> Iterator[tuple[IntArray, IntArray, str]]:
    """The pair and the quarter of each column of sinusoids, and the layout."""
    columns = np.arange(width)
    yield columns // 2, columns % 2, "interleaved"
    n_sines = (width + 1) // 2
    yield columns % n_sines, columns // n_sines, "concatenated"
    if width % 2 and width > 3:  # tensor2tensor's column of zeros
        n_sines = width // 2
        for pairs, quarters, layout in (
            (columns // 2, columns % 2, "interleaved"),
            (columns % n_sines, columns // n_sines % 2, "concatenated"),
        ):
            yield np.where(columns < 2 * n_sines, pairs, -1), quarters, layout


def stacked_forms(cosines: Numbers, sines: Numbers, layout: str = "half_split") -> Iterator[Form]:
    """The forms of cosines and sines in two arrays: a column per pair, or one per column of the head."""
    numbers, width = np.concatenate([cosines, sines], axis=1), cosines.shape[1]
    columns, quarters = np.arange(width), np.repeat([1, 0], width)
    repeats = [(columns, layout)]
    if width % 2 == 0:
        some = slice(0, 64)
        if np.array_equal(numbers[some, : width // 2], numbers[some, width // 2 : width]):
            repeats.insert(0, (columns % (width // 2), "half_split"))
        if np.array_equal(numbers[some, 0:width:2], numbers[some, 1:width:2]):
            repeats.insert(0, (columns // 2, "interleaved"))
    for pairs, kept in repeats:
        yield Form("cache", "rotary", numbers, 2 * (int(pairs.max()) + 1), kept, np.tile(pairs, 2), quarters)


def rotation_forms(before: Numbers, after: Numbers) -> Iterator[Form]:
    """The forms of vectors before and after a rotation: both pairings, all columns or those that change."""
    width = before.shape[1]
    some = slice(0, 256)
    changed = np.flatnonzero((before[some] != after[some]).any(axis=0))
    spans = {(0, width - width % 2)}
    if len(changed) and len(changed) % 2 == 0 and np.ptp(changed) + 1 == len(changed) < width:
        spans.add((int(changed[0]), len(changed)))
    for first, turning in sorted(spans, key=lambda span: span[1]):
        inner = np.arange(turning)
        for layout, pairs, partners in (
            ("half_split", inner % (turning // 2), (inner + turning // 2) % turning),
            ("interleaved", inner // 2, inner ^ 1),
        ):
            places = np.full((2, width), -1)
            places[:, first : first + turning] = pairs, first + partners
            yield Form("rotation", "rotary", after, width, layout, places[0], np.ones(width, np.int64), before, places[1])
