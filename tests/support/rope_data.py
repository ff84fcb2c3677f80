"""Check values computed with 40 digits, and configurations of public models: tests/data/rope.json says how."""

import json
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent.parent / "data" / "rope.json"
_DATA = json.loads(_FILE.read_text(encoding="utf-8"))

CONFIGS: list[dict[str, Any]] = _DATA["rope_configs"]
PRECISION: list[dict[str, Any]] = _DATA["precision"]


def rows(encoding: str) -> list[dict[str, Any]]:
    """The check rows of that name, at least one."""
    found = [row for row in _DATA["vectors"] if row["encoding"] == encoding]
    assert found
    return found


def errors(*scopes: str) -> list[dict[str, Any]]:
    """The inputs of those scopes that are to be refused or warned of."""
    found = [row for row in _DATA["errors"] if row["scope"] in scopes]
    assert found
    return found


def name(row: dict[str, Any]) -> str:
    """The row's name in the test's id."""
    return str(row.get("id") or row.get("name") or row["input"])
