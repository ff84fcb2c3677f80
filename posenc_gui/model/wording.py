"""Names of positions, tokens and columns for panels, docks and the status line."""

from collections.abc import Iterable

import numpy as np

from posenc_core import Document, Encoding, Token
from posenc_core.encodings import ColumnInfo, pair_angles, pair_of
from posenc_core.fields import one_line
from posenc_core.progressive import slow_work
from posenc_core.session import LETTERS
from posenc_gui.look import counted, significant
from posenc_gui.model.cursor import Cursor, PositionAxis

_LONGEST_WORD = 24
_LONG = 1000
_QUICK_WORK = 1 << 16


def position_noun(encoding: Encoding) -> str:
    """``position``, or ``distance`` if positions are counted from another token."""
    return "distance" if encoding.relative else encoding.row_noun


def position_words(axis: PositionAxis, position: int) -> str:
    """``position 1``, or ``distance 1`` of a key one token before its query."""
    return f"{'position' if axis.query is None else 'distance'} {counted(axis.sign * position)}"


def token_words(document: Document, axis: PositionAxis, position: int) -> str:
    """The position's token, ``“Dan”`` or ``“Dan” seen from “loves”``; empty without a token."""
    index = axis.token_at(position)
    if index is None:
        return ""
    words = document.token_list
    token = token_name(words[index])
    return token if axis.query is None else f"{token} seen from {token_name(words[axis.query])}"


def token_name(token: Token) -> str:
    """The token in quotation marks, ``“Dan”``, or the place of a patch, ``row 0, column 2``."""
    return token.cell or quoted(token.shown)


def has_patches(document: Document) -> bool:
    """Whether some tokens are patches of a picture."""
    tokens = document.token_list
    return bool(tokens and tokens[-1].cell)


def token_details(token: Token) -> str:
    """The id and the bytes of a model's token, and the character that it is a part of; empty for other tokens."""
    if token.id is None or token.cell:
        return ""
    lines = [f"{one_line(token.shown)}: id {token.id}"]
    lines.append("no bytes of the sentence" if token.data is None else f"bytes {token.data.hex(' ').upper()}")
    if token.whole:
        lines.append(f"part of {quoted(token.whole)}")
    return "\n".join(lines)


def source_words(document: Document, indices: Iterable[int]) -> list[str]:
    """Sources of the numbers of encodings without a formula, ``simulated (seed 0)``; none for a formula.

    ``indices`` are those of encodings of the document; each source begins with a letter if there are several.
    """
    several = len(document.encodings) > 1
    labels = ((LETTERS[index] if several else "", document.encodings[index].encoding.label) for index in indices)
    return [f"{letter} {label}".strip() for letter, label in labels if label]


def column_noun(encoding: Encoding) -> str:
    """``head`` if each column is an attention head, else ``column``."""
    return "head" if is_head(encoding.column_info(0), 0) else "column"


def column_words(encoding: Encoding, column: int) -> str:
    """``column 5``, or ``head 5``; with the column of the head if only its last ones are rotated."""
    named = f"{column_noun(encoding)} {counted(column)}"
    combination = encoding.combination
    if not combination.first:
        return named
    of_head = f"column {counted(combination.vector_column(column))} of the head"
    return f"{named}, {of_head}" if column < encoding.n_columns else of_head


def wavelength_unit(encoding: Encoding) -> str:
    """The unit of wavelengths: ``cells`` of a grid, else ``tokens``."""
    return "tokens" if encoding.cells is None else "cells"


def value_title(encoding: Encoding) -> str:
    """Name of the table's numbers, with their unit in parentheses, as beside a colour bar."""
    if column_noun(encoding) == "head":
        return "bias (logits)"
    named = {
        "index": "index (positions)",
        "share": "share of the length (no unit)",
        "bias": "bias (logits)",
        "distance seen": "seen distance (positions)",
        "normalised distance": "normalised distance (no unit)",
        "component": "component (no unit)",
    }
    kind = {"sum": "PE (no unit)", "rotation": "cos and sin (no unit)"}.get(encoding.combination.kind)
    return named.get(encoding.column_info(0).part) or kind or "value (no unit)"


def angle_words(document: Document, cursor: Cursor) -> str:
    """``angle of pair 1: 0.01 rad`` for the cursor if the heatmap shows angles; empty for a column without an angle."""
    encoding, column = document.encoding, cursor.column
    if not document.view.angles or not 0 <= column < encoding.n_columns or not encoding.has_value(cursor.position):
        return ""
    pair = pair_of(encoding, column)
    if pair is None:
        return ""
    angle = float(pair_angles(encoding, np.array([cursor.position]), np.array([pair]))[0, 0])
    return f"angle of pair {counted(pair)}: {significant(angle, 7)} rad"


def column_facts_words(facts: ColumnInfo, column: int) -> str:
    """The part that a column is, in parentheses: ``(pair 2, cos)``, ``(bit 3)``; empty for a head."""
    if is_head(facts, column):
        return ""
    return f"({facts.part})" if facts.pair is None else f"(pair {counted(facts.pair)}, {facts.part})"


def may_be_logarithmic(document: Document) -> bool:
    """Whether waves can be drawn over a logarithmic axis: long ones, unless a table is slow to read."""
    encoding, length = document.encoding, document.seq_len
    first = 1 - length if encoding.relative else 0
    return length > _LONG and slow_work(encoding, first, length, encoding.n_columns) <= _QUICK_WORK


def is_head(facts: ColumnInfo, column: int) -> bool:
    """Whether the column is an attention head."""
    return facts.part == f"head {column}"


def quoted(word: str) -> str:
    """The word in quotation marks, cut if it is long."""
    return f"“{word if len(word) <= _LONGEST_WORD else f'{word[: _LONGEST_WORD - 1]}…'}”"
