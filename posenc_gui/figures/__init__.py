"""Common parts of all panels: the figure, its card in the window, and pictures that appear part by part."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.figures.axis_label import AxisLabel
    from posenc_gui.figures.canvas_figure import Canvas, CanvasFigure
    from posenc_gui.figures.cell_figure import (
        AreaFigure,
        CellFigure,
        VECTOR_CELLS,
        draw_cell_image,
        draw_cell_numbers,
        draw_cell_shapes,
        draw_as_dots,
        draw_dots,
    )
    from posenc_gui.figures.figure import Figure, UnitFigure
    from posenc_gui.figures.figure_view import FigureView
    from posenc_gui.figures.panel import Panel
    from posenc_gui.figures.pointing import Pointing, Rows
    from posenc_gui.figures.rendering.jobs import computed
    from posenc_gui.figures.rendering.progressive import BackgroundRenderer
    from posenc_gui.figures.rendering.renderer import PictureRenderer
    from posenc_gui.figures.rendering.requests import Rendered
    from posenc_gui.figures.shown import Frame, Shown, State
    from posenc_gui.figures.viewport import AreaHost, AreaViewport, Choice, Host, Switch, Viewport, position_switch
else:
    __getattr__ = on_demand(__name__)
