"""The one thing that all panels point at: a position, a column, and whether it is held there."""

from msgspec import Struct


class Cursor(Struct, frozen=True):
    """A cell of the table; ``pinned`` once a click or an arrow key holds it while the mouse moves on.

    In relative families the position is a distance, key - query, and ``query`` the token that distances are counted
    from; None is the last one, which in a causal model sees all others.
    """

    position: int
    column: int
    pinned: bool = False
    query: int | None = None
