"""Boxes for words in a plot of lines, and the points of lines that they hide, in pixels."""

from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter

import numpy as np
from PySide6.QtCore import QRectF

from posenc_core.numerics import FloatArray
from posenc_gui.figures.lines.line_plot import Plot, Rule
from posenc_gui.plotting import Lettering, PlotArea, Range

Pixels = tuple[FloatArray, tuple[FloatArray, ...]]
"""The points of lines across, and their heights."""

PROBES = 24
"""Points of each line across a box, at least."""

_SHARES = np.linspace(0.0, 1.0, PROBES)
_CLEAR_PX = 4.0
_FAR_PX = 48.0


def pixel_of(rule: Rule, area: PlotArea, plot: Plot) -> float:
    """Place of the line in the area, across for an upright line."""
    if rule.upright:
        return float(area.to_x(plot.x_scale.place(rule.value)))
    return float(area.to_y(plot.y_scale.place(rule.value)))


def words_of_rules(area: PlotArea, plot: Plot, letters: Lettering, x: float | None) -> list[QRectF]:
    """Rectangles of the straight lines' words: at one of their ends, where they hide least of the other lines.

    They avoid the cursor at ``x`` and other level lines. The box of a line is empty where its words cannot.
    """
    rect, boxes = area.rect(), list[QRectF]()
    held = None if x is None else float(area.to_x(plot.x_scale.place(x)))
    across = {rule: pixel_of(rule, area, plot) for rule in plot.rules if not rule.upright}
    for rule in plot.rules:
        wide, at = letters.width(rule.text) + 8, pixel_of(rule, area, plot)
        if rule.upright:
            lefts = [left for left in (at + 4, at - wide - 4) if 0 <= left <= rect.width() - wide] or [
                rect.width() - wide
            ]
            ends = [(left, top) for top in (2.0, rect.height() - 18) for left in lefts]
        else:
            tops = [top for top in (at - 18, at + 2, at - 8) if 0 <= top <= rect.height() - 16] or [at + 2]
            beside = () if held is None else (held - wide - _CLEAR_PX - 2, held + _CLEAR_PX + 2)
            lefts = [left for left in (6.0, rect.width() - wide, *beside) if 0 <= left <= rect.width() - wide + 6]
            ends = [(left, top) for top in tops for left in lefts or [rect.width() - wide]]
        found = [QRectF(left, top, wide, 16) for left, top in ends]
        tried = [box for box in found if not any(box.intersects(other) for other in boxes)] or found
        others = [y for other, y in across.items() if other != rule and not rule.upright]
        unclear = [not rule.upright and _is_between(box, at, others) for box in tried]
        hidden = [
            (_n_between(box, others) + is_unclear, *_hidden(area, plot, box, held))
            for box, is_unclear in zip(tried, unclear, strict=True)
        ]
        least, best = min(zip(hidden, tried, strict=True), key=itemgetter(0))
        if not rule.upright and any(least[:2]):
            boxes.append(QRectF())
            continue
        while any(best.intersects(other) for other in boxes):  # lines that are close
            best.translate(wide + 8, 0)
        boxes.append(best if best.right() - 8 <= rect.width() else QRectF())
    return boxes


def _n_between(box: QRectF, heights: Sequence[float]) -> int:
    """Number of the heights in the box."""
    return sum(box.top() <= height <= box.bottom() for height in heights)


def _is_between(box: QRectF, at: float, others: Sequence[float]) -> bool:
    """Whether a box below its line at ``at`` may be read as the name of a line not far below, whose name is above."""
    return box.top() > at and any(at < other < at + _FAR_PX for other in others)


def _hidden(area: PlotArea, plot: Plot, box: QRectF, held: float | None) -> tuple[bool, int]:
    """Whether the cursor's line, at the pixel ``held``, is in a box, and how many points of lines are."""
    is_held = held is not None and box.left() - _CLEAR_PX <= held <= box.right() + _CLEAR_PX
    return is_held, n_covered(area, plot, box)


def n_covered(area: PlotArea, plot: Plot, box: QRectF) -> int:
    """Number of points of lines in the box, of ``PROBES`` across it for each line."""
    return n_inside(box, *in_pixels(plot, area.across, area.upright, area.rect().size().toTuple()))


@lru_cache(maxsize=8)  # of the same lines, many boxes are tried
def in_pixels(plot: Plot, across: Range, upright: Range, size: tuple[float, float]) -> Pixels:
    """The points of lines across and their heights in pixels, in this window of an area of this size."""
    (left, right), (low, high) = across, upright
    x = (places(plot.x, plot.x_scale.logarithmic) - left) / (right - left) * size[0]
    heights = (places(plot.heights(line), plot.y_scale.logarithmic) for line in plot.lines)
    return x, tuple((high - y) / (high - low) * size[1] for y in heights)


def n_inside(box: QRectF, x: FloatArray, heights: Sequence[FloatArray]) -> int:
    """Number of points of lines in the box, all in pixels: of ``PROBES`` across it, and of the lines' own."""
    own = x[(x >= box.left()) & (x <= box.right())]
    across = np.concatenate((box.left() + box.width() * _SHARES, own))
    found = [np.interp(across, x, y, np.nan, np.nan) for y in heights]
    return sum(int(((each >= box.top()) & (each <= box.bottom())).sum()) for each in found)


def places(values: FloatArray, logarithmic: bool) -> FloatArray:
    """Values in the area's coordinates; nan for values that a logarithmic axis cannot show."""
    if not logarithmic:
        return values
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.log10(values)
    return np.where(np.isfinite(found), found, np.nan)
