"""Distances that rotations see of one query's keys, as the lines of a plot."""

import numpy as np

from posenc_core import Document, Encoding
from posenc_core.numerics import FloatArray, IntArray
from posenc_gui.figures.lines import Line, Plot, Rule, named_look
from posenc_gui.look import counted
from posenc_gui.panels.seen.spec import changes_distances, query_of
from posenc_gui.plotting import Scale

MOST = 4096
"""Keys that are drawn; of more, that many spread evenly."""

_TEXT = 1
"""The look of the diagonal."""

_ROOM = 0.06
"""Share of the axis above the lines."""


def plots(document: Document) -> tuple[Plot, ...]:
    """The seen distance of each encoding with changed distances, over the distance in the text."""
    query, trained = query_of(document), document.lengths.trained
    distances = drawn_distances(query)
    lines = [
        Line(name, seen_distances(each.encoding, query, distances), look)
        for index, each in enumerate(document.encodings)
        if changes_distances(each.encoding)
        for name, look in [named_look(document, index)]
    ]
    largest = max(float(np.nanmax(line.y)) for line in lines)
    across = Scale("distance in the text", 0.0, float(max(1, query)), whole=True)
    upright = Scale("distance seen", 0.0, max(1.0, largest, trained) * (1 + _ROOM), whole=True)
    text = np.where(distances <= upright.last, distances, np.nan).astype(np.float64)
    rule = Rule(f"L {counted(trained)}", trained, "trained_length")
    return (Plot(distances.astype(np.float64), (*lines, Line("in the text", text, _TEXT)), across, upright, (rule,)),)


def drawn_distances(query: int) -> IntArray:
    """The distances of the keys that are drawn, from 0 to the query's own position."""
    return np.unique(np.linspace(0, query, min(query + 1, MOST)).astype(np.int64))


def seen_distances(encoding: Encoding, query: int, distances: IntArray) -> FloatArray:
    """The seen distance of keys at these distances, float64; nan for a key that the query does not attend to."""
    rule = None if encoding.rotation is None else encoding.rotation.distance_rule
    assert rule is not None, "the panel draws changed distances"
    seen = rule.seen(query, query - distances)
    return np.where(query - distances >= rule.first_key(query), seen, np.nan)
