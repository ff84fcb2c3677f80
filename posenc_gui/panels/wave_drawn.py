"""What the waves panel draws, computed at once or, where that takes long, later."""

import math
from functools import lru_cache

import numpy as np
from msgspec import Struct

from posenc_core import Encoding
from posenc_core.samples import TracesSample
from posenc_core.waves import Traces
from posenc_core.windows import steps_shown
from posenc_gui.exact_later import Wanted
from posenc_gui.plotting.plot_area import Range


class Drawn(Struct, frozen=True):
    """What the curves were computed for: the same again needs no computing."""

    encoding: Encoding
    columns: tuple[int, int]
    positions: Range
    pixels: int
    scale: float

    def wanted(self) -> Wanted:
        """The curves, to be computed at once or later, with what they cost."""
        first, last = steps_shown(self.positions, self.encoding.domain)
        work = self.encoding.row_work(self.columns[1] - self.columns[0])
        return Wanted(self.encoding, self, self.traces, math.ceil(max(0.0, last - first)) * work)

    def traces(self, encoding: Encoding) -> Traces:
        """Bands where a wave is too narrow for the logical pixels, whatever the scale; finer curves at a larger one."""
        columns = np.arange(*self.columns)
        traces = encoding.traces(columns, self.positions, self.pixels)
        if self.scale <= 1:
            return traces
        curves = np.concatenate([line.columns for line in traces.lines] or [columns[:0]])
        finer = encoding.traces(np.sort(curves), self.positions, round(self.pixels * self.scale))
        return Traces(finer.lines, traces.bands)

    def sample(self) -> TracesSample:
        """What to draw until they are there."""
        return _sample(self)


@lru_cache(maxsize=1)
def _sample(drawn: Drawn) -> TracesSample:
    """The sample, remembered: the note asks for it at each step of progress."""
    return drawn.encoding.sampled_traces(np.arange(*drawn.columns), drawn.positions, drawn.pixels)
