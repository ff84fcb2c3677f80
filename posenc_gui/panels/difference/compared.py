"""Two encodings of a document whose tables are compared, and the needs of a comparison. No Qt is imported here."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace as replace_members

from posenc_core import Document, Embedding, Encoding
from posenc_core.encodings import n_whole_pairs, pair_angles, pair_of
from posenc_core.long_context import AngleDifference, TableDifference, wrapped
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.session import LETTERS, Options, compared_titles, variant
from posenc_gui.look import counted, significant
from posenc_gui.model import (
    Cursor,
    Need,
    PanelSpec,
    PositionAxis,
    column_noun,
    difference_need,
    pair_column,
    position_noun,
    position_words,
    second_need,
    valued,
)

if TYPE_CHECKING:  # imported on first use
    from posenc_core.analysis import AxisRows


class Compared(Struct, frozen=True):
    """Two encodings of a document, the index of the second, and whether the angles of their pairs are compared.

    ``rows`` are the patches of both along an axis that are drawn in place of all positions; None for all positions.
    """

    one: Encoding
    other: Encoding
    index: int
    angles: bool
    titles: tuple[str, str]
    rows: "tuple[AxisRows, AxisRows] | None" = None

    @classmethod
    def of(cls, document: Document, wants_angles: bool, panel: PanelSpec | None = None) -> "Compared":
        """A and the chosen encoding, or B if A is chosen; the document has two or more.

        ``panel`` draws the tables, and may have other rows than all positions.
        """
        index = document.current or 1
        named = tuple(document.encodings[each] for each in (0, index))
        (one, other), titles = (each.encoding for each in named), compared_titles(named)
        has_angles = wants_angles and bool(n_whole_pairs(one) and n_whole_pairs(other))
        lines = [None if panel is None else panel.rows(document.with_encoding(each)) for each in (one, other)]
        both = None if lines[0] is None or lines[1] is None else (lines[0], lines[1])
        return cls(one, other, index, has_angles, (titles[0], titles[1]), both)

    @property
    def difference(self) -> TableDifference:
        """The first table minus the second, or the angles of its pairs minus those of the second's."""
        return (AngleDifference if self.angles else TableDifference)(self.one, self.other, ("A", self.letter))

    @property
    def tables(self) -> tuple[Encoding, Encoding, TableDifference]:
        """The two tables and their difference."""
        return self.one, self.other, self.difference

    @property
    def letter(self) -> str:
        """The letter of the second."""
        return LETTERS[self.index]

    @property
    def names(self) -> tuple[str, str, str]:
        """Names of the tables."""
        first, second = self.titles
        return f"A {first}", f"{self.letter} {second}", f"A − {self.letter}"

    @property
    def noun(self) -> str:
        """The noun of the counted parts: columns, heads or pairs."""
        return "pair" if self.angles else column_noun(self.one)

    @property
    def widths(self) -> tuple[int, int]:
        """The number of columns, or of pairs, of either."""
        if self.angles:
            return n_whole_pairs(self.one), n_whole_pairs(self.other)
        return self.one.n_columns, self.other.n_columns

    def documents(self, document: Document) -> tuple[Document, ...]:
        """The document with each of the tables alone, as the panels draw them at first."""
        view = document.view.edited("per_row", False).edited("angles", self.angles)
        alone = replace(document, encodings=(), current=0, embedding=Embedding(), view=view, options=Options())
        if self.rows is None:
            return tuple(alone.with_encoding(each) for each in self.tables)
        alone = replace(alone, sentence="", seq_len=len(self.rows[0]))  # rows are no tokens
        lines = replace_members(self, one=self.rows[0], other=self.rows[1])
        return tuple(alone.with_encoding(each) for each in lines.tables)

    def row_of(self, position: int) -> int | None:
        """The row of a position in the pictures; None without one."""
        return position if self.rows is None else self.rows[0].row_of(position)

    def position_of(self, row: int) -> int:
        """The position of a row of the pictures."""
        return row if self.rows is None else self.rows[0].position_of(row)

    def place_of(self, document: Document, cursor: Cursor) -> int | None:
        """The place of the cursor's column in all tables, or its pair's; None for a column without a pair."""
        encoding = document.encoding
        if not self.angles:
            return cursor.column
        return pair_of(encoding, cursor.column) if cursor.column < encoding.n_columns else None

    def column_at(self, encoding: Encoding, place: int) -> int:
        """The column of one of the tables at a place; of a pair the first one."""
        return pair_column(encoding, place) if self.angles else place

    def numbers(self, positions: IntArray, places: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The numbers of the three tables, ``(n_positions, n_places)`` each; angles in rad, in (-pi, pi]."""
        find = pair_angles if self.angles else _values
        one, other = (find(each, positions, places) for each in (self.one, self.other))
        return one, other, wrapped(one - other) if self.angles else one - other

    def numbers_at(self, position: int, place: int | None) -> tuple[float, ...] | None:
        """The three numbers at a place and a position; None unless both tables have one."""
        if place is None or not 0 <= place < min(self.widths):
            return None
        if not all(each.has_value(position) for each in (self.one, self.other)):
            return None
        return tuple(float(each[0, 0]) for each in self.numbers(np.array([position]), np.array([place])))

    def words_at(self, axis: PositionAxis, position: int, place: int | None) -> str:
        """The three numbers in words; empty without them."""
        numbers = self.numbers_at(position, place)
        if numbers is None:
            return ""
        one, other, difference = (f"{significant(each, 4)}{' rad' if self.angles else ''}" for each in numbers)
        at = f"{position_words(axis, position)}, {self.noun} {place}"
        return f"{at}: A {one}, {self.letter} {other}, A − {self.letter} {difference}"

    @property
    def widths_words(self) -> str:
        """Sentence on the compared columns if one table has more; empty for equal widths."""
        one, other = self.widths
        if one == other:
            return ""
        noun = self.noun
        return f"A has {counted(one)} {noun}s, {self.letter} {counted(other)}: the first {counted(min(one, other))}"

    @property
    def distances_words(self) -> str:
        """Sentence on two rotations by the same changed distances, whose tables are these distances; else empty."""
        one, other = (each.rotation for each in (self.one, self.other))
        if one is None or other is None or one.distance_rule is None or one.distance_rule != other.distance_rule:
            return ""
        return f"A and {self.letter} turn by the same distances, at other speeds: Scores compares them"


def _values(encoding: Encoding, positions: IntArray, columns: IntArray) -> FloatArray:
    return np.asarray(encoding.values(positions, columns), np.float64)


def missing_to_compare(document: Document) -> Need | None:
    """Unmet need for a comparison of two tables; None for none."""
    if len(document.encodings) == 1:
        return second_need(document)
    same = difference_need(document)
    if same is not None:
        return same
    compared = Compared.of(document, False)
    one, other, second = compared.one, compared.other, compared.index
    for noun in (position_noun, column_noun):
        if noun(one) != noun(other):
            have = "row" if noun is position_noun else "number"
            told = f"A has a {have} for each {noun(one)}, {LETTERS[second]} for each {noun(other)}"
            return _need(f"Difference needs two tables alike: {told}.", one, second)
    if valued(one, valued(other, PositionAxis.of(document).shown)):
        return None
    return _need(f"Difference needs a position that both have: A and {LETTERS[second]} have none.", one, second)


def _need(sentence: str, shown: Encoding, index: int) -> Need:
    """A need that a variant of ``shown`` meets, as the encoding at ``index``."""
    other = variant(shown)
    return Need(sentence, f"Show {other.source} as {LETTERS[index]}", index=index, encoding=other.encoding)
