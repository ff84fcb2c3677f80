"""Pointing at the spectrum: a pair, its wavelength, and the turns that it makes in both lengths."""

from collections.abc import Iterator

from typing_extensions import override

from posenc_core import Rotary
from posenc_core.encodings import n_whole_pairs
from posenc_gui.figures.lines.line_plot import turning_encodings
from posenc_gui.figures.lines.line_pointing import LinePointing, LinesView
from posenc_gui.look.number_format import significant
from posenc_gui.model.cursor import Cursor, cursor_pair, pair_column, turns_pairs
from posenc_gui.panels.spectrum.plots import banded, bands, scalings


class SpectrumPointing(LinePointing[LinesView]):
    """The cursor as a pair."""

    @override
    def notes(self, view: LinesView, standing: str) -> Iterator[str]:
        document, encoding, pair = view.document, view.encoding, cursor_pair(view.encoding, view.cursor)
        if not turns_pairs(encoding):
            return
        yield from turning_encodings(document)[1]
        shown = banded(scalings(document))
        if bands(shown.encoding):
            yield f"bands of {shown.title}"
        if isinstance(encoding, Rotary) and encoding.attention_factor != 1:
            factor = significant(encoding.attention_factor, 4)
            yield f"attention factor {factor}, {significant(encoding.attention_factor**2, 4)} on scores"
        if pair is not None:
            wavelength, lengths = encoding.wavelength(pair), document.lengths
            in_l, in_target = (significant(each / wavelength, 3) for each in (lengths.trained, lengths.target))
            yield f"pair {pair} turns {in_l} times in L, {in_target} in L′"

    @property
    @override
    def is_refusal(self) -> bool:
        return bool(turning_encodings(self.view.document)[1])

    @override
    def number(self) -> float | None:
        view = self.view
        pair, encoding = cursor_pair(view.encoding, view.cursor), view.encoding
        return encoding.wavelength(pair) if turns_pairs(encoding) and pair is not None else None

    @override
    def x_of(self, view: LinesView) -> float | None:
        return cursor_pair(view.encoding, view.cursor)

    @override
    def pointed_x(self, x: float, pinned: bool) -> Cursor | None:
        view = self.view
        if not turns_pairs(view.encoding) or x >= n_whole_pairs(view.encoding):  # another encoding may have more
            return None
        return Cursor(view.at.position, pair_column(view.encoding, int(x)), pinned)

    @override
    def stepped(self, view: LinesView, across: int, down: int) -> Cursor | None:
        if not across or not turns_pairs(view.encoding):
            return None
        pair = (cursor_pair(view.encoding, view.cursor) or 0) + across
        pair = min(max(pair, 0), n_whole_pairs(view.encoding) - 1)
        return Cursor(view.at.position, pair_column(view.encoding, pair), True)
