"""The table of the scorecard: heads, titles, and cells whose colour and sign say how good a number is."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from posenc_core.gallery import FAIR, GOOD, POOR, PROPERTIES, SIGNS, Score, Scorecard, Scores, Setting
from posenc_gui.layers import cut, wrapped
from posenc_gui.look import Style, blend, true_minus
from posenc_gui.panels.scorecard.layout import HEAD_LINE_PX, ScorecardLayout
from posenc_gui.plotting import Lettering

_HEAD_PX, _CELL_PX, _SMALL_PX = 10, 11, 9
_HEAD_INSET = 2
_SMALL_ROW = 15.0
_OPACITY = {"light": 0.20, "dark": 0.30}
_PENDING = "…"
GOOD_SIGN = SIGNS[GOOD]
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight


def grade_colour(style: Style, grade: str) -> QColor | None:
    """The ground of a cell of this grade; None for one without a number."""
    hue = {GOOD: style.sine, FAIR: style.warning, POOR: style.error}.get(grade)
    if hue is None:
        return None
    colour = QColor(hue)
    colour.setAlphaF(_OPACITY[style.name])
    return colour


def ground_colour(style: Style, grade: str) -> QColor:
    """The ground of a cell of this grade as it looks on the paper."""
    colour = grade_colour(style, grade)
    return QColor(style.paper) if colour is None else blend(colour.name(), style.paper, colour.alphaF())


def draw_scorecard(
    painter: QPainter,
    card: Scorecard,
    scores: Scores,
    layout: ScorecardLayout,
    style: Style,
    chosen: int | None,
    marked: tuple[int, int] | None,
) -> None:
    """Draw the table; the chosen family's title is accented, the marked cell has a frame."""
    _draw_heads(painter, card.setting, layout, style)
    small = layout.row_height < _SMALL_ROW
    for row, (family, cells) in enumerate(zip(card.families, scores, strict=True)):
        lettering = Lettering(painter, style, _SMALL_PX if small else _CELL_PX, semibold=row == chosen)
        place = layout.title(row)
        painter.setPen(style.pen(style.accent if row == chosen else style.ink))
        text = cut(family.title, place.width(), style, _SMALL_PX if small else _CELL_PX, semibold=row == chosen)
        lettering.write_in(place, text, _LEFT)
        for column, score in enumerate(cells):
            _draw_cell(painter, score, layout.cell(row, column), style, small)
    painter.setPen(style.pen(style.border))
    for row in range(len(card.families) + 1):
        y = layout.table.top() + row * layout.row_height
        painter.drawLine(
            QRectF(0, y, layout.table.right(), 0).topLeft(), QRectF(0, y, layout.table.right(), 0).topRight()
        )
    if marked is not None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(style.pen(style.ink, 1.5))
        painter.drawRect(layout.cell(*marked).adjusted(1, 1, -1, -1))


def _draw_heads(painter: QPainter, setting: Setting, layout: ScorecardLayout, style: Style) -> None:
    """Each property's title above the numbers that are good."""
    lettering, width = Lettering(painter, style, _HEAD_PX), layout.head(0).width() - 2 * _HEAD_INSET
    headings = [each.heading(setting) for each in PROPERTIES]
    words = [word for heading in headings for word in heading.split()]
    px = _HEAD_PX if max(map(lettering.width, words)) <= width else _SMALL_PX
    lettering = Lettering(painter, style, px)
    painter.setPen(style.pen(style.muted))
    for column, (each, heading) in enumerate(zip(PROPERTIES, headings, strict=True)):
        place = layout.head(column)
        lines = wrapped(heading, width, 3, style, px)
        if layout.has_good:
            lines.append(cut(f"{GOOD_SIGN} {each.good}", width, style, px))
        for index, line in enumerate(lines):
            top = place.bottom() - (len(lines) - index) * HEAD_LINE_PX
            lettering.write_in(QRectF(place.left() + _HEAD_INSET, top, width, HEAD_LINE_PX), line)


def _draw_cell(painter: QPainter, score: Score | None, place: QRectF, style: Style, small: bool) -> None:
    """A number at the left of its sign; only the sign where the number has no room."""
    px = _SMALL_PX if small else _CELL_PX
    ground = None if score is None else grade_colour(style, score.grade)
    if ground is not None:
        painter.fillRect(place.adjusted(1, 1, -1, 0), ground)
    lettering = Lettering(painter, style, px)
    inside = place.adjusted(4, 0, -4, 0)
    if score is None or score.number is None:
        painter.setPen(style.pen(style.muted))
        lettering.write_in(inside, _PENDING if score is None else score.sign)
        return
    painter.setPen(style.pen(style.ink))
    text, sign = true_minus(score.text), score.sign
    room = inside.width() - lettering.width(sign) - 3
    if lettering.width(text) > room:
        text = _shorter(score, room, lettering)
    width = lettering.width(text) + 3 + lettering.width(sign) if text else lettering.width(sign)
    left = inside.left() + max(0.0, (inside.width() - width) / 2)
    if text:
        lettering.write_in(QRectF(left, place.top(), lettering.width(text) + 1, place.height()), text, _LEFT)
    right = left + width
    lettering.write_in(
        QRectF(right - lettering.width(sign) - 1, place.top(), lettering.width(sign) + 1, place.height()), sign, _RIGHT
    )


def _shorter(score: Score, room: float, lettering: Lettering) -> str:
    """The number in two digits, or in one, or nothing where neither fits; a share stays in per cent."""
    if " of " in score.text:
        shorter = (score.text.replace(" of ", "/"), f"{100 * (score.number or 0.0):.0f}%", "")
        return next(text for text in shorter if lettering.width(text) <= room)
    if score.text.endswith("%"):
        close = score.text.replace(" %", "%")
        return close if lettering.width(close) <= room else ""
    number = score.number or 0.0
    for digits in (2, 1):
        text = true_minus(f"{number:.{digits - 1}e}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e"))
        if lettering.width(text) <= room:
            return text
    return ""
