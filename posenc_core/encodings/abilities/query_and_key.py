"""Families whose numbers depend on the positions of both query and key, not on their distance alone."""

import math
from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from posenc_core.encodings.abilities.pair_numbers import check_steps
from posenc_core.encodings.base import Encoding
from posenc_core.explain import MOST_NUMBERS, Derivation, Dialect, Snippet
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.text import TokenVectors


@dataclass(frozen=True)
class QueryKeyEncoding(Encoding):
    """A family with a number for each query and key; its table belongs to one ``query``.

    The positions of the table are distances key - query, from the first key on. Without a query there is no table. A
    family defines its columns, ``row`` and ``explain_pair``; with ``needs_content`` it receives the tokens'
    ``content``.
    """

    query: int | None = field(default=None, kw_only=True, repr=False)
    content: TokenVectors | None = field(default=None, kw_only=True, repr=False)

    relative: ClassVar[bool] = True
    depends_on_query: ClassVar[bool] = True

    @abstractmethod
    def row(self, query: int, keys: IntArray, columns: IntArray) -> FloatArray:
        """The numbers of a query for keys, both positions from 0, float64 ``(n_keys, n_columns)``."""

    @abstractmethod
    def explain_pair(self, query: int, key: int, column: int) -> Derivation:
        """The derivation of the number of a query and a key."""

    def seen_from(self, query: int | None, content: TokenVectors | None = None) -> Self:
        """The encoding with the table of that query, and with its present content unless there is another one."""
        kept = content or self.content if self.needs_content and query is not None else None
        return replace(self, query=query, content=kept)

    def pair_values(
        self, queries: range, keys: range, component: int = 0, content: TokenVectors | None = None
    ) -> FloatArray:
        """The number of each query and key, float64 ``(n_queries, n_keys)``."""
        check_steps(queries, keys)
        seen, columns = self.seen_from(0, content), np.array([component])
        seen.check_seen()
        return np.array([seen.row(query, np.array(keys, np.int64), columns)[:, 0] for query in queries]).reshape(
            len(queries), len(keys)
        )

    def check_seen(self) -> int:
        """The query; ValueError without one, and without the content that the family needs."""
        if self.query is None:
            raise ValueError(f"{self.title} has no table by itself: it has one for each query")
        if self.needs_content and self.content is None:
            raise ValueError(f"{self.title} needs the queries and keys of the tokens")
        return self.query

    @property
    def domain(self) -> tuple[float, float]:
        """The distances from the first key on; none where the content has no tokens."""
        first = -math.inf if self.query is None else -self.query
        return (first, first - 1.0 if self._lacks_tokens else math.inf)

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """By default some numbers of the query, or without a query of one at which all these distances have a key."""
        if self.query is None:
            return self.seen_from(max(0, -first)).range_over(first, stop)
        return super().range_over(first, stop)

    def no_value(self, position: int) -> str:
        """The sentence for a distance to a key before the first one, or in a text without tokens."""
        if self._lacks_tokens:
            return f"distance {-position} has no value: the text has no tokens"
        return f"distance {-position} has no value: it leads from position {self.query} to before the first token"

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The query's numbers at these distances, float64 ``(n_positions, n_columns)``."""
        query = self.check_seen()
        self.check_domain(positions)
        return self.row(query, query + positions, columns)

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """The query's row for each key, in one list; ValueError for more numbers than are written out."""
        query, first = self.check_seen(), int(positions.min())
        rows = self.row(query, np.arange(query + first, query + int(positions.max()) + 1), np.arange(self.n_columns))
        if rows.size > MOST_NUMBERS:
            return super().source(positions, code)
        comment = f"# of the query at {query}, from the key at {query + first} on"
        lines = f"rows = {code.numbers(repr(rows.tolist()))}  {comment}", f"table = rows[positions - ({first})]"
        return Snippet(lines, only_whole=True)

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the query's number at this distance."""
        query = self.check_seen()
        self.check_domain(np.array([position]))
        return self.explain_pair(query, query + position, column)

    @property
    def _lacks_tokens(self) -> bool:
        return self.content is not None and self.content.typed is None and not self.content.tokens
