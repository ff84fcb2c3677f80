"""Content of the panel of rounded angles, as values: curves that are computed part by part, their plot and words."""

from collections.abc import Mapping

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from posenc_core import Document
from posenc_core.encodings import at_length
from posenc_core.long_context import MOST_PAIRS, SAMPLES, PrecisionCurves
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.progressive import Arrays, Flags, PartialPicture
from posenc_core.session import LETTERS
from posenc_core.tables import ProgressCallback, never_cancelled
from posenc_gui.figures import computed
from posenc_gui.figures.lines import Line, Plot, Rule, named_look
from posenc_gui.look import counted
from posenc_gui.panels.precision.spec import ARITHMETIC, is_computed
from posenc_gui.plotting import Scale

_N_PARTS = 256
_LEAST_REACH = 16
"""The axis reaches at least this position."""

_LEAST, _MOST = 1e-8, 4.0
"""The ends of the axis of errors, the same for all arithmetics: a cosine is at most 2 off."""


class Curves(Struct, frozen=True, eq=False):
    """The known parts: the largest error, nan if unknown, with its position and its pair.

    All are ``(n_parts, n_encodings)``. ``apart`` int64 ``(n_encodings,)`` are the numbers of distinct positions;
    None until they are counted.
    """

    error: FloatArray
    position: IntArray
    pair: IntArray
    apart: IntArray | None


class PrecisionRequest(Struct, frozen=True):
    """The curves of the encodings of a document that are RoPE, at ``indices``; ``current`` is the chosen one."""

    curves: PrecisionCurves
    indices: tuple[int, ...]
    current: int

    @classmethod
    def of(cls, document: Document) -> "PrecisionRequest":
        """The request for a document whose chosen encoding is RoPE."""
        found = {index: each.encoding for index, each in enumerate(document.encodings)}
        lengths = document.lengths
        rotary = {index: at_length(each, lengths.target) for index, each in found.items() if is_computed(each)}
        last = max(_LEAST_REACH, lengths.target, lengths.trained)
        curves = PrecisionCurves.of(
            tuple(rotary.values()), document.option(ARITHMETIC), _N_PARTS, last, lengths.trained
        )
        return cls(curves, tuple(rotary), document.current)

    @property
    def work(self) -> int:
        """The cost of the curves."""
        return self.curves.work

    @property
    def chosen(self) -> int:
        """The column of the chosen encoding in the arrays of the curves."""
        return self.indices.index(self.current)

    def compute(self) -> Curves:
        """All curves at once."""
        partial = self.begin()
        partial.grow(never_cancelled)
        return self.assemble(partial.arrays, partial.known)

    def begin(self) -> PartialPicture:
        """The curves, to be computed part by part."""
        return self.curves.begin()

    def assemble(self, arrays: Arrays, known: Flags) -> Curves:
        """The curves as far as the parts are known."""
        error, position, pair, apart = arrays
        counted_apart = apart[-1].copy() if known[-1] else None
        return Curves(np.where(known[:, None], error, np.nan), position.copy(), pair.copy(), counted_apart)

    @property
    def first_positions(self) -> IntArray:
        """The first position of each part, int64 ``(n_parts,)``."""
        return np.array(self.curves.edges[:-1])

    @property
    def last_positions(self) -> IntArray:
        """The last position of each part, int64 ``(n_parts,)``."""
        return np.array(self.curves.edges[1:]) - 1

    def part_of(self, position: int) -> int:
        """The part with a position, or the nearest one."""
        return int(np.clip(np.searchsorted(self.first_positions, position, "right") - 1, 0, len(self._middles) - 1))

    @property
    def _middles(self) -> FloatArray:
        return (self.first_positions + self.last_positions) / 2

    def plot(self, document: Document, curves: Curves | None) -> Plot:
        """The curves as lines, which have no point until one is known."""
        x, lengths = self._middles, document.lengths
        unknown = np.full(len(x), np.nan)
        named = [named_look(document, index) for index in self.indices]
        lines = tuple(
            Line(name, unknown if curves is None else curves.error[:, column], look)
            for column, (name, look) in enumerate(named)
        )
        across = Scale("position", 1.0, float(self.curves.edges[-1] - 1), logarithmic=True)
        upright = Scale("largest error of cos and sin", _LEAST, _MOST, logarithmic=True)
        rule = Rule(f"L {counted(lengths.trained)}", lengths.trained, "trained_length", upright=True)
        return Plot(x, lines, across, upright, (rule,))

    def distinct_words(self, curves: Curves | None) -> str:
        """Number of distinct positions; empty until they are counted."""
        if curves is None or curves.apart is None:
            return ""
        share = self.curves.n_counted
        of = f"{counted(share)} positions" if share == self.curves.trained else f"the first {counted(share)} positions"
        chosen = int(curves.apart[self.chosen])
        others = [
            f"{LETTERS[index]} {counted(int(count))}"
            for index, count in zip(self.indices, curves.apart.tolist(), strict=True)
            if index != self.current
        ]
        words = f"{counted(chosen)} of {of} remain distinct"
        return f"{LETTERS[self.current]}: {words} ({', '.join(others)})" if others else words

    def sampling(self) -> str:
        """Positions and pairs over which a point is the largest error."""
        widest = max(self.curves.n_pairs)
        pairs = (
            f"{counted(MOST_PAIRS)} of {counted(widest)} pairs, spread evenly" if widest > MOST_PAIRS else "all pairs"
        )
        return f"Each point: largest error over up to {SAMPLES} positions and {pairs}"

    def without_count(self) -> "PrecisionRequest":
        """The curves without the count of positions, which costs most."""
        return replace(self, curves=replace(self.curves, trained=1))


def numbers(document: Document, progress: ProgressCallback) -> Mapping[str, FloatArray]:
    """A row for each part of the axis: its ends, and for each encoding the largest error, and the place that has it."""
    request = PrecisionRequest.of(document)
    curves: Curves = computed(request.without_count(), progress)
    columns = {
        "first position": request.first_positions.astype(np.float64),
        "last position": request.last_positions.astype(np.float64),
    }
    for column, line in enumerate(request.plot(document, curves).lines):
        columns[f"largest error: {line.name}"] = line.y
        columns[f"at position: {line.name}"] = curves.position[:, column].astype(np.float64)
        columns[f"in pair: {line.name}"] = curves.pair[:, column].astype(np.float64)
    return columns
