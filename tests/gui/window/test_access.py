"""The window by keyboard and by screen reader: the ring of the Tab key, names, labels and values."""

import pytest
from pixels import settle
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QScrollArea, QSlider, QToolButton, QWhatsThis
from window_bench import control, make_high, name_of, shown_panels

from posenc_core import Document, Rotary
from posenc_core.gallery import story_families
from posenc_core.rope_scaling import DynamicNtk
from posenc_core.session import NamedEncoding
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import PANELS
from posenc_gui.window.layout import DockTitle

pytestmark = pytest.mark.one_window


def ring(window, key=Qt.Key.Key_Tab):
    """The controls that the key reaches from the sentence on, until it comes round."""
    window.sentence_bar.focusProxy().setFocus()
    reached = []
    while QApplication.focusWidget() not in reached and len(reached) < 100:
        reached.append(QApplication.focusWidget())
        QTest.keyClick(reached[-1], key)
    assert QApplication.focusWidget() is reached[0]
    return reached


def is_in_sight(control):
    """Whether the middle of the control lies within everything around it."""
    around, middle = control.parentWidget(), control.rect().center()
    while around is not None:
        if not around.rect().contains(control.mapTo(around, middle)):
            return False
        around = around.parentWidget()
    return True


def read(widget):
    return QAccessible.queryAccessibleInterface(widget)


def in_order(names, *wanted):
    places = [names.index(name) for name in wanted]
    assert places == sorted(places), names


@pytest.mark.one_of(2)
@pytest.mark.parametrize("family", ["sinusoidal", "rotary"])
def test_tab_goes_from_the_sentence_to_the_family_its_parameters_the_panels_and_the_docks(window, family):
    window.store.edit("family", family)
    window.store.edit("embedding", "simulated")
    make_high(window)
    reached = ring(window)
    names = [name_of(widget) for widget in reached]
    own = (
        ("d_model", "base slider", "base")
        if family == "sinusoidal"
        else ("head_dim", "rope_theta slider", "rope_theta")
    )
    in_order(names, "sentence", "Play", "Export…", "Is my code right?", "family")
    in_order(names, "family", *own, "seq_len", "source", "seed", "Waves", "Heatmap", "Tokens")
    in_order(names, "Tokens", "copy as text", "vector table")
    assert reached[1:] == ring(window, Qt.Key.Key_Backtab)[:0:-1]


def test_docks_buttons_and_scroll_areas_are_no_stops(window):
    reached = ring(window)
    assert not [widget for widget in reached if isinstance(widget, QScrollArea)]
    for title in window.findChildren(DockTitle):
        assert not {*title.findChildren(QToolButton)} & {*reached}


def test_a_control_that_tab_reaches_is_in_sight(window):
    window.store.edit("family", "rotary")
    window.store.edit("scaling", "yarn")
    window.resize(1024, 700)
    settle()
    for widget in ring(window):
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(widget, Qt.Key.Key_Tab)
        now = QApplication.focusWidget()
        assert is_in_sight(now), name_of(now)


def test_controls_of_fields_have_a_name_a_label_and_a_value(window):
    window.store.edit("family", "rotary")
    settle()
    kinds = (QComboBox, QAbstractSpinBox, QSlider)
    controls = [each for kind in kinds for each in window.findChildren(kind) if each.isVisible()]
    assert len(controls) > 7
    for each in controls:
        interface = read(each)
        assert interface.text(QAccessible.Text.Name)
        labels = [other for other, relation in interface.relations() if relation == QAccessible.RelationFlag.Label]
        assert [label.text(QAccessible.Text.Name) for label in labels] == [each.accessibleName()]
        assert interface.text(QAccessible.Text.Value)
    assert read(control(window, "pairing")).text(QAccessible.Text.Value).startswith("half-split (Llama, Qwen)")
    assert read(control(window, "head_dim")).valueInterface().currentValue() == 8
    assert read(control(window, "seq_len")).valueInterface().maximumValue() == 10_000_000


def test_a_pictures_value_is_the_sentence_about_the_cell_under_the_cursor(window):
    window.cursor_control.hold(Cursor(1, 2))
    for panel in shown_panels(window).values():
        picture = read(panel)
        assert picture.role() == QAccessible.Role.Graphic
        assert picture.text(QAccessible.Text.Name) == panel.figure.spec.title
        value = picture.text(QAccessible.Text.Value)
        assert value.startswith("position 1 · “loves”") or value.startswith("position 1 “loves”")
        assert "column 2 (pair 1, sin), 0.09983342, wavelength 62.8 tokens" in value
    panel = window.panels["heatmap"]
    panel.setFocus()
    QTest.keyClick(panel, Qt.Key.Key_Right)
    assert "column 3 (pair 1, cos), 0.9950042" in read(panel).text(QAccessible.Text.Value)


ARROWS = {
    "similarity": (Qt.Key.Key_Right, "dot"),
    "shift": (Qt.Key.Key_Right, "turns by w"),
    "scores": (Qt.Key.Key_Right, "distance 2, A no scaling 5.127"),
    "lens": (Qt.Key.Key_Down, "turns at position 2"),
    "spectrum": (Qt.Key.Key_Right, "pair 2, A as trained 628.3"),
    "unseen": (Qt.Key.Key_Down, "pair 2: full circle seen"),
    "precision": (Qt.Key.Key_Right, "position"),
    "drift": (Qt.Key.Key_Right, "position 2, B Dynamic NTK ×4 0"),
    "cache": (Qt.Key.Key_Right, "position of the key 2, B base when cached"),
}
"""By panel: a key that moves what is marked, and what a screen reader says then."""


@pytest.mark.one_of(3)
@pytest.mark.parametrize("name", ARROWS)
def test_a_panel_of_its_own_numbers_says_those_after_an_arrow_key(window, name):
    listed = [NamedEncoding(Rotary(8)), NamedEncoding(Rotary(8, scaling=DynamicNtk(4.0, 64, 128)))]
    window.store.compare(listed, int(name == "cache"), "compare")
    key, said = ARROWS[name]
    window.commands.show_view(PANELS[name].workspace, name)
    window.cursor_control.hold(Cursor(1, 1))
    settle()
    panel = window.panels[name]
    before = read(panel).text(QAccessible.Text.Value)
    QTest.keyClick(panel, key)
    after = read(panel).text(QAccessible.Text.Value)
    assert said in after
    assert after != before


@pytest.mark.parametrize(("name", "said"), [
    ("gallery", f"{len(story_families(Document()))} families · positions 0–"),
    ("scorecard", f"{len(story_families(Document()))} families · 9 properties · trained L = 4,096"),
    ("cache", "Cache timeline needs RoPE with dynamic NTK, whose base grows with the sequence."),
])  # fmt: skip
def test_a_panel_without_a_cell_says_what_it_shows_or_needs(window, name, said):
    window.commands.show_view(PANELS[name].workspace, name)
    settle()
    assert read(window.panels[name]).text(QAccessible.Text.Value).startswith(said)


@pytest.mark.parametrize("name", ["base", "family"])
def test_whats_this_says_what_a_clicked_control_does(window, name):
    QTest.keyClick(window, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    assert QWhatsThis.inWhatsThisMode()
    QTest.mouseClick(control(window, name), Qt.MouseButton.LeftButton)
    settle()
    (text,) = [each for each in QApplication.topLevelWidgets() if each.inherits("QWhatsThat")]
    assert text.isVisible()
    QWhatsThis.hideText()
    settle()
    assert not QWhatsThis.inWhatsThisMode()


def test_whats_this_says_nothing_of_what_explains_nothing(window):
    QTest.keyClick(window, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    QTest.mouseClick(window.menuBar(), Qt.MouseButton.LeftButton, pos=window.menuBar().rect().center())
    settle()
    assert not [each for each in QApplication.topLevelWidgets() if each.inherits("QWhatsThat") and each.isVisible()]
    QWhatsThis.leaveWhatsThisMode()
