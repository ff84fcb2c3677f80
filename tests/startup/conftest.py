"""A command in this process, a process of the program on a machine of the test's choosing, and an X server
that only says hello.
"""

import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from posenc_gui.start import launch, signals

ROOT = Path(__file__).parents[2]

# DISPLAY and the dynamic loader are Linux's: elsewhere there is nothing in this file to test.
collect_ignore = [] if sys.platform.startswith("linux") else ["test_display.py"]

Start = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def handlers() -> Iterator[None]:
    """Keeps what signals do in this process."""
    before = {number: signal.getsignal(number) for number in signals.asked_to_end()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def command(
    qapp, handlers: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Start:
    """A function that runs a command of `main.py` without a window as ``start`` does, but in this process."""

    def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        capfd.readouterr()
        with monkeypatch.context() as machine:
            machine.chdir(tmp_path)
            machine.setattr(sys, "argv", [str(ROOT / "main.py"), *arguments])
            machine.setenv("QT_QPA_PLATFORM", "offscreen")
            for name, value in variables.items():
                machine.setenv(name, value)
            status = launch.main(list(arguments))
        printed, said = capfd.readouterr()
        return subprocess.CompletedProcess(arguments, status, printed, said)

    return run


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """A function that runs `main.py` with arguments and variables, with no display unless one is given."""

    def run(*arguments: str, options: tuple[str, ...] = (), **variables: str) -> subprocess.CompletedProcess[str]:
        hidden = ("DISPLAY", "WAYLAND_", "QT_", "PYTHONPATH")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
        return subprocess.run(
            [sys.executable, *options, str(ROOT / "main.py"), *arguments],
            env={**kept, **variables},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.fixture
def refusal(start: Start) -> Callable[..., str]:
    """A function that runs `main.py` like `start`, and returns the one line with which it refused."""
    return partial(_refused, start)


@pytest.fixture
def refused(command: Start) -> Callable[..., str]:
    """A function that runs a command like `command`, and returns the one line with which it refused."""
    return partial(_refused, command)


def _refused(run: Start, *arguments: str, **how: object) -> str:
    process = run(*arguments, **how)
    assert "Traceback" not in process.stderr
    assert process.returncode == 2, process.stderr
    assert process.stdout == ""
    (line,) = process.stderr.splitlines()
    return line


@pytest.fixture
def answering_display() -> Iterator[str]:
    """A value for DISPLAY at which an X server accepts connections, and then does nothing for them."""
    setup = struct.pack("<4I2H8B4x", 0, 0, 0x1FFFFF, 0, 0, 65535, 1, 0, 0, 0, 32, 32, 8, 255)
    screen = struct.pack("<5I6HI4B", 1, 2, 0, 0, 0, 640, 480, 170, 127, 1, 1, 3, 0, 0, 24, 0)
    answer = struct.pack("<BxHHH", 1, 11, 0, len(setup + screen) // 4) + setup + screen
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        try:
            while True:
                client, _ = server.accept()
                with client:
                    client.recv(64)
                    client.sendall(answer)
                    client.recv(1)  # until the client leaves
        except OSError:
            return  # the test is over

    thread = threading.Thread(target=serve)
    thread.start()
    yield f"127.0.0.1:{server.getsockname()[1] - 6000}"
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join(10)
