"""How large a file of numbers will be, which is said before it is written."""

from collections.abc import Mapping

import msgspec
import numpy as np

from posenc_core import Document
from posenc_core.numerics import IntArray
from posenc_gui.model.cursor import Cursor, PositionAxis, no_value_sentence

LARGE = 10**9
"""A file of more bytes than this is not written without a word about it."""

_ROWS, _COLUMNS = 8, 256


def expected_bytes(document: Document, format: str, columns: range | None = None, query: int | None = None) -> int:
    """About the size of the file that ``write_numbers`` would write; 0 where it would write none."""
    places = PositionAxis.of(document, Cursor(0, 0, query=query))
    if not places.n_tokens or no_value_sentence(document.encoding, places.tokens):
        return 0
    n_columns = document.encoding.n_columns if columns is None else len(columns)
    entries = places.n_tokens * n_columns
    if format == "npy":
        return 4 * entries
    if format == "csv":
        row = 3 + len(str(places.n_tokens)) + _letters(document) + n_columns * _digits(document, places)
        return round(places.n_tokens * row)
    combines = document.embedding.embedding != "none" and document.encoding.combines != "none"
    width = document.encoding.vector_width if columns is None else n_columns
    vectors = 2 * places.n_tokens * width if combines else 0
    texts = places.n_tokens * document.token_list.longest + len(document.sentence)  # which is among the parameters
    return 4 * (entries + vectors + texts) + 8 * places.n_tokens


def size_sentence(sizes: Mapping[str, int]) -> str:
    """``vectors.csv will take about 3.4 GB``, of all files that are large; empty where none is."""
    large = {name: size for name, size in sizes.items() if size > LARGE}
    return " and ".join(f"{name} will take about {size / 1e9:,.1f} GB" for name, size in large.items())


def _letters(document: Document) -> float:
    """Bytes that the text of a token takes, on average."""
    if document.tokens == "bytes":
        return 2.0
    return len(document.sentence.encode()) / len(document.token_list)


def _digits(document: Document, places: PositionAxis) -> float:
    """Bytes that a number and its comma take, on average over some that lie far apart."""
    positions = places.tokens.start + _some(places.n_tokens, _ROWS)
    numbers = document.encoding.values(positions, _some(document.encoding.n_columns, _COLUMNS)).ravel().tolist()
    return len(msgspec.json.encode(numbers)) / len(numbers)


def _some(count: int, at_most: int) -> IntArray:
    """So many indices below ``count``, far apart."""
    return np.unique(np.linspace(0, count - 1, at_most).astype(np.int64))
