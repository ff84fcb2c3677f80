"""Effects of encodings on vectors and scores."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import ClassVar

from msgspec import Struct

from posenc_core.explain import Derivation
from posenc_core.fields import N_HEADS
from posenc_core.numerics import FloatArray, IntArray


class Effect(StrEnum):
    """Kinds of effect of an encoding on vectors or scores."""

    ADDS = "adds"
    """A row is added: to the token's vector, or in relative families to the key, weighed by the query."""

    ROTATES = "rotates"
    """Queries and keys are rotated."""

    BIASES = "biases"
    """A number per head, a column, is added to the logit of a query and a key."""

    REMAPS = "remaps"
    """Another encoding receives changed distances."""

    NONE = "none"
    """Nothing."""


GROUPS: Mapping[str, str] = {
    "added": "Added",
    "rotating": "Rotating",
    "bias": "Bias by distance",
    "content": "By content",
    "axes": "Several axes",
}
"""The groups of families, with their titles."""

GROUP_OF_EFFECT: Mapping[Effect, str] = {
    Effect.ROTATES: "rotating",
    Effect.REMAPS: "rotating",
    Effect.BIASES: "bias",
}


class HeadBiases:
    """Mixin of a family of biases by distance in causal models; a column is a head."""

    relative: ClassVar[bool] = True
    effect: ClassVar[Effect] = Effect.BIASES
    causal: ClassVar[bool] = True
    PART: ClassVar[str] = "head {}"
    WIDTH_NAME: ClassVar[str] = N_HEADS.name


class Combination(Struct, frozen=True):
    """Combination of a table with the tokens' vectors.

    ``kind`` is ``sum`` (the row is added), ``rotation`` or ``none``; a rotation multiplies lengths by ``factor``.
    ``combined`` maps vectors ``(n_positions, width)`` and their positions to float64 of the same shape; ``explain``
    derives a component from the vector, its position and the column, and is None for a plain sum. ``first`` is the
    vectors' column that the table's first column acts on.
    """

    kind: str
    width: int
    combined: Callable[[FloatArray, IntArray], FloatArray]
    explain: Callable[[FloatArray, int, int], Derivation] | None = None
    factor: float = 1.0
    first: int = 0

    def vector_column(self, column: int) -> int:
        """The vectors' column that a column of the table acts on.

        Columns beyond the table's last one, up to ``width - 1``, are mapped in order to the vectors' untouched columns.
        """
        return (column + self.first) % self.width if self.first else column

    def table_column(self, vector_column: int) -> int:
        """The inverse of ``vector_column``."""
        return (vector_column - self.first) % self.width if self.first else vector_column
