"""The shape of a session file: which version it is, and whether it has the parts a document is built from.

Version 1 knew the sinusoidal encoding alone. Version 2 knows other families, which a program for version 1 would
call damaged, and it keeps fields that it does not know.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from posenc_core.fields import shortened

FORMAT = "posenc session"
VERSION = 2
MAXIMUM_BYTES = 32 * 2**20
"""No session is larger: the sentences of earlier versions had up to two million characters of at most 12 bytes."""


class SessionRecord(msgspec.Struct):
    """The parts of a session file; their values are checked by the fields. UNSET is what the file leaves out."""

    sentence: Any = msgspec.UNSET
    tokens: Any = msgspec.UNSET
    seq_len: Any = msgspec.UNSET
    encoding: dict[str, Any] = {}
    embedding: dict[str, Any] = {}
    view: dict[str, Any] = {}
    whole: dict[str, Any] = {}
    """The session as it was read, in the present version's form, with what nobody knows."""


Migration = Callable[[dict[str, Any]], dict[str, Any]]


def _name_the_family(session: dict[str, Any]) -> dict[str, Any]:
    """Version 1 could leave the family out, as there was one."""
    encoding = session.get("encoding", {})
    if isinstance(encoding, dict):
        session["encoding"] = {"family": "sinusoidal", **encoding}
    return session


MIGRATIONS: Mapping[int, Migration] = {1: _name_the_family}
"""By version: what makes the next version's session of it. They follow one another up to the present version."""


class _Header(msgspec.Struct):
    format: Any = None
    version: Any = None


Decoded = TypeVar("Decoded")


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
    session = migrated(_decode(utf8, dict[str, Any]), header.version)
    try:
        record = msgspec.convert({name: session[name] for name in _PARTS if name in session}, SessionRecord)
    except msgspec.ValidationError as error:
        raise ValueError(_misshapen(str(error))) from None
    record.whole = session
    return record


_PARTS = tuple(name for name in SessionRecord.__struct_fields__ if name != "whole")


def migrated(
    session: dict[str, Any], version: int, migrations: Mapping[int, Migration] = MIGRATIONS, present: int = VERSION
) -> dict[str, Any]:
    """The session in the present version's form; what no migration knows stays."""
    for earlier in range(version, present):
        session = migrations[earlier](session)
    return {**session, "version": present}


def _decode(utf8: bytes, kind: type[Decoded]) -> Decoded:
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
