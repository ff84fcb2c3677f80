"""Setting of the measures, and their result for a property that makes no sense."""

from msgspec import Struct

LONGER = 4
"""Length of a longer text, in trained lengths."""


class Unmeasured(Exception):  # noqa: N818  # it is an answer, not an error
    """Raised if a property makes no sense for a family; the text is the reason."""


class Setting(Struct, frozen=True):
    """Setting of the measures.

    ``length`` is that of the document, ``n_tokens`` that of its sentence, ``trained`` the trained length, all in
    positions. ``query`` and ``key`` are the texts of the tokens whose simulated vectors have the score.
    ``longest_distance`` is the largest distance of a query and a key that attention sees, None for every distance.
    ``target`` is the length at which angles are unseen, None for four times the trained one.
    """

    length: int
    n_tokens: int
    trained: int
    query: str = "q"
    key: str = "k"
    seed: int = 0
    longest_distance: int | None = None
    target: int | None = None

    @property
    def reach(self) -> int:
        """The length at which angles are unseen, at least the trained one."""
        return max(self.trained, LONGER * self.trained if self.target is None else self.target)
