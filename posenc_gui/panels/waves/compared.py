"""The waves of two tables and of their difference, side by side, with one scale, one window and one cursor."""

from functools import partial

from msgspec.structs import replace
from typing_extensions import override

from posenc_core import Document
from posenc_core.scripts import compared_waves_script
from posenc_gui.figures import AxisLabel, PictureRenderer, Rendered
from posenc_gui.layers import (
    Compared,
    CursorDot,
    Curves,
    JointRenderer,
    JointRequest,
    WaveRequest,
    WaveView,
    angles_words,
)
from posenc_gui.look import Style
from posenc_gui.model import Cursor
from posenc_gui.panels.waves.figure import WavesFigure
from posenc_gui.plotting import Axis, PositionArea, TokenWords

_GAP = 30.0  # between the numbers at the ends of two axes
_LOW = 260.0  # a lower figure has no words above its plots
_NARROW = 1.0  # the labels stand beside three plots, and are short


class ComparedWaves(WavesFigure):
    """Three plots of waves: two tables, and the first minus the second.

    ``document`` is the one that has the difference in place of its encodings; it decides about rows, positions and the
    scale. ``area`` is the plot of the first table.
    """

    bold_points = 0  # lines of one width in all plots: bold ones are slow where many points are close
    pictures: JointRenderer

    def __init__(self, style: Style) -> None:
        self.compared: Compared | None = None
        self._is_following = False
        self._angles = ""
        super().__init__(style)

    @property
    def areas(self) -> tuple[PositionArea, ...]:
        """The three plots, from left to right."""
        return (self.area, *self._other_areas)

    @override
    def _renderer(self) -> PictureRenderer:
        return JointRenderer(self._request)

    @override
    def _lay_out(self) -> None:
        style = self.style
        self._other_areas = (PositionArea(), PositionArea())
        drawn = [self._drawn_in(area, 1 + index) for index, area in enumerate(self._other_areas)]
        self._curves: list[Curves] = [self.waves, *(curves for curves, _ in drawn)]
        self._dots: list[CursorDot] = [self._dot, *(dot for _, dot in drawn)]
        self._all_words: list[TokenWords] = [self._words, *map(self._words_of, self._other_areas)]
        self._bottoms = [self._bottom, *(Axis(area, style, upright=False, size=20) for area in self._other_areas)]
        self._titles = [AxisLabel(area, style, upright=False) for area in self.areas]
        self._names = [self._bottom_label, *(AxisLabel(area, style, upright=False) for area in self._other_areas)]
        self.addItem(self._scroller, 2, 0)
        self.addItem(self._labels, 2, 1)
        for which, area in enumerate(self.areas):
            column = 2 + which
            parts = (self._titles[which], self._all_words[which], area, self._bottoms[which], self._names[which])
            for row, item in enumerate(parts):
                self.addItem(item, row, column)
            self.layout.setColumnStretchFactor(column, 1)
            self.layout.setColumnPreferredWidth(column, 200.0)
            self.layout.setColumnSpacing(column, _GAP if which < 2 else 0.0)
            area.sigRangeChanged.connect(partial(self._follow, area))
        self.addItem(self._amplitudes, 2, 5)
        for area in self._other_areas:
            area.hovered.connect(self._hovered)
            area.clicked.connect(self._clicked)
            area.wheeled.connect(self._wheeled)
            area.resetAsked.connect(self._double_clicked)

    @override
    def show_document(self, document: Document) -> None:
        self.compared, self._angles = Compared.of(document), angles_words(document)
        super().show_document(self.compared.shown_in(document))

    @override
    def show_cursor(self, cursor: Cursor | None, marked: bool = True) -> None:
        is_shown = cursor is not None and cursor.column < self.document.encoding.n_columns
        super().show_cursor(cursor, marked and is_shown)

    @override
    def note(self, scale: float = 1.0) -> str:
        if self.compared is None:
            return ""
        parts = (self._angles, super().note(scale), self._bounds_words(), self.compared.widths_words, self.spoken())
        return " · ".join(filter(None, parts))

    def _bounds_words(self) -> str:
        """Says what the bands of the difference are, if it has some that may be wider than the numbers."""
        if self.compared is None or not self.compared.difference.sampler.has_bounds:
            return ""
        request = self._curve_requests(1.0)[2]
        has_bands = request.has_narrow_steps if request.work else bool(self._curves[2].banded())
        return "bands of the difference: bounds" if has_bands else ""

    @override
    def spoken(self) -> str:
        column = None if self.cursor is None else self.cursor.column
        return "" if self.compared is None else self.compared.words_at(self.axis, self.cursor, column)

    @override
    def _view_of(self, which: int) -> WaveView:
        view = self._view()
        return view if self.compared is None else replace(view, encoding=self.compared.tables[which])

    @override
    def _rendered(self, which: int, request: WaveRequest) -> Rendered:
        return self.pictures.render_one(self._joint(request.scale), which)

    @override
    def _request(self, scale: float, vector: bool) -> JointRequest:
        return self._joint(1.0 if vector else scale)

    def _joint(self, scale: float) -> JointRequest:
        """The curves of all three plots."""
        return JointRequest(self._curve_requests(scale))

    def _curve_requests(self, scale: float) -> tuple[WaveRequest, ...]:
        return tuple(curves.request(self._view_of(which), scale) for which, curves in enumerate(self._curves))

    @override
    def script(self) -> str:
        if self.compared is None:
            return super().script()
        return compared_waves_script(self.compared.difference, self.compared.names, *self._script_parts())

    def _follow(self, area: PositionArea, *_: object) -> None:
        """Show the same window in all plots."""
        if self._is_following:
            return
        self._is_following = True
        for other in self.areas:
            if (other.across, other.upright) != (area.across, area.upright):
                other.show_window(area.across, area.upright)
        self._is_following = False

    @override
    def _document_shown(self, before: Document) -> None:
        super()._document_shown(before)
        if self.compared is not None:
            for title, text, name in zip(self._titles, self.compared.names, self._names, strict=True):
                title.show_text(text, short=text.partition(" ")[0])
                name.name(self.document.encoding)

    @override
    def _fit_rows(self) -> None:
        self._is_following = True  # until all have the new extent
        super()._fit_rows()
        for area in self._other_areas:
            area.show_logarithmic(self.area.logarithmic)
            area.set_extent(self._positions(), (-0.5, len(self._choice.order) - 0.5), least=(1.0, 1.0))
        self._is_following = False
        self._follow(self.area)

    @override
    def _fit_labels(self) -> None:
        width = float(self.size().width())
        self._scroller.fit(not self._choice.all_fit, width)
        self._labels.fit(_NARROW)
        for words in self._all_words:
            words.fit(self.size().height() >= _LOW)

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        super()._cursor_shown(before)
        for cursor in (before, self.cursor):
            if cursor is not None:
                for dot in self._dots:
                    dot.update_at(cursor)
        for words in self._all_words:
            words.update()
        self.noteChanged.emit()

    @override
    def _style_shown(self) -> None:
        labels: list[Axis | AxisLabel] = [*self._bottoms, *self._titles, *self._names]
        for item in labels:
            item.show_style(self.style)
