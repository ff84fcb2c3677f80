"""Exports from the menu: the files contain what the window shows."""

import csv

import pytest
from dialogs import choose
from pixels import sinusoid
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit
from window_bench import control, drop, type_number

from posenc_core import Document
from posenc_gui.files.session import open_session

pytestmark = pytest.mark.one_window

PICTURES, NUMBERS = ("PNG", "SVG", "PDF"), ("CSV", "NPY", "NPZ")
FORMATS = [*(f"Pictures as {name}" for name in PICTURES), *(f"Numbers as {name}" for name in NUMBERS)]


def write_to(folder, *formats, panels=None):
    """Fill the export dialog in and press Export."""

    def answer(dialog):
        for name in FORMATS:
            control(dialog, name).setChecked(name in formats)
        for box in dialog.findChildren(QCheckBox):
            if panels is not None and box.accessibleName().startswith("Panel "):
                box.setChecked(box.accessibleName() in panels)
        control(dialog, "Folder").setText(str(folder))
        dialog.export_button.click()

    return answer


def ticked(found):
    def answer(dialog):
        boxes = [box for box in dialog.findChildren(QCheckBox) if box.accessibleName().startswith("Panel ")]
        found.extend(box.accessibleName() for box in boxes if box.isChecked())
        dialog.reject()

    return answer


def test_the_numbers_of_the_paper_come_out_in_full_precision(window, answers, tmp_path):
    type_number(window, "d_model", "4")
    answers.expect(write_to(tmp_path, "Numbers as CSV", panels=[]))
    window.menus.actions["export_all"].trigger()
    with (tmp_path / "vectors.csv").open(encoding="utf-8", newline="") as stream:
        head, *rows = csv.reader(stream)
    assert head == ["token", "position", "0", "1", "2", "3"]
    assert [row[:2] for row in rows] == [["Dan", "0"], ["loves", "1"], ["icecream", "2"]]
    for position, row in enumerate(rows):
        assert [float(number) for number in row[2:]] == pytest.approx(sinusoid(position, range(4), 4), rel=1e-15)
    assert window.statusBar().currentMessage() == f"Wrote vectors.csv to {tmp_path}"


@pytest.mark.parametrize("name", ["Waves", "Heatmap", "Tokens"])
def test_the_panel_used_last_is_the_one_that_ctrl_e_exports(window, answers, name):
    found = []
    panel = window.panels[name.lower()]
    panel.setFocus(Qt.FocusReason.MouseFocusReason)
    answers.expect(ticked(found))
    QTest.keyClick(panel, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert found == [f"Panel {name}"]


def test_ctrl_e_exports_the_picture_alone_as_it_is_seen(window, answers, tmp_path):
    panel = window.panels["heatmap"]
    panel.setFocus(Qt.FocusReason.MouseFocusReason)

    def press_export(dialog):
        control(dialog, "Folder").setText(str(tmp_path))
        dialog.export_button.click()

    answers.expect(press_export)
    QTest.keyClick(panel, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["heatmap.png"]
    assert QImage(str(tmp_path / "heatmap.png")).width() == 2 * (panel.view.width() + 2 * 16)


def test_the_export_of_all_panels_writes_pictures_that_carry_the_session(window, answers, tmp_path):
    window.store.edit("sentence", "Ann sees the sea")
    answers.expect(write_to(tmp_path, "Pictures as PNG"))
    window.menus.actions["export_all"].trigger()
    names = sorted(path.name for path in tmp_path.glob("*.png"))
    assert names == ["heatmap.png", "tokens.png", "waves.png"]
    for name in names:
        assert not QImage(str(tmp_path / name)).isNull()
        assert open_session(tmp_path / name) == window.store.document


def test_the_folder_is_remembered(window, answers, tmp_path):
    answers.expect(write_to(tmp_path, "Numbers as NPY", panels=[]))
    window.menus.actions["export_all"].trigger()
    seen = []

    def look(dialog):
        line = control(dialog, "Folder")
        assert isinstance(line, QLineEdit)
        seen.append(line.text())
        dialog.reject()

    answers.expect(look)
    window.menus.actions["export_all"].trigger()
    assert seen == [str(tmp_path)]


def test_a_sentence_without_tokens_cannot_be_exported(window, answers, tmp_path):
    window.store.edit("sentence", "")
    said = []

    def look(dialog):
        said.append((dialog.message.sentence, dialog.export_button.isEnabled()))
        dialog.reject()

    answers.expect(look)
    window.menus.actions["export_all"].trigger()
    ((sentence, enabled),) = said
    assert "no token" in sentence
    assert not enabled


def test_an_exported_page_brings_its_session_back_when_it_is_dropped(window, answers, tmp_path):
    type_number(window, "d_model", "4")
    document = window.store.document

    def choose_file(dialog):
        choose(tmp_path / "mine.html")(dialog)
        answers.stop()  # a busy machine shows the progress then, which nobody should answer

    answers.expect(choose_file)
    window.menus.actions["export_page"].trigger()
    assert window.statusBar().currentMessage() == f"Wrote mine.html to {tmp_path}"
    window.store.begin(Document(), "a new document")
    assert drop(window, QUrl.fromLocalFile(str(tmp_path / "mine.html")))
    assert window.store.document == document
    assert window.files.path is None
