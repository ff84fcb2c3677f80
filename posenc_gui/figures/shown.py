"""The state of a figure as one frozen value, which pictures paint and pointings read."""

from msgspec import Struct

from posenc_core import Document, Encoding
from posenc_gui.look import Style
from posenc_gui.model import Cursor, PositionAxis
from posenc_gui.plotting import Extents


class Frame(Struct, frozen=True):
    """Common values of figures that are compared side by side, or ``stacked`` from top to bottom.

    ``document`` decides on rows, columns and scale of all ``count`` figures; ``index`` is that of this one. The figures
    at the left have the names of the rows, the last one the key of the colours.
    """

    document: Document
    index: int
    count: int
    stacked: bool = False

    @property
    def is_first(self) -> bool:
        """Whether no figure is at the left of this one."""
        return self.stacked or self.index == 0

    @property
    def is_last(self) -> bool:
        """Whether the figure is the last of all."""
        return self.index == self.count - 1


State = tuple[Document, Style, PositionAxis, Cursor | None, Cursor | None, str, Frame | None, Extents]
"""The values of ``Shown`` in its order."""


class Shown(Struct, frozen=True):
    """Content of a figure. Panels extend it by values that they compute from the document.

    ``cursor`` is marked. ``seen_from``, used without a cursor, has the query from which distances are counted.
    ``problem`` is the reason why the last picture stays, empty for the document's own. ``frame`` belongs to a figure
    compared with others, None for a single figure. ``least`` has minimum ranges of its axes and colours by name.
    """

    document: Document
    style: Style
    axis: PositionAxis
    cursor: Cursor | None
    seen_from: Cursor | None
    problem: str
    frame: Frame | None
    least: Extents

    @property
    def encoding(self) -> Encoding:
        """The chosen encoding."""
        return self.document.encoding

    @property
    def scales(self) -> Extents:
        """The ranges of values of the figure's axes and colours, by names that all frames of a film have in common."""
        return {}

    @property
    def framed(self) -> Document:
        """The document for rows, columns and scale: the figure's own, or the frame's."""
        return self.document if self.frame is None else self.frame.document

    @property
    def at(self) -> Cursor:
        """The cursor, or the first cell without one."""
        return self.cursor or Cursor(0, 0)

    @property
    def is_held(self) -> bool:
        """Whether a click or an arrow key holds the cursor."""
        return self.cursor is not None and self.cursor.pinned
