"""The table at any zoom: exact means over blocks of positions and columns, a pixel each.

The mean of a sine over the block of positions a..b-1 is the sine at the block's centre times a factor that depends
on the frequency and the number of positions alone, the Dirichlet kernel

    mean sin(w p + phi) = sin(w (a + b - 1)/2 + phi) * D_N(w),   D_N(w) = sin(N w/2) / (N sin(w/2)),

so that a pixel over a million positions costs what one over a single position does.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from posenc_core.angles import FloatArray, IntArray

_COLUMNS_AT_A_TIME = 1024
"""Columns that are averaged together, so that memory stays bounded and the work in the processor's cache."""

Complex128Array = npt.NDArray[np.complex128]


@dataclass(frozen=True)
class Spans:
    """For each pixel along one axis the integers ``start .. start + count - 1`` that it stands for."""

    start: IntArray
    count: IntArray

    @property
    def most(self) -> int:
        """The largest number of integers in a pixel."""
        return int(self.count.max())


def spans(first: float, stop: float, pixels: int) -> Spans:
    """The integers in each of ``pixels`` equal parts of [first, stop); where none is, the cell the part lies in.

    Cell k is the interval [k, k + 1): a part that holds no integer belongs to the cell around its centre.
    """
    edges = first + (stop - first) * (np.arange(pixels + 1) / pixels)
    ceilings = np.ceil(edges).astype(np.int64)
    start, count = ceilings[:-1].copy(), np.diff(ceilings)
    empty = count == 0
    middles = (edges[:-1] + edges[1:]) / 2
    start[empty] = np.floor(middles[empty]).astype(np.int64)
    return Spans(start, np.maximum(count, 1))


def dirichlet(frequencies: FloatArray, count: int) -> FloatArray:
    """``sin(N w/2) / (N sin(w/2))`` for N = ``count``, the factor of a mean over N positions; 1 at w = 0."""
    half = frequencies / 2
    sine = np.sin(half)
    whole_turns = np.abs(sine) < 1e-300
    return np.where(whole_turns, 1.0, np.sin(count * half) / np.where(whole_turns, 1.0, count * sine))


@dataclass(frozen=True)
class Harmonics:
    """Columns that are sinusoids: ``amplitude * sin(w p)`` or ``amplitude * cos(w p)`` of one of the pairs.

    ``frequencies`` (n_pairs,) in rad per position; of each column (m,) its ``pairs`` index, its ``quarters``
    (0 for sine, 1 for cosine) and its ``amplitudes``.
    """

    frequencies: FloatArray
    pairs: IntArray
    quarters: IntArray
    amplitudes: FloatArray

    def __getitem__(self, columns: IntArray) -> "Harmonics":
        """Those columns alone, with the pairs that they need."""
        first, last = int(self.pairs[columns].min()), int(self.pairs[columns].max())
        return Harmonics(
            self.frequencies[first : last + 1],
            self.pairs[columns] - first,
            self.quarters[columns],
            self.amplitudes[columns],
        )


def sinusoid_tile(harmonics: Harmonics, rows: Spans, columns: Spans) -> npt.NDArray[np.float32]:
    """Mean of the columns per pixel, float32 ``(rows, columns)``.

    ``harmonics`` describes the table's columns from the first that ``columns`` reaches on; ``rows`` are spans of
    positions. Pixels that show the same cells are computed once.
    """
    distinct = np.r_[True, (np.diff(rows.start) != 0) | (np.diff(rows.count) != 0)]
    row_of = np.cumsum(distinct) - 1
    column_starts, column_of = np.unique(columns.start, return_inverse=True)
    counts = np.zeros(len(column_starts), np.int64)
    counts[column_of] = columns.count
    used = _ranges(column_starts, counts) - columns.start.min()
    means = _block_means(harmonics[used], Spans(rows.start[distinct], rows.count[distinct]), counts)
    if len(means) < len(row_of):
        means = means.take(row_of, axis=0)
    return means.take(column_of, axis=1) if means.shape[1] < len(column_of) else means


def _ranges(starts: IntArray, counts: IntArray) -> IntArray:
    """The integers of all ranges ``start .. start + count - 1``, one after the other."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1]) + np.repeat(starts - (ends - counts), counts)


def _block_means(harmonics: Harmonics, rows: Spans, counts: IntArray) -> npt.NDArray[np.float32]:
    """The means of distinct rows; ``counts`` neighbouring columns are averaged into one.

    Rows are taken in runs: a row's centre is its run's first centre plus one of a few offsets, because the runs
    are alike but for rounding. By angle addition the means are then small matrix products,
    (run x column) times (column x offset), a product for each pixel column.
    """
    doubled = 2 * rows.start + rows.count - 1  # twice the centre of each block is an integer
    run = max(1, round(np.sqrt(len(doubled) / 3)))
    run_of = np.arange(len(doubled)) // run
    starts = doubled[::run]
    most = rows.most + 1
    keys, offset_of = np.unique((doubled - starts[run_of]) * most + rows.count, return_inverse=True)
    offsets, blocks = np.divmod(keys, most)
    seeds = _turned(harmonics.frequencies, starts)
    within = _turned(harmonics.frequencies, offsets) * _dirichlet_rows(harmonics.frequencies, blocks)
    if len(counts) == len(harmonics.pairs):
        return _single_columns(harmonics, seeds, within, run_of, offset_of)
    means = np.empty((len(doubled), len(counts)), np.float32)
    ends = np.cumsum(counts)
    some = max(1, _COLUMNS_AT_A_TIME // int(counts.max()))
    for left in range(0, len(counts), some):
        group = counts[left : left + some]
        chosen = np.arange(ends[left] - counts[left], ends[left + len(group) - 1])
        products = _column_products(harmonics, chosen, group, seeds, within)
        means[:, left : left + some] = products[:, run_of, offset_of].T
    return means


def _turned(frequencies: FloatArray, doubled: IntArray) -> Complex128Array:
    """``exp(i w c)`` for each centre c = doubled / 2, ``(n, n_pairs)``, each row turned from the one before."""
    steps, step_of = np.unique(np.diff(doubled, prepend=0), return_inverse=True)
    turns = np.exp(1j * np.multiply.outer(steps / 2, frequencies))
    rows = turns[step_of]
    for before, after in pairwise(rows):
        after *= before
    return rows


def _dirichlet_rows(frequencies: FloatArray, blocks: IntArray) -> FloatArray:
    sizes, size_of = np.unique(blocks, return_inverse=True)
    return np.stack([dirichlet(frequencies, int(size)) for size in sizes])[size_of]


def _single_columns(
    harmonics: Harmonics, seeds: Complex128Array, within: Complex128Array, run_of: IntArray, offset_of: IntArray
) -> npt.NDArray[np.float32]:
    """The means where no two columns share a pixel: one complex product a pair."""
    product = (1j * seeds.conj()).astype(np.complex64)[run_of]
    product *= within.conj().astype(np.complex64)[offset_of]
    wanted = 2 * harmonics.pairs + harmonics.quarters
    means = product.view(np.float32)
    if not np.array_equal(wanted, np.arange(means.shape[1])):
        means = means[:, wanted]
    return means if harmonics.amplitudes.all() else means * harmonics.amplitudes.astype(np.float32)


def _column_products(
    harmonics: Harmonics, chosen: IntArray, counts: IntArray, seeds: Complex128Array, within: Complex128Array
) -> npt.NDArray[np.float32]:
    """Means of groups of ``counts`` columns, for every run and offset, float32 ``(n_groups, n_runs, n_offsets)``."""
    most = int(counts.max())
    place = np.arange(len(chosen)) - np.repeat(np.cumsum(counts) - counts, counts)
    group = np.repeat(np.arange(len(counts)), counts)
    pairs, cosine = harmonics.pairs[chosen], harmonics.quarters[chosen] == 1
    shares = harmonics.amplitudes[chosen] / np.repeat(counts, counts)
    phased = np.where(cosine, 1j, 1.0) * seeds[:, pairs]  # the cosine is the sine a quarter turn further
    left = np.zeros((len(counts), most, 2, len(seeds)), np.float32)
    right = np.zeros((len(counts), most, 2, len(within)), np.float32)
    left[group, place, 0], left[group, place, 1] = phased.imag.T, phased.real.T
    right[group, place, 0] = (within.real[:, pairs] * shares).T
    right[group, place, 1] = (within.imag[:, pairs] * shares).T
    flat = (len(counts), 2 * most, -1)
    return left.reshape(flat).transpose(0, 2, 1) @ right.reshape(flat)
