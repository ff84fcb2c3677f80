"""The Matplotlib script of the pair lens."""

from posenc_core.scripts import ClockColours, lens_script
from posenc_gui.panels.lens.pointing import LensShown
from posenc_gui.panels.lens.spec import ANGLE_UNIT


def script(view: LensShown) -> str:
    """A script that draws the clocks and the bits at the cursor."""
    lens, style, document = view.lens, view.style, view.document
    assert lens is not None  # the panel needs pairs
    hand = style.ink if lens.token is None else style.token(lens.token).name()
    first, colours = lens.position - len(lens.trail), ClockColours(hand, style.token_cycle)
    return lens_script(document, document.option(ANGLE_UNIT), lens.position, first, lens.pairs, colours)
