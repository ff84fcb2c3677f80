"""Sessions in files, by menu, by dialog and by dropping; pictures on the clipboard."""

import pytest
from dialogs import choose, dismiss, press
from pixels import as_array, pixels_of
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_bench import act, changed, drop, pictures, recent, sentence_edit, type_number

from posenc_core import Document, Embedding, Rotary, Sinusoidal
from posenc_core.session.document import View
from posenc_core.session.session_schema import VERSION
from posenc_gui.export.pictures import PictureOptions, write_picture
from posenc_gui.files.session import open_session, save_session

pytestmark = pytest.mark.one_window

OTHER = Document(
    "Ann sees the sea", "characters", 33, Sinusoidal(12, base=50.0), Embedding("simulated", 4), View("viridis")
)


def test_a_session_saved_and_opened_is_the_same(window, answers, tmp_path):
    path = tmp_path / "mine.posenc"
    window.store.replace(OTHER, "everything")
    answers.expect(choose(path))
    act(window, "save_as")
    assert open_session(path) == OTHER
    assert window.windowTitle() == "mine.posenc[*] — PosEnc"
    saved = pictures(window)
    act(window, "new")
    assert window.store.document == Document()
    assert window.windowTitle() == "Untitled[*] — PosEnc"
    answers.expect(choose(path))
    act(window, "open")
    assert window.store.document == OTHER
    assert changed(saved, pictures(window)) == set()
    assert sentence_edit(window).toPlainText() == OTHER.sentence


def test_a_name_without_a_suffix_gets_one(window, answers, tmp_path):
    answers.expect(choose(tmp_path / "mine"))
    act(window, "save")
    assert (tmp_path / "mine.posenc").is_file()
    assert window.windowTitle().startswith("mine.posenc[*]")


def test_the_title_marks_what_is_not_saved(window, tmp_path):
    save_session(Document(), tmp_path / "mine.posenc")
    window.open_file(tmp_path / "mine.posenc")
    assert not window.isWindowModified()
    type_number(window, "d_model", "16")
    assert window.isWindowModified()
    window.store.undo()
    assert not window.isWindowModified()
    type_number(window, "d_model", "32")
    act(window, "save")
    assert not window.isWindowModified()
    assert open_session(tmp_path / "mine.posenc").value("d_model") == 32


@pytest.mark.parametrize(
    ("answer", "closes", "saved"), [("Save", True, 16), ("Discard", True, 8), ("Cancel", False, 8)]
)
def test_closing_with_unsaved_work_asks(window, answers, tmp_path, answer, closes, saved):
    save_session(Document(), tmp_path / "mine.posenc")
    window.open_file(tmp_path / "mine.posenc")
    type_number(window, "d_model", "16")
    answers.expect(press(answer))
    window.close()
    assert answers.seen == ["Unsaved changes: Save the changes to mine.posenc?"]
    assert window.isVisible() != closes
    assert open_session(tmp_path / "mine.posenc").value("d_model") == saved


def test_closing_stays_open_when_no_name_is_given(window, answers):
    type_number(window, "d_model", "16")
    answers.expect(press("Save"))
    answers.expect(dismiss)
    window.close()
    assert window.isVisible()
    assert window.isWindowModified()


def test_closing_without_unsaved_work_does_not_ask(window, answers):
    window.close()
    assert not window.isVisible()
    assert answers.seen == []


def test_saving_to_a_read_only_place_is_reported_and_keeps_the_work(window, answers, tmp_path):
    path = tmp_path / "mine.posenc"
    save_session(OTHER, path)
    window.open_file(path)
    type_number(window, "d_model", "16")
    path.unlink()
    path.mkdir()
    answers.expect(press("Ok"))
    act(window, "save")
    assert "mine.posenc" in answers.seen[0]
    assert "folder" in answers.seen[0]
    assert window.isWindowModified()


def test_recent_files_are_offered_newest_first(window, tmp_path):
    assert not recent(window).isEnabled()
    for name, document in (("a", Document("a")), ("b & c", OTHER)):
        save_session(document, tmp_path / f"{name}.posenc")
        window.open_file(tmp_path / f"{name}.posenc")
    assert recent(window).isEnabled()
    second, first = (action.data() for action in recent(window).actions())
    assert (second, first) == (str(tmp_path / "b & c.posenc"), str(tmp_path / "a.posenc"))
    assert recent(window).actions()[0].text().endswith("b && c.posenc")
    recent(window).actions()[1].trigger()
    assert window.store.document == Document("a")


def test_a_missing_recent_file_is_reported_and_removed(window, answers, tmp_path):
    path = tmp_path / "gone.posenc"
    save_session(OTHER, path)
    window.open_file(path)
    path.unlink()
    answers.expect(press("Ok"))
    recent(window).actions()[0].trigger()
    assert "gone.posenc" in answers.seen[0]
    assert recent(window).actions() == []
    assert window.store.document == OTHER


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    "make",
    [
        lambda path: None,
        lambda path: path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        lambda path: path.write_bytes(b"MZ\x90\0" * 500),
        lambda path: path.write_text(OTHER.to_json()[: len(OTHER.to_json()) // 2]),
        lambda path: path.write_text(OTHER.to_json().replace(f'"version": {VERSION}', '"version": 99')),
        lambda path: path.mkdir(),
    ],
    ids=["missing", "truncated picture", "foreign", "truncated", "newer", "folder"],
)
def test_a_file_that_cannot_be_read_is_one_sentence_and_changes_nothing(window, answers, tmp_path, make):
    path = tmp_path / "odd.posenc"
    make(path)
    before, title = pictures(window), window.windowTitle()
    answers.expect(press("Ok"))
    window.open_file(path)
    (said,) = answers.seen
    assert said.startswith("Cannot open: ")
    assert "odd.posenc" in said
    assert "\n" not in said
    assert len(said) < 300
    assert window.store.document == Document()
    assert changed(before, pictures(window)) == set()
    assert (window.windowTitle(), window.isWindowModified()) == (title, False)


@pytest.mark.parametrize("name", ["odd.posenc", "odd.npy", "config.json"])
def test_a_file_of_a_deleted_current_folder_is_refused_in_a_sentence(window, answers, tmp_path, monkeypatch, name):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    answers.expect(press("Ok"))
    window.open_file(name)
    (said,) = answers.seen
    assert said.startswith("Cannot open: ")
    assert name in said


@pytest.mark.parametrize("where", ["window", "sentence", "panel"])
def test_a_session_dropped_anywhere_is_opened(window, tmp_path, where):
    path = tmp_path / "dropped.posenc"
    save_session(OTHER, path)
    target = {
        "window": window,
        "sentence": sentence_edit(window).viewport(),
        "panel": window.panels["waves"].view.viewport(),
    }[where]
    assert drop(window, QUrl.fromLocalFile(str(path)), target=target)
    assert window.store.document == OTHER
    assert window.windowTitle().startswith("dropped.posenc")


@pytest.mark.parametrize("name", ["heatmap.png", "film.apng"])
def test_a_dropped_picture_restores_its_settings_but_is_not_overwritten(window, settings, tmp_path, name):
    path = tmp_path / name
    write_picture("heatmap", OTHER, path, "png", PictureOptions(scale=1))
    assert drop(window, QUrl.fromLocalFile(str(path)))
    assert window.store.document == OTHER
    assert window.files.path is None
    assert str(path) not in settings.now.recent_files
    assert window.windowTitle() == "Untitled[*] — PosEnc"


def test_dropped_data_without_a_file_is_ignored(window):
    assert not drop(window, QUrl("https://example.org/heatmap.png"))
    assert not drop(window)
    assert window.store.document == Document()


@pytest.mark.one_of(3)
@pytest.mark.parametrize("name", ["waves", "heatmap", "tokens"])
def test_the_panel_used_last_is_copied_as_a_picture(window, qapp, name):
    panel = window.panels[name]
    panel.setFocus(Qt.FocusReason.MouseFocusReason)
    QTest.keyClick(panel, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    image = qapp.clipboard().image()
    assert image.width() >= panel.view.width()
    copied, shown = as_array(image), pixels_of(panel.view)
    colours = {tuple(pixel) for pixel in copied.reshape(-1, 3)[::7]}
    assert len(colours & {tuple(pixel) for pixel in shown.reshape(-1, 3)[::7]}) > 5
    assert window.statusBar().currentMessage().startswith("Copied ")


def test_a_copied_picture_in_a_file_restores_its_settings(window, qapp, tmp_path):
    window.store.replace(OTHER, "other")
    act(window, "copy_picture")
    path = tmp_path / "pasted.png"
    path.write_bytes(qapp.clipboard().mimeData().data("image/png").data())
    assert open_session(path) == OTHER


def test_files_beside_the_first_are_named_as_not_opened(window, tmp_path):
    session, numbers = tmp_path / "a.posenc", tmp_path / "b.csv"
    session.write_text(Document(encoding=Rotary(16)).to_json())
    numbers.write_text("1,2\n3,4\n")
    assert drop(window, *(QUrl.fromLocalFile(str(path)) for path in (session, numbers)))
    assert window.store.document.encoding == Rotary(16)
    said = "Only a.posenc was opened: several files open together if all are sessions"
    assert window.statusBar().currentMessage() == said


def test_a_dropped_file_is_never_moved(window, tmp_path):
    """Shift proposes a move, after which the program that offers the file may delete it."""
    save_session(OTHER, tmp_path / "mine.posenc")
    content = QMimeData()
    content.setUrls([QUrl.fromLocalFile(str(tmp_path / "mine.posenc"))])
    actions, shift = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction, Qt.KeyboardModifier.ShiftModifier
    for kind, place in ((QDragEnterEvent, QPoint(400, 300)), (QDropEvent, QPointF(400, 300))):
        event = kind(place, actions, content, Qt.MouseButton.LeftButton, shift)
        QApplication.sendEvent(window, event)
        assert (event.isAccepted(), event.dropAction()) == (True, Qt.DropAction.CopyAction)
    assert window.store.document == OTHER
