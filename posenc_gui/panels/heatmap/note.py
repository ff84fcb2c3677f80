"""What a heatmap says of its pixels: how many cells each stands for, and how its colour was got from them."""

from typing import TYPE_CHECKING

from posenc_gui.look.number_format import significant
from posenc_gui.model.wording import position_noun

if TYPE_CHECKING:
    from posenc_gui.panels.heatmap.figure import HeatmapFigure


def note_of(figure: "HeatmapFigure", scale: float, standing: str) -> str:
    """All that is to be said, ``standing`` of how far the picture is."""
    seen = figure.area.across if figure.document.view.transpose else figure.area.upright
    averaged = _averaging(figure, scale)
    angles = "angle of each pair, mod 2π" if figure.noun == "pair" and not averaged else ""
    parts = (angles, averaged, standing, figure.no_value_note(*seen))
    return " · ".join(filter(None, parts))


def _averaging(figure: "HeatmapFigure", scale: float) -> str:
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


def _amount(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else significant(number, 2)
