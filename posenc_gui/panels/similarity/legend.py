"""A legend above a plot that is too low for one inside."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem
from typing_extensions import override

from posenc_gui.figures.lines import LineView, draw_entry, kinds_of_names, value_texts
from posenc_gui.layers import cut
from posenc_gui.look import Style
from posenc_gui.plotting import Lettering, Strip, width_of

_FONT_PX = 11
_SAMPLE_PX, _ROW_PX, _PAD_PX, _GAP_PX = 26.0, 16.0, 6.0, 14.0
_MOST_ROWS = 2
_VALUES_PX = 40.0
"""The width of a value, to keep the names in place while the cursor moves."""


class LegendStrip(Strip):
    """The names of the lines beside a piece of each, with its value at the cursor, in as many rows as they need."""

    def __init__(self, view: Callable[[], LineView], parent: QGraphicsItem) -> None:
        super().__init__(parent)
        self._view = view

    def height_for(self, width: float) -> float:
        """The height in pixels at this width."""
        entries = self._entries(self._view(), width)
        return entries[-1][1].bottom() + _PAD_PX if entries else 0.0

    def _entries(self, view: LineView, width: float) -> list[tuple[str, QRectF]]:
        """Name and place of each line: with shorter names if whole ones need too many rows."""
        names: tuple[str, ...] = ()
        places = list[QRectF]()
        for names in kinds_of_names(view.plot.lines) if view.plot is not None and view.plot.lines else ():
            places = self._places(names, view.style, width)
            if len({place.top() for place in places}) <= _MOST_ROWS:
                break
        return list(zip(names, places, strict=True))

    def _places(self, names: Sequence[str], style: Style, width: float) -> list[QRectF]:
        places: list[QRectF] = []
        scale = max(1.0, style.text_scale)
        for name in names:
            wide = _SAMPLE_PX + 2 * _PAD_PX + width_of(name, style, _FONT_PX) + _VALUES_PX * scale
            corner = places[-1].topRight() + QPointF(_GAP_PX, 0) if places else QPointF(_PAD_PX, 0)
            if places and corner.x() + wide > width:
                corner = QPointF(_PAD_PX, places[-1].bottom())
            places.append(QRectF(corner.x(), corner.y(), wide, _ROW_PX * scale))
        return places

    @override
    def draw(self, painter: QPainter) -> None:
        view = self._view()
        if view.plot is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        letters, style = Lettering(painter, view.style, _FONT_PX), view.style
        for line, (whole, place) in zip(view.plot.lines, self._entries(view, self.rect().width()), strict=True):
            room = self.rect().width() - place.left() - _SAMPLE_PX - _PAD_PX
            name = cut(whole, room, style, _FONT_PX)
            draw_entry(painter, letters, style, replace(line, name=name), place, (_SAMPLE_PX, _PAD_PX))
            if view.x is not None and name == whole:
                before = _SAMPLE_PX + _PAD_PX + letters.width(name) + _PAD_PX
                beside = place.adjusted(before, 0, _GAP_PX - _PAD_PX, 0)
                values = value_texts(float(line.y[view.plot.nearest(view.x)]))
                letters.write_in(beside, letters.fitting(values, beside.width()), Qt.AlignmentFlag.AlignLeft)
