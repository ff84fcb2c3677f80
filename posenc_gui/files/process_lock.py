"""A file that stays locked until its process ends, in whatever way.

The system releases the lock, so that names of machines and numbers of processes cannot be confused. For disks without
locks the file names its process, by number and start time.
"""

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from posenc_core.fields import regular_descriptor

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_STATE, _STARTED = 0, 19
"""Places in /proc/<number>/stat after the process's name, which can contain blanks and brackets (man proc_pid_stat)."""

_ENDED = ("Z", "X")
"""States of a process whose parent has not yet asked how it ended."""


_TRIES, _PAUSE_SECONDS = 1000, 0.005
"""Attempts to lock an own file, for 5 s in all: far longer than another start looks at it."""


class ProcessLock:
    """The lock of this process on a file."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path, self._descriptor = path, descriptor

    @classmethod
    def taken(cls, path: Path) -> "ProcessLock | None":
        """The lock; None if a living process owns it.

        OSError or ValueError with a reason if the file can be neither opened nor created.
        """
        if path.is_symlink():
            raise ValueError("it is a link")
        descriptor = regular_descriptor(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0))
        try:
            if not _lock(descriptor) or not _is_at(path, descriptor):  # another process may have removed it
                os.close(descriptor)
                return None
        except BaseException:
            os.close(descriptor)
            raise
        return cls(path, descriptor)

    @classmethod
    def own(cls, path: Path, wait: Callable[[float], None] = time.sleep) -> "ProcessLock":
        """The lock of a file that only this process keeps.

        Another start that finds the new file before it is locked here locks and removes it, so this tries again.
        OSError or ValueError as of ``taken``, and ValueError if another process keeps the lock.
        """
        for _ in range(_TRIES):
            if (lock := cls.taken(path)) is not None:
                return lock
            wait(_PAUSE_SECONDS)
        raise ValueError("another process keeps it locked")

    def unlock(self) -> None:
        """Remove the file and end the lock."""
        if sys.platform == "win32":  # where an open file cannot be removed
            os.close(self._descriptor)
        with suppress(OSError):  # harmless: the next start removes it
            self._path.unlink()
        if sys.platform != "win32":
            os.close(self._descriptor)


def _lock(descriptor: int) -> bool:
    """Lock the file until it is closed; False if a living process owns the lock."""
    from filelock import lock_descriptor  # imported with the first lock, after the start

    try:
        return lock_descriptor(descriptor, blocking=False)
    except OSError:  # a disk without locks
        return _note(descriptor)


def _note(descriptor: int) -> bool:
    """Write this process into the file as its owner; False if another living process owns it."""
    told = os.read(descriptor, 200)
    number = told.partition(b" ")[0]
    if number.isdigit() and told == _identity(int(number)):
        return False
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, _identity(os.getpid()))
    return True


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    except FileNotFoundError:
        return False


def _identity(number: int) -> bytes:
    """The living process of that number: number, start in clock ticks, and the machine's start; else empty."""
    try:
        fields = Path(f"/proc/{number}/stat").read_bytes().rpartition(b")")[2].decode("ascii").split()
        if fields[_STATE] in _ENDED:
            return b""
        return f"{number} {fields[_STARTED]} {_BOOT.read_text('ascii').strip()}".encode("ascii")
    except (OSError, IndexError):  # no such process, or a system without this information
        return b""
