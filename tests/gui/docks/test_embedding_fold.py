"""The embedding below the encoding: folded to its title until a document has one."""

import pytest
from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QScrollArea
from window_bench import control

from posenc_core import Document, Embedding, Rotary
from posenc_gui.docks.encoding_dock import EncodingDock


@pytest.fixture
def dock(qtbot):
    dock = EncodingDock()
    qtbot.addWidget(dock)
    dock.resize(264, 680)
    dock.show_document(Document())
    dock.show()
    qtbot.waitExposed(dock)
    return dock


def is_unfolded(dock):
    settle()
    return any(each.isVisible() for each in dock.findChildren(QComboBox) if each.accessibleName() == "source")


def test_an_embedding_that_is_not_used_is_folded_to_its_title(dock):
    assert not is_unfolded(dock)
    title = control(dock, "Embedding")
    for unfolded in (True, False):
        QTest.mouseClick(title, Qt.MouseButton.LeftButton)
        assert is_unfolded(dock) == unfolded
    title.setFocus()
    QTest.keyClick(title, Qt.Key.Key_Space)
    assert is_unfolded(dock)


def test_what_is_unfolded_first_shows_the_document_that_was_there_before(dock):
    dock.show_document(Document().edited("seed", 41))
    QTest.mouseClick(control(dock, "Embedding"), Qt.MouseButton.LeftButton)
    assert control(dock, "seed").text() == "41"


@pytest.mark.parametrize(
    "document",
    [
        Document(embedding=Embedding("simulated")),
        Document(encoding=Rotary(8)).edited("pair_vectors", "simulated"),
    ],
)
def test_a_document_with_vectors_unfolds_it_once(dock, document):
    dock.show_document(document)
    assert is_unfolded(dock)
    QTest.mouseClick(control(dock, "Embedding"), Qt.MouseButton.LeftButton)
    dock.show_document(document.edited("sentence", "Another one"))
    assert not is_unfolded(dock)


def test_a_refused_embedding_is_seen_with_its_reason(dock):
    dock.show_refusal("embedding", "model", "no model is open")
    assert is_unfolded(dock)
    assert any("no model is open" in label.text() for label in dock.findChildren(type(dock._label)))


def test_the_left_column_has_one_scroll_bar(window):
    window.resize(1024, 700)
    window.store.edit("embedding", "simulated")
    settle()
    areas = [area for area in window.docks["encoding"].findChildren(QScrollArea) if area.isVisible()]
    assert len(areas) == 1
    assert control(window, "source").isVisible()


def test_the_embedding_of_an_answer_is_folded_again_with_the_own_document(window):
    window.commands.story.open_question(2)
    assert is_unfolded(window.docks["encoding"])
    QTest.mouseClick(control(window, "Back to my sentence"), Qt.MouseButton.LeftButton)
    assert not is_unfolded(window.docks["encoding"])


def test_an_embedding_is_not_folded_where_one_edits_it(qtbot, dock):
    dock.activateWindow()
    dock.show_document(Document(embedding=Embedding("simulated")))
    source = control(dock, "source")
    source.setFocus()
    qtbot.waitUntil(source.hasFocus)
    dock.show_document(Document())
    assert is_unfolded(dock)
