"""Faces of rooms, which load their names on demand.

A face lists its names once, as imports under ``if TYPE_CHECKING``, where mypy and readers see them:

    if TYPE_CHECKING:
        from posenc_core.tables.table import Table
    else:
        __getattr__ = on_demand(__name__)
"""

import re
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from importlib.abc import InspectLoader

_IMPORT = re.compile(r"^    from ([\w.]+) import (?:\(([^)]*)\)|(.+))$", re.MULTILINE)


def on_demand(room: str) -> Callable[[str], object]:
    """The function ``__getattr__`` of a room's face: it imports an object on the first use of its name."""
    homes: dict[str, str] = {}

    def load(name: str) -> object:
        face = sys.modules[room]
        if not homes:
            homes.update(_homes(face))
        if name not in homes:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        found: object = getattr(import_module(homes[name]), name)
        setattr(face, name, found)
        return found

    return load


def _homes(face: ModuleType) -> dict[str, str]:
    """The names of a face, and their modules."""
    source = cast("InspectLoader", face.__loader__).get_source(face.__name__)
    return {
        name: module
        for module, several, single in _IMPORT.findall(source or "")
        for name in re.findall(r"\w+", several or single)
    }
