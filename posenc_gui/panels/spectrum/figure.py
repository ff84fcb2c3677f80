"""SPECTRUM: the wavelength of each rotary pair as trained and under scalings, against the two lengths."""

import math
from functools import lru_cache
from itertools import pairwise

import numpy as np
from PySide6.QtCore import Qt
from typing_extensions import override

from posenc_core import Document, Encoding, Rotary
from posenc_core.analysis import pair_shares, slowdowns
from posenc_core.encodings import n_whole_pairs
from posenc_core.numerics import FloatArray
from posenc_core.session import Compared, compared_encodings
from posenc_gui.figures import Need
from posenc_gui.figures.lines import Band, Line, LineFigure, Plot, Rule, turning_encodings, turns_pairs
from posenc_gui.layers import cursor_pair, pair_column
from posenc_gui.look import counted, significant
from posenc_gui.model import TARGET_LENGTHS, Cursor
from posenc_gui.plotting import Scale

_SAME = 1e-9
"""Largest relative difference of two slowdowns that are the same, as in ``pair_shares``."""

_KINDS = ("kept", "blended", "slowed")
_TINTS = (0.0, 0.5, 1.0)


class SpectrumFigure(LineFigure):
    """Wavelength by pair on a logarithmic axis, and below it by how much each pair is slowed."""

    name = "spectrum"
    title = "Spectrum"
    hint = "wavelength of each pair"
    explanation = (
        "Above, the wavelength of each pair in tokens: a pair turns once in that distance. One thick line is the "
        "encoding as it was trained, the other its own scaling; the thin ones are scalings from the trained length L "
        "to the target length L′, and the other encodings of A to D. Pairs above the line L did not turn once in "
        "training. Below, by how much a scaling slows each pair."
    )
    handling = "Drag the lines L and L′, or type them."
    more = (
        "The note names the scaling whose bands are shown: pairs that are kept, slowed by its largest factor, or "
        "blended between. L is what the files say; the text that the model saw may have been shorter."
    )
    least_size = (300, 240)
    export_size = (720, 560)
    n_plots = 2
    controls = ("trained_length", "target_length", "compared_scalings")
    course = TARGET_LENGTHS
    needs = Need("Spectrum needs pairs that turn with the position.", "Show RoPE", Rotary.family)

    @classmethod
    def suits(cls, encoding: Encoding) -> bool:
        """Whether the encoding turns pairs."""
        return turns_pairs(encoding)

    @override
    def used_controls(self, document: Document) -> tuple[str, ...]:
        return self.controls[:2] if document.encoding.rotation is None else self.controls

    @classmethod
    @override
    def plots(cls, document: Document) -> tuple[Plot, ...]:
        lengths, (drawn, _) = document.lengths, turning_encodings(document)
        n_pairs = max(n_whole_pairs(each.encoding) for each in drawn)
        pairs = np.arange(n_pairs, dtype=np.float64)
        across = Scale("pair, fast to slow", -0.5, max(1.5, len(pairs) - 0.5), whole=True)
        waves = [Line(each.title, _padded(_wavelengths(each.encoding), n_pairs), each.look) for each in drawn]
        slower = [Line(each.title, _padded(_slowdowns(each.encoding), n_pairs), each.look) for each in drawn]
        rules = (
            Rule(f"L {counted(lengths.trained)}", lengths.trained, "trained_length"),
            Rule(f"L′ {counted(lengths.target)}", lengths.target, "target_length"),
        )
        ends = _ends([*waves, Line("", np.array([lengths.trained, lengths.target], np.float64))])
        upright = Scale("wavelength, tokens", ends[0] / 2, ends[1] * 2, logarithmic=True)
        most = max(1.25, _ends(slower)[1])
        highest = most + (most - 1) * 0.8  # the names of bands are above the lines
        below = Scale("slowed by", 1 - (most - 1) / 8, highest)
        return (
            Plot(pairs, tuple(waves), across, upright, rules, stretch=5),
            Plot(pairs, tuple(slower), across, below, bands=_bands(_banded(_scalings(document)).encoding), stretch=2),
        )

    @override
    def note(self, scale: float = 1.0) -> str:
        document, encoding, pair = self.document, self.document.encoding, self._pair()
        if not turns_pairs(encoding):
            return ""
        parts, banded = [*turning_encodings(document)[1]], _banded(_scalings(document))
        self.is_refusal = bool(parts)
        if _bands(banded.encoding):
            parts.append(f"bands of {banded.title}")
        factor = 1.0 if encoding.rotation is None else encoding.rotation.attention_factor
        if factor != 1:
            parts.append(f"attention factor {significant(factor, 4)}, {significant(factor**2, 4)} on scores")
        wavelength = self.number()
        if pair is not None and wavelength is not None:
            lengths = document.lengths
            in_l, in_target = (significant(each / wavelength, 3) for each in (lengths.trained, lengths.target))
            parts.append(f"pair {pair} turns {in_l} times in L, {in_target} in L′")
        return " · ".join(parts)

    @override
    def number(self) -> float | None:
        pair, encoding = self._pair(), self.document.encoding
        if pair is None or not turns_pairs(encoding):
            return None
        return encoding.column_info(pair_column(encoding, pair)).wavelength

    def _pair(self) -> int | None:
        """The cursor's pair; None for a column that no pair has."""
        return cursor_pair(self.document.encoding, self.cursor)

    @override
    def cursor_x(self) -> float | None:
        return self._pair()

    @override
    def _point_x(self, x: float, pinned: bool) -> None:
        encoding = self.document.encoding
        if self.suits(encoding) and x < n_whole_pairs(encoding):  # another encoding may have more
            self._point_pair(int(x), pinned)

    def _point_pair(self, pair: int, pinned: bool) -> None:
        column = pair_column(self.document.encoding, pair)
        position = 0 if self.cursor is None else self.cursor.position
        self.cursorMoved.emit(Cursor(position, column, pinned))

    @override
    def moved(self, key: Qt.Key, times: int) -> Cursor | None:
        encoding, pair = self.document.encoding, self._pair()
        step = {Qt.Key.Key_Left: -times, Qt.Key.Key_Right: times}.get(key, 0)
        if not step or not self.suits(encoding):
            return None
        moved = min(max((pair or 0) + step, 0), n_whole_pairs(encoding) - 1)
        column = pair_column(encoding, moved)
        return Cursor(0 if self.cursor is None else self.cursor.position, column, True)


def _scalings(document: Document) -> tuple[Compared, ...]:
    """The chosen encoding as trained, with its own scaling, and with the compared ones that it takes."""
    return compared_encodings(document.encoding, document.view.compared_scalings, document.lengths).encodings


def _padded(values: FloatArray, n_pairs: int) -> FloatArray:
    """The values of an encoding's pairs, and nan for those that only a wider one has."""
    return np.append(values, np.full(n_pairs - len(values), np.nan))


def _wavelengths(encoding: Encoding) -> FloatArray:
    """The wavelength of each pair in tokens, float64 ``(n_pairs,)``; inf for one that does not turn."""
    with np.errstate(divide="ignore", over="ignore"):
        return 2 * math.pi / np.abs(encoding.frequencies()[: n_whole_pairs(encoding)])


def _ends(lines: list[Line]) -> tuple[float, float]:
    """The least and the largest finite number of the lines above zero; 1 and 1 for none."""
    values = np.concatenate([line.y for line in lines])
    values = values[np.isfinite(values) & (values > 0)]
    return (float(values.min()), float(values.max())) if values.size else (1.0, 1.0)


def _slowdowns(encoding: Encoding) -> FloatArray:
    return slowdowns(encoding)[: n_whole_pairs(encoding)]


@lru_cache(maxsize=8)
def _banded(compared: tuple[Compared, ...]) -> Compared:
    """The one whose bands are shown: the present scaling, else the first that keeps some pairs and slows others."""
    scaled = compared[1:] or compared
    shares = {each.name: pair_shares(each.encoding) for each in scaled}
    parted = (each for each in scaled if min(shares[each.name].kept, shares[each.name].slowed) > 1)
    return scaled[0] if scaled[0].name == "present" else next(parted, scaled[0])


def _bands(encoding: Encoding) -> tuple[Band, ...]:
    """Consecutive pairs that a scaling keeps, slows by its largest factor, or by less."""
    slower, largest = slowdowns(encoding), pair_shares(encoding).factor
    kept = np.abs(slower - 1) <= _SAME
    kinds = np.where(kept, 0, np.where(slower >= largest * (1 - _SAME), 2, 1))
    if kept.all():
        return ()
    edges = [0, *(np.flatnonzero(np.diff(kinds)) + 1).tolist(), len(kinds)]
    if len(edges) > len(_KINDS) + 1:  # a list of divisors may go up and down
        return ()
    return tuple(
        Band(first - 0.5, stop - 0.5, f"{_KINDS[kinds[first]]} {stop - first}", _TINTS[kinds[first]])
        for first, stop in pairwise(edges)
    )
