"""The Matplotlib script of the maps of unseen angles."""

from posenc_core.scripts import DrawnMap, unseen_script
from posenc_gui.figures.lines import line_pen
from posenc_gui.panels.unseen.painter import unseen_colours
from posenc_gui.panels.unseen.pointing import UnseenShown


def script(view: UnseenShown) -> str:
    """A script that draws all maps."""
    maps, style = view.all_maps, view.style
    assert maps is not None  # the panel needs pairs
    drawn = [DrawnMap(each.title, line_pen(style, each.look).color().name(), each.encoding) for each in maps.maps]
    full, inside, outside = (colour.name() for colour in unseen_colours(style))
    return unseen_script(drawn, maps.lengths, maps.across.logarithmic, (full, inside, outside))
