"""Families whose numbers are counted by gates of the tokens between a query and a key."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from posenc_core.encodings.abilities.effect import Effect
from posenc_core.encodings.abilities.query_and_key import QueryKeyEncoding
from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.numerics import FloatArray, IntArray

VECTOR_WIDTH = 16
"""Columns of the tokens' simulated queries and keys from which gates are computed."""

_LARGEST_FLOAT32 = 3.4e38


@dataclass(frozen=True)
class GatedEncoding(QueryKeyEncoding):
    """A bias that depends on the text: on typed gates, or on gates of the tokens' queries and keys.

    ``needs_content`` is False where the gates are typed. The list of typed gates is repeated for longer texts.
    """

    effect: ClassVar[Effect] = Effect.BIASES
    causal: ClassVar[bool] = True
    needs_content: ClassVar[bool] = True
    in_story: ClassVar[bool] = False

    TYPED: ClassVar[str]
    """Name of the parameter with the typed gates or their logits."""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "needs_content", not self.typed)

    @property
    def n_columns(self) -> int:
        """1."""
        return 1

    @property
    def sampler(self) -> "GatedSampler":
        """The pictures of a query's numbers."""
        return GatedSampler(self)

    @property
    def typed(self) -> tuple[float, ...]:
        """The typed gates, or their logits, by token; empty for gates of the tokens' vectors."""
        return tuple(getattr(self, self.TYPED))

    @property
    def label(self) -> str:
        """The source of the gates; empty for typed gates."""
        return "" if self.typed else f"{self._origin} queries and keys"

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence on the source of the gates."""
        given = "typed" if self.typed else f"of {self._origin} queries and keys"
        return (f"the numbers depend on the text; the gates are {given}, not a model's",)

    @property
    def _origin(self) -> str:
        return "simulated" if self.content is None or self.content.typed is None else "typed"


class GatedSampler(Sampler[GatedEncoding]):
    """Pictures whose numbers may be beyond float32, since typed queries and keys have any size."""

    @property
    def fits_float32(self) -> bool:
        """Whether float32 represents the largest number."""
        return max(map(abs, self.table.range_over(0, 1))) < _LARGEST_FLOAT32


def gathered(by_token: FloatArray, keys: IntArray) -> FloatArray:
    """The numbers of these keys; later keys have the query's number, the last of ``by_token``."""
    return np.asarray(by_token[np.minimum(keys, len(by_token) - 1)])
