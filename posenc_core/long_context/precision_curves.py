"""The largest errors of rounded angles along the positions, for several encodings, computed part by part."""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Encoding
from posenc_core.long_context.precision import MOST_POSITIONS, distinct_positions, precision_error, tried_positions
from posenc_core.numerics import FloatArray, IntArray, Spans
from posenc_core.progressive import Arrays, PartialPicture
from posenc_core.tables import Cancelled

SAMPLES = 64
"""Number of positions to try in each part, all if a part has fewer."""

MOST_PAIRS = 256
"""Pairs of an encoding whose errors are computed; of more, that many spread evenly."""

_MOST_COUNTED = 1 << 23
"""Angles that are computed to count the positions that stay apart."""

_COST = 4
"""The work for an angle with its cosine, sine and rounding, in entries of a file's table."""


class PrecisionCurves(Struct, frozen=True, dict=True):
    """Curves to compute: encodings, arithmetic, and the edges between the parts of the positions.

    ``edges`` ascend strictly. Parts are computed with at most ``SAMPLES`` positions and ``MOST_PAIRS`` pairs each.
    """

    encodings: tuple[Encoding, ...]
    arithmetic: str
    edges: tuple[int, ...]
    trained: int

    @classmethod
    def of(
        cls, encodings: Sequence[Encoding], arithmetic: str, n_parts: int, last: int, trained: int
    ) -> "PrecisionCurves":
        """At most ``n_parts`` parts of the positions 1..last, each wider than the one before by the same factor."""
        edges = np.unique(np.rint(np.geomspace(1, last + 1, n_parts + 1)).astype(np.int64))
        return cls(tuple(encodings), arithmetic, tuple(edges.tolist()), trained)

    @cached_property
    def n_pairs(self) -> tuple[int, ...]:
        """The number of pairs of each encoding."""
        return tuple(len(each.frequencies()) for each in self.encodings)

    @property
    def n_counted(self) -> int:
        """Number of compared positions from 0 on: the trained length, or a second's work."""
        return min(self.trained, MOST_POSITIONS, max(1, _MOST_COUNTED // max(self.n_pairs)))

    @cached_property
    def work(self) -> int:
        """The cost of everything, in entries of a file's table."""
        return int(self._costs().sum())

    def pairs(self, index: int) -> IntArray:
        """The pairs of the encoding of that index whose errors are computed, int64."""
        n_pairs = self.n_pairs[index]
        return np.unique(np.linspace(0, n_pairs - 1, min(n_pairs, MOST_PAIRS)).astype(np.int64))

    def _costs(self) -> IntArray:
        """The cost of each part; the last one has the count of positions too."""
        tried = np.minimum(np.diff(self.edges), SAMPLES)
        costs = _COST * tried * sum(len(self.pairs(index)) for index in range(len(self.encodings)))
        costs[-1] += _COST * self.n_counted * sum(self.n_pairs)
        return costs.astype(np.int64)

    def begin(self) -> PartialPicture:
        """The curves, to be computed part by part.

        Four arrays ``(n_parts, n_encodings)``: the largest error, float64; its position and its pair; and
        the number of distinct positions among the first ``n_counted``, in the last part only.
        """
        edges = np.array(self.edges)
        shape = (len(edges) - 1, len(self.encodings))
        arrays: Arrays = (np.full(shape, np.nan), *(np.zeros(shape, np.int64) for _ in range(3)))
        parts = Spans(edges[:-1], np.diff(edges))
        return PartialPicture(("precision", self), parts, self._costs(), arrays, self.compute)

    def compute(self, first: int, stop: int, goes_on: Callable[[], bool]) -> Arrays:
        """The arrays of the parts first..stop-1; Cancelled once ``goes_on`` returns False."""
        tried = [tried_positions(*ends, SAMPLES) for ends in pairwise(self.edges[first : stop + 1])]
        shape = (stop - first, len(self.encodings))
        largest: FloatArray = np.zeros(shape)
        positions, worst, apart = (np.zeros(shape, np.int64) for _ in range(3))
        for index, encoding in enumerate(self.encodings):
            pairs = self.pairs(index)
            for row, some in enumerate(tried):
                if not goes_on():
                    raise Cancelled
                errors = precision_error(encoding, some, self.arithmetic, pairs)
                at, pair = np.unravel_index(int(np.argmax(errors)), errors.shape)
                largest[row, index] = errors[at, pair]
                positions[row, index], worst[row, index] = some[at], pairs[pair]
            if stop == len(self.edges) - 1:
                apart[-1, index] = distinct_positions(encoding, self.n_counted, self.arithmetic, lambda done: goes_on())
        return largest, positions, worst, apart
