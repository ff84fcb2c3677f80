"""What a heatmap says of its pixels: how many cells each stands for, and how its colour was got from them."""

from typing import TYPE_CHECKING

from posenc_gui.numbers import counted, significant
from posenc_gui.phrases import position_noun

if TYPE_CHECKING:
    from posenc_gui.panels.heatmap import HeatmapFigure


def averaging(figure: "HeatmapFigure", scale: float, sampled: str) -> str:
    """``1 pixel = 1,638 positions × 8 columns, mean``; empty where a pixel is no more than a cell.

    ``sampled`` says more of the mean, where there is more to say.
    """
    grid = figure.grid(scale)
    rows, columns = grid.cells_a_pixel
    if rows <= 1 and columns <= 1:
        return sampled
    parts = [
        f"{_amount(rows)} {position_noun(figure.document.encoding)}s" if rows > 1 else "",
        f"{_amount(columns)} {figure.noun}s" if columns > 1 else "",
    ]
    how = "mean angle, grey where they differ" if grid.angles else sampled or "mean"
    return f"1 pixel = {' × '.join(part for part in parts if part)}, {how}"


def sampling(figure: "HeatmapFigure", scale: float, widest: bool = False) -> str:
    """Whether the exact means are shown, where they take long, or of how many cells; else empty.

    ``widest`` is the longest it comes to say.
    """
    encoding = figure.document.encoding
    grid = figure.grid(scale).valued(encoding)
    wanted = None if grid is None else grid.wanted(encoding)
    if grid is None or wanted is None or figure.later is None or not figure.takes_long(wanted):
        return ""
    if figure.later.has(wanted) and not widest:
        return "exact mean"
    words = figure.later.widest_words(wanted) if widest else figure.later.words(wanted)
    sample = grid.sample(encoding)
    return f"mean of a {'coarse ' if sample.coarse else ''}sample of {counted(sample.cells)}, {words}"


def _amount(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else significant(number, 2)
