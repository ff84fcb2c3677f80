"""Well-known encodings by name, each with its source; a preset is a file in ``resources/presets``."""

import json
from functools import cache
from typing import Any

from posenc_core import Document
from posenc_gui.resources import resource

_ABOUT = ("title", "source", "group")
"""What a preset's file says beside a part of a session; ``group`` is its sub-menu, if it is in one."""


def preset(name: str, document: Document | None = None) -> Document:
    """The document, a new one for None, with the preset's encoding.

    A preset replaces the whole encoding, the number of positions where it names one, and the sentence only if
    it names one. ValueError with one sentence for an unknown name.
    """
    started = (document or Document()).to_dict()
    return Document.from_json(json.dumps(started | _session_part(name)))


def preset_names() -> tuple[str, ...]:
    """The names of all presets, in alphabetical order."""
    return tuple(sorted(path.stem for path in resource("presets").glob("*.json")))


def preset_groups() -> dict[str, tuple[str, ...]]:
    """The names by group, in alphabetical order; first those of no group, the encodings that books show."""
    groups: dict[str, list[str]] = {"": []}
    for name in preset_names():
        groups.setdefault(str(_read(name).get("group", "")), []).append(name)
    return {group: tuple(groups[group]) for group in sorted(groups)}


def preset_title(name: str) -> str:
    """What the preset is, in a line; ValueError for an unknown name."""
    return str(_read(name)["title"])


def preset_source(name: str) -> str:
    """Where the preset's values are published; ValueError for an unknown name."""
    return str(_read(name)["source"])


def _session_part(name: str) -> dict[str, Any]:
    return {key: value for key, value in _read(name).items() if key not in _ABOUT}


@cache
def _read(name: str) -> dict[str, Any]:
    if name not in preset_names():
        raise ValueError(f"there is no preset {name[:40]!r}; the presets are {', '.join(preset_names())}")
    values: dict[str, Any] = json.loads(resource("presets", f"{name}.json").read_text(encoding="utf-8"))
    return values
