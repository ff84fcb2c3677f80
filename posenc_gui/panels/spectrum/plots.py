"""Wavelengths of pairs under several scalings, as the lines of two plots."""

import math
from functools import lru_cache
from itertools import pairwise

import numpy as np

from posenc_core import Document, Encoding
from posenc_core.long_context import n_wavelengths, pair_shares, slowdowns
from posenc_core.numerics import FloatArray
from posenc_core.session import Compared, compared_encodings
from posenc_gui.figures.lines import Band, Line, Plot, Rule, TurningEncoding, padded, turning_encodings
from posenc_gui.look import counted
from posenc_gui.model import has_wavelengths, wavelength_unit
from posenc_gui.plotting import Scale

_SAME = 1e-9
"""Largest relative difference of two slowdowns that are the same, as in ``pair_shares``."""

_NAME_ROOM = 1.6
"""The room for the name of a length above its line, as a factor: below the line, the name would be beside the other."""

_LARGEST = 1e100
"""Larger slowdowns cannot be drawn."""

_KINDS = ("kept", "blended", "slowed")
_TINTS = (0.0, 0.5, 1.0)


def plots(document: Document) -> tuple[Plot, ...]:
    """The wavelength of each pair, and how much slower each turns than as trained, unless none is slowed."""
    wavelengths, slower = both_plots(document)
    is_slowed = any(not np.allclose(line.y, 1.0, rtol=_SAME, equal_nan=True) for line in slower.lines)
    return (wavelengths, slower) if is_slowed else (wavelengths,)


def both_plots(document: Document) -> tuple[Plot, Plot]:
    """The wavelength of each pair, and how much slower each turns than as trained."""
    lengths, drawn = document.lengths, drawn_encodings(document)
    n_pairs = max(n_wavelengths(each.encoding) for each in drawn)
    pairs = np.arange(n_pairs, dtype=np.float64)
    waves = [Line(each.title, padded(_wavelengths(each.encoding), n_pairs), each.look) for each in drawn]
    is_falling = any((line.y[1:] < line.y[:-1]).any() for line in waves)  # as where each axis has its own pairs
    across = Scale("pair" if is_falling else "pair, fast to slow", -0.5, max(1.5, len(pairs) - 0.5), whole=True)
    slower = [Line(each.title, padded(_slowdowns(each.encoding), n_pairs), each.look) for each in drawn]
    rules: tuple[Rule, ...] = (Rule(f"L = L′ {counted(lengths.target)}", lengths.target, "target_length"),)
    if lengths.trained != lengths.target:
        rules = (
            Rule(f"L {counted(lengths.trained)}", lengths.trained, "trained_length"),
            Rule(f"L′ {counted(lengths.target)}", lengths.target, "target_length"),
        )
    if lengths.is_bounded:
        longest = lengths.seen.target - 1
        rules += (Rule(f"reach {counted(longest)}", longest, "longest_distance"),)
    named = np.array([lengths.trained, _NAME_ROOM * lengths.target], np.float64)
    ends = _ends([*waves, Line("", named)])
    units = " or ".join(dict.fromkeys(wavelength_unit(each.encoding) for each in drawn))
    upright = Scale.around(f"wavelength, {units}", *ends, room=2)
    wavelengths = Plot(pairs, tuple(waves), across, upright, rules, stretch=5)
    most = max(1.25, _ends(slower)[1])
    if most > _LARGEST:
        raise ValueError(
            f"pairs are slowed by up to {most:.3g}; the largest number that the axis can show is {_LARGEST:g}"
        )
    highest = 2 * most - 1  # the names of bands are above the lines
    below = Scale("slowed by", 1 - (most - 1) / 8, highest)
    return (
        wavelengths,
        Plot(pairs, tuple(slower), across, below, bands=bands(banded(scalings(document)).encoding), stretch=2),
    )


def drawn_encodings(document: Document) -> tuple[TurningEncoding, ...]:
    """The encodings whose wavelengths are drawn."""
    return turning_encodings(document, has_wavelengths)[0]


def scalings(document: Document) -> tuple[Compared, ...]:
    """The chosen encoding as trained, with its own scaling, and with the compared ones that it accepts."""
    return compared_encodings(document.encoding, document.view.compared_scalings, document.lengths).encodings


def _wavelengths(encoding: Encoding) -> FloatArray:
    """The wavelength of each pair in tokens or cells, float64 ``(n_pairs,)``; inf for one that does not turn."""
    with np.errstate(divide="ignore", over="ignore"):
        return 2 * math.pi / np.abs(encoding.frequencies()[: n_wavelengths(encoding)])


def _ends(lines: list[Line]) -> tuple[float, float]:
    """The least and the largest finite number of the lines above zero; 1 and 1 for none."""
    values = np.concatenate([line.y for line in lines])
    values = values[np.isfinite(values) & (values > 0)]
    return (float(values.min()), float(values.max())) if values.size else (1.0, 1.0)


def _slowdowns(encoding: Encoding) -> FloatArray:
    return slowdowns(encoding)[: n_wavelengths(encoding)]


@lru_cache(maxsize=8)
def banded(compared: tuple[Compared, ...]) -> Compared:
    """The one whose bands are shown: the present scaling, else the first that keeps some pairs and slows others."""
    scaled = compared[1:] or compared
    shares = {each.name: pair_shares(each.encoding) for each in scaled}
    parted = (each for each in scaled if min(shares[each.name].kept, shares[each.name].slowed) > 1)
    return scaled[0] if scaled[0].name == "present" else next(parted, scaled[0])


def bands(encoding: Encoding) -> tuple[Band, ...]:
    """Consecutive pairs that a scaling keeps, slows by its largest factor, or blends; none for separate divisors."""
    slower, shares = slowdowns(encoding), pair_shares(encoding)
    largest = shares.factor
    kept = np.abs(slower - 1) <= _SAME
    kinds = np.where(kept, 0, np.where(slower >= largest * (1 - _SAME), 2, 1))
    if kept.all() or shares.are_separate:
        return ()
    edges = [0, *(np.flatnonzero(np.diff(kinds)) + 1).tolist(), len(kinds)]
    if len(edges) > len(_KINDS) + 1:  # a list of divisors may go up and down
        return ()
    return tuple(
        Band(first - 0.5, stop - 0.5, f"{_KINDS[kinds[first]]} {stop - first}", _TINTS[kinds[first]])
        for first, stop in pairwise(edges)
    )
