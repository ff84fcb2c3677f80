"""Pairs of columns that turn with the position: which encodings have some, and the pair that the cursor is at."""

import numpy as np
from typing_extensions import TypeIs

from posenc_core import Encoding
from posenc_core.encodings import HarmonicTable, n_whole_pairs, pair_members, pair_of
from posenc_gui.model.cursor import Cursor


def turns_pairs(encoding: Encoding) -> TypeIs[HarmonicTable]:
    """Whether the encoding turns at least one pair with the position."""
    return isinstance(encoding, HarmonicTable) and n_whole_pairs(encoding) > 0


def cursor_pair(encoding: Encoding, cursor: Cursor | None) -> int | None:
    """The cursor's whole pair; None without a cursor, and for a column that no pair has."""
    return None if cursor is None or cursor.column >= encoding.n_columns else pair_of(encoding, cursor.column)


def pair_column(encoding: Encoding, pair: int) -> int:
    """The first of the table's columns of a whole pair."""
    return min(int(member[0]) for member in pair_members(encoding, np.array([pair])))
