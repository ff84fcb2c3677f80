"""Files that are written whole or not at all: beside the target, flushed to disk, then renamed over it."""

import errno
import itertools
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from posenc_gui.files.errors import FileError, sentence, shown

TOKEN = os.urandom(4).hex()
"""In the names of this process's own files: whoever cleans up after its death knows them by it."""

Proof = Callable[[Path], object]
"""Reads the file that has just been written; ValueError, OSError or FileError where it cannot be used."""

Announce = Callable[[Path], None]
"""Is told each file before anything is written beside it."""

_number = itertools.count()
_announce: list[Announce] = []


def announce_to(listener: Announce | None) -> None:
    """Tell this listener, and no other, of every file that is going to be written."""
    _announce[:] = [] if listener is None else [listener]


@contextmanager
def replacing(path: Path, proof: Proof | None = None) -> Iterator[Path]:
    """The path of an empty file in the same folder, with the same suffix, that replaces ``path`` on success.

    On any error, of the body or of the disk, it is removed and an older file at ``path`` stays as it was; an
    OSError becomes a FileError. A symbolic link stays one: the file that it points to is replaced. An
    existing file keeps its mode. With a ``proof`` the older file stays beside the new one (``name.backup-TOKEN``
    with its suffix) until the proof has read the new one, and takes its place again where it cannot.
    """
    try:
        target, mode = _target(path)
        for announce in _announce:
            announce(target)
        temporary = _create_beside(target)
    except (OSError, ValueError) as error:
        raise FileError(sentence("write", path, error)) from error
    try:
        yield temporary
        if proof is not None and mode is not None:
            _replace_with_proof(temporary, target, mode, proof)
        else:
            _put_in_place(temporary, target, mode)
            _prove_first(target, proof)
    except OSError as error:
        raise FileError(sentence("write", path, error)) from error
    finally:
        with suppress(OSError):  # most often it has gone to its place, and is no longer there
            temporary.unlink()


@contextmanager
def writing(path: Path, proof: Proof | None = None) -> Iterator[BinaryIO]:
    """A binary stream whose content replaces ``path`` on success; errors and ``proof`` as those of ``replacing``."""
    with replacing(path, proof) as temporary, temporary.open("wb") as stream:
        yield stream


def make_folder(path: Path) -> None:
    """Make the folder's last level, unless it is there; FileError where that fails."""
    _make_folder(path)


def make_private_folder(path: Path) -> None:
    """Make all of the folder, for its owner alone, unless it is there; FileError where that fails."""
    _make_folder(path, mode=0o700, parents=True)


def _make_folder(path: Path, mode: int = 0o777, parents: bool = False) -> None:
    try:
        path.mkdir(mode, parents, exist_ok=True)
    except FileExistsError:
        raise FileError(f"cannot create the folder {shown(path)}: a file of that name is there") from None
    except (OSError, ValueError) as error:
        raise FileError(sentence("create", path, error)) from error


def _target(path: Path) -> tuple[Path, int | None]:
    """The file to replace, behind all symbolic links, and its mode if it is there already."""
    target = Path(os.path.realpath(path))
    try:
        existing = target.stat().st_mode
    except FileNotFoundError:
        return target, None
    if stat.S_ISDIR(existing):
        raise IsADirectoryError(errno.EISDIR, "")
    if not stat.S_ISREG(existing):  # renaming over /dev/null would take the device away
        raise ValueError("it is a device or a pipe, not a file")
    if not os.access(target, os.W_OK):  # a rename asks the folder alone
        raise ValueError("the file is write-protected")
    return target, stat.S_IMODE(existing)


def _create_beside(target: Path) -> Path:
    start, suffix = _temporary_parts(target, TOKEN)
    temporary = target.with_name(f"{start}{next(_number):x}{suffix}")
    # Not the tempfile module: its files are for the owner alone, and the umask is to decide.
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    return temporary


def _temporary_parts(target: Path, token: str) -> tuple[str, str]:
    """What the names of a process's temporary files for this target begin and end with."""
    return f".{target.stem[:16]}-{token}-", target.suffix if len(target.suffix) <= 8 else ""


def temporaries(target: Path, token: str) -> list[Path]:
    """The temporary files that the process of that token left beside the target."""
    start, suffix = _temporary_parts(target, token)
    try:
        return [path for path in target.parent.iterdir() if path.name.startswith(start) and path.name.endswith(suffix)]
    except OSError:  # the folder has gone, and they with it
        return []


def backup(target: Path, token: str = TOKEN) -> Path:
    """Where the process of that token keeps the older file while it replaces the target."""
    suffix = target.suffix if len(target.suffix) <= 8 else ""
    stem = target.name.removesuffix(suffix).encode("utf-8", "surrogateescape")[:200].decode("utf-8", "ignore")
    return target.with_name(f"{stem}.backup-{token}{suffix}")


def _replace_with_proof(temporary: Path, target: Path, mode: int, proof: Proof) -> None:
    kept = backup(target)
    try:
        _keep(target, kept)
        _put_in_place(temporary, target, mode)
    except BaseException:  # the target is still the older file
        kept.unlink(missing_ok=True)
        raise
    try:
        _prove(target, proof)
    except OSError:
        kept.replace(target)
        raise
    with suppress(OSError):  # a backup too many does no harm
        kept.unlink()


def _keep(target: Path, kept: Path) -> None:
    """Give the older file a second name; a copy where the disk knows no second names."""
    kept.unlink(missing_ok=True)
    try:
        os.link(target, kept)
    except OSError:
        shutil.copy2(target, kept)
        _flush_to_disk(kept, os.O_RDWR)


def _prove_first(target: Path, proof: Proof | None) -> None:
    """Prove a file that replaces no other, and take it away again where it cannot be read."""
    if proof is None:
        return
    try:
        _prove(target, proof)
    except OSError:
        target.unlink(missing_ok=True)
        raise


def _prove(target: Path, proof: Proof) -> None:
    try:
        proof(target)
    except (ValueError, FileError) as error:
        raise OSError(errno.EIO, "what was written cannot be read again") from error


def _put_in_place(temporary: Path, target: Path, mode: int | None) -> None:
    if mode is not None:
        with suppress(OSError):  # a disk without modes has none to keep
            temporary.chmod(mode)
    _flush_to_disk(temporary, os.O_RDWR)
    temporary.replace(target)
    if os.name == "posix":
        with suppress(OSError):  # the file is in place; only its name could still be lost with the power
            _flush_to_disk(target.parent, os.O_RDONLY)


def _flush_to_disk(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS):  # some network disks know no fsync
            raise
    finally:
        os.close(descriptor)
