"""The part of the table that a heatmap shows, and its resolution."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from posenc_core import Encoding, tile
from posenc_core.encodings import n_whole_pairs, pair_angles, pair_members
from posenc_core.numerics import FloatArray, spans
from posenc_core.progressive import Arrays, Flags, PartialPicture, partial_tile, slow_work
from posenc_gui.plotting import Range

_VECTOR_DOTS = 4
"""Dots along each side of a pixel in SVG and PDF files: 384 per inch on paper."""

_LEAST_COLUMN = 2.0
"""Logical pixels: narrower columns have uneven widths, which makes stripes of their own."""

_MOST_DOTS = 1 << 25
"""Dots of the largest figure that has dots, some 1400 pixels square; their means need half a gigabyte."""


class Span(Struct, frozen=True):
    """Parts to compute along one axis: equal ``parts`` from ``first`` to ``stop`` in table coordinates.

    A part is a pixel, or one of the ``dots`` along its side.
    """

    first: float
    stop: float
    parts: int
    dots: int = 1

    @classmethod
    def over(cls, window: Range, pixels: int) -> "Span":
        """The span of a visible range: whole cells if they are wider than a pixel, else a part per pixel."""
        low, high = window[0] + 0.5, window[1] + 0.5
        if high - low <= pixels:
            first, stop = np.floor(low + 1e-9), np.ceil(high - 1e-9)
            return cls(float(first), float(stop), max(1, int(stop - first)))
        return cls(low, high, pixels)

    def within(self, first: float, stop: float) -> "Span | None":
        """The part from ``first`` to ``stop``, at the same resolution; None for an empty part."""
        first, stop = max(self.first, first), min(self.stop, stop)
        if first >= stop:
            return None
        if (first, stop) == (self.first, self.stop):
            return self
        return Span(first, stop, max(1, round((stop - first) / self.cells_a_part)))

    def in_dots(self) -> "Span":
        """The span in dots if it is averaged; else the same."""
        return replace(self, parts=self.parts * _VECTOR_DOTS, dots=_VECTOR_DOTS) if self.is_averaged else self

    def weights(self) -> FloatArray:
        """Each dot's share of the cells of its pixel, float64 ``(parts,)``; 0 for a dot in which no cell begins."""
        dots = spans(self.first, self.stop, self.parts)
        begun = np.diff(dots.start + dots.count, prepend=math.ceil(self.first)).reshape(self.pixels, self.dots)
        return (begun / begun.sum(axis=1, keepdims=True)).ravel()

    @property
    def is_averaged(self) -> bool:
        """Whether a pixel is wider than a cell."""
        return self.cells_a_part * self.dots > 1

    @property
    def pixels(self) -> int:
        """The number of pixels."""
        return self.parts // self.dots

    @property
    def shown(self) -> Range:
        """The range on the axis, whose cells are centred on whole numbers."""
        return (self.first - 0.5, self.stop - 0.5)

    @property
    def cells_a_part(self) -> float:
        """The number of cells per part."""
        return (self.stop - self.first) / self.parts


class Grid(Struct, frozen=True):
    """A window of an encoding's table at the resolution of the pixels; with ``angles``, of its pairs' angles."""

    encoding: Encoding
    down: Span
    across: Span
    transpose: bool
    angles: bool = False

    @property
    def cells_a_pixel(self) -> tuple[float, float]:
        """The number of positions and columns per pixel."""
        return self.positions.cells_a_part, self.columns.cells_a_part

    @property
    def whole_cells(self) -> bool:
        """Whether every part is one cell, and none a dot."""
        return self.down.cells_a_part == self.across.cells_a_part == 1 and not self.has_dots

    @property
    def has_dots(self) -> bool:
        """Whether the parts are dots along an axis."""
        return self.down.dots > 1 or self.across.dots > 1

    @property
    def positions(self) -> Span:
        """The span of positions."""
        return self.across if self.transpose else self.down

    @property
    def columns(self) -> Span:
        """The span of columns, or of pairs."""
        return self.down if self.transpose else self.across

    def of(self, encoding: Encoding) -> "Grid":
        """The same window of another encoding's table."""
        return replace(self, encoding=encoding)

    def valued(self) -> "Grid | None":
        """The part at positions that have values; None for no such position.

        A pixel across the domain's end shows the mean of the positions inside.
        """
        first, last = self.encoding.domain
        span = self.positions.within(first, last + 1)
        if span is None:
            return None
        return replace(self, across=span) if self.transpose else replace(self, down=span)

    def in_dots(self) -> "Grid":
        """The same part in dots along each axis that is averaged, unless they are too many."""
        down, across = self.down.in_dots(), self.across.in_dots()
        return replace(self, down=down, across=across) if down.parts * across.parts <= _MOST_DOTS else self

    def pixel_means(self, dots: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The exact means of the pixels ``(down, across)`` as drawn, from the means of their dots."""
        shares = dots * self.down.weights()[:, None] * self.across.weights()
        blocks = shares.reshape(self.down.pixels, self.down.dots, self.across.pixels, self.across.dots)
        return np.asarray(blocks.sum(axis=(1, 3)))

    @property
    def work(self) -> int:
        """The number of entries to read one by one; 0 for a formula."""
        (first, stop), (left, end) = (
            (math.floor(span.first), math.ceil(span.stop)) for span in (self.positions, self.columns)
        )
        return slow_work(self.encoding, first, stop, end - left)

    def compute(self) -> npt.NDArray[Any]:
        """The exact means, ``(down, across)`` as drawn, of a grid whose positions have values.

        Angles of whole cells are exact; a pixel of several cells has the complex mean of their unit vectors.
        """
        return self._as_drawn(self._angles() if self.angles else tile(*self._window()))

    def begin(self) -> PartialPicture:
        """The means of a slow table, to be computed part by part."""
        return partial_tile(*self._window())

    def assemble(self, arrays: Arrays, known: Flags) -> npt.NDArray[Any]:
        """The means of the known parts, and zeros."""
        return self._as_drawn(arrays[0])

    def _as_drawn(self, computed: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.ascontiguousarray(computed.T) if self.transpose else computed

    def _window(self) -> tuple[Encoding, Range, Range, tuple[int, int]]:
        """The encoding, the positions and columns of its table, and the shape."""
        positions, columns = self.positions, self.columns
        within = (max(columns.first, 0.0), min(columns.stop, float(self.encoding.n_columns)))
        return self.encoding, (positions.first, positions.stop), within, (positions.parts, columns.parts)

    def _angles(self) -> npt.NDArray[Any]:
        positions, pairs = self.positions, self.columns
        first, stop = max(pairs.first, 0.0), min(pairs.stop, float(n_whole_pairs(self.encoding)))
        if self.whole_cells:
            rows, across = (np.arange(*map(round, ends)) for ends in ((positions.first, positions.stop), (first, stop)))
            return pair_angles(self.encoding, rows, across)
        window = (positions.first, positions.stop), (first, stop)
        return self.encoding.sampler.phasor_tile(*window, (positions.parts, pairs.parts))


def matching_column(encoding: Encoding, other: Encoding, column: int) -> int:
    """The column of another order of the same table that has the pair and the part of this one."""
    if other == encoding:
        return column
    from posenc_core.long_context import difference_of  # imported on first use

    subtracted, others = difference_of(encoding), difference_of(other)
    if subtracted is not None and others is not None:
        return matching_column(subtracted.one, others.one, column)
    facts = encoding.column_info(column)
    sines, cosines = pair_members(other, np.array([facts.pair]))
    return int((sines if facts.part == "sin" else cosines)[0])


def unmixed(encoding: Encoding, room: float) -> Encoding:
    """The table with sines and cosines apart if its columns would be too narrow in a room of pixels; else itself."""
    return encoding.in_halves() if room < _LEAST_COLUMN * encoding.n_columns else encoding
