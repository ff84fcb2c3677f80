"""The answers that lessons ask for, each a pure function of the document and plain arguments."""

from collections.abc import Callable, Mapping

import numpy as np

from posenc_core.analysis import similarity_row
from posenc_core.long_context import to_bfloat16
from posenc_core.numerics import FloatArray
from posenc_core.session import Document

Value = bool | int | float | str | tuple[float, ...]
AnswerFunction = Callable[..., Value]


def entry(document: Document, position: int, column: int) -> float:
    """The table's entry."""
    return float(_rows(document, position, position + 1)[0, column])


def column_values(document: Document, column: int, stop: int) -> tuple[float, ...]:
    """The entries of a column at the positions 0..stop-1."""
    return tuple(_rows(document, 0, stop)[:, column].tolist())


def column_mean(document: Document, column: int, stop: int) -> float:
    """The mean of a column over the positions 0..stop-1."""
    return float(_rows(document, 0, stop)[:, column].mean())


def column_deviation(document: Document, column: int, stop: int) -> float:
    """The standard deviation of a column over the positions 0..stop-1."""
    return float(_rows(document, 0, stop)[:, column].std())


def embedding_deviation(document: Document) -> float:
    """The root mean square of the entries of the tokens' embeddings; ValueError where the document shows none."""
    vectors = document.vectors_of(document.token_list[:])
    if vectors is None:
        raise ValueError("the document shows no embedding")
    return float(np.sqrt(np.square(vectors).mean()))


def row_cosine(document: Document, first: int, second: int) -> float:
    """The cosine of the angle between the rows of two positions."""
    return float(similarity_row(document.encoding, first, [second], "cosine")[0])


def distinct_in_bfloat16(document: Document, stop: int) -> int:
    """How many of the rows at the positions 0..stop-1 stay apart after rounding to bfloat16."""
    return len(np.unique(to_bfloat16(_rows(document, 0, stop)), axis=0))


def _rows(document: Document, first: int, stop: int) -> FloatArray:
    encoding = document.encoding
    return encoding.values(np.arange(first, stop), np.arange(encoding.n_columns))


LESSON_ANSWERS: Mapping[str, AnswerFunction] = {
    "entry": entry,
    "column_values": column_values,
    "column_mean": column_mean,
    "column_deviation": column_deviation,
    "embedding_deviation": embedding_deviation,
    "row_cosine": row_cosine,
    "distinct_in_bfloat16": distinct_in_bfloat16,
}
