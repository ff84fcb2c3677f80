"""Wavelength by pair on a logarithmic axis, and below it by how much each pair is slowed."""

from posenc_gui.figures.lines import LineFigure
from posenc_gui.panels.spectrum.plots import plots
from posenc_gui.panels.spectrum.pointing import SpectrumPointing
from posenc_gui.panels.spectrum.spec import SPEC


class SpectrumFigure(LineFigure):
    """Two plots over the pairs."""

    spec, plots, pointing_class = SPEC, plots, SpectrumPointing
    n_plots = 2


FIGURE = SpectrumFigure
