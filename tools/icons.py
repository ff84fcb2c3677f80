"""The program's icon as the file that Windows or macOS reads: pictures in several sizes, each a PNG.

Qt's image writer makes both formats, but with one size.
"""

import struct
import sys
from pathlib import Path

from posenc_gui.cli.integrate_command import icon

_ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
_ICNS_KINDS = {b"icp4": 16, b"icp5": 32, b"icp6": 64, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024}
"""The kinds of Apple's icon format that are PNG, and their sizes."""


def write_icon(folder: Path) -> Path | None:
    """Write the icon of the system that this runs on; None where the desktop has its own files for that."""
    formats = {"win32": ("posenc.ico", ico), "darwin": ("posenc.icns", icns)}
    if sys.platform not in formats:
        return None
    name, made = formats[sys.platform]
    path = folder / name
    path.write_bytes(made())
    return path


def ico() -> bytes:
    """The icon for Windows: a table of sizes and places, then the pictures."""
    pictures = [icon(size) for size in _ICO_SIZES]
    at, table = 6 + 16 * len(pictures), struct.pack("<HHH", 0, 1, len(pictures))
    for size, picture in zip(_ICO_SIZES, pictures, strict=True):
        table += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), at)
        at += len(picture)
    return table + b"".join(pictures)


def icns() -> bytes:
    """The icon for macOS: chunks of a kind, a length and a picture."""
    chunks = [(kind, icon(size)) for kind, size in _ICNS_KINDS.items()]
    content = b"".join(struct.pack(">4sI", kind, 8 + len(picture)) + picture for kind, picture in chunks)
    return struct.pack(">4sI", b"icns", 8 + len(content)) + content
