"""How often a file's JSON is parsed, whichever library does it."""

import json
from typing import Any

import msgspec
import pytest


def parses_of(marker: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that grows by the library's name with each JSON text parsed that holds the marker."""
    parsed: list[str] = []

    def counting(name: str, decode: Any) -> Any:
        def decode_and_count(data: bytes | str, *args: Any, **named: Any) -> Any:
            if marker in (data if isinstance(data, str) else bytes(data).decode("utf-8", "replace")):
                parsed.append(name)
            return decode(data, *args, **named)

        return decode_and_count

    monkeypatch.setattr(json, "loads", counting("json", json.loads))
    monkeypatch.setattr(msgspec.json, "decode", counting("msgspec", msgspec.json.decode))
    return parsed
