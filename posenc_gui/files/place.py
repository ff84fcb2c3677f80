"""The place of a session; a separate file, since the window loads it before any session is read."""

from msgspec import Struct


class Place(Struct, frozen=True):
    """A workspace, and the panels shown alone in it."""

    workspace: str = ""
    alone: tuple[str, ...] = ()
