"""The base of each cached key above, and below it the error of the key's angle, on a logarithmic axis."""

from posenc_gui.figures.lines import LineFigure
from posenc_gui.panels.cache.plots import plots
from posenc_gui.panels.cache.pointing import CachePointing
from posenc_gui.panels.cache.spec import SPEC


class CacheFigure(LineFigure):
    """Two plots over the keys, whose lines are different ones."""

    spec, plots, pointing_class = SPEC, plots, CachePointing
    n_plots, legends = 2, (0, 1)


FIGURE = CacheFigure
