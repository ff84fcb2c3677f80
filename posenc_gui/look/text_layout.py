"""Paragraphs of words, formulas and terms, laid out in lines of a width."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from posenc_gui.look.style import TEXT_PX, Style
from posenc_gui.look.typeset import Formula

_INLINE = 1.2
"""The size of a formula in sizes of the text around it: its letters are smaller."""

_PLACE = "\u00a0"
"""Stands for a formula: lines break beside it as beside a word."""


class Run(Struct, frozen=True):
    """A part of a paragraph: words, a term with its tool tip, or a formula in LaTeX."""

    text: str
    tip: str = ""
    is_formula: bool = False


class Paragraph(Struct, frozen=True):
    """Runs of text, or a single formula of ``formula_px``, in the style's colour called ``role``.

    Sizes are logical pixels before the text's scale. ``gap`` is the distance to the paragraph above. ``is_result`` puts
    a bar beside a single formula, ``is_code`` sets the text in a font whose letters are equally wide.
    """

    runs: tuple[Run, ...]
    px: int = TEXT_PX
    role: str = "ink"
    semibold: bool = False
    gap: int = 8
    formula_px: int = 0
    is_result: bool = False
    is_code: bool = False

    @property
    def is_formula(self) -> bool:
        """Whether the paragraph is a formula on lines of its own."""
        return self.formula_px > 0

    def px_of_formulas(self, style: Style) -> int:
        """The size of its formulas in this style."""
        return round((self.formula_px or self.px * _INLINE) * style.text_scale)


class Laid(Struct, frozen=True):
    """A paragraph in lines: its text, its formulas with their places, its tips by character, and its height."""

    layout: QTextLayout | None
    formulas: Sequence[tuple[Formula, QRectF]]
    tips: Sequence[tuple[range, str]]
    height: int

    @property
    def lines(self) -> list[QTextLine]:
        """The lines of its text."""
        return [] if self.layout is None else [self.layout.lineAt(index) for index in range(self.layout.lineCount())]

    @property
    def width(self) -> float:
        """The width of the longest line."""
        ends = [rect.right() for _, rect in self.formulas] if self.layout is None else []
        return max([*ends, *(line.naturalTextWidth() for line in self.lines)], default=0.0)

    def tip_at(self, place: QPointF) -> str:
        """The tool tip of the term at a place; empty for other words."""
        for line in self.lines:
            if line.naturalTextRect().contains(place):
                character = line.xToCursor(place.x(), QTextLine.CursorPosition.CursorOnCharacter)
                return next((tip for part, tip in self.tips if character in part), "")
        return ""


def laid_out(
    paragraph: Paragraph, width: int, style: Style, formula_of: Callable[[Run, Paragraph], Formula | None]
) -> Laid:
    """The paragraph in lines of at most ``width`` pixels.

    ``formula_of`` returns a typeset formula, or None to write its source.
    """
    if paragraph.is_formula and (formula := formula_of(paragraph.runs[0], paragraph)) is not None:
        return _alone(formula, paragraph.px_of_formulas(style), width)
    font = style.font(paragraph.px, semibold=paragraph.semibold)
    if paragraph.is_code:
        font.setFamilies(["monospace", *font.families()])
    text, formats, tips = "", [], []
    formulas: dict[int, tuple[Formula, float]] = {}  # by character, with their scale
    for run in paragraph.runs:
        formula = formula_of(run, paragraph) if run.is_formula else None
        shown = run.text.replace("\n", "\u2028") if formula is None else _PLACE
        part = range(len(text), len(text) + len(shown))
        text += shown
        if formula is not None:
            scale = min(1.0, width / formula.width)
            formulas[part.start] = formula, scale
            blank = QFontMetricsF(font).horizontalAdvance(_PLACE)
            formats.append(_spaced(part, formula.width * scale - blank))
        elif run.tip:
            tips.append((part, run.tip))
            formats.append(_underlined(part, style.accent))
    layout = QTextLayout(text, font)
    layout.setFormats(formats)
    layout.setCacheEnabled(True)
    option = QTextOption(Qt.AlignmentFlag.AlignLeft)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    height = _break_lines(layout, width, formulas)
    return Laid(layout, _places(layout, formulas), tips, height)


def _break_lines(layout: QTextLayout, width: int, formulas: dict[int, tuple[Formula, float]]) -> int:
    """Put the lines below each other, each as high as its words and formulas; returns the height of all."""
    height = 0
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        characters = range(line.textStart(), line.textStart() + line.textLength())
        held = [formulas[each] for each in characters if each in formulas] if formulas else []
        above = max([line.ascent(), *(formula.ascent * scale for formula, scale in held)])
        below = max([line.descent(), *(formula.descent * scale for formula, scale in held)])
        line.setPosition(QPointF(0, height + above - line.ascent()))
        height += math.ceil(above + below + max(line.leading(), 0))
    layout.endLayout()
    return height


def _places(layout: QTextLayout, formulas: dict[int, tuple[Formula, float]]) -> list[tuple[Formula, QRectF]]:
    """The formulas with their rectangles, each with its baseline on that of its line."""
    placed = []
    for character, (formula, scale) in formulas.items():
        line = layout.lineForTextPosition(character)
        ends = [_x_of(line, character), _x_of(line, character + 1)]
        top = line.y() + line.ascent() - formula.ascent * scale
        placed.append((formula, QRectF(min(ends), top, formula.width * scale, formula.height * scale)))
    return placed


def _x_of(line: QTextLine, character: int) -> float:
    found: Any = line.cursorToX(character)  # and the character
    return float(found[0])


def _alone(formula: Formula, font_px: int, width: int) -> Laid:
    """A formula on a line of its own, at most ``width`` wide.

    The line is at least as high as digits, so that rows do not jump when numbers change. Its baseline is on a whole
    pixel, so that digits and fraction bars are sharp.
    """
    scale = min(1.0, width / formula.width)
    ascent = math.ceil(max(formula.ascent, 0.75 * font_px) * scale)
    descent = math.ceil(max(formula.descent, 0.25 * font_px) * scale)
    rect = QRectF(0, ascent - formula.ascent * scale, formula.width * scale, formula.height * scale)
    return Laid(None, [(formula, rect)], [], ascent + descent)


def _spaced(part: range, more: float) -> QTextLayout.FormatRange:
    """A character that is wider by some pixels."""
    spaced = _format_of(part)
    spaced.format.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
    spaced.format.setFontLetterSpacing(more)
    return spaced


def _underlined(part: range, color: str) -> QTextLayout.FormatRange:
    """Dots below a word that has a tool tip."""
    underlined = _format_of(part)
    underlined.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
    underlined.format.setUnderlineColor(QColor(color))
    return underlined


def _format_of(part: range) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length = part.start, len(part)
    return found
