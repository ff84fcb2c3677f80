"""Grids of cells, seen in the turns of pairs from cell to cell: rows, frames, and text before them."""

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from posenc_core.identify.precision import Level
from posenc_core.numerics import FloatArray, IntArray

_SOME_PAIRS = 12
"""Pairs by whose turns the ends of rows are found."""

_NEAR = 4e-6
"""Least difference of a turn, at the end of a row, from all others, beside rounding."""

Phasors = npt.NDArray[np.complex128]


class Seen(Struct, frozen=True):
    """A picture in rows of cells.

    ``n_text`` cells before ``sizes``, those of time, height and width, and the turn of each pair from one index to the
    next along each axis, float64 ``(3, n_pairs)`` in rad. ``start``: the angle of the first cell, ``(n_pairs,)``.
    """

    n_text: int
    sizes: tuple[int, int, int]
    turns: FloatArray
    start: FloatArray

    @property
    def grid(self) -> str:
        """The text that names the grid."""
        frames = f"{self.sizes[0]}x" if self.sizes[0] > 1 else ""
        return f"{f'{self.n_text}+' * bool(self.n_text)}{frames}{self.sizes[1]}x{self.sizes[2]}"

    def turns_of(self, names: tuple[str, ...]) -> FloatArray:
        """The turns along axes of these names; 0 along the axis of the text."""
        rows = {name: self.turns["thw".index(name)] for name in "thw"}
        return np.array([rows.get(name, np.zeros(self.turns.shape[1])) for name in names])


def pictures(phasors: Phasors, level: Level) -> list[Seen]:
    """The grids that the cells may have, by the ends of rows and of frames counted from the last cell."""
    near, some, n_cells = *_seen_by(phasors, level), len(phasors)
    found = dict[tuple[int, ...], Seen]()
    for wide in _periods(phasors[1:, some] * phasors[:-1, some].conj(), near):
        rows = phasors[n_cells % wide :].reshape(-1, wide, phasors.shape[1])
        down = rows[1:, 0, some] * rows[:-1, 0, some].conj()
        n_rows = len(rows)
        for high in dict.fromkeys((*_periods(down, near), n_rows)):
            frames = n_rows // high
            n_text = n_cells - frames * high * wide
            picture = phasors[n_text:].reshape(frames, high, wide, -1)
            turns = [_turn(_between(picture, axis), phasors.shape[1]) for axis in range(3)]
            found[frames, high, wide] = Seen(n_text, (frames, high, wide), np.array(turns), np.angle(picture[0, 0, 0]))
    return list(found.values())


def begun_pictures(phasors: Phasors, level: Level) -> list[Seen]:
    """The pictures without text whose last row has begun only, seen in their whole rows, at least two."""
    (near, some), found = _seen_by(phasors, level), list[Seen]()
    for wide in _periods(phasors[1:, some] * phasors[:-1, some].conj(), near):
        n_rows, rest = divmod(len(phasors), wide)
        seen = pictures(phasors[: n_rows * wide], level) if rest and n_rows > 1 else []
        found += [replace(each, sizes=(1, n_rows + 1, wide)) for each in seen if each.sizes == (1, n_rows, wide)]
    return found


def _seen_by(phasors: Phasors, level: Level) -> tuple[float, IntArray]:
    """The least difference of a turn at the end of a row, and the pairs by whose turns ends are found."""
    near = _NEAR + 16 * (level.wave + level.relative + level.absolute)
    return near, np.unique(np.linspace(0, phasors.shape[1] - 1, _SOME_PAIRS).astype(np.int64))


def _between(picture: Phasors, axis: int) -> Phasors:
    """The turns between neighbours along an axis, ``(n, n_pairs)``."""
    moved = np.moveaxis(picture, axis, 0)
    return np.asarray((moved[1:] * moved[:-1].conj()).reshape(-1, picture.shape[-1]))


def _turn(turned: Phasors, n_pairs: int) -> FloatArray:
    """The usual angle of each pair, float64 ``(n_pairs,)`` in rad; 0 without any."""
    if not len(turned):
        return np.zeros(n_pairs)
    middle = np.angle(np.median(turned.real, axis=0) + 1j * np.median(turned.imag, axis=0))
    left = np.angle(turned * np.exp(-1j * middle))
    return np.asarray(middle + np.median(left, axis=0))


def _periods(turned: Phasors, near: float) -> list[int]:
    """Lengths of rows, by the turns between neighbours ``(n - 1, n_pairs)``: those of the last row, and the usual one.

    Empty for a single row. A wrong cell in the last row changes its length.
    """
    count, found = len(turned) + 1, list[int]()
    for usual in (turned[-1:], np.exp(1j * _turn(turned, turned.shape[1]))[None]) if count > 2 else ():
        ends = np.flatnonzero(np.abs(turned - usual).max(axis=1) > near) + 1
        gaps = np.diff(np.append(ends, count))
        if len(gaps):
            found += [int(gaps[-1]), int(np.bincount(gaps[gaps > 1], minlength=1).argmax())]
    return [each for each in dict.fromkeys(found) if 1 < each < count]


def text_turns(phasors: Phasors) -> FloatArray:
    """The turn of each pair per token, float64 ``(n_pairs,)`` in rad, refined over doubled distances."""
    rates = _turn(phasors[1:] * phasors[:-1].conj(), phasors.shape[1])
    apart = 2
    while apart < len(phasors):
        moved = phasors[apart:] * phasors[:-apart].conj() * np.exp(-1j * apart * rates)
        rates = rates + np.median(np.angle(moved), axis=0) / apart
        apart *= 2
    return rates
