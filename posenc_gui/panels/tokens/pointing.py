"""Pointing at the strips of the tokens: a token and a column of its vector."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace
from PySide6.QtCore import QPointF
from typing_extensions import override

from posenc_gui.figures import Pointing
from posenc_gui.look import significant
from posenc_gui.model import Cursor, has_patches, n_components, no_value_sentence
from posenc_gui.panels.tokens.profile import profile_range
from posenc_gui.panels.tokens.rows import (
    SINGLE,
    TURNED,
    cursor_column,
    passing_columns,
    shows_table,
    strip_column,
    strip_columns,
)
from posenc_gui.panels.tokens.spec import ORDER_BEFORE
from posenc_gui.panels.tokens.view import TokensView

_LONGEST_WORD = 24


class TokensPointing(Pointing[TokensView]):
    """The cursor as a box of a strip."""

    @override
    def notes(self, view: TokensView, standing: str) -> Iterator[str]:
        tokens, count = view.tokens, view.axis.n_tokens
        yield f"tokens {tokens.start}–{tokens.stop - 1} of {count:,}" if len(tokens) < count else ""
        yield _seen_from(view)
        yield from _vectors_words(view)
        yield view.encoding.label
        yield no_value_sentence(view.encoding, view.axis.tokens)

    @override
    def pointed(self, x: float, y: float, pinned: bool) -> Cursor | None:
        view, found = self.view, self.found(x, y)
        if found is None:
            return None
        token, column = found
        return self.cell(view.axis.tokens[token], cursor_column(view.document, column), pinned)

    def found(self, x: float, y: float) -> tuple[int, int] | None:
        """The index of the token and the column of its strip at a place before scrolling; None beside them."""
        return self.view.layout.cell_at(QPointF(x, y))

    @override
    def stepped(self, view: TokensView, across: int, down: int) -> Cursor | None:
        moved = self.cell_from(down, across)
        if moved is None or view.cursor is None:
            return moved
        column = strip_column(view.document, view.cursor.column) + across
        return replace(moved, column=cursor_column(view.document, min(max(column, 0), self.n_pointed - 1)))

    @property
    @override
    def positions(self) -> range:
        """The positions of the tokens."""
        return self.view.axis.tokens

    @property
    @override
    def n_pointed(self) -> int:
        """The number of columns of a strip, with those that no rotation changes."""
        return n_components(self.view.document)


def _seen_from(view: TokensView) -> str:
    """The query from which the strips are seen."""
    query = view.axis.query
    if query is None or not view.axis.n_tokens:
        return ""
    word = view.document.token_list[query].shown
    return f"seen from “{word if len(word) <= _LONGEST_WORD else word[:_LONGEST_WORD] + '…'}” (token {query})"


@lru_cache(maxsize=1)  # of up to 200,000 characters, at each edit
def _is_reordered(before: str, now: str) -> bool:
    """Whether two sentences have the same characters in different orders."""
    return len(before) == len(now) and before != now and sorted(before) == sorted(now)


def _vectors_words(view: TokensView) -> Iterator[str]:
    """The vectors that are shown, the columns that no rotation changes, and the scale."""
    document, names, width = view.document, view.names, strip_columns(view.document)
    if not shows_table(document):
        yield f"{names[0]} {document.embedding.label_at(width)}"
    if (
        names == SINGLE
        and not has_patches(document)
        and _is_reordered(document.option(ORDER_BEFORE), document.sentence)
    ):
        yield "the same rows in both orders: choose an embedding"
    if names == TURNED and width > view.encoding.n_columns:
        first, stop = passing_columns(view.encoding)
        yield f"columns {first}–{stop - 1} pass through"
    if view.layout.box is None:
        low, high = profile_range(document, view.axis, view.colors)
        ends = f"{significant(low)} to {significant(high)}"
        yield f"height ±{significant(high)}" if low == -high else f"height {ends}"
