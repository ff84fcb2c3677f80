"""The labels beside the waves: column, pair, sine or cosine, wavelength."""

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from posenc_core import Encoding
from posenc_core.numerics import PIXELS_PER_WAVE, STEP_PIXELS
from posenc_gui.figures.figure import column_info
from posenc_gui.look.number_format import wavelength_text
from posenc_gui.model.cursor import Cursor
from posenc_gui.model.wording import is_head
from posenc_gui.panels.waves.curves import LABELLED_ROW_PX
from posenc_gui.plotting.layer import Margin
from posenc_gui.plotting.lettering import Lettering, width_of
from posenc_gui.plotting.plot_area import PlotArea

if TYPE_CHECKING:
    from posenc_gui.panels.waves.figure import WavesFigure

_WIDEST_PX = 1500.0
_MOST_OF_FIGURE = 0.45  # more than that labels do not take if shorter ones say enough


class WaveLabels(Margin):
    """Beside each row what it is: column, pair, sine or cosine, wavelength."""

    _FONT_PX = 11

    def __init__(self, area: PlotArea, figure: "WavesFigure") -> None:
        super().__init__(area)
        self._figure = figure
        self._short = False

    def fit(self) -> None:
        """Take the width of the longest label; of a shorter one where that would be too much of the figure."""
        encoding = self._figure.document.encoding
        samples = {0, encoding.n_columns - 1, encoding.n_columns // 2}
        fastest = min(column_info(encoding, column).wavelength or np.inf for column in samples)
        figure_px = self._figure.size().width()
        curves_px = figure_px / 2 if figure_px else _WIDEST_PX
        if encoding.row_cost(1):  # every row may differ from the next: steps that are too narrow are a band
            fastest = min(fastest, PIXELS_PER_WAVE / STEP_PIXELS)
        band = fastest * curves_px < PIXELS_PER_WAVE * len(self._figure.positions)
        whole = self._width(samples, band, short=False)
        self._short = whole > _MOST_OF_FIGURE * figure_px > 0
        self.setFixedWidth(self._width(samples, band, short=True) if self._short else whole)

    def _width(self, columns: set[int], band: bool, short: bool) -> float:
        encoding = self._figure.document.encoding
        texts = ["".join(wave_label(encoding, column, band, short)) for column in columns]
        widths = (width_of(text, self._figure.style, self._FONT_PX, semibold=True) for text in texts)
        # Whole pixels: figures of equal width differ by a 64th, for which all would be laid out again.
        return math.ceil(max(widths)) + 16

    def update_at(self, cursor: Cursor) -> None:
        """Paint the label of the cursor's row again."""
        self.update(QRectF(0, self.area.to_y(cursor.column) - 9, self.rect().width(), 18))

    def draw(self, painter: QPainter) -> None:
        """As many labels as the rows leave room for, the cursor's row in ink."""
        figure = self._figure
        every = max(1, int(np.ceil(LABELLED_ROW_PX / figure.row_px)))
        cursor = figure.cursor
        banded = figure.waves.banded()
        first, stop = figure.visible_columns()
        letters = Lettering(painter, figure.style, self._FONT_PX)
        right = self.rect().width() - 10
        for column in range(-(-first // every) * every, stop, every):
            y = self.area.to_y(column)
            current = cursor is not None and cursor.column == column
            if current:
                letters.use(self._FONT_PX, semibold=True)
            self._draw_label(painter, letters, column, right, y + 4, current, column in banded)
            if current:
                letters.use(self._FONT_PX)

    def _draw_label(
        self, painter: QPainter, letters: Lettering, column: int, x: float, baseline: float, current: bool, band: bool
    ) -> None:
        """The label that ends at ``x``."""
        style = self._figure.style
        encoding = self._figure.document.encoding
        before, part, after = wave_label(encoding, column, band, self._short)
        ink = style.ink if current else style.muted
        for text, colour in ((after, ink), (part, style.part_text(column_info(encoding, column).part)), (before, ink)):
            x -= letters.width(text)
            painter.setPen(colour)
            letters.write(x, baseline, text)


def wave_label(encoding: Encoding, column: int, band: bool, short: bool = False) -> tuple[str, str, str]:
    """The label in three pieces, so that sine and cosine can have their colour.

    ``col 4 · pair 2 · sin · λ 628.3``, ``col 4 · bit 3 · λ 16.0``, ``col 4 · learned``, ``head 4``; ``short`` without
    the pair and whether it is a band, which the picture shows.
    """
    facts = column_info(encoding, column)
    after = "" if facts.wavelength is None else f" · λ {wavelength_text(facts.wavelength)}"
    if band and not short:
        after += " · band"
    if is_head(facts, column):
        return "", facts.part, after
    pair = "" if facts.pair is None or short else f"pair {facts.pair} · "
    return f"col {column} · {pair}", facts.part, after
