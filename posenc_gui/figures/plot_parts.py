"""What figures hand to their layers and to the scripts that draw them: columns, words, colours and tokens."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from posenc_core import Encoding
from posenc_core.encodings import ColumnInfo
from posenc_core.session import Shades, TokenMark
from posenc_gui.figures.figure import Figure
from posenc_gui.plotting.color_scale import ColorScale
from posenc_gui.plotting.token_words import WordsView

_SHADES, _FINE_SHADES = 17, 65


@lru_cache(maxsize=16)
def column_info_of(encoding: Encoding) -> Callable[[int], ColumnInfo]:
    """A cached ``encoding.column_info``: labels and colours ask for it at every paint."""
    return lru_cache(maxsize=8192)(encoding.column_info)


def column_info(encoding: Encoding, column: int) -> ColumnInfo:
    """The cached information on a column; for many columns call ``column_info_of`` once."""
    return column_info_of(encoding)(column)


def words_view(figure: Figure) -> WordsView:
    """The tokens' words along a figure's positions, the cursor's marked."""
    marked = None if figure.cursor is None else figure.cursor.position
    return WordsView(figure.document, figure.style, figure.axis, marked, figure.size())


def shades_of(scale: ColorScale) -> Shades:
    """A scale's colours for a script."""
    low, high = scale.ends
    if scale.step:
        values = scale.values(_FINE_SHADES)[::-1].tolist()
        return Shades(tuple(((value - low) / (high - low), scale.color(value).name()) for value in values), low, high)
    colours = tuple(scale.color(value).name() for value in np.linspace(low, high, _SHADES).tolist())
    return Shades(colours, low, high)


def token_marks(figure: Figure) -> list[TokenMark]:
    """The tokens' positions, words and colours for a script."""
    axis, tokens = figure.axis, figure.document.token_list
    seen = range(max(axis.tokens.start, axis.shown.start), min(axis.tokens.stop, axis.shown.stop))
    indices = [position - axis.tokens.start for position in seen]
    return [(axis.tokens[index], tokens[index].shown, figure.style.token(index).name()) for index in indices]
