"""Files of numbers that are dropped on the window: checked, or opened as a learned table."""

import json

import numpy as np
import pytest
from check_bench import TABLE, CheckBench, one_wrong
from dialogs import dismiss, press_text
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QMessageBox
from window_bench import act, control, drop, says

from posenc_core import Document


@pytest.fixture
def dropped(window, tmp_path):
    """A function that drops a file of that name, which ``write`` makes."""

    def drop_file(name, write):
        write(tmp_path / name)
        assert drop(window, QUrl.fromLocalFile(str(tmp_path / name)))

    return drop_file


def save(path):
    np.save(path, one_wrong())


def test_a_dropped_table_asks_which_of_the_two_it_is(window, answers, dropped, qtbot):
    answers.expect(press_text("&Check against formulas"))
    dropped("mine.npy", save)
    qtbot.waitUntil(lambda: says(window, "One number is wrong: position 7, column 5"))
    assert window.store.document == Document()
    assert "mine.npy" in answers.seen[0]


def test_a_dropped_table_can_be_opened_as_a_learned_one(window, answers, dropped):
    answers.expect(press_text("&Open as a learned table"))
    dropped("mine.npy", save)
    assert window.store.document.encoding.family == "learned"
    assert not window.docks["check"].isVisible()


def test_a_dropped_table_can_be_left_alone(window, answers, dropped):
    icons = []

    def leave(box):
        icons.append(box.icon())
        dismiss(box)

    answers.expect(leave)
    dropped("mine.npy", save)
    assert icons == [QMessageBox.Icon.Question], "nothing is wrong"
    assert window.store.document == Document()
    assert not window.docks["check"].isVisible()


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("mine.csv", lambda path: np.savetxt(path, TABLE, delimiter=",", fmt="%.9g")),
        ("mine.txt", lambda path: path.write_text(f"array({TABLE.tolist()})")),
        ("mine.json", lambda path: path.write_text(json.dumps(TABLE.tolist()))),
        ("mine.npz", lambda path: np.savez(path, table=TABLE)),
    ],
)
def test_other_files_of_numbers_are_checked_at_once(window, answers, dropped, qtbot, name, write):
    dropped(name, write)
    qtbot.waitUntil(lambda: says(window, "Right. Sinusoidal, d_model 8"))
    assert says(window, f"From {name}")
    assert answers.seen == []


def test_a_new_session_begins_without_the_numbers_and_the_finding_of_the_last_one(window, dropped, qtbot):
    dropped("mine.npz", lambda path: np.savez(path, table=TABLE))
    qtbot.waitUntil(lambda: says(window, "Right. Sinusoidal, d_model 8"))
    control(window, "positions").setText("0:24")
    act(window, "new")
    assert not says(window, "Right. Sinusoidal, d_model 8")
    assert not says(window, "From mine.npz")
    assert control(window, "positions").text() == ""
    bench = CheckBench(window, qtbot)
    bench.paste(TABLE.tolist())
    bench.wait_for("Right. Sinusoidal, d_model 8")
    act(window, "new")
    assert control(window, "numbers to check").toPlainText() == ""
    assert not says(window, "Right. Sinusoidal, d_model 8")
