"""Curves over positions, tokens as vertical lines, dots where they meet."""

from functools import partial

from typing_extensions import override

from posenc_core import Document
from posenc_gui.figures import AreaFigure, AxisLabel
from posenc_gui.layers import (
    AmplitudeScale,
    AxisBand,
    BandView,
    CursorDot,
    Curves,
    PositionDots,
    RowLines,
    RowScale,
    TokenLines,
    WaveRequest,
    WaveView,
    axis_of_column,
    words_view,
)
from posenc_gui.look import Style
from posenc_gui.model import Cursor, may_be_logarithmic
from posenc_gui.panels.waves.labels import WaveLabels
from posenc_gui.panels.waves.pointing import WavesPointing
from posenc_gui.panels.waves.scroller import ColumnScroller
from posenc_gui.panels.waves.spec import SPEC
from posenc_gui.panels.waves.view import WavesView
from posenc_gui.panels.waves.viewport import WavesViewport
from posenc_gui.panels.waves.words import DraggedWords
from posenc_gui.plotting import Axis, PositionArea, Range, widened

_SHORT = 1.0  # labels beside several plots are short
_LOW = 260.0
"""A lower figure in a frame has no words above its plot, since these are turned."""

_INVISIBLE = 1e-5
"""Share of the height of a row, which is less than a hundredth of a pixel."""


class WavesFigure(AreaFigure):
    """A curve per column in rows, with labels, a scroller and a scale beside them."""

    spec, pointing_class, viewport_class, area_class = SPEC, WavesPointing, WavesViewport, PositionArea
    pointing: WavesPointing
    area: PositionArea
    viewport: WavesViewport

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._row_scale = RowScale(-1.0, 1.0)
        self._scaled_to: Range | None = None
        RowLines(self.area, self._waves)
        PositionDots(self.area, self._waves)
        TokenLines(self.area, self._waves)
        self._curves = Curves(self.area, self._waves, self.pictures.render)
        self._dot = CursorDot(self.area, self._waves)
        self._words = DraggedWords(self.area, partial(words_view, self), self._is_alone)
        self._words.exchangeAsked.connect(self._exchange)
        self._labels = WaveLabels(self.area, self._named, self._curves.banded)
        self._scroller = ColumnScroller(self.area, self._named)
        self._amplitudes = AmplitudeScale(self.area, self._waves)
        self._bottom = Axis(self.area, style, upright=False, size=20)
        self._bottom_label = AxisLabel(self.area, style, upright=False)
        self.addItem(self._words, 0, 2)
        self.addItem(self._scroller, 1, 0)
        self.addItem(self._labels, 1, 1)
        self.addItem(self.area, 1, 2)
        self.addItem(self._amplitudes, 1, 3)
        self._band = AxisBand(self.area, self._axes, upright=True)
        self.addItem(self._band, 1, 4)
        self.addItem(self._bottom, 2, 2)
        self.addItem(self._bottom_label, 3, 2)
        self.pointing.labels, self.pointing.has_bands = (self._labels,), self._has_bands
        self.pointing.omits_bands = lambda: self._labels.omits_bands
        self._scroller.scrolled.connect(self.viewport.scroll_to)
        self._scroller.wheeled.connect(self.viewport.wheeled)
        self.geometryChanged.connect(self._fit_labels)
        self.area.sigResized.connect(self.viewport.fit_rows)
        self.area.sigResized.connect(self._fit_labels)
        self.area.sigXRangeChanged.connect(self._positions_changed)
        self._document_shown(self.document)

    @override
    def view(self, scale: float = 1.0) -> WavesView:
        return WavesView(*self.shown(), self.area, self.viewport.wanted, self._row_scale)

    @override
    def request(self, scale: float, vector: bool) -> WaveRequest:
        """The curves in view, which are shapes in SVG and PDF."""
        return self._curves.request(self._waves(), 1.0 if vector else scale)

    def _waves(self) -> WaveView:
        return self.view().waves

    def _axes(self) -> BandView:
        view = self._named()
        return BandView(
            view.encoding,
            view.first_row,
            tuple(axis_of_column(view.encoding, column) for column in view.columns),
            view.style,
        )

    def _named(self) -> WaveView:
        return self.view().named

    def show_rows(self) -> None:
        """Show other rows in the same range."""
        self.update_all()
        self.noteChanged.emit()

    def _is_alone(self) -> bool:
        """Whether the figure shows the document itself, and not a part of a difference."""
        return self.frame is None

    def _exchange(self, sentence: str) -> None:
        """Show the sentence with two words exchanged, and keep its order before for the tokens' vectors."""
        reordered = self._given.edited("order_before", self._given.sentence).edited("sentence", sentence)
        self.documentEdited.emit(reordered, "order of words")

    def _has_bands(self) -> bool:
        request = self.request(1.0, False)
        return request.has_narrow_steps if request.work else bool(self._curves.banded())

    @override
    def _document_shown(self, before: Document) -> None:
        self._scaled_to = None
        self._band.fit(self.document.encoding)
        is_logarithmic = self.document.view.logarithmic and may_be_logarithmic(self.document)
        self.area.show_logarithmic(is_logarithmic)
        self.area.turn(across=self.document.encoding.relative, upright=False)
        self.viewport.fit()
        self._scale_rows()
        self._fit_labels()
        self._bottom_label.name(self.document.encoding)  # last: an update before a new width would paint twice

    def _positions_changed(self) -> None:
        if self._scale_rows():
            self.update_all()
        self._fit_labels()

    def _scale_rows(self) -> bool:
        """Scale the rows to the positions that the viewport names; returns whether the scale is new."""
        window = self.viewport.scaled_positions
        if window == self._scaled_to:
            return False
        self._scaled_to = window
        ends = self.view().framed.encoding.range_over(*(round(end + 0.5) for end in window))
        self._row_scale = RowScale(*widened(_from_zero(*ends), self.least.get("row")))
        return True

    def _fit_labels(self) -> None:
        width, frame = float(self.size().width()), self.frame
        is_first, is_last = frame is None or frame.is_first, frame is None or frame.is_last
        self._scroller.fit(is_first and not self.view().choice.all_fit, width * (1 if frame is None else frame.count))
        self._labels.fit(width if frame is None else _SHORT, is_first)
        self._amplitudes.fit(is_last)
        self._words.fit(frame is None or self.size().height() >= _LOW)

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        for cursor in (before, self.cursor):
            if cursor is not None:
                self._dot.update_at(cursor)
                self._labels.update_at(cursor)
        self._scroller.update()
        if before is None or self.cursor is None or before.position != self.cursor.position:
            self._words.update()
        if any(cursor is not None and cursor.pinned for cursor in (before, self.cursor)):
            self.viewport.hold(self.cursor)


def _from_zero(low: float, high: float) -> Range:
    """The range, whose end becomes zero if it is closer to zero than a pixel shows: it is written beside the rows."""
    least = _INVISIBLE * max(abs(low), abs(high))
    return (0.0 if abs(low) < least else low), (0.0 if abs(high) < least else high)


FIGURE = WavesFigure
