"""The table at any zoom: exact means over blocks of positions and columns, a pixel each.

The mean of a sine over the block of positions a..b-1 is the sine at the block's centre times a factor that depends
on the frequency and the number of positions alone, the Dirichlet kernel

    mean sin(w p + phi) = sin(w (a + b - 1)/2 + phi) * D_N(w),   D_N(w) = sin(N w/2) / (N sin(w/2)),

so that a pixel over a million positions costs what one over a single position does.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from posenc_core.angles import Complex128Array, Factors, Float32Array, FloatArray, IntArray, products

_COLUMNS_AT_A_TIME = 2048
"""Columns that are worked on together: memory stays bounded, and the work in the processor's cache."""


@dataclass(frozen=True)
class Spans:
    """For each pixel along one axis the integers ``start .. start + count - 1`` that it stands for."""

    start: IntArray
    count: IntArray


def spans(first: float, stop: float, pixels: int) -> Spans:
    """The integers in each of ``pixels`` equal parts of [first, stop); where none is, the cell the part lies in.

    Cell k is the interval [k, k + 1): a part that holds no integer belongs to the cell around its centre.
    """
    edge = np.arange(pixels + 1)
    edges = (first * (pixels - edge) + stop * edge) / pixels  # exact wherever an edge is an integer
    ceilings = np.ceil(edges).astype(np.int64)
    start, count = ceilings[:-1], np.diff(ceilings)
    cells = np.floor((edges[:-1] + edges[1:]) / 2).astype(np.int64)
    cells = np.minimum(cells, ceilings[-1] - 1)  # parts too narrow for float64 have the edge for their centre
    return Spans(np.where(count == 0, cells, start), np.maximum(count, 1))


def dirichlet(frequencies: FloatArray, count: int) -> FloatArray:
    """``sin(N w/2) / (N sin(w/2))`` for N = ``count``, the factor of a mean over N positions; 1 at w = 0."""
    half = frequencies / 2
    sine = np.sin(half)
    still = np.abs(sine) < 1e-300
    return np.where(still, 1.0, np.sin(count * half) / np.where(still, 1.0, count * sine))


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
        """Those columns alone."""
        return Harmonics(self.frequencies, self.pairs[columns], self.quarters[columns], self.amplitudes[columns])

    def needed(self) -> "Harmonics":
        """The same columns with the frequencies that they need and no others."""
        needed, pairs = np.unique(self.pairs, return_inverse=True)
        return Harmonics(self.frequencies[needed], pairs, self.quarters, self.amplitudes)


def sinusoid_tile(harmonics: Harmonics, rows: Spans, columns: Spans) -> Float32Array:
    """Mean of the columns per pixel, float32 ``(rows, columns)``.

    ``harmonics`` describes the table's columns from the first that ``columns`` reaches on; ``rows`` are spans of
    positions. Pixels that show the same cells are computed once.
    """
    shown, row_of = _distinct(rows)
    across, column_of = _distinct(columns)
    used = harmonics[_ranges(across.start, across.count) - columns.start.min()]
    if len(used.pairs) == len(across.start):
        means = _single_columns(used.needed(), shown)
    else:
        means = _averaged_columns(used, shown, across.count)
    if len(means) < len(row_of):
        means = means.take(row_of, axis=0)
    return means.take(column_of, axis=1) if means.shape[1] < len(column_of) else means


def _distinct(pixels: Spans) -> tuple[Spans, IntArray]:
    """The spans without repetitions of the one before, and of each pixel which of them is its own."""
    new = np.r_[True, (np.diff(pixels.start) != 0) | (np.diff(pixels.count) != 0)]
    return Spans(pixels.start[new], pixels.count[new]), np.cumsum(new) - 1


def _ranges(starts: IntArray, counts: IntArray) -> IntArray:
    """The integers of all ranges ``start .. start + count - 1``, one after the other."""
    before = np.cumsum(counts) - counts
    return np.asarray(np.arange(counts.sum()) + np.repeat(starts - before, counts), np.int64)


@dataclass(frozen=True)
class _Rows:
    """Blocks of positions as a run's start plus one of a few offsets, because the runs are alike but for rounding.

    The mean over block k at frequency w is the imaginary part of a product of two factors, which depend on
    ``run_of[k]`` and ``offset_of[k]`` alone. Starts and offsets are twice the centres, each offset goes with the
    block size ``sizes[size_of[...]]``.
    """

    starts: IntArray
    offsets: IntArray
    sizes: IntArray
    size_of: IntArray
    run_of: IntArray
    offset_of: IntArray

    @classmethod
    def of(cls, rows: Spans) -> "_Rows":
        """The runs of these rows: about the square root of their number, for as little to compute as can be."""
        doubled = 2 * rows.start + rows.count - 1  # twice the centre of each block is an integer
        run = max(1, round(float(np.sqrt(len(doubled) / 3))))
        run_of = np.arange(len(doubled)) // run
        starts = doubled[::run]
        sizes, size_of = np.unique(rows.count, return_inverse=True)
        keys, offset_of = np.unique((doubled - starts[run_of]) * len(sizes) + size_of, return_inverse=True)
        return cls(starts, keys // len(sizes), sizes, keys % len(sizes), run_of, offset_of)

    def factors(self, frequencies: FloatArray) -> tuple[Complex128Array, Complex128Array]:
        """``exp(i w c)`` of each run's start ``(n_runs, n_pairs)``, and of each offset, times its kernel."""
        kernels = np.stack([dirichlet(frequencies, int(size)) for size in self.sizes])[self.size_of]
        return _turned(frequencies, self.starts), _turned(frequencies, self.offsets) * kernels

    def blocks(self, frequencies: FloatArray) -> Iterator[Factors]:
        """Run by run the factors of ``sin(w c) + i cos(w c)`` times the kernel."""
        starts, offsets = self.factors(frequencies)
        lefts = (1j * starts.conj()).astype(np.complex64)
        rights = offsets.conj().astype(np.complex64)
        height = int(np.count_nonzero(self.run_of == 0))
        for run, left in enumerate(lefts):
            rows = slice(run * height, (run + 1) * height)
            yield rows, left, rights[self.offset_of[rows]]


def _turned(frequencies: FloatArray, doubled: IntArray) -> Complex128Array:
    """``exp(i w c)`` for each centre c = doubled / 2, ``(n, n_pairs)``, each row turned from the one before."""
    steps, step_of = np.unique(np.diff(doubled, prepend=0), return_inverse=True)
    angles = np.multiply.outer(steps / 2, frequencies)
    turns = np.empty(angles.shape, np.complex128)
    turns.real, turns.imag = np.cos(angles), np.sin(angles)
    rows = np.empty((len(doubled), len(frequencies)), np.complex128)
    rows[0] = turns[step_of[0]]
    for row, step in enumerate(step_of[1:].tolist(), 1):
        np.multiply(rows[row - 1], turns[step], out=rows[row])
    return rows


def _single_columns(harmonics: Harmonics, rows: Spans) -> Float32Array:
    """The means where no two columns share a pixel: one complex product a pair."""
    parts = _Rows.of(rows)
    wanted = 2 * harmonics.pairs + harmonics.quarters
    means = products(parts.blocks(harmonics.frequencies), len(rows.start), len(harmonics.frequencies), wanted)
    means[:, harmonics.amplitudes == 0] = 0
    return means


def _averaged_columns(harmonics: Harmonics, rows: Spans, counts: IntArray) -> Float32Array:
    """The means where ``counts`` neighbouring columns share a pixel, ``(rows, len(counts))``.

    By angle addition they are small matrix products, (run x column) times (column x offset), one a pixel.
    """
    parts = _Rows.of(rows)
    sums = np.zeros((len(counts), len(rows.start)), np.float32)
    place = parts.run_of * len(parts.offsets) + parts.offset_of
    for pixels, columns, group in _pieces(counts):
        added = _group_sums(harmonics[columns].needed(), parts, group)
        sums[pixels] += added.reshape(len(group), -1).take(place, axis=1, mode="clip")
    sums /= counts[:, None].astype(np.float32)
    return np.ascontiguousarray(sums.T)


def _pieces(counts: IntArray) -> Iterator[tuple[slice, IntArray, IntArray]]:
    """Neighbouring pixels with about two thousand columns together, or a part of the columns of a single pixel.

    Yields the pixels, their columns, and how many belong to each pixel.
    """
    ends = np.cumsum(counts)
    some = max(1, _COLUMNS_AT_A_TIME // int(counts.max()))
    for first in range(0, len(counts), some):
        group = counts[first : first + some]
        start, stop = int(ends[first] - counts[first]), int(ends[first + len(group) - 1])
        if len(group) > 1:
            yield slice(first, first + some), np.arange(start, stop), group
            continue
        for part in range(start, stop, _COLUMNS_AT_A_TIME):
            columns = np.arange(part, min(part + _COLUMNS_AT_A_TIME, stop))
            yield slice(first, first + 1), columns, np.array([len(columns)])


def _group_sums(harmonics: Harmonics, parts: _Rows, counts: IntArray) -> Float32Array:
    """Sums of groups of ``counts`` columns, for every run and offset, float32 ``(n_groups, n_runs, n_offsets)``.

    All columns of a pair that share a pixel are one term ``Im(s * t)``: s is of the run, and t of the offset, times
    1 for a sine and i for a cosine.
    """
    n_groups, n_pairs = len(counts), len(harmonics.frequencies)
    group = np.repeat(np.arange(n_groups), counts)
    terms, term_of = np.unique(group * n_pairs + harmonics.pairs, return_inverse=True)
    group, pairs = np.divmod(terms, n_pairs)
    shown = np.where(harmonics.amplitudes == 0, 0.0, 1.0)
    sines = np.bincount(term_of, shown * (harmonics.quarters == 0))
    cosines = np.bincount(term_of, shown * (harmonics.quarters == 1))
    first = np.searchsorted(group, np.arange(n_groups))
    place = np.arange(len(terms)) - first[group]
    most = int(place.max()) + 1
    index, weights = np.zeros((n_groups, most), np.int64), np.zeros((n_groups, most), np.complex64)
    index[group, place], weights[group, place] = pairs, cosines + 1j * sines
    starts, offsets = parts.factors(harmonics.frequencies)
    lefts = starts.astype(np.complex64).take(index, axis=1, mode="clip")
    # Im(s t) = Re s Im t + Im s Re t, and i conj(t) has the parts Im t, Re t: a short group's weights end with zeros.
    rights = offsets.conj().astype(np.complex64).take(index, axis=1, mode="clip") * weights
    sums: Float32Array = lefts.view(np.float32).transpose(1, 0, 2) @ rights.view(np.float32).transpose(1, 2, 0)
    return sums
