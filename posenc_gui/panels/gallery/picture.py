"""A card for each family of the story; a click chooses it."""

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from typing_extensions import override

from posenc_core import Document
from posenc_core.gallery import story_families
from posenc_core.scripts import gallery_script
from posenc_core.session import LETTERS, NamedEncoding
from posenc_gui.figures import Canvas, CanvasFigure, Viewport
from posenc_gui.layers import draw_readout
from posenc_gui.look import Style
from posenc_gui.model import Cursor
from posenc_gui.panels.gallery.card import CardPictures
from posenc_gui.panels.gallery.layout import CardPlaces, GalleryLayout
from posenc_gui.panels.gallery.pointing import GalleryPointing, GalleryView, card_words
from posenc_gui.panels.gallery.spec import GALLERY_PAGE, SPEC
from posenc_gui.panels.gallery.words import CardLook, draw_words

_STEPS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
_CHOOSE = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_CORNER = 4.0


class GalleryViewport(Viewport[GalleryView]):
    """All cards, in a narrow file with fewer in a row."""

    @override
    def export_height(self, width: float) -> int:
        return max(super().export_height(width), math.ceil(GalleryLayout.export_height(len(self.view.families), width)))


class GalleryFigure(CanvasFigure):
    """Pictures of cards over frames and words, and a cover that receives the mouse."""

    spec, pointing_class, viewport_class = SPEC, GalleryPointing, GalleryViewport

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._families = story_families(self.document, self.document.option(GALLERY_PAGE))
        self._cards: list[CardPictures] = []
        self._cover = Canvas(self._draw_nothing, self.handle_at)
        self._cover.setParentItem(self.canvas)
        self._cover.setZValue(1)
        self._cover.setCursor(Qt.CursorShape.PointingHandCursor)
        self._cover.unit = style.text_scale
        self._cover.clicked.connect(self._clicked)
        self._show_cards()
        self.canvas.geometryChanged.connect(self._place)

    @override
    def view(self, scale: float = 1.0) -> GalleryView:
        return GalleryView(*self.shown(), self._families, self.marked, self.room)

    @override
    def script(self) -> str:
        cards = zip(self._cards, self._families, strict=True)
        return gallery_script([card.drawn(family.title, card_words(family)) for card, family in cards])

    @override
    def draw(self, painter: QPainter) -> None:
        """Draw a frame and the words of each card; accented for the chosen one, dark for the marked one."""
        view = self.view()
        style = view.style
        layout, exposed = view.layout, painter.clipBoundingRect() if painter.hasClipping() else self.room
        draw_readout(painter, view.readout, layout.readout, style)
        cards = [(each, card_words(each), places) for each, places in zip(view.families, layout.cards, strict=True)]
        look = CardLook.of(cards, style)
        for index, (family, own, places) in enumerate(cards):
            if places.card.intersects(exposed):
                _draw_frame(painter, style, places, view.is_chosen(family), index == view.marked)
                draw_words(painter, family, own, view.letters(family), places, style, look)

    def _draw_nothing(self, painter: QPainter) -> None:
        """The cover is transparent."""

    @override
    def pressed(self, key: Qt.Key, is_shifted: bool) -> bool:
        if key in _CHOOSE:
            if self.marked is not None:
                self._choose_family(self.marked, is_shifted)
            return self.marked is not None
        if key not in _STEPS:
            return False
        view, (across, down) = self.view(), _STEPS[key]
        first = next((index for index, each in enumerate(view.families) if view.is_chosen(each)), 0)
        wanted = first if self.marked is None else self.marked + across + down * view.layout.across
        if 0 <= wanted < len(view.families):
            self.mark(wanted)
        return True

    @override
    def _document_shown(self, before: Document) -> None:
        self._families = story_families(self.document, self.document.option(GALLERY_PAGE))
        self._show_cards()

    def _show_cards(self) -> None:
        """Show the families, of which there may be more or less than before."""
        before, count = len(self._cards), len(self._families)
        for card in self._cards[count:]:
            card.remove()
        del self._cards[count:]
        for card, family in zip(self._cards, self._families, strict=False):
            card.show_document(family, self.document)
        added = self._families[before:]
        self._cards += [CardPictures(self.canvas, family, self.document, self.style) for family in added]
        if count != before:
            self.marked = None
            self._place()

    @override
    def _cursor_shown(self, before: Cursor | None) -> None:
        """The cards mark no cell."""

    @override
    def _style_shown(self) -> None:
        for card in self._cards:
            card.show_style(self.style)
        self._place()

    @override
    def update_all(self) -> None:
        super().update_all()
        for card in self._cards:
            card.update()

    def _place(self) -> None:
        for card, places in zip(self._cards, self.view().layout.cards, strict=True):
            card.place(self.canvas.in_pixels(places.waves), self.canvas.in_pixels(places.heat))
        self._cover.setGeometry(self.canvas.rect())

    @override
    def _hovered(self, place: QPointF | None) -> None:
        self.mark(None if place is None else self.view().layout.card_at(place))

    @override
    def _clicked(self, place: QPointF, is_shifted: bool) -> None:
        index = self.view().layout.card_at(place)
        if index is not None:
            self._choose_family(index, is_shifted)

    @override
    def _mark_shown(self, before: int | None) -> None:
        layout = self.view().layout
        self.canvas.update(self.canvas.in_pixels(layout.readout))
        for each in (before, self.marked):  # the other cards keep their painting
            if each is not None:
                self.canvas.update(self.canvas.in_pixels(layout.cards[each].card.adjusted(-2, -2, 2, 2)))

    def _choose_family(self, index: int, as_b: bool) -> None:
        """Make the card's encoding the chosen one, or encoding B."""
        family, document = self._families[index], self.document
        listed, place = [*document.encodings], 1 if as_b else document.current
        letter = f" as {LETTERS[place]}" if as_b or len(listed) > 1 else ""
        if place == len(listed):
            listed.append(NamedEncoding(family.encoding))
        elif listed[place].encoding != family.encoding:
            listed[place] = NamedEncoding(family.encoding)
        self.encodingsEdited.emit(tuple(listed), document.current, f"{family.title}{letter}")


FIGURE = GalleryFigure


def _draw_frame(painter: QPainter, style: Style, places: CardPlaces, is_chosen: bool, is_marked: bool) -> None:
    colour = style.accent if is_chosen else style.ink if is_marked else style.border
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(style.pen(colour, 2.0 if is_chosen else 1.0))
    painter.setBrush(QColor(style.paper))
    painter.drawRoundedRect(places.card, _CORNER, _CORNER)
    if is_chosen and is_marked:
        painter.setPen(style.pen(style.ink))
        painter.drawRoundedRect(QRectF(places.card).adjusted(3, 3, -3, -3), _CORNER, _CORNER)
