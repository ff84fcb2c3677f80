"""What the program remembers between two starts: layout, theme, recent files. Never the document itself."""

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

VERSION = 1
RECENT_FILES = 10


class Settings:
    """Remembered values, kept as one line of JSON: an ini file alone would turn False into 'false', which is true."""

    def __init__(self, store: QSettings) -> None:
        self._store = store
        self._values = _read(str(store.value("state", "")))

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
        name = str(path.absolute())
        self._write("recent_files", [name, *(other for other in self.recent_files if other != name)][:RECENT_FILES])

    def remove_recent_file(self, path: str) -> None:
        """Forget a file that cannot be opened any more."""
        self._write("recent_files", [other for other in self.recent_files if other != path])

    def folder(self, purpose: str) -> Path:
        """The folder last used for a purpose, or the user's own."""
        folder = self._values.get(f"folder_{purpose}")
        if isinstance(folder, str) and Path(folder).is_dir():
            return Path(folder)
        try:
            return Path.home()
        except RuntimeError:  # a user without a home, as in some containers
            return Path.cwd()

    def set_folder(self, purpose: str, folder: Path) -> None:
        """Remember the folder used for a purpose."""
        self._write(f"folder_{purpose}", str(folder.absolute()))

    def bytes(self, name: str) -> QByteArray:
        """A remembered layout in Qt's own form; empty if there is none."""
        value = self._values.get(name)
        return QByteArray.fromBase64(value.encode()) if isinstance(value, str) and value.isascii() else QByteArray()

    def set_bytes(self, name: str, value: QByteArray) -> None:
        """Remember a layout."""
        self._write(name, bytes(value.toBase64().data()).decode())

    def forget_layout(self) -> None:
        """Back to the layout of the first start."""
        for name in [name for name in self._values if name.startswith("layout_")]:
            del self._values[name]
        self._save()

    def _write(self, name: str, value: object) -> None:
        self._values[name] = value
        self._save()

    def _save(self) -> None:
        self._store.setValue("state", json.dumps({"version": VERSION, **self._values}))
        self._store.sync()


def _read(text: str) -> dict[str, Any]:
    """The remembered values; none where there are none yet, or of another version, or damaged ones."""
    try:
        values = json.loads(text) if text else {}
    except ValueError:
        return {}
    if not isinstance(values, dict) or values.pop("version", None) != VERSION:
        return {}
    return values
