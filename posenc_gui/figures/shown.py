"""The state of a figure as one frozen value, which pictures paint and pointings read."""

from msgspec import Struct

from posenc_core import Document, Encoding
from posenc_gui.look import Style
from posenc_gui.model import Cursor, PositionAxis


class Frame(Struct, frozen=True):
    """What figures have in common that are compared side by side.

    ``document`` decides on rows, columns and scale of all ``count`` figures; ``index`` is that of this one from the
    left. The first figure has the names of the rows, the last one the key of the colours.
    """

    document: Document
    index: int
    count: int

    @property
    def is_first(self) -> bool:
        """Whether the figure is at the left of all."""
        return self.index == 0

    @property
    def is_last(self) -> bool:
        """Whether the figure is at the right of all."""
        return self.index == self.count - 1


class Shown(Struct, frozen=True):
    """What a figure shows. Panels extend it by what they compute from the document.

    ``cursor`` is marked, and ``seen_from`` counts where that is not: distances are counted from its query. ``problem``
    says why the last picture stays, empty for the document's own. ``frame`` is that of a figure that is compared with
    others, None for one alone.
    """

    document: Document
    style: Style
    axis: PositionAxis
    cursor: Cursor | None
    seen_from: Cursor | None
    problem: str
    frame: Frame | None

    @property
    def encoding(self) -> Encoding:
        """The chosen encoding."""
        return self.document.encoding

    @property
    def framed(self) -> Document:
        """The document that decides on rows, columns and scale: the figure's own, or that of the frame."""
        return self.document if self.frame is None else self.frame.document

    @property
    def at(self) -> Cursor:
        """The cursor, or the first cell without one."""
        return self.cursor or Cursor(0, 0)

    @property
    def is_held(self) -> bool:
        """Whether a click or an arrow key holds the cursor."""
        return self.cursor is not None and self.cursor.pinned
