"""What the waves panel draws, computed at once or, where that takes long, later."""

import numpy as np
from msgspec import Struct

from posenc_core import Encoding
from posenc_core.numerics import Steps, Traces
from posenc_core.progressive import PartialBands, PartialStairs
from posenc_gui.figures.growing_job import RenderRequest
from posenc_gui.plotting.plot_area import Range


class Drawn(Struct, frozen=True):
    """What the curves were computed for: the same again needs no computing."""

    encoding: Encoding
    columns: tuple[int, int]
    positions: Range
    pixels: int
    scale: float

    def wanted(self) -> RenderRequest:
        """The curves, to be computed at once or later, with what they cost."""
        steps = self._steps()
        count = 0 if steps is None else steps.stop - steps.start
        work = count * self.encoding.row_cost(self.columns[1] - self.columns[0])
        return RenderRequest(self.encoding, self, self.traces, self._growing, work)

    def traces(self) -> Traces:
        """Bands where a wave is too narrow for the logical pixels, whatever the scale; finer curves at a larger one."""
        columns = np.arange(*self.columns)
        traces = self.encoding.traces(columns, self.positions, self.pixels)
        if self.scale <= 1:
            return traces
        curves = np.concatenate([line.columns for line in traces.lines] or [columns[:0]])
        finer = self.encoding.traces(np.sort(curves), self.positions, round(self.pixels * self.scale))
        return Traces(finer.lines, traces.bands)

    def _growing(self) -> PartialBands | PartialStairs:
        steps = self._steps()
        assert steps is not None  # nothing is no work
        kind = PartialStairs if steps.are_few else PartialBands
        return kind(self.encoding, np.arange(*self.columns), steps)

    def _steps(self) -> Steps | None:
        """The steps in view, of columns that have any."""
        return Steps.over(self.positions, self.encoding.domain, self.pixels)
