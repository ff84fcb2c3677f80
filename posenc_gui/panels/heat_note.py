"""What a heatmap says of its pixels: how many cells each stands for, and how its colour was got from them."""

import math
from typing import TYPE_CHECKING

from posenc_gui.numbers import counted, significant
from posenc_gui.phrases import position_noun

if TYPE_CHECKING:
    from posenc_gui.panels.heatmap import HeatmapFigure


def averaging(figure: "HeatmapFigure", scale: float) -> str:
    """``1 pixel = 1,638 positions × 8 columns, mean``; empty where a pixel is no more than a cell."""
    grid = figure.grid(scale)
    rows, columns = grid.cells_a_pixel
    if rows <= 1 and columns <= 1:
        return ""
    parts = [
        f"{_amount(rows)} {position_noun(figure.document.encoding)}s" if rows > 1 else "",
        f"{_amount(columns)} {figure.noun}s" if columns > 1 else "",
    ]
    how = "mean angle, grey where they differ" if grid.angles else "mean"
    return f"1 pixel = {' × '.join(part for part in parts if part)}, {how}"


def too_fast(figure: "HeatmapFigure", scale: float) -> str:
    """``columns 0–87 too fast``: those in view of which a wave has less than two pixels; else empty."""
    low, high = figure.area.upright if figure.document.view.transpose else figure.area.across
    first, stop = math.floor(low + 0.5), math.ceil(high + 0.5)
    seen = [(max(first, one), min(stop, other)) for one, other in figure.fast(scale)]
    ranges = [_range(one, other) for one, other in seen if one < other]
    if not ranges:
        return ""
    alone = sum(max(0, other - one) for one, other in seen) == 1
    return f"{figure.noun}{'' if alone else 's'} {' and '.join(ranges)} too fast"


def _range(first: int, stop: int) -> str:
    return counted(first) if stop - first == 1 else f"{counted(first)}–{counted(stop - 1)}"


def _amount(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else significant(number, 2)
