"""WAVES: a curve per column, stacked from column 0 at the bottom, and the tokens' lines across them."""

from functools import partial
from typing import ClassVar

from typing_extensions import override

from posenc_core import Document
from posenc_core.scripts import Curve, TokenMarks, waves_script
from posenc_gui.figures import AxisLabel, PictureRenderer, Rendered, RenderRequest
from posenc_gui.layers import (
    BOLD_POINTS,
    AmplitudeScale,
    CursorDot,
    Curves,
    PositionDots,
    RowLines,
    RowScale,
    TokenLines,
    WaveRequest,
    WaveView,
    column_info_of,
    curve_range,
    words_view,
)
from posenc_gui.look import Style, significant
from posenc_gui.model import Cursor, column_noun, may_be_logarithmic, no_value_sentence
from posenc_gui.panels.waves.labels import WaveLabels, wave_label
from posenc_gui.panels.waves.rows_figure import RowsFigure
from posenc_gui.panels.waves.scroller import ColumnScroller
from posenc_gui.plotting import ALL, SENTENCE, Axis, PositionArea, Range, TokenWords, fitting, seen_in, token_marks


class WavesFigure(RowsFigure):
    """Curves over positions, tokens as vertical lines, dots where they meet."""

    name = "waves"
    title = "Waves"
    hint = "dots read upwards: a token's vector"
    explanation = (
        "Each curve is one column of the table. A token stands at a position; where its vertical line meets a curve "
        "there is a dot, and the dots read from the bottom up are the numbers of its vector. Where not all columns "
        "fit, pairs at even distances over the whole table are shown. A wave too fast for the pixels is drawn as a "
        "band from its smallest to its largest value."
    )
    handling = (
        "The wheel and the bar at the left scroll through all columns. Ctrl+wheel zooms the positions, Shift+wheel "
        "shows more or fewer columns, a double click shows everything."
    )
    more = (
        "A band fades where a pixel holds whole waves. Where bands take long, they appear from the left. View > "
        "Logarithmic positions gives the first positions of a long table more room."
    )
    least_size = (260, 180)
    export_size = (960, 440)
    bold_points: ClassVar[int] = BOLD_POINTS
    pictures: PictureRenderer

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.row_scale = RowScale(-1.0, 1.0)
        self._scaled_to: Range | None = None
        self.pictures = self._renderer()
        self.waves, self._dot = self._drawn_in(self.area, 0)
        self._words = self._words_of(self.area)
        self._labels = WaveLabels(self.area, self._view, self.waves.banded)
        self._scroller = ColumnScroller(self.area, self._view)
        self._amplitudes = AmplitudeScale(self.area, self._view)
        self._bottom = Axis(self.area, style, upright=False, size=20)
        self._bottom_label = AxisLabel(self.area, style, upright=False)
        self._lay_out()
        self._scroller.scrolled.connect(self._scroll_to)
        self._scroller.wheeled.connect(self._wheeled)
        self.geometryChanged.connect(self._fit_labels)
        self.area.sigResized.connect(self._fit_labels)
        self.area.sigXRangeChanged.connect(self._positions_changed)
        self._document_shown(self.document)

    def _renderer(self) -> PictureRenderer:
        return PictureRenderer(self._request)

    def _drawn_in(self, area: PositionArea, which: int) -> tuple[Curves, CursorDot]:
        """Draw the rows in an area; ``which`` counts the pictures of a figure that has several."""
        view = partial(self._view_of, which)
        RowLines(area, view)
        PositionDots(area, view)
        TokenLines(area, view)
        curves = Curves(area, view, partial(self._rendered, which), self.bold_points)
        return curves, CursorDot(area, view)

    def _words_of(self, area: PositionArea) -> TokenWords:
        return TokenWords(area, partial(words_view, self), upright=False, turn=True, degrees=60.0)

    def _lay_out(self) -> None:
        """Place the parts."""
        self.addItem(self._words, 0, 2)
        self.addItem(self._scroller, 1, 0)
        self.addItem(self._labels, 1, 1)
        self.addItem(self.area, 1, 2)
        self.addItem(self._amplitudes, 1, 3)
        self.addItem(self._bottom, 2, 2)
        self.addItem(self._bottom_label, 3, 2)

    @override
    def note(self, scale: float = 1.0) -> str:
        rows, parts = self.row_scale, [self._choice.note(self.columns_in_view())]
        if (rows.low, rows.high) != (-1, 1):
            parts.append(f"each row from {significant(rows.low)} to {significant(rows.high)}")
        no_value = no_value_sentence(self.document.encoding, seen_in(self.area.across, self.axis.shown))
        label = self.document.encoding.label
        return " · ".join(filter(None, (*parts, self.pictures.standing(scale), label, no_value)))

    def _view(self) -> WaveView:
        return WaveView(
            self.document.encoding, self.columns_in_view(), self.visible_rows()[0], self.drawn_positions(),
            self.row_scale, self._row_px(), self.axis, self.cursor, self.style,
        )  # fmt: skip

    def _view_of(self, which: int) -> WaveView:
        """What a picture shows."""
        return self._view()

    def _rendered(self, which: int, request: WaveRequest) -> Rendered:
        """The curves of a picture."""
        return self.pictures.render(request)

    def _request(self, scale: float, vector: bool) -> RenderRequest:
        """The curves in view, which are shapes in SVG and PDF."""
        return self.waves.request(self._view(), 1.0 if vector else scale)

    @override
    def subtitle(self) -> str:
        if column_noun(self.document.encoding) == "head":
            return "dots read upwards: a key's biases"
        return self.hint

    @override
    def script(self) -> str:
        return waves_script(self.document, *self._script_parts())

    def _script_parts(self) -> tuple[range, list[Curve], Range, TokenMarks]:
        """What a script draws: positions, curves, the ends of a row, and tokens."""
        encoding, info, style = self.document.encoding, column_info_of(self.document.encoding), self.style
        curves = [
            Curve(column, "".join(wave_label(encoding, column, False)), style.part(info(column).part).name())
            for column in self.columns_in_view()
        ]
        positions, ends = seen_in(self.area.across, self.axis.shown), (self.row_scale.low, self.row_scale.high)
        return positions, curves, ends, token_marks(self.document, self.axis, self.style)

    def _row_px(self) -> float:
        """The height of a row in pixels."""
        low, high = self.area.upright
        return float(self.area.rect().height() / (high - low))

    def drawn_positions(self) -> Range:
        """The visible range in which curves are drawn."""
        return curve_range(self.document.encoding, self.area.across, self.positions[0], self.positions[-1])

    @override
    def _document_shown(self, before: Document) -> None:
        self._scaled_to = None
        is_logarithmic = self.document.view.logarithmic and may_be_logarithmic(self.document)
        self.area.show_logarithmic(is_logarithmic)
        self._fit_window()
        self._scale_rows()
        self._fit_labels()
        self._bottom_label.name(self.document.encoding)  # last: an update before a new width would paint twice

    def _positions_changed(self) -> None:
        if self._scale_rows():
            self.update_all()
        self._fit_labels()

    def _scale_rows(self) -> bool:
        """Scale the rows to all positions, or to the sentence's where it fills the panel; whether the scale is new."""
        is_sentence = self._fit.chosen(self.axis, self.area.across) == SENTENCE
        window = fitting(self.axis, SENTENCE if is_sentence else ALL)
        if window != self._scaled_to:
            self._scaled_to = window
            self.row_scale = RowScale(*self.document.encoding.range_over(*(round(end + 0.5) for end in window)))
            self._amplitudes.fit()
            return True
        return False

    def _fit_labels(self) -> None:
        width = float(self.size().width())
        self._scroller.fit(not self._choice.all_fit, width)
        self._labels.fit(width)
        self._words.fit(True)

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
            self._hold()

    @override
    def _style_shown(self) -> None:
        self._bottom.show_style(self.style)
        self._bottom_label.show_style(self.style)
