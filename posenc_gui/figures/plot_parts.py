"""What figures hand to the scripts that draw them: their colours, and the tokens with their words."""

import numpy as np

from posenc_core.session import Shades, TokenMark
from posenc_gui.figures.figure import Figure
from posenc_gui.plotting.color_scale import ColorScale

_SHADES, _FINE_SHADES = 17, 65


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
