"""The numbers of the tokens panel: the rows of a token, and their common scale."""

import math
import sys
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from posenc_core import Document, Encoding, Token
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.text import MODEL_TOKENS, tokenize
from posenc_gui.model import PositionAxis, has_patches
from posenc_gui.panels.tokens.spec import CONCATENATION, ORDER_BEFORE
from posenc_gui.plotting import ColorScale, TableColors

SINGLE, SUMMED, TURNED = ("",), ("W_e", "+ PE", "= sum"), ("q", "rotated")
"""The rows' names: the encoding alone, an addition, or before and after a rotation."""

BESIDE, BEFORE = "W_e | PE", "before"
"""The further rows' names: a concatenation in place of the sum, and the same words in another order."""


class Row(Struct, frozen=True):
    """One row of each strip: ``(n_strips, n_columns)`` numbers, and which strips have a value."""

    name: str
    values: FloatArray
    has_value: npt.NDArray[np.bool_]
    is_table: bool = False
    """Whether the numbers are the encoding's entries."""

    def cut(self, columns: tuple[int, int]) -> "Row":
        """The row of these columns alone."""
        return replace(self, values=self.values[:, slice(*columns)])


def row_names(document: Document) -> tuple[str, ...]:
    """The names of a strip's rows, from above; for a difference, after its tables' letters."""
    letters = tuple(letter for letter, _ in document.encoding.compared)
    if letters:
        return (*letters, " − ".join(letters))
    if document.embedding.embedding == "none":
        return SINGLE
    return {"sum": SUMMED, "rotation": TURNED}.get(document.encoding.combination.kind, SINGLE)


def shows_table(document: Document) -> bool:
    """Whether the strips show entries of tables alone, without an embedding."""
    return row_names(document) == SINGLE or bool(document.encoding.compared)


def strip_columns(document: Document) -> int:
    """Number of columns of a strip."""
    encoding = document.encoding
    return encoding.combination.width if row_names(document) == TURNED else encoding.n_columns


def strip_column(document: Document, column: int) -> int:
    """The column of a strip for the cursor's column: they differ if only the last columns are rotated."""
    return document.encoding.combination.vector_column(column) if row_names(document) == TURNED else column


def cursor_column(document: Document, column: int) -> int:
    """The inverse of ``strip_column``."""
    return document.encoding.combination.table_column(column) if row_names(document) == TURNED else column


def passing_columns(encoding: Encoding) -> tuple[int, int]:
    """The first column of a vector that no rotation changes, and the one after the last; empty if all are rotated."""
    first, width = encoding.combination.first, encoding.combination.width
    return (0, first) if first else (encoding.n_columns, width)


def strip_rows(
    document: Document, axis: PositionAxis, tokens: Sequence[int], some: tuple[int, int] | None
) -> list[Row]:
    """The rows of these tokens' strips, in the order of ``row_names``: ``some`` columns first..stop-1, or all."""
    encoding, names = document.encoding, row_names(document)
    columns = some or (0, strip_columns(document))
    positions = np.array([axis.tokens[token] for token in tokens], np.int64)
    everywhere = np.ones(len(positions), bool)
    if names == TURNED:
        before = _vectors(document, tokens)
        after = encoding.combination.combined(before, positions)
        finite = np.asarray(np.isfinite(after).all(axis=1))
        after = np.where(finite[:, None], after, 0.0)  # a strip beyond float64 has no numbers to show
        rows = (Row(names[0], before, everywhere), Row(names[1], after, finite))
        return [row.cut(columns) for row in rows]
    if encoding.compared:
        tables = (*(table for _, table in encoding.compared), encoding)
        return [_table_row(name, each, positions, columns) for name, each in zip(names, tables, strict=True)]
    table = _table_row(names[0], encoding, positions, columns)
    if names == SINGLE:
        return [table]
    encoded, inside = table.values, table.has_value
    embedded = _vectors(document, tokens)[:, slice(*columns)]
    return [
        Row(names[0], embedded, everywhere),
        Row(names[1], encoded, inside, True),
        Row(names[2], embedded + encoded, inside),
    ]


def _table_row(name: str, encoding: Encoding, positions: IntArray, columns: tuple[int, int]) -> Row:
    """The encoding's entries at the positions that have some, and zeros at the others."""
    inside = np.array([encoding.has_value(position) for position in positions.tolist()], bool)
    encoded = np.zeros((len(positions), columns[1] - columns[0]))
    if inside.any():
        encoded[inside] = encoding.values(positions[inside], np.arange(*columns))
    return Row(name, encoded, inside, True)


def further_names(document: Document) -> tuple[str, ...]:
    """The names of the further rows of a document, from above."""
    names = row_names(document)
    beside = (BESIDE,) if names == SUMMED and document.option(CONCATENATION) else ()
    return (*beside, BEFORE) if names in (SUMMED, TURNED) and tokens_before(document) else beside


def tokens_before(document: Document) -> tuple[Token, ...]:
    """The tokens in the other order; empty for other words, or for the present order."""
    other, now = document.option(ORDER_BEFORE), document.sentence
    if not other or other == now or document.tokens == MODEL_TOKENS or len(other) != len(now) or has_patches(document):
        return ()
    return _reordered(other, now, document.tokens)


def further_rows(
    document: Document, axis: PositionAxis, rows: Sequence[Row], tokens: Sequence[int], columns: tuple[int, int]
) -> list[Row]:
    """The further rows of these tokens' strips beside their ``rows``, of the columns first..stop-1.

    A concatenation has twice the columns: those of the embedding, then those of the encoding.
    """
    found, names = list[Row](), further_names(document)
    if BESIDE in names:
        found.append(Row(BESIDE, np.hstack([rows[0].values, rows[1].values]), rows[1].has_value))
    if BEFORE in names:
        before = tokens_before(document)
        vectors = document.vectors_of([before[token] for token in tokens])
        assert vectors is not None  # only documents with an embedding have these names
        positions = np.array([axis.tokens[token] for token in tokens], np.int64)
        last = rows[-1]
        if row_names(document) == TURNED:
            values = np.nan_to_num(document.encoding.combination.combined(vectors, positions)[:, slice(*columns)])
        else:
            values = vectors[:, slice(*columns)] + rows[1].values
        found.append(replace(last, name=BEFORE, values=values))
    return found


@lru_cache(maxsize=4)
def _reordered(other: str, now: str, way: str) -> tuple[Token, ...]:
    """The tokens of ``other``, if they are ``now``'s in another order; else none."""
    before = tuple(tokenize(other, way))
    texts = [token.text for token in before], [token.text for token in tokenize(now, way)]
    return before if texts[0] != texts[1] and sorted(texts[0]) == sorted(texts[1]) else ()


def norm(vector: FloatArray) -> float:
    """The vector's length."""
    return math.hypot(*vector.tolist())


def is_masked(encoding: Encoding, position: int) -> bool:
    """Whether a causal model masks the key at this distance."""
    return encoding.relative and encoding.causal and position > 0


def strip_colors(document: Document, colors: TableColors) -> TableColors:
    """The colours of all strips: the table's own, widened around zero by the reach of the embeddings.

    The reach does not depend on the tokens in view, so that scrolling keeps the colours.
    """
    table = colors.scale
    if shows_table(document):
        return colors
    names, reach = row_names(document), document.embedding.reach(strip_columns(document))
    if names == TURNED:  # two equal numbers can become one of them times the square root of two
        reach = _rounded_up(reach * math.sqrt(2) * max(1.0, document.encoding.combination.factor))
    else:
        reach = _rounded_up(max(abs(table.low), abs(table.high)) + reach)
    return TableColors(ColorScale(colors.signed, -reach, reach))


_LEAST = math.ulp(0.0)


def _rounded_up(reach: float) -> float:
    """The next multiple of 1/2, or below 1 the next number with one digit; 1 for 0."""
    if reach >= 1:
        return math.ceil(2 * min(reach, sys.float_info.max / 4)) / 2
    if reach == 0:
        return 1.0
    unit = max(10.0 ** math.floor(math.log10(reach)), _LEAST)
    return math.ceil(reach / unit - 1e-9) * unit


@lru_cache(maxsize=64)
def is_whole(encoding: Encoding) -> bool:
    """Whether the encoding's numbers at its first positions are whole; in relative families at earlier keys."""
    first, last = encoding.domain
    near = (0, -1, -2, -3) if encoding.relative else (0, 1, 2, 3)
    positions = [position for position in near if first <= position <= last] or [int(first)]
    known = [position for position in positions if encoding.has_value(position)]
    values = encoding.values(np.array(known, np.int64), np.arange(min(8, encoding.n_columns)))
    return bool(known) and bool((values == np.round(values)).all())


def _vectors(document: Document, tokens: Sequence[int]) -> FloatArray:
    """The tokens' own vectors."""
    vectors = document.vectors_of([document.token_list[token] for token in tokens])
    assert vectors is not None  # called only with an embedding
    return vectors
