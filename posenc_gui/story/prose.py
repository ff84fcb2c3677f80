"""The texts of lessons: ``$...$`` is a formula, ``[[word]]`` a word of the glossary, whose sentence is its tool tip."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from posenc_core.explain import GLOSSARY
from posenc_core.story import pieces
from posenc_gui.look import TEXT_PX, Paragraph, Run, TextView


class Prose(TextView):
    """A text for a person."""

    def __init__(self, px: int = TEXT_PX, semibold: bool = False, parent: QWidget | None = None) -> None:
        """``px`` is the size of the text."""
        super().__init__(parent=parent)
        self._px, self._semibold = px, semibold

    def show_texts(self, texts: Sequence[str]) -> None:
        """Show the texts, one below the other; the widget is hidden if there are none."""
        shown = [Paragraph(runs_of(text), self._px, semibold=self._semibold) for text in texts if text]
        self.setVisible(bool(shown))
        self.show_paragraphs(shown)
        self.setAccessibleName(self.plain_text)
        words = (piece.word for text in texts for piece in pieces(text) if piece.word in GLOSSARY)
        self.setAccessibleDescription("\n".join(f"{word}: {GLOSSARY[word]}" for word in dict.fromkeys(words)))


def runs_of(text: str) -> tuple[Run, ...]:
    """The parts of a text."""
    return tuple(Run(each.text, GLOSSARY.get(each.word, ""), each.kind == "formula") for each in pieces(text))
