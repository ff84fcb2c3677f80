"""The unsaved document, kept for the next start in case the program crashes.

Each process has two files in one folder, named by its number and a token: ``.posenc`` is the document as an ordinary
session; ``.lock`` is locked while the process lives.
"""

import logging
import os
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import msgspec
from PySide6.QtCore import QLockFile, QStandardPaths

from posenc_core import Document
from posenc_core.fields import decode_json
from posenc_core.session import MAXIMUM_BYTES
from posenc_core.tables import open_table
from posenc_gui.files.atomic import make_private_folder, remove_leftover, writing
from posenc_gui.files.errors import FileError, sentence

_SESSION, _LOCK = ".posenc", ".lock"
_TOKEN = os.urandom(4).hex()
"""Distinguishes this process from earlier ones of the same number."""

_ABOUT = "recovery"
"""The key of ``_About`` in a kept session; for a reader of sessions it is an unknown field."""

_log = logging.getLogger(__name__)


class _About(msgspec.Struct):
    """The file that a kept session belongs to, and the path and tensor of each of its tables.

    These paths are opened, unlike those in a session of unknown origin: only the user can write to the folder.
    """

    file: str | None = None
    tables: list[tuple[str, str]] = []


def state_folder() -> Path:
    """The folder of the log and of what can be recovered."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation))


@dataclass
class Left:
    """The document that a dead process left. Its lock is held, so that no other window offers it too."""

    session: Path
    document: Document
    file: Path | None
    time: datetime
    _lock: QLockFile = field(repr=False)

    def discard(self) -> None:
        """Delete the document."""
        self.session.unlink(missing_ok=True)
        self._lock.unlock()

    def release(self) -> None:
        """Keep the document for the next start."""
        self._lock.unlock()


class Recovery:
    """The recovery files of this process, and those that dead processes left."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._name = f"{os.getpid()}-{_TOKEN}"
        self._lock: QLockFile | None = None
        self.problems: list[str] = []
        """A sentence for each document that was left and cannot be opened."""

    def begin(self) -> None:
        """Create the folder and take the lock; FileError with one sentence if that fails."""
        make_private_folder(self._folder)
        path = self._own(_LOCK)
        if self._lock is None or not path.exists():
            if self._lock is not None:
                self._lock.unlock()  # before the new lock, whose file it would remove
            self._lock = _locked(path)
            if self._lock is None:
                raise FileError(f"cannot keep unsaved work in {self._folder}: no file can be created there")

    def write(self, document: Document, file: Path | None) -> None:
        """Write the document; FileError with one sentence if that fails, and the one written before stays."""
        self.begin()  # the folder may have been removed
        origins = [table.origin for table in document.tables if table.origin is not None]
        tables = [(str(origin.path.absolute()), origin.tensor) for origin in origins]
        about = {"file": None if file is None else str(file), "tables": tables}
        data = msgspec.json.encode({**document.to_dict(), _ABOUT: about}, enc_hook=str)
        with writing(self._own(_SESSION)) as stream:
            stream.write(data)

    def clear(self) -> None:
        """Remove the document, because it is saved."""
        try:
            self._own(_SESSION).unlink(missing_ok=True)
        except OSError as error:
            raise FileError(sentence("remove", self._own(_SESSION), error)) from error

    def end(self) -> None:
        """Remove the files of this process, which ends normally."""
        _remove(self._own(_SESSION))
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def leave(self, document: Document, file: Path | None) -> None:
        """Write the document and release it to the next start; FileError with one sentence if that fails."""
        self.write(document, file)
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def left(self) -> list[Left]:
        """The documents that dead processes left, the newest first; their other files are removed."""
        found = [left for name in sorted(self._other_names()) if (left := self._claim(name)) is not None]
        return sorted(found, key=lambda left: left.time, reverse=True)

    def _own(self, suffix: str) -> Path:
        return self._folder / f"{self._name}{suffix}"

    def _other_names(self) -> set[str]:
        """The names of other processes, alive or dead, that have files in the folder."""
        try:
            paths = list(self._folder.iterdir())
        except OSError:
            return set()  # the folder does not exist yet
        names = {path.name.partition(".")[0] for path in paths if not path.name.startswith(".")}
        return {name for name in names if name.partition("-")[0].isdecimal() and name != self._name}

    def _claim(self, name: str) -> Left | None:
        """The document that the process of that name left; None if the process lives or left none."""
        lock = _locked(self._folder / f"{name}{_LOCK}")
        if lock is None:
            return None
        session = self._folder / f"{name}{_SESSION}"
        remove_leftover(session)
        for suffix in (".files", f"{_LOCK}.rmlock"):  # of version 0.1, and of Qt
            _remove(self._folder / f"{name}{suffix}")
        try:
            return _read(session, lock)
        except FileError as error:
            self.problems.append(str(error))
            _log.warning("%s", error)
        except FileNotFoundError:
            _log.info("the process %s left no document", name)
        lock.unlock()
        return None


def _locked(path: Path) -> QLockFile | None:
    """The lock; None if a living process holds it or it cannot be created."""
    lock = QLockFile(str(path))
    lock.setStaleLockTime(0)  # the lock holds while its process lives
    return lock if lock.tryLock(0) else None


def _read(session: Path, lock: QLockFile) -> Left:
    """The document in the file; FileNotFoundError without one, FileError if it cannot be opened.

    A document that cannot be opened is kept under another name.
    """
    try:
        with session.open("rb") as stream:
            data, time = stream.read(MAXIMUM_BYTES + 1), datetime.fromtimestamp(session.stat().st_mtime)
        return Left(session, *_split(data), time, lock)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise FileError(sentence("open", session, error)) from error
    except ValueError as error:  # its table's file is missing, or the content was edited
        aside = session.with_name(f"unreadable-{session.name}")
        session.replace(aside)
        raise FileError(f"unsaved work cannot be restored, and is kept as {aside}: {error}") from error


def _split(data: bytes) -> tuple[Document, Path | None]:
    values = decode_json(data, "it")
    about = msgspec.convert(values.pop(_ABOUT, {}), _About)
    tables = [open_table(path, tensor or None) for path, tensor in about.tables]
    document = Document.from_json(msgspec.json.encode(values), tables)
    file = None if about.file is None else Path(about.file)
    if file is not None:
        remove_leftover(file)
    return document, file


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        _log.warning("%s", sentence("remove", path, error))
