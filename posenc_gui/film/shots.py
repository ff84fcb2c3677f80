"""The frames of a film as values: a panel, a document and a cursor each; no Qt."""

from msgspec import Struct

from posenc_core import Document
from posenc_gui.model import Cursor


class Shot(Struct, frozen=True):
    """Content of one frame."""

    panel: str
    document: Document
    cursor: Cursor | None


class Film(Struct, frozen=True):
    """The frames of a film in turn, all shown equally long, its length in seconds, and the name of its file."""

    name: str
    shots: tuple[Shot, ...]
    seconds: float

    @property
    def milliseconds(self) -> float:
        """Duration of a frame."""
        return 1000 * self.seconds / len(self.shots)
