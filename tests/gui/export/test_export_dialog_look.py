"""Appearance of the export dialog: preview, sizes and names in both themes, with screen reader and keyboard."""

from functools import partial
from pathlib import Path

import pytest
from export_bench import choose, control, open_dialog, sentences, tick, type_folder, widgets
from panel_bench import VECTOR_PANELS
from pixels import settle
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from posenc_gui.export.dialog.preview import DELAY_MS
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.look.theme import apply_style
from posenc_gui.panels import PANELS

SPIN_BOX_TEXT = "qt_spinbox_lineedit"
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def opened(qtbot, tmp_path: Path):
    """A function that opens the dialog for panels, in the folder of the test."""
    return partial(open_dialog, qtbot, tmp_path)


def test_the_preview_shows_the_picture_as_it_will_be(qtbot, opened):
    dialog = opened("waves")
    canvas = dialog.preview.canvas
    assert canvas.image.pixelColor(1, 1) == QColor(LIGHT.paper)
    with qtbot.waitSignal(dialog.preview.rendered):
        choose(dialog, "Theme", "Dark")
    assert canvas.image.pixelColor(1, 1) == QColor(DARK.paper)
    with qtbot.waitSignal(dialog.preview.rendered):
        choose(dialog, "Background", "White")
    assert canvas.image.pixelColor(1, 1) == QColor("white")
    with qtbot.waitSignal(dialog.preview.rendered):
        choose(dialog, "Background", "Transparent")
    assert canvas.image.pixelColor(1, 1).alpha() == 0
    corner = canvas.picture_rect().topLeft().toPoint()
    shown = canvas.grab(QRect(corner, canvas.picture_rect().size().toSize())).toImage()
    assert {shown.pixelColor(x, 3).name() for x in (3, 11, 19)} == {DARK.paper, DARK.grid}
    height = canvas.image.height()
    with qtbot.waitSignal(dialog.preview.rendered):
        choose(dialog, "Caption", "None")
    assert canvas.image.height() < height


def test_the_preview_waits_for_the_last_change(qtbot, opened):
    dialog = opened()
    drawn: list[None] = []
    dialog.preview.rendered.connect(lambda: drawn.append(None))
    with qtbot.waitSignal(dialog.preview.rendered):
        for words in ("1×", "4×", "8×"):
            choose(dialog, "Scale", words)
        tick(dialog, "Panel Tokens", "Panel Heatmap")
    with qtbot.assertNotEmitted(dialog.preview.rendered, wait=2 * DELAY_MS):
        assert len(drawn) == 1


def test_the_preview_turns_to_the_panel_that_is_ticked(qtbot, opened):
    dialog = opened("waves")
    chooser = control(dialog, "Preview of")
    assert not chooser.isEnabled()
    with qtbot.waitSignal(dialog.preview.rendered):
        tick(dialog, "Panel Tokens")
    assert chooser.currentText() == "Tokens"
    with qtbot.waitSignal(dialog.preview.rendered):
        choose(dialog, "Preview of", "Waves")
    assert dialog.preview.panel == "waves"
    with qtbot.waitSignal(dialog.preview.rendered):
        tick(dialog, "Numbers as CSV", "Pictures as PNG")
    assert dialog.preview.canvas.image.isNull()
    assert sentences(dialog) == ["vectors.csv"]


@pytest.mark.one_of(3)
@pytest.mark.parametrize("scale", ["1×", "2×", "4×", "150 dpi", "300 dpi"])
def test_the_size_below_the_preview_is_the_files(qtbot, opened, tmp_path, scale):
    dialog = opened("tokens")
    with qtbot.waitSignal(dialog.preview.rendered):
        choose(dialog, "Scale", "8×")
    with qtbot.waitSignal(dialog.preview.rendered):
        choose(dialog, "Scale", scale)
    promised = sentences(dialog)[0]
    with qtbot.waitSignal(dialog.accepted):
        QTest.keyClick(dialog, Qt.Key.Key_Return)
    image = QImage(str(tmp_path / "tokens.png"))
    assert promised.startswith("tokens.png: ")
    assert promised.endswith(f" mm · {image.width():,} × {image.height():,} px at {scale}")


def test_shapes_have_a_size_on_paper(qtbot, opened):
    dialog = opened("waves")
    with qtbot.waitSignal(dialog.preview.rendered):
        tick(dialog, "Pictures as PDF", "Pictures as PNG")
    size, names = sentences(dialog)
    assert size == "waves.pdf: 262.5 × 131.2 mm"
    assert names == "waves.pdf"
    assert not control(dialog, "Scale").isEnabled()


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_the_theme_begins_as_the_windows(opened, style):
    dialog = opened(style=style)
    assert control(dialog, "Theme").currentText().lower() == style.name
    assert dialog.palette().window().color() == QColor(style.ground)


def test_every_control_is_named_and_explained(opened):
    dialog = opened(*VECTOR_PANELS)
    for kind in (QLineEdit, QCheckBox, QComboBox, QDoubleSpinBox):
        for each in dialog.form.findChildren(kind):
            if each.objectName() == SPIN_BOX_TEXT:
                continue
            assert each.accessibleName()
            assert len(each.toolTip()) > 20
            assert max(map(len, each.toolTip().splitlines())) <= 64
    assert all(each.toolTip() for each in widgets(dialog, QPushButton))


def test_every_underlined_letter_is_underlined_once(opened):
    dialog = opened()
    labels = [each.text() for each in dialog.findChildren(QLabel) if each.buddy() is not None]
    labels += [each.text() for each in dialog.findChildren(QAbstractButton)]
    letters = [text[text.index("&") + 1].lower() for text in labels if "&" in text]
    assert 17 + len(PANELS) >= len(letters) >= 22, "there are more panels than letters"
    assert len(set(letters)) == len(letters)


def test_the_keyboard_reaches_everything(qtbot, opened):
    dialog = opened()
    for key, name in (
        (Qt.Key.Key_H, "Panel Heatmap"),
        (Qt.Key.Key_D, "Pictures as PDF"),
        (Qt.Key.Key_Z, "Numbers as NPZ"),
    ):
        QTest.keyClick(dialog, key, ALT)
        qtbot.waitUntil(control(dialog, name).isChecked)
    for key, name in ((Qt.Key.Key_A, "Scale"), (Qt.Key.Key_E, "Theme"), (Qt.Key.Key_F, "Folder")):
        QTest.keyClick(dialog, key, ALT)
        assert control(dialog, name).hasFocus()
    choose(dialog, "Size", "Custom")
    reached = set()
    for _ in range(44):
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        reached.add(dialog.focusWidget())
    kinds = (QLineEdit, QCheckBox, QComboBox, QDoubleSpinBox, QPushButton)
    controls = [each for kind in kinds for each in widgets(dialog, kind) if each.objectName() != SPIN_BOX_TEXT]
    assert {each for each in controls if each.isEnabled()} <= reached


@pytest.mark.one_of(3)
@pytest.mark.parametrize("size", [(720, 580), (960, 600), (1024, 700)], ids=str)
@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_no_control_is_clipped_or_covered(qtbot, opened, size, style):
    dialog = opened(*VECTOR_PANELS, style=style)
    type_folder(dialog, "missing/" + "x" * 200)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.message.isVisible()
    dialog.resize(*size)
    with qtbot.waitSignal(dialog.preview.rendered):
        tick(dialog, "Pictures as SVG")
    assert (dialog.width(), dialog.height()) == size
    shown = [each for each in dialog.findChildren(QWidget) if each.isVisible() and not each.findChildren(QWidget)]
    places = [QRect(each.mapTo(dialog, each.rect().topLeft()), each.size()) for each in shown]
    for each, place in zip(shown, places, strict=True):
        assert dialog.rect().contains(place)
        assert each.height() >= each.minimumSizeHint().height()
        if isinstance(each, QAbstractButton):
            assert each.width() >= each.sizeHint().width()
    for index, place in enumerate(places):
        assert not any(place.intersects(other) for other in places[index + 1 :])


def test_names_of_panels_are_whole_in_large_text(opened):
    apply_style(LIGHT.scaled(1.5))
    dialog = opened("waves")
    boxes = widgets(dialog, QCheckBox)
    assert len(boxes) > len(PANELS)
    for box in boxes:
        assert box.width() >= box.sizeHint().width(), box.text()
        assert box.height() >= box.fontMetrics().height(), box.text()


def test_the_name_of_the_panel_in_the_preview_is_whole(qtbot, opened):
    dialog = opened("waves")
    chooser = control(dialog, "Preview of")
    with qtbot.waitSignal(dialog.preview.rendered):
        tick(dialog, "Panel Scores by distance")
    settle()
    assert chooser.currentText() == "Scores by distance"
    assert chooser.width() >= chooser.sizeHint().width()
    assert chooser.fontMetrics().horizontalAdvance(chooser.currentText()) < chooser.width() - 20
