"""The shape of a session file: which version it is, and whether it has the parts a document is built from."""

from typing import Any, TypeVar

import msgspec

FORMAT = "posenc session"
VERSION = 1
MAXIMUM_BYTES = 32 * 2**20
"""A session holds at most two million characters of sentence: whatever is larger than this is none."""


class SessionRecord(msgspec.Struct):
    """The parts of a session file, not yet checked against the fields' bounds."""

    format: str
    version: int
    sentence: str
    tokens: str
    seq_len: int
    encoding: dict[str, Any]
    embedding: dict[str, Any] = {}
    view: dict[str, Any] = {}


class _Header(msgspec.Struct):
    format: str = ""
    version: int = 0


Record = TypeVar("Record", bound=msgspec.Struct)


def read_record(data: str | bytes) -> SessionRecord:
    """The parts of a session file; ValueError with one plain sentence for anything that is none."""
    if len(data) > MAXIMUM_BYTES:
        raise ValueError(f"this is no PosEnc session: it is larger than {MAXIMUM_BYTES // 2**20} MB")
    header = _decode(data, _Header)
    if header.format != FORMAT:
        raise ValueError("this is no PosEnc session: its 'format' is not 'posenc session'")
    if header.version > VERSION:
        raise ValueError(
            f"this session was saved by a newer PosEnc (session version {header.version}, this program reads up "
            f"to {VERSION}); update PosEnc to open it"
        )
    if header.version < 1:
        raise ValueError(f"this session is damaged: its version is {header.version}")
    return _decode(data, SessionRecord)


def _decode(data: str | bytes, kind: type[Record]) -> Record:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise ValueError(f"this session is damaged: {_lower_first(str(error))}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"this is no PosEnc session: {_lower_first(str(error))}") from None
    except RecursionError:
        raise ValueError("this is no PosEnc session: it is nested too deeply") from None


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
