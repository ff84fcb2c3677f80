"""Wavelength by pair on a logarithmic axis, and below it by how much each pair is slowed."""

import math

from typing_extensions import override

from posenc_core import Document
from posenc_core.encodings import n_whole_pairs
from posenc_gui.figures.lines import LineFigure, Plot
from posenc_gui.layers import AxisBand, BandView, band_step
from posenc_gui.look import Style
from posenc_gui.panels.spectrum.copied import spectrum_script
from posenc_gui.panels.spectrum.plots import both_plots, plots
from posenc_gui.panels.spectrum.pointing import SpectrumPointing
from posenc_gui.panels.spectrum.spec import SPEC


class SpectrumFigure(LineFigure):
    """Two plots over the pairs, and below them the axis of each pair of an encoding with several."""

    spec, plots, written, pointing_class = SPEC, plots, spectrum_script, SpectrumPointing
    n_plots, has_legend_below = 2, True

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._band = AxisBand(self.areas[-1], self._bands)
        self.addItem(self._band, self.n_plots + 2, 2)
        self.layout.setRowSpacing(self.n_plots + 1, 0)

    def _bands(self) -> BandView:
        encoding = self.document.encoding
        names = () if encoding.cells is None else encoding.cells.axis_of_pairs
        first, stop = (math.floor(end + 0.5) for end in self.areas[-1].across)
        first, stop = max(0, first), min(stop + 1, n_whole_pairs(encoding))
        step = band_step(stop - first)
        return BandView(encoding, first, names[first:stop:step], self.style, step)

    @override
    def _plots_of(self, document: Document) -> tuple[Plot, ...]:
        plots = super()._plots_of(document)
        is_lacking = len(plots) == 1 and any(name.startswith("1 ") for name in self.least)
        return both_plots(document) if is_lacking else plots

    @override
    def _document_shown(self, before: Document) -> None:
        super()._document_shown(before)
        self._band.fit(self.document.encoding)


FIGURE = SpectrumFigure
