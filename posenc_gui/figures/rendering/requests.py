"""Requests for slow pictures, and their known parts. No Qt is imported here."""

from typing import Any, Protocol

import numpy as np
from msgspec import Struct

from posenc_core.progressive import Arrays, Flags, PartialWork


class RenderRequest(Protocol):
    """A picture of an encoding. Requests are hashable, and equal ones have equal pictures."""

    def __hash__(self) -> int: ...

    @property
    def work(self) -> int:
        """The number of entries that the picture reads one by one; 0 for a formula."""

    def compute(self) -> Any:
        """The picture; UnreadableError for entries that are not numbers."""

    def begin(self) -> PartialWork:
        """The same picture, to be computed part by part; only for requests with work."""

    def assemble(self, arrays: Arrays, known: Flags) -> Any:
        """The picture as far as the parts are known."""


class Rendered(Struct, frozen=True, eq=False):
    """A picture; ``known`` and ``refused`` flag its parts along the positions, None for a whole picture."""

    picture: Any
    known: Flags | None = None
    refused: Flags | None = None

    def shows(self, partial: PartialWork) -> bool:
        """Whether it shows all known parts."""
        if self.known is None or self.refused is None:
            return True
        return np.array_equal(self.known, partial.known) and np.array_equal(self.refused, partial.refused)
