"""GALLERY: every family as a small multiple for the present sentence; a click chooses it."""

from collections.abc import Mapping
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from typing_extensions import override

from posenc_core import Document
from posenc_core.gallery import StoryFamily, story_families
from posenc_core.numerics import FloatArray
from posenc_core.scripts import gallery_script
from posenc_core.session import LETTERS, NamedEncoding
from posenc_gui.figures import Figure
from posenc_gui.layers import draw_readout
from posenc_gui.look import Style
from posenc_gui.panels.gallery.card import CardPictures, window_of
from posenc_gui.panels.gallery.layout import CardPlaces, GalleryLayout
from posenc_gui.panels.gallery.numbers import gallery_numbers
from posenc_gui.panels.gallery.words import draw_words
from posenc_gui.plotting import Strip

_STEPS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
_CHOOSE = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_CORNER = 4.0
_LEGEND = (
    "Curves: columns over positions, or heads and columns over distances. Colours: all columns, positions downwards."
)


class GalleryFigure(Figure):
    """A card for each family of the story; ``marked`` is the index of the one under the mouse or the keys."""

    name = "gallery"
    title = "Gallery"
    hint = "click: choose, Shift+click: encoding B"
    explanation = (
        "Every family for the present sentence, in the order of their story: from the integer index over sinusoids and "
        "learned tables to biases and rotations. Curves are columns over positions, or heads over distances; beside "
        "them all columns as colours, as in Waves and Heatmap. A card says where its family cannot have the document's "
        "width, and where numbers are simulated."
    )
    handling = (
        "A click makes a family the chosen encoding, Shift+click encoding B; undo takes it back. Arrow keys mark a "
        "card, Enter chooses it, Shift+Enter takes it as B."
    )
    least_size = (320, 200)
    export_size = (960, 620)
    has_numbers = True

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.marked: int | None = None
        self._families = story_families(self.document)
        self._canvas = _Canvas(self)
        self.addItem(self._canvas, 0, 0)
        self._cards: list[CardPictures] = []
        self._cover = _Cover(self._canvas)
        self._cover.pointed.connect(self._mark)
        self._cover.clicked.connect(self._clicked)
        self._show_cards()
        self._canvas.geometryChanged.connect(self._place)

    @classmethod
    @override
    def numbers(cls, document: Document) -> Mapping[str, FloatArray]:
        return gallery_numbers(document)

    @property
    def families(self) -> tuple[StoryFamily, ...]:
        """The families of the cards, in their order."""
        return self._families

    def gallery_layout(self) -> GalleryLayout:
        """The places of the cards at the present size."""
        return GalleryLayout.of(len(self._families), self._canvas.rect())

    def letters(self, family: StoryFamily) -> str:
        """The letters of the document's encodings that the card shows, ``A``; "A" also for a single encoding."""
        listed = self.document.encodings
        return "".join(LETTERS[index] for index, each in enumerate(listed) if each.encoding == family.encoding)

    def is_chosen(self, family: StoryFamily) -> bool:
        """Whether the card is that of the chosen encoding."""
        return family.encoding == self.document.encoding

    @override
    def note(self, scale: float = 1.0) -> str:
        first, last = window_of(self.document.with_encoding(self._families[0].encoding))
        shown = f"positions {round(first + 0.5)}–{round(last - 0.5)}"
        simulated = ", ".join(each.title for each in self._families if is_simulated(each))
        if not simulated or self.gallery_layout().cards[0].n_lines:  # else the cards say it
            return shown
        return f"{shown} · simulated: {simulated}"

    @property
    def readout(self) -> str:
        """What stands below the cards: the marked one in a sentence, or what the pictures are."""
        return self.spoken() or _LEGEND

    def sentence_of(self, family: StoryFamily) -> str:
        """What a card says: the family, what it does, a width of its own, and where its numbers come from."""
        chosen = "chosen" if self.is_chosen(family) else ""
        return " · ".join(filter(None, (f"{family.title}: {family.summary}", card_words(family), chosen)))

    @override
    def script(self) -> str:
        cards = zip(self._cards, self._families, strict=True)
        return gallery_script([card.drawn(family.title, card_words(family)) for card, family in cards])

    @override
    def spoken(self) -> str:
        return "" if self.marked is None else self.sentence_of(self._families[self.marked])

    @override
    def pressed(self, key: Qt.Key, is_shifted: bool) -> bool:
        if key in _CHOOSE:
            if self.marked is not None:
                self._choose_family(self.marked, is_shifted)
            return self.marked is not None
        if key not in _STEPS:
            return False
        across, down = _STEPS[key]
        step = across + down * self.gallery_layout().across
        first = next((index for index, each in enumerate(self._families) if self.is_chosen(each)), 0)
        wanted = first if self.marked is None else self.marked + step
        if 0 <= wanted < len(self._families):
            self._mark(wanted)
        return True

    @override
    def _document_shown(self, before: Document) -> None:
        self._families = story_families(self.document)
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
        self._cards += [CardPictures(self._canvas, family, self.document, self.style) for family in added]
        if count != before:
            self.marked = None
            self._place()

    @override
    def _style_shown(self) -> None:
        for card in self._cards:
            card.show_style(self.style)

    @override
    def update_all(self) -> None:
        super().update_all()
        for card in self._cards:
            card.update()

    def _place(self) -> None:
        for card, places in zip(self._cards, self.gallery_layout().cards, strict=True):
            card.place(places.waves, places.heat)
        self._cover.setGeometry(self._canvas.rect())

    def card_at(self, place: QPointF) -> int | None:
        """The index of the card at a place of the canvas; None for none."""
        return self.gallery_layout().card_at(place)

    def _mark(self, card: object) -> None:
        index = self.card_at(card) if isinstance(card, QPointF) else card
        if index != self.marked:
            before, self.marked = self.marked, index if isinstance(index, int) else None
            layout = self.gallery_layout()
            self._canvas.update(layout.readout)
            for each in (before, self.marked):  # the other cards stay as they are painted
                if each is not None:
                    self._canvas.update(layout.cards[each].card.adjusted(-2, -2, 2, 2))
            self.noteChanged.emit()
            self.marksChanged.emit(self.spoken())

    def _clicked(self, place: QPointF, is_shifted: bool) -> None:
        index = self.card_at(place)
        if index is not None:
            self._choose_family(index, is_shifted)

    def _choose_family(self, index: int, as_b: bool) -> None:
        """Take the card's encoding as the chosen one, or as encoding B."""
        family, document = self._families[index], self.document
        listed, place = [*document.encodings], 1 if as_b else document.current
        letter = f" as {LETTERS[place]}" if as_b or len(listed) > 1 else ""
        if place == len(listed):
            listed.append(NamedEncoding(family.encoding))
        elif listed[place].encoding != family.encoding:
            listed[place] = NamedEncoding(family.encoding)
        self.encodingsEdited.emit(tuple(listed), document.current, f"{family.title}{letter}")


def is_simulated(family: StoryFamily) -> bool:
    """Whether its numbers are drawn from a seed, in place of trained ones."""
    stored = family.encoding.stored
    return stored is not None and stored.is_simulated


def card_words(family: StoryFamily) -> str:
    """Where a card's numbers differ from what the document suggests: simulated numbers first, a width of its own."""
    own, label = f"{family.own}, its own" if family.own else "", family.encoding.label
    return " · ".join(filter(None, (label, own) if is_simulated(family) else (own, label)))


class _Canvas(Strip):
    """Draws the cards' frames and words, below their pictures."""

    def __init__(self, figure: GalleryFigure) -> None:
        super().__init__()
        self._figure = figure
        self.setFlag(self.GraphicsItemFlag.ItemClipsToShape)

    @override
    def draw(self, painter: QPainter) -> None:
        """Draw a frame and the words of each card; accented for the chosen one, dark for the marked one."""
        figure = self._figure
        layout, exposed = figure.gallery_layout(), painter.clipBoundingRect() if painter.hasClipping() else self.rect()
        draw_readout(painter, figure.readout, layout.readout, figure.style)
        for index, (family, places) in enumerate(zip(figure.families, layout.cards, strict=True)):
            if not places.card.intersects(exposed):
                continue
            self._draw_frame(painter, places, figure.is_chosen(family), index == figure.marked)
            letters = figure.letters(family) if len(figure.document.encodings) > 1 else ""
            draw_words(painter, family, card_words(family), letters, places, figure.style)

    def _draw_frame(self, painter: QPainter, places: CardPlaces, is_chosen: bool, is_marked: bool) -> None:
        style = self._figure.style
        colour = style.accent if is_chosen else style.ink if is_marked else style.border
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(style.pen(colour, 2.0 if is_chosen else 1.0))
        painter.setBrush(QColor(style.paper))
        painter.drawRoundedRect(places.card, _CORNER, _CORNER)
        if is_chosen and is_marked:
            painter.setPen(style.pen(style.ink))
            painter.drawRoundedRect(QRectF(places.card).adjusted(3, 3, -3, -3), _CORNER, _CORNER)


class _Cover(pg.GraphicsWidget):
    """Takes the mouse above the pictures. ``pointed`` carries a place or None, ``clicked`` a place and Shift."""

    pointed = Signal(object)
    clicked = Signal(object, bool)

    def __init__(self, parent: _Canvas) -> None:
        super().__init__()
        self.setParentItem(parent)
        self.setZValue(1)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @override
    def hoverEvent(self, event: Any) -> None:
        self.pointed.emit(None if event.isExit() else event.pos())

    @override
    def mouseClickEvent(self, event: Any) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            self.clicked.emit(event.pos(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
