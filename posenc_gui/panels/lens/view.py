"""Numbers of the pair lens: the pairs in it, their angles, the vector before and after, and the bits."""

import math

import numpy as np
from msgspec import Struct

from posenc_core import Document
from posenc_core.analysis import ColumnRun, column_roles, full_angles, head_columns
from posenc_core.encodings import pair_angles
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.session import LETTERS
from posenc_gui.look import Style, significant
from posenc_gui.model import Cursor, PositionAxis, cursor_pair
from posenc_gui.panels.lens.numbers import shown_pairs
from posenc_gui.panels.lens.spec import ANGLE_UNIT, N_CLOCKS, table_to_add

LONGEST_TRAIL = 64
"""Positions before the cursor's whose angles are dots."""

_LEAST_BITS = 8
_UNITS = {"turns": (1 / (2 * math.pi), " turns"), "degrees": (180 / math.pi, "°"), "radians": (1.0, " rad")}


class Sum(Struct, frozen=True, eq=False):
    """The row of a compared table at the position, and the vector plus that row, ``(width,)`` each, with labels."""

    row: FloatArray
    after: FloatArray
    names: tuple[str, str]


class Vectors(Struct, frozen=True, eq=False):
    """A token's vector before and after the encoding, ``(width,)`` each; ``names`` are their labels.

    ``source`` names the source of the numbers; ``sum`` is the vector plus the row of a compared table.
    """

    before: FloatArray
    after: FloatArray
    names: tuple[str, str]
    source: str
    sum: Sum | None = None

    @property
    def lengths(self) -> tuple[float, float]:
        """The Euclidean lengths before and after."""
        return float(np.linalg.norm(self.before)), float(np.linalg.norm(self.after))


class LensView(Struct, frozen=True, eq=False):
    """The lens at one position. Arrays over pairs have the order of ``pairs``, columns are those of the vector.

    ``trail`` are the angles ``(n_positions, n_pairs)`` at earlier positions, the oldest first; ``marked`` is the
    cursor's pair, and ``token`` the index of the token at the position, or None beyond the sentence.
    """

    document: Document
    style: Style
    position: int
    token: int | None
    pairs: IntArray
    columns: tuple[IntArray, IntArray]
    angles: FloatArray
    turned: FloatArray
    frequencies: FloatArray
    trail: FloatArray
    runs: tuple[ColumnRun, ...]
    vectors: Vectors | None
    marked: int | None

    @classmethod
    def of(
        cls, document: Document, cursor: Cursor | None, axis: PositionAxis, style: Style, is_marked: bool = True
    ) -> "LensView":
        """The view of a document with whole pairs, at the cursor, or without one at the last token."""
        encoding = document.encoding
        position = last_position(axis) if cursor is None else cursor.position
        pair = cursor_pair(encoding, cursor)
        pairs = shown_pairs(encoding, document.option(N_CLOCKS), pair)
        before = np.arange(max(position - LONGEST_TRAIL, min(axis.shown.start, position)), position)
        return cls(
            document, style, position, axis.token_at(position), pairs, head_columns(encoding, pairs),
            pair_angles(encoding, np.array([position]), pairs)[0], full_angles(encoding, position)[pairs],
            encoding.frequencies()[pairs], pair_angles(encoding, before, pairs), column_roles(encoding),
            vectors_at(document, position, axis), pair if is_marked else None,
        )  # fmt: skip

    @property
    def width(self) -> int:
        """Number of columns of the vector."""
        return self.runs[-1].stop

    @property
    def fractions(self) -> FloatArray:
        """The turns of each pair less whole ones, ``(n_pairs,)`` from 0 to 1."""
        return np.mod(self.angles / (2 * math.pi), 1.0)

    @property
    def bits(self) -> tuple[int, ...]:
        """The binary digits of the position, the ones first."""
        count = max(_LEAST_BITS, abs(self.position).bit_length())
        return tuple(abs(self.position) >> bit & 1 for bit in range(count))

    @property
    def turns_back(self) -> bool:
        """Whether the angles are negative at positions above 0."""
        pairs = self.document.encoding.pairs
        return pairs is not None and pairs.is_reversed

    @property
    def axes(self) -> tuple[str, ...]:
        """The axis of each pair that is shown, empty without a grid."""
        cells = self.document.encoding.cells
        return ("",) * len(self.pairs) if cells is None else tuple(cells.axis_of_pairs[pair] for pair in self.pairs)

    def angle_words(self, index: int, digits: int = 3) -> tuple[str, str]:
        """The angle of the pair at this index in the chosen unit, with all whole turns, and the unit."""
        factor, unit = _UNITS[self.document.option(ANGLE_UNIT)]
        value = float(self.turned[index]) * factor
        return (significant(value, digits) if math.isfinite(value) else "∞"), unit


def last_position(axis: PositionAxis) -> int:
    """The position of the last token; 0 without one."""
    return axis.tokens[-1] if axis.n_tokens else 0


def vectors_at(document: Document, position: int, axis: PositionAxis) -> Vectors | None:
    """The vector of the token at a position before and after the encoding; without an embedding, the typed query.

    None if the encoding does not act on vectors, or if a number is beyond float64.
    """
    combination, token = document.encoding.combination, axis.token_at(position)
    if combination.kind == "none":
        return None
    names = ("q", "q turned") if combination.kind == "rotation" else ("vector", "sum")
    own = None if token is None else document.vectors_of([document.token_list[token]])
    if own is None:
        typed = np.array(document.view.query_vector)
        own, source = np.resize(typed, (1, combination.width)), _typed_source(len(typed), combination.width)
    else:
        source = document.embedding.label_at(combination.width)
    with np.errstate(over="ignore", invalid="ignore"):
        after = combination.combined(own, np.array([position]))
    if not np.isfinite(after).all():
        return None
    return Vectors(own[0], after[0], names, source, _sum_at(document, position, own[0]))


def _sum_at(document: Document, position: int, vector: FloatArray) -> Sum | None:
    """The sum with the compared table's row at the position; None without such a row."""
    index = table_to_add(document)
    if index is None or not document.encodings[index].encoding.has_value(position):
        return None
    table, letter = document.encodings[index].encoding, LETTERS[index]
    row = np.asarray(table.values(np.array([position]), np.arange(len(vector))), np.float64)[0]
    names = (f"row of {letter}", f"q + {letter}")
    return Sum(row, vector + row, names) if np.isfinite(vector + row).all() else None


def _typed_source(count: int, width: int) -> str:
    if count == width:
        return "typed"
    return f"typed, first {width} of {count} numbers" if count > width else "typed, repeated to fill the head"
