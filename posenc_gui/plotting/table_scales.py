"""The colours of a table's values, which are the same in every panel that shows them."""

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from posenc_core import Document, Encoding
from posenc_core.numerics import FloatArray
from posenc_core.progressive import slow_work
from posenc_gui.look import Style
from posenc_gui.model import PositionAxis, column_noun, valued
from posenc_gui.plotting.color_scale import ColorScale
from posenc_gui.plotting.scale import Range, widened

_READ_AT_ONCE = 1 << 18
"""The cost of entries that are all read for the colours, in entries of a file's table."""

_SEEN_NEAR, _SEEN = 32, 64
"""Positions around 0 and evenly spread positions that are read of more entries."""


class TableColors(Struct, frozen=True):
    """The scale of a table's values. With ``reaches``, a separate scale for each column: value / reach.

    ``signed`` is the map for numbers of both signs.
    """

    scale: ColorScale
    reaches: tuple[float, ...] = ()
    signed: str = ""

    @property
    def per_row(self) -> bool:
        """Whether each column has a separate scale."""
        return bool(self.reaches)

    def shares(self, values: npt.NDArray[Any], first: float, stop: float, transpose: bool = False) -> npt.NDArray[Any]:
        """Values to colour by ``scale``: the values ``(rows, columns)``, or their fractions of their columns' reaches.

        The columns of the array are equal parts of the table's from ``first`` to ``stop``; with ``transpose`` its rows
        are. A part of several columns has the largest of their reaches.
        """
        if not self.reaches:
            return values
        parts = values.shape[0 if transpose else 1]
        edges = np.linspace(first, stop, parts + 1)
        begin = np.clip(np.floor(edges[:-1] + 1e-6), 0, len(self.reaches) - 1).astype(int)
        end = np.clip(np.ceil(edges[1:] - 1e-6), begin + 1, len(self.reaches)).astype(int)
        reaches = np.array([max(self.reaches[low:high]) for low, high in zip(begin, end, strict=True)])
        return values / (reaches[:, None] if transpose else reaches)

    def of_column(self, column: int) -> ColorScale:
        """The scale of one column, in its own values."""
        if not self.reaches:
            return self.scale
        reach = self.reaches[column]
        return ColorScale(self.scale.name, self.scale.low * reach, self.scale.high * reach)


def table_colors(document: Document, style: Style, shared: bool = False, least: Range | None = None) -> TableColors:
    """The colours of a document's table: over all shown positions, and those of the tokens beyond them.

    With ``shared``, all columns have one scale even if the user chose otherwise. The scale includes ``least``.
    """
    encoding, positions, chosen = document.encoding, _colored_positions(document), document.view.color_map
    signed = ColorScale.suited(chosen, -1.0, 1.0, style.is_dark).name
    if document.view.per_row and not shared and column_noun(encoding) == "head":
        low, high = _column_ends(encoding, positions.start, positions.stop)
        reaches = np.maximum(np.abs(low), np.abs(high))
        reaches[reaches == 0] = 1.0
        ends = (-1.0 if (low < 0).any() else 0.0, 1.0 if (high > 0).any() else 0.0)
        scale = ColorScale.suited(chosen, *widened(ends, least), style.is_dark)
        return TableColors(scale, tuple(reaches.tolist()), signed)
    ends = widened(encoding.range_over(positions.start, positions.stop), least)
    scale = ColorScale.suited(chosen, *ends, style.is_dark, encoding.sampler.value_step)
    return TableColors(scale, signed=signed)


def _colored_positions(document: Document) -> range:
    """The shown positions and the tokens', for any query; masked keys have no colour."""
    encoding, axis = document.encoding, PositionAxis.of(document)
    first = min(axis.shown.start, 1 - axis.n_tokens) if encoding.relative else axis.shown.start
    stop = 1 if encoding.relative and encoding.causal else max(axis.shown.stop, axis.n_tokens)
    return range(first, max(stop, first + 1))


@lru_cache(maxsize=8)
def _column_ends(encoding: Encoding, first: int, stop: int) -> tuple[FloatArray, FloatArray]:
    """Each column's smallest and largest value at the positions with a value.

    Slow entries are sampled at the nearest positions and at some evenly spread ones.
    """
    inside = valued(encoding, range(first, stop))
    start, end, columns = inside.start, max(inside.stop, inside.start + 1), np.arange(encoding.n_columns)
    if slow_work(encoding, start, end, len(columns)) <= _READ_AT_ONCE:
        return encoding.sampler.column_ranges(start, end, columns)
    near, spread = np.arange(-_SEEN_NEAR, _SEEN_NEAR + 1), np.linspace(start, end - 1, _SEEN).astype(np.int64)
    seen = np.unique(np.clip(np.r_[near, spread], start, end - 1))
    entries = encoding.values(seen, columns)
    return entries.min(axis=0), entries.max(axis=0)
