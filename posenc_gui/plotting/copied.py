"""Colours and tokens as a script writes them."""

import numpy as np

from posenc_core import Document
from posenc_core.scripts import Shades, TokenMark
from posenc_gui.look import Style
from posenc_gui.model import PositionAxis
from posenc_gui.plotting.color_scale import ColorScale

_LINEAR, _LOGARITHMIC = 17, 65
"""Colours of a linear scale, and of a logarithmic one."""


def shades_of(scale: ColorScale) -> Shades:
    """The colours of a scale, in equal steps, or each with its place on a logarithmic scale."""
    low, high = scale.ends
    if scale.step:
        values = scale.values(_LOGARITHMIC)[::-1].tolist()
        stops = tuple(((value - low) / (high - low), scale.color(value).name()) for value in values)
        return Shades(stops, low, high)
    return Shades(tuple(scale.color(value).name() for value in np.linspace(low, high, _LINEAR).tolist()), low, high)


def token_marks(document: Document, axis: PositionAxis, style: Style) -> list[TokenMark]:
    """The positions, words and colours of the tokens on the axis."""
    tokens = document.token_list
    indices = [position - axis.tokens.start for position in axis.shown_tokens]
    return [(axis.tokens[index], tokens[index].shown, style.token(index).name()) for index in indices]
