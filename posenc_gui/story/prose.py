"""Paragraphs that wrap, with typeset formulas within their lines and the glossary's words underlined by dots."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextImageFormat,
    QTextOption,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from posenc_core.explain import GLOSSARY
from posenc_core.story import Piece, pieces
from posenc_gui.look.controls import TEXT_PX
from posenc_gui.look.plain_text import plain_tip
from posenc_gui.look.style import LIGHT, Style
from posenc_gui.look.typeset import Formula, ready
from posenc_gui.look.typeset import typeset as typeset_formula

_FORMULA_PX = 1.2
"""The size of a formula in sizes of the text around it: its letters are smaller."""

_PARAGRAPH_GAP = 8
_LOAD_MS = 30
_LEAST_WIDTH = 120
_WIDTHS_KEPT = 6


class Prose(QWidget):
    """A text for a person: ``$...$`` is a formula, ``[[word]]`` a word of the glossary, whose sentence is its tool tip.

    Formulas are shown as their source until they are typeset, one in each turn of the event loop.
    """

    def __init__(
        self, px: int = TEXT_PX, role: str = "ink", semibold: bool = False, parent: QWidget | None = None
    ) -> None:
        """``px`` is the size of the text, ``role`` the name of the style's colour."""
        super().__init__(parent)
        self._px, self._role, self._semibold = px, role, semibold
        self._style = LIGHT
        self._paragraphs: tuple[tuple[Piece, ...], ...] = ()
        self._documents: dict[int, QTextDocument] = {}
        self._formulas: dict[str, Formula | None] = {}
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._typeset_next)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_paragraphs(self, paragraphs: Sequence[str]) -> None:
        """Show the texts, one below the other; the widget is hidden if there are none."""
        shown = tuple(pieces(text) for text in paragraphs if text)
        self.setVisible(bool(shown))
        if shown == self._paragraphs:
            return
        self._paragraphs = shown
        self.setAccessibleName(self.plain_text)
        self.setAccessibleDescription("\n".join(f"{word}: {GLOSSARY[word]}" for word in self._terms()))
        self._begin()

    def show_style(self, style: Style) -> None:
        """Apply the style's fonts and colours."""
        if style != self._style:
            self._style = style
            self._begin()

    @property
    def plain_text(self) -> str:
        """The text without its marks."""
        return "\n".join("".join(piece.text for piece in paragraph) for paragraph in self._paragraphs)

    @property
    def is_typeset(self) -> bool:
        """Whether all formulas are pictures."""
        return not self._turn.isActive()

    @property
    def ideal_width(self) -> float:
        """The width of the longest line at the present width; more than that where a word or a picture is wider."""
        return self._document(self.width()).idealWidth()

    def _terms(self) -> list[str]:
        terms = (piece.word for paragraph in self._paragraphs for piece in paragraph if piece.kind == "term")
        return [word for word in dict.fromkeys(terms) if word in GLOSSARY]

    def _begin(self) -> None:
        """Show the text anew, and typeset its formulas one after the other."""
        sources = [piece.text for paragraph in self._paragraphs for piece in paragraph if piece.kind == "formula"]
        self._formulas = {}
        self._unprepared = list(dict.fromkeys(sources))
        if self._unprepared:
            self._turn.start(0 if ready() else _LOAD_MS)
        else:
            self._turn.stop()
        self._compose()

    def _typeset_next(self) -> None:
        if not ready():
            return
        self._turn.setInterval(0)
        if self._unprepared:
            source = self._unprepared.pop(0)
            try:
                self._formulas[source] = typeset_formula(source, self._formula_px, self._color)
            except ValueError:  # the text shows the source of such a formula
                self._formulas[source] = None
        if not self._unprepared:
            self._turn.stop()
            self._compose()

    @property
    def _formula_px(self) -> int:
        return round(self._px * _FORMULA_PX * self._style.text_scale)

    @property
    def _color(self) -> str:
        color: str = getattr(self._style, self._role)
        return color

    def _compose(self) -> None:
        self._documents.clear()
        self.updateGeometry()
        self.update()

    def _document(self, width: int) -> QTextDocument:
        """The text in lines of ``width`` pixels."""
        if width not in self._documents:
            if len(self._documents) >= _WIDTHS_KEPT:
                self._documents.clear()
            self._documents[width] = self._composed(width)
        return self._documents[width]

    def _composed(self, width: int) -> QTextDocument:
        document = QTextDocument()
        document.setDocumentMargin(0)
        document.setDefaultFont(self._style.font(self._px, semibold=self._semibold))
        option = QTextOption(Qt.AlignmentFlag.AlignLeft)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        document.setDefaultTextOption(option)
        document.setTextWidth(width)
        cursor = QTextCursor(document)
        for index, paragraph in enumerate(self._paragraphs):
            block = QTextBlockFormat()
            block.setTopMargin(_PARAGRAPH_GAP if index else 0)
            if index:
                cursor.insertBlock(block)
            for piece in paragraph:
                self._insert(cursor, piece, width)
        return document

    def _insert(self, cursor: QTextCursor, piece: Piece, width: int) -> None:
        formula = self._formulas.get(piece.text) if piece.kind == "formula" else None
        if formula is not None:
            self._insert_formula(cursor, piece.text, formula, width)
            return
        form = QTextCharFormat()
        form.setForeground(QColor(self._color))
        if piece.word in GLOSSARY:
            form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
            form.setUnderlineColor(QColor(self._style.accent))
            form.setToolTip(plain_tip(GLOSSARY[piece.word]))
        cursor.insertText(piece.text, form)

    def _insert_formula(self, cursor: QTextCursor, source: str, formula: Formula, width: int) -> None:
        """Put the formula's picture on the line, its baseline on that of the text."""
        scale = min(1.0, width / formula.width)
        ascent, descent = formula.ascent * scale, formula.descent * scale
        below = QFontMetricsF(self._style.font(self._px)).descent()
        image = QTextImageFormat()
        # Qt puts a picture's bottom where letters end, or its middle on the baseline; the rest is left empty.
        if descent <= below:
            box = QRectF(0, 0, formula.width * scale, ascent + below)
            image.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
        else:
            half = max(ascent, descent)
            box = QRectF(0, 0, formula.width * scale, 2 * half)
            image.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
            ascent = half
        top = ascent - formula.ascent * scale
        ratio = max(2.0, self.devicePixelRatioF())
        picture = QImage(
            math.ceil(box.width() * ratio), math.ceil(box.height() * ratio), QImage.Format.Format_ARGB32_Premultiplied
        )
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.scale(ratio, ratio)
        QSvgRenderer(formula.svg).render(painter, QRectF(0, top, box.width(), formula.height * scale))
        painter.end()
        cursor.document().addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(source), picture)
        image.setName(source)
        image.setWidth(box.width())
        image.setHeight(box.height())
        cursor.insertImage(image)

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return math.ceil(self._document(max(width, 1)).size().height())

    @override
    def sizeHint(self) -> QSize:
        width = max(self.width(), _LEAST_WIDTH)
        return QSize(width, self.heightForWidth(width))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH, QFontMetricsF(self._style.font(self._px)).height().__ceil__())

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain_tip(self.tip_at(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def tip_at(self, place: QPointF) -> str:
        """The glossary's sentence for the word at a place of the widget; empty for other words."""
        return self._document(self.width()).documentLayout().formatAt(place).toCharFormat().toolTip()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        event.ignore()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._document(self.width()).drawContents(painter)
        painter.end()
