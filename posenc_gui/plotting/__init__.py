"""The few pyqtgraph items of our own, with our fixed policy."""

from typing import TYPE_CHECKING

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_gui.plotting.axis import Axis, AxisMargin, Ranges, RightAxes
    from posenc_gui.plotting.color_key import ColorKey
    from posenc_gui.plotting.color_scale import ColorScale, readable_on, with_holes
    from posenc_gui.plotting.copied import shades_of, token_marks
    from posenc_gui.plotting.layer import VECTOR_PIXELS, FigureGrid, Layer, Margin, Strip, ViewLayer, is_vector
    from posenc_gui.plotting.layer import picture_scale, pixel_scale
    from posenc_gui.plotting.lettering import Lettering, width_of
    from posenc_gui.plotting.plot_area import Number, PlotArea, Window, cells_in, moved_to_hold, seen_in, wheel_steps
    from posenc_gui.plotting.plot_area import wheel_zoom
    from posenc_gui.plotting.position_area import ALL, OPENING, SENTENCE, PositionArea, PositionFit, fitting
    from posenc_gui.plotting.scale import Extents, PlaceNumbers, Range, Scale, place_of_position
    from posenc_gui.plotting.scale import position_at, spread, widened
    from posenc_gui.plotting.shapes import Arc, Polygons, draw_arcs, draw_curve, draw_hatch, draw_left_out, draw_missing
    from posenc_gui.plotting.shapes import point_on
    from posenc_gui.plotting.table_scales import TableColors, table_colors
    from posenc_gui.plotting.token_words import TokenWords, WordsView
else:
    __getattr__ = on_demand(__name__)
