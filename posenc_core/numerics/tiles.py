"""The table at any zoom: each pixel is the exact mean over a block of positions and columns."""

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core.numerics.dirichlet_sums import RowBatches
from posenc_core.numerics.harmonics import (
    Complex64Array,
    Complex128Array,
    Float32Array,
    FloatArray,
    IntArray,
    products,
)
from posenc_core.numerics.parallel import on_all_processors

_COLUMNS_AT_A_TIME = 4096
"""Columns computed together, about: this bounds the memory. With fewer, threads wait for each other between many short
steps, and two need as long as one."""

_SINGLE_TERMS = 64
"""Pairs whose sum in a pixel is computed in float32: the error grows with their number, beyond float32's own digits."""

_Piece = tuple[slice, IntArray, IntArray]
"""Pixels, columns of theirs, and the number of these columns in each pixel."""


_KEPT = 16
"""Windows whose pixels are kept: the next table of the same window differs only in its frequencies."""


class Spans(Struct, frozen=True, eq=False):
    """The integers ``start .. start + count - 1`` of each pixel along one axis."""

    start: IntArray
    count: IntArray

    def __getitem__(self, pixels: slice) -> "Spans":
        """The spans of neighbouring pixels."""
        return Spans(self.start[pixels], self.count[pixels])

    @property
    def stop(self) -> int:
        """The integer after the last span, for spans in ascending order."""
        return int(self.start[-1] + self.count[-1])

    def reached(self) -> IntArray:
        """All integers from the first span to the last, for spans in ascending order."""
        return np.arange(self.start[0], self.stop)


@lru_cache(maxsize=_KEPT)
def spans(first: float, stop: float, pixels: int) -> Spans:
    """The integers in each of ``pixels`` equal parts of [first, stop).

    A part without an integer has the cell around its centre; cell k is the interval [k, k + 1).
    """
    origin, edge = math.floor(first), np.arange(pixels + 1)  # products of large ends would exceed float64's integers
    low, high = first - origin, stop - origin
    edges = (low * (pixels - edge) + high * edge) / pixels  # exact wherever an edge is an integer
    ceilings = np.ceil(edges).astype(np.int64)
    start, count = ceilings[:-1], np.diff(ceilings)
    cells = np.floor((edges[:-1] + edges[1:]) / 2).astype(np.int64)
    cells = np.minimum(cells, ceilings[-1] - 1)  # the centre of a part too narrow for float64 is its edge
    return Spans(np.where(count == 0, cells, start) + origin, np.maximum(count, 1))


@lru_cache(maxsize=_KEPT)
def moved(pixels: Spans, by: int) -> Spans:
    """The spans, each moved by as many integers; the same object each time, by which later work is found again."""
    return Spans(pixels.start + by, pixels.count) if by else pixels


class Harmonics(Struct, frozen=True):
    """Columns that are sinusoids: ``amplitude * sin(w p)`` or ``amplitude * cos(w p)`` of one of the pairs.

    ``frequencies`` (n_pairs,) in rad per position; of each column (m,) its ``pairs`` index, its ``quarters``
    (0 for sine, 1 for cosine) and its ``amplitudes``.
    """

    frequencies: FloatArray
    pairs: IntArray
    quarters: IntArray
    amplitudes: FloatArray

    def __getitem__(self, columns: IntArray) -> "Harmonics":
        """The harmonics of these columns."""
        return Harmonics(self.frequencies, self.pairs[columns], self.quarters[columns], self.amplitudes[columns])

    def needed(self) -> "Harmonics":
        """The same columns with only the frequencies that they need."""
        needed = np.zeros(len(self.frequencies), bool)
        needed[self.pairs] = True
        pairs = (np.cumsum(needed) - 1)[self.pairs]
        return Harmonics(self.frequencies[needed], pairs, self.quarters, self.amplitudes)


def sinusoid_tile(harmonics: Harmonics, rows: Spans, columns: Spans, amplitude: float = 1.0) -> Float32Array:
    """Mean of the columns per pixel, times the amplitude, float32 ``(rows, columns)``.

    ``harmonics`` are the table's columns from the first of ``columns`` on; ``rows`` are spans of positions.
    Pixels of the same cells are computed once. With an amplitude above 1 all is computed in float64 before it is
    rounded.
    """
    shown, row_of = distinct(rows)
    across, column_of = distinct(columns)
    used = harmonics[_ranges(across.start, across.count) - columns.start.min()]
    if len(used.pairs) == len(across.start):
        means = _single_columns(used.needed(), shown, amplitude)
    else:
        means = _averaged_columns(used, shown, across.count, amplitude)
    if len(means) < len(row_of):
        means = means.take(row_of, axis=0)
    return means.take(column_of, axis=1) if means.shape[1] < len(column_of) else means


def sinusoid_phasors(frequencies: FloatArray, rows: Spans, pairs: Spans) -> Complex64Array:
    """The mean of ``exp(i w p)`` per pixel, complex64 ``(rows, pairs)``: a tile of cosines and a tile of sines."""
    reached = pairs.reached()

    def part(quarter: int) -> Float32Array:
        quarters = np.full(len(reached), quarter)
        return sinusoid_tile(Harmonics(frequencies, reached, quarters, np.ones(len(reached))), rows, pairs)

    return complex_of(part(1), part(0))


def complex_of(real: Float32Array, imaginary: Float32Array) -> Complex64Array:
    """The complex numbers of these parts, complex64 of the same shape."""
    numbers = np.empty(real.shape, np.complex64)
    numbers.real, numbers.imag = real, imaginary
    return numbers


@lru_cache(maxsize=_KEPT)
def distinct(pixels: Spans) -> tuple[Spans, IntArray]:
    """The spans without repetitions of their neighbours, and the index among these of each pixel's span."""
    new = np.r_[True, (np.diff(pixels.start) != 0) | (np.diff(pixels.count) != 0)]
    return Spans(pixels.start[new], pixels.count[new]), np.cumsum(new) - 1


@lru_cache(maxsize=_KEPT)
def _batches(rows: Spans) -> RowBatches:
    return RowBatches.of(rows.start, rows.count)


def _ranges(starts: IntArray, counts: IntArray) -> IntArray:
    """The integers of all ranges ``start .. start + count - 1``, one after the other."""
    before = np.cumsum(counts) - counts
    return np.asarray(np.arange(counts.sum()) + np.repeat(starts - before, counts), np.int64)


def _single_columns(harmonics: Harmonics, rows: Spans, amplitude: float) -> Float32Array:
    """The means if no two columns share a pixel: one complex product per pair."""
    parts = _batches(rows)
    wanted = 2 * harmonics.pairs + harmonics.quarters
    factors = parts.blocks(harmonics.frequencies, amplitude)
    means = products(factors, len(rows.start), len(harmonics.frequencies), wanted)
    means[:, harmonics.amplitudes == 0] = 0
    return means


def _averaged_columns(harmonics: Harmonics, rows: Spans, counts: IntArray, amplitude: float) -> Float32Array:
    """The means if ``counts`` neighbouring columns share a pixel, ``(rows, len(counts))``.

    With angle addition each pixel is a small matrix product, (batch x column) times (column x offset).
    """
    parts, n_rows = _batches(rows), len(rows.start)
    sums = np.zeros((len(counts), n_rows), np.float32 if counts.max() <= _COLUMNS_AT_A_TIME else np.float64)
    place = parts.batch_of * len(parts.size_of) + parts.offset_of
    in_order = np.array_equal(place, np.arange(n_rows))

    def add(pieces: list[_Piece]) -> None:
        for pixels, columns, group in pieces:
            some = _group_sums(harmonics[columns], parts, group, amplitude).reshape(len(group), -1)
            sums[pixels] += some[:, :n_rows] if in_order else some.take(place, axis=1, mode="clip")

    on_all_processors(add, [list(pieces) for _, pieces in groupby(_pieces(counts), lambda piece: piece[0].start)])
    means = np.ascontiguousarray(sums.T)
    means /= counts.astype(np.float32)
    return means.astype(np.float32, copy=False)


def _pieces(counts: IntArray) -> Iterator[_Piece]:
    """Equally many neighbouring pixels with some thousand columns together, or a part of the columns of one pixel.

    Yields the pixels, their columns, and the number of columns of each pixel.
    """
    ends = np.cumsum(counts)
    n_shares = max(1, round(int(ends[-1]) / _COLUMNS_AT_A_TIME))
    some = -(-len(counts) // n_shares)
    for first in range(0, len(counts), some):
        group = counts[first : first + some]
        start, stop = int(ends[first] - counts[first]), int(ends[first + len(group) - 1])
        if len(group) > 1:
            yield slice(first, first + some), np.arange(start, stop), group
            continue
        for part in range(start, stop, _COLUMNS_AT_A_TIME):
            columns = np.arange(part, min(part + _COLUMNS_AT_A_TIME, stop))
            yield slice(first, first + 1), columns, np.array([len(columns)])


class _Terms(Struct, frozen=True):
    """The pairs of groups of columns, ``(n_groups, n_terms)`` indices and weights; short groups end in weights of 0."""

    pairs: IntArray
    weights: Complex128Array

    @classmethod
    def of(cls, harmonics: Harmonics, counts: IntArray) -> "_Terms":
        """The terms of groups of ``counts`` columns; kept, since they do not depend on the frequencies."""
        columns = (each.tobytes() for each in (harmonics.pairs, harmonics.quarters, harmonics.amplitudes, counts))
        return _terms(len(harmonics.frequencies), *columns)


@lru_cache(maxsize=_KEPT)
def _terms(n_pairs: int, pairs_of: bytes, quarters_of: bytes, amplitudes: bytes, counts_of: bytes) -> _Terms:
    pairs, quarters, counts = (np.frombuffer(each, np.int64) for each in (pairs_of, quarters_of, counts_of))
    terms, term_of = np.unique(np.repeat(np.arange(len(counts)), counts) * n_pairs + pairs, return_inverse=True)
    group, pairs = np.divmod(terms, n_pairs)
    shown = np.where(np.frombuffer(amplitudes) == 0, 0.0, 1.0)
    sines = np.bincount(term_of, shown * (quarters == 0))
    cosines = np.bincount(term_of, shown * (quarters == 1))
    place = np.arange(len(terms)) - np.searchsorted(group, np.arange(len(counts)))[group]
    shape = (len(counts), int(place.max()) + 1)
    found = _Terms(np.full(shape, n_pairs), np.zeros(shape, np.complex128))
    found.pairs[group, place], found.weights[group, place] = pairs, 1j * (sines - 1j * cosines)
    return found


def _group_sums(
    harmonics: Harmonics, parts: RowBatches, counts: IntArray, amplitude: float
) -> npt.NDArray[np.floating[Any]]:
    """Sums of groups of ``counts`` columns per batch and offset, ``(n_groups, n_batches, n_offsets)``.

    All columns of a pair that share a pixel are one term ``Re(i s t w)``: s belongs to the batch, t to the offset, and
    w is 1 for a sine, -i for a cosine. Short groups are padded with terms of frequency and weight 0. The sums are
    float32, or float64 for many terms and for an amplitude above 1.
    """
    terms = _Terms.of(harmonics, counts)
    starts, offsets = parts.factors(np.append(harmonics.frequencies, 0.0)[terms.pairs.ravel()])
    offsets *= amplitude * terms.weights.ravel()
    # Re(s t) = Re s Re t - Im s Im t: one real product of twice as many terms
    is_single = terms.pairs.shape[1] <= _SINGLE_TERMS and amplitude <= 1
    kind, part = (np.complex64, np.float32) if is_single else (np.complex128, np.float64)
    by_group = (-1, len(counts), 2 * terms.pairs.shape[1])
    lefts, rights = (
        side.astype(kind, copy=False).view(part).reshape(by_group)
        for side in (starts, np.conjugate(offsets, out=offsets))
    )
    sums: npt.NDArray[np.floating[Any]] = lefts.transpose(1, 0, 2) @ rights.transpose(1, 2, 0)
    return sums
