"""Families of installed packages, which name them as entry points of the group ``posenc.encodings``."""

import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from posenc_core.encodings.base import Encoding
from posenc_core.encodings.plugins.guard import guard
from posenc_core.encodings.plugins.trial import SECONDS, check_family, told, within
from posenc_core.fields import Registry

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "posenc.encodings"


def add_installed(registry: Registry[Encoding], seconds: float = SECONDS) -> tuple[str, ...]:
    """Register the families of installed packages; returns one sentence for each unusable family.

    A package whose import and first rows need more than ``seconds`` is left out.
    """
    problems = []
    for point in entry_points():
        package = f"the encoding {point.name} of the package {point.dist.name if point.dist else point.module}"
        try:
            registry.register(within(seconds, partial(_family_of, point)))
        except TimeoutError as error:
            problems.append(f"{package} is left out: it takes {error} to import and to compute 8 rows")
        except ValueError as error:
            problems.append(f"{package} is left out: {error}")
    return tuple(problems)


def entry_points() -> "tuple[EntryPoint, ...]":
    """The entry points of the group; their reader, which needs 40 ms to import, is loaded only if there are any."""
    if not any(map(_names_group, sys.path)):
        return ()
    from importlib import metadata

    return tuple(metadata.entry_points(group=GROUP))


def _names_group(folder: str) -> bool:
    """Whether a distribution in the folder names the group; False for a folder that cannot be read."""
    try:
        with os.scandir(folder or ".") as entries:
            found = [entry.path for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))]
        files = [Path(each, "entry_points.txt") for each in found]
        return any(
            f"[{GROUP}]" in each.read_text(encoding="utf-8", errors="replace") for each in files if each.is_file()
        )
    except OSError:
        return False


def _family_of(point: "EntryPoint") -> type[Encoding]:
    """The class that the entry point names, tried; ValueError with one sentence if it cannot be used."""
    try:
        kind = point.load()
    except BaseException as error:  # code of other people can raise anything, and call sys.exit
        raise ValueError(f"it cannot be imported: {told(error)}") from error
    if not isinstance(kind, type) or not issubclass(kind, Encoding):
        raise ValueError(f"{point.value} is not a class that derives from Encoding")
    check_family(kind)
    return guard(kind)
