import math

import pytest
import shiboken6
from pixels import settle
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QShortcut, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QVBoxLayout,
    QWidget,
)

from posenc_core import Document, Sinusoidal
from posenc_core.encodings.sinusoidal import LAYOUT, SPACING
from posenc_core.fields import BASE, D_MODEL, OFFSET, SEQ_LEN, IntegerField, RealField, TextField, optional
from posenc_core.rope_scaling import SCALING
from posenc_core.rope_scaling.fields import SHORT_FACTOR
from posenc_core.text.embedding import EMBEDDING, SCALE_BY_SQRT_D, SEED
from posenc_gui.docks.editors.form import FieldForm, make_editor
from posenc_gui.docks.editors.text_editors import NumbersBox
from posenc_gui.look.controls import Note
from posenc_gui.look.number_format import as_written
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.look.theme import apply_style

FIELDS = (D_MODEL, BASE, LAYOUT, SPACING, OFFSET, SEQ_LEN, EMBEDDING, SEED, SCALE_BY_SQRT_D)


class Desk:
    """A form in a window, with the edits that its document takes; ``follows``: it shows them, as the program does."""

    def __init__(self, qtbot, fields=FIELDS, follows=True):
        self.form = FieldForm([make_editor(field) for field in fields])
        self.window = QWidget()
        QVBoxLayout(self.window).addWidget(self.form)
        self.sent = []
        self.follows = follows
        self.document = Document()
        qtbot.addWidget(self.window)
        self.show(self.document)
        self.form.fieldEdited.connect(self.receive)
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
            return
        self.sent.append((name, value, gesture))
        if self.follows:
            self.show(edited)

    @property
    def edits(self):
        return [(name, value) for name, value, _ in self.sent]

    def control(self, name):
        (found,) = [w for w in self.window.findChildren(QWidget) if w.accessibleName() == name]
        return found

    def line(self, name):
        control = self.control(name)
        return control if isinstance(control, QLineEdit) else control.findChild(QLineEdit)

    def slider(self, name):
        return self.control(f"{name} slider")

    def type(self, name, text, then=Qt.Key.Key_Return):
        control = self.control(name)
        control.setFocus()
        self.line(name).selectAll()
        QTest.keyClicks(control, text) if text else QTest.keyClick(control, Qt.Key.Key_Delete)
        if then is not None:
            QTest.keyClick(control, then)

    def errors(self):
        return [note.sentence for note in self.window.findChildren(Note) if note.isVisible() and note.sentence]

    def is_red(self, name):
        picture = self.control(name).grab().toImage()
        colours = [picture.pixelColor(x, y) for x in range(picture.width()) for y in range(picture.height())]
        return sum(colour.red() - colour.green() for colour in colours) > 5 * len(colours)


@pytest.fixture
def desk(qtbot):
    return Desk(qtbot)


def turn_wheel(widget, steps=1):
    centre = QPointF(widget.rect().center())
    event = QWheelEvent(
        centre,
        widget.mapToGlobal(centre),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def handle(slider):
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    return (
        slider.style()
        .subControlRect(QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, slider)
        .center()
    )


def test_an_integer_is_sent_once_on_enter_and_not_at_each_key(desk):
    desk.type("d_model", "1024", then=None)
    assert desk.edits == []
    QTest.keyClick(desk.control("d_model"), Qt.Key.Key_Return)
    assert desk.edits == [("d_model", 1024)]
    desk.control("offset").setFocus()
    assert desk.edits == [("d_model", 1024)]


@pytest.mark.parametrize(("name", "text", "value"), [("d_model", "12", 12), ("base", "500000", 500000.0)])
def test_a_number_is_sent_when_the_focus_leaves(desk, name, text, value):
    desk.type(name, text, then=Qt.Key.Key_Tab)
    assert desk.edits == [(name, value)]


@pytest.mark.one_of(4)
@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("d_model", "0", "d_model must be an integer >= 1, got 0"),
        ("d_model", "-3", "d_model must be an integer >= 1, got -3"),
        ("d_model", "2.5", "d_model must be a whole number from 1 to 65536, got '2.5'"),
        ("d_model", "1000000000000", "d_model must be an integer <= 65536, got 1000000000000"),
        ("d_model", "abc", "got 'abc'"),
        ("d_model", "1e400", "got 1e400"),
        ("d_model", "9" * 5000, "d_model must be"),
        ("d_model", "", "got nothing"),
        ("base", "0", "base (rope_theta) must be a finite number > 0, got 0"),
        ("base", "-1", "got -1"),
        ("base", "nan", "got nan"),
        ("base", "inf", "got inf"),
        ("base", "1e400", "got 1e400"),
        ("base", "abc", "got 'abc'"),
        ("base", "", "got nothing"),
    ],
)
def test_a_wrong_number_stays_red_with_a_sentence_until_escape(desk, name, text, words):
    good = desk.line(name).text()
    desk.type(name, text)
    (sentence,) = desk.errors()
    assert words in sentence
    assert len(sentence) < 160
    assert desk.is_red(name)
    assert desk.line(name).text() == text
    assert sentence in desk.control(name).accessibleDescription()
    desk.control("offset").setFocus()
    desk.control(name).setFocus()
    assert desk.errors() == [sentence]
    QTest.keyClick(desk.control(name), Qt.Key.Key_Escape)
    assert desk.line(name).text() == good.replace(",", "")
    assert desk.errors() == []
    assert not desk.is_red(name)
    assert desk.edits == []


@pytest.mark.parametrize(("name", "good"), [("d_model", "16"), ("d_model", "8"), ("base", "10"), ("base", "1e4")])
def test_the_red_goes_when_a_good_value_is_typed(desk, name, good):
    desk.type(name, "abc")
    desk.type(name, good)
    assert desk.errors() == []
    assert not desk.is_red(name)
    assert [value for _, value in desk.edits] == ([float(good)] if good in ("16", "10") else [])


def test_escape_takes_back_what_has_not_been_entered(desk):
    desk.type("d_model", "12", then=Qt.Key.Key_Escape)
    assert desk.line("d_model").text() == "8"
    desk.control("base").setFocus()
    assert desk.edits == []


def test_a_number_is_shown_in_its_own_spelling(desk):
    desk.type("base", "1e6")
    assert desk.line("base").text() == "1000000"
    desk.type("base", "1.0e6")
    assert desk.line("base").text() == "1000000"
    assert desk.edits == [("base", 1e6)]


def test_a_refusal_of_the_document_is_explained_at_the_field(desk):
    desk.show(desk.document.edited("spacing", "one_based"))
    desk.type("d_model", "7")
    (sentence,) = desk.errors()
    assert "even d_model, got 7" in sentence
    assert desk.is_red("d_model")
    assert desk.line("d_model").text() == "7"
    assert desk.edits == []
    desk.type("d_model", "7")
    assert desk.errors() == [sentence]
    QTest.keyClick(desk.control("d_model"), Qt.Key.Key_Escape)
    assert (desk.line("d_model").text(), desk.errors()) == ("8", [])


def test_a_refused_choice_is_explained_too(desk):
    desk.show(desk.document.edited("d_model", 7))
    combo = desk.control("spacing")
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_End)
    assert combo.currentText().startswith("one_based")
    assert "even d_model" in desk.errors()[0]
    assert desk.is_red("spacing")
    QTest.keyClick(combo, Qt.Key.Key_Escape)
    assert combo.currentText().startswith("paper")
    assert desk.errors() == []
    assert desk.edits == []


def test_a_refused_value_stays_while_other_fields_change(desk):
    desk.type("d_model", "abc")
    desk.type("offset", "5")
    assert desk.line("d_model").text() == "abc"
    assert desk.is_red("d_model")
    assert desk.edits == [("offset", 5)]
    desk.show(desk.document.edited("d_model", 32))
    assert (desk.line("d_model").text(), desk.errors()) == ("32", [])


def test_an_error_that_no_longer_holds_goes_with_its_value(desk):
    desk.show(desk.document.edited("spacing", "one_based"))
    desk.type("d_model", "7")
    desk.show(desk.document.edited("spacing", "paper"))
    assert (desk.line("d_model").text(), desk.errors()) == ("8", [])
    assert desk.edits == []


def test_showing_documents_sends_nothing(desk):
    other = Document(
        seq_len=7, encoding=Sinusoidal(12, base=0.5, layout="concatenated", spacing="tensor2tensor", offset=-4)
    )
    for document in (other, Document(), other):
        desk.show(document)
    assert desk.edits == []
    assert desk.line("d_model").text() == "12"
    assert desk.line("base").text() == "0.5"
    assert desk.line("offset").text() == "−4"
    assert desk.control("spacing").currentText().startswith("tensor2tensor")


@pytest.mark.parametrize(
    ("start", "key", "result"),
    [
        (8, Qt.Key.Key_Up, 10),
        (8, Qt.Key.Key_Down, 6),
        (7, Qt.Key.Key_Up, 8),
        (7, Qt.Key.Key_Down, 6),
        (1, Qt.Key.Key_Up, 2),
        (2, Qt.Key.Key_Down, 1),
        (8, Qt.Key.Key_PageUp, 28),
        (8, Qt.Key.Key_PageDown, 1),
        (65535, Qt.Key.Key_PageUp, 65536),
    ],
)
def test_keys_step_d_model_over_even_numbers_within_its_bounds(desk, start, key, result):
    desk.show(desk.document.edited("d_model", start))
    desk.control("d_model").setFocus()
    QTest.keyClick(desk.control("d_model"), key)
    assert desk.edits == [("d_model", result)]
    assert desk.line("d_model").text() == str(result)


@pytest.mark.parametrize(("value", "key"), [(65536, Qt.Key.Key_Up), (1, Qt.Key.Key_Down)])
def test_no_step_leads_over_a_bound(desk, value, key):
    desk.show(desk.document.edited("d_model", value))
    desk.control("d_model").setFocus()
    QTest.keyClick(desk.control("d_model"), key)
    assert desk.edits == []


def test_a_step_starts_from_what_is_typed_and_from_the_good_value_after_nonsense(desk):
    desk.type("d_model", "100", then=Qt.Key.Key_Up)
    desk.type("d_model", "abc")
    QTest.keyClick(desk.control("d_model"), Qt.Key.Key_Up)
    assert desk.edits == [("d_model", 102), ("d_model", 104)]
    assert desk.errors() == []


def test_each_press_of_a_key_is_a_gesture_of_its_own(desk):
    spin = desk.control("d_model")
    spin.setFocus()
    QTest.keyClick(spin, Qt.Key.Key_Up)
    QTest.keyClick(spin, Qt.Key.Key_Up)
    (*_, first), (*_, second) = desk.sent
    assert first is not second
    assert None not in (first, second)


@pytest.mark.parametrize("name", ["d_model", "base slider", "spacing"])
def test_the_wheel_changes_nothing_without_focus(desk, name):
    widget = desk.control(name)
    desk.control("seq_len").setFocus()
    turn_wheel(widget, -1)
    turn_wheel(widget, 1)
    assert desk.edits == []
    assert not widget.hasFocus()


def test_the_wheel_steps_what_has_the_focus(desk):
    for name in ("d_model", "base slider", "spacing"):
        widget = desk.control(name)
        widget.setFocus()
        turn_wheel(widget, -1)
    assert [name for name, _ in desk.edits] == ["d_model", "base", "spacing"]
    assert desk.edits[0] == ("d_model", 6)
    assert desk.edits[1][1] < 10000
    assert desk.edits[2] == ("spacing", "tensor2tensor")


def test_the_turns_of_a_wheel_are_one_gesture(desk):
    spin = desk.control("d_model")
    spin.setFocus()
    turn_wheel(spin)
    turn_wheel(spin)
    assert len({id(gesture) for *_, gesture in desk.sent}) == 1


@pytest.mark.parametrize(
    ("base", "share"), [(1.0, 0.0), (10.0, 1 / 7), (10000.0, 4 / 7), (1e7, 1.0), (0.25, 0.0), (1e12, 1.0)]
)
def test_the_slider_stands_at_the_logarithm(desk, base, share):
    desk.window.resize(360, desk.window.height())
    settle()
    desk.show(desk.document.edited("base", base))
    slider = desk.slider("base")
    assert slider.value() / slider.maximum() == pytest.approx(share)
    assert desk.line("base").text() == as_written(BASE.format(base))
    assert desk.edits == []


def test_a_drag_reports_live_in_one_gesture_and_with_three_digits(desk):
    desk.window.resize(360, desk.window.height())
    settle()
    slider = desk.slider("base")
    start = handle(slider)
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
    for distance in range(2, 40, 3):
        QTest.mouseMove(slider, start + QPoint(distance, 0))
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=start + QPoint(40, 0))
    values = [value for _, value, _ in desk.sent]
    assert len(values) > 5
    assert values == sorted(set(values))
    assert all(value == float(f"{value:.3g}") for value in values)
    assert len({id(gesture) for *_, gesture in desk.sent}) == 1
    assert desk.line("base").text() == as_written(BASE.format(values[-1]))
    before = len(desk.sent)
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=handle(slider))
    QTest.mouseMove(slider, handle(slider) - QPoint(20, 0))
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=handle(slider))
    assert desk.sent[before][2] is not desk.sent[before - 1][2]


def test_a_way_back_to_where_it_began_is_reported_even_if_no_document_was_shown_meanwhile(qtbot):
    desk = Desk(qtbot, follows=False)
    for name, keys, values in (
        ("base slider", (Qt.Key.Key_Right, Qt.Key.Key_Left), [11200.0, 10000.0]),
        ("d_model", (Qt.Key.Key_Up, Qt.Key.Key_Down), [10, 8]),
    ):
        desk.sent.clear()
        desk.control(name).setFocus()
        for key in keys:
            QTest.keyClick(desk.control(name), key)
        assert [value for _, value in desk.edits] == values


def test_the_slider_goes_by_keys_and_comes_back_to_the_same_number(desk):
    slider = desk.slider("base")
    slider.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_PageUp, Qt.Key.Key_End, Qt.Key.Key_Home):
        QTest.keyClick(slider, key)
    values = [value for _, value in desk.edits]
    assert values == [11200.0, 10000.0, 100000.0, 1e7, 1.0]


def test_the_slider_takes_a_wrong_text_away(desk):
    desk.type("base", "abc")
    slider = desk.slider("base")
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert desk.errors() == []
    assert desk.line("base").text() == "11,200"


def test_a_combo_box_sends_the_value_and_explains_it(desk):
    combo = desk.control("spacing")
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Down)
    assert desk.edits == [("spacing", "tensor2tensor")]
    assert combo.itemText(1) == "tensor2tensor (fairseq) — base^(-i/(d/2 - 1))"
    assert combo.itemData(1, Qt.ItemDataRole.ToolTipRole) == "base^(-i/(d/2 - 1))"


def test_the_list_opens_with_space_and_is_wide_enough_to_read(desk, qtbot):
    combo = desk.control("layout")
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Space)
    qtbot.waitUntil(combo.view().isVisible)
    assert combo.view().width() >= combo.fontMetrics().horizontalAdvance(combo.itemText(1))
    QTest.keyClick(combo.view(), Qt.Key.Key_Down)
    QTest.keyClick(combo.view(), Qt.Key.Key_Return)
    assert desk.edits == [("layout", "concatenated")]


def test_a_check_box_is_ticked_with_space_and_with_the_mouse(desk):
    box = desk.control(SCALE_BY_SQRT_D.label.replace("&", ""))
    assert isinstance(box, QCheckBox)
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Space)
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert desk.edits == [("scale_by_sqrt_d", True), ("scale_by_sqrt_d", False)]


def test_the_windows_shortcuts_do_not_take_the_controls_keys(desk):
    taken = []
    for key in ("Space", "Up", "Down", "Left", "Right", "Home", "PageUp", "Escape"):
        QShortcut(key, desk.window).activated.connect(lambda key=key: taken.append(key))
    desk.type("d_model", "abc", then=Qt.Key.Key_Escape)
    assert desk.line("d_model").text() == "8"
    for name, key in (
        ("d_model", Qt.Key.Key_Up),
        ("d_model", Qt.Key.Key_PageUp),
        ("base slider", Qt.Key.Key_Right),
        ("base slider", Qt.Key.Key_Home),
        ("spacing", Qt.Key.Key_Down),
        (SCALE_BY_SQRT_D.label.replace("&", ""), Qt.Key.Key_Space),
    ):
        desk.control(name).setFocus()
        QTest.keyClick(desk.control(name), key)
    assert taken == []
    assert len(desk.edits) == 6
    QTest.keyClick(desk.control("d_model"), Qt.Key.Key_Escape)
    assert taken == ["Escape"]


@pytest.mark.parametrize("name", ["d_model", "base"])
def test_undo_is_the_windows_once_nothing_is_half_typed(desk, name):
    undone = []
    QShortcut("Ctrl+Z", desk.window).activated.connect(lambda: undone.append(1))
    control, good = desk.control(name), desk.line(name).text()
    desk.type(name, "12", then=None)
    QTest.keyClick(control, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert undone == []
    assert desk.line(name).text() == good.replace(",", "")
    desk.type(name, "12")
    QTest.keyClick(control, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert undone == [1]
    assert desk.line(name).text() == "12"


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_every_editor_has_a_label_a_tool_tip_and_words_for_screen_readers(desk, field):
    control = desk.control(field.label.replace("&", ""))
    assert control.toolTip().replace("\n", " ") == field.tool_tip.replace("\n", " ")
    assert max(map(len, control.toolTip().splitlines())) <= 64
    assert control.accessibleDescription() == field.tool_tip
    if isinstance(control, QCheckBox):
        assert control.text() == field.label
    else:
        (label,) = [each for each in desk.window.findChildren(QLabel) if each.text() == field.label]
        assert label.buddy() is control


def test_a_labels_letter_leads_to_its_editor(desk):
    desk.control("d_model").setFocus()
    QTest.keyClick(desk.window, Qt.Key.Key_L, Qt.KeyboardModifier.AltModifier)
    assert desk.control("layout").hasFocus()


def test_tab_goes_through_the_controls_from_top_to_bottom(desk):
    desk.control("d_model").setFocus()
    visited = []
    for _ in range(8):
        visited.append(QApplication.focusWidget().accessibleName())
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert visited == ["d_model", "base slider", "base", "layout", "spacing", "offset", "seq_len", "source"]
    assert desk.edits == []


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_a_wrong_field_is_red_in_both_themes_and_its_edge_is_seen(desk, style):
    apply_style(style)
    settle()
    spin = desk.control("offset")
    ground = spin.parentWidget().grab().toImage().pixelColor(0, 0)
    picture = spin.grab().toImage()
    edges = [picture.pixelColor(spin.width() // 2, y).lightness() for y in range(3)]
    assert max(abs(edge - ground.lightness()) for edge in edges) > 30
    desk.type("d_model", "abc")
    assert desk.is_red("d_model")
    assert not desk.is_red("offset")


def test_any_field_of_a_known_kind_gets_its_editor(qtbot):
    steps = IntegerField(name="steps", label="&steps", help="h", default=3, minimum=-5, maximum=5)
    rate = RealField(name="rate", label="&rate", help="h", default=0.5, above=-1.0, slider=(0.0, 1.0))
    note = TextField(name="note", label="note", help="h", default="", maximum=3)
    kinds = ((steps, "AnyTextSpinBox"), (rate, "NumberLine"), (LAYOUT, "ChoiceBox"), (optional(rate), "NumberLine"),
             (SHORT_FACTOR, "NumbersBox"), (note, "TextLine"))  # fmt: skip
    for field, kind in kinds:
        editor = make_editor(field)
        form = FieldForm([editor])
        qtbot.addWidget(form)
        assert type(editor.label.buddy()).__name__ == kind
        assert editor.findChildren(QSlider) == []
    with pytest.raises(TypeError, match="no editor for scaling, a field of kind part"):
        make_editor(SCALING)


def test_a_list_of_one_line_scrolls_in_no_size_of_text(qtbot):
    box = NumbersBox()
    qtbot.addWidget(box)
    box.resize(300, 30)
    box.show()
    box.setPlainText("1, 2, 3")
    for half_points in range(16, 60):
        font = box.font()
        font.setPointSizeF(half_points / 2)
        box.setFont(font)
        box.fit_text()
        settle()
        assert box.verticalScrollBar().maximum() == 0, half_points / 2


def test_labels_and_sentences_die_with_their_form(qtbot):
    form = FieldForm([make_editor(field) for field in FIELDS])
    form.show_document(Document())
    parts = form.findChildren(QWidget)
    assert len(parts) > 4 * len(FIELDS)
    with qtbot.waitSignal(form.destroyed):
        form.deleteLater()
    assert not any(shiboken6.isValid(part) for part in parts)


def test_every_slider_position_is_a_number_of_three_digits(desk):
    slider = desk.slider("base")
    seen = set()
    for position in range(slider.maximum() + 1):
        slider.setSliderPosition(position)
        number = BASE.parse(desk.line("base").text())
        assert number == float(f"{number:.3g}")
        assert math.log10(number) == pytest.approx(position / 100, abs=0.003)
        seen.add(number)
    assert len(seen) == slider.maximum() + 1
