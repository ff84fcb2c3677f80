"""The program in its own processes: a user's folders for the start, and waiting for events."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]

_HANGS_SECONDS = 600
"""Longer than any event takes on a busy machine."""


def surroundings() -> dict[str, str]:
    """The environment of this process without its display and the user's folders."""
    hidden = ("QT_", "XDG_CONFIG", "XDG_DATA", "XDG_STATE", "XDG_RUNTIME")
    return {name: value for name, value in os.environ.items() if not name.startswith(hidden)}


class Home:
    """A user's own folders for starts of the program: of the checkout, or an installed ``program``."""

    def __init__(self, folder: Path, program: Path | None = None) -> None:
        self._program = (sys.executable, str(ROOT / "main.py")) if program is None else (str(program),)
        self.settings = folder / "config" / "PosEnc" / "settings.json"
        self.state = folder / "data" / "PosEnc" / "PosEnc"
        self._variables = {
            **surroundings(),
            "QT_QPA_PLATFORM": "offscreen",
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_DATA_HOME": str(folder / "data"),
        }

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*self._program, *arguments],
            env={**self._variables, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @property
    def locks(self) -> list[Path]:
        return list((self.state / "recovery").glob("*.lock"))


def wait_for(happened: Callable[[], object], *processes: subprocess.Popen) -> None:
    """Wait until something happened, while the processes live."""
    hangs = time.monotonic() + _HANGS_SECONDS
    while not happened():
        for process in processes:
            assert process.poll() is None, process.communicate()
        assert time.monotonic() < hangs, "it did not come"
        try:
            processes[0].wait(0.005)
        except subprocess.TimeoutExpired:
            continue


def killed(process: subprocess.Popen[str]) -> str:
    """Messages of the killed program on standard error, without Qt's message about dialogs without a display."""
    process.send_signal(signal.SIGKILL)
    said = process.communicate()[1].splitlines(keepends=True)
    return "".join(line for line in said if not line.startswith("This plugin does not support"))
