"""Layers that draw tables: waves and their tokens, coloured cells, and lines of words."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.layers.axis_band import AxisBand, BandView, axis_bands, axis_of_column, band_step
    from posenc_gui.layers.cells import HeatCells, HeatView
    from posenc_gui.layers.curves import Curves, WaveRequest
    from posenc_gui.layers.dots import PositionDots
    from posenc_gui.layers.grid import Grid, Span, matching_column, unmixed
    from posenc_gui.layers.guides import AmplitudeScale, RowLines
    from posenc_gui.layers.matrix_cells import CellRanges, CellsLayer
    from posenc_gui.layers.readout import cut, draw_readout, readout_below, wrapped
    from posenc_gui.layers.token_lines import CursorDot, TokenLines, words_view
    from posenc_gui.layers.wave_rows import column_info, column_info_of, row_of, row_order, spread_columns
    from posenc_gui.layers.wave_view import AMPLITUDE, LABELLED_ROW_PX, RowScale, WaveView, curve_range
else:
    __getattr__ = on_demand(__name__)
