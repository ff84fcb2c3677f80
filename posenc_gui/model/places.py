"""Which positions there are, and at which of them the tokens stand."""

from msgspec import Struct

from posenc_core import Document
from posenc_gui.model.cursor import Cursor


class PositionAxis(Struct, frozen=True):
    """The positions shown and the tokens' among them.

    Positions are counted from the first token, or in relative families from the ``query`` token, which is at 0: those
    before it are at negative distances. ``query`` is None where no token is special.
    """

    shown: range
    n_tokens: int
    query: int | None

    @classmethod
    def of(cls, document: Document, cursor: Cursor | None = None) -> "PositionAxis":
        """The places of a document, seen from the cursor's query."""
        count, length = len(document.token_list), document.seq_len
        if not document.encoding.relative:
            return cls(range(length), count, None)
        asked = None if cursor is None else cursor.query
        query = count - 1 if asked is None else asked
        return cls(range(1 - length, length), count, max(0, min(query, count - 1)))

    @property
    def tokens(self) -> range:
        """The positions at which there are tokens, in the order of the sentence."""
        first = -(self.query or 0)
        return range(first, first + self.n_tokens)

    @property
    def reach(self) -> range:
        """Every position that can be pointed at: those shown, and the tokens' beyond them.

        In relative families these are the distances between any two tokens, so that another query keeps the cursor.
        """
        first = self.shown.start if self.query is None else min(self.shown.start, 1 - self.n_tokens)
        return range(first, max(self.shown.stop, self.n_tokens))

    def token_at(self, position: int) -> int | None:
        """The index of the token at the position, None where there is none."""
        return position - self.tokens.start if position in self.tokens else None
