"""What kind of file somebody opens or drops, told by what it holds, and by its name where that tells nothing."""

import json
import stat
from enum import Enum
from pathlib import Path

from posenc_core.model_config import MAXIMUM_BYTES
from posenc_core.tables import is_table_file

TABLE_SUFFIXES = (".npy", ".safetensors")

_START = 16
_CONFIG_NAME = "config.json"
_CONFIG_KEYS = {"model_type", "architectures", "transformers_version", "rope_theta", "rope_scaling", "rope_parameters"}
"""What a model's configuration has at least one of, and no session has."""


class FileKind(Enum):
    """What a file is opened as."""

    SESSION = "session"
    """A session, or a picture that carries one; also whatever is nothing else, which sessions refuse best."""
    TABLE = "table"
    CONFIG = "config"


def kind_of(path: Path) -> FileKind:
    """What to open the file as; a file that cannot be read goes by its name, and is refused by who opens it."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would keep us waiting
            return _by_name(path)
        with path.open("rb") as stream:
            start = stream.read(_START)
            if is_table_file(start):
                return FileKind.TABLE
            if not start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
                return _by_name(path)
            text = start + stream.read(MAXIMUM_BYTES + 1 - len(start))
    except (OSError, ValueError):
        return _by_name(path)
    return _of_object(text, path)


def _by_name(path: Path) -> FileKind:
    if path.suffix.lower() in TABLE_SUFFIXES:
        return FileKind.TABLE
    return FileKind.CONFIG if path.name.lower() == _CONFIG_NAME else FileKind.SESSION


def _of_object(text: bytes, path: Path) -> FileKind:
    """The kind of a JSON object: sessions say of themselves that they are ones."""
    try:
        held = json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError):  # cut off, too large, no UTF-8, thousands of brackets or digits
        return _by_name(path)
    if not isinstance(held, dict) or "format" in held:
        return FileKind.SESSION
    return FileKind.CONFIG if held.keys() & _CONFIG_KEYS else _by_name(path)
