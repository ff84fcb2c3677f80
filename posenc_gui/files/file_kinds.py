"""The kind of a file by its content: a session, a table, a model or a tokenizer."""

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from posenc_core.fields import open_regular
from posenc_core.tables import is_table_file
from posenc_core.text import MAXIMUM_BYTES as TOKENIZER_BYTES
from posenc_core.text import is_tokenizer

if TYPE_CHECKING:  # loaded when a file is opened, to keep the start of the window fast
    from posenc_core.model_config import ModelConfig

TABLE_SUFFIXES = (".npy", ".safetensors")

_TOKENIZER_NAME = "tokenizer.json"

_START = 16
_GGUF = b"GGUF"
_VOCABULARY = b'"vocab"'
_CONFIG_NAME = "config.json"
_CONFIG_KEYS = {"model_type", "architectures", "transformers_version", "rope_theta", "rope_scaling", "rope_parameters"}
"""A model's configuration has at least one of these keys, a session none."""


class FileKind(Enum):
    """What a file is opened as."""

    SESSION = "session"
    """A session, a picture that carries one, or an unknown file: the error of a session describes that best."""
    TABLE = "table"
    MODEL = "model"
    TOKENIZER = "tokenizer"


class Recognized(Struct, frozen=True):
    """What to open a file as, and its configuration, already parsed, where its content is one."""

    kind: FileKind
    config: "ModelConfig | None" = None


def recognized(path: Path) -> Recognized:
    """What to open the file as; a file that cannot be read is judged by its name, and refused when it is opened."""
    from posenc_core.model_config import MAXIMUM_BYTES

    try:
        if path.is_dir():
            return Recognized(FileKind.MODEL)
        with open_regular(path) as stream:
            start = stream.read(_START)
            if is_table_file(start):
                return Recognized(FileKind.TABLE)
            if start.startswith(_GGUF):
                return Recognized(FileKind.MODEL)
            if not start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
                return _by_name(path)
            text = start + stream.read(MAXIMUM_BYTES + 1 - len(start))
            if len(text) > MAXIMUM_BYTES:  # only the largest vocabularies
                text += stream.read(TOKENIZER_BYTES + 1 - len(text))
    except (OSError, ValueError):
        return _by_name(path)
    return _of_object(text, path)


def _by_name(path: Path) -> Recognized:
    if path.suffix.lower() in TABLE_SUFFIXES:
        return Recognized(FileKind.TABLE)
    if path.name.lower() == _TOKENIZER_NAME:
        return Recognized(FileKind.TOKENIZER)
    is_model = path.name.lower() == _CONFIG_NAME or path.suffix.lower() == ".gguf"
    return Recognized(FileKind.MODEL if is_model else FileKind.SESSION)


def _of_object(text: bytes, path: Path) -> Recognized:
    """The kind of a JSON object: a session has the key ``format``, a tokenizer a model with a vocabulary."""
    from posenc_core.model_config import ModelConfig

    if _VOCABULARY in text and is_tokenizer(text):
        return Recognized(FileKind.TOKENIZER)
    try:
        config = ModelConfig.parse(text)
    except ValueError:  # too large, or no JSON that can be read
        return _by_name(path)
    if "format" in config.values:
        return Recognized(FileKind.SESSION)
    kind = FileKind.MODEL if config.values.keys() & _CONFIG_KEYS else _by_name(path).kind
    return Recognized(kind, config if kind is FileKind.MODEL else None)
