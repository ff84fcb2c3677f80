"""What stands beside the token pairs: words on both axes, the axes' names, and the key of the colours."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter

from posenc_core import Document
from posenc_gui.look.style import Style
from posenc_gui.model.cursor import Cursor, PositionAxis
from posenc_gui.plotting.color_key import ColorKey
from posenc_gui.plotting.layer import Margin

if TYPE_CHECKING:
    from posenc_gui.panels.pairs.figure import PairsFigure

_NAME_PX = 18


class PairAxis:
    """The figure as words on one of its axes see it: tokens counted from 0, the cursor at its query or its key."""

    def __init__(self, figure: "PairsFigure", queries: bool) -> None:
        self._figure = figure
        self._queries = queries

    @property
    def document(self) -> Document:
        """The figure's."""
        return self._figure.document

    @property
    def style(self) -> Style:
        """The figure's."""
        return self._figure.style

    @property
    def places(self) -> PositionAxis:
        """Every token at its index."""
        count = self._figure.places.n_tokens
        return PositionAxis(range(count), count, None)

    @property
    def token_positions(self) -> range:
        """All of them."""
        return range(self._figure.places.n_tokens)

    @property
    def cursor(self) -> Cursor | None:
        """At the marked query or key."""
        query, key = self._figure.marked()
        at = query if self._queries else key
        return None if at is None else Cursor(at, 0)

    def size(self) -> QSizeF:
        """The figure's."""
        return self._figure.size()


class AxisName(Margin):
    """What an axis is about, along its middle."""

    def __init__(self, figure: "PairsFigure", text: str, upright: bool) -> None:
        super().__init__(figure.area)
        self._figure, self._text, self._upright = figure, text, upright
        (self.setFixedWidth if upright else self.setFixedHeight)(_NAME_PX)

    def draw(self, painter: QPainter) -> None:
        """The text, turned to read upwards beside an upright axis."""
        length = self.turned(painter, self._upright)
        style = self._figure.style
        painter.setFont(style.font(11))
        painter.setPen(style.pen(style.muted))
        painter.drawText(QRectF(0, 0, length, _NAME_PX), Qt.AlignmentFlag.AlignCenter, self._text)


class PairKey(ColorKey):
    """The key of the colours, whose ends are looked for only while they are seen."""

    def __init__(self, figure: "PairsFigure") -> None:
        super().__init__(figure.area, figure.style)
        self._figure = figure

    def fit(self) -> None:
        """Show the present scale, unless nobody sees it."""
        figure = self._figure
        if figure.scene() is not None and any(view.isVisible() for view in figure.scene().views()):
            self.show_scale(figure.pair_scale(), figure.style)

    def draw(self, painter: QPainter) -> None:
        """The bar, whose ends are found now if the figure was out of sight before."""
        if (self._scale, self._style) != (self._figure.pair_scale(), self._figure.style):
            self.fit()
        super().draw(painter)
