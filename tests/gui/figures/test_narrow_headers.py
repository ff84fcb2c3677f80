"""Headers of narrow panels: titles, switches, and the button while a picture is computed."""

import pytest
from documents import with_values
from panel_bench import shown
from pixels import settle
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QSpinBox
from window_bench import act, shown_panels

from posenc_core import Document, Rotary, Sinusoidal, Yarn
from posenc_core.session import NamedEncoding
from posenc_gui.files.presets import preset
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import PANELS, WORKSPACES

FAMILIES = ("learned", "alibi", "rotary", "sinusoidal")
SLOW = [Rotary(65536, rope_theta=base) for base in (1e4, 1e5, 1e6, 1e7)]


def is_whole(button) -> bool:
    """Whether no other widget covers a part of the button, whose text has room."""
    size = button.fontMetrics().size(0, button.text())
    covered = button.visibleRegion().boundingRect() != button.rect()
    others = [each for each in button.window().findChildren(QAbstractButton) if each.isVisible() and each != button]
    mine = QRect(button.mapToGlobal(QPoint()), button.size())
    apart = not any(mine.intersects(QRect(each.mapToGlobal(QPoint()), each.size())) for each in others)
    return size.width() <= button.width() and not covered and apart


@pytest.mark.parametrize("width", [249, 262, 300, 420])
def test_switches_are_whole_while_a_picture_is_computed(qtbot, width):
    document = with_values(Document(), arithmetic="llama_cpp").with_encodings([NamedEncoding(each) for each in SLOW], 0)
    panel = shown(qtbot, "precision", document, (width, 263))
    qtbot.waitUntil(lambda: panel._renderer.is_busy)
    settle()
    buttons = {each.accessibleName(): each for each in panel.findChildren(QAbstractButton) if each.isVisible()}
    assert {"Precision: float32", "Precision: bfloat16", "Stop computing the picture"} <= set(buttons)
    assert not [name for name, each in buttons.items() if not is_whole(each)]
    place = panel.view.geometry()
    panel.stop()
    settle()
    assert "Compute the rest of the picture" in {
        each.accessibleName() for each in panel.findChildren(QAbstractButton) if each.isVisible() and is_whole(each)
    }
    assert panel.view.geometry() == place, "the picture keeps its size"
    panel.hide()


@pytest.mark.parametrize("d_model", [20, 128, 4096])
def test_the_number_of_a_switch_has_room_for_its_largest_value(qtbot, d_model):
    panel = shown(qtbot, "waves", Document(encoding=Sinusoidal(d_model)), (420, 300))
    (number,) = (each for each in panel.findChildren(QSpinBox) if each.isVisible())
    wide = number.fontMetrics().horizontalAdvance(str(number.maximum()))
    assert wide + 4 <= number.lineEdit().width(), "Qt has 2 pixels at each side of the text"


def test_a_panel_without_a_picture_offers_no_switches(qtbot):
    panel = shown(qtbot, "precision", Document(encoding=Rotary(8)))
    assert "Precision: bfloat16" in {each.accessibleName() for each in panel.findChildren(QAbstractButton)}
    panel.show_document(Document())
    settle()
    assert [each.text() for each in panel.findChildren(QAbstractButton) if each.isVisible() and each.text()] == [
        "Show RoPE"
    ]


@pytest.mark.one_of(4)
@pytest.mark.parametrize(("size", "steps"), [((1024, 700), 0), ((1440, 900), 0), ((1440, 900), 3)], ids=str)
@pytest.mark.parametrize("family", FAMILIES)
def test_titles_of_panels_are_never_cut(window, size, steps, family):
    window.resize(*size)
    for _ in range(steps):
        act(window, "enlarge_text")
    window.store.edit("family", family)
    titles = set()
    for name in WORKSPACES:
        window.workspaces.choose(name)
        settle()
        for panel in shown_panels(window).values():
            title = panel.spec.title
            labels = [each for each in panel.findChildren(QLabel) if each.isVisible() and each.text() == title]
            assert labels, f"{title} in {panel.width()} pixels"
            assert labels[0].fontMetrics().horizontalAdvance(title) <= labels[0].width()
            titles.add(title)
    assert len(titles) == sum(not each.waits for each in PANELS.values())
    assert (window.width(), window.height()) == size


@pytest.mark.parametrize("name", ["unseen", "engines", "spectrum", "drift"])
def test_an_eight_digit_target_length_is_whole_in_a_narrow_panel(qtbot, name):
    document = with_values(Document(), target_length=16_384_000).with_encoding(Rotary(64, scaling=Yarn(4.0, 4096)))
    panel = shown(qtbot, name, document, (275, 263))
    settle()
    (line,) = (each for each in panel.findChildren(QLineEdit) if each.accessibleName().startswith("target length"))
    assert line.text() == "16,384,000"
    assert line.mapTo(panel, QPoint(line.width(), 0)).x() <= panel.width()
    panel.show_document(with_values(document, target_length=None, trained_length=25_000_000))
    settle()
    assert line.placeholderText() == "100,000,000"
    assert line.fontMetrics().horizontalAdvance(line.placeholderText()) <= line.width() - 8
    panel.hide()


@pytest.mark.parametrize("preset_name", ["paper", "yarn-llama-2-64k"])
def test_the_words_of_a_header_are_whole_in_a_panel_that_is_shown_alone_and_back(window, preset_name):
    window.resize(1440, 880)
    window.store.replace(preset(preset_name), "preset")
    window.cursor_control.hold(Cursor(23, 6, True))
    cut = set()
    for name in WORKSPACES:
        window.workspaces.choose(name)
        settle()
        for panel in shown_panels(window).values():
            for _ in range(2):
                window.workspaces.maximise(panel)
                settle()
                words = [each for each in panel.findChildren(QLabel) if each.isVisible() and each.text()]
                cut |= {(name, each.text()) for each in words if each.height() < each.fontMetrics().height()}
                assert panel.view.y() >= panel._header.geometry().bottom()
    assert not cut
