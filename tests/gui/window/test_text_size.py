"""The size of text, hit targets, and quiet controls."""

import pytest
from pixels import pixels_of, settle
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QScrollBar,
    QSlider,
    QWidget,
)
from window_bench import act, control

from posenc_gui.look.controls import HIT_PX
from posenc_gui.look.message_boxes import MessageBox
from posenc_gui.window.main_window import MainWindow
from posenc_gui.window.text_size import desktop_scale


def press(window, key):
    QTest.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
    settle()


def sizes(window):
    """The size of the text of every label that is shown, in pixels."""
    labels = [label for label in window.findChildren(QLabel) if label.isVisible() and label.text()]
    return {label: QFontInfo(label.font()).pixelSize() for label in labels}


def test_text_becomes_larger_and_smaller_and_what_it_was(window, settings):
    before, width = sizes(window), control(window, "family").width()
    for _ in range(2):
        press(window, Qt.Key.Key_Plus)
    larger = sizes(window)
    assert all(larger[label] > px for label, px in before.items() if label in larger)
    assert QFontInfo(QApplication.font()).pixelSize() == round(13 * 1.25)
    assert QFontInfo(window.panels["waves"].figure.style.font(12)).pixelSize() == 15
    assert control(window, "family").width() >= width
    assert settings.now.text_scale == 1.25
    press(window, Qt.Key.Key_Equal)  # the plus without Shift
    assert settings.now.text_scale == 1.5
    for _ in range(9):
        press(window, Qt.Key.Key_Minus)
    assert settings.now.text_scale == 0.8
    act(window, "reset_text")
    assert sizes(window) == before
    assert settings.now.text_scale == 1.0


def test_nothing_in_the_docks_is_cut_off_at_half_as_large_again(window):
    window.store.edit("family", "rotary")
    window.store.edit("embedding", "simulated")
    for _ in range(3):
        press(window, Qt.Key.Key_Plus)
    for area in window.findChildren(QScrollArea):
        if area.isVisible():
            assert area.widget().width() <= area.viewport().width()


@pytest.mark.parametrize(("px", "scale"), [(12, 1), (13, 1), (15, 1), (18, 1.2), (30, 2), (9, 0.75), (-1, 1)])
def test_the_usual_desktops_have_the_programs_own_size(px, scale):
    assert desktop_scale(px) == pytest.approx(scale)


def test_a_changed_desktop_is_asked_again(window, settings):
    settings.change(text_scale=2.0)
    QApplication.sendEvent(window, QEvent(QEvent.Type.ThemeChange))
    assert QFontInfo(QApplication.font()).pixelSize() == 26
    act(window, "reset_text")


def test_the_next_start_has_the_chosen_size(window, settings, qtbot):
    act(window, "enlarge_text")
    second = MainWindow(settings)
    assert QFontInfo(second.panels["waves"].figure.style.font(20)).pixelSize() == 22
    act(window, "reset_text")
    second.deleteLater()


@pytest.mark.parametrize("family", ["sinusoidal", "rotary"])
def test_click_targets_are_at_least_24_by_24_pixels(window, family):
    window.store.edit("family", family)
    settle()
    kinds = (QAbstractButton, QComboBox, QAbstractSpinBox, QSlider)
    targets = [widget for widget in window.findChildren(QWidget) if isinstance(widget, kinds) and widget.isVisible()]
    assert len(targets) > 20
    for widget in targets:
        assert min(widget.width(), widget.height()) >= HIT_PX, (widget, widget.accessibleName())


def test_scroll_bars_are_flat(window):
    window.store.edit("family", "rotary")
    window.store.edit("scaling", "yarn")
    window.resize(1024, 700)
    settle()
    bars = [bar for bar in window.findChildren(QScrollBar) if bar.isVisible()]
    assert bars
    for bar in bars:
        picture = pixels_of(bar)
        assert picture.shape[1] <= 12 * window.devicePixelRatioF()
        middle = picture[:, picture.shape[1] // 2]
        assert len({tuple(pixel) for pixel in middle}) <= 6  # a handle and the ground, with their edges
        assert (middle[0] == middle[-1]).all() or len(middle) < 60  # no arrows at the ends
    assert all(isinstance(bar.parentWidget().parentWidget(), QAbstractScrollArea | QWidget) for bar in bars)


def test_buttons_of_boxes_have_words_alone(window, qtbot):
    button = QMessageBox.StandardButton
    box = MessageBox(QMessageBox.Icon.Question, "Title", "Text", window, button.Save | button.Cancel | button.Ok)
    buttons = box.findChildren(QPushButton)
    assert len(buttons) == 3
    assert all(each.icon().isNull() for each in buttons)
    box.deleteLater()
