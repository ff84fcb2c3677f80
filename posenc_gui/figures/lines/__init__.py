"""Line plots: their content, their items, their words, and figures of such plots above a matrix."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.figures.lines.line_figure import LineFigure, LineViewport
    from posenc_gui.figures.lines.line_looks import line_pen
    from posenc_gui.figures.lines.line_plot import (
        LINES_SHARE,
        Band,
        Line,
        Plot,
        Rule,
        TurningEncoding,
        named_look,
        numbers_of,
        padded,
        positions_around,
        shade_look,
        shorter_names,
        turning_encodings,
        value_text,
        value_texts,
    )
    from posenc_gui.figures.lines.line_pointing import LinePointing, LinesView
    from posenc_gui.figures.lines.line_script import axis_lines, subplots_lines, written_line
    from posenc_gui.figures.lines.line_words import LineView, draw_entry, kinds_of_names, reach_words
    from posenc_gui.figures.lines.matrix_figure import MatrixFigure, MatrixViewport
else:
    __getattr__ = on_demand(__name__)
