"""The kind of the fixture ``compare``."""

from typing import Any, Protocol


class Compare(Protocol):
    """Asserts that ours is theirs within ``tolerance``, and keeps the largest difference for the summary."""

    def __call__(self, kind: str, ours: Any, theirs: Any, tolerance: Any, *, relative: bool = False) -> None: ...
