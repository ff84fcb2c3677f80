"""Chromium without a window, driven by the DevTools protocol over a pipe."""

import json
import os
import shutil
import subprocess
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self

_TROUBLE = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
_KEY_CODES = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35, "Escape": 27}


class Browser:
    """Context manager. A tab of Debian's chromium; ``events`` are all messages of the tab."""

    def __init__(self, profile: Path) -> None:
        program = shutil.which("chromium")
        assert program is not None, "the tests of pages need Debian's package chromium"
        taken, self._orders = os.pipe()
        answers, told = os.pipe()
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run"]
        command = [program, *flags, f"--user-data-dir={profile}", "--window-size=1440,900", "about:blank"]
        joined = f'exec "$@" 3<&{taken} 4>&{told}'
        self._process = subprocess.Popen(
            ["bash", "-c", joined, "bash", *command], pass_fds=(taken, told), stderr=subprocess.DEVNULL
        )
        os.close(taken)
        os.close(told)
        self._stream = os.fdopen(answers, "rb")
        self._numbers, self._session, self._rest = count(1), "", b""
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=1440, height=1800, deviceScaleFactor=1, mobile=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session = ""
        self.call("Browser.close")
        self._process.wait()
        os.close(self._orders)
        self._stream.close()

    def call(self, method: str, **parameters: Any) -> Any:
        """The result of a method of the protocol."""
        number = next(self._numbers)
        order = {"id": number, "method": method, "params": parameters}
        if self._session:
            order["sessionId"] = self._session
        os.write(self._orders, json.dumps(order).encode() + b"\0")
        while True:
            message = self._next()
            if message.get("id") == number:
                assert "error" not in message, f"{method}: {message}"
                return message["result"]
            self.events.append(message)

    def open(self, path: Path) -> None:
        """Open a file and wait until it has been drawn."""
        self.call("Page.navigate", url=path.as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())
        self.drawn()

    def drawn(self) -> None:
        """Wait for the next picture."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def text(self, element: str) -> str:
        """The text of the element with this id."""
        return str(self.run(f"document.getElementById({element!r}).textContent"))

    def press(self, key: str) -> None:
        """Press and release a key."""
        code = {"windowsVirtualKeyCode": _KEY_CODES[key]} if key in _KEY_CODES else {"text": "\r"}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, **code)

    def point(self, x: float, y: float, click: bool = False) -> None:
        """Move the mouse to a place, and click there."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased") if click else ():
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def show_theme(self, name: str) -> None:
        """Let the reader's system be light or dark."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])
        self.drawn()

    @property
    def trouble(self) -> list[dict[str, Any]]:
        """Messages and errors in the console."""
        return [event for event in self.events if event.get("method") in _TROUBLE]

    @property
    def requests(self) -> list[str]:
        """The addresses that were asked for."""
        told = [event for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in told]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._stream.fileno(), 1 << 16)
            assert part, "the browser has ended"
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found
