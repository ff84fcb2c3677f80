"""The values that ``identify`` returns: the encoding of the numbers, their mistakes and the places."""

from typing import Any

import numpy as np
from msgspec import Struct, to_builtins

from posenc_core.encodings import Encoding
from posenc_core.explain import Derivation
from posenc_core.numerics import IntArray

Place = int | tuple[int, int]


class Fault(Struct, frozen=True):
    """A mistake that explains the numbers: its code, a sentence, and the affected columns or cells.

    ``places`` are columns for ``columns``, (position, column) for ``cells``, and empty for a fault everywhere.
    """

    code: str
    sentence: str
    places: tuple[Place, ...] = ()


class Wrong(Struct, frozen=True):
    """A number beside the right one, at a position and a column as given; ``where`` names the place in words.

    ``entry`` is the column of the encoding's table that the number is compared with. ``vector`` is the query or key
    before its rotation.
    """

    position: int
    column: int
    given: float
    right: float
    where: str
    entry: int
    vector: tuple[float, ...] = ()


class Parting(Struct, frozen=True):
    """The first position at which a pair's angle is off by more than 45 degrees, and the pair; -1 for never."""

    position: int
    pair: int


class Finding(Struct, frozen=True):
    """Result of an identification.

    ``kind``: ``table``, ``frequencies``, ``angles``, ``cache``, ``rotation`` or ``bias``. ``encoding``: the
    intended right encoding, None if no formula is near. ``faults``: the mistakes that explain the differences from
    it, the simplest explanation. ``precision``: the coarsest number format of the numbers or their positions, or
    the decimals of a print. ``residual``: the largest absolute difference from the encoding with its faults,
    without the numbers that ``columns`` and ``cells`` name. ``first``: the first number that differs from the
    encoding without faults, or from ``against``. ``also``: other encodings that fit as well. ``sentences``: the
    verdict, then the rest. ``positions``: those of the rows. ``against``: the requested encoding, with the
    ``drift`` between the two. ``table``: the numbers as an encoding with the columns of the intended one, to be
    shown beside it; None for biases, rotated vectors, and rows whose positions are not consecutive. ``is_learned``:
    the right numbers are taken from the given ones, since they are learned.
    """

    kind: str
    encoding: Encoding | None
    faults: tuple[Fault, ...]
    precision: str
    residual: float
    first: Wrong | None
    also: tuple[Encoding, ...]
    sentences: tuple[str, ...]
    positions: tuple[int, ...] | range
    is_right: bool
    against: Encoding | None = None
    drift: Parting | None = None
    table: Encoding | None = None
    is_learned: bool = False

    def derivation(self) -> Derivation | None:
        """The derivation of the right number at the first wrong place; None without one, and for learned numbers."""
        meant = self.encoding if self.against is None else self.against
        if meant is None or self.first is None or self.kind in ("frequencies", "angles"):
            return None
        if self.is_learned:
            return None
        turn = meant.combination.explain
        if self.first.vector and turn is not None:
            return turn(np.array(self.first.vector), self.first.position, self.first.column)
        return meant.explain(self.first.position, self.first.entry)

    def plain(self) -> dict[str, Any]:
        """The finding as names and plain values, for JSON."""
        return {
            "right": self.is_right,
            "sentences": list(self.sentences),
            "kind": self.kind,
            "encoding": _plain(self.encoding),
            "faults": to_builtins(self.faults),
            "precision": self.precision,
            "residual": self.residual,
            "first": to_builtins(self.first),
            "also": [_plain(each) for each in self.also],
            "positions": _counted(self.positions),
            "against": _plain(self.against),
            "drift": to_builtins(self.drift),
        }


def plain_positions(positions: IntArray) -> tuple[int, ...] | range:
    """Positions in equal steps as a range; others one by one."""
    steps = np.unique(np.diff(positions[: 1 << 20]))
    if len(steps) != 1 or steps[0] == 0:
        return tuple(positions.tolist())
    return range(int(positions[0]), int(positions[-1] + np.sign(steps[0])), int(steps[0]))


def _counted(positions: tuple[int, ...] | range) -> dict[str, int] | list[int]:
    """Positions in equal steps by their first, their step and their count; others one by one."""
    if isinstance(positions, range):
        return {"first": positions.start, "step": positions.step, "count": len(positions)}
    return list(positions)


def _plain(encoding: Encoding | None) -> dict[str, Any] | None:
    """The family and its parameters; None for None."""
    return None if encoding is None else {"family": encoding.family, **encoding.parameters()}
