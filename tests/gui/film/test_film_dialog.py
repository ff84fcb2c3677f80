"""The film dialog: choosing what moves, refusals while typing, the file, and cancelling."""

from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from posenc_core import Document, Sinusoidal
from posenc_gui.film import FilmDialog
from posenc_gui.model import Cursor

DOCUMENT = Document("Dan loves icecream", encoding=Sinusoidal(8), seq_len=20)


@pytest.fixture
def opened(qtbot, tmp_path):
    """A function that opens the dialog for a panel, in the folder of the test."""

    def open_for(document=DOCUMENT, panel="waves"):
        dialog = FilmDialog(document, Cursor(0, 0), panel, (300, 180), tmp_path)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return open_for


def export(dialog):
    (button,) = [each for each in dialog.findChildren(QPushButton) if each.text().replace("&", "") == "Export"]
    return button


def choose(dialog, words):
    (index,) = [each for each in range(dialog.motion.count()) if dialog.motion.itemText(each) == words]
    dialog.motion.setCurrentIndex(index)


def test_a_sweep_is_written_as_it_is_typed(opened, tmp_path):
    dialog = opened()
    assert dialog.windowTitle() == "Export film of Waves"
    choose(dialog, "sweep base (rope_theta)")
    dialog.first.setText("10")
    dialog.last.setText("1e4")
    dialog.seconds.setValue(0.5)
    QTest.mouseClick(export(dialog), Qt.MouseButton.LeftButton)
    assert dialog.result() == FilmDialog.DialogCode.Accepted
    assert dialog.written == tmp_path / "waves.apng"
    with Image.open(dialog.written) as film:
        assert film.n_frames == 10
        assert '"base": 10.0' in film.info["posenc-session"]


def test_the_first_film_that_is_offered_sweeps_the_base(opened):
    dialog = opened()
    assert dialog.motion.itemText(0) == "sweep base (rope_theta)"


def test_a_course_that_plays_has_no_ends_to_type(opened):
    dialog = opened()
    choose(dialog, "play tokens of the sentence")
    assert (dialog.text, dialog.first.isEnabled(), dialog.last.isEnabled()) == ("play:token", False, False)
    choose(dialog, "sweep offset")
    assert dialog.first.isEnabled()
    assert dialog.text.startswith("sweep:offset=")


def test_every_choice_is_a_film(opened):
    for panel, document in (("waves", DOCUMENT), ("shift", DOCUMENT), ("tokens", Document().edited("family", "none"))):
        dialog = opened(document, panel)
        for index in range(dialog.motion.count()):
            dialog.motion.setCurrentIndex(index)
            assert (export(dialog).isEnabled(), dialog.message.text()) == (True, ""), dialog.text


@pytest.mark.parametrize(
    ("first", "last", "sentence"),
    [
        ("0", "5", "Base (rope_theta) must be a finite number > 0, got 0."),
        ("ten", "5", "Base (rope_theta) must be a finite number > 0, got 'ten'."),
        ("", "", "Base (rope_theta) must be a finite number > 0"),
    ],
)
def test_a_wrong_value_is_told_while_it_is_typed(opened, first, last, sentence):
    dialog = opened()
    choose(dialog, "sweep base (rope_theta)")
    dialog.first.setText(first)
    dialog.last.setText(last)
    assert dialog.message.text().startswith(sentence)
    assert not export(dialog).isEnabled()
    dialog.first.setText("5")
    dialog.last.setText("50")
    assert (dialog.message.text(), export(dialog).isEnabled()) == ("", True)


def test_long_numbers_are_grouped_while_they_are_not_edited(opened):
    dialog = opened()
    choose(dialog, "sweep base (rope_theta)")
    assert (dialog.first.text(), dialog.last.text()) == ("1", "10,000,000")
    assert dialog.text == "sweep:base=1..10000000"
    assert dialog.last.toolTip() == "Value in the last frame."
    assert export(dialog).isEnabled()


def test_the_ending_of_the_file_follows_the_format(opened, tmp_path):
    dialog = opened()
    dialog.format.setCurrentIndex(dialog.format.findData("gif"))
    assert dialog.file.text() == str(tmp_path / "waves.gif")
    dialog.file.setText("")
    assert dialog.message.text() == "There is no file to write to; type one."


def test_a_format_that_needs_something_else_says_what(opened, monkeypatch):
    monkeypatch.setenv("PATH", "")
    dialog = opened()
    dialog.format.setCurrentIndex(dialog.format.findData("mp4"))
    assert dialog.message.text().startswith("Mp4 needs the program ffmpeg")
    assert not export(dialog).isEnabled()


@pytest.mark.parametrize(("answer", "kept"), [("Cancel", True), ("Replace", False)])
def test_a_file_that_is_there_is_replaced_only_if_the_user_agrees(opened, tmp_path, answer, kept):
    (tmp_path / "waves.apng").write_text("mine")
    dialog = opened()
    dialog.seconds.setValue(0.5)
    asked = []

    def press():
        question = QApplication.activeModalWidget()
        assert isinstance(question, QMessageBox)
        asked.append(question.text())
        (pressed,) = [each for each in question.buttons() if each.text().replace("&", "") == answer]
        pressed.click()

    QTimer.singleShot(0, press)
    QTest.mouseClick(export(dialog), Qt.MouseButton.LeftButton)
    assert asked == ["waves.apng exists. Replace it?"]
    assert (Path(tmp_path / "waves.apng").read_bytes() == b"mine") == kept
    assert (dialog.written is None) == kept


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("none/film.apng", "Cannot write "),
        (f"{300 * 'x'}.apng", "Cannot write "),
        ("~nobody there/film.apng", "Cannot find ~nobody there/film.apng: there is no such user"),
    ],
)
def test_a_file_that_cannot_be_written_keeps_the_dialog_open(opened, tmp_path, name, problem):
    dialog = opened()
    dialog.seconds.setValue(0.5)
    dialog.file.setText(name)
    QTest.mouseClick(export(dialog), Qt.MouseButton.LeftButton)
    assert dialog.message.text().startswith(problem)
    assert dialog.isVisible()
    assert not list(tmp_path.iterdir())
