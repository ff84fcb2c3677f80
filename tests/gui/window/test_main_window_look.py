"""The window's look: nothing clipped, overlapping, unnamed or left light in the dark."""

from collections import Counter

import numpy as np
import pytest
from dialogs import dismiss
from pixels import pixels_of, settle
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QHeaderView,
    QLabel,
    QMenu,
    QScrollArea,
    QScrollBar,
    QTabBar,
    QTableView,
    QToolTip,
    QWidget,
)
from window_bench import control, make_high, name_of, says

from posenc_core import Document, Embedding, Sinusoidal
from posenc_gui.look.style import DARK, LIGHT, THEMES

SIZES = [(1440, 900), (1024, 700)]
RICH = Document("Dan loves cold icecream in July", embedding=Embedding("simulated"), encoding=Sinusoidal(7, base=0.5))


def choose_theme(window, theme):
    (menu,) = [menu for menu in window.findChildren(QMenu) if menu.title() == "&Theme"]
    (action,) = [action for action in menu.actions() if action.data() == theme]
    action.trigger()
    settle()


def resized(window, size):
    """The window as it is at the first start on a screen of such a size."""
    window.resize(*size)
    window.menus.actions["reset_layout"].trigger()
    settle()
    assert (window.width(), window.height()) == size


def visible(window, kind=QWidget):
    return [widget for widget in window.findChildren(kind) if widget.isVisible()]


def rect_of(window, widget):
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


@pytest.mark.parametrize("document", [Document(), RICH, Document("")], ids=["first", "rich", "empty"])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_label_and_button_has_room_for_its_text(window, size, document):
    window.store.replace(document, "test")
    resized(window, size)
    for label in visible(window, QLabel):
        if label.wordWrap():
            assert label.heightForWidth(label.width()) <= label.height(), label.text()
        elif not label.text().endswith("…"):
            assert label.sizeHint().width() <= label.width() + 1, label.text()
        assert label.fontMetrics().height() <= label.height() + 1, label.text()
    for button in visible(window, QAbstractButton):
        if button.text():
            assert button.fontMetrics().horizontalAdvance(button.text()) + 10 <= button.width(), button.text()
            assert button.fontMetrics().height() <= button.height(), button.text()


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_widget_has_its_minimum_size(window, size):
    window.store.replace(RICH, "test")
    resized(window, size)
    for widget in visible(window):
        own, hint = widget.minimumSize(), widget.minimumSizeHint()
        least = QSize(own.width() or hint.width(), own.height() or hint.height())
        if layout := widget.layout():
            least = least.expandedTo(layout.minimumSize())
            if layout.hasHeightForWidth():  # its minimum is that of the narrowest, whose texts take the most lines
                least.setHeight(layout.minimumHeightForWidth(widget.width()))
        if isinstance(widget, QScrollBar | QHeaderView | QTabBar) or isinstance(
            widget.parentWidget(), QAbstractSpinBox
        ):
            continue
        assert widget.width() >= least.width(), widget
        assert widget.height() >= least.height(), widget


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("family", ["sinusoidal", "t5"])
def test_rooms_lie_side_by_side_within_the_window(window, size, family):
    window.store.edit("family", family)
    resized(window, size)
    if family == "t5":
        window.workspaces.show_panel("pairs", True)
        settle()
    panels = [panel for panel in window.panels.values() if panel.isVisible()]
    assert len(panels) == (4 if family == "t5" else 3)
    docks = [dock for dock in window.docks.values() if dock.isVisible()]
    in_front = [dock for dock in docks if window.rect().intersects(rect_of(window, dock))]  # Qt moves the others out
    for dock in docks:
        assert len({dock, *window.tabifiedDockWidgets(dock)} & set(in_front)) == 1, dock.windowTitle()
    rooms = [*in_front, *panels, window.sentence_bar, window.statusBar()]
    rects = [rect_of(window, room) for room in (*rooms, window.menuBar())]
    for index, rect in enumerate(rects):
        assert window.rect().contains(rect)
        assert not any(rect.intersects(other) for other in rects[index + 1 :])
    for panel in panels:
        for inner in (panel.view, *panel.findChildren(QLabel)):
            assert inner.isHidden() or panel.rect().contains(rect_of(panel, inner))
        assert panel.view.height() > 0.6 * panel.height()


@pytest.mark.one_of(2)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_part_takes_on_the_theme(window, theme):
    window.store.replace(RICH, "test")
    choose_theme(window, "dark" if theme == "light" else "light")
    choose_theme(window, theme)
    picture = pixels_of(window).astype(int)
    dark = theme == "dark"
    panels = [window.panels[name].view for name in ("heatmap", "tokens")]  # their values may be light in the dark
    for widget in visible(window):
        rect = rect_of(window, widget) & window.rect()
        if any(view is widget or view.isAncestorOf(widget) for view in panels) or rect.width() * rect.height() < 100:
            continue
        part = picture[rect.top() : rect.bottom() + 1, rect.left() : rect.right() + 1].reshape(-1, 3)
        ground = np.median(part, axis=0)
        assert (ground.max() < 110) if dark else (ground.min() > 180), (widget, widget.accessibleName(), ground)


def test_the_dark_theme_leaves_no_light_area(window):
    window.store.replace(RICH, "test")
    choose_theme(window, "dark")
    picture = pixels_of(window)
    for view in (window.panels["heatmap"].view, window.panels["tokens"].view):
        rect = rect_of(window, view)
        picture[rect.top() : rect.bottom() + 1, rect.left() : rect.right() + 1] = 0
    light = (picture.min(axis=2) > 225).astype(int)
    # Letters are light too, but thin: no block of 6 x 6 pixels is light throughout.
    sums = np.pad(light, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
    blocks = sums[6:, 6:] - sums[:-6, 6:] - sums[6:, :-6] + sums[:-6, :-6]
    rows, columns = np.nonzero(blocks == 36)
    assert rows.size == 0, (columns[:1], rows[:1])


@pytest.mark.one_of(2)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_menus_dialogs_and_tips_take_on_the_theme(window, answers, theme):
    choose_theme(window, theme)
    style, grounds = THEMES[theme], {}
    for menu in window.findChildren(QMenu):
        if menu.actions():
            menu.popup(window.mapToGlobal(QPoint(200, 100)))
            settle()
            grounds[menu.title()] = np.median(pixels_of(menu).reshape(-1, 3), axis=0)
            menu.close()
    for name in ("about", "explain", "export_all", "open"):

        def look(dialog, name=name):
            grounds[name] = np.median(pixels_of(dialog).reshape(-1, 3), axis=0)
            dismiss(dialog)

        answers.expect(look)
        window.menus.actions[name].trigger()
    for name, ground in grounds.items():
        assert (ground.max() < 110) if theme == "dark" else (ground.min() > 180), name
    assert QToolTip.palette().toolTipText().color() == QColor(style.ink)
    assert QToolTip.palette().toolTipBase().color() == QColor(style.paper)


def test_the_theme_is_remembered_and_ticked(window, settings):
    choose_theme(window, "dark")
    assert settings.now.theme == "dark"
    assert all(panel.figure.style is DARK for panel in window.panels.values())
    choose_theme(window, "system")
    dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    assert all(panel.figure.style is (DARK if dark else LIGHT) for panel in window.panels.values())


def tab_chain(window):
    """The controls that the Tab key reaches, one after the other, until it comes round."""
    reached = []
    while QApplication.focusWidget() not in reached and len(reached) < 200:
        reached.append(QApplication.focusWidget())
        window.focusNextChild()
    assert QApplication.focusWidget() is reached[0]
    return [widget for widget in reached if not isinstance(widget, QScrollArea)]


def test_the_keyboard_reaches_every_control(window):
    make_high(window)
    control(window, "Embedding").click()
    names = [name_of(widget) for widget in tab_chain(window)]
    assert len(set(names)) == len(names)
    wanted = ["sentence", "Split into", "Play", "Copy picture", "family", "d_model", "base slider", "base", "layout"]
    wanted += [
        "spacing",
        "offset",
        "seq_len",
        "Embedding",
        "source",
        "vector table",
        "Waves",
        "Heatmap",
        "Tokens",
        "copy as LaTeX",
    ]
    assert set(wanted) <= set(names)


def test_every_control_is_named_and_explained(window):
    window.store.replace(RICH, "everything that can be enabled is")
    for widget in tab_chain(window):
        assert name_of(widget), widget
        if not isinstance(widget, QTableView):  # its columns' heads are what is explained
            assert widget.toolTip() or widget.accessibleDescription(), name_of(widget)
    for button in visible(window, QAbstractButton):
        assert name_of(button)
        assert button.toolTip(), name_of(button)


def test_every_mnemonic_is_used_once(window):
    texts = [action.text() for action in window.menuBar().actions()]
    texts += [label.text() for label in visible(window, QLabel) if label.buddy() and label.text()]
    texts += [box.text() for box in visible(window, QCheckBox)]
    letters = Counter(QKeySequence.mnemonic(text).toString() for text in texts)
    assert len(letters) > 12
    assert "" not in letters
    assert [letter for letter, count in letters.items() if count > 1] == []


def test_a_long_word_makes_nothing_wider(window):
    resized(window, (1024, 700))
    before = {name: panel.width() for name, panel in window.panels.items()}
    window.store.edit("sentence", "Wide" * 25_000)
    window.cursor_control.hold(window.cursor_control.cursor)
    settle()
    assert {name: panel.width() for name, panel in window.panels.items()} == before  # the bar shows three lines of it
    assert (window.width(), window.height()) == (1024, 700)
    assert says(window, "1 token")
