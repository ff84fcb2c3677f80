"""Every dialog of the program, opened with names that are HTML: it shows their letters, and Alt reaches its buttons."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from itertools import count as counted_from
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from dialogs import Answers, dismiss
from held_texts import held_texts, look_through, mnemonic
from hostile_names import DOCUMENT, FILE_NAME, NAME, TAGGED, session_file, table_file
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton, QDialog, QLabel
from window_bench import act, control

from posenc_gui.files.process_lock import ProcessLock
from posenc_gui.files.recovery import Left, Recovery
from posenc_gui.look.message_boxes import ProgressDialog
from posenc_gui.panels import PANELS
from posenc_gui.start.error_dialog import ErrorReporter
from posenc_gui.window.sessions.autosave import Autosave
from posenc_gui.window.sessions.recovery_dialog import RecoveryOffer

Look = Callable[[QDialog], Any]


class Desk(NamedTuple):
    """A window with a session of HTML in it, a folder, and answers to dialogs."""

    window: Any
    folder: Path
    answers: Answers
    qtbot: Any


@pytest.fixture
def desk(qtbot, window, answers, tmp_path):
    window.open_file(session_file(tmp_path))
    return Desk(window, tmp_path, answers, qtbot)


def seen_and_dismissed(desk: Desk, look: Look) -> None:
    desk.answers.expect(lambda dialog: (look(dialog), dismiss(dialog)))


def choice_of_a_tensor(desk: Desk, look: Look) -> None:
    seen_and_dismissed(desk, look)
    desk.window.open_file(table_file(desk.folder))


def warning(desk: Desk, look: Look) -> None:
    path = desk.folder / f"{FILE_NAME} 2.posenc"
    path.write_text(f'{{"format": "posenc session", "version": 2, "tokens": "{TAGGED}"}}', encoding="utf-8")
    seen_and_dismissed(desk, look)
    desk.window.open_file(path)


def question_before_closing(desk: Desk, look: Look) -> None:
    desk.window.store.edit("base", 7.0)
    seen_and_dismissed(desk, look)
    desk.window.close()


def explanation(desk: Desk, look: Look) -> None:
    seen_and_dismissed(desk, look)
    act(desk.window, "explain")


def about(desk: Desk, look: Look) -> None:
    seen_and_dismissed(desk, look)
    act(desk.window, "about")


def export(desk: Desk, look: Look) -> None:
    seen_and_dismissed(desk, lambda dialog: (_fill(desk, dialog, "missing"), look(dialog)))
    act(desk.window, "export_all")


def question_before_replacing(desk: Desk, look: Look) -> None:
    def go_on(dialog: Any) -> None:
        folder = _fill(desk, dialog)
        for file in dialog.job().files():
            (folder / file.name).touch()
        QTimer.singleShot(0, dialog.accept)

    desk.answers.expect(go_on)
    seen_and_dismissed(desk, look)
    desk.answers.expect(dismiss)
    act(desk.window, "export_all")


def _fill(desk: Desk, dialog: Any, *lacking: str) -> Path:
    """A folder whose name is HTML, typed into the export dialog."""
    folder = desk.folder / FILE_NAME
    folder.mkdir()
    control(dialog, "Folder").setText(str(folder.joinpath(*lacking, *lacking)))
    if lacking:
        dialog.accept()  # refused: two levels are missing
    return folder


def progress(desk: Desk, look: Look) -> None:
    seen_and_dismissed(desk, look)
    with ProgressDialog(NAME, desk.window) as shown:
        steps = counted_from(1)
        desk.qtbot.waitUntil(lambda: shown(next(steps) / 100) is False or desk.answers.given)


def recovery(desk: Desk, look: Look) -> None:
    autosave = Autosave(desk.window.store, Recovery(desk.folder / "recovery"), desk.window)
    file = desk.folder / f"{FILE_NAME} 3.posenc"
    locks = [ProcessLock.taken(desk.folder / f"{name}.lock") for name in "ab"]
    session, now = desk.folder / "a.posenc", datetime.now()
    left = [Left(DOCUMENT, file, session=session, time=now, lock=lock) for lock in locks]
    seen_and_dismissed(desk, look)
    RecoveryOffer(left, desk.window.store, autosave, desk.window).ask()
    desk.qtbot.waitUntil(lambda: desk.answers.given)
    autosave.end()


def unexpected_error(desk: Desk, look: Look) -> None:
    error = RuntimeError(NAME)
    seen_and_dismissed(desk, look)
    ErrorReporter(desk.window, lambda: None, f"The log is {desk.folder / FILE_NAME}.").handle(RuntimeError, error)


EVERY = [
    choice_of_a_tensor,
    warning,
    question_before_closing,
    explanation,
    about,
    export,
    question_before_replacing,
    progress,
    recovery,
    unexpected_error,
]
WITHOUT_NAMES = {explanation, about}
PANELS = {PANELS[name].title for name in PANELS}
"""There are more of them than letters."""


def opened(desk: Desk, opens: Callable[[Desk, Look], None], look: Look) -> None:
    seen: list[str] = []
    opens(desk, lambda dialog: (look(dialog), seen.append(dialog.windowTitle())))
    desk.qtbot.waitUntil(lambda: desk.answers.given)
    assert len(seen) == 1


@pytest.mark.one_of(3)
@pytest.mark.parametrize("opens", EVERY)
def test_a_dialog_shows_names_letter_by_letter_and_alt_reaches_its_buttons(desk, opens, count):
    def look(dialog: QDialog) -> None:
        count("texts of dialogs full of HTML that are letters", look_through(dialog))
        if opens not in WITHOUT_NAMES:
            assert any(TAGGED in each.text for each in held_texts(dialog))
        buttons = [button.text() for button in dialog.findChildren(QAbstractButton) if button.text()]
        assert buttons
        assert [text for text in buttons if not mnemonic(text) and text not in PANELS] == []
        labels = [label.text() for label in dialog.findChildren(QLabel) if label.buddy()]
        letters = Counter(filter(None, map(mnemonic, buttons + labels)))
        assert [letter for letter, times in letters.items() if times > 1] == []
        count("buttons of dialogs with a letter of their own", len(buttons))

    opened(desk, opens, look)
