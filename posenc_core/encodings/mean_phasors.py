"""What the angles of many positions and pairs have in common: the mean of the unit vectors at these angles.

Its direction is the circular mean of the angles, and its length, from 0 to 1, says how much they agree: 1 where all are
the same, 0 where they go round evenly. The arithmetic mean of angles says neither.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from posenc_core.encodings.pair_angles import n_whole_pairs, pair_angles
from posenc_core.fields import check_tile
from posenc_core.numerics import Complex64Array, Float32Array, FloatArray, Harmonics, Spans, mean_tile, sinusoid_tile

if TYPE_CHECKING:
    from posenc_core.encodings import Encoding


def mean_phasors(
    encoding: "Encoding", positions: tuple[float, float], pairs: tuple[float, float], shape: tuple[int, int]
) -> Complex64Array:
    """The mean of ``exp(i angle)`` over the positions and the whole pairs of each part of a window.

    Complex64 of ``shape`` (rows, pairs), for the same parts as a ``tile`` has. ValueError for an empty window or shape,
    IndexError for pairs that there are not.
    """
    window = check_tile(positions, pairs, shape, n_whole_pairs(encoding), "pairs")
    return encoding.mean_phasors(*encoding.pixels(*window))


def sinusoid_phasors(frequencies: FloatArray, rows: Spans, pairs: Spans) -> Complex64Array:
    """The means of ``exp(i w p)``, complex64 ``(rows, pairs)``: a tile of the cosines and one of the sines."""
    reached = np.arange(pairs.start[0], pairs.start[-1] + pairs.count[-1])

    def part(quarter: int) -> Float32Array:
        quarters = np.full(len(reached), quarter)
        return sinusoid_tile(Harmonics(frequencies, reached, quarters, np.ones(len(reached))), rows, pairs)

    return _complex(part(1), part(0))


def block_phasors(encoding: "Encoding", rows: Spans, pairs: Spans) -> Complex64Array:
    """The same for any table whose columns pair up: angle by angle, in bounded blocks."""

    def part(of: Callable[[FloatArray], FloatArray]) -> Float32Array:
        return mean_tile(lambda *place: of(pair_angles(encoding, *place)), encoding.equal_rows, rows, pairs)

    return _complex(part(np.cos), part(np.sin))


def _complex(real: Float32Array, imaginary: Float32Array) -> Complex64Array:
    turns = np.empty(real.shape, np.complex64)
    turns.real, turns.imag = real, imaginary
    return turns
