"""``posenc integrate``: the program in the menu of a Linux desktop, and its sessions opened by a double click."""

import os
import shutil
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from posenc_gui.files import FileError, make_private_folder, writing
from posenc_gui.look import DESKTOP_ID, resource

_WINDOW_CLASS = "PosEnc"
_ICON_SIZES = (48, 64, 128, 256)
_QUOTED = str.maketrans({character: f"\\{character}" for character in '"`$\\'} | {"%": "%%"})
"""Characters that Exec escapes within quotation marks (Desktop Entry Specification 1.5, "The Exec key")."""

_CACHES = (("update-mime-database", "mime"), ("update-desktop-database", "applications"))
"""Programs of the desktop that read the new files, and their folders."""


def integrated(arguments: Namespace) -> tuple[str, int]:
    """The paths of the written or removed files, and the exit status of ``posenc integrate``."""
    if arguments.files:
        raise ValueError(arguments.parser.refusal(arguments.files[0]))
    if sys.platform in ("win32", "darwin"):
        raise ValueError("integrate works on Linux desktops only")
    try:
        told = (_removed if arguments.remove else _written)(_data_home())
    except OSError as error:
        raise FileError(f"cannot remove {error.filename}: {error.strerror}") from error
    return "\n".join(told), 0


def _data_home() -> Path:
    """The folder of the user's data (XDG Base Directory Specification 0.8); relative paths are ignored as it asks."""
    given = os.environ.get("XDG_DATA_HOME", "")
    return Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "share"


def _files() -> Mapping[str, Callable[[], bytes]]:
    """The content of each file by its path below the folder of the user's data."""
    icons: dict[str, Callable[[], bytes]]
    icons = {f"{size}x{size}/apps/{DESKTOP_ID}.png": partial(icon, size) for size in _ICON_SIZES}
    icons[f"scalable/apps/{DESKTOP_ID}.svg"] = resource("icons", "posenc.svg").read_bytes
    return {
        f"applications/{DESKTOP_ID}.desktop": partial(_text, "application.desktop"),
        f"mime/packages/{DESKTOP_ID}.xml": partial(_text, "mime.xml"),
        f"metainfo/{DESKTOP_ID}.metainfo.xml": partial(_text, "metainfo.xml"),
        **{f"icons/hicolor/{name}": content for name, content in icons.items()},
    }


def _written(folder: Path) -> list[str]:
    """Write all files; their paths, then how to remove them."""
    paths = []
    for name, content in _files().items():
        path = folder / name
        make_private_folder(path.parent)
        with writing(path) as stream:
            stream.write(content())
        paths.append(str(path))
    _refresh(folder)
    return [*paths, "The program is in the desktop's menu. Remove it with: posenc integrate --remove"]


def _removed(folder: Path) -> list[str]:
    """Remove the files that are there; their paths, or a sentence that there are none."""
    paths = [folder / name for name in _files() if os.path.lexists(folder / name)]
    for path in paths:
        path.unlink()
    _refresh(folder)
    return [f"removed {path}" for path in paths] or [f"No file of PosEnc is in {folder}"]


def _refresh(folder: Path) -> None:
    """Let the desktop read its folders again, if the desktop's tools are installed."""
    for name, below in _CACHES:
        program, place = shutil.which(name), folder / below
        if program is not None and place.is_dir():
            subprocess.run([program, place], check=False, capture_output=True)


def _text(name: str) -> bytes:
    """A file of the resources with its values filled in."""
    values = {"id": DESKTOP_ID, "command": _command(), "window_class": _WINDOW_CLASS}
    text = resource("desktop", name).read_text("utf-8")
    for key, value in values.items():
        text = text.replace(f"{{{key}}}", value)
    return text.encode()


def _command() -> str:
    """The command that starts this program, quoted for the key Exec; absolute, since a desktop has another PATH."""
    program = Path(sys.argv[0]).resolve()
    words = [sys.executable, str(program)] if program.suffix == ".py" else [str(program)]
    quoted = " ".join(f'"{word.translate(_QUOTED)}"' for word in words)
    return quoted.replace("\\", "\\\\")  # as in every value of the file


def icon(size: int) -> bytes:
    """The program's icon as PNG, ``size`` pixels wide and high."""
    from PySide6.QtCore import QBuffer, QIODevice
    from PySide6.QtGui import QImage, QImageWriter, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(str(resource("icons", "posenc.svg"))).render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, b"png").write(image)
    return bytes(buffer.data().data())
