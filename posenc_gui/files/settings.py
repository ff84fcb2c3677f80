"""Settings between starts: layout, theme and recent files, never the document."""

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from zlib import crc32

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace
from PySide6.QtCore import QByteArray, QStandardPaths

from posenc_core.fields import decode_json, read_regular
from posenc_gui.files.errors import FileError, reason, sentence, shown

VERSION = 3
RECENT_FILES = 10
MAXIMUM_BYTES = 4 * 2**20
"""Bound for the settings' size; each layout has some kilobytes."""

_PATIENCE_S = 5.0
"""Longest wait in seconds for another window that is writing its change."""

INI_NAME = "PosEnc.ini"
"""The settings of versions 1 and 2, beside the present ones; read if there are no others."""

_log = logging.getLogger(__name__)


class LessonProgress(Struct, frozen=True):
    """The last step of a lesson, and whether the lesson was completed."""

    step: int = 0
    done: bool = False


class Remembered(Struct, frozen=True):
    """The record in the file.

    ``text_scale`` is the user's text size, as a multiple of the desktop's. ``recent_files`` are paths, the latest
    first. ``trusted_code`` are the paths of Python files that the user allowed to run. ``folders`` are the last used,
    by their purpose. ``layout`` are states of widgets in Qt's format by name, each with its checksum.
    """

    version: int = VERSION
    theme: Literal["system", "light", "dark"] = "system"
    text_scale: Annotated[float, Meta(ge=0.5, le=3)] = 1.0
    frame_time: bool = False
    doors: bool = True
    recent_files: tuple[str, ...] = ()
    folders: dict[str, str] = {}
    lessons: dict[str, LessonProgress] = {}
    trusted_code: tuple[str, ...] = ()
    layout: dict[str, tuple[int, bytes]] = {}


class Settings:
    """The record of a settings file, ``now``, and its changes, each of which is written at once.

    ``problem`` is a sentence if the file could not be read, otherwise empty; the file is then kept under another name.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.now, self.problem = Remembered(), ""
        self._new_layout: dict[str, tuple[int, bytes]] = {}
        for source in (path, path.with_name(INI_NAME)):
            try:
                self.now = _stored(source)
            except FileNotFoundError:
                continue
            except (OSError, ValueError) as error:
                aside = _renamed(source, ".damaged")
                kept = f"; the file is kept as {shown(aside)}" if aside else ""
                self.problem = (
                    f"The settings could not be read ({reason('open', source, error)[:200]}) and were reset{kept}."
                )
            else:
                if source != path:
                    self.revise(lambda _: {})
            break

    @classmethod
    def of_user(cls) -> "Settings":
        """The settings of the user who runs the program."""
        folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation))
        return cls(folder / "PosEnc" / "settings.json")

    def change(self, **fields: Any) -> None:
        """Replace fields of the record as it is in the file, which another window may have changed."""
        self.revise(lambda _: fields)

    def revise(self, fields_of: Callable[[Remembered], Mapping[str, Any]]) -> None:
        """Replace the fields that ``fields_of`` makes of the record in the file, which no other window writes then."""
        from posenc_gui.files.atomic import make_private_folder, writing  # imported on first use

        try:
            make_private_folder(self._path.parent)
            with writing(self._path, patience_s=_PATIENCE_S) as stream:
                present = self._present()
                self.now = replace(present, **fields_of(present))
                record = json.dumps(msgspec.to_builtins(self.now), indent=1)  # msgspec's JSON has no half characters
                stream.write(record.encode("ascii"))
        except FileError as error:
            self.now = replace(self.now, **fields_of(self.now))
            _log.warning("%s", error)

    def add_recent_file(self, path: Path) -> None:
        """Add the file as the first of the recent ones."""
        name = str(path.absolute())
        self._list_recent(lambda files: (name, *(other for other in files if other != name))[:RECENT_FILES])

    def remove_recent_file(self, path: str) -> None:
        """Remove a file that cannot be opened."""
        self._list_recent(lambda files: tuple(other for other in files if other != path))

    def _list_recent(self, listed: Callable[[tuple[str, ...]], tuple[str, ...]]) -> None:
        self.revise(lambda now: {"recent_files": listed(now.recent_files)})

    def folder(self, purpose: str) -> Path:
        """The folder last used for a purpose, by default the user's home."""
        folder = self.now.folders.get(purpose)
        if folder is not None and _is_folder(folder):
            return Path(folder)
        try:
            return Path.home()
        except RuntimeError:  # a user without a home, as in some containers
            return Path.cwd()

    def set_folder(self, purpose: str, folder: Path) -> None:
        """Remember the folder used for a purpose."""
        self.revise(lambda now: {"folders": {**now.folders, purpose: str(folder.absolute())}})

    def bytes(self, name: str) -> QByteArray:
        """A remembered layout in Qt's format; empty if it is missing or damaged.

        Qt hangs or crashes on a damaged layout, so its checksum is verified first.
        """
        checksum, state = (self.now.layout | self._new_layout).get(name, (0, b""))
        return QByteArray(state if crc32(state) == checksum else b"")

    def set_bytes(self, name: str, value: QByteArray) -> None:
        """Remember a layout in Qt's format, from the next ``write_layout`` on also in the file."""
        state = bytes(value.data())
        self._new_layout[name] = crc32(state), state

    def write_layout(self) -> None:
        """Write the layouts that were set, all at once."""
        self.revise(lambda now: {"layout": now.layout | self._new_layout})
        self._new_layout.clear()

    def forget_layout(self, kept: tuple[str, ...] = ()) -> None:
        """Remove the remembered layouts, but not those whose names begin with one of ``kept``."""
        self._new_layout.clear()
        self.revise(lambda now: {"layout": {name: now.layout[name] for name in now.layout if name.startswith(kept)}})

    def forget_everything(self) -> None:
        """Reset the record; the file is kept as ``.old``."""
        _renamed(self._path, ".old")
        self.revise(lambda _: asdict(Remembered()))

    def _present(self) -> Remembered:
        """The record in the file, which another window may have changed."""
        try:
            return _stored(self._path)
        except FileNotFoundError:
            return self.now
        except (OSError, ValueError) as error:
            _log.warning("the settings became unreadable and are replaced: %s", error)
            return self.now


def _stored(path: Path) -> Remembered:
    """The record in a settings file of any version; ValueError with the reason if it cannot be used, or OSError."""
    data = read_regular(path, MAXIMUM_BYTES)
    values = None if path.name == INI_NAME else decode_json(data, "it")
    if values is None or values.get("version") != VERSION:
        from posenc_gui.files import settings_migrations as earlier  # imported on first use

        values = earlier.migrated(earlier.values_of_ini(data) if values is None else values, VERSION)
    return msgspec.convert(values, Remembered)


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


def _is_folder(path: str) -> bool:
    """Whether the folder exists; False also for a damaged name that the system cannot look up."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False
