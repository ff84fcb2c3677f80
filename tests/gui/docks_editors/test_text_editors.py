"""Lines for what may be left out, boxes for lists of numbers, and letters that lead to one place each."""

from dataclasses import replace

import pytest
from pixels import settle
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QShortcut, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from posenc_core import Document, LongRope, Rotary, Yarn
from posenc_core.encodings import Cope, Kerple
from posenc_gui.docks.editors.form import FieldForm, letter_of, make_editor, with_own_letters
from posenc_gui.look.controls import Note
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.look.theme import apply_style

LONG = LongRope((1.0, 1.5, 2.0, 2.5), (1.0, 4.0, 8.0, 16.5), 64, 256)
STRETCHED = Document(encoding=Rotary(8, scaling=LONG))


class Desk:
    """The encoding's fields in a window, which shows what it sends, as the program does."""

    def __init__(self, qtbot, document):
        self.form = FieldForm([make_editor(field) for field in document.encoding.fields if field.name != "seq_len"])
        self.window = QWidget()
        QVBoxLayout(self.window).addWidget(self.form)
        self.edits, self.document = [], document
        qtbot.addWidget(self.window)
        self.show(document)
        self.form.fieldEdited.connect(self.receive)
        self.window.resize(280, 10)
        self.window.show()
        qtbot.waitExposed(self.window)
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)

    def show(self, document):
        self.document = document
        self.form.show_document(document)

    def receive(self, name, value, gesture):
        try:
            edited = self.document.edited(name, value)
        except (TypeError, ValueError) as error:
            self.form.show_refusal(name, value, str(error))
        else:
            self.edits.append((name, value))
            self.show(edited)

    def control(self, label):
        (found,) = [w for w in self.window.findChildren(QWidget) if w.accessibleName() == label]
        return found

    def text(self, label):
        control = self.control(label)
        return control.toPlainText() if isinstance(control, QPlainTextEdit) else control.text()

    def type(self, label, text, then=Qt.Key.Key_Return):
        control = self.control(label)
        control.setFocus()
        control.selectAll()
        QTest.keyClick(control, Qt.Key.Key_Delete)
        QTest.keyClicks(control, text)
        if then is not None:
            QTest.keyClick(control, then)

    def errors(self):
        return [note.sentence for note in self.window.findChildren(Note) if note.isVisible() and note.sentence]

    def is_red(self, label):
        picture = self.control(label).grab().toImage()
        colours = [picture.pixelColor(x, y) for x in range(picture.width()) for y in range(picture.height())]
        return sum(colour.red() - colour.green() for colour in colours) > 5 * len(colours)


@pytest.fixture
def desk(qtbot):
    return Desk(qtbot, STRETCHED)


def test_nothing_is_an_empty_line_that_says_none(desk):
    line = desk.control("rotary_dim")
    assert isinstance(line, QLineEdit)
    assert (line.text(), line.placeholderText()) == ("", "none")
    desk.type("attention_factor", "1.25")
    desk.type("attention_factor", "")
    assert desk.edits == [("attention_factor", 1.25), ("attention_factor", None)]
    assert desk.text("attention_factor") == ""


@pytest.mark.parametrize("word", ["none", "None", "  ", " NONE "])
def test_none_may_be_typed_too(desk, word):
    desk.show(desk.document.edited("attention_factor", 2.0))
    desk.type("attention_factor", word)
    assert desk.edits == [("attention_factor", None)]
    assert (desk.text("attention_factor"), desk.errors()) == ("", [])


def test_none_typed_where_there_is_none_is_no_edit(desk):
    desk.type("attention_factor", "none")
    assert desk.edits == []
    assert desk.text("attention_factor") == ""


@pytest.mark.parametrize(
    ("label", "text", "sentence"),
    [
        ("attention_factor", "abc", "attention_factor must be a finite number > 0, got 'abc'"),
        ("attention_factor", "0", "attention_factor must be a finite number > 0, got 0"),
        ("rotary_dim", "3", "RoPE rotates pairs: rotary dimension must be even, got 3"),
        ("rotary_dim", "10", "rotary_dim must be at most head_dim = 8, got 10"),
        ("rotary_dim", "6", "short_factor must list rotary_dim/2 = 3 numbers, got 4"),
        ("rotary_dim", "2.5", "rotary_dim must be a whole number from 2 to 65536, got '2.5'"),
        ("short_factor", "1, 2, 3", "short_factor must list rotary_dim/2 = 4 numbers, got 3"),
        ("short_factor", "", "short_factor must list rotary_dim/2 = 4 numbers, got 0"),
        ("short_factor", "1, 2, 0, 4", "short_factor[2] must be a finite number > 0, got 0"),
        ("long_factor", "1 2 x 4", "long_factor[2] must be a finite number > 0, got 'x'"),
        ("long_factor", "1, 2, nan, 4", "long_factor[2] must be a finite number > 0, got nan"),
    ],
)
def test_a_wrong_value_gets_its_sentence_and_stays_until_escape(desk, label, text, sentence):
    good = desk.text(label)
    desk.type(label, text)
    assert desk.errors() == [sentence]
    assert desk.is_red(label)
    assert desk.text(label) == text
    assert sentence in desk.control(label).accessibleDescription()
    QTest.keyClick(desk.control(label), Qt.Key.Key_Escape)
    assert (desk.text(label), desk.errors(), desk.edits) == (good, [], [])
    assert not desk.is_red(label)


def test_a_list_is_sent_on_enter_and_on_leaving_with_commas_or_blanks(desk):
    desk.type("short_factor", "1 2,3,  4.5", then=None)
    assert desk.edits == []
    QTest.keyClick(desk.control("short_factor"), Qt.Key.Key_Return)
    assert desk.edits == [("short_factor", (1.0, 2.0, 3.0, 4.5))]
    assert desk.text("short_factor") == "1, 2, 3, 4.5"
    desk.type("long_factor", "9, 9, 9, 9", then=Qt.Key.Key_Tab)
    assert desk.edits[1:] == [("long_factor", (9.0,) * 4)]
    assert not desk.control("long_factor").hasFocus()


def test_a_list_pasted_over_lines_is_read(desk):
    box = desk.control("short_factor")
    box.setFocus()
    box.selectAll()
    box.insertPlainText("1.0,\n 2,\n\t3,\n4\n")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert desk.edits == [("short_factor", (1.0, 2.0, 3.0, 4.0))]


def test_a_long_list_wraps_into_four_lines_and_scrolls(qtbot):
    factors = tuple(1 + i / 100 for i in range(64))
    scaling = replace(LONG, short_factor=factors, long_factor=(1.0,) * 64)
    desk = Desk(qtbot, Document(encoding=Rotary(128, scaling=scaling)))
    box = desk.control("short_factor")
    assert box.height() <= 5 * box.fontMetrics().lineSpacing()
    assert box.height() >= 4 * box.fontMetrics().lineSpacing()
    assert box.verticalScrollBar().maximum() > 0
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert box.viewport().rect().contains(box.cursorRect().center())
    QTest.keyClicks(box, "9")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert desk.edits == [("short_factor", (*factors[:-1], 1.639))]
    assert desk.errors() == []


def test_a_box_is_as_low_as_its_list(desk):
    box = desk.control("short_factor")
    desk.type("short_factor", "1, 1, 1, 1")
    low = box.height()
    assert low < 2 * box.fontMetrics().lineSpacing() + 12
    assert low == pytest.approx(desk.control("rotary_dim").height(), abs=3)
    desk.type("short_factor", "1.111111111111, 1.111111111111, 1.111111111111, 1.111111111111")
    assert box.height() > low


def test_a_box_scrolls_by_wheel_only_with_the_focus(qtbot):
    scaling = replace(LONG, short_factor=(1.5,) * 64, long_factor=(1.0,) * 64)
    desk = Desk(qtbot, Document(encoding=Rotary(128, scaling=scaling)))
    box = desk.control("short_factor")
    desk.control("rotary_dim").setFocus()
    for scrolls in (False, True):
        centre = QPointF(box.viewport().rect().center())
        turn = QWheelEvent(
            centre, box.viewport().mapToGlobal(centre), QPoint(), QPoint(0, -240), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(box.viewport(), turn)
        assert (box.verticalScrollBar().value() > 0) == scrolls
        box.setFocus()


def test_undo_is_the_windows_once_nothing_is_half_typed(desk):
    undone = []
    QShortcut("Ctrl+Z", desk.window).activated.connect(lambda: undone.append(1))
    box = desk.control("short_factor")
    desk.type("short_factor", "7", then=None)
    while box.document().isUndoAvailable():
        QTest.keyClick(box, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert undone == []
    assert desk.text("short_factor") == "1, 1.5, 2, 2.5"
    desk.type("short_factor", "1, 1, 1, 1")
    QTest.keyClick(box, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert undone == [1]


def test_the_windows_shortcuts_do_not_take_the_boxes_keys(desk):
    taken = []
    for key in ("Space", "Up", "Down", "Left", "Home", "Escape", "Return"):
        QShortcut(key, desk.window).activated.connect(lambda key=key: taken.append(key))
    desk.type("short_factor", "1 1 1 1 ", then=Qt.Key.Key_Left)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_Escape):
        QTest.keyClick(desk.control("short_factor"), key)
    assert taken == []
    assert desk.text("short_factor") == "1, 1.5, 2, 2.5"


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_boxes_look_as_lines_do(desk, style):
    apply_style(style)
    settle()
    box, line = desk.control("short_factor"), desk.control("rotary_dim")
    pictures = [widget.grab().toImage() for widget in (box, line)]
    grounds = [picture.pixelColor(picture.width() - 8, picture.height() // 2).name() for picture in pictures]
    assert grounds == [style.field] * 2
    edges = [picture.pixelColor(picture.width() // 2, 0).lightness() for picture in pictures]
    assert abs(edges[0] - edges[1]) < 40


def test_the_letter_of_a_box_leads_to_it(desk):
    (label,) = [editor.label for editor in desk.form.findChildren(QWidget) if getattr(editor, "field", None)
                and editor.field.name == "short_factor"]  # fmt: skip
    desk.control("rotary_dim").setFocus()
    QTest.keyClick(desk.window, getattr(Qt.Key, f"Key_{letter_of(label.text()).upper()}"),
                   Qt.KeyboardModifier.AltModifier)  # fmt: skip
    assert desk.control("short_factor").hasFocus()


def test_contradictions_are_said_under_their_field(qtbot):
    desk = Desk(qtbot, Document(encoding=Rotary(8, scaling=Yarn(4, 4096))))
    desk.type("beta_slow", "33")
    assert desk.errors() == ["beta_fast (32) must be greater than beta_slow (33)"]
    assert desk.is_red("beta_slow")
    desk.type("beta_fast", "40")
    assert desk.edits == [("beta_fast", 40.0)]
    assert desk.errors() == []  # it would be taken now, so what was refused is not held against the document


@pytest.mark.parametrize(
    ("labels", "taken", "expected"),
    [
        (["&one", "&two"], "", ["&one", "&two"]),
        (["&one", "&ooze"], "", ["&one", "oo&ze"]),
        (["&ab", "&a"], "", ["a&b", "&a"]),
        (["&fast"], "f", ["f&ast"]),
        (["&a", "&a"], "", ["&a", "a"]),
        (["12"], "", ["12"]),
        (["plain"], "", ["p&lain"]),
        (["√d_&model"], "m", ["√&d_model"]),
    ],
)
def test_each_letter_leads_to_one_place(labels, taken, expected):
    assert with_own_letters(labels, taken) == expected


def test_an_empty_list_says_none_which_may_be_typed(qtbot):
    desk = Desk(qtbot, Document(encoding=Cope(gate_logits=(1.0, 2.0))))
    assert desk.control("position logits").placeholderText() == "none"
    desk.type("gate logits", "None")
    assert desk.edits == [("gate_logits", ())]
    assert (desk.text("gate logits"), desk.errors()) == ("", [])


def test_a_long_label_has_no_empty_lines_around_it(qtbot):
    desk = Desk(qtbot, Document(encoding=Kerple()))
    labels = {label.text().replace("&", ""): label for label in desk.window.findChildren(QLabel) if label.isVisible()}
    assert labels["r1 of other heads"].height() == labels["r1"].height()
    assert "" not in [line for text in labels for line in text.split("\n")]
