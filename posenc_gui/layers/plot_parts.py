"""Columns and words that figures hand to their layers."""

from collections.abc import Callable
from functools import lru_cache

from posenc_core import Encoding
from posenc_core.encodings import ColumnInfo
from posenc_gui.figures import Figure
from posenc_gui.plotting import WordsView


@lru_cache(maxsize=16)
def column_info_of(encoding: Encoding) -> Callable[[int], ColumnInfo]:
    """A cached ``encoding.column_info``: labels and colours ask for it at every paint."""
    return lru_cache(maxsize=8192)(encoding.column_info)


def column_info(encoding: Encoding, column: int) -> ColumnInfo:
    """The cached information on a column; for many columns call ``column_info_of`` once."""
    return column_info_of(encoding)(column)


def words_view(figure: Figure) -> WordsView:
    """The tokens' words along a figure's positions, the cursor's marked."""
    cursor = figure.cursor
    marked, held = (None, False) if cursor is None else (cursor.position, cursor.pinned)
    return WordsView(figure.document, figure.style, figure.axis, marked, figure.size(), held)
