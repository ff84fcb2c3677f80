"""View > Present: panels alone with larger text, keys of a remote control, and everything back after Escape."""

import json

import pytest
from dialogs import choose
from dialogs import press as press_button
from pixels import settle
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QToolBar
from window_bench import drop

from posenc_core import Document, Sinusoidal
from posenc_gui.files import Place, preset, save_session


def press(window, *keys):
    for key in keys:
        QTest.keyClick(QApplication.focusWidget() or window, key)
        settle()


def begin(window):
    window.menus.actions["present"].trigger()
    settle()


def around(window):
    return [window.statusBar(), *window.findChildren(QToolBar), *window.docks.values()]


def standing(window):
    """State that Escape must restore: visible parts, zooms, text size, workspace, window state, timeline."""
    shown = [each.isVisible() for each in around(window)]
    zooms = {name: window.panels[name].figure.viewport.window() for name in window.workspaces.seen}
    scale = QApplication.font().pixelSize()
    place = window.workspaces.current, window.workspaces.alone
    return shown, zooms, scale, place, window.windowState(), window.timeline_bar.isVisible()


def test_the_panels_are_alone_and_escape_brings_everything_back(window):
    window.docks["vector"].hide()
    window.panels["heatmap"].figure.area.show_window((2.0, 20.0), (1.5, 5.5))
    settle()
    before, scale = standing(window), QApplication.font().pixelSize()
    begin(window)
    assert not any(each.isVisible() for each in around(window))
    assert all(window.panels[name].isVisible() for name in ("waves", "heatmap", "tokens"))
    assert window.menuBar().height() == 0
    assert window.windowState() & Qt.WindowState.WindowFullScreen
    assert QApplication.font().pixelSize() > 1.2 * scale
    ring = QApplication.overrideCursor().pixmap().toImage()
    middle = ring.height() // 2
    painted = [ring.pixelColor(x, middle).alpha() > 0 for x in range(ring.width())]
    assert any(painted[:middle])
    assert not any(painted[middle - 4 : middle + 4]), "what is pointed at is seen through the ring"
    press(window, Qt.Key.Key_Escape)
    assert QApplication.overrideCursor() is None
    assert standing(window) == before
    assert window.menuBar().height() > 0


def test_arrows_go_through_the_workspaces_and_escape_returns(window):
    begin(window)
    seen = []
    for _ in window.workspaces.offered:
        seen.append(window.workspaces.current)
        press(window, Qt.Key.Key_Right)
    assert seen == list(window.workspaces.offered)
    assert window.workspaces.current == "vectors"
    press(window, Qt.Key.Key_Left)
    assert window.workspaces.current == seen[-1]
    press(window, Qt.Key.Key_Escape)
    assert window.workspaces.current == "vectors"


def test_space_plays_and_what_played_before_plays_again(window):
    window.store.edit("sentence", "a " * 500)  # which does not end while a slow machine looks
    begin(window)
    assert not window.timeline_bar.timeline.playing
    press(window, Qt.Key.Key_Space)
    assert window.timeline_bar.timeline.playing
    assert not window.timeline_bar.isVisible()
    press(window, Qt.Key.Key_Escape)
    assert not window.timeline_bar.timeline.playing


def test_arrows_go_through_the_steps_of_a_lesson(window):
    window.commands.story.take_first_lesson()
    lessons = window.commands.story.lessons
    settle()
    begin(window)
    assert not window.docks["lesson"].isVisible()
    assert not lessons.page.is_revealed
    press(window, Qt.Key.Key_Right)
    assert lessons.page.is_revealed
    first = lessons.page
    press(window, Qt.Key.Key_Right)
    assert not lessons.page.is_revealed
    press(window, Qt.Key.Key_Left, Qt.Key.Key_Escape)
    assert lessons.is_taking
    assert first.isVisible()


@pytest.fixture
def views(window, tmp_path):
    """Three sessions that were dropped on the window together."""
    documents = [Document(f"view {number}", encoding=Sinusoidal(8 * number)) for number in (1, 2, 3)]
    paths = [tmp_path / f"{number}.posenc" for number in (1, 2, 3)]
    for document, path in zip(documents, paths, strict=True):
        save_session(document, path)
    assert drop(window, *(QUrl.fromLocalFile(str(path)) for path in paths))
    return documents


def test_arrows_go_through_saved_views_and_escape_brings_the_own_document_back(window, views):
    window.store.edit("sentence", "my own words")
    own, steps = window.store.document, window.store.history.earlier
    before = standing(window)
    begin(window)
    seen = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_PageDown, Qt.Key.Key_Right, Qt.Key.Key_Left):
        press(window, key)
        seen.append(window.store.document)
    assert seen == [views[1], views[2], views[0], views[2]]
    press(window, Qt.Key.Key_Down)
    assert (window.workspaces.current, window.store.document) == ("relations", views[2])
    press(window, Qt.Key.Key_Escape)
    assert window.store.document == own
    assert window.store.history.earlier is steps
    assert (window.files.path.name, window.isWindowModified()) == ("1.posenc", True)
    assert standing(window) == before


def test_a_view_that_was_deleted_is_told_and_the_talk_goes_on(window, views, tmp_path, answers):
    (tmp_path / "2.posenc").unlink()
    begin(window)
    answers.expect(press_button("Ok"))
    press(window, Qt.Key.Key_Right)
    assert answers.given
    assert "2.posenc" in answers.seen[0]
    assert window.store.document == views[0]
    press(window, Qt.Key.Key_Right)
    assert window.store.document == views[2]
    press(window, Qt.Key.Key_Escape)
    assert window.store.document == views[0]


def test_sessions_that_are_chosen_together_are_the_views_too(window, views, tmp_path, answers):
    def choose_two(dialog):
        dialog.setDirectory(str(tmp_path))
        dialog.findChild(QLineEdit).setText('"3.posenc" "2.posenc"')
        dialog.accept()

    answers.expect(choose_two)
    window.menus.actions["open"].trigger()
    assert window.store.document == views[2]
    begin(window)
    press(window, Qt.Key.Key_Right)
    assert window.store.document == views[1]
    press(window, Qt.Key.Key_Escape)


def test_a_file_opened_alone_ends_the_list_of_views(window, views, tmp_path):
    window.open_file(str(tmp_path / "2.posenc"))
    begin(window)
    press(window, Qt.Key.Key_Right)
    assert (window.workspaces.current, window.store.document) == ("relations", views[1])
    press(window, Qt.Key.Key_Escape)


def test_a_window_that_is_closed_while_presenting_has_its_docks_at_the_next_start(window, next_start):
    shown = {name for name, dock in window.docks.items() if dock.isVisible()}
    begin(window)
    window = next_start(window)
    assert QApplication.overrideCursor() is None
    assert {name for name, dock in window.docks.items() if dock.isVisible()} == shown
    assert not window.windowState() & Qt.WindowState.WindowFullScreen


@pytest.fixture
def slides(window, tmp_path, answers):
    """Two sessions, each saved from the window with what it showed: one panel alone, then a workspace."""
    paths = [tmp_path / "one.posenc", tmp_path / "two.posenc"]

    def save(path):
        answers.expect(choose(path))
        window.menus.actions["save_as"].trigger()

    window.workspaces.choose("relations")
    window.workspaces.show_alone(("similarity",))
    save(paths[0])
    window.workspaces.choose("rotation")
    save(paths[1])
    window.workspaces.choose("vectors")
    return paths


def test_each_saved_view_is_shown_with_the_panels_with_which_it_was_saved(window, slides):
    assert drop(window, *(QUrl.fromLocalFile(str(path)) for path in slides))
    assert window.workspaces.place() == Place("relations", ("similarity",))
    before = standing(window)
    begin(window)
    seen = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        press(window, key)
        seen.append(window.workspaces.place())
    assert seen == [Place("rotation"), Place("relations", ("similarity",)), Place("rotation")]
    press(window, Qt.Key.Key_Escape)
    assert standing(window) == before


def test_the_panels_stay_alone_where_a_view_has_a_model(window, tmp_path):
    paths = [tmp_path / "words.posenc", tmp_path / "model.posenc"]
    for path, document in zip(paths, (Document("a b"), preset("llama-3.1-8b")), strict=True):
        save_session(document, path)
    assert drop(window, *(QUrl.fromLocalFile(str(path)) for path in paths))
    before = standing(window)
    begin(window)
    press(window, Qt.Key.Key_Right)
    assert window.store.document.model is not None
    assert not any(each.isVisible() for each in around(window))
    press(window, Qt.Key.Key_Escape)
    assert standing(window) == before
    assert drop(window, *(QUrl.fromLocalFile(str(path)) for path in reversed(paths)))
    window.docks["model"].hide()
    before = standing(window)
    begin(window)
    press(window, Qt.Key.Key_Right, Qt.Key.Key_Escape)
    assert standing(window) == before


def test_the_panels_stay_alone_in_a_lesson_with_a_model(window):
    window.commands.story.take_first_lesson()
    lessons = window.commands.story.lessons
    lessons.take(next(each for each in lessons.lessons if each.name.endswith("find-the-fault")))
    settle()
    begin(window)
    for _ in range(6):
        press(window, Qt.Key.Key_Right)
        assert not any(each.isVisible() for each in around(window))
    press(window, Qt.Key.Key_Escape)


def test_a_workspace_and_panels_that_are_unknown_here_change_nothing(window, slides):
    stored = json.loads(slides[0].read_text("utf-8"))
    for place, shown in (
        ({"workspace": "of a later version", "alone": ["waves"]}, Place("vectors")),
        ({"workspace": "relations", "alone": ["of a later version", "pairs"]}, Place("relations", ("pairs",))),
        ({}, Place("relations", ("pairs",))),
    ):
        slides[0].write_text(json.dumps(stored | {"place": place}), "utf-8")
        window.open_file(str(slides[0]))
        assert window.workspaces.place() == shown


def test_a_lesson_that_is_presented_keeps_its_covers_until_the_answer_is_shown(window):
    window.commands.story.take_first_lesson()
    lessons, heatmap = window.commands.story.lessons, window.panels["heatmap"]
    settle()

    def covers():
        return [each.isVisible() for each in heatmap.findChildren(QLabel) if each.text() == "Shown with the answer"]

    begin(window)
    assert covers() == [True]
    press(window, Qt.Key.Key_Right)
    assert covers() == [False]
    press(window, Qt.Key.Key_Left, Qt.Key.Key_Escape)
    own = window.store.guest.own
    lessons.restart()
    assert covers() == [True]
    window.commands.story.lessons._go_home()
    assert window.store.document == own
