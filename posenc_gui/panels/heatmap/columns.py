"""Columns of the heatmap: the table's columns, in its order or another, or the angles of its pairs."""

import math

import numpy as np
from msgspec import Struct

from posenc_core import Encoding
from posenc_core.encodings import pair_members, pair_of
from posenc_gui.layers import matching_column


class PictureColumns(Struct, frozen=True):
    """The horizontal places in a picture of a table.

    ``shown`` has the encoding's columns in the order of the picture; ``n_pairs`` is the number of pairs whose angles
    are shown instead, 0 for columns.
    """

    encoding: Encoding
    shown: Encoding
    n_pairs: int

    @property
    def count(self) -> int:
        """The number of places."""
        return self.n_pairs or self.encoding.n_columns

    def place_of(self, column: int) -> int | None:
        """The place of a column of the table, or of its pair; None if it is not shown."""
        if not 0 <= column < self.encoding.n_columns:
            return None
        return pair_of(self.encoding, column) if self.n_pairs else matching_column(self.encoding, self.shown, column)

    def column_at(self, place: int) -> int | None:
        """The table's column at a place, for a pair its first column; None for a place without a pair."""
        if self.n_pairs:
            return min(self._members(place)) if 0 <= place < self.n_pairs else None
        if not 0 <= place < self.encoding.n_columns:
            return place
        return matching_column(self.shown, self.encoding, place)

    def moved(self, column: int, steps: int) -> int:
        """The column that many places further, of a pair the same part; the ends of the picture stop it."""
        place = self.place_of(column)
        if not self.n_pairs:
            place = min(max((place or 0) + steps, 0), self.count - 1)
            return matching_column(self.shown, self.encoding, place)
        sine, cosine = self._members(min(max((self.n_pairs if place is None else place) + steps, 0), self.n_pairs - 1))
        is_sine = column < self.encoding.n_columns and self.encoding.column_info(column).part == "sin"
        return sine if is_sine else cosine

    def angle(self, position: int, column: int) -> float | None:
        """The angle in radians of the column's pair, from -pi to pi; None if no angles are shown."""
        pair = self.place_of(column) if self.n_pairs else None
        if pair is None:
            return None
        sine, cosine = self.encoding.values(np.array([position]), np.array(self._members(pair)))[0].tolist()
        return math.atan2(sine, cosine)

    def window_of(self, first: int, stop: int) -> tuple[int, int]:
        """The first place of these columns and the one after the last; all places if no pair is among them."""
        if not self.n_pairs:
            return first, stop
        pairs = [pair for column in range(first, stop) if (pair := pair_of(self.encoding, column)) is not None]
        return (min(pairs), max(pairs) + 1) if pairs else (0, self.n_pairs)

    def _members(self, pair: int) -> tuple[int, int]:
        """The columns of a pair with its sine and its cosine."""
        sines, cosines = pair_members(self.encoding, np.array([pair]))
        return int(sines[0]), int(cosines[0])
