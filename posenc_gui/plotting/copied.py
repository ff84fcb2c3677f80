"""Colours and tokens as a script writes them."""

from msgspec.structs import replace

from posenc_core import Document
from posenc_core.scripts import Shades, TokenMark
from posenc_gui.look import Style
from posenc_gui.model import PositionAxis
from posenc_gui.plotting.color_scale import ColorScale

_COLOURS = 17
"""Colours of a scale."""


def shades_of(scale: ColorScale) -> Shades:
    """The colours of a scale in equal steps."""
    low, high = scale.ends
    values = replace(scale, low=low, high=high).values(_COLOURS)[::-1].tolist()
    return Shades(tuple(scale.color(value).name() for value in values), low, high, scale.step)


def token_marks(document: Document, axis: PositionAxis, style: Style) -> list[TokenMark]:
    """The positions, words and colours of the tokens on the axis."""
    tokens = document.token_list
    indices = [position - axis.tokens.start for position in axis.shown_tokens]
    return [(axis.tokens[index], tokens[index].shown, style.token(index).name()) for index in indices]
