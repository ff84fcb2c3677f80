"""What all panels share: the figure, its card in the window, and pictures that appear part by part."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.figures.axis_label import AxisLabel
    from posenc_gui.figures.cell_figure import VECTOR_CELLS, AreaFigure, CellFigure, CellFrame, WindowedFigure
    from posenc_gui.figures.cell_figure import draw_cell_image, draw_cell_numbers, draw_cell_shapes, draw_dots
    from posenc_gui.figures.controls import Choice, Switch, position_switch
    from posenc_gui.figures.figure import Figure, Need, PictureRenderer, Window
    from posenc_gui.figures.figure_view import FigureView
    from posenc_gui.figures.panel import Panel
    from posenc_gui.figures.progressive import BackgroundRenderer, RenderRequest, Rendered, SlowNumbers, computed
else:
    __getattr__ = on_demand(__name__)
