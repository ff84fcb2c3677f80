"""Pointing at the gallery: a card, and its text."""

from collections.abc import Iterator

from PySide6.QtCore import QRectF
from typing_extensions import override

from posenc_core.gallery import StoryFamily
from posenc_core.session import LETTERS
from posenc_gui.figures import Pointing, Shown
from posenc_gui.panels.gallery.card import window_of
from posenc_gui.panels.gallery.layout import GalleryLayout, card_order

_LEGEND = "Curves: columns or heads. Colours: all columns, {}positions downwards."
_APART = "sines | cosines, "


class GalleryView(Shown, frozen=True, eq=False):
    """The families of the cards in a room of pixels; ``marked`` is the index of the one under the mouse or the keys."""

    families: tuple[StoryFamily, ...]
    marked: int | None
    room: QRectF

    @property
    def layout(self) -> GalleryLayout:
        """The places of the cards."""
        return GalleryLayout.of(len(self.families), self.room)

    def letters(self, family: StoryFamily) -> str:
        """The letters of the document's encodings that the card shows, ``A``; none for a single encoding."""
        listed = self.document.encodings
        found = "".join(LETTERS[index] for index, each in enumerate(listed) if each.encoding == family.encoding)
        return found if len(listed) > 1 else ""

    def is_chosen(self, family: StoryFamily) -> bool:
        """Whether the card shows the chosen encoding."""
        return family.encoding == self.encoding

    @property
    def sentence(self) -> str:
        """Text of the marked card: the family, its effect, another width, and the source of its numbers."""
        if self.marked is None:
            return ""
        family = self.families[self.marked]
        chosen = "chosen" if self.is_chosen(family) else ""
        return " · ".join(filter(None, (f"{family.title}: {family.summary}", card_words(family), chosen)))

    @property
    def readout(self) -> str:
        """Line below the cards: the marked card in a sentence, or an explanation of the pictures."""
        return self.sentence or _LEGEND.format(_APART if self._has_apart else "")

    @property
    def _has_apart(self) -> bool:
        """Whether a card draws the sines and the cosines of an interleaved table apart."""
        cards = zip(self.families, self.layout.cards, strict=True)
        return any(card_order(each.encoding, places.heat) != each.encoding for each, places in cards)


class GalleryPointing(Pointing[GalleryView]):
    """The words of the cards."""

    @override
    def notes(self, view: GalleryView, standing: str) -> Iterator[str]:
        first, last = window_of(view.document.with_encoding(view.families[0].encoding))
        yield f"positions {round(first + 0.5)}–{round(last - 0.5)}"
        simulated = ", ".join(each.title for each in view.families if _is_simulated(each))
        if simulated and not view.layout.cards[0].n_lines:  # else the cards have this note
            yield f"simulated: {simulated}"

    @override
    def spoken(self) -> str:
        view = self.view
        return view.sentence or f"{len(view.families)} families · {self.note()}"


def _is_simulated(family: StoryFamily) -> bool:
    """Whether its numbers are drawn from a seed, in place of trained ones."""
    stored = family.encoding.stored
    return stored is not None and stored.is_simulated


def card_words(family: StoryFamily) -> str:
    """Differences of a card's numbers from the document: simulated numbers first, then another width."""
    own, label = f"{family.own}, its own" if family.own else "", family.encoding.label
    return " · ".join(filter(None, (label, own) if _is_simulated(family) else (own, label)))
