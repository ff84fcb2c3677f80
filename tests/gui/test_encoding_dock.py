from dataclasses import dataclass
from typing import ClassVar

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QScrollArea, QWidget

from posenc_core import Document, Embedding, Sinusoidal
from posenc_core.embedding import SCALE_BY_SQRT_D
from posenc_core.fields import D_MODEL
from posenc_gui.docks.embedding_dock import EmbeddingDock
from posenc_gui.docks.encoding_dock import EncodingDock
from posenc_gui.docks.look import OUTER_MARGIN, Note
from posenc_gui.style import DARK, LIGHT, load_fonts


@dataclass(frozen=True)
class Plain(Sinusoidal):
    """Another family, with one parameter alone."""

    d_model: int = 8
    title: ClassVar[str] = "Plain"
    summary: ClassVar[str] = "Nothing to choose."
    FIELDS: ClassVar = (D_MODEL,)


def opened(qtbot, dock, width=280, height=500):
    load_fonts()
    qtbot.addWidget(dock)
    dock.show_style(LIGHT)
    dock.resize(width, height)
    dock.show()
    qtbot.waitExposed(dock)
    dock.activateWindow()
    qtbot.waitUntil(dock.isActiveWindow)
    return dock


def sent_by(dock):
    sent = []
    dock.fieldEdited.connect(lambda *edit: sent.append(edit))
    return sent


def control(dock, name):
    (found,) = [w for w in dock.findChildren(QWidget) if w.accessibleName() == name and w.isVisibleTo(dock)]
    return found


def sentences(dock):
    return [note.sentence for note in dock.findChildren(Note) if note.isVisible() and note.sentence]


@pytest.fixture
def dock(qtbot):
    dock = opened(qtbot, EncodingDock())
    dock.show_document(Document())
    return dock


def test_it_shows_the_family_its_summary_and_its_parameters(dock):
    assert control(dock, "family").currentText() == "Sinusoidal"
    assert sentences(dock) == [Sinusoidal.summary]
    for name, text in (("d_model", "8"), ("offset", "0"), ("seq_len", "60")):
        assert control(dock, name).text() == text
    assert control(dock, "base").text() == "10000"


def test_an_edit_carries_the_fields_name(dock):
    sent = sent_by(dock)
    spin = control(dock, "seq_len")
    spin.setFocus()
    spin.selectAll()
    QTest.keyClicks(spin, "128\r")
    assert sent == [("seq_len", 128, None)]


def test_surprising_parameters_are_explained(dock):
    dock.show_document(Document(encoding=Sinusoidal(7, base=0.5)))
    _, warnings = sentences(dock)
    assert "base = 0.5 is below 1" in warnings
    assert "d_model = 7 is odd" in warnings
    dock.show_document(Document())
    assert len(sentences(dock)) == 1


def test_another_document_of_the_same_family_keeps_the_editors_and_what_is_typed(dock):
    spin = control(dock, "d_model")
    spin.setFocus()
    spin.selectAll()
    QTest.keyClicks(spin, "12")
    dock.show_document(Document(seq_len=70, sentence="other"))
    assert control(dock, "d_model") is spin
    assert spin.text() == "12"


def test_another_family_brings_its_own_form_and_the_old_one_goes(dock, qtbot):
    sent = sent_by(dock)
    old = control(dock, "base")
    with qtbot.waitSignal(old.destroyed):
        dock.show_document(Document(encoding=Plain(16)))
    assert sentences(dock) == [Plain.summary]
    assert control(dock, "d_model").text() == "16"
    assert control(dock, "seq_len").text() == "60"
    assert not [label for label in dock.findChildren(QLabel) if label.text() == "&base"]
    assert sent == []


@pytest.mark.parametrize("width", [220, 260, 320])
def test_nothing_is_clipped_at_dock_width_even_with_errors(qtbot, width):
    dock = opened(qtbot, EncodingDock(), width, 900)
    dock.show_document(Document(encoding=Sinusoidal(9, base=0.5)))
    for name in ("d_model", "base"):
        line = control(dock, name)
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, "x" * 60 + "\r")
    assert len(sentences(dock)) == 4
    content = dock.findChild(QScrollArea).widget()
    assert content.width() == dock.width()
    for part in content.findChildren(QWidget):
        if part.isVisible() and part.parentWidget().parentWidget() is content:
            left = part.mapTo(content, QPoint(0, 0)).x()
            assert left >= OUTER_MARGIN
            assert left + part.width() <= content.width() - OUTER_MARGIN
    for note in dock.findChildren(Note):
        if note.isVisible():
            assert note.height() >= note.heightForWidth(note.width())
            assert note.minimumSizeHint().width() <= note.width()


def test_labels_and_editors_stand_in_two_columns(dock):
    def left(widget):
        return widget.mapTo(dock, QPoint(0, 0)).x()

    editors = [control(dock, name) for name in ("family", "d_model", "layout", "spacing", "offset", "seq_len")]
    assert len({left(editor) for editor in editors}) == 1
    labels = [label for label in dock.findChildren(QLabel) if label.buddy() in editors]
    assert len(labels) == len(editors)
    assert {left(label) for label in labels} == {OUTER_MARGIN}


def test_a_low_dock_scrolls_to_what_has_the_focus(qtbot):
    dock = opened(qtbot, EncodingDock(), 240, 120)
    dock.show_document(Document())
    spin = control(dock, "seq_len")
    control(dock, "offset").setFocus()
    QTest.keyClick(control(dock, "offset"), Qt.Key.Key_Tab)
    assert spin.hasFocus()
    assert dock.rect().contains(spin.mapTo(dock, spin.rect().center()))


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_its_colours_are_the_styles(dock, style):
    dock.show_style(style)
    picture = dock.grab().toImage()
    colours = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}
    assert {style.ground, style.field, style.ink, style.muted} <= colours
    assert picture.pixelColor(2, 2).name() == style.ground


@pytest.fixture
def embedding(qtbot):
    dock = opened(qtbot, EmbeddingDock())
    dock.show_document(Document())
    return dock


SCALE = SCALE_BY_SQRT_D.label.replace("&", "")


def test_without_an_embedding_there_is_nothing_to_draw_or_scale(embedding):
    assert not control(embedding, "seed").isEnabled()
    assert not control(embedding, SCALE).isEnabled()
    assert sentences(embedding) == []


def test_drawn_numbers_are_called_that(embedding):
    embedding.show_document(Document(embedding=Embedding("simulated", seed=3)))
    assert sentences(embedding) == ["simulated (seed 3): drawn numbers, no model's"]
    assert control(embedding, "seed").isEnabled()
    assert control(embedding, SCALE).isEnabled()


def test_the_embedding_is_edited(embedding):
    sent = sent_by(embedding)
    combo = embedding.findChild(QComboBox)
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Down)
    embedding.show_document(Document(embedding=Embedding("simulated")))
    seed = control(embedding, "seed")
    seed.setFocus()
    QTest.keyClick(seed, Qt.Key.Key_Up)
    QTest.keyClick(control(embedding, SCALE), Qt.Key.Key_Space)
    assert [edit[:2] for edit in sent] == [("embedding", "simulated"), ("seed", 1), ("scale_by_sqrt_d", True)]


def test_a_wrong_seed_is_explained(embedding):
    sent = sent_by(embedding)
    embedding.show_document(Document(embedding=Embedding("simulated")))
    seed = control(embedding, "seed")
    seed.setFocus()
    seed.selectAll()
    QTest.keyClicks(seed, "-1\r")
    assert sentences(embedding)[0] == "seed must be an integer >= 0, got -1"
    assert seed.findChild(QLineEdit).text() == "-1"
    assert sent == []
