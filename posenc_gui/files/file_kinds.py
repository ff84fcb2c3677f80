"""What kind of file is opened or dropped: by its content, and by its name where the content does not tell."""

import stat
from enum import Enum
from pathlib import Path

from msgspec import Struct

from posenc_core.model_config import MAXIMUM_BYTES, ModelConfig
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


class Recognized(Struct, frozen=True):
    """What to open a file as, and its configuration, already parsed, where its content is one."""

    kind: FileKind
    config: ModelConfig | None = None


def recognized(path: Path) -> Recognized:
    """What to open the file as; a file that cannot be read is judged by its name, and refused when it is opened."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would keep us waiting
            return _by_name(path)
        with path.open("rb") as stream:
            start = stream.read(_START)
            if is_table_file(start):
                return Recognized(FileKind.TABLE)
            if not start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
                return _by_name(path)
            text = start + stream.read(MAXIMUM_BYTES + 1 - len(start))
    except (OSError, ValueError):
        return _by_name(path)
    return _of_object(text, path)


def _by_name(path: Path) -> Recognized:
    if path.suffix.lower() in TABLE_SUFFIXES:
        return Recognized(FileKind.TABLE)
    return Recognized(FileKind.CONFIG if path.name.lower() == _CONFIG_NAME else FileKind.SESSION)


def _of_object(text: bytes, path: Path) -> Recognized:
    """The kind of a JSON object: a session has the key ``format``."""
    try:
        config = ModelConfig.parse(text)
    except ValueError:  # too large, or no JSON that can be read
        return _by_name(path)
    if "format" in config.values:
        return Recognized(FileKind.SESSION)
    kind = FileKind.CONFIG if config.values.keys() & _CONFIG_KEYS else _by_name(path).kind
    return Recognized(kind, config if kind is FileKind.CONFIG else None)
