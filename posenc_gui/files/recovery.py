"""What is kept aside for the case that the program dies: its unsaved document, and which files it was writing.

Each process has files of its own in one folder, named by its number and a token: ``.posenc`` is the document, a
session like any other; ``.files`` lists what was being written, a line each; ``.lock`` is held while it lives.
"""

import json
import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import msgspec
from PySide6.QtCore import QLockFile, QStandardPaths

from posenc_core import Document
from posenc_core.fields import decode_json
from posenc_core.session import MAXIMUM_BYTES, read_record
from posenc_core.tables import open_table
from posenc_gui.files.atomic import (
    TOKEN,
    FileError,
    announce_to,
    backup,
    make_private_folder,
    sentence,
    temporaries,
    writing,
)

_SESSION, _FILES, _LOCK = ".posenc", ".files", ".lock"
_ABOUT = "recovery"
"""The part of a kept session that says which file it belongs to; opened by hand it is an unknown field."""

_log = logging.getLogger(__name__)


class _About(msgspec.Struct):
    """What a kept session says of itself: its own file, and the tables it shows, each a path and a tensor's name.

    These paths are followed, unlike any that a session holds: the folder belongs to the person alone.
    """

    file: str | None = None
    tables: list[tuple[str, str]] = []


def state_folder() -> Path:
    """Where the program keeps what is neither a setting nor a session: the log and what can be recovered."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation))


@dataclass
class Left:
    """The document that a dead process left; its lock is held here, so that no other window offers it too."""

    session: Path
    document: Document
    file: Path | None
    time: datetime
    _lock: QLockFile = field(repr=False)

    def discard(self) -> None:
        """Remove it for good."""
        self.session.unlink(missing_ok=True)
        self._lock.unlock()

    def release(self) -> None:
        """Leave it to the next start."""
        self._lock.unlock()


class Recovery:
    """The files of this process in the folder, and those that others left."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._name = f"{os.getpid()}-{TOKEN}"
        self._lock: QLockFile | None = None
        self._announced: set[Path] = set()
        self.problems: list[str] = []
        """A sentence for each document that was left and cannot be shown any more."""

    def begin(self) -> None:
        """Make the folder and take the lock; FileError with one sentence where that fails."""
        make_private_folder(self._folder)
        path = self._own(_LOCK)
        if self._lock is None or not path.exists():
            if self._lock is not None:
                self._lock.unlock()  # first: what it removes would be the new one's file
            self._lock = _locked(path)
            if self._lock is None:
                raise FileError(f"cannot keep unsaved work in {self._folder}: the folder takes no files")
        announce_to(self._announce)

    def write(self, document: Document, file: Path | None) -> None:
        """Keep the document; FileError with one sentence where that fails, and the one kept before stays."""
        self.begin()  # somebody may have tidied up
        origins = [table.origin for table in document.tables if table.origin is not None]
        tables = [(str(origin.path.absolute()), origin.tensor) for origin in origins]
        about = {"file": None if file is None else str(file), "tables": tables}
        data = msgspec.json.encode({**document.to_dict(), _ABOUT: about}, enc_hook=str)
        with writing(self._own(_SESSION)) as stream:
            stream.write(data)

    def clear(self) -> None:
        """Keep no document any more: it is saved."""
        try:
            self._own(_SESSION).unlink(missing_ok=True)
        except OSError as error:
            raise FileError(sentence("remove", self._own(_SESSION), error)) from error

    def end(self) -> None:
        """Leave nothing; the program has come to a good end."""
        announce_to(None)
        for suffix in (_SESSION, _FILES):
            _remove(self._own(suffix))
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def left(self) -> list[Left]:
        """The documents that dead processes left, the newest first; their other traces are removed."""
        found = [left for name in sorted(self._other_names()) if (left := self._claim(name)) is not None]
        return sorted(found, key=lambda left: left.time, reverse=True)

    def _own(self, suffix: str) -> Path:
        return self._folder / f"{self._name}{suffix}"

    def _announce(self, target: Path) -> None:
        """Take down a file before it is written: what a kill leaves beside it is cleaned up at the next start."""
        if target in self._announced:
            return
        self._announced.add(target)
        try:
            with self._own(_FILES).open("a", encoding="ascii") as stream:
                stream.write(json.dumps(str(target)) + "\n")
        except OSError as error:
            _log.warning("%s", sentence("write", self._own(_FILES), error))

    def _other_names(self) -> set[str]:
        """The names under which other processes, alive or dead, have files here."""
        try:
            paths = list(self._folder.iterdir())
        except OSError:
            return set()  # none was ever kept here
        names = {path.name.partition(".")[0] for path in paths if not path.name.startswith(".")}
        return {name for name in names if name.partition("-")[0].isdecimal() and name != self._name}

    def _claim(self, name: str) -> Left | None:
        """What the process of that name left, None where it lives or left no document."""
        lock = _locked(self._folder / f"{name}{_LOCK}")
        if lock is None:
            return None
        session = self._folder / f"{name}{_SESSION}"
        self._clean_up(name)
        try:
            return _read(session, lock)
        except FileError as error:
            self.problems.append(str(error))
            _log.warning("%s", error)
        except FileNotFoundError:
            _log.info("the process %s left no document", name)
        lock.unlock()
        return None

    def _clean_up(self, name: str) -> None:
        token = name.partition("-")[2]
        files = self._folder / f"{name}{_FILES}"
        for target in (*_listed(files), self._folder / f"{name}{_SESSION}"):
            for temporary in temporaries(target, token):
                _remove(temporary)
            _settle(target, backup(target, token))
        _remove(files)
        _remove(self._folder / f"{name}{_LOCK}.rmlock")


def _locked(path: Path) -> QLockFile | None:
    """The lock, None where a living process holds it or the folder takes none."""
    lock = QLockFile(str(path))
    lock.setStaleLockTime(0)  # it holds as long as its process lives
    return lock if lock.tryLock(0) else None


def _listed(files: Path) -> Iterator[Path]:
    """The targets that a process took down; a line that it did not finish names none."""
    try:
        lines = files.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return  # it wrote none
    for line in lines:
        try:
            name = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(name, str) and "\0" not in name:
            yield Path(name)


def _settle(target: Path, kept: Path) -> None:
    """Of a file and its backup let one stay: the file, unless the kill left none that can be read."""
    try:
        if not kept.is_file():
            return
        if _is_session(target):
            kept.unlink()
        else:
            kept.replace(target)
    except OSError as error:
        _log.warning("%s", sentence("remove", kept, error))


def _is_session(path: Path) -> bool:
    try:
        return path.is_file() and read_record(path.read_bytes()) is not None
    except (OSError, ValueError):
        return False


def _read(session: Path, lock: QLockFile) -> Left:
    """The document that was kept; FileNotFoundError for none, FileError for one that cannot be shown any more.

    That one stays, under another name.
    """
    try:
        with session.open("rb") as stream:
            data, time = stream.read(MAXIMUM_BYTES + 1), datetime.fromtimestamp(session.stat().st_mtime)
        return Left(session, *_split(data), time, lock)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise FileError(sentence("open", session, error)) from error
    except ValueError as error:  # a table's file has gone, or somebody has written here
        aside = session.with_name(f"unreadable-{session.name}")
        session.replace(aside)
        raise FileError(f"unsaved work cannot be restored, and is kept as {aside}: {error}") from error


def _split(data: bytes) -> tuple[Document, Path | None]:
    values = decode_json(data, "it")
    about = msgspec.convert(values.pop(_ABOUT, {}), _About)
    tables = [open_table(path, tensor or None) for path, tensor in about.tables]
    document = Document.from_json(msgspec.json.encode(values), tables)
    return document, None if about.file is None else Path(about.file)


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        _log.warning("%s", sentence("remove", path, error))
