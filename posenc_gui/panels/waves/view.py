"""What the waves panel shows, as one frozen value: the columns of its rows, its positions and the scale of a row."""

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from posenc_gui.figures.shown import Shown
from posenc_gui.layers.wave_rows import RowChoice
from posenc_gui.layers.wave_view import RowScale, WaveView, curve_range
from posenc_gui.plotting.plot_area import Range
from posenc_gui.plotting.position_area import PositionArea

_ROW_PX = 22.0
_LEAST_ROW_PX = 15.0  # if that is enough for all columns
_FEWEST_ROWS = 4.0  # the first and the last pair


class WantedRows(Struct, frozen=True):
    """The rows that a person chose: their number, None for as many as the height has room for.

    Where not all columns fit, they are spread over the table if ``spread``. ``only`` limits a file to the columns
    (first, stop).
    """

    count: float | None = None
    spread: bool = True
    only: tuple[int, int] | None = None


class WavesView(Shown, frozen=True):
    """Rows of columns in an area; ``rows`` is how values become heights in a row."""

    area: PositionArea
    wanted: WantedRows
    rows: RowScale

    @property
    def choice(self) -> RowChoice:
        """Which columns the rows show."""
        encoding, room = self.framed.encoding, self.wanted.count
        if room is None:
            height = self.area.rect().height()
            all_fit = height >= encoding.n_columns * _LEAST_ROW_PX
            room = float(encoding.n_columns) if all_fit else max(_FEWEST_ROWS, np.floor(height / _ROW_PX))
        held = self.at.column if self.is_held and self.at.column < encoding.n_columns else None
        return RowChoice(encoding, room, self.wanted.spread, held, self.wanted.only)

    @property
    def rows_in_view(self) -> range:
        """The rows in view."""
        low, high = self.area.upright
        last = min(len(self.choice.order), int(np.ceil(high + 0.5 - 1e-6)))
        return range(max(0, int(np.floor(low + 0.5 + 1e-6))), last)

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns of the rows in view, from the bottom one up."""
        seen = self.rows_in_view
        return tuple(self.choice.order[seen.start : seen.stop].tolist())

    @property
    def extent(self) -> Range:
        """The range of all positions."""
        return (self.axis.shown.start - 0.5, self.axis.shown.stop - 0.5)

    @property
    def named(self) -> WaveView:
        """What the labels of the rows name: the columns of the frame."""
        return replace(self.waves, encoding=self.framed.encoding)

    @property
    def waves(self) -> WaveView:
        """What the layers of waves draw."""
        low, high = self.area.upright
        shown, row_px = self.axis.shown, float(self.area.rect().height() / (high - low))
        drawn = curve_range(self.encoding, self.area.across, shown[0], shown[-1])
        return WaveView(
            self.encoding, self.columns, self.rows_in_view.start, drawn, self.rows, row_px, self.axis, self.cursor,
            self.style, self.frame is None,
        )  # fmt: skip
