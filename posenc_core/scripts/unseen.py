"""A Matplotlib script that draws a map of unseen angles for each of several encodings.

The rule of one map is that of Chen et al. 2023 (arXiv 2306.15595), section 2.2, applied to each pair.
"""

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Encoding
from posenc_core.explain import ARC_ROUNDING, NUMPY, Snippet, number_list
from posenc_core.fields import one_line
from posenc_core.long_context import distances_seen
from posenc_core.scripts.plots import plain_label
from posenc_core.scripts.snippets import PYPLOT, assembled, filled, head_of
from posenc_core.session import ContextLengths


class DrawnMap(Struct, frozen=True):
    """A map: its title, the colour of the title (``#rrggbb``), and the encoding whose pairs are its rows."""

    title: str
    colour: str
    encoding: Encoding


def unseen_script(
    maps: Sequence[DrawnMap], lengths: ContextLengths, logarithmic: bool, colours: tuple[str, str, str]
) -> str:
    """A script that computes the first unseen position of each pair and draws the maps in three flat colours.

    ``colours`` (``#rrggbb``) are those of a full circle, of the trained arc, and of angles outside it.
    """
    columns = min(len(maps), 3)
    rows = math.ceil(len(maps) / columns)
    body = Snippet(("maps = []  # title, colour, number of distances seen, frequencies in training, frequencies now",))
    before = Snippet(())
    for each in maps:
        trained = trained_lines(each.encoding)
        body += Snippet(("", f"# {one_line(each.title)}"))
        if trained != before:
            body += trained + Snippet(("trained = frequencies",))
        body += _map_lines(each, lengths)
        before = trained
    seen = lengths.seen
    lines = filled(
        "unseen",
        trained=seen.trained,
        target=seen.target,
        lengths=_LENGTHS[lengths.is_bounded],
        colours=", ".join(map(repr, colours)),
        rows=rows,
        columns=columns,
        width=f"{3.4 * max(2, columns):.1f}",  # of the legend, at least
        height=f"{2.9 * rows:.1f}",
        rounding=ARC_ROUNDING,
        scale="xscale='log', " if logarithmic else "",
        across=(1 if logarithmic else 0, max(2, seen.target)),
        shown="distance" if lengths.is_bounded else "position",
        length=f"{lengths.target:,}",
    )
    return assembled(head_of(maps[0].encoding), body + Snippet(lines, (PYPLOT,)), NUMPY)


_LENGTHS = (
    "the trained length and the target length",
    "the numbers of distances that attention sees within the trained length and the target length",
)


def trained_lines(encoding: Encoding) -> Snippet:
    """Lines that define the ``frequencies`` of training, with whole turns."""
    if encoding.rotation is not None:
        return encoding.rotation.unscaled_source(NUMPY)
    frequencies = encoding.frequencies()
    if encoding.pairs is None or np.array_equal(frequencies, encoding.pairs.wrapped):
        return encoding.frequencies_source(NUMPY)
    listed = number_list(frequencies.tolist()).replace("inf", "np.inf")
    return Snippet((f"frequencies = np.array({listed})  # rad per position",))


def scaled_lines(encoding: Encoding) -> Snippet:
    """Lines that scale the ``trained`` frequencies, none for an encoding without scaling."""
    scaling = None if encoding.rotation is None else encoding.rotation.scaling
    if scaling is None:
        return Snippet(())
    return Snippet(("frequencies = trained",)) + scaling.source(encoding.frequencies(), NUMPY)


def _map_lines(each: DrawnMap, lengths: ContextLengths) -> Snippet:
    """Lines that scale the frequencies of training and append the map."""
    rotation = each.encoding.rotation
    scaling = None if rotation is None else rotation.scaling
    stop = min(lengths.seen.target, distances_seen(each.encoding, lengths.target))
    title = repr(plain_label(each.title))
    if scaling is not None and scaling.amplitude != 1:
        title += " + f', attention factor {attention_factor:.4g}'"
    appended = f"maps.append(({title}, {each.colour!r}, {stop}, trained, frequencies))"
    return scaled_lines(each.encoding) + Snippet((appended,))
