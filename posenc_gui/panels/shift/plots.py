"""The largest error of each mapped row by position, as the lines of a plot."""

import numpy as np
from msgspec.structs import replace

from posenc_core import Document
from posenc_gui.figures.lines import LINES_SHARE, Line, Plot, Rule, named_look
from posenc_gui.look import significant
from posenc_gui.panels.shift.maps import Shift, shift_of, shifts_beside
from posenc_gui.panels.shift.spec import SHIFT_WITHOUT_COSINES
from posenc_gui.plotting import Scale

_FLOOR = 1e-17
"""Errors below it, and errors of exactly 0, are not on the axis: rounding alone exceeds it."""

_LARGEST = 1e100


def plots(document: Document) -> tuple[Plot, ...]:
    """The largest error of each mapped row by position, of all encodings whose rows are at the same positions."""
    chosen = shift_of(document, document.encoding)
    drawn = {document.current: chosen, **shifts_beside(document, chosen)[0]}
    lines = [_line(document, index, each) for index, each in drawn.items()]
    if document.option(SHIFT_WITHOUT_COSINES) and len(lines) == 1:
        whole = document.edited(SHIFT_WITHOUT_COSINES.name, False)
        complete = shift_of(whole, whole.encoding)
        lines = [replace(lines[0], name="without cosines"), Line("with cosines", complete.residuals, 1)]
    x = chosen.positions.astype(np.float64)
    across = Scale("position p", float(x[0]), max(float(x[-1]), float(x[0]) + 1), whole=True)
    rules = () if chosen.is_exact else (Rule(f"held out {significant(chosen.held_out, 3)}", chosen.held_out),)
    return (Plot(x, tuple(lines), across, _upright(lines, rules), rules, stretch=LINES_SHARE),)


def _line(document: Document, index: int, shift: Shift) -> Line:
    name, look = named_look(document, index)
    return Line(name, shift.residuals, look)


def _upright(lines: list[Line], rules: tuple[Rule, ...]) -> Scale:
    """A logarithmic axis of all errors but 0; ValueError for errors that no axis can show."""
    values = np.concatenate([*(line.y for line in lines), [rule.value for rule in rules]])
    if not np.isfinite(values).all() or values.max() > _LARGEST:
        raise ValueError(f"the rows are beyond {_LARGEST:g}, the largest number that the axis can show")
    values = values[values >= _FLOOR]
    low, high = (float(values.min()), float(values.max())) if values.size else (1e-16, 1e-15)
    return Scale("largest error", low / 3, high * 3, logarithmic=True)
