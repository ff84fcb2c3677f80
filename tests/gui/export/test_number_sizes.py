"""A large file of numbers is announced before it is written, and never in memory as a whole."""

import tracemalloc
from pathlib import Path

import pytest
from export_bench import open_dialog, tick
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from posenc_core import BinaryCode, Document, Embedding, Rotary, Sinusoidal
from posenc_gui.cli import export_command as command_line
from posenc_gui.export import numbers
from posenc_gui.export.numbers import expected_bytes, size_sentence, write_numbers

BOOK = "Dan loves icecream and " * 200
HUGE = Document(sentence="w " * 100_000, encoding=Sinusoidal(65536), embedding=Embedding("simulated"))


@pytest.mark.parametrize("format", ["csv", "npy", "npz"])
@pytest.mark.parametrize(
    "document",
    [
        Document(BOOK, encoding=Sinusoidal(300)),
        Document(BOOK, "bytes", encoding=BinaryCode(16)),
        Document(BOOK, "characters", encoding=Rotary(64), embedding=Embedding("simulated")),
    ],
    ids=["words", "bytes", "rotated"],
)
def test_the_size_is_about_that_of_the_file(tmp_path: Path, document: Document, format: str) -> None:
    path = tmp_path / "vectors"
    for columns in (None, range(2, 7)):
        write_numbers(document, path, format, columns)
        assert expected_bytes(document, format, columns) == pytest.approx(path.stat().st_size, rel=0.1, abs=8192)


def test_a_file_that_is_not_written_has_size_zero() -> None:
    assert expected_bytes(Document(""), "csv") == 0
    assert expected_bytes(Document("a b c", encoding=BinaryCode(1)), "npy") == 0


def test_the_sentence_names_the_large_files_alone() -> None:
    assert size_sentence({"a.csv": 10**9, "b.npy": 5}) == ""
    assert size_sentence({"a.csv": 3_440_000_000, "b.npy": 5}) == "a.csv will take about 3.4 GB"
    assert size_sentence({"a.csv": 2 * 10**12, "b.npz": 10**10}) == (
        "a.csv will take about 2,000.0 GB and b.npz will take about 10.0 GB"
    )
    assert size_sentence({"v.npy": expected_bytes(HUGE, "npy")}) == "v.npy will take about 26.2 GB"


@pytest.mark.thorough
@pytest.mark.parametrize("format", ["csv", "npy", "npz"])
def test_a_table_of_gigabytes_is_begun_in_little_memory_and_cancelled_without_a_file(
    tmp_path: Path, format: str
) -> None:
    assert len(HUGE.token_list) == 100_000
    seen: list[float] = []

    def watch(done: float) -> bool:
        seen.append(done)
        return len(seen) < 20

    tracemalloc.start()
    try:
        assert not write_numbers(HUGE, tmp_path / "vectors", format, progress=watch)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(seen) == 20
    assert peak < 64 * 2**20
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("yes", [False, True])
def test_the_dialog_asks_before_it_writes_a_large_file(
    qtbot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, yes: bool
) -> None:
    monkeypatch.setattr(numbers, "LARGE", 1000)
    dialog = open_dialog(qtbot, tmp_path, "waves", document=Document("one two three", encoding=Sinusoidal(40)))
    tick(dialog, "Numbers as CSV")
    asked: list[str] = []

    def answer() -> None:
        question = QApplication.activeModalWidget()
        assert isinstance(question, QMessageBox)
        asked.append(question.text())
        wanted = "Write" if yes else "Cancel"
        next(button for button in question.buttons() if button.text().replace("&", "") == wanted).click()

    QTimer.singleShot(0, answer)
    dialog.accept()
    assert asked == ["vectors.csv will take about 0.0 GB. Write them?"]
    assert (tmp_path / "vectors.csv").exists() == yes
    assert dialog.isVisible() != yes


def test_the_command_announces_the_size_and_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(numbers, "LARGE", 1000)
    arguments = ["--d-model", "200", "--sentence", "a b c", "--format", "npy", "--out", str(tmp_path)]
    assert command_line.export(arguments) == 0
    out, err = capfd.readouterr()
    assert err == "vectors.npy will take about 0.0 GB\n"
    assert out == f"{tmp_path / 'vectors.npy'}\n"
