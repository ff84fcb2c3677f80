from itertools import pairwise

import pytest
from pixels import settle
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QShortcut, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from posenc_core import Document
from posenc_gui.docks.sentence.sentence_bar import SentenceBar
from posenc_gui.look.controls import Note
from posenc_gui.look.style import DARK, LIGHT, load_fonts
from posenc_gui.look.theme import apply_style


class Desk:
    """The bar in a window's tool bar, with the edits that its document takes and shows, as the program does."""

    def __init__(self, qtbot, width=900):
        load_fonts()
        self.bar = SentenceBar()
        self.window = QWidget()
        self.window.setLayout(QVBoxLayout())
        tool_bar = QToolBar()
        tool_bar.addWidget(self.bar)
        self.window.layout().addWidget(tool_bar)
        self.below = QLineEdit()
        self.window.layout().addWidget(self.below)
        self.window.layout().addStretch(1)
        self.window.resize(width, 300)
        qtbot.addWidget(self.window)
        self.sent = []
        self.document = Document()
        self.show(self.document)
        self.bar.fieldEdited.connect(self.receive)
        self.window.show()
        qtbot.waitExposed(self.window)
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)
        self.bar.setFocus()

    def show(self, document):
        self.document = document
        self.bar.show_document(document)

    def receive(self, name, value, gesture):
        try:
            edited = self.document.edited(name, value)
        except ValueError as error:
            self.bar.show_refusal(name, value, str(error))
        else:
            self.sent.append((name, value, gesture))
            self.show(edited)

    @property
    def edit(self):
        return self.bar.findChild(QPlainTextEdit)

    @property
    def text(self):
        return self.edit.document().toRawText().replace("\u2029", "\n")

    @property
    def caret(self):
        return self.edit.textCursor().position()

    def errors(self):
        return [note.sentence for note in self.bar.findChildren(Note) if note.isVisible() and note.sentence]

    def count(self):
        (label,) = [label for label in self.bar.findChildren(QLabel) if "token" in label.text() and not label.buddy()]
        return label

    def press(self, key, modifiers=Qt.KeyboardModifier.NoModifier):
        QTest.keyClick(self.edit, key, modifiers)

    def paste(self, text):
        QApplication.clipboard().setText(text)
        self.press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)


@pytest.fixture
def desk(qtbot):
    return Desk(qtbot)


def test_each_key_is_sent(desk):
    QTest.keyClicks(desk.edit, " ok")
    assert desk.sent == [("sentence", f"Dan loves icecream{end}", None) for end in (" ", " o", " ok")]
    assert desk.count().text() == "4 tokens"


def test_showing_sends_nothing(desk):
    for sentence in ("", "a\nb", "a\r\nb", "x" * 1000, "שלום", "😀", "Dan"):
        desk.show(Document(sentence=sentence))
        desk.show(Document(sentence=sentence, seq_len=5))
    assert desk.sent == []


def test_plain_enter_does_nothing_and_shift_enter_begins_a_line(desk):
    desk.press(Qt.Key.Key_Return)
    desk.press(Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert desk.sent == []
    desk.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(desk.edit, "x")
    assert desk.sent[-1][1] == "Dan loves icecream\nx"


def test_tab_moves_the_focus(desk):
    desk.press(Qt.Key.Key_Tab)
    assert QApplication.focusWidget().accessibleName() == "Split into"
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert desk.below.hasFocus()
    assert desk.sent == []


def test_a_long_text_is_pasted_whole(desk):
    text = ("tab\there, nbsp\u00a0there, ideographic\u3000space\n\n" * 3000)[:100_000]
    desk.press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    desk.paste(text)
    assert [edit[1] for edit in desk.sent] == [text]
    assert desk.text == text


def test_a_text_of_one_line_is_not_cut_either(desk):
    text = "word " * 20_000
    desk.press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    desk.paste(text)
    assert desk.sent[-1][1] == text
    assert desk.count().text() == "20,000 tokens, 60 positions shown"


def test_line_ends_of_other_systems_are_newlines(desk):
    desk.press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    desk.paste("a\r\nb\rc\u2029d")
    assert desk.sent[-1][1] == "a\nb\nc\nd"


def test_only_the_letters_of_formatted_text_are_pasted(desk):
    formatted = QMimeData()
    formatted.setText(" red")
    formatted.setHtml("<b style='color:red'> red</b>")
    QApplication.clipboard().setMimeData(formatted)
    desk.press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert desk.sent[-1][1] == "Dan loves icecream red"
    assert desk.edit.document().allFormats()[-1].foreground().style() == Qt.BrushStyle.NoBrush


def test_a_paste_beyond_the_bound_is_refused_and_the_old_text_stays(desk):
    desk.paste("x" * 200_000)
    assert desk.errors() == ["sentence must be at most 200000 characters long, got 200018"]
    assert desk.text == "Dan loves icecream"
    assert desk.sent == []
    QTest.keyClicks(desk.edit, "!")
    assert desk.errors() == []
    assert desk.sent[-1][1] == "Dan loves icecream!"


def test_a_nul_is_kept_and_explained_and_not_sent(desk):
    desk.paste("\0")
    (sentence,) = desk.errors()
    assert "NUL (U+0000) at character 18" in sentence
    assert desk.text == "Dan loves icecream\0"
    desk.show(desk.document.edited("seq_len", 12))
    assert desk.text == "Dan loves icecream\0"
    assert desk.errors() == [sentence]
    QTest.keyClicks(desk.edit, "!")
    assert desk.sent == []
    desk.press(Qt.Key.Key_Left)
    desk.press(Qt.Key.Key_Backspace)
    assert desk.errors() == []
    assert desk.sent == [("sentence", "Dan loves icecream!", None)]


def test_half_a_character_is_kept_and_explained_and_not_sent(desk):
    QTest.keyClicks(desk.edit, " ")
    desk.paste("😀")
    desk.sent.clear()
    before = desk.document
    half = desk.edit.textCursor()
    half.setPosition(desk.caret - 1, QTextCursor.MoveMode.KeepAnchor)
    half.removeSelectedText()
    assert "half of a character" in desk.errors()[0]
    QTest.keyClicks(desk.edit, "more")
    assert "half of a character" in desk.errors()[0]
    assert desk.sent == []
    assert desk.document == before
    assert desk.edit.document().characterCount() - 1 == len("Dan loves icecream ?more")
    desk.press(Qt.Key.Key_Escape)
    assert desk.errors() == []
    assert desk.text == "Dan loves icecream 😀"


def test_undo_shows_the_older_text_even_in_place_of_a_refused_one(desk):
    desk.paste("\0")
    desk.show(desk.document.edited("sentence", "Dan"))
    assert (desk.text, desk.errors()) == ("Dan", [])


@pytest.mark.parametrize("key", ["Ctrl+Z", "Ctrl+Shift+Z"])
def test_undo_and_redo_are_the_windows(desk, key):
    pressed = []
    QShortcut(key, desk.window).activated.connect(lambda: pressed.append(key))
    QTest.keyClicks(desk.edit, "x")
    modifiers = Qt.KeyboardModifier.ControlModifier
    if "Shift" in key:
        modifiers |= Qt.KeyboardModifier.ShiftModifier
    desk.press(Qt.Key.Key_Z, modifiers)
    assert pressed == [key]
    assert desk.text == "Dan loves icecreamx"


def test_the_windows_other_shortcuts_do_not_take_letters(desk):
    QShortcut("Space", desk.window).activated.connect(desk.below.clear)
    QShortcut("Home", desk.window).activated.connect(desk.below.clear)
    desk.below.setText("kept")
    desk.press(Qt.Key.Key_Space)
    desk.press(Qt.Key.Key_Home)
    assert desk.sent[-1][1] == "Dan loves icecream "
    assert desk.caret == 0
    assert desk.below.text() == "kept"


@pytest.mark.parametrize("position", [0, 5, 18])
def test_the_caret_stays_where_the_text_stays(desk, position):
    cursor = desk.edit.textCursor()
    cursor.setPosition(position)
    desk.edit.setTextCursor(cursor)
    desk.show(Document(seq_len=9))
    assert desk.caret == position
    QTest.keyClicks(desk.edit, "xy")
    assert desk.caret == position + 2


@pytest.mark.parametrize(
    ("before", "after", "caret"),
    [
        ("Dan loves icecream", "Dan loves ice", 13),
        ("Dan icecream", "Dan loves icecream", 10),
        ("😀😀 x", "😀😀 y x", 7),
        ("aaaa", "aaa", 3),
        ("", "שלום", 4),
        ("one\ntwo", "one", 3),
        ("abc", "", 0),
    ],
)
def test_undo_puts_the_caret_behind_what_changed(desk, before, after, caret):
    desk.show(Document(sentence=before))
    desk.show(Document(sentence=after))
    assert desk.text == after
    assert desk.caret == caret
    assert desk.sent == []


def test_text_from_right_to_left_is_typed_deleted_and_seen(desk):
    desk.press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    desk.paste("שלום עולם")
    assert desk.count().text() == "2 tokens"
    QTest.keyClicks(desk.edit, "!")
    desk.press(Qt.Key.Key_Backspace)
    desk.press(Qt.Key.Key_Backspace)
    assert desk.sent[-1][1] == "שלום עול"
    desk.paste("שלום " * 200)
    assert desk.edit.viewport().rect().contains(desk.edit.cursorRect().center())


def test_the_caret_is_seen_at_the_end_of_a_long_line(desk):
    desk.paste("word " * 200)
    assert desk.edit.viewport().rect().contains(desk.edit.cursorRect().center())
    assert not desk.edit.horizontalScrollBar().isVisible()


def test_the_bar_grows_to_three_lines_and_no_further(desk, qtbot):
    heights = {}
    for lines in (1, 2, 3, 4, 9):
        desk.show(Document(sentence="\n".join("abcdefghi"[:lines])))
        qtbot.waitUntil(lambda: desk.edit.height() <= desk.bar.height() - 16)
        heights[lines] = desk.edit.height()
        assert desk.edit.verticalScrollBar().isVisible() == (lines > 3)
        assert desk.edit.verticalScrollBar().maximum() == max(0, lines - 3)
        assert desk.edit.viewport().rect().contains(desk.edit.cursorRect())
    assert heights[1] < heights[2] < heights[3] == heights[4] == heights[9]
    desk.show(Document())
    assert desk.edit.height() == heights[1]


def test_the_bar_has_the_largest_letters(desk):
    assert desk.edit.font().pixelSize() in (17, 18)
    assert max(label.font().pixelSize() for label in desk.bar.findChildren(QLabel)) < 17


def test_an_empty_sentence_says_what_to_do(desk):
    desk.press(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    desk.press(Qt.Key.Key_Delete)
    assert desk.sent == [("sentence", "", None)]
    assert desk.edit.placeholderText() == "Type a sentence"
    assert desk.count().text() == "0 tokens"


@pytest.mark.parametrize(
    ("sentence", "seq_len", "words", "role"),
    [
        ("one", 60, "1 token", "muted"),
        ("a b c", 3, "3 tokens", "muted"),
        ("a b c d", 3, "4 tokens, 3 positions shown", "warning"),
        ("a b", 1, "2 tokens, 1 position shown", "warning"),
        ("w " * 100, 60, "100 tokens, 60 positions shown", "warning"),
    ],
)
@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_the_number_of_tokens_warns_where_not_all_are_shown(desk, sentence, seq_len, words, role, style):
    apply_style(style)
    settle()
    desk.show(Document(sentence=sentence, seq_len=seq_len))
    assert desk.count().text() == words
    picture = desk.count().grab().toImage()
    colours = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}
    assert getattr(style, role) in colours


def test_tokens_are_chosen_and_shown(desk):
    (combo,) = [each for each in desk.bar.findChildren(QWidget) if each.accessibleName() == "Split into"]
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Down)
    assert desk.sent == [("tokens", "characters", None)]
    assert desk.count().text() == "18 tokens"
    desk.show(Document(tokens="bytes"))
    assert combo.currentText().startswith("bytes")
    assert len(desk.sent) == 1


def test_a_button_does_what_its_action_does(desk, qtbot):
    done = []
    copy = QAction("Copy picture", desk.window, triggered=lambda: done.append("copy"))
    button = desk.bar.add_action_button(copy)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert done == ["copy", "copy"]
    copy.setEnabled(False)
    assert not button.isEnabled()
    export = QAction("Export", desk.window)
    export.setMenu(QMenu(desk.window))
    last = desk.bar.add_action_button(export)
    assert last.popupMode() == QToolButton.ToolButtonPopupMode.InstantPopup
    qtbot.waitUntil(lambda: last.x() > button.x() + button.width())


def test_a_file_is_left_to_the_window_and_a_text_is_taken(desk):
    for mime, taken in ((QMimeData(), False), (QMimeData(), True)):
        if taken:
            mime.setText("text")
        else:
            mime.setUrls([QUrl.fromLocalFile("/picture.png")])
        event = QDragEnterEvent(
            QPoint(5, 5), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        )
        event.ignore()
        desk.edit.dragEnterEvent(event)
        assert event.isAccepted() == taken


def test_a_click_beside_the_letters_begins_to_type(desk):
    desk.below.setFocus()
    frame = desk.edit.parentWidget()
    QTest.mouseClick(frame, Qt.MouseButton.LeftButton, pos=QPointF(4, 4).toPoint())
    assert desk.edit.hasFocus()


@pytest.mark.parametrize("width", [1024, 1440])
def test_nothing_overlaps(qtbot, width):
    desk = Desk(qtbot, width)
    for name in ("Play", "Copy picture", "Export…"):
        desk.bar.add_action_button(QAction(name, desk.window))
    desk.show(Document(sentence="word " * 100))
    qtbot.waitUntil(lambda: desk.count().width() >= desk.count().sizeHint().width())
    parts = [desk.edit, desk.count(), *desk.bar.findChildren(QToolButton)]
    places = [(part.mapTo(desk.window, QPoint(0, 0)).x(), part.width()) for part in parts]
    for (left, own), (right, _) in pairwise(places):
        assert left + own < right
    assert sum(places[-1]) <= width
