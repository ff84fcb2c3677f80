"""The unsaved document, stored for the next start in case the program crashes.

Each process has two files in one folder, named by its number and a random text: ``.posenc`` is the document as an
ordinary session; ``.lock`` is locked while the process lives.
"""

import json
import logging
import os
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec.structs import asdict
from PySide6.QtCore import QStandardPaths

from posenc_core import Document
from posenc_core.fields import MissingEncodingError, decode_json, open_regular
from posenc_core.tables import open_table
from posenc_core.text import MODEL_TOKENS, open_tokenizer
from posenc_gui.files.atomic import make_private_folder, remove_leftover, writing
from posenc_gui.files.errors import FileError, sentence, shown
from posenc_gui.files.process_lock import ProcessLock

MOST_LEFT = 16
"""Largest number of documents read at a start, the newest first; the rest wait for the next start."""

MAXIMUM_BYTES = 16 * 2**20
"""Largest size of a stored session, and of all files at a start: the longest sentence has 2.4 MB, lists 3 MB."""

_SESSION, _LOCK = ".posenc", ".lock"
_SUFFIXES = (_SESSION, _LOCK, ".files", ".rmlock")  # the last two are of version 0.1 and of Qt

_TOKEN = os.urandom(4).hex()
"""Distinguishes this process from earlier ones of the same number."""

_ABOUT = "recovery"
"""The key of ``_About`` in a kept session; for a reader of sessions it is an unknown field."""

_log = logging.getLogger(__name__)


class _About(msgspec.Struct):
    """The file of a stored session with its digest, and the paths of its tables and tokenizer.

    ``lesson`` is the stored session of a lesson that was shown in its place; ``guest``: the session is itself a
    lesson's. Unlike paths in a session of unknown origin, these are opened: only the user can write to the folder.
    """

    file: str | None = None
    digest: str = ""
    tables: Annotated[list[tuple[str, str]], msgspec.Meta(max_length=4)] = []
    tokenizer: str | None = None
    lesson: dict[str, Any] | None = None
    guest: bool = False


def state_folder() -> Path:
    """The folder of the log and of recovery files."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation))


class Unsaved(msgspec.Struct, frozen=True):
    """An unsaved document, and its file.

    ``digest`` is that of the file as last read or written by the process, empty if unknown. ``lesson`` is the document
    of a lesson that is shown in its place, or None. ``guest``: the document is itself a lesson's.
    """

    document: Document
    file: Path | None = None
    digest: str = ""
    lesson: Document | None = None
    guest: bool = False


class Left(Unsaved, frozen=True, kw_only=True):
    """The work of a process that ended without saving. Its lock is kept, so that no other window offers it too."""

    session: Path
    time: datetime
    lock: ProcessLock

    def discard(self) -> None:
        """Delete the document."""
        _remove(self.session)
        self.lock.unlock()

    def release(self) -> None:
        """Keep the document for the next start."""
        self.lock.unlock()


class Recovery:
    """The recovery files of this process, and those of ended processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._name = f"{os.getpid()}-{_TOKEN}"
        self._lock: ProcessLock | None = None
        self.problems: list[str] = []
        """A sentence for each stored document that cannot be opened."""

    def begin(self) -> None:
        """Create the folder and take the lock; FileError with one sentence if that fails."""
        make_private_folder(self._folder)
        path = self._own(_LOCK)
        if self._lock is None or not path.exists():
            if self._lock is not None:
                self._lock.unlock()  # before the new lock, whose file this would remove
            try:
                self._lock = ProcessLock.own(path)
            except (OSError, ValueError) as error:
                raise FileError(sentence("write", path, error)) from error

    def write(self, work: Unsaved) -> None:
        """Write the document; FileError with one sentence if that fails, and the document written before stays."""
        self.begin()  # the folder may have been removed
        text = json.dumps(_kept(work), allow_nan=False)
        with writing(self._own(_SESSION)) as stream:
            stream.write(text.encode("ascii"))

    def clear(self) -> None:
        """Remove the document, because it is saved."""
        try:
            _unlink(self._own(_SESSION))
        except OSError as error:
            raise FileError(sentence("remove", self._own(_SESSION), error)) from error

    def end(self) -> None:
        """Remove the files of this process, which ends normally."""
        _remove(self._own(_SESSION))
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def leave(self, work: Unsaved) -> None:
        """Write the document as ``write`` does and release it to the next start; FileError if that fails."""
        self.write(work)
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def left(self) -> list[Left]:
        """The documents of ended processes, the newest first; of very many, some wait for a later start."""
        found = [left for name in self._chosen() if (left := self._claim(name)) is not None]
        return sorted(found, key=lambda left: left.time, reverse=True)

    def _chosen(self) -> list[str]:
        """The names of other processes to look at now: all without a document, and the newest with one."""
        chosen, changed, sizes = list[str](), dict[str, float](), dict[str, int]()
        for name in self._other_names():
            try:
                status = (self._folder / f"{name}{_SESSION}").stat()
            except OSError:  # none, or a link that leads nowhere
                chosen.append(name)
            else:
                changed[name], sizes[name] = status.st_mtime, status.st_size
        n_bytes = 0
        for name in sorted(changed, key=lambda name: changed[name], reverse=True)[:MOST_LEFT]:
            n_bytes += sizes[name] if sizes[name] <= MAXIMUM_BYTES else 0  # larger files are refused unread
            if n_bytes <= MAXIMUM_BYTES:
                chosen.append(name)
        return chosen

    def _own(self, suffix: str) -> Path:
        return self._folder / f"{self._name}{suffix}"

    def _other_names(self) -> set[str]:
        """The names of other processes, alive or dead, that have files in the folder."""
        try:
            paths = list(self._folder.iterdir())
        except OSError:
            return set()  # the folder does not exist yet
        names = {path.name.partition(".")[0] for path in paths if path.suffix in _SUFFIXES}
        return {name for name in names if name.partition("-")[0].isdecimal() and name != self._name}

    def _claim(self, name: str) -> Left | None:
        """The document of the process of that name; None if the process is running or has none."""
        session, path = self._folder / f"{name}{_SESSION}", self._folder / f"{name}{_LOCK}"
        try:
            lock = ProcessLock.taken(path)
        except (OSError, ValueError) as error:
            self._report(sentence("open", path, error))
            return None
        if lock is None:
            return None
        remove_leftover(session)
        for suffix in (".files", f"{_LOCK}.rmlock"):
            _remove(self._folder / f"{name}{suffix}")
        try:
            return _read(session, lock)
        except FileError as error:
            self._report(str(error))
        except FileNotFoundError:
            _log.info("the process %s left no document", name)
        lock.unlock()
        return None

    def _report(self, problem: str) -> None:
        self.problems.append(problem)
        _log.warning("%s", problem)


def _read(session: Path, lock: ProcessLock) -> Left:
    """The document in the file; FileNotFoundError without one, FileError if it cannot be opened.

    A document that cannot be opened is kept under another name, unless only the package of its encoding is missing.
    """
    try:
        with open_regular(session) as stream:
            status = os.fstat(stream.fileno())
            if status.st_size > MAXIMUM_BYTES:
                raise ValueError(f"it is larger than {MAXIMUM_BYTES // 2**20} MB")
            found = _split(stream.read(MAXIMUM_BYTES))
        when = datetime.fromtimestamp(min(max(status.st_mtime, 0.0), time.time()))  # others may be in no calendar
        return Left(**asdict(found), session=session, time=when, lock=lock)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise FileError(sentence("open", session, error)) from error
    except MissingEncodingError as error:  # a later start may have it
        raise FileError(f"unsaved work waits in {shown(session)}: {error}") from error
    except ValueError as error:  # its table's file is missing, or the content was edited
        raise FileError(_set_aside(session, str(error))) from error
    except Exception as error:  # an error of this program would prevent every start from now on
        _log.exception("unsaved work cannot be restored")
        raise FileError(_set_aside(session, "see the log")) from error


def _set_aside(session: Path, reason: str) -> str:
    """Rename the file, so that the next start does not read it again; returns the sentence for the user."""
    aside = session.with_name(f"unreadable-{session.name}")
    try:
        session.replace(aside)
    except OSError as error:
        _log.warning("%s", sentence("rename", session, error))
        aside = session
    return f"unsaved work cannot be restored, and is kept as {shown(aside)}: {reason}"


def _kept(work: Unsaved) -> dict[str, Any]:
    """The document as a session, with the record for ``_About``."""
    document = work.document
    origins = [table.origin for table in document.tables if table.origin is not None]
    tables = [(str(origin.path.absolute()), origin.tensor) for origin in origins]
    used = document.tokenizer if document.tokens == MODEL_TOKENS else None
    tokenizer = None if used is None else str(used.path)
    about: dict[str, Any] = {"file": None if work.file is None else str(work.file), "digest": work.digest}
    about |= {"tables": tables, "tokenizer": tokenizer} | ({"guest": True} if work.guest else {})
    lesson = {} if work.lesson is None else {"lesson": _kept(Unsaved(work.lesson))}
    return {**document.to_dict(), _ABOUT: about | lesson}


def _split(data: bytes) -> Unsaved:
    """The work in the content of a file; ValueError if there is none."""
    document, about = _opened(decode_json(data, "it"))
    file = None if about.file is None else Path(about.file)
    if file is not None:
        remove_leftover(file)
    try:
        lesson = None if about.lesson is None else _opened(about.lesson)[0]
    except (OSError, ValueError) as error:  # the user's document is restored without it
        _log.warning("the document of a lesson cannot be restored: %s", error)
        lesson = None
    return Unsaved(document, file, about.digest, lesson, about.guest)


def _opened(values: dict[str, Any]) -> tuple[Document, _About]:
    """A stored document, and its record; ValueError or OSError with a reason if it cannot be opened."""
    try:
        about = msgspec.convert(values.pop(_ABOUT, {}), _About)
    except ValueError:  # also for a name that is not text
        raise ValueError("its record of the file is damaged") from None
    tables = [open_table(path, tensor or None) for path, tensor in about.tables]
    tokenizers = [] if about.tokenizer is None else [open_tokenizer(about.tokenizer)]
    return Document.from_json(json.dumps(values), tables, tokenizers), about


def _remove(path: Path) -> None:
    try:
        _unlink(path)
    except OSError as error:
        _log.warning("%s", sentence("remove", path, error))


def _unlink(path: Path) -> None:
    """Remove the file if it exists; a file in place of the folder has none."""
    with suppress(FileNotFoundError, NotADirectoryError):
        path.unlink()
