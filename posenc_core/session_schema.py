"""The shape of a session file: which version it is, and whether it has the parts a document is built from."""

import re
from typing import Any, TypeVar

import msgspec

from posenc_core.fields import shortened

FORMAT = "posenc session"
VERSION = 1
MAXIMUM_BYTES = 32 * 2**20
"""A session holds at most two million characters of sentence: whatever is larger than this is none."""


class SessionRecord(msgspec.Struct):
    """The parts of a session file; their values are checked by the fields. UNSET is what the file leaves out."""

    sentence: Any = msgspec.UNSET
    tokens: Any = msgspec.UNSET
    seq_len: Any = msgspec.UNSET
    encoding: dict[str, Any] = {}
    embedding: dict[str, Any] = {}
    view: dict[str, Any] = {}


class _Header(msgspec.Struct):
    format: Any = None
    version: Any = None


Record = TypeVar("Record", bound=msgspec.Struct)


def read_record(data: str | bytes) -> SessionRecord:
    """The parts of a session file; ValueError with one plain sentence for anything that is none."""
    if len(data) > MAXIMUM_BYTES:
        raise ValueError(f"this is no PosEnc session: it is larger than {MAXIMUM_BYTES // 2**20} MB")
    utf8 = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    header = _decode(utf8, _Header)
    if header.format != FORMAT:
        raise ValueError(f"this is no PosEnc session: its 'format' is not '{FORMAT}'")
    if not isinstance(header.version, int) or isinstance(header.version, bool) or header.version < 1:
        raise ValueError("this session is damaged: its version is no whole number from 1")
    if header.version > VERSION:
        raise ValueError(
            f"this session was saved by a newer PosEnc (session version {shortened(header.version)}, "
            f"this program reads up to {VERSION}); update PosEnc to open it"
        )
    return _decode(utf8, SessionRecord)


def _decode(utf8: bytes, kind: type[Record]) -> Record:
    try:
        return msgspec.json.decode(utf8, type=kind)
    except msgspec.ValidationError as error:
        raise ValueError(_misshapen(str(error))) from None
    except (msgspec.DecodeError, UnicodeError) as error:
        if isinstance(error, UnicodeError):
            raise ValueError("this is no PosEnc session: it is no UTF-8 text") from None
        if "truncated" in str(error):
            raise ValueError("this is no PosEnc session: it ends too early, or is empty") from None
        detail = str(error).removeprefix("JSON is malformed: ")
        raise ValueError(f"this is no PosEnc session: it is no JSON: {detail}") from None
    except RecursionError:
        raise ValueError("this is no PosEnc session: it is nested too deeply") from None


def _misshapen(complaint: str) -> str:
    """A sentence for complaints like ``Expected `object`, got `array` - at `$.view```."""
    what, _, where = complaint.partition(" - at ")
    expected = re.fullmatch("Expected `(.*)`, got `(.*)`", what)
    if not where:
        return "this is no PosEnc session: it holds no object with names and values"
    name = where.strip("`$.")
    if expected:
        return f"this session is damaged: {name} must be an {expected[1]}, got {expected[2]}"
    return f"this session is damaged: {what[:1].lower()}{what[1:]} ({name})"
