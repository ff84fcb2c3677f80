"""Files of unknown origin, opened only if they are regular files: a pipe can block, a device may have no end."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO


def open_regular(path: str | Path) -> BinaryIO:
    """The file, opened for reading bytes; errors as for ``regular_descriptor``."""
    return os.fdopen(regular_descriptor(path, os.O_RDONLY), "rb")


def read_regular(path: str | Path, most: int) -> bytes:
    """The file's content; ValueError for more than ``most`` bytes, other errors as for ``regular_descriptor``."""
    with open_regular(path) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise ValueError(f"it is larger than {most // 2**20} MB")
    return data


def regular_descriptor(path: str | Path, flags: int) -> int:
    """The descriptor of the file, opened with the ``flags`` of ``os.open`` and without waiting.

    ValueError with a reason for a folder, a device or a pipe; OSError if the file cannot be opened.
    """
    with suppress(FileNotFoundError):  # a missing file may be one to create
        _check_regular(Path(path).stat().st_mode)  # opening a device or a pipe can have side effects
    # the flags exist on one kind of system each
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0), 0o666)
    try:
        _check_regular(os.fstat(descriptor).st_mode)  # another file may have taken its place
    except ValueError:
        os.close(descriptor)
        raise
    return descriptor


def _check_regular(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise ValueError("it is a folder")
    if not stat.S_ISREG(mode):
        raise ValueError("it is a device or a pipe, not a file")
