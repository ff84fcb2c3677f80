"""What the program remembers between two starts: layout, theme, recent files. Never the document itself."""

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

from posenc_core.fields import decode_json, one_line
from posenc_gui.files.atomic import sentence, shown

VERSION = 2
RECENT_FILES = 10

_log = logging.getLogger(__name__)

Values = dict[str, Any]


def _forget_the_layout(values: Values) -> Values:
    """Version 1 had other panels, and nothing by which a layout is known to be as it was written."""
    return {name: value for name, value in values.items() if not name.startswith("layout_")}


MIGRATIONS: Mapping[int, Callable[[Values], Values]] = {1: _forget_the_layout}
"""By version: what makes the next version's settings of it."""


class Settings:
    """Remembered values, kept as one line of JSON: an ini file alone would turn False into 'false', which is true.

    ``problem`` is a sentence to show where the file could not be used; it was then set aside, and nothing is lost.
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
        """The settings of the person who runs the program."""
        return cls(QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "PosEnc", "PosEnc"))

    @property
    def theme(self) -> str:
        """``system``, ``light`` or ``dark``."""
        theme = self._values.get("theme")
        return theme if theme in ("light", "dark") else "system"

    @theme.setter
    def theme(self, theme: str) -> None:
        self._write("theme", theme)

    @property
    def recent_files(self) -> list[str]:
        """Paths of files opened or saved, the newest first."""
        recent = self._values.get("recent_files")
        return [path for path in recent if isinstance(path, str)] if isinstance(recent, list) else []

    def add_recent_file(self, path: Path) -> None:
        """Put the file first among the recent ones."""
        self._values, name = self._present(), str(path.absolute())
        self._write("recent_files", [name, *(other for other in self.recent_files if other != name)][:RECENT_FILES])

    def remove_recent_file(self, path: str) -> None:
        """Forget a file that cannot be opened any more."""
        self._values = self._present()
        self._write("recent_files", [other for other in self.recent_files if other != path])

    def folder(self, purpose: str) -> Path:
        """The folder last used for a purpose, or the user's own."""
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
        """A remembered layout in Qt's own form; empty if there is none, or it is not as it was written.

        Qt reads a damaged layout without end, or ends the program: none must come to it.
        """
        value = self._values.get(name)
        digest, _, encoded = value.partition(" ") if isinstance(value, str) and value.isascii() else ("", "", "")
        return QByteArray.fromBase64(encoded.encode()) if encoded and digest == _digest(encoded) else QByteArray()

    def set_bytes(self, name: str, value: QByteArray) -> None:
        """Remember a layout."""
        encoded = bytes(value.toBase64().data()).decode()
        self._write(name, f"{_digest(encoded)} {encoded}")

    def forget_layout(self) -> None:
        """Back to the layout of the first start."""
        self._save({name: value for name, value in self._present().items() if not name.startswith("layout_")})

    def forget_everything(self) -> None:
        """Back to the first start; the file that there was stays as ``.old``."""
        self._move_aside(".old")
        self._values = {}
        self._save({})

    def _write(self, name: str, value: object) -> None:
        self._save({**self._present(), name: value})

    def _present(self) -> Values:
        """The values as they are now: another window may have written since."""
        self._store.sync()
        try:
            return self._stored() or self._values
        except ValueError as error:
            _log.warning("the settings became unreadable, and are written anew: %s", error)
            return self._values

    def _stored(self) -> Values:
        """The values in the file; ValueError with the reason where it is damaged, or from a newer program."""
        if self._store.status() == QSettings.Status.FormatError:
            raise ValueError("it is no settings file")
        path = Path(self._store.fileName())
        if not self._store.contains("state") and path.is_file() and path.stat().st_size > 0:
            raise ValueError("it holds no state")
        text = self._store.value("state", "")
        if not isinstance(text, str):
            raise ValueError("its state is no text")
        return _read(text)

    def _save(self, values: Values) -> None:
        self._values = values
        self._store.setValue("state", json.dumps({"version": VERSION, **values}))
        self._store.sync()
        if self._store.status() == QSettings.Status.AccessError:
            _log.warning("the settings cannot be written to %s", self._store.fileName())

    def _set_aside(self, reason: str) -> None:
        aside = self._move_aside(".damaged")
        kept = f"; they are kept as {shown(aside)}" if aside else ""
        self.problem = f"The settings could not be read ({one_line(reason)[:200]}), and begin anew{kept}."

    def _move_aside(self, suffix: str) -> Path | None:
        """Where the file was moved to, None where there is none; the store is empty then."""
        self._store.sync()
        path = Path(self._store.fileName())
        aside: Path | None = path.with_name(path.name + suffix)
        try:
            assert aside is not None
            path.replace(aside)
        except FileNotFoundError:
            aside = None
        except OSError as error:
            _log.warning("%s", sentence("rename", path, error))
            aside = None
        self._store.clear()
        self._store.sync()
        return aside


def _digest(encoded: str) -> str:
    """What shows that a text is as it was written."""
    from hashlib import blake2b  # loads OpenSSL, which no window needs at its start

    return blake2b(encoded.encode(), digest_size=8).hexdigest()


def _read(text: str) -> Values:
    """The remembered values, none where there are none yet; ValueError with the reason where they cannot be used."""
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
    """Whether there is such a folder; a damaged name can be too long to ask for, or hold half a character."""
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
    """The values in the present version's form."""
    for earlier in range(version, present):
        values = migrations[earlier](values)
    return values
