"""Which command the entry point starts, and which machines it refuses with or without a display."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from posenc_gui.start import environment, launch

pytestmark = pytest.mark.usefixtures("handlers")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """Calls of the window and of the export command, both replaced by functions that only record."""
    received: list[tuple[str, list[str]]] = []

    def stand_in(module: str, function: str, status: int) -> None:
        def call(arguments: list[str]) -> int:
            received.append((function, arguments))
            return status

        monkeypatch.setattr(f"{module}.{function}", call)

    stand_in("posenc_gui.cli", "export", 5)
    stand_in("posenc_gui.start.application", "run", 6)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    return received


def test_export_receives_the_rest(calls: list[tuple[str, list[str]]]) -> None:
    assert launch.main(["export", "--out", "export"]) == 5
    assert calls == [("export", ["--out", "export"])]


def test_the_window_receives_all(calls: list[tuple[str, list[str]]]) -> None:
    assert launch.main(["session.json", "export"]) == 6
    assert calls == [("run", ["session.json", "export"])]


def test_the_console_script_reads_the_arguments_of_the_process(
    calls: list[tuple[str, list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["posenc", "export", "--help"])
    assert launch.main() == 5
    assert calls == [("export", ["--help"])]


def test_a_refused_machine_starts_nothing(
    calls: list[tuple[str, list[str]]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(environment, "problem", lambda arguments, needs_display: f"Not here: {needs_display}.")
    assert launch.main([]) == launch.main(["export"]) == 2
    assert calls == []
    assert capsys.readouterr().err.splitlines() == ["Not here: True.", "Not here: False."]


def test_a_library_missing_at_import_becomes_a_sentence(
    calls: list[tuple[str, list[str]]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(arguments: list[str]) -> int:
        raise ImportError("libGL.so.1: cannot open shared object file: No such file or directory")

    monkeypatch.setattr("posenc_gui.cli.export", fail)
    assert launch.main(["export"]) == 2
    assert "libgl1" in capsys.readouterr().err


def test_an_error_of_the_program_is_not_swallowed(
    calls: list[tuple[str, list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(arguments: list[str]) -> int:
        raise ImportError("cannot import name 'export'")

    monkeypatch.setattr("posenc_gui.cli.export", fail)
    with pytest.raises(ImportError, match="cannot import name"):
        launch.main(["export"])


def test_the_entry_point_loads_nothing_heavy() -> None:
    heavy = ("numpy", "PySide6", "pyqtgraph", "ctypes", "importlib.metadata")
    program = f"import sys, posenc_gui.start.launch; print([name for name in {heavy} if name in sys.modules])"
    command = [sys.executable, "-c", program]
    answer = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"


def test_a_python_without_the_dependencies_is_told_which(refusal: Callable[..., str]) -> None:
    sentence = refusal(options=("-S", "-E"))
    assert "needs numpy, PySide6, pyqtgraph, ziamath, msgspec, regex and filelock, which" in sentence
    assert "pip install -e ." in sentence


def test_the_pair_that_crashes_is_refused_before_qt_is_touched(start: Callable[..., object], tmp_path: Path) -> None:
    (tmp_path / "PySide6_Essentials-6.12.0.dist-info").mkdir()
    process = start("export", "--help", PYTHONPATH=str(tmp_path))
    assert isinstance(process, subprocess.CompletedProcess)
    assert "Traceback" not in process.stderr
    if sys.version_info < (3, 12):
        assert process.returncode == 2
        assert process.stderr.count("\n") == 1
        assert process.stderr.startswith("PySide6 6.12 crashes on Python 3.11: ")
        assert "PySide6-Essentials>=6.10.3,<6.11" in process.stderr
    else:
        assert process.returncode == 0  # from Python 3.12 on the pair is sound


@pytest.mark.parametrize("option", ["-P", "-I"])
def test_a_checkout_starts_where_python_leaves_out_the_folder_of_the_script(option: str, tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-S", option, str(root / "main.py"), "export"]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert answer.returncode == 2, answer.stderr
    assert answer.stderr.startswith("PosEnc needs numpy, "), "it is imported, and says what this Python lacks"
