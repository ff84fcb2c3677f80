"""Curves of engines that part from the class, and below them a row per engine; a click compares it as B."""

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter
from typing_extensions import override

from posenc_core import Document
from posenc_core.engines import DIFFERENT, SAME, SAME_ANGLES, EngineRow
from posenc_core.session import NamedEncoding
from posenc_gui.figures import Canvas, Choice, Switch
from posenc_gui.figures.lines import LineFigure, LineViewport
from posenc_gui.layers import cut
from posenc_gui.look import Style, plain_tip
from posenc_gui.panels.engines.plots import plots
from posenc_gui.panels.engines.pointing import EnginesPointing
from posenc_gui.panels.engines.rows import table_of
from posenc_gui.panels.engines.spec import CURVES, SHOWN, SPEC, TABLE
from posenc_gui.plotting import Lettering

_ROW_PX, _LOW_ROW_PX, _HIGH_ROW_PX, _PX = 17.0, 13.0, 28.0, 11
_LEAST_PLOT_PX = 130.0
"""The least height of the plot with its axis; with less, the table has all the room."""
_HEADS = ("engine", "verdict", "first off by 45°", "scores ×", "unseen", "difference, or reason")
_SHARES = (0.17, 0.10, 0.18, 0.09, 0.08, 0.38)
_NARROW_SHARES = (0.32, 0.22, 0.30, 0.16)
_NARROWEST_SHARES = (0.38, 0.31, 0.31)
_NARROW, _NARROWEST = 560.0, 320.0
"""A table narrower than this has the first four columns, a still narrower one three, in fewer words."""
_COMPARED = "compare", "difference"
_PARTS = (
    Choice(TABLE, "Table", "A row per engine, below the curves if both have room"),
    Choice(CURVES, "Curves", "Pairs off by more than 45 degrees, over the position"),
)


class EnginesViewport(LineViewport):
    """The viewport of the curves, with the choice between these and the table."""

    least_above = 90.0

    @override
    def switches(self) -> tuple[Switch, ...]:
        return (Switch(SHOWN.name, _PARTS, self._shown),) if self.view.plots else ()

    @property
    def _shown(self) -> str:
        shown: str = self.view.document.option(SHOWN)
        return shown

    @override
    def legend_height(self, size: QSizeF) -> float:
        return super().legend_height(size) if self._shown == CURVES else 0.0


class EnginesFigure(LineFigure):
    """The drift of each engine, and the table of all."""

    spec, plots, pointing_class, viewport_class = SPEC, plots, EnginesPointing, EnginesViewport
    pointing: EnginesPointing
    has_legend_below = True

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.table = Canvas(self._draw, lambda place: None)
        self.table.unit = style.text_scale
        self.addItem(self.table, self.n_plots + 3, 0, 1, 3)
        self.table.hovered.connect(self._point_row)
        self.table.clicked.connect(self._open_row)
        self.layout.setRowStretchFactor(self.n_plots + 3, 0)
        self.geometryChanged.connect(self._fit_table)

    @property
    def engine_rows(self) -> tuple[EngineRow, ...]:
        """The rows of the table; none for a document that lacks something."""
        return table_of(self.document).rows if self.spec.missing(self.document) is None else ()

    @property
    def row_px(self) -> float:
        """The height of a row of the table: fixed below curves, else by the height of the panel."""
        height, n_rows = self.size().height() / self.table.unit, len(self.engine_rows) + 1
        if height >= n_rows * _ROW_PX + _LEAST_PLOT_PX:
            return _ROW_PX
        return min(max(_room_of(self) / n_rows, _LOW_ROW_PX), _HIGH_ROW_PX)

    @property
    def shown_rows(self) -> tuple[EngineRow, ...]:
        """The rows that fit; a line on the omitted rows replaces the last fitting row."""
        rows, room = self.engine_rows, int(_room_of(self) // self.row_px) - 1
        return rows if len(rows) <= room else rows[: max(0, room - 1)]

    def place_of(self, row: int) -> QRectF:
        """The rectangle of a row of the table, the heads being row -1."""
        return QRectF(0, (row + 1) * self.row_px, self.table.room.width(), self.row_px)

    @override
    def _document_shown(self, before: Document) -> None:
        super()._document_shown(before)
        self._fit_table()

    @override
    def _style_shown(self) -> None:
        self.table.unit = self.style.text_scale
        self._fit_table()

    def _fit_table(self) -> None:
        """Set the table to the height of its rows, and the plot to the rest, if that is enough; else only the plot."""
        height, has_table = self.size().height() / self.table.unit, self.document.option(SHOWN) == TABLE
        full = self.row_px * (len(self.engine_rows) + 1) if has_table else 0.0
        self.table.setVisible(has_table)
        self.show_lines(not has_table or height >= full + _LEAST_PLOT_PX)
        tall, row = max(0.0, min(full, _room_of(self))) * self.table.unit, self.n_plots + 3
        self.layout.setRowMinimumHeight(row, 0.0)  # a height that is fixed would keep the panel from becoming lower
        self.layout.setRowPreferredHeight(row, tall)
        self.layout.setRowMaximumHeight(row, tall)
        self.table.update()

    def _draw(self, painter: QPainter) -> None:
        style = self.style.scaled(1.0)
        painter.setPen(style.pen(style.muted))
        _write(painter, self.place_of(-1), _HEADS, style)
        rows = self.shown_rows
        for index, row in enumerate(rows):
            if index == self.pointing.marked:
                painter.fillRect(self.place_of(index), QColor(style.grid))
            painter.setPen(style.pen(style.muted if row.verdict == SAME else style.ink))
            _write(painter, self.place_of(index), _cells(row), style, semibold=row.verdict == DIFFERENT)
        left_out = len(self.engine_rows) - len(rows)
        if left_out:
            place = self.place_of(len(rows)).adjusted(4, 0, -4, 0)
            words = f"{left_out} more rows need more room (Ctrl+M)"
            Lettering(painter, style, _PX).write_in(place, words, Qt.AlignmentFlag.AlignLeft, style.muted)

    def _point_row(self, place: QPointF | None) -> None:
        index = None if place is None else int(place.y() // self.row_px) - 1
        marked = index if index is not None and 0 <= index < len(self.shown_rows) else None
        if marked != self.pointing.marked:
            self.pointing.marked = marked
            self.table.setToolTip(plain_tip(self.pointing.spoken().replace("; ", "\n")))
            self.table.update()
            self.marksChanged.emit(self.pointing.spoken())

    def _open_row(self, place: QPointF, is_shifted: bool) -> None:
        """Show the result of the row's engine as B, in the workspace Compare."""
        self._point_row(place)
        row = self.pointing.marked_row
        if row is None or row.computed.encoding is None:
            return
        name = _cells(row)[0] + ("" if row.computed.window_read else ", window not read")
        listed = [*self.document.encodings[:1], NamedEncoding(row.computed.encoding, name)]
        self.encodingsEdited.emit((*listed, *self.document.encodings[2:]), 0, name)
        self.viewAsked.emit(*_COMPARED)


def _write(painter: QPainter, place: QRectF, words: tuple[str, ...], style: Style, semibold: bool = False) -> None:
    """Write the words of a row of the table in its columns."""
    left = 4.0
    lettering = Lettering(painter, style, _PX, semibold)
    is_narrowest = place.width() < _NARROWEST
    shares = _SHARES if place.width() >= _NARROW else _NARROWEST_SHARES if is_narrowest else _NARROW_SHARES
    if is_narrowest:
        first = words[2].partition(" (")[0].removeprefix("first ")
        first = "window" if "window" in first else first
        words = (words[0].partition(" ")[0], "angles" if words[1] == SAME_ANGLES else words[1], first)
    for text, share in zip(words, shares, strict=False):
        width = share * (place.width() - 8)
        shown = cut(text, width - 6, style, _PX, semibold=semibold)
        lettering.write_in(QRectF(left, place.top(), width - 6, place.height()), shown, Qt.AlignmentFlag.AlignLeft)
        left += width


def _room_of(figure: EnginesFigure) -> float:
    """The height that the table has alone, in pixels of usual text."""
    _, top, _, bottom = figure.layout.getContentsMargins()
    beside: float = top + bottom + figure.layout.verticalSpacing()
    return (figure.size().height() - beside) / figure.table.unit


def _cells(row: EngineRow) -> tuple[str, ...]:
    found = row.computed
    first = _other_window(row) if row.position is None else f"{row.position:,} (pair {row.pair})"
    score = "" if row.score_factor is None else f"{row.score_factor:.4g}"
    unseen = "" if row.unseen is None else str(row.unseen)
    unread = "" if found.window_read else "its window was not read"
    why = "; ".join(filter(None, (*row.differences, found.refuses, found.unknown, found.too_long, unread)))
    version = found.source.version
    title = f"{row.title} {version}" if version[:1].isdigit() else row.title  # llama.cpp has another package's
    return title, row.verdict, first, score, unseen, why


def _other_window(row: EngineRow) -> str:
    """The engine's window where it differs, in place of a position; empty where it does not."""
    if not any(told.startswith("window") for told in row.differences):
        return ""
    return "no window" if row.computed.window is None else f"window {row.computed.window:,}"


FIGURE = EnginesFigure
