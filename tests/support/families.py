"""A small table of every family, and what is expected of any of them on the screen."""

import numpy as np
from pixels import colour_table

from posenc_core import (
    Alibi,
    BinaryCode,
    Document,
    Encoding,
    IntegerIndex,
    LearnedTable,
    NormalizedIndex,
    Rotary,
    ShawRelative,
    Sinusoidal,
    T5Bias,
    TransformerXLRelative,
    Yarn,
)

SENTENCE = "Dan loves icecream"


def learned() -> LearnedTable:
    """A table of 9 rows and 4 columns with numbers of both signs."""
    return LearnedTable.from_array(np.random.default_rng(4).normal(0, 3, (9, 4)), "a test's own")


MADE = {
    "integer": lambda: IntegerIndex(4, offset=-3),
    "normalized": lambda: NormalizedIndex(12, 4),
    "binary": lambda: BinaryCode(3),
    "sinusoidal": lambda: Sinusoidal(4),
    "learned": learned,
    "shaw": lambda: ShawRelative(4, 3),
    "transformer_xl": lambda: TransformerXLRelative(4),
    "t5": lambda: T5Bias(num_buckets=8, max_distance=10, n_heads=4),
    "alibi": lambda: Alibi(4),
    "rotary": lambda: Rotary(4, scaling=Yarn(4.0, 64)),
}
FAMILIES = sorted(MADE)
RELATIVE = [name for name in FAMILIES if MADE[name]().relative]
BOUNDED = ["binary", "learned"]
"""Families of which some of the 12 positions have no value."""


def document_of(name: str, sentence: str = SENTENCE, seq_len: int = 12) -> Document:
    return Document(sentence, seq_len=seq_len).with_encoding(MADE[name]())


def shown_positions(document: Document) -> range:
    """The positions of the axis, by the definition: all distances between two of seq_len tokens, or all tokens."""
    return range(1 - document.seq_len if document.encoding.relative else 0, document.seq_len)


def has_value(encoding: Encoding, position: int) -> bool:
    first, last = encoding.domain
    return first <= position <= last


def value(encoding: Encoding, position: int, column: int) -> float:
    return float(encoding.values(np.array([position]), np.array([column]))[0, 0])


def limits(document: Document) -> tuple[float, float]:
    shown = shown_positions(document)
    return document.encoding.range_over(shown.start, shown.stop)


def diverging(number: float, low: float, high: float) -> np.ndarray:
    """The colour of a number on the diverging map, whose middle is zero."""
    reach = max(abs(low), abs(high))
    return colour_table("CET-D1A")[round((number / reach + 1) / 2 * 255)].astype(int)
