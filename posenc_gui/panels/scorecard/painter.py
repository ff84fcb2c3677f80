"""The table of the scorecard: heads, titles, and cells whose colour and sign grade the number."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from posenc_core.gallery import FAIR, GOOD, POOR, PROPERTIES, SIGNS, Score, Scorecard, Scores, Setting
from posenc_gui.layers import cut, wrapped
from posenc_gui.look import Style, blend, significant, true_minus
from posenc_gui.panels.scorecard.layout import HEAD_LINE_PX, ScorecardLayout
from posenc_gui.plotting import Lettering, width_of

_HEAD_PX, _CELL_PX, _SMALL_PX, _LEAST_PX = 10, 11, 9, 8
_HEAD_INSET = 2
_SMALL_ROW, _LEAST_ROW = 15.0, 11.0
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
    px, title_px = _cell_px(layout), _title_px(card, layout, style)
    for row, (family, cells) in enumerate(zip(card.families, scores, strict=True)):
        lettering = Lettering(painter, style, title_px, semibold=row == chosen)
        place = layout.title(row)
        text = cut(family.title, place.width(), style, title_px, semibold=row == chosen)
        lettering.write_in(place, text, _LEFT, style.accent if row == chosen else style.ink)
        for column, score in enumerate(cells):
            _draw_cell(painter, score, layout.cell(row, column), style, px)
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


def has_whole_words(card: Scorecard, layout: ScorecardLayout, style: Style) -> bool:
    """Whether level heads, the titles of the rows, and all rows have room."""
    has_titles = _fit_titles(card, layout, style, _title_px(card, layout, style))
    has_rows = layout.table.bottom() <= layout.readout.top()
    headings = [each.heading(card.setting) for each in PROPERTIES]
    return has_titles and has_rows and not layout.is_turned and _fitted_heads(headings, layout, style)[2]


def _cell_px(layout: ScorecardLayout) -> int:
    """The size of the letters in rows."""
    return _CELL_PX if layout.row_height >= _SMALL_ROW else _SMALL_PX if layout.row_height >= _LEAST_ROW else _LEAST_PX


def _title_px(card: Scorecard, layout: ScorecardLayout, style: Style) -> int:
    """The size of the letters of titles: that of the rows, or a smaller one at which no title is cut."""
    sizes = [px for px in (_cell_px(layout), _SMALL_PX, _LEAST_PX) if px <= _cell_px(layout)]
    return next((px for px in sizes if _fit_titles(card, layout, style, px)), _SMALL_PX)


def _fit_titles(card: Scorecard, layout: ScorecardLayout, style: Style, px: int) -> bool:
    width = layout.title(0).width()
    return all(width_of(each.title, style, px, semibold=True) <= width for each in card.families)


def _draw_heads(painter: QPainter, setting: Setting, layout: ScorecardLayout, style: Style) -> None:
    """Each property's title above the numbers that are good."""
    lettering, width = Lettering(painter, style, _HEAD_PX), layout.head(0).width() - 2 * _HEAD_INSET
    headings = [each.heading(setting) for each in PROPERTIES]
    px, heads, _ = _fitted_heads(headings, layout, style)
    lettering.use(px)
    painter.setPen(style.pen(style.muted))
    for column, (each, lines) in enumerate(zip(PROPERTIES, heads, strict=True)):
        place = layout.head(column)
        if layout.is_turned:
            _draw_turned(painter, headings[column], place, style)
            continue
        lines = [cut(line, width, style, px) for line in lines]
        if layout.has_good:
            lines.append(cut(f"{GOOD_SIGN} {each.good}", width, style, px))
        for index, line in enumerate(lines):
            top = place.bottom() - (len(lines) - index) * HEAD_LINE_PX
            lettering.write_in(QRectF(place.left() + _HEAD_INSET, top, width, HEAD_LINE_PX), line)


def _fitted_heads(headings: list[str], layout: ScorecardLayout, style: Style) -> tuple[int, list[list[str]], bool]:
    """The size of letters in which level heads fit, or the smallest, the lines of each, and whether they fit."""
    width, tried = layout.head(0).width() - 2 * _HEAD_INSET, (0, list[list[str]](), False)
    for px in (_HEAD_PX, _SMALL_PX):
        heads = [wrapped(heading, width, 3, style, px) for heading in headings]
        is_cut = any(cut(line, width, style, px) != line for lines in heads for line in lines)
        tried = px, heads, not is_cut and [" ".join(lines) for lines in heads] == headings
        if tried[2]:
            break
    return tried


def _draw_turned(painter: QPainter, heading: str, place: QRectF, style: Style) -> None:
    """A title of two lines that reads upwards."""
    lettering = Lettering(painter, style, _HEAD_PX)
    room = place.height()
    lines = [cut(line, room, style, _HEAD_PX) for line in wrapped(heading, room, 2, style, _HEAD_PX)]
    painter.save()
    painter.translate(place.center().x() - len(lines) * HEAD_LINE_PX / 2, place.bottom())
    painter.rotate(-90)
    for index, line in enumerate(lines):
        row = QRectF(0, index * HEAD_LINE_PX, room, HEAD_LINE_PX)
        lettering.write_in(row, line, Qt.AlignmentFlag.AlignLeft)
    painter.restore()


def _draw_cell(painter: QPainter, score: Score | None, place: QRectF, style: Style, px: int) -> None:
    """A number to the left of its sign; only the sign if the number does not fit."""
    ground = None if score is None else grade_colour(style, score.grade)
    if ground is not None:
        painter.fillRect(place.adjusted(1, 1, -1, 0), ground)
    lettering = Lettering(painter, style, px)
    inside = place.adjusted(4, 0, -4, 0)
    if score is None or score.number is None:
        lettering.write_in(inside, _PENDING if score is None else score.sign, colour=style.muted)
        return
    painter.setPen(style.pen(style.ink))
    text, sign = true_minus(score.text), score.sign
    room = inside.width() - lettering.width(sign) - 3
    total = text.partition(" of ")[2]
    widest = max(lettering.width(text), lettering.width(f"{total} of {total}") if total else 0.0)
    if widest > inside.width() - max(map(lettering.width, SIGNS.values())) - 3:  # counts of a column have one form
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
    """The number in two digits, or in one, or nothing if neither fits; a share stays in per cent."""
    if " of " in score.text:
        return lettering.fitting((score.text.replace(" of ", "/"), f"{100 * (score.number or 0.0):.0f}%"), room)
    if score.text.endswith("%"):
        return lettering.fitting([score.text.replace(" %", "%")], room)
    number = score.number or 0.0
    texts = list[str]()
    for digits in (2, 1):
        mantissa, exponent = f"{number:.{digits - 1}e}".split("e")
        texts += significant(number, digits), true_minus(f"{mantissa.removesuffix('.0')}e{int(exponent)}")
    return lettering.fitting(texts, room)
