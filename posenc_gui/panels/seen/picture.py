"""The seen distances of one query's keys, and the trained length that extended models stay below."""

from posenc_gui.figures.lines import LineFigure
from posenc_gui.panels.seen.plots import plots
from posenc_gui.panels.seen.pointing import SeenPointing
from posenc_gui.panels.seen.spec import SPEC


class SeenFigure(LineFigure):
    """A line for each encoding with changed distances, and the diagonal."""

    spec, plots, pointing_class = SPEC, plots, SeenPointing


FIGURE = SeenFigure
