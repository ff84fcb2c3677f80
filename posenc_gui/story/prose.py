"""The texts of lessons: ``$...$`` is a formula, ``[[word]]`` a word of the glossary, whose sentence is its tool tip."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from posenc_core.explain import GLOSSARY
from posenc_core.story import pieces
from posenc_gui.look import GAP, TEXT_PX, Paragraph, Run, SmallLabel, TextView, column_of

_CODE_BEGINS = "{\n"


class Prose(TextView):
    """A text for the user."""

    def __init__(self, px: int = TEXT_PX, semibold: bool = False, parent: QWidget | None = None) -> None:
        """``px`` is the size of the text."""
        super().__init__(parent=parent)
        self._px, self._semibold = px, semibold

    def show_texts(self, texts: Sequence[str]) -> None:
        """Show the texts, one below the other; the widget is hidden if there are none."""
        shown = [self._paragraph(text) for text in texts if text]
        self.setVisible(bool(shown))
        self.show_paragraphs(shown)
        self.setAccessibleName(self.plain_text)
        words = (piece.word for text in texts for piece in pieces(text) if piece.word in GLOSSARY)
        self.setAccessibleDescription("\n".join(f"{word}: {GLOSSARY[word]}" for word in dict.fromkeys(words)))

    def _paragraph(self, text: str) -> Paragraph:
        if text.startswith(_CODE_BEGINS):
            return Paragraph((Run(text.replace("  ", "\u00a0\u00a0")),), self._px - 1, role="muted", is_code=True)
        return Paragraph(runs_of(text), self._px, semibold=self._semibold)


def runs_of(text: str) -> tuple[Run, ...]:
    """The parts of a text."""
    return tuple(Run(each.text, GLOSSARY.get(each.word, ""), each.kind == "formula") for each in pieces(text))


class Section(QWidget):
    """A heading, a text, and an editor that can be replaced."""

    def __init__(self, heading: str, editor: QWidget) -> None:
        super().__init__()
        self._heading, self._text = SmallLabel(heading, "accent", semibold=True), Prose()
        self._editor = editor
        self._column = column_of(self, self._heading, self._text, editor, spacing=GAP // 2)
        self._column.setContentsMargins(0, GAP // 2, 0, 0)

    def add(self, part: QWidget) -> None:
        """Put another part below."""
        self._column.addWidget(part)

    def show_text(self, text: str) -> None:
        """Show the text below the heading."""
        self._text.show_texts([text])

    def replace_editor(self, editor: QWidget) -> None:
        """Show the editor in place of the previous one."""
        self._column.replaceWidget(self._editor, editor)
        self._editor.hide()
        self._editor.deleteLater()
        self._editor = editor
