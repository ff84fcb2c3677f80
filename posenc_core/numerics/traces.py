"""Columns as continuous curves, with as many points as each needs, and as bands if a pixel contains whole waves.

A curve is sampled evenly in *phase*, with its peaks among the samples, so that all waves of a column look alike.
Sampling evenly in position makes neighbouring waves differ and shows a slow beat that does not exist.
"""

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from posenc_core.numerics.harmonics import FloatArray, IntArray

PIXELS_PER_WAVE = 4.0
"""A narrower wave is drawn as its envelope."""


class Lines(Struct, frozen=True):
    """Curves of equally many samples: ``columns`` (m,), positions ``x`` (m, n) and values ``y`` (m, n)."""

    columns: IntArray
    x: FloatArray
    y: FloatArray


class Bands(Struct, frozen=True):
    """Curves too fast for the pixels: per pixel the exact smallest and largest value of the curve.

    ``columns`` (m,), the pixels' edges ``x`` (n + 1,), ``low`` and ``high`` (m, n).
    """

    columns: IntArray
    x: FloatArray
    low: FloatArray
    high: FloatArray


class Traces(Struct, frozen=True):
    """A window of some columns: curves, grouped by their number of samples, and bands."""

    lines: tuple[Lines, ...]
    bands: tuple[Bands, ...]

    def moved(self, by: float) -> "Traces":
        """The same curves, moved by ``by`` positions."""
        if not by:
            return self
        return Traces(
            tuple(replace(line, x=line.x + by) for line in self.lines),
            tuple(replace(band, x=band.x + by) for band in self.bands),
        )


def sinusoid_traces(
    frequencies: FloatArray,
    quarter_turns: IntArray,
    amplitudes: FloatArray,
    columns: IntArray,
    positions: tuple[float, float],
    pixels: int,
    picture: int | None = None,
) -> Traces:
    """Curves ``amplitude * sin(w x + quarter_turns pi/2)`` over a window of positions, ``pixels`` wide.

    ``frequencies`` (rad per position), ``quarter_turns`` and ``amplitudes`` belong to ``columns``, all ``(m,)``.
    Curves are within half a pixel of the sine if the columns are stacked in a picture up to twice as tall as it is
    wide. The picture is ``picture`` pixels wide; None if the window is all of it.
    """
    first, last = positions
    per_pixel = (last - first) / pixels
    with np.errstate(divide="ignore", over="ignore"):  # waves longer, or more frequent, than float64 can represent
        pixels_per_wave = 2 * np.pi / (frequencies * per_pixel)
    too_fast = pixels_per_wave < PIXELS_PER_WAVE
    phases: FloatArray = np.multiply(quarter_turns, np.pi / 2)
    slow = np.flatnonzero(~too_fast)
    samples = _samples_per_wave(pixels_per_wave[slow], (picture or pixels) / max(1, len(columns)))
    counts = np.ceil(pixels / pixels_per_wave[slow] * samples).astype(np.int64) + 2
    groups = np.ceil(np.log2(counts))  # few groups, each computed at once
    lines = []
    for group in sorted(set(groups.tolist())):  # np.unique loads numpy's masked arrays, 20 ms
        members = groups == group
        chosen, size = slow[members], int(counts[members].max())
        x, y = _aligned_samples(frequencies[chosen], phases[chosen], samples[members], positions, size)
        y *= amplitudes[chosen, None]
        lines.append(Lines(columns[chosen], x, y))
    bands = []
    if too_fast.any():
        edges = np.linspace(first, last, pixels + 1)
        full = 4 * np.pi / per_pixel  # two whole waves in a pixel fill it
        fast = np.minimum(frequencies[too_fast], full)
        low, high = sine_envelope(fast, phases[too_fast], edges)
        scale = amplitudes[too_fast, None]
        bands.append(Bands(columns[too_fast], edges, low * scale, high * scale))
    return Traces(tuple(lines), tuple(bands))


def _samples_per_wave(pixels_per_wave: FloatArray, amplitude: float) -> IntArray:
    """The fewest samples whose chords are within half a pixel of a sine ``amplitude`` pixels high, a multiple of 4.

    The error of a chord between n samples per wave is ``amplitude * (1 - cos(pi/n))``; samples closer than a pixel are
    wasted.
    """
    enough = np.minimum(np.pi * np.sqrt(amplitude), pixels_per_wave)
    return np.asarray(4 * np.ceil(np.maximum(enough, 8) / 4), np.int64)


def _aligned_samples(
    frequencies: FloatArray, phases: FloatArray, samples: IntArray, positions: tuple[float, float], size: int
) -> tuple[FloatArray, FloatArray]:
    """Points at whole fractions of each wave, clipped to the window, ``(m, size)`` each."""
    first, last = positions
    with np.errstate(divide="ignore", over="ignore"):
        spacing = np.minimum(2 * np.pi / (samples * frequencies), 1e300)
    lead = np.round(samples * phases / (2 * np.pi))  # a whole number, as a quarter turn is
    start = np.floor(first / spacing + lead) - lead
    x = start[:, None] + np.arange(size)
    x *= spacing[:, None]
    np.minimum(x, last, out=x)  # only the first of each is before the window
    x[:, 0], x[:, -1] = first, last
    y = _periodic((start + lead) % samples, samples, size)
    ends = np.sin(np.multiply.outer(positions, frequencies) + phases)
    y[:, 0] = ends[0]
    np.copyto(y, ends[1][:, None], where=x >= last)
    return x, y


def _periodic(begin: FloatArray, samples: IntArray, size: int) -> FloatArray:
    """Sines at successive fractions of a wave, from the fraction ``begin / samples`` on, ``(m, size)``."""
    waves = {count: np.resize(np.sin(np.arange(count) * (2 * np.pi / count)), size + count) for count in set(samples)}
    rows = zip(samples.tolist(), begin.astype(np.int64).tolist(), strict=True)
    return np.array([waves[count][at : at + size] for count, at in rows])


def sine_envelope(frequencies: FloatArray, phases: FloatArray, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Smallest and largest value of the continuous curve ``sin(w x + phase)`` between neighbouring edges.

    Returns ``low`` and ``high``, each ``(m, n_edges - 1)``; every sample between two edges lies within them.
    """
    angles = np.multiply.outer(frequencies, edges) + phases[:, None]
    ends = np.sin(angles)
    low = np.minimum(ends[:, :-1], ends[:, 1:])
    high = np.maximum(ends[:, :-1], ends[:, 1:])
    for crest, extreme, envelope in ((0.25, 1.0, high), (0.75, -1.0, low)):
        passed = np.floor(angles / (2 * np.pi) - crest)
        envelope[passed[:, 1:] > passed[:, :-1]] = extreme
    return low, high


def sine_block_envelope(frequency: float, phase: float, start: int, stop: int) -> tuple[float, float]:
    """Smallest and largest of ``sin(w p + phase)`` over the integer positions p = start..stop-1, exactly.

    Only the ends and the integers next to each crest can be extreme.
    """
    candidates = [np.array([start, stop - 1], dtype=np.float64)]
    if frequency > 0:
        for crest in (np.pi / 2, -np.pi / 2):
            lowest = np.floor((frequency * start + phase - crest) / (2 * np.pi))
            highest = np.ceil((frequency * (stop - 1) + phase - crest) / (2 * np.pi))
            with np.errstate(over="ignore"):  # the next crest may be beyond float64
                peaks = (crest - phase + 2 * np.pi * np.arange(lowest, highest + 1)) / frequency
            for neighbours in (np.floor(peaks), np.ceil(peaks)):
                candidates.append(neighbours[(neighbours >= start) & (neighbours < stop)])
    values: npt.NDArray[np.float64] = np.sin(frequency * np.concatenate(candidates) + phase)
    return float(values.min()), float(values.max())


def trace_bounds(traces: Traces, columns: IntArray, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Bounds of the curves and bands of these columns between neighbouring edges, ``(m, n_edges - 1)`` each.

    They are the least and the largest value of a curve, and of a band's pixels there. A curve continues
    with its first and its last value beyond its ends.
    """
    row_of = {column: row for row, column in enumerate(columns.tolist())}
    low, high = np.zeros((2, len(columns), len(edges) - 1))
    for line in traces.lines:
        for column, x, y in zip(line.columns.tolist(), line.x, line.y, strict=True):
            low[row_of[column]], high[row_of[column]] = _line_bounds(x, y, edges)
    for band in traces.bands:
        rows, last = [row_of[column] for column in band.columns.tolist()], len(band.x) - 2
        tiny = 1e-9 * (band.x[-1] - band.x[0])
        first = np.clip(np.searchsorted(band.x, edges[:-1] + tiny, "right") - 1, 0, last)
        stop = np.clip(np.searchsorted(band.x, edges[1:] - tiny, "left") - 1, first, last)
        low[rows], high[rows] = band.low[:, first], band.high[:, first]
        for more in range(1, int((stop - first).max(initial=0)) + 1):
            pixel = np.minimum(first + more, stop)
            low[rows] = np.minimum(low[rows], band.low[:, pixel])
            high[rows] = np.maximum(high[rows], band.high[:, pixel])
    return low, high


def _line_bounds(x: FloatArray, y: FloatArray, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The least and the largest value of a curve through ascending points between neighbouring edges."""
    at_edges, begin = np.interp(edges, x, y), np.searchsorted(x, edges)
    is_empty = begin[:-1] == begin[1:]
    found = []
    for reduce, nothing in ((np.minimum, np.inf), (np.maximum, -np.inf)):
        inside = reduce.reduceat(np.append(y[: begin[-1]], nothing), begin[:-1])
        inside[is_empty] = nothing  # reduceat returns the point after the pixel
        found.append(reduce(inside, reduce(at_edges[:-1], at_edges[1:])))
    return found[0], found[1]
