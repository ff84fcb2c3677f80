"""Conversion of earlier versions' settings."""

import json
from base64 import b64decode
from collections.abc import Callable, Mapping
from typing import Any
from zlib import crc32

from posenc_core.fields import decode_json

Values = dict[str, Any]


def migrated(values: Values, present: int) -> Values:
    """The values of any version, converted to the ``present`` one; ValueError with the reason if impossible."""
    version = values.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ValueError("it has no version")
    if version > present:
        raise ValueError("a newer PosEnc wrote it")
    for earlier in range(version, present):
        values = MIGRATIONS[earlier](values)
    return {**values, "version": present}


def values_of_ini(data: bytes) -> Values:
    """The values in an ini file of versions 1 and 2: one entry, whose text is JSON; ValueError with the reason.

    Qt escapes quotes and backslashes as JSON does, and quotes the whole text if it contains a comma.
    """
    lines = data.decode("latin-1").splitlines()
    found = [line.removeprefix("state=") for line in lines if line.startswith("state=")]
    if not found:
        raise ValueError("it contains no state")
    quoted = found[0] if found[0].startswith('"') else f'"{found[0]}"'
    try:
        text = json.loads(quoted)
    except ValueError:
        raise ValueError("its state is not a text") from None
    return decode_json(text, "it")


def _forget_the_layout(values: Values) -> Values:
    """Version 1 has other panels, and layouts without a checksum."""
    return {name: value for name, value in values.items() if not name.startswith("layout_")}


def _gather(values: Values) -> Values:
    """Version 2 has folders and layouts beside all else, and layouts as text with another checksum."""
    named = {name: value for name, value in values.items() if not name.startswith(("layout_", "folder_"))}
    folders = {name.removeprefix("folder_"): path for name, path in values.items() if name.startswith("folder_")}
    layout = {name: _layout(text) for name, text in values.items() if name.startswith("layout_")}
    return {**named, "folders": folders, "layout": {name: state for name, state in layout.items() if state}}


def _layout(text: object) -> tuple[int, bytes] | None:
    """A layout with its checksum; None if it is damaged."""
    from hashlib import blake2b  # loads OpenSSL, which other starts do not need

    digest, _, encoded = text.partition(" ") if isinstance(text, str) and text.isascii() else ("", "", "")
    if digest != blake2b(encoded.encode(), digest_size=8).hexdigest():
        return None
    state = b64decode(encoded)
    return crc32(state), state


MIGRATIONS: Mapping[int, Callable[[Values], Values]] = {1: _forget_the_layout, 2: _gather}
"""By version: the function that converts its values to the next version."""
