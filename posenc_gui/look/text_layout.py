"""Paragraphs of words, formulas and terms, laid out in lines of a width."""

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from posenc_gui.look.style import TEXT_PX, Style

_INLINE = 1.2
"""The size of a formula in sizes of the text around it: its letters are smaller."""

_LEAST_FORMULA_PX = 12
"""The size before the text's scale below which a formula breaks into lines instead of shrinking."""

_SHORT, _SPACE = 2, 0.25
"""Width in font sizes below which a formula's first part shares its line, and width of the space between parts."""

_PLACE = "\u00a0"
"""Placeholder of a formula: lines break beside it as beside a word."""


class Formula(Struct, frozen=True):
    """The picture of a formula and its box, in whole logical pixels.

    The box has a margin around the ink. ``ascent`` is the distance from its top edge to the baseline. Digits
    and fraction bars are sharp if the box starts on a whole pixel.
    """

    svg: bytes
    width: int
    height: int
    ascent: int

    @property
    def descent(self) -> int:
        """The distance from the baseline to the bottom edge in pixels."""
        return self.height - self.ascent


class Run(Struct, frozen=True):
    """A part of a paragraph: words, a term with its tool tip, or a formula in LaTeX.

    ``plain`` is the text of a formula that cannot be typeset, by default its LaTeX.
    """

    text: str
    tip: str = ""
    is_formula: bool = False
    plain: str = ""


class Paragraph(Struct, frozen=True):
    """Runs of text, or a single formula of ``formula_px``, in the style's colour called ``role``.

    Sizes are logical pixels before the text's scale. ``gap`` is the distance to the paragraph above. ``is_result``
    draws a bar beside a single formula, ``is_code`` sets the text in a monospaced font.
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
        """Whether the paragraph is a formula on separate lines."""
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


FormulaOf = Callable[[Run, Paragraph], Formula | None]
"""Typesets a run's formula for a paragraph; None to write its text."""


def laid_out(paragraph: Paragraph, width: int, style: Style, formula_of: FormulaOf) -> Laid:
    """The paragraph in lines of at most ``width`` pixels."""
    if paragraph.is_formula and (formula := formula_of(paragraph.runs[0], paragraph)) is not None:
        return _formula_in_lines(paragraph, formula, width, style, formula_of)
    font = style.font(paragraph.px, semibold=paragraph.semibold)
    if paragraph.is_code:
        font.setFamilies(["monospace", *font.families()])
    text, formats, tips = "", [], []
    formulas: dict[int, tuple[Formula, float]] = {}  # by character, with their scale
    for run in paragraph.runs:
        formula = formula_of(run, paragraph) if run.is_formula else None
        shown = (run.plain or run.text).replace("\n", "\u2028") if formula is None else _PLACE
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


def _formula_in_lines(paragraph: Paragraph, formula: Formula, width: int, style: Style, formula_of: FormulaOf) -> Laid:
    """A paragraph's only formula, broken into parts that may shrink to the least size at most."""
    font_px = paragraph.px_of_formulas(style)
    widest = width * font_px / (_LEAST_FORMULA_PX * style.text_scale)
    if formula.width <= widest:
        return _in_lines([formula], font_px, width)

    def made(latex: str) -> Formula | None:
        return formula_of(Run(latex, is_formula=True), paragraph)

    within = widest * (width - font_px) / width  # later lines are indented
    return _in_lines(_pieces(paragraph.runs[0].text, within, made, _BREAKS), font_px, width)


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
    """The formulas with their rectangles, each with its baseline on the line's."""
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


def _in_lines(parts: Sequence[Formula], font_px: int, width: int) -> Laid:
    """The parts of a formula side by side in lines at most ``width`` wide; lines after the first are indented.

    A line is at least as high as digits, so that rows do not jump when numbers change. Its baseline is on a whole
    pixel, so that digits and fraction bars are sharp.
    """
    placed: list[tuple[Formula, QRectF]] = []
    height = 0
    for line, indent in _filled(parts, font_px, width):
        gap = round(_SPACE * font_px)
        scale = min(1.0, max(1, width - indent) / (sum(part.width + gap for part in line) - gap))
        ascent = math.ceil(max(0.75 * font_px, *(part.ascent for part in line)) * scale)
        descent = math.ceil(max(0.25 * font_px, *(part.descent for part in line)) * scale)
        x: float = indent
        for part in line:
            top = height + ascent - part.ascent * scale
            placed.append((part, QRectF(x, top, part.width * scale, part.height * scale)))
            x += (part.width + gap) * scale
        height += ascent + descent
    return Laid(None, placed, [], height)


def _filled(parts: Sequence[Formula], font_px: int, width: int) -> list[tuple[list[Formula], int]]:
    """The parts of each line, with its indent in pixels."""
    lines: list[tuple[list[Formula], int]] = [([], 0)]
    for part in parts:
        line, indent = lines[-1]
        taken = sum(each.width + _SPACE * font_px for each in line)
        if taken > _SHORT * font_px and indent + taken + part.width > width:
            lines.append(([part], font_px))
        else:
            line.append(part)
    return lines


def _pieces(
    latex: str, widest: float, made: Callable[[str], Formula | None], breaks: Sequence[frozenset[str]]
) -> list[Formula]:
    """The formula, or where it is wider its parts, from the first signs of ``breaks`` on and then from the others.

    Empty if it cannot be typeset.
    """
    formula = made(latex)
    if formula is None or formula.width <= widest or not breaks:
        return [] if formula is None else [formula]
    parts = [_pieces(part, widest, made, breaks[1:]) for part in broken(latex, breaks[0])]
    return [piece for part in parts for piece in part] if all(parts) else [formula]


_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)
_RELATIONS = frozenset({"=", "<", ">", r"\approx", r"\le", r"\ge", r"\equiv"})
_SIGNS = frozenset({"+", "-"})
_BREAKS = (_RELATIONS, _SIGNS, frozenset({r"\cdot"}))
_OPENING, _CLOSING = {"{", "(", "[", r"\left", r"\begin"}, {"}", ")", "]", r"\right", r"\end"}


def broken(latex: str, signs: frozenset[str] = _RELATIONS) -> list[str]:
    """The parts of a formula in LaTeX, each from one of the signs on that is in no group.

    The sign of a number, after nothing or another sign, begins no part.
    """
    parts, depth, before = [""], 0, ""
    for token in _TOKEN.findall(latex):
        depth += (token in _OPENING) - (token in _CLOSING)
        is_sign = before in _RELATIONS | _SIGNS | {"", r"\cdot", "^", "_"}
        if depth == 0 and token in signs and parts[-1].strip() and not (is_sign and token in _SIGNS):
            parts.append("")
        parts[-1] += token
        before = token if token.strip() else before
    return parts


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
