"""Files that are written whole or not at all: beside the target, flushed to disk, read back, then renamed over it."""

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import BinaryIO

from msgspec import Struct

from posenc_gui.files.errors import FileError, sentence, shown

Proof = Callable[[Path], object]
"""Reads the written file; ValueError, OSError or FileError if its content is wrong."""

_BUSY = "another program is writing it"
_UNSUPPORTED = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.ENOLCK}
"""Errors of network disks without locks or without fsync."""

_PAUSE_S = 0.005
"""Pause in seconds between two attempts, while another process is writing the file."""

_ATTEMPTS = 5
"""Attempts to create a temporary file: until the new file is locked, another process may remove it as a leftover."""


class _BusyError(ValueError):
    """Another process is writing the temporary file."""


class _Part(Struct, eq=False):
    """A temporary file that this process fills; it may not exist before it has a descriptor."""

    path: Path
    descriptor: int | None = None


_parts: set[_Part] = set()
"""The temporary files that this process fills."""


@contextmanager
def writing(path: Path, proof: Proof | None = None, patience_s: float = 0.0) -> Iterator[BinaryIO]:
    """A binary stream whose content replaces ``path`` on success.

    The content is written to a temporary file in the same folder, which is flushed to disk and read by ``proof``
    before it replaces an older file. On any error, of the body, of the proof or of the disk, the temporary file is
    removed and the older file stays as it was; an OSError becomes a FileError. A symbolic link stays one: the file
    that it points to is replaced. An existing file keeps its mode. ``patience_s`` is the longest wait in seconds for
    another program that is writing the same file; a body that reads ``path`` then finds that program's content.
    """
    try:
        target, mode = _target(path)
        part = _Part(temporary_file(target))
        stream = _stream_in_turn(part, monotonic() + patience_s)
    except (OSError, ValueError) as error:
        raise FileError(sentence("write", path, error)) from error
    temporary = part.path
    try:
        yield stream
        stream.flush()
        if mode is not None:
            with suppress(OSError):  # a disk without modes has none to keep
                temporary.chmod(mode)
        _flush_to_disk(stream.fileno())
        _prove(temporary, proof)
        _close_on_windows(stream)
        temporary.replace(target)
    except BaseException as error:
        _close_on_windows(stream)
        with suppress(OSError):  # the folder may be gone, and the file with it
            temporary.unlink()
        if isinstance(error, OSError):
            raise FileError(sentence("write", path, error)) from error
        raise
    finally:
        with suppress(OSError):  # a failed flush was reported above
            stream.close()
        _parts.discard(part)
    _flush_folder(target.parent)


def temporary_file(target: Path) -> Path:
    """The file beside the target that ``writing`` writes first; its name is the same in every process."""
    name = target.name.encode("utf-8", "surrogateescape")[:200].decode("utf-8", "ignore")
    return target.with_name(f".{name}.part")


def remove_leftover(path: Path) -> None:
    """Remove the temporary file that a killed process left beside the file, unless a running process fills it."""
    with suppress(OSError, ValueError):  # harmless: the next save of the file removes it
        _remove_unlocked(temporary_file(Path(os.path.realpath(path))), only_if_locked=True)


def discard_parts() -> None:
    """Remove the temporary files of this process, which a signal ends at once."""
    for part in list(_parts):
        with suppress(OSError, ValueError):  # the folder may be gone
            if part.descriptor is None:
                _remove_unlocked(part.path, only_if_locked=True)
            elif os.path.samestat(os.fstat(part.descriptor), part.path.lstat()):
                if sys.platform == "win32":  # where an open file cannot be removed
                    os.close(part.descriptor)
                part.path.unlink()


def make_folder(path: Path) -> None:
    """Create the last level of the folder unless it exists; FileError if that fails."""
    _make_folder(path)


def make_private_folder(path: Path) -> None:
    """Create all levels of the folder, readable for its owner alone, unless they exist; FileError if that fails."""
    _make_folder(path, mode=0o700, parents=True)


def _make_folder(path: Path, mode: int = 0o777, parents: bool = False) -> None:
    try:
        path.mkdir(mode, parents, exist_ok=True)
    except FileExistsError:
        raise FileError(f"cannot create the folder {shown(path)}: a file of that name is there") from None
    except (OSError, ValueError) as error:
        raise FileError(sentence("create", path, error)) from error


def _target(path: Path) -> tuple[Path, int | None]:
    """The file to replace, behind all symbolic links, and its mode; None if there is no such file yet."""
    target = Path(os.path.realpath(path))
    try:
        existing = target.stat().st_mode
    except FileNotFoundError:
        return target, None
    if stat.S_ISDIR(existing):
        raise IsADirectoryError(errno.EISDIR, "")
    if not stat.S_ISREG(existing):  # a rename over /dev/null would remove the device
        raise ValueError("it is a device or a pipe, not a file")
    if not os.access(target, os.W_OK):  # a rename needs only the permission of the folder
        raise ValueError("the file is write-protected")
    return target, stat.S_IMODE(existing)


def _stream_in_turn(part: _Part, until: float) -> BinaryIO:
    """A stream to the new temporary file, once no other process fills it; ValueError if one does until that time."""
    while True:
        try:
            return _new_stream(part)
        except _BusyError:
            if monotonic() >= until:
                raise
            sleep(_PAUSE_S)


def _new_stream(part: _Part) -> BinaryIO:
    """A stream to the new temporary file, locked against other processes; ValueError if another process writes it."""
    _parts.add(part)  # before the file exists: a signal can arrive between any two steps
    try:
        for _ in range(_ATTEMPTS):
            _remove_unlocked(part.path)
            with suppress(FileExistsError):  # another process was faster
                # Not the tempfile module: only the owner can read its files, while here the umask decides.
                part.descriptor = os.open(part.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
            if part.descriptor is not None:
                if _is_owned(part.descriptor, part.path):
                    return os.fdopen(part.descriptor, "wb")
                os.close(part.descriptor)
                part.descriptor = None
        raise _BusyError(_BUSY)
    except BaseException:
        if part.descriptor is not None:
            os.close(part.descriptor)
        _parts.discard(part)
        raise


def _is_owned(descriptor: int, temporary: Path) -> bool:
    """Lock the new file; False if another process took it for a leftover before it was locked."""
    _lock(descriptor, wait=True)  # until another process, if any, has removed it
    try:
        return os.path.samestat(os.fstat(descriptor), temporary.lstat())
    except FileNotFoundError:
        return False


def _remove_unlocked(temporary: Path, only_if_locked: bool = False) -> None:
    """Remove the file if it exists; ValueError while another process has its lock.

    On a disk without locks, a process may be filling the file: it then stays if ``only_if_locked``.
    """
    if sys.platform == "win32":  # where an open file cannot be removed
        temporary.unlink(missing_ok=True)
        return
    try:
        descriptor = os.open(temporary, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return
    try:
        if not _lock(descriptor) and only_if_locked:
            return
        with suppress(FileNotFoundError):  # renamed or removed before it was locked
            if os.path.samestat(os.fstat(descriptor), temporary.lstat()):
                temporary.unlink()
    finally:
        os.close(descriptor)


def _lock(descriptor: int, wait: bool = False) -> bool:
    """Lock the file until it is closed or the process ends; False on a disk without locks.

    ValueError, unless ``wait``, while another process has the lock.
    """
    from filelock import lock_descriptor  # imported with the first file that is written, after the start

    if sys.platform == "win32":  # where an open file can be neither renamed nor removed
        return True
    try:
        is_locked = lock_descriptor(descriptor, blocking=wait)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
        return False
    if not is_locked:
        raise _BusyError(_BUSY)
    return True


def _close_on_windows(stream: BinaryIO) -> None:
    """Close the stream on systems where open files cannot be renamed; elsewhere the lock lasts until the rename."""
    if sys.platform == "win32":
        with suppress(OSError):
            stream.close()


def _prove(temporary: Path, proof: Proof | None) -> None:
    if proof is not None:
        try:
            proof(temporary)
        except (ValueError, FileError) as error:
            raise OSError(errno.EIO, "the written file cannot be read again") from error


def _flush_folder(folder: Path) -> None:
    """Flush the new name to disk, if folders can be flushed."""
    if os.name == "posix":
        with suppress(OSError):  # the file is in place; only a power failure could undo the rename
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                _flush_to_disk(descriptor)
            finally:
                os.close(descriptor)


def _flush_to_disk(descriptor: int) -> None:
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
