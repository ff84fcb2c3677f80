"""The inspector and the status line for every family: its words, its numbers, and its sentence where it has none."""

import numpy as np
import pytest
from families import BOUNDED, FAMILIES, document_of, has_value, shown_positions, value
from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextDocument
from PySide6.QtWidgets import QPushButton, QTableView

from posenc_core import Alibi, Document, Embedding, IntegerIndex, Rotary, explain
from posenc_gui.docks.derivation import RestingDerivation
from posenc_gui.docks.headline import Headline
from posenc_gui.docks.number_dock import NumberDock
from posenc_gui.docks.vector_dock import VectorDock
from posenc_gui.look.controls import Note
from posenc_gui.look.style import LIGHT, load_fonts
from posenc_gui.model.cursor import Cursor
from posenc_gui.window.status_line import cell_words

SIMULATED = Embedding("simulated", seed=5)


def opened(qtbot, kind, document, cursor, width=300):
    load_fonts()
    dock = kind()
    qtbot.addWidget(dock)
    dock.resize(width, 640)
    dock.show_document(document)
    dock.show_cursor(cursor)
    dock.show()
    qtbot.waitExposed(dock)
    settle()
    return dock


def headline(dock):
    document = QTextDocument()
    document.setHtml(dock.findChild(Headline).text())
    return document.toPlainText().translate({0x200E: None, 0x2068: None, 0x2069: None})


def note(dock):
    return " ".join(part.sentence for part in dock.findChildren(Note) if part.isVisible())


def heads(dock):
    model = dock.findChild(QTableView).model()
    return [model.headerData(place, Qt.Orientation.Horizontal) for place in range(model.columnCount())]


def cell(dock, row, head):
    return dock.findChild(QTableView).model().index(row, heads(dock).index(head)).data()


def number(text):
    return float(text.replace("−", "-"))


def derivations(dock):
    return [view for view in dock.findChildren(RestingDerivation) if view.isVisible()]


@pytest.mark.parametrize("embedding", [Embedding(), SIMULATED], ids=["none", "simulated"])
@pytest.mark.parametrize("name", FAMILIES)
def test_every_place_is_described_or_said_to_have_no_value(qtbot, name, embedding):
    document = document_of(name)
    document = Document(document.sentence, seq_len=12, encoding=document.encoding, embedding=embedding)
    cells, tokens = (opened(qtbot, kind, document, None) for kind in (NumberDock, VectorDock))
    encoding = document.encoding
    for position in shown_positions(document):
        cursor = Cursor(position, 1)
        for dock in (cells, tokens):
            dock.show_cursor(cursor)
        words = cell_words(document, cursor)
        table = tokens.findChild(QTableView)
        if has_value(encoding, position):
            entry = value(encoding, position, 1)
            told = words[2 if encoding.cells is None else 3]  # the place in the grid is said before
            assert number(told.replace(",", "")) == pytest.approx(entry, rel=1e-6, abs=1e-12)
            assert explain(encoding, position, 1).formula in derivations(cells)[0].accessibleDescription()
            head = {"sum": "PE", "rotation": "cos/sin", "none": "value"}[encoding.combination.kind]
            assert number(cell(tokens, 1, head)) == pytest.approx(entry, abs=5.1e-7)
            assert not table.isHidden()
        else:
            sentence = encoding.no_value(position)
            assert sentence in words
            assert note(cells) == note(tokens) == sentence
            assert derivations(cells) == []
            assert table.isHidden()
            assert not [button for button in cells.findChildren(QPushButton) if button.isVisible()]


@pytest.mark.parametrize("name", BOUNDED)
def test_the_derivation_comes_back_with_the_value(qtbot, name):
    document = document_of(name)
    dock = opened(qtbot, NumberDock, document, Cursor(11, 0))
    assert derivations(dock) == []
    dock.show_cursor(Cursor(2, 0))
    assert len(derivations(dock)) == 1
    assert note(dock) == ""


def test_distances_name_both_tokens(qtbot):
    document = Document(encoding=Alibi(4))
    cursor = Cursor(-1, 2, query=1)
    seen = "distance 1 · “Dan” seen from “loves”"
    assert cell_words(document, cursor)[:3] == [seen, "head 2", "−0.015625"]
    for kind, rest in ((NumberDock, " · head 2"), (VectorDock, "")):
        dock = opened(qtbot, kind, document, cursor, 420)
        assert headline(dock) == seen + rest
        html = dock.findChild(Headline).text()
        assert html.index(LIGHT.token(0).name()) < html.index(LIGHT.token(1).name())
    narrow = opened(qtbot, NumberDock, document, cursor, 230)
    assert headline(narrow) == "distance 1 · head 2\n“Dan” seen from “loves”"
    assert cell_words(document, Cursor(-40, 2))[0] == "distance 40"


def test_another_query_is_another_token_at_the_same_distance(qtbot):
    dock = opened(qtbot, VectorDock, Document(encoding=Alibi(4)), Cursor(-1, 0, query=1), 420)
    dock.show_cursor(Cursor(-1, 0, query=2))
    assert headline(dock) == "distance 1 · “loves” seen from “icecream”"
    sent = []
    dock.cursorMoved.connect(sent.append)
    dock.findChild(QTableView).rowChosen.emit(3)
    assert sent == [Cursor(-1, 3, pinned=True, query=2)]


def test_a_rotated_query_stands_beside_what_turns_it(qtbot):
    document = Document(encoding=Rotary(6, rotary_dim=4), embedding=SIMULATED)
    dock = opened(qtbot, VectorDock, document, Cursor(1, 0), 420)
    assert heads(dock) == ["column", "q", "cos/sin", "rotated", "wavelength"]
    query = SIMULATED.vectors(["loves"], 6)[0]
    angles = np.array([1.0, 0.01])
    first, second = query[:2], query[2:4]
    turned = [*(first * np.cos(angles) - second * np.sin(angles)), *(first * np.sin(angles) + second * np.cos(angles))]
    for row in range(6):
        assert number(cell(dock, row, "q")) == pytest.approx(query[row], abs=5.1e-7)
        assert number(cell(dock, row, "rotated")) == pytest.approx([*turned, *query[4:]][row], abs=5.1e-7)
    assert [cell(dock, row, "cos/sin") for row in (4, 5)] == ["–", "–"]
    sent = []
    dock.cursorMoved.connect(sent.append)
    table = dock.findChild(QTableView)
    table.rowChosen.emit(5)
    assert sent == [Cursor(1, 5, pinned=True)], "a component that passes through can be pointed at too"
    lines = [line.split("\t") for line in table.model().to_text().splitlines()]
    assert lines[0] == ["column", "q", "cos/sin", "rotated"]
    assert lines[5][2] == ""
    assert float(lines[1][3]) == pytest.approx(turned[0], rel=1e-14)


def test_a_component_that_passes_through_is_told_so(qtbot):
    document = Document(encoding=Rotary(6, rotary_dim=4), embedding=SIMULATED)
    dock = opened(qtbot, NumberDock, document, Cursor(1, 5))
    assert headline(dock) == "loves · position 1 · column 5"
    (told,) = derivations(dock)
    query = SIMULATED.vectors(["loves"], 6)[0]
    assert document.encoding.explain_rotation(query, 1, 5).formula in told.accessibleDescription()
    assert "it passes through" in told.accessibleDescription()
    assert cell_words(document, Cursor(1, 5)) == ["position 1 “loves”", "column 5", "passes through"]
    dock.show_cursor(Cursor(9, 5))
    assert "This position has no token" in note(dock)
    assert cell_words(document.edited("embedding", "none"), Cursor(1, 5)) == []


def test_the_last_columns_of_a_query_stand_beside_what_turns_them(qtbot):
    encoding = Rotary(6, rotary_dim=4, rotary_part="trailing")
    document = Document(encoding=encoding, embedding=SIMULATED)
    dock = opened(qtbot, VectorDock, document, Cursor(1, 0), 420)
    query = SIMULATED.vectors(["loves"], 6)[0]
    turned = encoding.rotate(query[None], [1])[0]
    entries = ["–", "–", *encoding.values(np.array([1]), np.arange(4))[0]]
    for row, entry in enumerate(entries):
        assert number(cell(dock, row, "q")) == pytest.approx(query[row], abs=5.1e-7)
        assert number(cell(dock, row, "rotated")) == pytest.approx(turned[row], abs=5.1e-7)
        found = cell(dock, row, "cos/sin")
        assert found == entry if isinstance(entry, str) else number(found) == pytest.approx(entry, abs=5.1e-7)
    assert [cell(dock, row, "column") for row in (0, 2, 5)] == ["0 –", "2 cos", "5 sin"]
    table = dock.findChild(QTableView)
    assert [index.row() for index in table.selectionModel().selectedRows()] == [2]
    sent = []
    dock.cursorMoved.connect(sent.append)
    for row, column in ((5, 3), (1, 5)):
        table.rowChosen.emit(row)
        assert sent[-1] == Cursor(1, column, pinned=True)
        dock.show_cursor(sent[-1])
        assert [index.row() for index in table.selectionModel().selectedRows()] == [row]
    number_dock = opened(qtbot, NumberDock, document, Cursor(1, 5))
    assert headline(number_dock).splitlines() == ["loves", "position 1 · column 1 of the head"]
    (told,) = derivations(number_dock)
    assert encoding.explain_rotation(query, 1, 1).formula in told.accessibleDescription()
    assert cell_words(document, Cursor(1, 5)) == ["position 1 “loves”", "column 1 of the head", "passes through"]
    number_dock.show_cursor(Cursor(1, 3))
    entry, rotated = derivations(number_dock)
    assert "column 3 of the rotated ones is column 2 + 3 = 5 of the head" in entry.accessibleDescription()
    assert encoding.explain_rotation(query, 1, 5).formula in rotated.accessibleDescription()
    assert cell_words(document, Cursor(1, 3))[1] == "column 3, column 5 of the head (pair 1, sin)"


def test_a_rotated_component_is_derived_below_its_entry(qtbot):
    document = Document(encoding=Rotary(4), embedding=SIMULATED)
    dock = opened(qtbot, NumberDock, document, Cursor(1, 2))
    entry, rotated = derivations(dock)
    query = SIMULATED.vectors(["loves"], 4)[0]
    expected = document.encoding.explain_rotation(query, 1, 2)
    assert explain(document.encoding, 1, 2).formula in entry.accessibleDescription()
    assert expected.formula in rotated.accessibleDescription()
    assert rotated.y() >= entry.geometry().bottom()
    (button,) = [each for each in dock.findChildren(QPushButton) if each.text() == "Text"]
    button.click()
    copied = QGuiApplication.clipboard().text()
    assert copied.endswith(expected.to_text())
    dock.show_cursor(Cursor(7, 2))
    assert len(derivations(dock)) == 1


@pytest.mark.one_of(4)
@pytest.mark.parametrize("width", [230, 300])
@pytest.mark.parametrize("name", FAMILIES)
def test_typeset_derivations_stay_within_the_dock(qtbot, name, width):
    document = document_of(name)
    document = Document(document.sentence, seq_len=12, encoding=document.encoding, embedding=SIMULATED)
    dock = opened(qtbot, NumberDock, document, None, width)
    dock.show_cursor(Cursor(-1 if document.encoding.relative else 1, 2, pinned=True))
    qtbot.waitUntil(lambda: all(view.is_typeset for view in derivations(dock)))
    for view in derivations(dock):
        settle()
        assert view.width() <= width
        picture = view.grab().toImage()
        assert all(picture.pixelColor(picture.width() - 1, y).name() == LIGHT.ground for y in range(picture.height()))


def test_large_numbers_keep_their_digits_and_their_room(qtbot):
    document = Document("", seq_len=10_000_000, encoding=IntegerIndex(4, offset=-9_999_999))
    dock = opened(qtbot, VectorDock, document, Cursor(7, 0), 280)
    assert cell(dock, 0, "PE") == "−9999992.00"
    table = dock.findChild(QTableView)
    assert table.fontMetrics().horizontalAdvance("−9999992.00") + 10 <= table.columnWidth(1)
    assert heads(dock) == ["column", "PE"]
