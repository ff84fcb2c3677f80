"""A Matplotlib script that draws a map of unseen angles for each of several encodings."""

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Encoding
from posenc_core.explain import ARC_ROUNDING, NUMPY, Snippet, number_list
from posenc_core.fields import one_line
from posenc_core.long_context import distances_seen
from posenc_core.scripts.plots import plain_label
from posenc_core.scripts.snippets import PYPLOT, assembled, head_of
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
    seen, shown = lengths.seen, "distance" if lengths.is_bounded else "position"
    across = (1 if logarithmic else 0, max(2, seen.target))
    scale = "xscale='log', " if logarithmic else ""
    lines = [
        "",
        f"L, target = {seen.trained}, {seen.target}  # {_LENGTHS[lengths.is_bounded]}",
        f"full, inside, outside = {', '.join(map(repr, colours))}",
        f"fig, axes = plt.subplots({rows}, {columns}, squeeze=False, figsize=({3.4 * columns:.1f}, {2.9 * rows:.1f}), "
        "layout='constrained')",
        "for ax in axes.flat:",
        "    ax.set_axis_off()",
        "for ax, (title, colour, stop, trained, frequencies) in zip(axes.flat, maps):",
        *_MAP,
        f"    ax.set({scale}xlim={across}, ylim=(len(first) - 0.5, -0.5), xlabel='{shown}', ylabel='pair')",
        "    title = f'{title}\\n{unseen.sum()} of {len(first)} pairs reach unseen angles at "
        f"{lengths.target:,}'",
        "    ax.set_title(title, color=colour, fontsize=8)",
        "fig.legend(",
        "    [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in (outside, inside, full)],",
        "    ['never seen', 'inside the trained arc', 'full circle seen in training'],",
        "    loc='outside upper center', ncols=3, frameon=False,",
        ")",
        "plt.show()",
    ]
    return assembled(head_of(maps[0].encoding), body + Snippet(tuple(lines), (PYPLOT,)), NUMPY)


_LENGTHS = (
    "the trained length and the target length",
    "the numbers of distances that attention sees within the trained length and the target length",
)

_MAP = (
    "    ax.set_axis_on()",
    "    complete = trained * L >= 2 * np.pi  # these pairs turned at least once in training",
    "    moving = ~complete & (frequencies > 0)",
    "    reach = np.full(len(trained), np.inf)  # where the angle is the largest of training",
    "    np.divide(trained, frequencies, out=reach, where=moving)",
    f"    first = np.floor(reach * L * (1 + {ARC_ROUNDING})) + 1  # first unseen position; up by what is rounded",
    "    unseen = first < stop",
    "    edges = np.arange(len(first) + 1) - 0.5",
    "    arcs, starts = np.where(complete, 0, target), np.where(unseen, first, target)",
    "    ax.set_facecolor(full)",
    "    ax.fill_betweenx(edges, 0, np.append(arcs, arcs[-1]), step='post', color=inside, linewidth=0)",
    "    ax.fill_betweenx(edges, np.append(starts, starts[-1]), target, step='post', color=outside, linewidth=0)",
    "    ax.yaxis.get_major_locator().set_params(integer=True)",
    "    ax.axvline(L, color='black', linewidth=1, linestyle=':')",
)
"""The rule of one map: Chen et al. 2023 (arXiv 2306.15595), section 2.2, applied to each pair."""


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
