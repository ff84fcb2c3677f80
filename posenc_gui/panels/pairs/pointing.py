"""Pointing at pairs of tokens: a query and a key, and the number between them."""

import math
from collections.abc import Iterator

from PySide6.QtCore import QRectF
from typing_extensions import override

from posenc_core.analysis import is_reach_sampled
from posenc_core.session import token_vectors
from posenc_gui.figures import Pointing
from posenc_gui.layers import column_info
from posenc_gui.model import Cursor, column_facts_words, column_words, no_value_sentence, pair_number, sides_words
from posenc_gui.panels.pairs.cells import PairView


class PairsPointing(Pointing[PairView]):
    """The cursor as a query and a key."""

    @override
    def notes(self, view: PairView, standing: str) -> Iterator[str]:
        encoding, step = view.encoding, view.cells.step
        yield _number_words(view)
        yield encoding.label
        yield f"one token in {step:,}" if step > 1 else ""
        yield "grey: causal mask" if encoding.causal else ""
        yield "colour scale from a sample" if _has_sampled_colors(view) else ""
        yield "" if encoding.relative else no_value_sentence(encoding, range(view.axis.n_tokens))

    @override
    def stepped(self, view: PairView, across: int, down: int) -> Cursor | None:
        cursor, count = view.at, view.axis.n_tokens
        if not count:
            return None
        query, at = view.axis.query, view.axis.token_at(cursor.position)
        at = min(max((0 if at is None else at) + across, 0), count - 1)
        if query is None:
            asked = at if cursor.query is None else cursor.query
            return Cursor(at, cursor.column, True, min(max(asked + down, 0), count - 1))
        query = min(max(query + down, 0), count - 1)
        return Cursor(at - query, cursor.column, True, query)

    @override
    def pointed(self, x: float, y: float, pinned: bool) -> Cursor | None:
        view, key, query = self.view, math.floor(x + 0.5), math.floor(y + 0.5)
        tokens = range(view.axis.n_tokens)
        if key not in tokens or query not in tokens:
            return None
        column = min(view.at.column, view.encoding.n_columns - 1)
        return Cursor(key if view.axis.query is None else key - query, column, pinned, query)

    @override
    def number(self) -> float | None:
        view = self.view
        query, key = view.marked
        if key is None:
            return None
        value = pair_number(view.document, (key if query is None else query, key), view.column)
        return None if math.isnan(value) else value

    @override
    def frame(self) -> QRectF | None:
        view = self.view
        query, key = view.marked
        if key is None:
            return None
        upright = view.area.upright if query is None else (query - 0.5, query + 0.5)
        return view.area.to_rect((key - 0.5, key + 0.5), upright)

    @property
    @override
    def positions(self) -> range:
        """The positions of all tokens, seen from any of them."""
        axis = self.view.axis
        return range(axis.n_tokens) if axis.query is None else range(1 - axis.n_tokens, axis.n_tokens)


def _has_sampled_colors(view: PairView) -> bool:
    """Whether the ends of the colours are computed from a sample of the products."""
    encoding = view.encoding
    if encoding.relative and not encoding.depends_on_query:
        return False  # the colours are those of the table
    return is_reach_sampled(encoding, view.axis.n_tokens, token_vectors(view.document))


def _number_words(view: PairView) -> str:
    encoding, column = view.encoding, view.column
    if not encoding.relative and token_vectors(view.document) is not None:
        return f"rotated q · k, {sides_words(view.document)}"
    if not encoding.relative:
        factor = encoding.combination.factor
        is_beyond = math.isinf(factor * factor * encoding.n_columns / 2)
        has_pairs = encoding.combination.kind == "rotation" and encoding.column_info(0).pair is not None
        ones = ", q = k = 1 in each pair" if has_pairs else ""
        return f"dot product of the two positions' rows{ones}{', hatched beyond float64' if is_beyond else ''}"
    facts = column_facts_words(column_info(encoding, column), column)
    return " ".join(filter(None, [column_words(encoding, column), facts, "at query − key"]))
