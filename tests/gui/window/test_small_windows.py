"""Workspaces in small windows: plots that are high enough to read, and words that neither overlap nor are cut."""

from itertools import product

import pytest
from amounts import some
from pixels import item_rect, painted_words, settle
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QLabel, QLineEdit, QMenu, QScrollArea, QToolButton
from window_bench import act, control, open_menus, says, shown_panels

from posenc_core.session import FAMILY
from posenc_gui.docks.editors.choice_editors import ChoiceBox
from posenc_gui.look import present_style
from posenc_gui.look.style import LIGHT
from posenc_gui.panels import WORKSPACES
from posenc_gui.plotting.plot_area import PlotArea

SIZES = [(1024, 700), (1440, 900)]
LEAST = {1024: 90, 1440: 140}
"""Pixels: the least height of the plots of a panel, by the width of the window."""

SCALINGS = (
    "freq_scale", "linear", "ntk", "dynamic", "ntk_by_parts", "yarn", "llama3", "longrope", "listed", "proportional",
)  # fmt: skip
DRAWN = {"lens", "ways", "tokens", "gallery", "scorecard", "engines"}
"""Panels without a plot area, whose tests check their layouts."""


def show(window, size, encoding):
    family, _, scaling = encoding.partition(" ")
    window.resize(*size)
    window.store.edit(FAMILY.name, family)
    if family == "rotary":
        window.store.edit("head_dim", 64)
    if scaling:
        window.store.edit("scaling", scaling)
    settle()


def workspaces(window, names=tuple(WORKSPACES)):
    """Workspaces in turn, and their panels that show a picture."""
    for name in names:
        window.workspaces.choose(name)
        settle()
        page = window.workspaces.page(name)
        yield page, {name: panel for name, panel in shown_panels(window).items() if panel.view.isVisible()}


def plot_heights(panel):
    if panel.figure.spec.name == "unseen":
        view = panel.figure.view()
        return [plot.height() for plot in view.layout(view.maps).plots]
    items = panel.view.scene().items()
    return [item.rect().height() for item in items if isinstance(item, PlotArea) and item.isVisible()]


def place_of(word):
    """Rectangle of the letters of a painted word, without the space around the letters."""
    metrics = QFontMetricsF(LIGHT.font(round(word.size)))
    wide, high = metrics.horizontalAdvance(word.text), metrics.capHeight()
    if word.upwards:
        return QRectF(word.x - high, word.y - wide, high, wide).adjusted(0, 0.5, 0, -0.5)
    return QRectF(word.x, word.y - high, wide, high).adjusted(0.5, 0, -0.5, 0)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("encoding", ["sinusoidal", "t5", "rotary dynamic"])
def test_plots_are_high_enough_in_every_workspace(window, size, encoding):
    show(window, size, encoding)
    for page, panels in workspaces(window):
        assert page.visibleRegion().boundingRect() == page.rect(), "a workspace scrolls only in a smaller window"
        for name, panel in panels.items():
            assert page.rect().contains(QRectF(panel.mapTo(page, panel.rect().topLeft()), panel.size()).toRect()), name
            if name not in DRAWN:
                assert sum(plot_heights(panel)) >= LEAST[size[0]], name
                assert size[0] < 1440 or name != "similarity" or len(plot_heights(panel)) == 2


@pytest.mark.one_of(2)
@pytest.mark.parametrize(("size", "enlarged"), [((880, 560), 1.0), ((1024, 700), 2.0), ((1440, 900), 2.0)])
@pytest.mark.parametrize("encoding", ["sinusoidal", "rotary"])
def test_panels_without_room_are_scrolled_into_view(window, size, enlarged, encoding):
    while present_style().text_scale < enlarged:
        window.menus.actions["enlarge_text"].trigger()
    show(window, size, encoding)
    scrolled = 0
    for page, panels in workspaces(window):
        area = page.parentWidget().parentWidget()
        for name, panel in panels.items():
            place = QRect(panel.mapTo(page, QPoint(0, 0)), panel.size())
            assert page.rect().contains(place), name
            assert panel.view.geometry().bottom() < panel.height(), name
            if name not in DRAWN and enlarged > 1:
                assert sum(plot_heights(panel)) >= 40, name
            area.ensureVisible(place.right(), place.bottom(), 2, 2)
            settle()
            assert panel.visibleRegion().contains(panel.rect().bottomRight()), name
        scrolled += area.verticalScrollBar().isVisible()
    assert scrolled


OF_ROTATIONS = ("relations", "rotation", "long_context")
CASES = [(size, encoding, tuple(WORKSPACES)) for size in SIZES for encoding in ("sinusoidal", "t5", "rotary dynamic")]
CASES += [(SIZES[0], encoding, ("relations", "vectors")) for encoding in ("learned", "alibi")]
USUAL = [*CASES, (SIZES[0], "rotary longrope", OF_ROTATIONS), (SIZES[0], "rotary listed", OF_ROTATIONS)]
CASES += [(SIZES[0], f"rotary {name}", OF_ROTATIONS) for name in SCALINGS]


def check_words(name, panel):
    rect = QRectF(panel.view.rect()).adjusted(-2, -2, 2, 2)
    placed = [(word.text, place_of(word)) for word in painted_words(panel.view) if word.text]
    for index, (text, place) in enumerate(placed):
        assert rect.contains(place), f"{name}: {text} is cut"
        for other, at in placed[:index]:
            assert not place.intersects(at), f"{name}: {text} overlaps {other}"


@pytest.mark.one_of(4)
@pytest.mark.parametrize(("size", "encoding", "chosen"), some(CASES, *USUAL), ids=str)
def test_words_neither_overlap_nor_are_cut(window, size, encoding, chosen):
    show(window, size, encoding)
    for _, panels in workspaces(window, chosen):
        for name, panel in panels.items():
            check_words(name, panel)


@pytest.mark.one_of(6)
@pytest.mark.parametrize("encoding", ["sinusoidal", "alibi", "t5", "learned", "rotary", "rotary yarn"])
def test_large_text_is_not_cut_either(window, encoding):
    for _ in range(3):
        window.menus.actions["enlarge_text"].trigger()
    show(window, SIZES[1], encoding)
    for _, panels in workspaces(window):
        for name, panel in panels.items():
            check_words(name, panel)


FRAMED = (1016, 664)
"""The inner size of a window of 1024 x 700 with the frame of a window manager."""


@pytest.mark.one_of(2)
@pytest.mark.parametrize("encoding", ["sinusoidal", "rotary", "rope_axes", "rotary dynamic"])
def test_every_panel_is_whole_in_large_text_in_a_small_window(window, encoding):
    show(window, FRAMED, encoding)
    for _ in range(3):
        window.menus.actions["enlarge_text"].trigger()
        settle()
    for page, panels in workspaces(window):
        for name, panel in panels.items():
            assert page.rect().contains(QRect(panel.mapTo(page, QPoint(0, 0)), panel.size())), name
            assert panel.view.geometry().bottom() < panel.height(), name


@pytest.mark.thorough
@pytest.mark.parametrize("encoding", ["sinusoidal", "rotary"])
def test_a_larger_text_shortens_the_notes_to_a_line(window, encoding):
    show(window, FRAMED, encoding)
    window.workspaces.choose("relations")
    settle()
    for _ in range(3):
        window.menus.actions["enlarge_text"].trigger()
        settle()
        for name, panel in shown_panels(window).items():
            for note in notes(panel):
                metrics = note.fontMetrics()
                assert len(note.text()) > 1, name
                assert metrics.horizontalAdvance(note.text()) <= note.width(), name


@pytest.mark.thorough
def test_fields_of_panels_show_their_numbers_whole_in_large_text(window):
    for _ in range(3):
        window.menus.actions["enlarge_text"].trigger()
    show(window, SIZES[1], "rotary yarn")
    for _, panels in workspaces(window):
        for panel in panels.values():
            for line in panel.findChildren(QLineEdit):
                shown = line.text() or line.placeholderText()
                assert not shown.endswith("…"), line.accessibleName()
                assert line.fontMetrics().horizontalAdvance(shown) <= line.contentsRect().width() - 4
            for box in panel.findChildren(ChoiceBox):
                room = panel.width() - 60  # beside its label
                assert box.width() >= min(box.needed_width(), 144 * 1.5, room), box.accessibleName()


@pytest.mark.one_of(2)
@pytest.mark.parametrize("encoding", ["sinusoidal", "rotary yarn", "rope_axes", "rotary"])
def test_the_base_has_a_slider_in_every_workspace(window, encoding):
    show(window, SIZES[0], encoding)
    docks = [dock for dock in window.findChildren(QDockWidget) if dock.windowTitle() == "Encoding"]
    window.resizeDocks(docks, [190], Qt.Orientation.Horizontal)
    settle()
    name = "base" if encoding == "sinusoidal" else "rope_theta"
    for page, _ in workspaces(window):
        slider, line = control(window, f"{name} slider"), control(window, name)
        dock = next(each for each in window.findChildren(QScrollArea) if each.isAncestorOf(line))
        for part in (slider, line):
            assert part.isVisible(), page.workspace
            left = part.mapTo(dock.viewport(), QPoint(0, 0)).x()
            assert 0 <= left <= left + part.width() <= dock.viewport().width()
        assert slider.width() >= 32
        assert not line.text().endswith("…")


ALONE = list(product(SIZES, ("t5", "rotary", "rotary dynamic")))


@pytest.mark.thorough
@pytest.mark.parametrize(("size", "encoding"), some(ALONE, (SIZES[0], "rotary dynamic"), (SIZES[1], "t5")), ids=str)
def test_words_of_a_panel_alone_neither_overlap_nor_are_cut(window, size, encoding):
    show(window, size, encoding)
    for _, panels in workspaces(window):
        for name, panel in panels.items():
            window.workspaces.maximise(panel)
            settle()
            check_words(name, panel)
            window.workspaces.restore()


def notes(panel):
    """The labels whose tool tips have more than they show."""
    return [label for label in panel.findChildren(QLabel) if label.isVisible() and label.text().endswith("…")]


def test_a_low_panel_has_one_line_of_its_note_and_all_of_it_in_the_tool_tip(window):
    show(window, SIZES[0], "rotary yarn")
    window.workspaces.choose("long_context")
    settle()
    unseen = window.panels["unseen"]
    (note,) = notes(unseen)
    assert note.text() == "2 of 5 maps: the others need more …"
    assert note.height() < 2 * note.fontMetrics().height()
    assert note.toolTip().split("\n")[-1] == "Counts pairs; says nothing about quality"
    unseen.setFocus()
    QTest.keyClick(window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    window.resize(1440, 900)
    settle()
    assert notes(unseen) == []


def test_a_low_panel_shows_a_problem_whole(window):
    show(window, SIZES[0], "rotary")
    window.workspaces.choose("long_context")
    window.store.edit("target_length", 100)
    settle()
    assert says(window, "a scaling needs a target length of at least the trained length")
    assert says(window, "target_length must be at least trained_length = 4096, got 100")


def test_editors_of_lengths_share_a_line_in_a_narrow_panel(window):
    show(window, SIZES[0], "rotary")
    window.workspaces.choose("long_context")
    settle()
    unseen, spectrum = window.panels["unseen"], window.panels["spectrum"]
    for panel, expected in ((unseen, ["L", "L′"]), (spectrum, ["trained length L", "target length L′"])):
        labels = [label for label in panel.findChildren(QLabel) if label.isVisible() and label.text() in expected]
        assert [label.text() for label in labels] == expected
        assert len({label.mapTo(panel, label.rect().topLeft()).y() for label in labels}) == 1


def test_the_lines_of_a_low_plot_are_named_above_it(window):
    show(window, SIZES[0], "rotary ntk_by_parts")
    window.workspaces.choose("long_context")
    settle()
    spectrum = window.panels["spectrum"]
    named = {word.text: word for word in painted_words(spectrum.view)}
    top = item_rect(spectrum.view, spectrum.figure.area).top()
    for name in ("trained", "NTK-by-parts now", "PI", "NTK-aware", "YaRN", "Llama 3"):
        assert named[name].y < top


def test_the_note_names_bands_only_where_bands_are_drawn(window):
    show(window, SIZES[0], "rotary proportional")
    window.workspaces.choose("long_context")
    settle()
    assert "bands" not in window.panels["spectrum"].figure.pointing.note()
    window.store.edit("scaling", "yarn")
    window.store.edit("factor", 4)
    settle()
    assert "Shading: YaRN, present. Pair" in window.panels["spectrum"].figure.pointing.note()


def test_rows_keep_the_sizes_that_they_were_given(window):
    window.resize(1440, 900)
    window.workspaces.choose("relations")
    settle()
    down = window.workspaces.page("relations").down
    down.moveSplitter(260, 1)
    settle()
    share = down.sizes()[0] / sum(down.sizes())
    window.resize(1440, 860)
    settle()
    assert down.sizes()[0] / sum(down.sizes()) == pytest.approx(share, abs=0.03)


def test_switches_have_a_line_of_their_own_where_the_title_leaves_no_room(window):
    window.resize(*SIZES[0])
    window.store.edit("d_model", 512)
    settle()
    heatmap = window.panels["heatmap"]
    switches = [each for each in heatmap.findChildren(QToolButton) if each.text() and each.isVisible()]
    assert [each.text() for each in switches] == ["sin | cos", "Interleaved", "Sentence", "All"]
    for each in switches:
        assert heatmap.rect().contains(QRect(each.mapTo(heatmap, QPoint()), each.size())), each.text()


@pytest.mark.parametrize("family", ["t5", "alibi", "rotary"])
def test_a_legend_hides_no_lines(window, family):
    window.resize(*SIZES[1])
    window.store.edit("family", family)
    window.workspaces.choose("long_context" if family == "rotary" else "relations")
    settle()
    panel = window.panels["precision" if family == "rotary" else "scores"]
    if family == "rotary":
        for _ in range(3):
            window.menus.actions["enlarge_text"].trigger()
        settle()
    (name,) = [
        word for word in painted_words(panel.view) if word.text in ("T5 bias, head 0", "ALiBi, head 0", "Rotary (RoPE)")
    ]
    assert name.y < item_rect(panel.view, panel.figure.area).top()


@pytest.mark.parametrize(("size", "steps"), [((1024, 700), 0), ((1440, 900), 3)], ids=str)
def test_menus_open_as_one_column_below_the_menu_bar(window, size, steps):
    """Qt divides the entries among columns if these are higher than the screen."""
    window.resize(*size)
    for _ in range(steps):
        act(window, "enlarge_text")
    open_menus(window)
    menus = [each for each in window.findChildren(QMenu) if each.title() in ("&File", "&Edit", "&View", "&Help")]
    assert len(menus) == 4
    for menu in menus:
        entries = sum(menu.actionGeometry(each).height() for each in menu.actions() if each.isVisible())
        assert entries + window.menuBar().height() <= size[1], menu.title()
