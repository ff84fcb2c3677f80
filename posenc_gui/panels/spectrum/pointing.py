"""Pointing at the spectrum: a pair, its wavelength, and the turns that it makes in both lengths."""

from collections.abc import Iterator

from typing_extensions import override

from posenc_core.encodings import at_length, n_whole_pairs
from posenc_gui.figures.lines import LinePointing, LinesView, reach_words, turning_encodings
from posenc_gui.look import significant
from posenc_gui.model import Cursor, cursor_pair, has_wavelengths, pair_column
from posenc_gui.panels.spectrum.plots import banded, bands, scalings


class SpectrumPointing(LinePointing[LinesView]):
    """The cursor as a pair."""

    @override
    def notes(self, view: LinesView, standing: str) -> Iterator[str]:
        document, encoding, pair = view.document, view.encoding, cursor_pair(view.encoding, view.cursor)
        if not has_wavelengths(encoding):
            return
        _, refused, same = turning_encodings(document, has_wavelengths)
        yield from refused
        yield from same
        shown = banded(scalings(document))
        shading = f"Shading: {shown.title}. " if bands(shown.encoding) else ""
        factor = 1.0 if encoding.rotation is None else encoding.rotation.attention_factor
        if factor != 1:
            yield f"attention factor {significant(factor, 4)}, {significant(factor**2, 4)} on scores"
        wavelength, lengths = self.number(), document.lengths
        if pair is not None and wavelength is not None:
            in_l, in_target = (significant(each / wavelength, 3) for each in (lengths.trained, lengths.target))
            within = "" if lengths.trained == lengths.target else f", {in_target} within L′"
            yield f"{shading}Pair {pair} makes {in_l} turns within L{within}"
        elif shading:
            yield shading.rstrip(". ")
        yield reach_words(lengths)

    @property
    @override
    def is_refusal(self) -> bool:
        return bool(turning_encodings(self.view.document, has_wavelengths)[1])

    @override
    def number(self) -> float | None:
        view = self.view
        pair, encoding = cursor_pair(view.encoding, view.cursor), view.encoding
        if pair is None or not has_wavelengths(encoding):
            return None
        encoding = at_length(encoding, view.document.lengths.target)
        return encoding.column_info(pair_column(encoding, pair)).wavelength

    @override
    def x_of(self, view: LinesView) -> float | None:
        return cursor_pair(view.encoding, view.cursor)

    @override
    def pointed_x(self, x: float, pinned: bool) -> Cursor | None:
        view = self.view
        if not has_wavelengths(view.encoding) or x >= n_whole_pairs(view.encoding):  # another encoding may have more
            return None
        return Cursor(view.at.position, pair_column(view.encoding, int(x)), pinned)

    @override
    def stepped(self, view: LinesView, across: int, down: int) -> Cursor | None:
        if not across or not n_whole_pairs(view.encoding) or not has_wavelengths(view.encoding):
            return None
        pair = (cursor_pair(view.encoding, view.cursor) or 0) + across
        pair = min(max(pair, 0), n_whole_pairs(view.encoding) - 1)
        return Cursor(view.at.position, pair_column(view.encoding, pair), True)
