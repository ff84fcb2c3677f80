"""The places of the pair lens: clocks above, below them the vector's columns with arcs, its numbers, and the bits."""

import math

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF

_GUTTER = 74.0
_GAP = 6.0
_HEAD, _CAPTION = 17.0, 15.0
_TALL = 420.0
_LEAST_SCALE = 0.62
_STRIPS = {
    "arcs": 34.0, "columns": 14.0, "indices": 13.0, "before": 28.0, "after": 28.0, "row": 28.0, "sum": 28.0,
    "bits": 17.0, "levels": 34.0,
}  # fmt: skip
"""The heights of the strips below the clocks in a tall picture; a lower one has lower strips."""

_TEXTS = frozenset({"indices", "bits"})
"""Strips of text, which keep their height."""

_SPACED = frozenset({"before", "row", "bits"})
"""Strips with a gap above them."""

_VECTORS, _SUMS, _ODOMETER = ("before", "after"), ("row", "sum"), ("bits", "levels")
_LEAST_BAR = 9.0
_LEAST_CLOCKS = 84.0
"""Clocks of a lower row would be unreadable: a low picture omits the vector first, then the odometer."""


class LensLayout(Struct, frozen=True):
    """Rectangles in the panel's pixels: ``cells`` one for each pair, ``strips`` by name, to the right of the labels."""

    cells: tuple[QRectF, ...]
    strips: dict[str, QRectF]
    head: QRectF
    width: int

    @classmethod
    def of(
        cls, n_pairs: int, width: int, has_vectors: bool, room: QRectF, text_scale: float = 1.0, has_sum: bool = False
    ) -> "LensLayout":
        """The layout of these numbers of pairs and columns in a rectangle of pixels; a sum replaces the odometer."""
        text_scale = max(1.0, text_scale)
        scale = max(_LEAST_SCALE, min(1.0, room.height() / _TALL))
        heights = {name: height * (text_scale if name in _TEXTS else scale) for name, height in _STRIPS.items()}
        heights = _without(heights, _ODOMETER if has_sum else _SUMS)
        below = _heights_with_gaps(heights)
        for left_out in (_VECTORS + _SUMS, _ODOMETER):
            is_low = room.height() - _HEAD - below < _LEAST_CLOCKS
            if is_low or ("before" in left_out and not has_vectors):
                heights = _without(heights, left_out)
                below = _heights_with_gaps(heights)
        clocks = QRectF(room.left(), room.top() + _HEAD, room.width(), max(1.0, room.height() - _HEAD - below))
        bars = [name for name in _VECTORS + _SUMS if name in heights]
        spare = min(_spare(n_pairs, clocks), len(bars) * _STRIPS["before"])
        for name in bars:
            heights[name] += spare / len(bars)
        clocks.setHeight(clocks.height() - spare)
        top, strips, left = clocks.bottom(), dict[str, QRectF](), room.left() + _GUTTER * text_scale
        for name, height in heights.items():
            top += _GAP if name in _SPACED else 0.0
            strips[name] = QRectF(left, top, max(1.0, room.right() - left - _GAP), height)
            top += height
        head = QRectF(room.left(), room.top(), room.width(), _HEAD)
        return cls(_cells(n_pairs, clocks), strips, head, width)

    def circle(self, index: int) -> QRectF:
        """The circle of the clock at this index."""
        cell = self.cells[index]
        side = max(4.0, min(cell.width() - 2 * _GAP, cell.height() - _CAPTION - _GAP))
        circle = QRectF(0, 0, side, side)
        circle.moveCenter(QPointF(cell.center().x(), cell.top() + _GAP / 2 + side / 2))
        return circle

    def caption(self, index: int) -> QRectF:
        """The line below a clock."""
        cell = self.cells[index]
        return QRectF(cell.left(), self.circle(index).bottom() + 2, cell.width(), _CAPTION)

    def column_x(self, column: float) -> float:
        """The x of a column's left edge; of its middle for half a column more."""
        strip = self.strips["columns"]
        return strip.left() + column * strip.width() / self.width

    @property
    def column_px(self) -> float:
        """The width of a column."""
        return self.strips["columns"].width() / self.width

    @property
    def has_bars(self) -> bool:
        """Whether a bar at each column of the vector can be read; else each pair that is shown has two."""
        return self.column_px >= _LEAST_BAR

    def share(self, name: str, index: int, count: int) -> QRectF:
        """One of ``count`` equal parts of a strip."""
        strip = self.strips[name]
        side = strip.width() / count
        return QRectF(strip.left() + index * side, strip.top(), side, strip.height())

    def clock_at(self, place: QPointF) -> int | None:
        """The index of the clock or of the level at a place."""
        for index, cell in enumerate(self.cells):
            if cell.contains(place):
                return index
            shared = ["levels"] if self.has_bars else ["levels", *_VECTORS, *_SUMS]
            if any(self.share(name, index, len(self.cells)).contains(place) for name in shared if name in self.strips):
                return index
        return None

    def column_at(self, place: QPointF) -> int | None:
        """The column of the vector at a place in the strips of columns."""
        strip = self.strips["columns"]
        last = self.strips.get("sum", self.strips.get("after", strip)) if self.has_bars else strip
        if not (strip.left() <= place.x() < strip.right() and strip.top() <= place.y() < last.bottom()):
            return None
        return min(self.width - 1, int((place.x() - strip.left()) / strip.width() * self.width))


def _without(heights: dict[str, float], names: tuple[str, ...]) -> dict[str, float]:
    return {name: height for name, height in heights.items() if name not in names}


def _heights_with_gaps(heights: dict[str, float]) -> float:
    """The height of these strips together, with the gaps and one above them."""
    return sum(heights.values()) + _GAP * (len(_SPACED & heights.keys()) + 1)


def _spare(n_pairs: int, room: QRectF) -> float:
    """The height of a room that circles as wide as their cells do not need, in pixels."""
    cell = _cells(n_pairs, room)[0]
    n_rows = round(room.height() / cell.height())
    return max(0.0, room.height() - n_rows * (cell.width() - 2 * _GAP + _CAPTION + _GAP))


def _cells(n_pairs: int, room: QRectF) -> tuple[QRectF, ...]:
    """Equal parts of the room in as many rows as make the circles largest."""
    rows = max(range(1, 4), key=lambda rows: min(room.width() / math.ceil(n_pairs / rows), room.height() / rows))
    per_row = math.ceil(n_pairs / rows)
    rows = math.ceil(n_pairs / per_row)
    width, height = room.width() / per_row, room.height() / rows
    return tuple(
        QRectF(room.left() + index % per_row * width, room.top() + index // per_row * height, width, height)
        for index in range(n_pairs)
    )
