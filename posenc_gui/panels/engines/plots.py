"""Number of pairs of each engine that deviate from the model's class, as the lines of a plot."""

import numpy as np

from posenc_core import Document
from posenc_core.long_context import drift
from posenc_gui.figures.lines import Line, Plot, positions_around
from posenc_gui.panels.engines.rows import table_of
from posenc_gui.plotting import Scale

LEAST_REACH = 16
_ROOM = 0.04


def plots(document: Document) -> tuple[Plot, ...]:
    """The number of pairs off by more than 45 degrees, by position; engines with the same numbers share a line."""
    table = table_of(document)
    last = max(LEAST_REACH, table.length)
    both = [(row.title, row.wanted, row.computed.encoding) for row in table.rows if row.position is not None]
    parted = {engine: drift(own, theirs) for engine, own, theirs in both if own is not None and theirs is not None}
    x = positions_around([each.first for each in parted.values()], last)
    names = dict[bytes, list[str]]()
    for name, each in parted.items():
        names.setdefault(each.count(x.astype(np.int64)).astype(np.float64).tobytes(), []).append(name)
    lines = tuple(Line(", ".join(of), np.frombuffer(y), look) for look, (y, of) in enumerate(names.items(), 1))
    is_known = all(row.computed.encoding is not None for row in table.rows)
    lines = lines or (Line("no pair is off" if is_known else "no pair is known to be off", np.zeros(len(x))),)
    most = max((len(each.first) for each in parted.values()), default=1)
    upright = Scale("pairs off > 45°", -_ROOM * most, (1 + _ROOM) * most, whole=True)
    return (Plot(x, lines, Scale("position", float(x[0]), float(x[-1]), logarithmic=True), upright),)
