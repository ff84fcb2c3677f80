"""The largest error of cosines and sines over the position, in the arithmetic that the document names."""

import numpy as np
from PySide6.QtCore import QTimer
from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures import Choice, Rendered, Switch
from posenc_gui.figures.lines import LineFigure, LineView, LineViewport, Plot
from posenc_gui.look import Style, plain_tip
from posenc_gui.panels.precision.numbers import PrecisionRequest
from posenc_gui.panels.precision.pointing import PrecisionPointing, PrecisionView
from posenc_gui.panels.precision.readout import LINE_PX, LINES_PX, TABLE_PX, Readout, ReadoutStrip
from posenc_gui.panels.precision.spec import ARITHMETIC, SPEC

_LEAST_FOR_TABLE, _LEAST_FOR_LINES = 360.0, 190.0
"""Lower figures, in pixels, have no table of the chain, and still lower ones no place."""

_STRIP_ROW = 3


_QUICK = (
    Choice("float32", "float32", "Angles in float32, as engines compute them"),
    Choice("bfloat16", "bfloat16", "Everything in bfloat16, including the position"),
)


class PrecisionViewport(LineViewport):
    """The viewport of the curves, with the two arithmetics that are compared most."""

    @override
    def switches(self) -> tuple[Switch, ...]:
        view: PrecisionView = self.view
        if view.request is None:
            return ()
        return (Switch(ARITHMETIC.name, _QUICK, view.document.option(ARITHMETIC)),)


class PrecisionFigure(LineFigure):
    """Curves that are computed part by part, and below them the rounded numbers at the cursor."""

    spec, pointing_class, viewport_class = SPEC, PrecisionPointing, PrecisionViewport
    _requested: tuple[Document, PrecisionRequest | None] | None = None

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._rendered: Rendered | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._fit_legend)
        self._soon.timeout.connect(self.noteChanged)
        self._strip = ReadoutStrip(self._readout)
        self.addItem(self._strip, _STRIP_ROW, 0, 1, 3)
        self.layout.setRowSpacing(_STRIP_ROW - 1, 0)
        self.geometryChanged.connect(self._fit_strip)
        self._fit_strip()

    @override
    def view(self, scale: float = 1.0) -> PrecisionView:
        request = self.request(scale, False)
        return PrecisionView(*self.shown(), self._plots, request, self.pictures.known(request))

    @override
    def request(self, scale: float, vector: bool) -> PrecisionRequest | None:
        if self._requested is None or self._requested[0] is not self.document:  # each part of a picture asks
            is_missing = self.spec.missing(self.document) is not None
            self._requested = self.document, None if is_missing else PrecisionRequest.of(self.document)
        return self._requested[1]

    @override
    def _plots_of(self, document: Document) -> tuple[Plot, ...]:
        """The axes; the lines are computed when they are painted."""
        request = self.request(1.0, False)
        return () if request is None else (request.plot(document, self.pictures.known(request)),)

    @override
    def line_view(self, index: int) -> LineView:
        self._render()
        return super().line_view(index)

    @override
    def _document_shown(self, before: Document) -> None:
        super()._document_shown(before)
        self._strip.setToolTip(plain_tip(self.view().computed_by))

    def _render(self) -> None:
        """Adopt the curves known so far."""
        request = self.request(1.0, False)
        if request is None:
            return
        rendered = self.pictures.render(request)
        if self._rendered is not rendered:
            self._rendered = rendered
            self._plots = (request.plot(self.document, rendered.picture),)
            self._soon.start()  # after the paint event

    @override
    def script(self) -> str:
        self._render()
        curves = self.view().curves
        if curves is not None and np.isnan(curves.error).any():
            raise ValueError("the picture is not complete yet: copy it once all of it is computed")
        return super().script()

    def _readout(self) -> tuple[Readout, Style]:
        self._render()
        return self.view().readout, self.style.scaled(1.0)

    @override
    def _style_shown(self) -> None:
        self._fit_strip()

    def _fit_strip(self) -> None:
        """Show the chain as a table if there is room."""
        self._strip.unit = self.style.text_scale
        height = self.size().height() / self._strip.unit
        lines = LINES_PX if height >= _LEAST_FOR_LINES else LINE_PX
        self._strip.setFixedHeight((TABLE_PX if height >= _LEAST_FOR_TABLE else lines) * self._strip.unit)


FIGURE = PrecisionFigure
