"""The answers that lessons ask for, about tables and their rows; each public function is one, pure in the document.

The arguments are the document and plain JSON values. Errors are those of the core's functions: TypeError, ValueError or
IndexError with one sentence.
"""

import math
from collections.abc import Sequence

import numpy as np

from posenc_core.analysis import is_toeplitz, similarity, similarity_row, wavelengths
from posenc_core.encodings import BinaryCode, NormalizedIndex, pair_members, pair_of
from posenc_core.fields import check_column, check_columns, check_length, check_positions, shortened
from posenc_core.long_context import to_bfloat16
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.session import Document

_MOST_ROWS, _MOST_ENTRIES = 1 << 14, 1 << 24
_WIDEST = 4096
"""Columns of rows whose similarity has no formula: 2048 rows are compared with each other."""

_NEAR = 1024
"""Positions to either side of one, of which those are counted that are rounded alike."""


def entry(document: Document, position: int, column: int) -> float:
    """The table's entry."""
    return float(_column(document, column, range(position, position + 1))[0])


def rounded_entry(document: Document, position: int, column: int) -> float:
    """The table's entry, rounded to bfloat16."""
    return float(to_bfloat16(np.array([entry(document, position, column)]))[0])


def n_rounded_alike(document: Document, position: int, column: int) -> int:
    """Number of positions in a row around one with the same entry after rounding to bfloat16."""
    around = range(max(0, position - _NEAR), position + _NEAR)
    rounded = to_bfloat16(_column(document, column, around))
    return int((rounded == rounded_entry(document, position, column)).sum())


def column_values(document: Document, column: int, stop: int) -> tuple[float, ...]:
    """The entries of a column at the positions 0..stop-1."""
    return tuple(_column(document, column, range(stop)).tolist())


def rounded_values(document: Document, column: int, stop: int) -> tuple[float, ...]:
    """The entries of a column at the positions 0..stop-1, rounded to bfloat16."""
    return tuple(to_bfloat16(np.array(column_values(document, column, stop))).tolist())


def level_values(document: Document, column: int, position: int, stop: int) -> tuple[float, ...]:
    """A column's entry at one position, repeated for the positions 0..stop-1."""
    return (entry(document, position, column),) * len(column_values(document, column, stop))


def column_mean(document: Document, column: int, stop: int) -> float:
    """The mean of a column over the positions 0..stop-1."""
    return float(_column(document, column, range(stop)).mean())


def column_deviation(document: Document, column: int, stop: int) -> float:
    """The standard deviation of a column over the positions 0..stop-1."""
    return float(_column(document, column, range(stop)).std())


def column_change(document: Document, column: int, first: int, second: int) -> float:
    """The absolute difference of a column's entries at two positions."""
    return abs(entry(document, second, column) - entry(document, first, column))


def largest_entry(document: Document, position: int) -> float:
    """The largest absolute value in a row."""
    return float(np.abs(_rows(document, position, position + 1)).max())


def embedding_deviation(document: Document) -> float:
    """The root mean square of the entries of the tokens' embeddings; ValueError if the document shows none."""
    tokens = document.token_list[:]
    _check_entries(len(tokens), document.encoding.combination.width)
    vectors = document.vectors_of(tokens)
    if vectors is None:
        raise ValueError("the document shows no embedding")
    return float(np.sqrt(np.square(vectors).mean()))


def row_cosine(document: Document, first: int, second: int) -> float:
    """The cosine of the angle between the rows of two positions."""
    return float(similarity_row(document.encoding, first, [second], "cosine")[0])


def mean_cosine(document: Document, distance: int) -> float:
    """The mean cosine of two rows at a distance in tokens."""
    if document.encoding.n_columns > _WIDEST and not is_toeplitz(document.encoding):
        raise ValueError(f"an answer compares rows of at most {_WIDEST:,} columns, got {document.encoding.n_columns:,}")
    return float(similarity(document.encoding, [distance], "cosine")[0])


def mean_cosine_in_halves(document: Document, distance: int) -> float:
    """The mean cosine of two rows at a distance, rounded to a multiple of one half."""
    return round(2 * mean_cosine(document, distance)) / 2 + 0.0


def cosine_deviation(document: Document, distance: int, stop: int) -> float:
    """The standard deviation of the cosines of all pairs of rows at a distance among the positions 0..stop-1."""
    rows = _rows(document, 0, stop)
    if not 0 <= distance < stop:
        raise ValueError(f"no two of {stop} rows are {shortened(distance)} apart")
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return float((rows[: stop - distance] * rows[distance:]).sum(axis=1).std())


def distinct_in_bfloat16(document: Document, stop: int) -> int:
    """Number of distinct rows at the positions 0..stop-1 after rounding to bfloat16."""
    return len({row.tobytes() for row in to_bfloat16(_rows(document, 0, stop))})


def changed_columns(document: Document, first: int, second: int) -> int:
    """The number of columns in which the rows of two positions differ."""
    one, other = (_rows(document, position, position + 1) for position in (first, second))
    return int((one != other).sum())


def changed_rows(document: Document, stop: int, seq_len: int) -> int:
    """The number of rows at the positions 0..stop-1 that another length of the sequence changes."""
    changed = document.edited("seq_len", seq_len)
    return int((_rows(document, 0, stop) != _rows(changed, 0, stop)).any(axis=1).sum())


def length_for_step(document: Document, step: float) -> int:
    """The length in tokens at which the step of a normalised index per token is nearest to ``step`` (> 0)."""
    if not isinstance(document.encoding, NormalizedIndex):
        raise ValueError("a step that depends on the length is that of a normalised index")
    about = round(1 / step)

    def miss(length: int) -> float:
        return abs(entry(document.edited("seq_len", length), 1, 0) - step)

    return min(range(max(2, about - 1), about + 4), key=miss)


def column_wavelength(document: Document, column: int) -> float:
    """The wavelength or the period of a column, in tokens; ValueError for a column that has none."""
    found = document.encoding.column_info(column).wavelength
    if found is None:
        raise ValueError(f"column {column} has no wavelength")
    return float(found)


def wavelength_ratio(document: Document, column: int) -> float:
    """Wavelength of a column over that of the previous pair, to 9 decimals."""
    pair = pair_of(document.encoding, column)
    if not pair:
        raise ValueError(f"column {column} has no pair before its own")
    return round(pair_wavelength(document, pair) / pair_wavelength(document, pair - 1), 9)


def partner_column(document: Document, column: int) -> int:
    """The other column of a column's pair; ValueError for a column without one."""
    sine, cosine = _pair_columns(document, column)
    return cosine if column == sine else sine


def curve_of_column(document: Document, column: int) -> tuple[float, ...]:
    """The cells of a column, as a click answers: any position, and the column."""
    check_column(column, document.encoding.n_columns)
    return (-1, column)


def exponent_of_column(document: Document, column: int) -> float:
    """``2i/d`` of the column's pair i in a table of d columns."""
    pair = pair_of(document.encoding, column)
    if pair is None:
        raise ValueError(f"column {column} belongs to no pair")
    return 2 * pair / document.encoding.n_columns


def passages(document: Document, columns: Sequence[int], position: int, stop: int) -> int:
    """Number of times that all columns pass at once through their values at ``position``, within positions 0..stop-1.

    A passage is a step from one position to the next within which each column reaches its value, the lower end
    included.
    """
    together = np.ones(len(_checked(range(stop))) - 1, bool)
    for column in columns:
        height = _column(document, column, range(stop)) - entry(document, position, column)
        together &= (height[:-1] == 0) | (height[:-1] * height[1:] < 0)
    return int(together.sum())


def bits_for(document: Document, count: int) -> int:
    """The number of bits that distinguish ``count`` positions."""
    return BinaryCode.bits_for(check_length(count, "count"))


def n_positions(document: Document) -> int:
    """The number of positions that have a row; ValueError for a table without an end."""
    first, last = document.encoding.domain
    if not np.isfinite(last - first):
        raise ValueError(f"{document.encoding.title} has a row at every position")
    return int(last - first) + 1


def last_position(document: Document) -> int:
    """The last position that has a row; ValueError for a table without an end."""
    n_positions(document)
    return int(document.encoding.domain[1])


def has_row(document: Document, position: int) -> bool:
    """Whether a position has a row."""
    return document.encoding.has_value(position)


def sentence_on_missing_row(document: Document, position: int) -> str:
    """Error message for a position outside the table. ValueError if the table has a row for the position."""
    if document.encoding.has_value(position):
        raise ValueError(f"position {position} has a row")
    return document.encoding.no_value(position)


def n_trained_numbers(document: Document) -> int:
    """The number of entries of a table that is learned, 0 for a formula."""
    stored = document.encoding.stored
    return 0 if stored is None else math.prod(stored.table.shape)


def source_label(document: Document) -> str:
    """The source of numbers without a formula."""
    return document.encoding.label


def pair_wavelength(document: Document, pair: int) -> float:
    """The wavelength of a pair, in tokens."""
    return float(wavelengths(document.encoding)[pair])


def _pair_columns(document: Document, column: int) -> tuple[int, int]:
    pair = pair_of(document.encoding, column)
    if pair is None:
        raise ValueError(f"column {column} belongs to no pair")
    sines, cosines = pair_members(document.encoding, np.array([pair]))
    return int(sines[0]), int(cosines[0])


def _column(document: Document, column: int, positions: range) -> FloatArray:
    columns = check_columns([column], document.encoding.n_columns)
    return document.encoding.values(_checked(positions), columns)[:, 0]


def _rows(document: Document, first: int, stop: int) -> FloatArray:
    positions, n_columns = _checked(range(first, stop)), document.encoding.n_columns
    _check_entries(len(positions), n_columns)
    return document.encoding.values(positions, np.arange(n_columns))


def _check_entries(n_rows: int, n_columns: int) -> None:
    """ValueError for too many entries for an answer."""
    if n_rows * n_columns > _MOST_ENTRIES:
        raise ValueError(f"an answer takes at most {_MOST_ENTRIES:,} entries, got {n_rows:,} rows of {n_columns:,}")


def _checked(positions: range) -> IntArray:
    """The positions as int64; ValueError for none and for too many."""
    if not 1 <= len(positions) <= _MOST_ROWS:
        raise ValueError(f"an answer takes 1 to {_MOST_ROWS:,} positions, got {shortened(len(positions))}")
    return check_positions(positions)
