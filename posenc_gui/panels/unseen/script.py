"""The Matplotlib script of the maps of unseen angles.

The rule of one map is that of Chen et al. 2023 (arXiv 2306.15595), section 2.2, applied to each pair.
"""

import math

from posenc_core.explain import ARC_ROUNDING, NUMPY, Snippet, template_lines
from posenc_core.fields import one_line
from posenc_core.long_context import distances_seen
from posenc_core.scripts import PYPLOT, assembled, head_of, plain_label, scaled_lines, trained_lines
from posenc_core.session import ContextLengths
from posenc_gui.figures.lines import line_pen
from posenc_gui.look import Style
from posenc_gui.panels.unseen.numbers import UnseenMap
from posenc_gui.panels.unseen.painter import unseen_colours
from posenc_gui.panels.unseen.pointing import UnseenShown

_LENGTHS = (
    "the trained length and the target length",
    "the numbers of distances that attention sees within the trained length and the target length",
)


def script(view: UnseenShown) -> str:
    """A script that computes the first unseen position of each pair and draws all maps in three flat colours."""
    maps = view.all_maps
    assert maps is not None  # the panel needs pairs
    lengths, logarithmic, columns = maps.lengths, maps.across.logarithmic, min(len(maps.maps), 3)
    rows, seen = math.ceil(len(maps.maps) / columns), lengths.seen
    body = Snippet(("maps = []  # title, colour, number of distances seen, frequencies in training, frequencies now",))
    before = Snippet(())
    for each in maps.maps:
        trained = trained_lines(each.encoding)
        body += Snippet(("", f"# {one_line(each.title)}"))
        if trained != before:
            body += trained + Snippet(("trained = frequencies",))
        body += _map_lines(each, lengths, view.style)
        before = trained
    lines = template_lines(
        __file__,
        "script",
        trained=seen.trained,
        target=seen.target,
        lengths=_LENGTHS[lengths.is_bounded],
        colours=", ".join(repr(colour.name()) for colour in unseen_colours(view.style)),
        rows=rows,
        columns=columns,
        width=f"{3.4 * max(2, columns):.1f}",  # of the legend, at least
        height=f"{2.9 * rows:.1f}",
        rounding=ARC_ROUNDING,
        sparse=[] if logarithmic else ["ax.locator_params('x', nbins=min(4, max(2, room // 12)), integer=True)"],
        scale="xscale='log', " if logarithmic else "",
        across=(1 if logarithmic else 0, max(2, seen.target)),
        shown="distance" if lengths.is_bounded else "position",
        length=f"{lengths.target:,}",
    )
    return assembled(head_of(maps.maps[0].encoding), body + Snippet(lines, ("import textwrap", PYPLOT)), NUMPY)


def _map_lines(each: UnseenMap, lengths: ContextLengths, style: Style) -> Snippet:
    """Lines that scale the frequencies of training and append the map."""
    rotation = each.encoding.rotation
    scaling = None if rotation is None else rotation.scaling
    stop = min(lengths.seen.target, distances_seen(each.encoding, lengths.target))
    title, colour = repr(plain_label(each.title)), line_pen(style, each.look).color().name()
    if scaling is not None and scaling.amplitude != 1:
        title += " + f', attention factor {attention_factor:.4g}'"
    appended = f"maps.append(({title}, {colour!r}, {stop}, trained, frequencies))"
    return scaled_lines(each.encoding) + Snippet((appended,))
