"""Columns as stacked waves."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.panels.waves.figure import WavesFigure
    from posenc_gui.panels.waves.labels import WaveLabels
else:
    __getattr__ = on_demand(__name__)
