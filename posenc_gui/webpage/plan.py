"""The panels of a page, and the part of a document that the page shows; no Qt is imported here."""

from collections.abc import Collection

from msgspec import Struct

from posenc_core import Document, Encoding
from posenc_gui.files import FileError
from posenc_gui.model import Cursor, PositionAxis, no_value_sentence, seen_by, valued
from posenc_gui.panels import PANELS, spec_of

PAGE_FORMAT, PAGE_NAME = "html", "page"

MOST_CELLS = 512
"""Rows and columns of the largest table of numbers in a page; a larger one is written as means."""

LINE_PANELS = {"spectrum": "pair", "scores": "distance"}
"""Panels of lines, and the part of the cursor that their lines are over."""

_DRAWN = ("waves", "heatmap", "tokens", *LINE_PANELS)


class PagePart(Struct, frozen=True):
    """The part of a document in a page: positions with values, columns of the table, and the cursor at first."""

    document: Document
    axis: PositionAxis
    positions: range
    columns: range
    cursor: Cursor

    @property
    def encoding(self) -> Encoding:
        """The encoding, seen from the cursor's query."""
        return self.document.encoding

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the table in the page."""
        return min(len(self.positions), MOST_CELLS), min(len(self.columns), MOST_CELLS)

    @property
    def is_mean(self) -> bool:
        """Whether a number of the page is the mean of several entries."""
        return self.shape != (len(self.positions), len(self.columns))

    @property
    def tokens(self) -> range:
        """The indices of the tokens that have values."""
        first = self.axis.tokens.start
        inside = range(max(self.positions.start, first), min(self.positions.stop, self.axis.tokens.stop))
        return range(inside.start - first, max(inside.start, inside.stop) - first)[:MOST_CELLS]


def page_panels(document: Document, wanted: Collection[str] = ()) -> tuple[str, ...]:
    """The panels of a page: the wanted panels that a page can show, or all suitable panels if none is named.

    FileError with one sentence if a page can show none of them, or if the document lacks the need of one.
    """
    if not wanted:
        return tuple(name for name in _DRAWN if spec_of(name).missing(document) is None)
    found = tuple(name for name in _DRAWN if name in wanted)
    if not found:
        titles = [PANELS[name].title for name in _DRAWN]
        raise FileError(f"a page shows {', '.join(titles[:-1])} and {titles[-1]}: choose at least one of these panels")
    for name in found:
        need = spec_of(name).missing(document)
        if need is not None:
            raise FileError(need.sentence)
    return found


def page_part(document: Document, cursor: Cursor | None, columns: range | None = None) -> PagePart:
    """The part of a document on a page: shown positions and those of the tokens, as far as they have values.

    ``columns`` None means all. FileError with one sentence if no position has a value.
    """
    seen = seen_by(document, cursor)
    axis = PositionAxis.of(seen, cursor)
    shown = axis.shown
    if axis.n_tokens:
        shown = range(min(shown.start, axis.tokens.start), max(shown.stop, axis.tokens.stop))
    if seen.encoding.relative and seen.encoding.causal:
        shown = range(shown.start, min(shown.stop, 1))
    positions = valued(seen.encoding, shown)
    if not positions:
        raise FileError(no_value_sentence(seen.encoding, shown))
    columns = columns or range(seen.encoding.n_columns)
    at = cursor or Cursor(axis.tokens[min(1, axis.n_tokens - 1)] if axis.n_tokens else positions[0], columns[0])
    position = min(max(at.position, positions[0]), positions[-1])
    return PagePart(seen, axis, positions, columns, Cursor(position, min(max(at.column, columns[0]), columns[-1])))
