"""The export dialog: written files and messages of failures, used by typing, ticking, Enter and Escape."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from export_bench import DOCUMENT, button, choose, control, open_dialog, sentences, tick, type_folder
from panel_bench import VECTOR_PANELS
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMessageBox,
)

from posenc_core import Document, Sinusoidal, encode
from posenc_gui.export.job import replace_question
from posenc_gui.export.numbers import write_numbers
from posenc_gui.export.pictures import Picture, PictureOptions, picture_bytes
from posenc_gui.files.session import open_session
from posenc_gui.look.style import DARK, LIGHT
from posenc_gui.model.cursor import Cursor
from posenc_gui.plotting.plot_area import Window

LARGE = Document(sentence="w " * 4000, encoding=Sinusoidal(512))


@pytest.fixture
def opened(qtbot, tmp_path: Path):
    """A function that opens the dialog for panels, in the folder of the test."""
    return partial(open_dialog, qtbot, tmp_path)


def answer(qtbot, text: str) -> list[str]:
    """Presses this button of the question that is about to come; the list is filled with what it asks."""
    asked: list[str] = []

    def press() -> None:
        question = QApplication.activeModalWidget()
        assert isinstance(question, QMessageBox)
        asked.append(question.text())
        assert question.defaultButton() is question.button(QMessageBox.StandardButton.Cancel)
        (pressed,) = [each for each in question.buttons() if each.text().replace("&", "") == text]
        QTest.mouseClick(pressed, Qt.MouseButton.LeftButton)

    QTimer.singleShot(0, press)
    return asked


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_keyboard_begins_in_the_selected_folder(opened, tmp_path):
    dialog = opened()
    assert dialog.windowTitle() == "Export"
    folder = control(dialog, "Folder")
    assert folder.hasFocus()
    assert folder.selectedText() == folder.text() == str(tmp_path)


def test_enter_writes_what_is_ticked_and_makes_the_folder(qtbot, opened, tmp_path):
    dialog = opened("heatmap")
    target = tmp_path / "new"
    tick(dialog, "Numbers as CSV")
    type_folder(dialog, "")
    QTest.keyClicks(control(dialog, "Folder"), str(target))
    with qtbot.waitSignal(dialog.accepted):
        QTest.keyClick(control(dialog, "Folder"), Qt.Key.Key_Return)
    assert dialog.written == [target / "heatmap.png", target / "vectors.csv"]
    assert names_in(target) == ["heatmap.png", "vectors.csv"]
    assert open_session(target / "heatmap.png") == DOCUMENT
    write_numbers(DOCUMENT, tmp_path / "same.csv", "csv")
    assert (target / "vectors.csv").read_bytes() == (tmp_path / "same.csv").read_bytes()
    assert not dialog.isVisible()


def test_every_panel_is_written_in_every_format(qtbot, opened, tmp_path):
    dialog = opened(*VECTOR_PANELS)
    tick(dialog, "Pictures as SVG", "Pictures as PDF", "Numbers as CSV", "Numbers as NPY", "Numbers as NPZ")
    expected = [f"{panel}.{format}" for format in ("png", "svg", "pdf") for panel in VECTOR_PANELS]
    expected += ["vectors.csv", "vectors.npy", "vectors.npz"]
    assert ", ".join(expected) in sentences(dialog)
    with qtbot.waitSignal(dialog.accepted):
        tick(dialog, "Folder")
        QTest.mouseClick(button(dialog, "Export"), Qt.MouseButton.LeftButton)
    assert [path.name for path in dialog.written] == expected
    assert names_in(tmp_path) == sorted(expected)
    assert np.array_equal(np.load(tmp_path / "vectors.npy"), encode(DOCUMENT.encoding, range(3)))
    with np.load(tmp_path / "vectors.npz") as numbers:
        assert Document.from_json(numbers["parameters"].item()) == DOCUMENT
    for panel in VECTOR_PANELS:
        assert "icecream" in (tmp_path / f"{panel}.svg").read_text(encoding="utf-8")
        assert (tmp_path / f"{panel}.pdf").read_bytes().startswith(b"%PDF-")


def test_the_pictures_are_of_what_is_in_view(qtbot, opened, tmp_path):
    window, cursor = Window((0.5, 3.5), (4.5, 11.5)), Cursor(5, 2, pinned=True)
    dialog = opened("heatmap", style=DARK, cursor=cursor, windows={"heatmap": window})
    tick(dialog, "Pictures as SVG", "Mark the cursor")
    choose(dialog, "Caption", "None")
    with qtbot.waitSignal(dialog.accepted):
        QTest.keyClick(dialog, Qt.Key.Key_Return)
    options = PictureOptions(theme="dark", caption=False, mark=True)
    picture = Picture("heatmap", DOCUMENT, cursor, window)
    assert (tmp_path / "heatmap.svg").read_bytes() == picture_bytes(picture, "svg", options)
    assert QImage(str(tmp_path / "heatmap.png")) == QImage.fromData(picture_bytes(picture, "png", options))


def test_escape_writes_nothing(qtbot, opened, tmp_path):
    dialog = opened()
    with qtbot.waitSignal(dialog.rejected):
        QTest.keyClick(control(dialog, "Folder"), Qt.Key.Key_Escape)
    assert dialog.written == []
    assert names_in(tmp_path) == []


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("missing/new", "missing does not exist."),
        ("a file", "a file of that name is there."),
        ("a file/new", "a file is not a folder."),
        ("   ", "There is no folder to write to; type one."),
        ("~no-such-person/pictures", "there is no such user."),
    ],
)
def test_a_wrong_folder_is_explained_in_red_and_the_dialog_stays(qtbot, opened, tmp_path, typed, reason):
    (tmp_path / "a file").write_bytes(b"mine")
    dialog = opened()
    type_folder(dialog, typed)
    QTest.keyClick(control(dialog, "Folder"), Qt.Key.Key_Return)
    folder = control(dialog, "Folder")
    assert dialog.isVisible()
    assert dialog.message.sentence.endswith(reason)
    assert dialog.message.sentence[0].isupper()
    assert dialog.message.palette().windowText().color() == QColor(LIGHT.error)
    assert folder.palette().text().color() == QColor(LIGHT.error)
    assert folder.hasFocus()
    assert folder.selectedText() == typed
    assert names_in(tmp_path) == ["a file"]
    QTest.keyClicks(folder, "pictures")
    assert dialog.message.sentence == ""
    assert folder.palette().text().color() == QColor(LIGHT.ink)
    with qtbot.waitSignal(dialog.accepted):
        QTest.keyClick(folder, Qt.Key.Key_Return)
    assert names_in(tmp_path / "pictures") == ["waves.png"]


def test_browsing_fills_the_folder_in(qtbot, opened, tmp_path):
    (tmp_path / "chosen").mkdir()
    dialog = opened()

    def choose_folder() -> None:
        chooser = QApplication.activeModalWidget()
        assert isinstance(chooser, QFileDialog)
        assert Path(chooser.directory().path()) == tmp_path
        chooser.selectFile("chosen")
        chooser.accept()

    QTimer.singleShot(0, choose_folder)
    QTest.mouseClick(button(dialog, "Browse…"), Qt.MouseButton.LeftButton)
    assert Path(control(dialog, "Folder").text()) == tmp_path / "chosen"
    QTimer.singleShot(0, leave_the_chooser)
    QTest.mouseClick(button(dialog, "Browse…"), Qt.MouseButton.LeftButton)
    assert Path(control(dialog, "Folder").text()) == tmp_path / "chosen"


def leave_the_chooser() -> None:
    QApplication.activeModalWidget().reject()


def test_an_empty_choice_is_one_sentence_and_disables_the_button(opened, tmp_path):
    dialog = opened()
    tick(dialog, "Panel Waves", "Numbers as CSV")
    assert button(dialog, "Export").isEnabled()  # the numbers are left
    tick(dialog, "Numbers as CSV")
    assert dialog.message.sentence.startswith("Nothing is selected: ")
    assert not button(dialog, "Export").isEnabled()
    QTest.keyClick(control(dialog, "Folder"), Qt.Key.Key_Return)
    assert dialog.isVisible()
    tick(dialog, "Panel Tokens")
    assert dialog.message.sentence == ""
    assert button(dialog, "Export").isEnabled()
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("sentence", ["", " \n"])
def test_a_sentence_without_tokens_is_reported(opened, tmp_path, sentence):
    dialog = opened(*VECTOR_PANELS, document=Document(sentence=sentence))
    assert dialog.message.sentence == "The sentence has no token: there is nothing to export; type a sentence."
    assert not button(dialog, "Export").isEnabled()
    QTest.keyClick(control(dialog, "Folder"), Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert names_in(tmp_path) == []


def test_existing_files_are_replaced_only_if_the_user_agrees(qtbot, opened, tmp_path):
    for name in ("waves.png", "vectors.csv"):
        (tmp_path / name).write_bytes(b"mine")
    dialog = opened()
    tick(dialog, "Numbers as CSV")
    asked = answer(qtbot, "Cancel")
    QTest.keyClick(control(dialog, "Folder"), Qt.Key.Key_Return)
    assert asked == ["waves.png and 1 other file exist. Replace them?"]
    assert dialog.isVisible()
    assert dialog.written == []
    assert {(tmp_path / name).read_bytes() for name in ("waves.png", "vectors.csv")} == {b"mine"}
    asked = answer(qtbot, "Replace")
    with qtbot.waitSignal(dialog.accepted):
        QTest.keyClick(control(dialog, "Folder"), Qt.Key.Key_Return)
    assert len(asked) == 1
    assert open_session(tmp_path / "waves.png") == DOCUMENT
    assert (tmp_path / "vectors.csv").read_bytes().startswith(b"token,")


@pytest.mark.parametrize(
    ("names", "question"),
    [
        (["a.png"], "a.png exists. Replace it?"),
        (["a.png", "b.png"], "a.png and 1 other file exist. Replace them?"),
        (["a.png", "b.png", "c.csv"], "a.png and 2 other files exist. Replace them?"),
    ],
)
def test_the_question_counts_the_existing_files(names, question):
    assert replace_question([Path("folder") / name for name in names]) == question


@pytest.mark.one_of(3)
@pytest.mark.parametrize("how", ["button", "escape", "window"])
def test_cancelling_while_it_writes_leaves_the_older_file_and_no_other(qtbot, opened, tmp_path, how):
    (tmp_path / "vectors.csv").write_bytes(b"mine")
    dialog = opened(document=LARGE)
    bar = dialog.progress
    seen: list[tuple[bool, bool]] = []

    def cancel() -> None:
        seen.append((bar.isVisible(), control(dialog, "Folder").isEnabled()))
        if how == "button":
            QTest.mouseClick(button(dialog, "Cancel"), Qt.MouseButton.LeftButton)
        elif how == "escape":
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
        else:
            dialog.close()

    answer(qtbot, "Replace")
    tick(dialog, "Panel Waves", "Numbers as CSV")  # the numbers alone, which take a second
    bar.valueChanged.connect(lambda value: QTimer.singleShot(0, cancel) if value > 0 and not seen else None)
    QTest.keyClick(control(dialog, "Folder"), Qt.Key.Key_Return)
    assert seen[0] == (True, False)
    assert dialog.isVisible()
    assert dialog.message.sentence == "Cancelled; nothing was written."
    assert (tmp_path / "vectors.csv").read_bytes() == b"mine"
    assert names_in(tmp_path) == ["vectors.csv"]
    assert not bar.isVisible()
    assert button(dialog, "Export").isEnabled()
    assert dialog.focusWidget() is control(dialog, "Folder")


def test_a_large_picture_can_be_cancelled_while_it_is_packed(qtbot, opened, tmp_path):
    dialog = opened()
    choose(dialog, "Scale", "8×")
    bar = dialog.progress
    bar.valueChanged.connect(lambda value: QTimer.singleShot(0, dialog.reject))
    QTest.keyClick(control(dialog, "Folder"), Qt.Key.Key_Return)
    assert dialog.message.sentence == "Cancelled; nothing was written."
    assert names_in(tmp_path) == []


def test_a_file_that_cannot_be_written_is_reported_and_the_dialog_stays(qtbot, opened, tmp_path):
    (tmp_path / "vectors.csv").mkdir()
    dialog = opened()
    tick(dialog, "Numbers as CSV")
    answer(qtbot, "Replace")
    QTest.keyClick(control(dialog, "Folder"), Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert dialog.message.sentence == f"Cannot write {tmp_path / 'vectors.csv'}: it is a folder."
    assert dialog.written == [tmp_path / "waves.png"]
    assert names_in(tmp_path) == ["vectors.csv", "waves.png"]
    assert button(dialog, "Export").isEnabled()


def test_the_sources_are_copied_from_the_dialog(opened):
    dialog = opened()
    button(dialog, "Copy BibTeX").click()
    assert "vaswani" in QGuiApplication.clipboard().text().lower()
