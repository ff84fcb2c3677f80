"""The number of pairs that deviate from A's by more than a threshold, over the position."""

from posenc_gui.figures.lines import LineFigure
from posenc_gui.panels.drift.plots import plots
from posenc_gui.panels.drift.pointing import DriftPointing
from posenc_gui.panels.drift.spec import SPEC


class DriftFigure(LineFigure):
    """A line for each other encoding."""

    spec, plots, pointing_class = SPEC, plots, DriftPointing


FIGURE = DriftFigure
