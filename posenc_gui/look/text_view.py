"""A widget for paragraphs of words and formulas, whose terms have tool tips. Every text is shown literally."""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache

from msgspec import Struct
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QTimer
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from posenc_gui.look.plain_text import plain_tip
from posenc_gui.look.style import Style
from posenc_gui.look.text_layout import Formula, Laid, Paragraph, Run, laid_out
from posenc_gui.look.theme import present_style

_MARK_WIDTH = 3
_LEAST_WIDTH, _USUAL_WIDTH = 120, 280
_MANY, _WIDTHS_KEPT = 64, 8
_LOAD_MS = 30
"""Milliseconds between checks whether the typesetter, which loads in a thread, is ready."""

Placed = tuple[Paragraph, Laid, QPointF]


class _Arrangement(Struct, frozen=True):
    """The paragraphs with their places for one width of the widget, and the height of all."""

    placed: Sequence[Placed]
    height: int


class TextView(QWidget):
    """Paragraphs one below the other.

    Typesetting needs 10 to 30 ms per formula. Each turn of the event loop typesets one, so that the window stays
    responsive; until all are typeset, the view shows their sources, or other paragraphs.
    """

    def __init__(self, margin: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.margin = margin
        self.is_typeset = True
        self._rest_ms = 0
        self._plain: tuple[Paragraph, ...] = ()
        self._then: Callable[[], Sequence[Paragraph]] | None = None
        self._paragraphs: Sequence[Paragraph] = ()
        self._unprepared: list[Paragraph] | None = None
        self._arrangements: dict[int, _Arrangement] = {}
        # A layout requests the height at several widths, and keeps these heights until the next `updateGeometry`.
        self._kept_heights: dict[int, int] = {}
        # Most sentences of a derivation do not change with its numbers.
        self._laid_out = lru_cache(maxsize=_MANY)(_lay_out)
        # Parsing the SVG of a formula needs 0.3 ms, too long for every move of the cursor.
        self._renderer = lru_cache(maxsize=_MANY)(_rendered)
        self._turn = QTimer(self)
        self._turn.timeout.connect(self._typeset_next)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_paragraphs(
        self, paragraphs: Sequence[Paragraph], then: Callable[[], Sequence[Paragraph]] | None = None, rest_ms: int = 0
    ) -> None:
        """Show the paragraphs with the sources of their formulas, until these are typeset.

        The paragraphs from ``then`` replace them once their formulas are typeset, which begins after a pause. A formula
        that cannot be typeset is shown as its source.
        """
        if tuple(paragraphs) != self._plain:
            self._plain, self._then = tuple(paragraphs), then
            self._begin(rest_ms)

    def typeset_soon(self) -> None:
        """End the pause before typesetting; formulas of a hidden view wait until it is shown."""
        if not self.is_typeset and self.isVisible():
            self._turn.start(0)

    @property
    def plain_text(self) -> str:
        """The text, with the sources of formulas."""
        return "\n".join("".join(run.text for run in paragraph.runs) for paragraph in self._plain)

    @property
    def ideal_width(self) -> float:
        """The width of the longest line at the present width; or the width of a wider word."""
        placed = self._arrangement(self.width()).placed
        return 2 * self.margin + max((laid.width for _, laid, _ in placed), default=0.0)

    def tip_at(self, place: QPointF) -> str:
        """The tool tip of the term at a place of the widget; empty for other words."""
        for _, laid, origin in self._arrangement(self.width()).placed:
            tip = laid.tip_at(place - origin)
            if tip:
                return tip
        return ""

    def _begin(self, rest_ms: int) -> None:
        self._rest_ms = rest_ms
        self._paragraphs, self._unprepared = self._plain, None
        self.is_typeset = self._then is None and not _with_formulas(self._plain)
        if self.is_typeset or not self.isVisible():
            self._turn.stop()
        else:
            self._turn.start(rest_ms)
        self._compose()

    def _typeset_next(self) -> None:
        """Typeset one formula, which the typesetter keeps; after the last one, show them all."""
        if not self.isVisible():
            self._turn.stop()  # until the view is shown
            return
        from posenc_gui.look.typeset import ready  # imported on first use

        self._turn.setInterval(0 if ready() else _LOAD_MS)
        if not ready():
            return
        if self._unprepared is None:
            self._coming = self._plain if self._then is None else self._then()
            self._unprepared = _with_formulas(self._coming)
        width, style, before = max(self.width() - 2 * self.margin, 1), present_style(), _typeset.cache_info().misses

        def one(run: Run, paragraph: Paragraph) -> Formula | None:
            if _typeset.cache_info().misses > before:
                raise _NextTurnError
            return _typeset(run, paragraph, style)

        with suppress(_NextTurnError):
            while self._unprepared:
                laid_out(self._unprepared[0], width, style, one)
                del self._unprepared[0]
        if self._unprepared:
            return
        self._turn.stop()
        self.is_typeset, self._paragraphs = True, self._coming
        self._compose()

    def _compose(self) -> None:
        self._arrangements = {}
        self._fit()
        self.update()

    def _fit(self) -> None:
        """Request a layout if the height at the present width is not the one that the layout keeps."""
        if self._kept_heights.get(self.width()) != self._arrangement(self.width()).height:
            self._kept_heights.clear()
            self.updateGeometry()

    def _arrangement(self, width: int) -> _Arrangement:
        if width not in self._arrangements:
            if len(self._arrangements) >= _WIDTHS_KEPT:
                self._arrangements.clear()
            self._arrangements[width] = self._arrange(max(width - 2 * self.margin, 1))
        return self._arrangements[width]

    def _arrange(self, width: int) -> _Arrangement:
        placed: list[Placed] = []
        y = self.margin
        for paragraph in self._paragraphs:
            y += paragraph.gap if placed else 0
            laid = self._laid_out(paragraph, width, self.is_typeset)
            placed.append((paragraph, laid, QPointF(self.margin, y)))
            y += laid.height
        return _Arrangement(placed, y + self.margin)

    def _seen_to(self) -> float:
        """The height in pixels from the top down to which the view is visible in its scroll area.

        A line that would be cut there is not painted. Scrolling must repaint the whole view.
        """
        seen = self.visibleRegion().boundingRect()
        return math.inf if seen.isEmpty() or seen.bottom() + 1 >= self.height() else seen.bottom()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._laid_out.cache_clear()
            self._begin(0)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.is_typeset:
            self._turn.start(self._rest_ms)  # at the start, paint the window first

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        if len(self._kept_heights) >= _WIDTHS_KEPT:
            self._kept_heights.clear()
        height = self._kept_heights[width] = self._arrangement(width).height
        return height

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()  # the layout may keep the height of an earlier text at this width

    @override
    def sizeHint(self) -> QSize:
        return QSize(_USUAL_WIDTH, self._arrangement(_USUAL_WIDTH).height)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH, 2 * self.margin)

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain_tip(self.tip_at(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        style = present_style()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        stop = self._seen_to()
        for paragraph, laid, origin in self._arrangement(self.width()).placed:
            painter.setPen(QColor(getattr(style, paragraph.role)))
            for line in laid.lines:
                if origin.y() + line.rect().bottom() <= stop:
                    line.draw(painter, origin)
            for formula, rect in laid.formulas:
                if origin.y() + rect.bottom() <= stop:
                    self._renderer(formula.svg).render(painter, rect.translated(origin))
            if paragraph.is_result and laid.layout is None and origin.y() + laid.height <= stop:
                left = self.margin // 2 - _MARK_WIDTH // 2
                painter.fillRect(QRectF(left, origin.y(), _MARK_WIDTH, laid.height), QColor(style.accent))
        painter.end()


def _lay_out(paragraph: Paragraph, width: int, with_formulas: bool) -> Laid:
    return laid_out(paragraph, width, present_style(), _formula if with_formulas else _no_formula)


def _with_formulas(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    return [each for each in paragraphs if any(run.is_formula for run in each.runs)]


class _NextTurnError(Exception):
    """A formula was typeset in this turn already."""


def _formula(run: Run, paragraph: Paragraph) -> Formula | None:
    return _typeset(run, paragraph, present_style())


@lru_cache(maxsize=256)
def _typeset(run: Run, paragraph: Paragraph, style: Style) -> Formula | None:
    """The typeset formula, None for one that cannot be typeset."""
    from posenc_gui.look.typeset import typeset  # imported on first use

    try:
        return typeset(run.text, paragraph.px_of_formulas(style), getattr(style, paragraph.role))
    except ValueError:
        return None


def _no_formula(_run: Run, _paragraph: Paragraph) -> None:
    """Write the source."""


def _rendered(svg: bytes) -> QSvgRenderer:
    """Wrapping Qt's class itself would read its docstring, which PySide needs 100 ms to create."""
    return QSvgRenderer(svg)
