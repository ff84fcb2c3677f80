"""Positions by columns as colours."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.panels.heatmap.figure import HeatmapFigure
else:
    __getattr__ = on_demand(__name__)
