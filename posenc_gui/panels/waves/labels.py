"""The labels beside the waves: column, pair, sine or cosine, wavelength."""

import math
from collections.abc import Callable, Mapping

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from typing_extensions import override

from posenc_core.encodings import ColumnInfo
from posenc_core.numerics import PIXELS_PER_WAVE, STEP_PIXELS
from posenc_gui.layers import LABELLED_ROW_PX, WaveView, column_info_of
from posenc_gui.look import Style, glossary_lines, plain_tip, wavelength_text
from posenc_gui.model import Cursor, is_head
from posenc_gui.plotting import Lettering, Margin, PlotArea, width_of

_WIDEST_PX = 1500.0
_SAMPLES = 32
"""Number of columns, at even distances, whose labels determine the width of all."""
_MOST_OF_FIGURE = 0.45  # of the figure's width: longer labels are shortened
_FONT_PX = 11
_ZEROS = str.maketrans("123456789", "0" * 9)
"""Zero is the widest digit: with zeros only, few widths of labels are new after an edit, and none is too small."""

WaveLabel = tuple[str, str, str]


class WaveLabels(Margin):
    """Beside each row its column, pair, sine or cosine, and wavelength. ``banded`` are the columns drawn as bands."""

    def __init__(self, area: PlotArea, view: Callable[[], WaveView], banded: Callable[[], set[int]]) -> None:
        super().__init__(area)
        self._view, self._banded = view, banded
        self._short, self._has_band_room = False, True
        self.setToolTip(plain_tip(glossary_lines("column", "pair", "λ wavelength")))

    def fit(self, figure_px: float, shown: bool) -> None:
        """Reserve the width of the longest label, or of a shorter form in a narrow figure; none if hidden."""
        self.setVisible(shown)
        if not shown:
            self.setFixedWidth(0)
            return
        view = self._view()
        encoding, style = view.encoding, view.style
        samples = {*np.linspace(0, encoding.n_columns - 1, _SAMPLES).astype(int).tolist(), encoding.n_columns // 2}
        info = column_info_of(encoding)
        facts = {column: info(column) for column in samples}
        wavelengths = [each.wavelength for each in facts.values()]
        if None in wavelengths and any(wavelengths):  # a difference has wavelengths where both tables turn alike
            facts |= {column: info(column) for column in view.columns}
        fastest = min(each or np.inf for each in wavelengths)
        curves_px, positions = figure_px / 2 if figure_px else _WIDEST_PX, view.axis.shown
        band = fastest * curves_px < PIXELS_PER_WAVE * len(positions)
        if encoding.stored is not None:  # steps that are too narrow are a band
            band = curves_px < STEP_PIXELS * encoding.stored.n_runs_between(positions.start, positions.stop)
        whole = _width(facts, band, False, style)
        self._short = whole > _MOST_OF_FIGURE * figure_px > 0
        self._has_band_room = band and not self._short
        self.setFixedWidth(_width(facts, band, True, style) if self._short else whole)

    @property
    def omits_bands(self) -> bool:
        """Whether labels have no room for the word that marks a band, and columns are drawn as bands."""
        return not self._has_band_room and bool(self._banded())

    def update_at(self, cursor: Cursor) -> None:
        """Repaint the label of the cursor's row."""
        row = self._view().row_of(cursor.column)
        if row is not None:
            half = 9 * max(1.0, self._view().style.text_scale)
            self.update(QRectF(0, self.area.to_y(row) - half, self.rect().width(), 2 * half))

    @override
    def draw(self, painter: QPainter) -> None:
        view, banded = self._view(), self._banded()
        larger = max(1.0, view.style.text_scale)
        every = max(1, int(np.ceil(larger * LABELLED_ROW_PX / view.row_px)))
        letters, info = Lettering(painter, view.style, _FONT_PX), column_info_of(view.encoding)
        for row, column in zip(view.row_numbers, view.columns, strict=True):
            if row % every:
                continue
            current = view.cursor is not None and view.cursor.column == column
            if current:
                letters.use(_FONT_PX, semibold=True)
            band = column in banded and self._has_band_room
            label = wave_label(info(column), column, band, self._short)
            self._draw_label(painter, letters, view.style, self.area.to_y(row) + 4 * larger, label, current)
            if current:
                letters.use(_FONT_PX)

    def _draw_label(
        self, painter: QPainter, letters: Lettering, style: Style, baseline: float, label: WaveLabel, current: bool
    ) -> None:
        """The label at the right end of its row; the cursor's in ink."""
        x = self.rect().width() - 10
        before, part, after = label
        ink = style.ink if current else style.muted
        for text, pen in ((after, ink), (part, style.part_text(part)), (before, ink)):
            x -= letters.width(text)
            painter.setPen(pen)
            letters.write(x, baseline, text)


def _width(facts: Mapping[int, ColumnInfo], band: bool, short: bool, style: Style) -> float:
    """The room for these columns' labels in pixels."""

    def ceiling_of(text: str) -> int:
        return math.ceil(width_of(text, style, _FONT_PX, semibold=True))

    # Whole pixels: widths of equally long numbers differ by 1/64, which would repeat the whole layout.
    texts = ("".join(wave_label(each, column, band, short)) for column, each in facts.items())
    with_zeros = sorted(((ceiling_of(text.translate(_ZEROS)), text) for text in texts), reverse=True)
    widest = 0
    for bound, text in with_zeros:
        if bound <= widest:
            break
        widest = max(widest, ceiling_of(text))
    return widest + 16


def wave_label(facts: ColumnInfo, column: int, band: bool, short: bool = False) -> WaveLabel:
    """The label of a column with these facts in three pieces, the second in the colour of sine or cosine.

    ``col 4 · pair 2 · sin · λ 628.3``, ``col 4 · bit 3 · λ 16.0``, ``col 4 · learned``, ``head 4``; a ``short`` label
    leaves out the pair, and the word for a band, which the picture shows.
    """
    after = "" if facts.wavelength is None else f" · λ {wavelength_text(facts.wavelength)}"
    if band and not short:
        after += " · band"
    if is_head(facts, column):
        return "", facts.part, after
    pair = "" if facts.pair is None or short else f"pair {facts.pair} · "
    return f"col {column} · {pair}", facts.part, after
