"""What the program remembers from one start to the next: layout, theme and recent files, never the document."""

import json
import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from posenc_core.fields import decode_json, one_line, regular_descriptor
from posenc_gui.files.errors import sentence, shown

VERSION = 2
RECENT_FILES = 10

_log = logging.getLogger(__name__)

Values = dict[str, Any]


def _forget_the_layout(values: Values) -> Values:
    """Version 1 has other panels, and layouts without a checksum."""
    return {name: value for name, value in values.items() if not name.startswith("layout_")}


MIGRATIONS: Mapping[int, Callable[[Values], Values]] = {1: _forget_the_layout}
"""By version: the function that turns its values into those of the next version."""


class Settings:
    """Remembered values, stored as one line of JSON: an ini file would turn False into 'false', which is true.

    ``problem`` is a sentence if the file could not be read, otherwise empty; the file is then kept under another name.
    """

    def __init__(self, store: QSettings) -> None:
        self._store = store
        self.problem = ""
        try:
            self._values = self._stored()
        except ValueError as error:
            self._values = {}
            self._set_aside(str(error))

    @classmethod
    def of_user(cls) -> "Settings":
        """The settings of the user who runs the program."""
        folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation))
        return cls.of_file(folder / "PosEnc" / "PosEnc.ini")

    @classmethod
    def of_file(cls, path: Path) -> "Settings":
        """The settings in the file, or in a new one; a folder, device or pipe of that name is renamed.

        Qt would wait for a pipe, also for one in the place of the lock file that it has beside the file.
        """
        problem, store = "", path
        for each in (path, path.with_name(f"{path.name}.lock")):
            reason = _why_irregular(each)
            if reason:
                aside = _renamed(each, ".damaged")
                kept = f"it is kept as {shown(aside)}" if aside else "nothing is remembered while it is there"
                problem = f"The settings file {shown(each)} cannot be used ({reason}); {kept}."
                store = store if aside else each / path.name  # where Qt can read and write nothing
        settings = cls(QSettings(str(store), QSettings.Format.IniFormat))
        settings.problem = problem or settings.problem
        return settings

    @property
    def theme(self) -> str:
        """``system``, ``light`` or ``dark``."""
        theme = self._values.get("theme")
        return theme if theme in ("light", "dark") else "system"

    @theme.setter
    def theme(self, theme: str) -> None:
        self._write("theme", theme)

    @property
    def frame_time(self) -> bool:
        """Whether the status line shows the time that a picture takes."""
        return self._values.get("frame_time") is not False

    @frame_time.setter
    def frame_time(self, shown: bool) -> None:
        self._write("frame_time", shown)

    @property
    def doors(self) -> bool:
        """Whether the first questions are shown below the sentence."""
        return self._values.get("doors") is not False

    @doors.setter
    def doors(self, shown: bool) -> None:
        self._write("doors", shown)

    @property
    def text_scale(self) -> float:
        """The size of text that the user chose, as a multiple of the desktop's."""
        scale = self._values.get("text_scale")
        return float(scale) if isinstance(scale, int | float) and 0.5 <= scale <= 3 else 1.0

    @text_scale.setter
    def text_scale(self, scale: float) -> None:
        self._write("text_scale", scale)

    @property
    def lessons(self) -> Values:
        """What is known of each lesson, by its name."""
        lessons = self._values.get("lessons")
        return dict(lessons) if isinstance(lessons, dict) else {}

    @lessons.setter
    def lessons(self, lessons: Values) -> None:
        self._write("lessons", lessons)

    @property
    def recent_files(self) -> list[str]:
        """Paths of files that were opened or saved, the latest first."""
        recent = self._values.get("recent_files")
        return [path for path in recent if isinstance(path, str)] if isinstance(recent, list) else []

    def add_recent_file(self, path: Path) -> None:
        """Add the file as the first of the recent ones."""
        self._values, name = self._present(), str(path.absolute())
        self._write("recent_files", [name, *(other for other in self.recent_files if other != name)][:RECENT_FILES])

    def remove_recent_file(self, path: str) -> None:
        """Remove a file that cannot be opened."""
        self._values = self._present()
        self._write("recent_files", [other for other in self.recent_files if other != path])

    def folder(self, purpose: str) -> Path:
        """The folder last used for a purpose, by default the user's home."""
        folder = self._values.get(f"folder_{purpose}")
        if isinstance(folder, str) and _is_folder(folder):
            return Path(folder)
        try:
            return Path.home()
        except RuntimeError:  # a user without a home, as in some containers
            return Path.cwd()

    def set_folder(self, purpose: str, folder: Path) -> None:
        """Remember the folder used for a purpose."""
        self._write(f"folder_{purpose}", str(folder.absolute()))

    def bytes(self, name: str) -> QByteArray:
        """A remembered layout in Qt's format; empty if it is missing or damaged.

        Qt hangs or crashes on a damaged layout, so that its checksum is verified first.
        """
        value = self._values.get(name)
        digest, _, encoded = value.partition(" ") if isinstance(value, str) and value.isascii() else ("", "", "")
        return QByteArray.fromBase64(encoded.encode()) if encoded and digest == _digest(encoded) else QByteArray()

    def set_bytes(self, name: str, value: QByteArray) -> None:
        """Remember a layout in Qt's format."""
        encoded = bytes(value.toBase64().data()).decode()
        self._write(name, f"{_digest(encoded)} {encoded}")

    def forget_layout(self, kept: tuple[str, ...] = ()) -> None:
        """Remove the remembered layout, but not what begins with one of ``kept``."""
        values = self._present().items()
        self._save({name: value for name, value in values if not name.startswith("layout_") or name.startswith(kept)})

    def forget_everything(self) -> None:
        """Remove all values; the file is kept as ``.old``."""
        self._move_aside(".old")
        self._values = {}
        self._save({})

    def _write(self, name: str, value: object) -> None:
        self._save({**self._present(), name: value})

    def _present(self) -> Values:
        """The values in the file, which another window may have changed."""
        self._store.sync()
        try:
            return self._stored() or self._values
        except ValueError as error:
            _log.warning("the settings became unreadable and are replaced: %s", error)
            return self._values

    def _stored(self) -> Values:
        """The values in the file; ValueError with the reason if it is damaged or was written by a newer program."""
        if self._store.status() == QSettings.Status.FormatError:
            raise ValueError("it is not a settings file")
        path = Path(self._store.fileName())
        if not self._store.contains("state") and path.is_file() and path.stat().st_size > 0:
            raise ValueError("it holds no state")
        text = self._store.value("state", "")
        if not isinstance(text, str):
            raise ValueError("its state is not a text")
        return _read(text)

    def _save(self, values: Values) -> None:
        self._values = values
        self._store.setValue("state", json.dumps({"version": VERSION, **values}))
        self._store.sync()
        if self._store.status() == QSettings.Status.AccessError:
            _log.warning("the settings cannot be written to %s", self._store.fileName())

    def _set_aside(self, reason: str) -> None:
        aside = self._move_aside(".damaged")
        kept = f"; the file is kept as {shown(aside)}" if aside else ""
        self.problem = f"The settings could not be read ({one_line(reason)[:200]}) and were reset{kept}."

    def _move_aside(self, suffix: str) -> Path | None:
        """Rename the file and empty the store; returns the new path, None if there is no file."""
        self._store.sync()
        aside = _renamed(Path(self._store.fileName()), suffix)
        self._store.clear()
        self._store.sync()
        return aside


def _renamed(path: Path, suffix: str) -> Path | None:
    """The path after the suffix is added to it; None if there is no file or it cannot be renamed."""
    aside = path.with_name(path.name + suffix)
    try:
        path.replace(aside)
    except FileNotFoundError:
        return None
    except OSError as error:
        _log.warning("%s", sentence("rename", path, error))
        return None
    return aside


def _why_irregular(path: Path) -> str:
    """The reason if something is there that is no regular file; empty otherwise."""
    try:
        os.close(regular_descriptor(path, os.O_RDONLY))
    except OSError:  # missing or forbidden, which Qt can tell
        return ""
    except ValueError as error:
        return str(error)
    return ""


def _digest(encoded: str) -> str:
    """The checksum of a layout."""
    from hashlib import blake2b  # loads OpenSSL, which would slow down the start

    return blake2b(encoded.encode(), digest_size=8).hexdigest()


def _read(text: str) -> Values:
    """The remembered values, empty at the first start; ValueError with the reason if they cannot be used."""
    if not text:
        return {}
    values = decode_json(text, "it")
    version = values.pop("version", None)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ValueError("it has no version")
    if version > VERSION:
        raise ValueError("a newer PosEnc wrote it")
    return migrated(values, version)


def _is_folder(path: str) -> bool:
    """Whether the folder exists; False also for a damaged name that the system cannot look up."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def migrated(
    values: Values,
    version: int,
    migrations: Mapping[int, Callable[[Values], Values]] = MIGRATIONS,
    present: int = VERSION,
) -> Values:
    """The values of an earlier version as those of the present one."""
    for earlier in range(version, present):
        values = migrations[earlier](values)
    return values
