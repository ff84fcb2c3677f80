"""PRECISION: what rounding leaves of the position in RoPE's angles, for all encodings of the document."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from PySide6.QtCore import Qt, QTimer
from typing_extensions import override

from posenc_core import Document, Encoding, Rotary
from posenc_core.long_context import RoundedNumber, rounding_chain
from posenc_core.numerics import FloatArray
from posenc_core.session import LETTERS
from posenc_core.tables import ProgressCallback
from posenc_gui.figures import Need, PictureRenderer, Rendered, SlowNumbers, computed
from posenc_gui.figures.lines import LineFigure, LineView, Plot
from posenc_gui.layers import cursor_pair, pair_column
from posenc_gui.look import Style
from posenc_gui.model import Cursor
from posenc_gui.panels.precision.curves import Curves, PrecisionRequest, precision_numbers
from posenc_gui.panels.precision.readout import (
    LINE_PX,
    LINES_PX,
    TABLE_PX,
    Readout,
    ReadoutStrip,
    entry_error,
    place_words,
)

_LEAST_FOR_TABLE, _LEAST_FOR_LINES = 360.0, 190.0
"""Lower figures, in pixels, show the bits of the chain in a line, and still lower ones without the place."""

_STRIP_ROW = 3


class PrecisionFigure(LineFigure, SlowNumbers):
    """The largest error of cosines and sines over the position, in the arithmetic that the document names."""

    name = "precision"
    title = "Precision"
    hint = "what rounding leaves of the position"
    explanation = (
        "How far the cosines and sines of RoPE are off if a model computes their angles in the arithmetic that is "
        "chosen, over the position. A point is the largest error of 64 positions, or of all where it stands for fewer, "
        "and of the pairs. Below are the numbers from the position to its rounded cosine and sine, and the error that "
        "each rounding adds. These are errors of the rotation alone."
    )
    handling = (
        "Point at a place for the position and the pair with its largest error. Up and Down choose the pair, Left and "
        "Right the place. Drag the line L, or set L and the target length L′, at which the axis ends, in Spectrum."
    )
    more = (
        "The rounded numbers have their bits in hexadecimal beside them. The headline counts the positions of the "
        "trained length L whose rounded cosines and sines differ. Hardware may keep more digits inside."
    )
    least_size = (260, 220)
    export_size = (720, 520)
    controls = ("arithmetic",)
    needs = Need("Precision needs the angles of RoPE, which models compute at run time.", "Show RoPE", Rotary.family)
    pictures: PictureRenderer

    def __init__(self, style: Style) -> None:
        self._shown: tuple[PrecisionRequest, Rendered] | None = None
        super().__init__(style)
        self.pictures = PictureRenderer(self._request)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.noteChanged)
        self._strip = ReadoutStrip(self._readout, lambda: self.style)
        self.addItem(self._strip, _STRIP_ROW, 0, 1, 3)
        self.layout.setRowSpacing(_STRIP_ROW - 1, 0)
        self.geometryChanged.connect(self._fit_strip)
        self._fit_strip()

    @classmethod
    @override
    def suits(cls, encoding: Encoding) -> bool:
        return encoding.rotation is not None

    @classmethod
    @override
    def plots(cls, document: Document) -> tuple[Plot, ...]:
        request = PrecisionRequest.of(document)
        return (request.plot(document, _errors(document)),)

    @classmethod
    @override
    def numbers(cls, document: Document) -> Mapping[str, FloatArray]:
        return precision_numbers(document, _errors(document))

    @classmethod
    @override
    def watched_numbers(cls, document: Document, progress: ProgressCallback) -> Mapping[str, FloatArray]:
        return precision_numbers(document, computed(PrecisionRequest.of(document).without_count(), progress))

    @override
    def _new_plots(self) -> tuple[tuple[Plot, ...], str]:
        """The axes; the lines are computed when they are painted."""
        if self.missing(self.document) is not None:
            return (), ""
        request = PrecisionRequest.of(self.document)
        return (request.plot(self.document, self._known(request)),), ""

    def _request(self, scale: float, vector: bool) -> PrecisionRequest | None:
        return None if self.missing(self.document) is not None else PrecisionRequest.of(self.document)

    def _known(self, request: PrecisionRequest) -> Curves | None:
        """What the last paint knew of a request."""
        if self._shown is None or self._shown[0] != request:
            return None
        curves: Curves = self._shown[1].picture
        return curves

    @override
    def _view(self, index: int) -> LineView:
        self._render()
        return super()._view(index)

    def _render(self) -> Curves | None:
        """The curves as far as they are known now; None where there are none."""
        request = self._request(1.0, False)
        if request is None:
            return None
        rendered = self.pictures.render(request)
        if self._shown is None or self._shown[1] is not rendered:
            self._shown = (request, rendered)
            self._plots = (request.plot(self.document, rendered.picture),)
            self._soon.start()  # after the paint event
        curves: Curves = rendered.picture
        return curves

    @override
    def script(self) -> str:
        curves = self._render()
        if curves is not None and np.isnan(curves.error).any():
            raise ValueError("the picture is not complete yet: copy it once all of it is computed")
        return super().script()

    def _readout(self) -> Readout:
        request, curves, chain, cursor = self._request(1.0, False), self._render(), self.chain(), self.cursor
        headline = "" if request is None else request.headline(curves) or "Counting the positions that stay apart …"
        pair = self._pair()
        if cursor is None or pair is None:
            return Readout(headline, "Point at a line for its rounded numbers", ())
        return Readout(headline, place_words(self.document.letter, cursor.position, pair, chain), chain)

    def chain(self) -> tuple[RoundedNumber, ...]:
        """The rounded numbers at the cursor; () where there are none."""
        pair = self._pair()
        if self.cursor is None or pair is None:
            return ()
        return _chain(self.document.encoding, self.cursor.position, pair, self.document.view.arithmetic)

    @override
    def note(self, scale: float = 1.0) -> str:
        request = self._request(scale, False)
        if request is None:
            return ""
        without = [LETTERS[index] for index in range(len(self.document.encodings)) if index not in request.indices]
        parts = [
            request.headline(self._known(request)),
            request.sampling(),
            f"the rotation alone, in {request.curves.arithmetic}",
            f"{' and '.join(without)} without RoPE" if without else "",
            self.pictures.standing(scale),
        ]
        return " · ".join(filter(None, parts))

    @override
    def number(self) -> float | None:
        chain = self.chain()
        return entry_error(chain) if chain else None

    def _pair(self) -> int | None:
        """The cursor's pair; None for a column that no pair has."""
        encoding = self.document.encoding
        return cursor_pair(encoding, self.cursor) if self.suits(encoding) else None

    @override
    def cursor_x(self) -> float | None:
        request = self._request(1.0, False)
        if self.cursor is None or request is None or not 1 <= self.cursor.position < request.curves.edges[-1]:
            return None
        return self.cursor.position

    @override
    def _point_x(self, x: float, pinned: bool) -> None:
        request = self._request(1.0, False)
        if request is not None:
            self.cursorMoved.emit(self._cursor_in(request, request.part_of(int(x)), pinned))

    def _cursor_in(self, request: PrecisionRequest, part: int, pinned: bool) -> Cursor:
        """The place that has the largest error of a part; its first position while that is unknown."""
        curves, chosen = self._known(request), request.chosen
        if curves is None or np.isnan(curves.error[part, chosen]):
            return Cursor(int(request.first_positions[part]), 0 if self.cursor is None else self.cursor.column, pinned)
        return Cursor(
            int(curves.position[part, chosen]),
            pair_column(self.document.encoding, int(curves.pair[part, chosen])),
            pinned,
        )

    @override
    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        request, encoding = self._request(1.0, False), self.document.encoding
        sideways = {Qt.Key.Key_Left: -times, Qt.Key.Key_Right: times}.get(key, 0)
        down = {Qt.Key.Key_Up: -times, Qt.Key.Key_Down: times}.get(key, 0)
        if request is None or not (sideways or down):
            return None
        position = 1 if self.cursor is None else self.cursor.position
        if down:
            pair = min(max((self._pair() or 0) + down, 0), len(encoding.frequencies()) - 1)
            return Cursor(position, pair_column(encoding, pair), True)
        part = request.part_of(position) + sideways
        return self._cursor_in(request, min(max(part, 0), len(request.first_positions) - 1), True)

    def _fit_strip(self) -> None:
        """Give the chain a table where there is room."""
        height = self.size().height()
        lines = LINES_PX if height >= _LEAST_FOR_LINES else LINE_PX
        self._strip.setFixedHeight(TABLE_PX if height >= _LEAST_FOR_TABLE else lines)


def _errors(document: Document) -> Curves:
    return PrecisionRequest.of(document).without_count().compute()


@lru_cache(maxsize=8)
def _chain(encoding: Encoding, position: int, pair: int, arithmetic: str) -> tuple[RoundedNumber, ...]:
    return rounding_chain(encoding, position, pair, arithmetic)
