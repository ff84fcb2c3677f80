"""The Matplotlib script of the three ways."""

from posenc_core.scripts import ways_script
from posenc_gui.panels.ways.numbers import SHIFTS
from posenc_gui.panels.ways.painter import way_look
from posenc_gui.panels.ways.pointing import WaysShown
from posenc_gui.panels.ways.spec import BOTH_SHIFT, KEY_POSITION, QUERY_POSITION


def script(view: WaysShown) -> str:
    """A script that draws the scores of the three ways over the shift."""
    document, ways = view.document, view.ways
    assert ways is not None  # the panel needs a rotation
    query, key, shift = (document.option(each) for each in (QUERY_POSITION, KEY_POSITION, BOTH_SHIFT))
    looks = [way_look(view.style, index) for index in range(3 if ways.alone is None else 4)]
    return ways_script(document, (query, key, shift), len(SHIFTS), ways.summary(), looks)
