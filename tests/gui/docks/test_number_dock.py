import math
import re
from functools import partial

import numpy as np
import pytest
from families import DEFAULTS, MADE, SCALED, formula
from pixels import pixels_of, settle, window_words
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea

from posenc_core import BinaryCode, Document, Sinusoidal, T5Bias, explain
from posenc_core.encodings import Pope, RopeAxes
from posenc_gui.docks.derivation import REST_MS, RestingDerivation, step_words
from posenc_gui.docks.headline import Headline, PinButton
from posenc_gui.docks.number_dock import NumberDock
from posenc_gui.files.presets import preset
from posenc_gui.look.controls import OUTER_MARGIN
from posenc_gui.look.style import DARK, LIGHT, load_fonts
from posenc_gui.look.theme import apply_style
from posenc_gui.model.cursor import Cursor

FOUR = Document(encoding=Sinusoidal(4))


class Desk:
    def __init__(self, qtbot, width=280, height=600):
        load_fonts()
        self.qtbot = qtbot
        self.dock = NumberDock()
        qtbot.addWidget(self.dock)
        self.dock.resize(width, height)
        self.dock.show()
        qtbot.waitExposed(self.dock)
        self.dock.show_document(FOUR)

    def point(self, position, column, pinned=False):
        self.dock.show_cursor(Cursor(position, column, pinned))

    @property
    def view(self):
        return self.dock.findChild(RestingDerivation)

    @property
    def rest(self):
        (timer,) = self.view.findChildren(QTimer)
        return timer

    def lines(self):
        """Sentences and formula sources that the view gives to screen readers, a line each."""
        return self.view.accessibleDescription().splitlines()

    def headline(self):
        document = QTextDocument()
        document.setHtml(self.dock.findChild(Headline).text())
        return document.toPlainText().translate({0x200E: None, 0x2068: None, 0x2069: None})

    def wait_until_typeset(self):
        self.qtbot.waitUntil(lambda: self.view.is_typeset)

    def click(self, button):
        (found,) = [each for each in self.dock.findChildren(QPushButton) if each.text() == button]
        QTest.mouseClick(found, Qt.MouseButton.LeftButton)


@pytest.fixture
def desk(qtbot):
    return Desk(qtbot)


def colours(widget):
    picture = widget.grab().toImage()
    return {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}


def empty_state(dock):
    (label,) = [label for label in dock.findChildren(QLabel) if label.text() == "Point at a cell"]
    return label


def test_without_a_cursor_it_says_what_to_do(desk):
    assert empty_state(desk.dock).isVisible()
    assert not desk.view.isVisible()
    desk.point(1, 2)
    assert not empty_state(desk.dock).isVisible()
    assert desk.view.isVisible()
    desk.dock.show_cursor(None)
    assert empty_state(desk.dock).isVisible()


def test_the_cell_explains_itself_down_to_its_number(desk):
    desk.point(1, 2)
    assert desk.headline() == "loves · position 1 · column 2"
    derivation = explain(FOUR.encoding, 1, 2)
    text = "\n".join(desk.lines())
    assert derivation.formula in text
    for step in derivation.steps:
        assert step.text in text
    assert "0.00999983" in desk.lines()[-2] + desk.lines()[-1]


def test_the_word_has_its_tokens_colour_and_the_rest_has_not(desk):
    for position, style in ((1, LIGHT), (2, LIGHT), (1, DARK)):
        apply_style(style)
        settle()
        desk.point(position, 0)
        seen = colours(desk.dock.findChild(Headline))
        assert style.token(position).name() in seen
        assert style.token(position + 1).name() not in seen
        assert style.ink in seen


def test_beyond_the_sentence_there_is_no_word(desk):
    desk.point(7, 2)
    assert desk.headline() == "position 7 · column 2"


def test_a_word_is_shown_as_it_is_typed_whatever_it_looks_like(desk):
    desk.dock.show_document(Document(sentence="<b>a</b>&amp; x"))
    desk.point(0, 0)
    assert desk.headline().splitlines() == ["<b>a</b>&amp;", "position 0 · column 0"]


@pytest.mark.parametrize("width", [230, 300, 340])
def test_a_long_word_is_cut_and_widens_nothing(qtbot, width):
    desk = Desk(qtbot, width)
    desk.dock.show_document(Document(sentence="W" * 100_000))
    desk.point(0, 2)
    word, places = desk.headline().splitlines()
    assert word.endswith("…")
    assert places == "position 0 · column 2"
    assert desk.dock.width() == width
    assert desk.dock.minimumSizeHint().width() <= 230
    picture = desk.dock.grab().toImage()
    edge = {picture.pixelColor(width - 4, y).name() for y in range(40)}
    assert edge == {LIGHT.ground}


def test_a_word_from_right_to_left_leaves_the_places_in_order(desk):
    desk.dock.show_document(Document(sentence="שלום"))
    desk.point(0, 2)
    assert desk.headline() == "שלום · position 0 · column 2"
    seen = desk.dock.findChild(Headline).grab().toImage()
    coloured = [
        x
        for x in range(seen.width())
        for y in range(seen.height())
        if seen.pixelColor(x, y).name() == LIGHT.token(0).name()
    ]
    assert max(coloured) < seen.width() / 3


def test_a_cursor_beyond_a_narrower_table_points_at_nothing(desk):
    desk.dock.show_document(Document())
    desk.point(1, 7)
    desk.dock.show_document(FOUR)
    assert empty_state(desk.dock).isVisible()


def test_a_derivation_is_plain_text_while_the_cursor_moves_and_typeset_once_the_cursor_rests(desk):
    desk.point(1, 2)
    assert not desk.view.is_typeset
    low = desk.view.heightForWidth(260)
    desk.wait_until_typeset()
    assert desk.view.heightForWidth(260) > low
    desk.point(1, 3)
    assert not desk.view.is_typeset
    desk.wait_until_typeset()


def test_a_formula_that_cannot_be_typeset_is_written_as_it_is_typed(qtbot):
    desk = Desk(qtbot)
    desk.dock.show_document(preset("formula-gaussian-bumps"))
    desk.point(1, 2, pinned=True)
    desk.wait_until_typeset()
    drawn = " ".join(painted.text for painted in window_words(desk.view))
    assert "PE(1, 2) = exp(" in drawn
    assert "\\" not in drawn
    assert "width: 0.08" in drawn
    assert "0.0800" not in drawn


def test_each_movement_begins_the_wait_anew(desk, qtbot):
    desk.point(1, 2)
    for position in (2, 3):
        qtbot.waitUntil(lambda: desk.rest.remainingTime() < REST_MS / 2)
        desk.point(position, 2)
        assert desk.rest.remainingTime() > REST_MS / 2
        assert not desk.view.is_typeset


def test_a_pinned_cell_does_not_wait(desk):
    desk.point(0, 2)
    desk.wait_until_typeset()  # the typesetter itself is there from now on
    desk.point(1, 2)
    assert desk.rest.interval() == REST_MS
    desk.point(1, 2, pinned=True)
    assert desk.rest.interval() == 0
    desk.wait_until_typeset()


def test_typesetting_leaves_the_window_awake(desk, qtbot):
    desk.point(1, 2)
    desk.wait_until_typeset()
    desk.point(77, 2, pinned=True)
    with qtbot.waitSignal(desk.dock.windowTitleChanged):
        QTimer.singleShot(0, desk.dock, partial(desk.dock.setWindowTitle, "awake"))
    assert not desk.view.is_typeset
    desk.point(78, 2)
    assert desk.rest.interval() == REST_MS


def test_a_formula_that_is_typeset_stays_when_the_sentence_changes(desk):
    desk.point(1, 2)
    desk.wait_until_typeset()
    desk.dock.show_document(Document(sentence="Dan hates icecream", encoding=Sinusoidal(4)))
    assert desk.view.is_typeset
    assert desk.headline() == "hates · position 1 · column 2"


def result(desk):
    """The line above the derivation, which begins with the entry's name."""
    (label,) = [each for each in desk.dock.findChildren(QLabel) if each.isVisible() and each.text().startswith("PE(")]
    return label


def test_the_result_stands_first_and_stays_in_sight(desk):
    desk.dock.resize(300, 330)
    desk.point(1, 2, pinned=True)
    desk.wait_until_typeset()
    area = desk.dock.findChild(QScrollArea)
    bar = area.verticalScrollBar()
    desk.qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    assert result(desk).text() == "PE(1, 2) ≈ 0.00999983"
    top = result(desk).mapTo(desk.dock, QPoint(0, 0)).y()
    assert 0 < top < area.mapTo(desk.dock, QPoint(0, 0)).y()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("column 2 is even: the sine of pair i = 2//2 = 1", "column 2 is even: the sine of pair"),
        ("exponent 2i/d = 2·1/8 = 0.25", "exponent"),
        ("wavelength 2π · 10 ≈ 62.8319 tokens", "wavelength, in tokens"),
        ("angle 1/10 = 0.1 rad ≈ 5.72958° ≈ 0.0159155 turns", "angle ≈ 5.72958° ≈ 0.0159155 turns"),
        ("sin(0.1) ≈ 0.09983342", ""),
        ("frequency interpolated: θ' = θ/s = 0.5/4 = 0.125 rad/token", "frequency interpolated, in rad/token"),
        ("row 1 + 0 = 1 of 64 rows", "row of 64 rows"),
        ("column 2 of that row ≈ 0.127, simulated (seed 0)", "column 2 of that row, simulated (seed 0)"),
        ("ramp from pair 20 to pair 46: clamp((40 - 20)/(46 - 20), 0, 1) ≈ 0.77", "ramp from pair 20 to pair 46"),
        ("read from the table: W[1, 2] ≈ -0.13", "read from the table"),
        ("direction -1: the angle has the opposite sign", "direction -1: the angle has the opposite sign"),
    ],
)
def test_typeset_a_step_has_words_only_where_they_add_something(text, words):
    assert step_words(text) == words


HANGING = re.compile(r"(^|.* )(is|are|for|of|to|at|bit|if|else|so|plus|bucket of this direction is)")


def derivations(encoding):
    """Derivations of an encoding at some positions and columns, or for some pairs of tokens."""
    for position in (0, 1, 7, 50, 200, -200):
        for column in sorted(
            {0, 1, 3, encoding.n_columns // 3, encoding.n_columns - 1} & set(range(encoding.n_columns))
        ):
            if not encoding.depends_on_query:
                if encoding.has_value(position):
                    yield explain(encoding, position, column)
            elif position >= 0 and not (encoding.needs_content and encoding.content is None):
                yield encoding.explain_pair(position, position // 3, column)


FORMULAS = {
    "typed halves": formula("sin(p/10) if c % 2 < 1 else cos(p/10)"),
    "bits from the least": BinaryCode(8, "lsb"),
    "one direction of T5": T5Bias(bidirectional=False),
    "T5": T5Bias(),
}
EXPLAINED = (
    {name: make() for name, make in MADE.items()}
    | {name: each.encoding for name, each in (DEFAULTS | SCALED).items()}
    | FORMULAS
)


@pytest.mark.parametrize("name", EXPLAINED)
def test_no_heading_of_a_step_ends_in_the_middle_of_a_sentence(name):
    headings = {step_words(each.text) for derivation in derivations(EXPLAINED[name]) for each in derivation.steps}
    assert [each for each in headings if HANGING.fullmatch(each)] == []


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        (RopeAxes(32, grid="14x14"), "rule blocks: pair 3 turns by height h, pair 3 of its 8"),
        (Pope(8), "column 3 is the cos of the head's column"),
    ],
)
def test_the_words_of_a_step_count_its_pair(encoding, words):
    assert words in [step_words(step.text) for step in explain(encoding, 20, 3).steps]


def test_the_pin_shows_a_held_cell_and_holds_and_releases_it(desk):
    asked = []
    desk.dock.pinned.connect(asked.append)
    (pin,) = desk.dock.findChildren(PinButton)
    for pinned in (False, True):
        desk.point(1, 2, pinned=pinned)
        assert pin.isChecked() is pinned
        QTest.mouseClick(pin, Qt.MouseButton.LeftButton)
    assert asked == [True, False]


def test_the_result_is_the_number_that_the_derivation_ends_with(desk):
    for document, position, column in ((FOUR, 0, 1), (FOUR, 1, 2), (Document(), 5, 7)):
        desk.dock.show_document(document)
        desk.point(position, column)
        desk.wait_until_typeset()
        entry, sign, number = result(desk).text().rpartition(" = " if position == 0 else " ≈ ")
        assert entry == f"PE({position}, {column})"
        last = explain(document.encoding, position, column).steps[-1]
        assert last.text.endswith(sign + number)
        assert float(number) == pytest.approx(last.value, abs=1e-8)


def test_a_cell_of_padding_says_that_it_is_0(desk):
    desk.dock.show_document(Document(encoding=Sinusoidal(5, spacing="tensor2tensor")))
    desk.point(1, 4)
    desk.wait_until_typeset()
    assert result(desk).text() == "PE(1, 4) = 0"


def test_a_hidden_derivation_is_typeset_when_it_is_shown(desk):
    desk.dock.hide()
    desk.point(1, 2, pinned=True)
    assert not any(timer.isActive() for timer in desk.view.findChildren(QTimer))
    assert not desk.view.is_typeset
    desk.dock.show()
    desk.wait_until_typeset()


@pytest.mark.parametrize(("button", "written"), [("Text", "to_text"), ("LaTeX", "to_latex"), ("Python", "to_python")])
def test_the_derivation_is_copied(desk, button, written):
    desk.point(1, 2)
    desk.click(button)
    assert QGuiApplication.clipboard().text() == getattr(explain(FOUR.encoding, 1, 2), written)()


def test_the_copied_python_prints_the_number(desk, capsys):
    desk.point(1, 2)
    desk.click("Python")
    exec(QGuiApplication.clipboard().text(), {})
    assert float(capsys.readouterr().out) == pytest.approx(math.sin(0.01), abs=1e-15)


@pytest.mark.parametrize("width", [230, 340])
def test_everything_stands_within_the_dock(qtbot, width):
    desk = Desk(qtbot, width)
    desk.point(1, 2, pinned=True)
    desk.wait_until_typeset()
    area = desk.dock.findChild(QScrollArea)
    assert area.widget().width() <= area.viewport().width()
    buttons = desk.dock.findChildren(QPushButton)
    lefts = [button.mapTo(desk.dock, QPoint(0, 0)).x() for button in buttons]
    assert lefts[0] == OUTER_MARGIN
    assert lefts[-1] + buttons[-1].width() == width - OUTER_MARGIN
    assert len({button.y() for button in buttons}) == 1
    for button in buttons:
        assert button.width() >= button.fontMetrics().horizontalAdvance(button.text()) + 8


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_its_colours_are_the_styles(desk, style):
    apply_style(style)
    settle()
    desk.point(1, 2)
    assert {style.ground, style.ink, style.muted} <= colours(desk.dock)


@pytest.mark.parametrize("scrolled", [0, 7, 23])
def test_no_line_is_cut_at_the_lower_edge_of_the_dock(desk, scrolled):
    desk.point(1, 2, pinned=True)
    desk.wait_until_typeset()
    area = next(each for each in desk.dock.findChildren(QScrollArea) if each.isVisible())
    ground = pixels_of(area.viewport())[-1, 0]
    for height in range(200, 360, 9):
        desk.dock.resize(280, height)
        settle()
        area.verticalScrollBar().setValue(scrolled)
        pixels = pixels_of(area.viewport())
        assert (pixels != ground).any()
        assert (pixels[-1] == ground).all(), height


def test_the_headline_of_a_bias_has_its_number(desk):
    desk.dock.show_document(Document(encoding=T5Bias()))
    desk.point(-1, 2)
    value = T5Bias().values(np.array([-1]), np.array([2]))[0, 0]
    (shown,) = [label.text() for label in desk.dock.findChildren(QLabel) if label.text().startswith("bias(")]
    assert float(shown.split("≈")[1]) == pytest.approx(value, rel=1e-6)
