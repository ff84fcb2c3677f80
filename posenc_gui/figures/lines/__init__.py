"""Plots of lines: what they show, their items, the words in them, and figures of such plots above a matrix."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.figures.lines.line_figure import LineFigure
    from posenc_gui.figures.lines.line_plot import Band, Line, Plot, Rule, TurningEncoding, line_pen, named_look
    from posenc_gui.figures.lines.line_plot import shorter_names, turning_encodings, turns_pairs, value_text
    from posenc_gui.figures.lines.line_words import LegendLayer, LineView
    from posenc_gui.figures.lines.matrix_figure import LINES_SHARE, MatrixFigure
else:
    __getattr__ = on_demand(__name__)
