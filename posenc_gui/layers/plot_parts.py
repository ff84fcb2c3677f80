"""What figures hand to their layers, and ask of the cursor: columns, pairs and words."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from posenc_core import Encoding
from posenc_core.encodings import ColumnInfo, pair_members, pair_of
from posenc_gui.figures import Figure
from posenc_gui.model import Cursor
from posenc_gui.plotting import WordsView


@lru_cache(maxsize=16)
def column_info_of(encoding: Encoding) -> Callable[[int], ColumnInfo]:
    """A cached ``encoding.column_info``: labels and colours ask for it at every paint."""
    return lru_cache(maxsize=8192)(encoding.column_info)


def column_info(encoding: Encoding, column: int) -> ColumnInfo:
    """The cached information on a column; for many columns call ``column_info_of`` once."""
    return column_info_of(encoding)(column)


def cursor_pair(encoding: Encoding, cursor: Cursor | None) -> int | None:
    """The cursor's whole pair; None without a cursor, and for a column that no pair has."""
    return None if cursor is None or cursor.column >= encoding.n_columns else pair_of(encoding, cursor.column)


def pair_column(encoding: Encoding, pair: int) -> int:
    """The first of the table's columns of a whole pair."""
    return min(int(member[0]) for member in pair_members(encoding, np.array([pair])))


def words_view(figure: Figure) -> WordsView:
    """The tokens' words along a figure's positions, the cursor's marked."""
    marked = None if figure.cursor is None else figure.cursor.position
    return WordsView(figure.document, figure.style, figure.axis, marked, figure.size())
