"""The kind of a file by its content: a session, a table, a model or a tokenizer."""

from enum import Enum
from pathlib import Path

from msgspec import Struct

from posenc_core import model_config, text
from posenc_core.fields import open_regular
from posenc_core.tables import is_table_file

TABLE_SUFFIXES = (".npy", ".safetensors")

_TOKENIZER_NAME = "tokenizer.json"

_SESSION_SUFFIX = ".posenc"
_NUMBER_SUFFIXES = (".npz", ".csv", ".tsv", ".txt")

_START = 16
_GGUF = b"GGUF"
_ZIP = b"PK\x03\x04"
_VOCABULARY = b'"vocab"'
_CONFIG_NAMES = ("config.json", "params.json")
_CONFIG_KEYS = {"model_type", "architectures", "transformers_version", "rope_theta", "rope_scaling", "rope_parameters"}
"""A model's configuration has at least one of these keys, a session none."""


class FileKind(Enum):
    """Kinds of files."""

    SESSION = "session"
    """A session, a picture that carries one, or an unknown file: the error of a session describes that best."""
    TABLE = "table"
    NUMBERS = "numbers"
    """Arrays in a form that no table is opened from: they can be checked."""
    MODEL = "model"
    TOKENIZER = "tokenizer"
    CODE = "code"
    """A Python file, which is never run for being dropped or named as a file to open."""


class Recognized(Struct, frozen=True):
    """Kind of a file, and its parsed configuration if it has one."""

    kind: FileKind
    config: "model_config.ModelConfig | None" = None


def recognized(path: Path) -> Recognized:
    """Kind of the file; an unreadable file is judged by its name, and refused when it is opened."""
    try:
        if path.is_dir():
            return Recognized(FileKind.MODEL)
        with open_regular(path) as stream:
            start = stream.read(_START)
            if is_table_file(start):
                return Recognized(FileKind.TABLE)
            if start.startswith(_GGUF):
                return Recognized(FileKind.MODEL)
            if start.startswith(_ZIP):
                return Recognized(FileKind.NUMBERS)
            begun = start.removeprefix(b"\xef\xbb\xbf").lstrip()
            if not begun.startswith(b"{"):
                return _of_list(path) if begun.startswith(b"[") else _by_name(path)
            content = start + stream.read(model_config.MAXIMUM_BYTES + 1 - len(start))
            if len(content) > model_config.MAXIMUM_BYTES:  # only the largest vocabularies
                content += stream.read(text.MAXIMUM_BYTES + 1 - len(content))
    except (OSError, ValueError):
        return _by_name(path)
    return _of_object(content, path)


def _by_name(path: Path) -> Recognized:
    if path.suffix.lower() in TABLE_SUFFIXES:
        return Recognized(FileKind.TABLE)
    if path.suffix.lower() == ".py":
        return Recognized(FileKind.CODE)
    if path.name.lower() == _TOKENIZER_NAME:
        return Recognized(FileKind.TOKENIZER)
    if path.suffix.lower() in _NUMBER_SUFFIXES:
        return Recognized(FileKind.NUMBERS)
    is_model = path.name.lower() in _CONFIG_NAMES or path.suffix.lower() == ".gguf"
    return Recognized(FileKind.MODEL if is_model else FileKind.SESSION)


def _of_list(path: Path) -> Recognized:
    """The kind of a list in JSON: numbers, unless the name is that of another kind."""
    named = _by_name(path)
    is_unknown = named.kind is FileKind.SESSION and path.suffix.lower() != _SESSION_SUFFIX
    return Recognized(FileKind.NUMBERS) if is_unknown else named


def _of_object(content: bytes, path: Path) -> Recognized:
    """The kind of a JSON object: a session has the key ``format``, a tokenizer a model with a vocabulary."""
    if _VOCABULARY in content and text.is_tokenizer(content):
        return Recognized(FileKind.TOKENIZER)
    try:
        config = model_config.ModelConfig.parse(content)
    except ValueError:  # too large, or no JSON that can be read
        return _by_name(path)
    if "format" in config.values:
        return Recognized(FileKind.SESSION)
    kind = FileKind.MODEL if config.values.keys() & _CONFIG_KEYS else _by_name(path).kind
    return Recognized(kind, config if kind is FileKind.MODEL else None)
