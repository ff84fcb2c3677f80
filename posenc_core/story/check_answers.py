"""Answers about tables of one's own code: which of them is right, which mistake one has, and its first wrong number."""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from posenc_core.fields import shortened
from posenc_core.session import LETTERS, Document

if TYPE_CHECKING:
    from posenc_core.encodings import Encoding
    from posenc_core.identify import Finding, Wrong

FAULT_WORDS: Mapping[str, str] = {
    "sine_only": "all columns are sines",
    "cosine_only": "all columns are cosines",
    "exponent_of_column": "the exponent is 2c/d",
    "exponent_unpaired": "the exponent is c/d",
    "cosine_first": "cosines come first",
    "negative_sine": "sines have the wrong sign",
}
"""Mistakes of sinusoids in a few words, by their codes."""

_MOST_PRINTED = 4096
"""Largest number of pasted numbers in an example."""


@lru_cache(maxsize=16)
def _found(encoding: "Encoding") -> "Finding":
    from posenc_core.identify import identify  # loaded when a lesson needs it

    n_rows = encoding.parameters()["n_rows"]
    return identify(encoding.values(np.arange(n_rows), np.arange(encoding.n_columns)).astype(np.float32))


def right_table(document: Document) -> str:
    """The letter of the first encoding, a table, whose numbers are right; ValueError if there is none."""
    for letter, each in zip(LETTERS, document.encodings, strict=False):
        if _found(each.encoding).is_right:
            return letter
    raise ValueError("no table is right")


def mistake(document: Document) -> str:
    """The mistake in the chosen table, in a few words."""
    (fault,) = _found(document.encoding).faults
    return FAULT_WORDS[fault.code]


def mistake_explained(document: Document) -> str:
    """The sentence about the mistake in the chosen table, without its last full stop."""
    (fault,) = _found(document.encoding).faults
    return fault.sentence.removesuffix(".")


def first_wrong_column(document: Document) -> int:
    """The column of the first wrong number of the chosen table."""
    return _first(document).column


def first_wrong_position(document: Document) -> int:
    """The position of the first wrong number of the chosen table."""
    return _first(document).position


def right_number(document: Document) -> float:
    """The number that should be at the place of the first wrong one in the chosen table."""
    return _first(document).right


def printed_rows(document: Document, rows: int) -> str:
    """The first rows of the chosen table, as NumPy prints them to four decimals; ValueError for too many numbers."""
    encoding = document.encoding
    if not 1 <= rows <= _MOST_PRINTED // encoding.n_columns:
        raise ValueError(
            f"a print has 1 row or more, and at most {_MOST_PRINTED:,} numbers, got {shortened(rows)} rows of "
            f"{encoding.n_columns:,}"
        )
    table = encoding.values(np.arange(rows), np.arange(encoding.n_columns))
    return np.array2string(table, formatter={"float_kind": "{:.4f}".format}, threshold=table.size)


def _first(document: Document) -> "Wrong":
    first = _found(document.encoding).first
    if first is None:
        raise ValueError("no number is wrong")
    return first
