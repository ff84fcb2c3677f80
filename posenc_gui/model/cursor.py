"""Cells for the panels to point at: the cursor, the positions and columns of a document, and those with values."""

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from posenc_core import Document, Encoding
from posenc_core.encodings import n_whole_pairs, pair_members, pair_of
from posenc_core.session import seen_document

if TYPE_CHECKING:
    from posenc_gui.model.subjects import Subject


Pair = tuple[int, int]
"""A query and a key, by the indices of their tokens."""


class Cursor(Struct, frozen=True):
    """A cell of the table; ``pinned`` if a click or an arrow key holds it while the mouse moves on.

    In relative families the position is key - query, the negative distance, and ``query`` the index of the token from
    which distances are counted; None is the last token, which in a causal model sees all others. In the other families
    ``query`` is the index of the token whose pair with the key at ``position`` is marked, None for no pair.
    ``subject`` is a panel's number that is not an entry of the table; None for an entry, or a pair.
    """

    position: int
    column: int
    pinned: bool = False
    query: int | None = None
    subject: "Subject | None" = None


class PositionAxis(Struct, frozen=True):
    """The shown positions, and those of the tokens.

    Positions are counted from the first token, or in relative families from the ``query`` token, which is at 0: tokens
    before it are at negative positions, key - query. Pictures show distances query - key, with the past to the right.
    ``query`` is None in the other families.
    """

    shown: range
    n_tokens: int
    query: int | None

    @classmethod
    def of(cls, document: Document, cursor: Cursor | None = None) -> "PositionAxis":
        """The axis of a document, counted from the cursor's query.

        It ends with the sentence if each query has its own table: no other query could be chosen.
        """
        count, length = len(document.token_list), document.seq_len
        length = max(1, count) if document.encoding.depends_on_query else length
        if not document.encoding.relative:
            return cls(range(length), count, None)
        asked = None if cursor is None else cursor.query
        query = count - 1 if asked is None else asked
        last = 1 if document.encoding.causal else length  # a causal model masks the keys after the query
        return cls(range(1 - length, last), count, max(0, min(query, count - 1)))

    @property
    def sign(self) -> int:
        """The factor from positions to the numbers that are shown: -1 for distances, which are query - key."""
        return 1 if self.query is None else -1

    @property
    def tokens(self) -> range:
        """The positions of the tokens, in the order of the sentence."""
        first = -(self.query or 0)
        return range(first, first + self.n_tokens)

    @property
    def shown_tokens(self) -> range:
        """The positions of the tokens that are shown."""
        return range(max(self.tokens.start, self.shown.start), min(self.tokens.stop, self.shown.stop))

    @property
    def reach(self) -> range:
        """Every possible position of the cursor: the shown positions, and the tokens' beyond them.

        In relative families these are the distances between any two tokens, so that another query keeps the cursor.
        """
        first = self.shown.start if self.query is None else min(self.shown.start, 1 - self.n_tokens)
        return range(first, max(self.shown.stop, self.n_tokens))

    def token_at(self, position: int) -> int | None:
        """The index of the token at the position, None if no token is."""
        return position - self.tokens.start if position in self.tokens else None


def seen_by(document: Document, cursor: Cursor | None) -> Document:
    """The document with the tables of the cursor's query, or of the last token without one."""
    last = len(document.token_list) - 1
    query = last if cursor is None or cursor.query is None else cursor.query
    return seen_document(document, max(0, min(query, last)))


def n_components(document: Document) -> int:
    """Number of components of a token that can be pointed at: the table's columns, or the vector's if it has more."""
    encoding = document.encoding
    shows_vectors = document.embedding.embedding != "none" and encoding.combination.kind == "rotation"
    return max(encoding.n_columns, encoding.combination.width if shows_vectors else 0)


def valued(encoding: Encoding, positions: range) -> range:
    """The part of consecutive positions that has values."""
    first, last = encoding.domain
    start, stop = int(max(positions.start, first)), int(min(positions.stop, last + 1))
    return range(start, max(start, stop))


def no_value_sentence(encoding: Encoding, positions: range) -> str:
    """The encoding's sentence for the first position after its last value, or for a position before its first value.

    Empty if all of the positions have values.
    """
    first, last = encoding.domain
    if positions and positions[-1] > last:
        return encoding.no_value(int(max(positions[0], last + 1)))
    if positions and positions[0] < first:
        return encoding.no_value(int(min(positions[-1], first - 1)))
    return ""


def turns_pairs(encoding: Encoding) -> bool:
    """Whether the encoding, or its rotation, turns at least one whole pair with the position."""
    from posenc_core.encodings import rotating_pairs  # imported on first use

    pairs = rotating_pairs(encoding)
    return pairs is not None and pairs.n_whole > 0


def turns_columns(encoding: Encoding) -> bool:
    """Whether whole pairs of the table's columns turn with the position."""
    return n_whole_pairs(encoding) > 0 and turns_pairs(encoding)


def has_wavelengths(encoding: Encoding) -> bool:
    """Whether pairs turn with the position, or with the coordinates of a grid's cell."""
    return turns_pairs(encoding) or encoding.cells is not None


def has_clocks(encoding: Encoding) -> bool:
    """Whether pairs of columns turn with the position, or with the coordinates of a grid's cell."""
    return turns_columns(encoding) or encoding.cells is not None


def cursor_pair(encoding: Encoding, cursor: Cursor | None) -> int | None:
    """The cursor's whole pair; None without a cursor, and for a column that no pair has."""
    return None if cursor is None or cursor.column >= encoding.n_columns else pair_of(encoding, cursor.column)


def pair_column(encoding: Encoding, pair: int) -> int:
    """The first of the table's columns of a whole pair."""
    return min(int(member[0]) for member in pair_members(encoding, np.array([pair])))


def token_pair(document: Document, cursor: Cursor) -> Pair | None:
    """The query and the key at the cursor; None without a pair, and if positions are distances."""
    n_tokens = len(document.token_list)
    if document.encoding.relative or cursor.query is None:
        return None
    query, key = cursor.query, cursor.position
    return (query, key) if 0 <= query < n_tokens and 0 <= key < n_tokens else None
