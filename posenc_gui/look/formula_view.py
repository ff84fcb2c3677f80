"""The steps of a derivation as a column of sentences and typeset formulas."""

import math
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from posenc_core.explain import GLOSSARY, glossary_words
from posenc_gui.look.plain_text import plain_tip
from posenc_gui.look.typeset import Formula
from posenc_gui.look.typeset import typeset as typeset_formula

# Lengths in logical pixels.
TEXT_PX, FORMULA_PX, HEADLINE_PX = 12, 15, 20
MARGIN = 10
STEP_GAP, FORMULA_GAP = 9, 3
MARK_WIDTH = 3
PREFERRED_WIDTH, MINIMUM_WIDTH = 280, 120

_MANY_WRAPS = 64


class _Sentence(Struct, frozen=True):
    """A text that wraps, and the gap above it."""

    text: str
    color: str
    gap: int


class _Picture(Struct, frozen=True):
    """A typeset formula, its font size and the gap above it."""

    formula: Formula
    font_px: int
    gap: int
    is_result: bool


class _Arrangement(Struct, frozen=True):
    """Everything that is painted, and where, for one width of the widget."""

    sentences: list[tuple[QTextLayout, QPointF, QColor]]
    pictures: list[tuple[QSvgRenderer, QRectF]]
    mark: QRectF | None
    height: int


class DerivationView(QWidget):
    """A column of steps, each a sentence with its formula below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps: tuple[tuple[str, str | None], ...] = ()
        self._typeset = False
        self._ink, self._muted, self._accent = "#1b1f24", "#5b6472", "#0072b2"
        self._scale = 1.0
        self._rows: list[_Sentence | _Picture] = []
        # A layout asks for the height at several widths.
        self._arrangements: dict[int, _Arrangement] = {}
        # Most sentences of a derivation do not change with its numbers.
        self._wraps: dict[tuple[str, int], tuple[QTextLayout, int]] = {}
        # Parsing the SVG of a formula takes 0.3 ms, too long for every move of the cursor.
        self._renderer = lru_cache(maxsize=64)(_rendered)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName("Derivation")

    def show_steps(self, steps: Sequence[tuple[str, str | None]], typeset: bool) -> None:
        """Show the steps, each a text, which may be empty, and its LaTeX or None.

        ``typeset=False`` shows the texts alone. A formula that cannot be typeset is shown as its source.
        """
        if (tuple(steps), typeset) == (self._steps, self._typeset):
            return
        self._steps, self._typeset = tuple(steps), typeset
        self.setAccessibleDescription("\n".join(part for step in self._steps for part in step if part))
        self._compose()

    def set_colors(self, ink: str, muted: str, accent: str) -> None:
        """Paint formulas and the last sentence in ``ink``, other sentences in ``muted``.

        ``accent`` is the colour of the bar beside the result. ValueError for a colour that is unknown or not opaque.
        """
        for color in (ink, muted, accent):
            if not QColor.isValidColorName(color) or QColor(color).alpha() < 255:
                raise ValueError(f"“{color}” is not an opaque colour.")
        if (ink, muted, accent) != (self._ink, self._muted, self._accent):
            self._ink, self._muted, self._accent = ink, muted, accent
            self._wraps.clear()  # whose words have dots in these colours
            self._compose()

    def set_scale(self, scale: float) -> None:
        """Show texts and formulas in another size, a multiple of the usual one."""
        if scale != self._scale:
            self._scale = scale
            self._wraps.clear()
            self._compose()

    @property
    def headline_px(self) -> int:
        """The size of the first formula."""
        return round(HEADLINE_PX * self._scale)

    @property
    def formula_px(self) -> int:
        """The size of the other formulas."""
        return round(FORMULA_PX * self._scale)

    def _compose(self) -> None:
        """Build the rows from steps and colours, and update the widget, and its layout if the height changes."""
        before = self._arrangements.get(self.width())
        self._rows = []
        font_px = self.headline_px
        for i, (text, latex) in enumerate(self._steps):
            is_result = i == len(self._steps) - 1
            if text:
                self._rows.append(_Sentence(text, self._ink if is_result else self._muted, STEP_GAP))
            if latex and self._typeset:
                self._rows.append(self._formula_row(latex, font_px, is_result, FORMULA_GAP if text else STEP_GAP))
                font_px = self.formula_px
        self._arrangements.clear()
        # With the same height, nothing around the widget has to be laid out again.
        if before is None or before.height != self.heightForWidth(self.width()):
            self.updateGeometry()
        self.update()

    def _formula_row(self, latex: str, font_px: int, is_result: bool, gap: int) -> _Sentence | _Picture:
        try:
            formula = typeset_formula(latex, font_px, self._ink)
        except ValueError:
            return _Sentence(latex, self._ink, gap)
        return _Picture(formula, font_px, gap, is_result)

    def _arrangement(self, width: int) -> _Arrangement:
        if width not in self._arrangements:
            if len(self._arrangements) > 8:
                self._arrangements.clear()
            self._arrangements[width] = self._arrange(width)
        return self._arrangements[width]

    def _arrange(self, width: int) -> _Arrangement:
        """The rows one below the other in ``width`` pixels."""
        available = max(width - 2 * MARGIN, 1)
        sentences: list[tuple[QTextLayout, QPointF, QColor]] = []
        pictures: list[tuple[QSvgRenderer, QRectF]] = []
        mark = None
        y = MARGIN
        for i, row in enumerate(self._rows):
            y += row.gap if i else 0
            if isinstance(row, _Sentence):
                layout, height = self._wrapped(row.text, available)
                sentences.append((layout, QPointF(MARGIN, y), QColor(row.color)))
            else:
                rect, height = _place(row, y, available)
                pictures.append((self._renderer(row.formula.svg), rect))
                if row.is_result:
                    mark = QRectF(MARGIN // 2 - MARK_WIDTH // 2, y, MARK_WIDTH, height)
            y += height
        return _Arrangement(sentences, pictures, mark, y + MARGIN)

    def _wrapped(self, text: str, width: int) -> tuple[QTextLayout, int]:
        """The text in lines of at most ``width`` pixels, and the height of the lines; cached."""
        whole = self._wraps.get((text, 0))  # a single line, which fits any larger width
        if whole is not None and whole[0].lineAt(0).naturalTextWidth() <= width:
            return whole
        if (text, width) not in self._wraps:
            if len(self._wraps) >= _MANY_WRAPS:
                self._wraps.clear()
            font = QFont(self.font())
            font.setPixelSize(round(TEXT_PX * self._scale))
            layout, height = _wrap(text, width, font, self._muted)
            self._wraps[text, width if layout.lineCount() > 1 else 0] = layout, height
            return layout, height
        return self._wraps[text, width]

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return self._arrangement(width).height

    @override
    def sizeHint(self) -> QSize:
        return QSize(PREFERRED_WIDTH, self.heightForWidth(PREFERRED_WIDTH))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(MINIMUM_WIDTH, 2 * MARGIN)

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain_tip(self.tip_at(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def tip_at(self, place: QPointF) -> str:
        """The glossary's sentence for the word at a place of the widget; empty for other words."""
        for layout, origin, _ in self._arrangement(self.width()).sentences:
            inside = place - origin
            for line in (layout.lineAt(index) for index in range(layout.lineCount())):
                if line.naturalTextRect().contains(inside):
                    character = line.xToCursor(inside.x(), QTextLine.CursorPosition.CursorOnCharacter)
                    words = glossary_words(layout.text())
                    return next((GLOSSARY[word] for part, word in words if character in part), "")
        return ""

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._wraps.clear()
            self._compose()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        arrangement = self._arrangement(self.width())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for layout, place, color in arrangement.sentences:
            painter.setPen(color)
            layout.draw(painter, place)
        for renderer, rect in arrangement.pictures:
            renderer.render(painter, rect)
        if arrangement.mark is not None:
            painter.fillRect(arrangement.mark, QColor(self._accent))
        painter.end()


def _rendered(svg: bytes) -> QSvgRenderer:
    """Wrapping Qt's class itself would read its docstring, which takes PySide 100 ms to create."""
    return QSvgRenderer(svg)


def _underlined(place: range, color: str) -> QTextLayout.FormatRange:
    """Dots below a word that has a tool tip."""
    part = QTextLayout.FormatRange()
    part.start, part.length = place.start, len(place)
    part.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
    part.format.setUnderlineColor(QColor(color))
    return part


def _wrap(text: str, width: int, font: QFont, dots: str) -> tuple[QTextLayout, int]:
    layout = QTextLayout(text.replace("\n", "\u2028"), font)
    layout.setFormats([_underlined(place, dots) for place, _ in glossary_words(text)])
    layout.setCacheEnabled(True)
    option = QTextOption(Qt.AlignmentFlag.AlignLeft)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    height = 0.0
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0, height))
        height += math.ceil(line.height() + max(line.leading(), 0))
    layout.endLayout()
    return layout, int(height)


def _place(row: _Picture, y: int, width: int) -> tuple[QRectF, int]:
    """The rectangle of the formula below ``y``, at most ``width`` wide, and the height of its line, in pixels."""
    formula = row.formula
    scale = min(1.0, width / formula.width)
    # A line is at least as high as digits, so that rows do not jump when numbers change. Its baseline is on a whole
    # pixel, so that digits and fraction bars are sharp.
    ascent = math.ceil(max(formula.ascent, 0.75 * row.font_px) * scale)
    descent = math.ceil(max(formula.descent, 0.25 * row.font_px) * scale)
    top = y + ascent - formula.ascent * scale
    return QRectF(MARGIN, top, formula.width * scale, formula.height * scale), ascent + descent
