"""Columns of a table whose pairs are in halves or in turns."""

from abc import abstractmethod

import numpy as np

from posenc_core.encodings.base import Encoding
from posenc_core.numerics import IntArray


class PairColumns(Encoding):
    """A family whose columns are the cosines and the sines of pairs, as its parameter ``pairing`` arranges them."""

    pairing: str

    @property
    @abstractmethod
    def attention_factor(self) -> float:
        """The factor of the cosines and sines."""

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """Minus and plus the attention factor."""
        return -self.attention_factor, self.attention_factor

    def column_blocks(self) -> tuple[tuple[int, int], ...]:
        """One block of interleaved columns or two halves."""
        n, half = self.n_columns, self.n_columns // 2
        return ((0, n),) if self.pairing == "interleaved" else ((0, half), (half, n))

    def places(self, columns: IntArray) -> tuple[IntArray, IntArray]:
        """The pair of each column, and its part: 0 for the cosine, 1 for the sine."""
        if self.pairing == "interleaved":
            return columns // 2, columns % 2
        return columns % (self.n_columns // 2), columns // (self.n_columns // 2)

    def place_of(self, column: int) -> tuple[int, int]:
        """The pair of a column, and its part."""
        pairs, parts = self.places(np.array([column]))
        return int(pairs[0]), int(parts[0])

    def in_halves(self) -> "PairColumns":
        """The half-split pairing, which turns the same pairs by the same angles."""
        return self.edited("pairing", "half_split")
