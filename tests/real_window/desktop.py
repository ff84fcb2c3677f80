"""A virtual screen with a window manager on which a test runs the program and uses it as a person would.

Nothing here sleeps for a fixed time: every wait polls what it waits for (the active window, the pixels, a
file, the process) up to a deadline, and a deadline missed tells what was on the screen.
"""

import os
import re
import select
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtGui import QImage

ROOT = Path(__file__).parents[2]
DEADLINE = 600.0
"""Seconds after which a wait has failed; generous, as it is spent only by a test that fails."""
PACKAGES = {"Xvfb": "xvfb", "openbox": "openbox", "xdotool": "xdotool", "xwininfo": "x11-utils"}


class Desktop:
    """An Xvfb screen of `size` pixels with openbox and the program; files are written to `folder`."""

    def __init__(self, folder: Path, size: tuple[int, int]) -> None:
        missing = [package for tool, package in PACKAGES.items() if shutil.which(tool) is None]
        if missing:
            raise RuntimeError(f"The real-window tests need: sudo apt install {' '.join(missing)}")
        self.folder = folder
        self.size = size
        self.program: subprocess.Popen[bytes] | None = None
        self._running: list[subprocess.Popen[bytes]] = []
        self._environment = _fresh_environment(folder)
        try:
            self._start_screen()
            self._run("openbox")
            self.until(lambda: self._ask("get_num_desktops") is not None, "a window manager")
        except BaseException:
            self.end()
            raise

    def _start_screen(self) -> None:
        reader, writer = os.pipe()
        command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "{}x{}x24".format(*self.size)]
        # Without -noreset the server starts anew when nobody is connected, and drops who is just connecting.
        self._run(*command, "-noreset", "-fbdir", str(self.folder), pass_fds=(writer,))
        os.close(writer)
        # A line with the display's number comes, in pieces, once the server is ready; nothing if it died.
        number = ""
        while not number.endswith("\n") and select.select([reader], [], [], DEADLINE)[0]:
            piece = os.read(reader, 16).decode()
            number += piece or "\n"
        os.close(reader)
        if not number.strip():
            raise RuntimeError(f"Xvfb did not start: {self._output('Xvfb')}")
        self._environment["DISPLAY"] = f":{number.strip()}"

    def _run(self, *command: str, **options: object) -> subprocess.Popen[bytes]:
        with self._log(command[0]).open("wb") as log:
            process = subprocess.Popen(
                command,
                env=self._environment,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **options,
            )
        self._running.append(process)
        return process

    def _log(self, command: str) -> Path:
        return self.folder / f"{Path(command).name}.log"

    def _output(self, command: str) -> str:
        return self._log(command).read_text(encoding="utf-8", errors="replace")

    def _ask(self, *words: str) -> str | None:
        """Output of xdotool, or None if it fails (no such window, no window manager yet)."""
        answer = subprocess.run(
            ["xdotool", *words],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=DEADLINE,
            check=False,
        )
        return answer.stdout.strip() if answer.returncode == 0 else None

    def _do(self, *words: str) -> None:
        if self._ask(*words) is None:
            raise AssertionError(f"xdotool {' '.join(words)} failed; {self._story()}")

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which programs show their windows on the screen."""
        return dict(self._environment)

    # What a person does

    def start(self, *arguments: str) -> None:
        """Start `python main.py` with these arguments, as a new user of a new machine."""
        self.program = self._run(sys.executable, str(ROOT / "main.py"), *arguments)

    def type(self, text: str) -> None:
        """Type the text into whatever has the keyboard."""
        self._do("type", "--delay", "5", "--", text)

    def key(self, chord: str) -> None:
        """Press a chord in xdotool's words, such as ctrl+shift+e."""
        self._do("key", "--", chord)

    def move(self, x: int, y: int) -> None:
        """Move the pointer to this pixel of the screen."""
        self._do("mousemove", str(x), str(y))

    def click(self, x: int, y: int) -> None:
        """Click this pixel of the screen with the first button."""
        self._do("mousemove", str(x), str(y), "click", "1")

    def close(self) -> None:
        """Close the active window by the window manager, as its close button does."""
        window = self._ask("getactivewindow") or ""

        def closed() -> bool:
            self._do("key", "alt+F4")  # lost while the window manager reads the keyboard anew
            return self._ask("getwindowname", window) is None

        self.until(closed, "an active window that closes")

    # What a person sees

    def screen(self) -> np.ndarray:
        """The screen as it is now, uint8 (height, width, 3), red first."""
        raw = (self.folder / "Xvfb_screen0").read_bytes()  # Xvfb's frame buffer, in the format of xwd
        header = struct.unpack_from(">25I", raw)
        start, (width, height), stride, colors = header[0], header[4:6], header[12], header[19]
        rows = np.frombuffer(raw, np.uint8, height * stride, start + 12 * colors).reshape(height, stride)
        return rows[:, : 4 * width].reshape(height, width, 4)[:, :, 2::-1]

    def pixel(self, x: int, y: int) -> tuple[int, int, int]:
        """The (red, green, blue) of one pixel of the screen, 0 to 255."""
        red, green, blue = self.screen()[y, x]
        return int(red), int(green), int(blue)

    def screenshot(self, name: str = "screen") -> Path:
        """The path of a PNG of the screen as it is now."""
        path = self.folder / f"{name}.png"
        pixels = np.ascontiguousarray(self.screen())
        height, width, _ = pixels.shape
        QImage(pixels.data, width, height, 3 * width, QImage.Format.Format_RGB888).save(str(path))
        return path

    def frame(self, window: str) -> tuple[int, int, int, int]:
        """The (left, top, width, height) of a window with its frame, in pixels of the screen."""
        command = ["xwininfo", "-frame", "-id", window]  # xdotool counts the frame twice
        told = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=True).stdout
        names = ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
        left, top, width, height = (int(re.search(rf"{name}: +(-?\d+)", told)[1]) for name in names)
        return left, top, width, height

    # What a test waits for

    def until(self, condition: Callable[[], bool], what: str) -> None:
        """Return once the condition holds; AssertionError with what the screen shows when it never does."""
        deadline = time.monotonic() + DEADLINE
        while not condition():
            ended = [process.args[0] for process in self._running if process.poll() is not None]
            if ended:
                assert condition(), f"{ended} ended before there was {what}; {self._story()}"
                return
            assert time.monotonic() < deadline, f"There never was {what}; {self._story()}"
            time.sleep(0.05)

    def wait_for_window(self, title_part: str) -> str:
        """The id of the window with this in its title, once it has the keyboard and is painted."""

        def active() -> bool:
            return title_part in (self._ask("getactivewindow", "getwindowname") or "")

        self.until(active, f"an active window with “{title_part}” in its title")
        window = self._ask("getactivewindow") or ""
        left, top, width, height = self.frame(window)
        shown: list[np.ndarray] = []

        def painted() -> bool:
            shown.append(self.screen()[max(top, 0) : top + height, max(left, 0) : left + width].copy())
            colors = len(np.unique(shown[-1] @ np.array([1 << 16, 1 << 8, 1])))
            return colors > 16 and len(shown) > 1 and np.array_equal(shown[-1], shown[-2])

        self.until(painted, f"a still picture in the window “{title_part}”")
        return window

    def wait_for_file(self, path: Path) -> Path:
        """The path, once there is a file."""
        self.until(path.is_file, f"a file {path}")
        return path

    def wait_for_end(self) -> tuple[int, str]:
        """The program's exit status and all that it printed, once it has ended."""
        assert self.program is not None
        self.until(lambda: self.program.poll() is not None, "an end of the program")
        return self.program.returncode, self._output(sys.executable)

    def _story(self) -> str:
        logs = {path.name: path.read_text(errors="replace")[-2000:] for path in self.folder.glob("*.log")}
        shown = self.screenshot("failure") if (self.folder / "Xvfb_screen0").exists() else "nothing"
        return f"the screen showed {shown}, and the processes printed {logs}"

    def end(self) -> None:
        """End what was started, the program first and the screen last."""
        for process in reversed(self._running):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)


def _fresh_environment(folder: Path) -> dict[str, str]:
    """The variables of a user who never ran the program, with nothing of the session that runs the tests."""
    foreign = ("DISPLAY", "WAYLAND_", "QT_", "XDG_", "DBUS_", "LC_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    home = folder / "home"
    home.mkdir(mode=0o700)
    own = {"HOME": home, "XDG_CONFIG_HOME": home / ".config", "XDG_CACHE_HOME": home / ".cache"}
    return {
        **kept,
        **{name: str(path) for name, path in own.items()},
        "XDG_RUNTIME_DIR": str(home),
        "LANG": "C.UTF-8",
    }
