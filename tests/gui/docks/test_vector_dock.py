import math

import numpy as np
import pytest
from pixels import pixels_of, settle
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QShortcut, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView

from posenc_core import Document, Embedding, LearnedTable, Sinusoidal
from posenc_gui.docks.headline import Headline
from posenc_gui.docks.vector_dock import VectorDock
from posenc_gui.look.controls import Note
from posenc_gui.look.number_format import signed, wavelength_text
from posenc_gui.look.style import DARK, LIGHT, load_fonts
from posenc_gui.look.theme import apply_style
from posenc_gui.model.cursor import Cursor

FOUR = Document(encoding=Sinusoidal(4))
EMBEDDED = Document(encoding=Sinusoidal(4), embedding=Embedding("simulated", seed=5))


class Desk:
    """A dock with what it has sent; it is told of each cursor that it sends, as in the program."""

    def __init__(self, qtbot, width=300, height=320):
        load_fonts()
        self.dock = VectorDock()
        qtbot.addWidget(self.dock)
        self.dock.resize(width, height)
        self.sent = []
        self.dock.cursorMoved.connect(self.receive)
        self.dock.show_document(FOUR)
        self.dock.show()
        qtbot.waitExposed(self.dock)
        self.dock.activateWindow()
        qtbot.waitUntil(self.dock.isActiveWindow)

    def receive(self, cursor):
        self.sent.append(cursor)
        self.dock.show_cursor(cursor)

    @property
    def table(self):
        return self.dock.findChild(QTableView)

    def heads(self):
        model = self.table.model()
        return [model.headerData(i, Qt.Orientation.Horizontal) for i in range(model.columnCount())]

    def rows(self, *heads):
        model, places = self.table.model(), [self.heads().index(head) for head in heads]
        return [tuple(model.index(row, place).data() for place in places) for row in range(model.rowCount())]

    def marked(self):
        return [index.row() for index in self.table.selectionModel().selectedRows()]

    def headline(self):
        document = QTextDocument()
        document.setHtml(self.dock.findChild(Headline).text())
        return document.toPlainText().translate({0x200E: None, 0x2068: None, 0x2069: None})

    def note(self):
        return " ".join(note.sentence for note in self.dock.findChildren(Note) if note.isVisible())

    def click(self, row):
        place = self.table.visualRect(self.table.model().index(row, 1)).center()
        QTest.mouseClick(self.table.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def copied(self):
        self.table.setFocus()
        QTest.keyClick(self.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        return [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]


@pytest.fixture
def desk(qtbot):
    return Desk(qtbot)


def number(text):
    return float(text.replace("−", "-"))


def test_the_dock_shows_the_vector_of_the_cursors_position(desk):
    desk.dock.show_cursor(Cursor(1, 2))
    assert desk.headline() == "loves · position 1"
    assert desk.heads() == ["column", "PE", "wavelength"]
    angles = [1.0, 1.0, 0.01, 0.01]
    exact = [(math.sin, math.cos)[j % 2](angle) for j, angle in enumerate(angles)]
    assert desk.rows("column") == [("0 sin",), ("1 cos",), ("2 sin",), ("3 cos",)]
    assert [text for (text,) in desk.rows("PE")] == [f"{value:+.6f}" for value in exact]
    assert desk.rows("wavelength") == [("6.3",), ("6.3",), ("628.3",), ("628.3",)]


def test_numbers_have_signs_and_six_decimals_and_stand_at_the_right(desk):
    desk.dock.show_cursor(Cursor(4, 0))
    texts = [text for (text,) in desk.rows("PE")]
    assert texts[:2] == ["−0.756802", "−0.653644"]
    assert {len(text) for text in texts} == {len("+0.841471")}
    model = desk.table.model()
    sides = [model.index(0, place).data(Qt.ItemDataRole.TextAlignmentRole) for place in range(3)]
    assert [bool(side & Qt.AlignmentFlag.AlignRight) for side in sides] == [False, True, True]
    metrics = desk.table.fontMetrics()
    assert metrics.horizontalAdvance("+0.111111") == metrics.horizontalAdvance("−0.888888")


def test_a_number_in_full_is_its_tool_tip(desk):
    desk.dock.show_cursor(Cursor(1, 0))
    assert float(desk.table.model().index(0, 1).data(Qt.ItemDataRole.ToolTipRole)) == math.sin(1)


def test_with_an_embedding_there_is_the_sum(desk):
    desk.dock.show_document(EMBEDDED)
    desk.dock.show_cursor(Cursor(2, 0))
    assert desk.heads() == ["column", "W_e", "PE", "sum", "wavelength"]
    drawn = EMBEDDED.embedding.vectors(["icecream"], 4)[0]
    for row, (embedded, encoded, total) in enumerate(desk.rows("W_e", "PE", "sum")):
        assert number(embedded) == pytest.approx(drawn[row], abs=5.1e-7)
        assert number(total) == pytest.approx(number(embedded) + number(encoded), abs=1.6e-6)


def test_drawn_numbers_are_called_that(desk):
    desk.dock.show_document(EMBEDDED)
    assert desk.note() == "W_e is simulated (seed 5)"
    tip = desk.table.model().headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert "Random (seed 5), not from a model" in tip


def test_a_position_without_a_token_has_its_encoding_all_the_same(desk):
    desk.dock.show_document(EMBEDDED)
    desk.dock.show_cursor(Cursor(7, 0))
    assert desk.headline() == "position 7"
    assert desk.note() == "This position has no token"
    assert desk.heads() == ["column", "PE", "wavelength"]
    assert desk.rows("PE")[0] == (f"{math.sin(7):+.6f}",)
    desk.dock.show_cursor(Cursor(2, 0))
    assert "sum" in desk.heads()


def test_an_empty_sentence_has_a_vector_at_position_0(desk):
    desk.dock.show_document(Document(sentence=""))
    assert (desk.headline(), desk.note()) == ("position 0", "This position has no token")
    assert desk.rows("PE")[1] == ("+1.000000",)


def test_without_a_cursor_the_last_position_stays_and_nothing_is_marked(desk):
    desk.dock.show_cursor(Cursor(1, 2))
    assert desk.marked() == [2]
    desk.dock.show_cursor(None)
    assert desk.marked() == []
    assert desk.headline() == "loves · position 1"


def test_the_cursors_column_is_marked_and_in_view(desk):
    desk.dock.show_document(Document(encoding=Sinusoidal(512)))
    for column in (0, 300, 511, 5):
        desk.dock.show_cursor(Cursor(1, column))
        assert desk.marked() == [column]
        assert desk.table.viewport().rect().contains(desk.table.visualRect(desk.table.currentIndex()))
    assert desk.sent == []


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_the_mark_is_seen_over_the_whole_row(desk, style):
    apply_style(style)
    settle()
    desk.dock.show_cursor(Cursor(1, 2))
    picture = desk.table.viewport().grab().toImage()
    row = desk.table.visualRect(desk.table.model().index(2, 0))
    colours = {picture.pixelColor(x, row.top() + 1).name() for x in range(picture.width())}
    assert len(colours) == 1
    assert colours != {style.ground}
    assert picture.pixelColor(5, row.bottom() + 5).name() == style.ground


def test_another_document_keeps_the_mark(desk):
    desk.dock.show_cursor(Cursor(1, 2))
    for document in (Document(), EMBEDDED, FOUR):
        desk.dock.show_document(document)
        assert desk.marked() == [2]
    desk.dock.show_document(Document(encoding=Sinusoidal(2)))
    assert desk.marked() == []
    assert desk.sent == []


def test_a_click_points_at_the_column_and_holds_it(desk):
    desk.dock.show_cursor(Cursor(1, 0))
    desk.click(3)
    assert desk.sent == [Cursor(1, 3, pinned=True)]
    assert desk.marked() == [3]
    desk.click(3)
    assert len(desk.sent) == 1


def test_a_click_holds_the_column_that_is_merely_pointed_at(desk):
    desk.dock.show_cursor(Cursor(1, 2))
    desk.click(2)
    assert desk.sent == [Cursor(1, 2, pinned=True)]


def test_without_a_cursor_a_click_points_too(desk):
    desk.click(1)
    assert desk.sent == [Cursor(0, 1, pinned=True)]


def test_the_arrows_move_along_the_columns(desk):
    QShortcut("Down", desk.dock).activated.connect(desk.sent.clear)
    desk.dock.show_cursor(Cursor(1, 0))
    desk.table.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up):
        QTest.keyClick(desk.table, key)
    assert [cursor.column for cursor in desk.sent] == [1, 2, 1, 0]
    assert all(cursor.pinned and cursor.position == 1 for cursor in desk.sent)


def test_the_focus_alone_moves_nothing(desk):
    desk.table.setFocus(Qt.FocusReason.TabFocusReason)
    assert desk.sent == []


def test_the_vector_is_copied_in_full_precision(desk):
    QShortcut("Ctrl+C", desk.dock).activated.connect(desk.sent.clear)
    desk.dock.show_cursor(Cursor(1, 2))
    heads, *rows = desk.copied()
    assert heads == ["column", "PE"]
    assert [row[0] for row in rows] == ["0", "1", "2", "3"]
    assert float(rows[0][1]) == math.sin(1)
    assert float(rows[2][1]) == pytest.approx(math.sin(0.01), rel=1e-15)


def test_the_embedding_and_the_sum_are_copied_too(desk):
    desk.dock.show_document(EMBEDDED)
    heads, *rows = desk.copied()
    assert heads == ["column", "W_e", "PE", "sum"]
    for _, embedded, encoded, total in rows:
        assert float(total) == float(embedded) + float(encoded)
    desk.dock.show_cursor(Cursor(9, 0))
    assert desk.copied()[0] == ["column", "PE"]


def test_65536_columns_cost_what_is_seen_of_them(desk):
    wide = Document(encoding=Sinusoidal(65536), embedding=Embedding("simulated"))
    computed = []
    values = Sinusoidal.values

    class Counting(Sinusoidal):
        def values(self, positions, columns):
            computed.append(len(columns))
            return values(self, positions, columns)

    desk.dock.show_document(Document(encoding=Counting(65536), embedding=wide.embedding))
    desk.dock.show_cursor(Cursor(2, 60_000))
    desk.table.grab()
    assert 0 < sum(computed) <= 1024
    assert desk.marked() == [60_000]
    assert len(desk.copied()) == 65537


@pytest.mark.parametrize("width", [230, 280, 340])
@pytest.mark.parametrize("document", [FOUR, EMBEDDED], ids=["position", "sum"])
def test_columns_fill_the_width_and_no_number_is_cut(qtbot, width, document):
    desk = Desk(qtbot, width)
    desk.dock.show_document(document)
    table = desk.table
    shown = [i for i in range(len(desk.heads())) if not table.isColumnHidden(i)]
    total = sum(table.columnWidth(i) for i in shown)
    assert total == table.viewport().width() or table.horizontalScrollBar().maximum() > 0
    if document is FOUR or width == 340:
        assert total == table.viewport().width()
    assert {"column", "PE"} <= {desk.heads()[i] for i in shown}
    metrics = table.fontMetrics()
    for place in shown:
        texts = [desk.heads()[place], *(text for (text,) in desk.rows(desk.heads()[place]))]
        assert max(map(metrics.horizontalAdvance, texts)) + 10 <= table.columnWidth(place)


def test_a_number_without_room_keeps_its_sign(qtbot, tmp_path):
    """The room is that of the rows looked at; one beyond them may have longer numbers."""
    seen = []
    for sign in (-1, 1):
        rows = np.zeros((200_000, 4), np.float32)
        rows[150_000, 1] = sign * 123456.78
        np.save(tmp_path / f"{sign}.npy", rows)
        desk = Desk(qtbot, 165)
        encoding = LearnedTable.from_file(tmp_path / f"{sign}.npy")
        desk.dock.show_document(Document("", encoding=encoding, seq_len=200_000))
        desk.dock.show_cursor(Cursor(150_000, 1))
        seen.append(pixels_of(desk.table.viewport()))
    assert not np.array_equal(*seen)


@pytest.mark.parametrize(
    ("number", "text"), [(0.5, "+0.500000"), (-0.25, "−0.250000"), (0.0, "+0.000000"), (-12.3456789, "−12.345679")]
)
def test_signed_numbers_align(number, text):
    assert signed(number) == text


@pytest.mark.parametrize(
    ("encoding", "column", "text"),
    [
        (Sinusoidal(8), 0, "6.3"),
        (Sinusoidal(8), 6, "6,283.2"),
        (Sinusoidal(4, base=1e14), 2, "6.28e7"),
        (Sinusoidal(4, base=1e-6), 2, "0.00628"),
        (Sinusoidal(4, base=1e-20), 2, "6.28e−10"),
        (Sinusoidal(5, spacing="tensor2tensor"), 4, "–"),
    ],
)
def test_wavelength_text(encoding, column, text):
    assert wavelength_text(encoding.column_info(column).wavelength) == text
