"""Every word of the glossary in lessons and in derivations is underlined with dots, and shows its sentence as a tip."""

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from posenc_core import ENCODINGS, Document
from posenc_core.explain import GLOSSARY, glossary_words
from posenc_core.session.seen import seen_document
from posenc_core.story import Lesson, pieces, read_lessons
from posenc_gui.docks.derivation import paragraphs_of
from posenc_gui.look.plain_text import plain_tip
from posenc_gui.look.resources import resource
from posenc_gui.look.text_view import TextView
from posenc_gui.panels import PANELS, WORKSPACES
from posenc_gui.story.prose import Prose

LESSONS, _ = read_lessons(resource("lessons"), WORKSPACES, PANELS)

LEAST = {
    "pair", "column", "position", "wavelength", "frequency", "base", "theta", "head_dim", "d_model", "rotary width",
    "attention factor", "query", "key", "score", "bias", "bucket", "residual", "shift", "unseen",
}  # fmt: skip


def places(widget: TextView) -> dict[str, QPoint]:
    """The tips of the widget, and a place where each is shown."""
    found: dict[str, QPoint] = {}
    for y in range(3, widget.height(), 6):
        for x in range(1, widget.width(), 5):
            found.setdefault(widget.tip_at(QPointF(x, y)), QPoint(x, y))
    return found


def shown_at(widget: QWidget, place: QPoint) -> str:
    """The tool tip that is shown when the mouse rests there."""
    QApplication.sendEvent(widget, QHelpEvent(QHelpEvent.Type.ToolTip, place, widget.mapToGlobal(place)))
    shown = QToolTip.text()
    QToolTip.hideText()
    return shown


def test_the_glossary_has_the_words_of_the_field():
    assert set(GLOSSARY) >= LEAST


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_every_word_of_a_lesson_shows_its_tip(qtbot, lesson: Lesson):
    told = [text for step in lesson.steps for text in step.texts]
    underlined = {text: {piece.word for piece in pieces(text) if piece.kind == "term"} for text in told}
    assert sum(map(len, underlined.values())) > 1
    prose = Prose()
    qtbot.addWidget(prose)
    for text, words in underlined.items():
        if words:
            prose.show_texts([text])
            prose.resize(360, prose.heightForWidth(360))
            prose.show()
            found = places(prose)
            assert {GLOSSARY[word] for word in words} == found.keys() - {""}, text
            for tip in found.keys() - {""}:
                assert shown_at(prose, found[tip]) == plain_tip(tip)


@pytest.mark.parametrize("family", ENCODINGS)
def test_every_word_of_a_derivation_shows_its_tip(qtbot, family: str):
    encoding = seen_document(Document().edited("family", family), 2).encoding
    derivation = encoding.explain(-1 if encoding.causal else 1, min(1, encoding.n_columns - 1))
    steps = [(step.text, step.latex) for step in derivation.steps]
    view = TextView()
    qtbot.addWidget(view)
    view.show_paragraphs(paragraphs_of([(text, None) for text, _ in steps]))
    view.resize(360, view.heightForWidth(360))
    view.show()
    words = {word for text, _ in steps for _, word in glossary_words(text)}
    found = places(view)
    assert words or family in ("none", "grape_m")
    assert {GLOSSARY[word] for word in words} == found.keys() - {""}
    for tip in found.keys() - {""}:
        assert shown_at(view, found[tip]) == plain_tip(tip)
