"""The forms of an encoding in an array: the meaning of its rows and columns."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from posenc_core.encodings import Encoding, LearnedTable, pair_members
from posenc_core.fields import D_MODEL
from posenc_core.identify.faults import Bent
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.rope_scaling import FrequencyDivisors
from posenc_core.tables import ArrayTable, digest_of

Numbers = npt.NDArray[Any]

_MOST = 0.7
"""Share of equal numbers, and of columns, from which on two halves are meant to be equal."""

_FEW = 64
"""Number of columns in which rows are compared for equality."""

_LEAST = 1e-250
"""Slower pairs have no divisor that float64 contains."""

_SOME = slice(0, 256)
"""Rows from which a form is recognised."""

_PROPORTIONAL = 0.01
"""Largest usual deviation of angles, as a share, from multiples of the first pair's."""

_ANGLES = "These are the angles, position times frequency, before cosine and sine."

ENDS = 1 << 14
"""Rows at either end from which the numbers that distances share are taken."""


class Form(Struct, frozen=True):
    """Numbers ``(n_rows, n_columns)`` and the meaning of their columns.

    ``law`` names the candidates: ``sinusoidal``, ``rotary``, or ``values`` for families without pairs. ``width`` counts
    the encoding's columns, ``layout`` is the sinusoids' layout or the pairing of the rotation. ``pairs`` and
    ``quarters``: the pair of each column, -1 for padding, and 0 for its sine, 1 for its cosine. ``before``: vectors
    before the rotation, ``partners`` the column that turns with each, -1 for one that is not rotated. ``positions``:
    those of the rows if the form has them. ``faults`` are those of the form itself; ``cost`` ranks forms. ``heads`` are
    the encoding's columns in biases of some of its heads, and ``notes`` sentences on what the numbers leave out.
    ``per_head``: the rows of each head if they are not those of the given array.
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
    heads: range | None = None
    notes: tuple[str, ...] = ()
    per_head: int = 0

    @property
    def columns(self) -> range:
        """The encoding's columns that the numbers of ``values`` have."""
        return range(self.width) if self.heads is None else self.heads

    @property
    def n_pairs(self) -> int:
        """Number of pairs, also those without a cosine."""
        return int(self.pairs.max(initial=-1)) + 1

    @property
    def tells_pairing(self) -> bool:
        """Whether the numbers show which columns are pairs: cosines and sines of pairs alone do not."""
        is_repeated = len(self.pairs) > 2 * self.n_pairs
        is_repeated |= self.kind == "angles" and len(self.pairs) > self.n_pairs
        return self.kind in ("table", "rotation", "bias") or (self.kind in ("cache", "angles") and is_repeated)

    @property
    def first_turning(self) -> int:
        """The first column of a head that is rotated."""
        return int(np.argmax(self.pairs >= 0))

    def members(self, quarter: int) -> IntArray:
        """The first column of each pair with its sine (0) or its cosine (1); -1 for a pair without one."""
        found = np.full(self.n_pairs, -1)
        columns = np.flatnonzero((self.quarters == quarter) & (self.pairs >= 0))[::-1]
        found[self.pairs[columns]] = columns
        return found


class Spans(Struct, frozen=True):
    """The positions of the rows: the given ones, or 0, 1, 2, ..., again for each head of ``per_head`` rows."""

    given: IntArray | None
    per_head: int = 0

    def of(self, form: Form) -> IntArray | None:
        """The positions of the form's rows; None if there are not as many as given."""
        if form.positions is not None:
            return form.positions
        height, per_head = len(form.numbers), form.per_head or self.per_head
        one = self.given if self.given is not None else np.arange(per_head or height)
        heads = height // max(1, len(one))
        if heads * len(one) != height or (heads > 1 and len(one) != per_head):
            return None
        return np.tile(one, heads)


def frequency_forms(numbers: Numbers) -> Iterator[Form]:
    """The forms of one number per pair or per head, or of one head per key."""
    n_pairs, row = len(numbers), numbers[None]
    if 2 * n_pairs <= D_MODEL.maximum:
        pairs, quarters = np.arange(n_pairs), np.zeros(n_pairs, np.int64)
        yield Form("bias", "values", row, n_pairs, positions=np.ones(1, np.int64))
        yield Form("frequencies", "rotary", row, 2 * n_pairs, "half_split", pairs, quarters)
        yield Form("frequencies", "sinusoidal", row, 2 * n_pairs, "interleaved", pairs, quarters, cost=0.2)
    yield Form("bias", "values", numbers[:, None], 1, cost=0.4)  # one query's biases of a single head


def table_forms(numbers: Numbers) -> Iterator[Form]:
    """The forms of rows by columns: sinusoids in neighbours or halves, cosines then sines of a cache, and others."""
    for turned in (False, True)[: len(numbers)]:
        table, faults, cost = (numbers.T if turned else numbers), (("transposed", 0.0),) * turned, float(turned)
        width = table.shape[1]
        if width > D_MODEL.maximum:
            continue
        yield Form("table", "values", table, width, faults=faults, cost=cost)
        yield Form("bias", "values", table, width, cost=0.3 * turned)  # heads in rows are as common as heads in columns
        for pairs, quarters, layout in _layouts(width):
            yield Form("table", "sinusoidal", table, width, layout, pairs, quarters, faults=faults, cost=cost)
            if width % 2 == 0:  # cosines first; caches seldom have neighbouring pairs
                pairing, extra = ("interleaved", 1.2) if layout == "interleaved" else ("half_split", 0.0)
                first = 1 - quarters
                yield Form("cache", "rotary", table, width, pairing, pairs, first, faults=faults, cost=cost + extra)


def angle_forms(numbers: Numbers) -> Iterator[Form]:
    """The forms of angles, position times frequency: a column per pair, or two in halves or as neighbours.

    Nothing for numbers whose columns are not multiples of the first, with smaller factors from pair to pair.
    """
    width, some = numbers.shape[1], numbers[_SOME].astype(np.float64)
    turning = some[some[:, 0] != 0]
    if width < 2 or len(turning) < 2 or len(some) < 3 or 2 * width > D_MODEL.maximum:
        return
    with np.errstate(over="ignore", invalid="ignore"):  # masked biases, and numbers near the ends of float64
        shares = turning / turning[:, :1]
        middle = np.median(shares, axis=0)
        off = np.abs(shares - middle)
    if not np.isfinite(off).all() or not 0 <= middle[-1] < 1 or np.median(off) > _PROPORTIONAL * np.median(middle):
        return
    columns, half = np.arange(width), width // 2
    pairs, layout = columns, "half_split"
    if width % 2 == 0 and _are_nearly_equal(some[:, :half], some[:, half:]):
        pairs = columns % half
    elif width % 2 == 0 and _are_nearly_equal(some[:, 0::2], some[:, 1::2]):
        pairs, layout = columns // 2, "interleaved"
    n_columns, sines = 2 * (int(pairs.max()) + 1), np.zeros(width, np.int64)
    yield Form("angles", "rotary", numbers, n_columns, layout, pairs, sines, cost=0.6, notes=(_ANGLES,))


def _layouts(width: int) -> Iterator[tuple[IntArray, IntArray, str]]:
    """The pair and the quarter of each column of sinusoids, and the layout; last with tensor2tensor's zeros."""
    columns, n_sines = np.arange(width), (width + 1) // 2
    yield columns // 2, columns % 2, "interleaved"
    yield columns % n_sines, columns // n_sines, "concatenated"
    n_whole = width // 2
    if width % 2 and n_whole > 1:
        padding = columns >= 2 * n_whole
        yield np.where(padding, -1, columns // 2), columns % 2, "interleaved"
        yield np.where(padding, -1, columns % n_whole), columns // n_whole % 2, "concatenated"


def stacked_forms(cosines: Numbers, sines: Numbers, layout: str = "half_split") -> Iterator[Form]:
    """The forms of cosines and sines in two arrays: a column per pair, or one per column of the head."""
    numbers, width = np.concatenate([cosines, sines], axis=1), cosines.shape[1]
    columns, half, some = np.arange(width), width // 2, cosines[_SOME]
    repeats = [(columns, layout)]
    if width % 2 == 0 and _are_nearly_equal(some[:, :half], some[:, half:]):
        repeats.insert(0, (columns % half, "half_split"))
    if width % 2 == 0 and _are_nearly_equal(some[:, 0::2], some[:, 1::2]):
        repeats.insert(0, (columns // 2, "interleaved"))
    for pairs, pairing in repeats:
        head_dim = 2 * (int(pairs.max()) + 1)
        yield Form("cache", "rotary", numbers, head_dim, pairing, np.tile(pairs, 2), np.repeat([1, 0], width))


def _are_nearly_equal(one: Numbers, other: Numbers) -> bool:
    """Whether most columns that change are equal but for single numbers."""
    changing = np.flatnonzero((np.ptp(one, axis=0) > 0) | (np.ptp(other, axis=0) > 0))
    is_equal = (one == other)[:, changing].mean(axis=0) > _MOST
    return bool(is_equal.sum() >= _MOST * len(changing))


def rotation_forms(before: Numbers, after: Numbers) -> Iterator[Form]:
    """The forms of vectors before and after a rotation: both pairings, of all columns or of the changed ones.

    The last forms pair columns in one way, with the angles of the other.
    """
    width = before.shape[1]
    changes = (before[_SOME] != after[_SOME]).sum(axis=0)
    spans = {(0, width - width % 2)}
    for least in (0, 1):  # a single number may be wrong
        changed = np.flatnonzero(changes > least)
        if len(changed) and len(changed) % 2 == 0 and np.ptp(changed) + 1 == len(changed):
            spans.add((int(changed[0]), len(changed)))
    for is_mixed, (first, turning) in product((False, True), sorted(spans, key=lambda span: span[1])):
        inner = np.arange(turning)
        pairs = (inner % (turning // 2), inner // 2)
        partners = ((inner + turning // 2) % turning, inner ^ 1)
        for number, layout in enumerate(("half_split", "interleaved")):
            places = np.full((2, width), -1)
            places[:, first : first + turning] = pairs[number ^ is_mixed], first + partners[number]
            quarters, faults = np.ones(width, np.int64), (("mixed_pairs", 0.0),) * is_mixed
            inner_form = width, layout, places[0], quarters, before, places[1]
            yield Form("rotation", "rotary", after, *inner_form, faults=faults, cost=float(is_mixed))


def equal_rows(numbers: Numbers) -> npt.NDArray[np.bool_]:
    """Whether each row but the first equals the previous row in the first columns."""
    return np.asarray((numbers[1:, :_FEW] == numbers[:-1, :_FEW]).all(axis=1))


def end_rows(height: int) -> IntArray:
    """The indices of the rows at both ends from which shared numbers are taken, int64 ``(n,)``."""
    return np.unique(np.r_[: min(height, ENDS), max(0, height - ENDS) : height])


def typical_rows(numbers: Numbers, groups: IntArray) -> FloatArray:
    """The median row of each group 0, 1, 2, ..., float64 ``(n_groups, n_columns)``; nan for a group without rows."""
    order = np.argsort(groups, kind="stable")
    parts = np.split(numbers[order], np.searchsorted(groups[order], np.arange(1, int(groups.max()) + 1)))
    return np.array([np.median(part, axis=0) if len(part) else np.full(numbers.shape[1], np.nan) for part in parts])


def part_of(form: Form, rows: slice | npt.NDArray[np.bool_]) -> Form:
    """The form of some rows."""
    return replace(form, numbers=form.numbers[rows], before=None if form.before is None else form.before[rows])


def spanned(form: Form, positions: IntArray) -> IntArray:
    """The positions of rows; of cells of queries and keys, all distances or keys from the first to the last."""
    return positions if form.positions is None else np.arange(int(positions.min()), int(positions.max()) + 1)


def as_encoding(form: Form, positions: IntArray, meant: Encoding | None = None) -> Encoding | None:
    """The numbers as a learned table with the columns of the intended encoding, or as listed frequencies.

    None for numbers that are neither, for rows whose ``positions`` are not consecutive, and for numbers that cannot be
    drawn.
    """
    with suppress(ValueError):  # positions or numbers beyond the bounds of encodings
        if form.kind == "frequencies":
            return _listed(form, meant)
        if form.kind in ("table", "cache") and (np.diff(positions) == 1).all():
            numbers = form.numbers[:, _in_table(form, meant)] if form.kind == "cache" and meant else form.numbers
            height, width = numbers.shape
            table = ArrayTable(f"{height:,} x {width:,} given numbers", digest_of(numbers), numbers)
            return LearnedTable(table, -int(positions[0]))
    return None


def _in_table(form: Form, meant: Encoding) -> slice | IntArray:
    """The columns of a cache in the order of the encoding's table."""
    columns = np.empty(2 * form.n_pairs, np.int64)
    for quarter, places in enumerate(pair_members(meant, np.arange(form.n_pairs))):
        columns[places] = form.members(quarter)
    return slice(None) if np.array_equal(columns, np.arange(form.numbers.shape[1])) else columns


def _listed(form: Form, meant: Encoding | None) -> Encoding | None:
    """The rotation that was meant, with divisors by which its frequencies are the given ones."""
    rotation, given = meant.rotation if meant is not None else None, form.numbers[0].astype(np.float64)
    if rotation is None or given.min() < _LEAST or len(given) != rotation.pairs.n_pairs:
        return None
    return rotation.scaled_by(FrequencyDivisors(tuple((rotation.pairs.unscaled / given).tolist())))
