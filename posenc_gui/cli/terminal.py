"""Name of the running command, and printing; only the standard library is imported here."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

PRINTED, UNPRINTED = 0, 2
"""Exit status of a command that only prints."""


def command() -> str:
    """The command that starts this program: ``posenc``, or from a checkout ``python main.py``."""
    return "python main.py" if os.path.basename(sys.argv[0]) == "main.py" else "posenc"  # noqa: PTH119


def say(stream: TextIO | None, text: str) -> None:
    """Write the text to the stream, with escapes for characters that its encoding lacks.

    OSError if the stream is closed or full; later output to it is lost without another error.
    """
    if stream is None:  # a program without a console
        return
    encoding = stream.encoding or "utf-8"
    try:
        data = text.encode(encoding, "surrogateescape")  # keeps the bytes of a path
    except UnicodeEncodeError:
        data = text.encode(encoding, "backslashreplace")
    try:
        stream.flush()
        stream.buffer.write(data)
        stream.buffer.flush()
    except OSError:
        # Otherwise Python would fail again to flush the buffer when it exits, with another message.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        raise


def complain(line: str) -> None:
    """Write a line to standard error; a closed or full standard error is ignored."""
    with suppress(OSError):
        say(sys.stderr, f"{line}\n")


def print_or_complain(text: str, what: str) -> int:
    """The exit status after printing the text, or a sentence that ``what`` cannot be printed."""
    try:
        say(sys.stdout, text)
    except OSError as error:
        complain(f"{what} cannot be printed: {error.strerror}")
        return UNPRINTED
    return PRINTED
