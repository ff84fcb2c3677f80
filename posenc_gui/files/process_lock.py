"""A file that is locked as long as the process lives that locked it, however that ends.

The system ends the lock, so that neither names of machines nor numbers of processes can be mistaken. For disks without
locks the file tells which process locked it, by its number and by when it started.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

from posenc_core.fields import regular_descriptor

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_STATE, _STARTED = 0, 19
"""Places in /proc/<number>/stat after the process's name, which can hold blanks and brackets (man proc_pid_stat)."""

_ENDED = ("Z", "X")
"""States of a process whose parent has not yet asked how it ended."""


class ProcessLock:
    """The lock of this process on a file."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path, self._descriptor = path, descriptor

    @classmethod
    def taken(cls, path: Path) -> "ProcessLock | None":
        """The lock; None if a living process holds it.

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

    def unlock(self) -> None:
        """Remove the file and end the lock."""
        if sys.platform == "win32":  # where an open file cannot be removed
            os.close(self._descriptor)
        with suppress(OSError):  # it does no harm, and the next start removes it
            self._path.unlink()
        if sys.platform != "win32":
            os.close(self._descriptor)


def _lock(descriptor: int) -> bool:
    """Lock the file until it is closed; False if a living process holds the lock."""
    from filelock import lock_descriptor  # with the first lock, after the start

    try:
        return lock_descriptor(descriptor, blocking=False)
    except OSError:  # a disk without locks
        return _note(descriptor)


def _note(descriptor: int) -> bool:
    """Write into the file that this process holds it; False if it says so of another one that lives."""
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
    except (OSError, IndexError):  # no such process, or a system that does not tell
        return b""
