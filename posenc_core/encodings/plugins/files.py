"""Families in a Python file. The file is code: only the user's own choice opens it."""

import re
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from zlib import crc32

from typing_extensions import override

from posenc_core.encodings.base import Encoding
from posenc_core.encodings.plugins.guard import guard
from posenc_core.encodings.plugins.trial import SECONDS, check_family, short, told, within
from posenc_core.fields import Registry
from posenc_core.tables import Cancelled, ProgressCallback, never_cancelled


def open_plugin(
    registry: Registry[Encoding],
    path: Path,
    seconds: float = SECONDS,
    progress: ProgressCallback = never_cancelled,
) -> tuple[type[Encoding], ...]:
    """Run the file, and register its families, in place of those of an earlier version of the file.

    ValueError with one sentence for a file that cannot be read or run, whose families are unusable or have a name
    already in use, or that needs more than ``seconds``; then nothing is registered, and an earlier version stays.
    Cancelled, with the same effect, once ``progress``, called with the elapsed share of ``seconds``, returns False.
    """
    shown = short(path.name)
    try:
        is_file = path.is_file()
    except OSError as error:  # a name that the system does not allow
        raise ValueError(f"cannot use {shown}: {error.strerror}") from None
    if not is_file:
        raise ValueError(f"cannot use {shown}: it is not a file")
    name = _module_name(path)
    before = sys.modules.get(name)
    try:
        kinds = within(seconds, lambda: _tried(name, path), progress)
        _check_names(registry, kinds)
    except Cancelled:
        _restore(name, before)
        raise
    except TimeoutError as error:
        _restore(name, before)
        raise ValueError(f"cannot use {shown}: it takes {error} to run and to compute 8 rows") from None
    except ValueError as error:
        _restore(name, before)
        raise ValueError(f"cannot use {shown}: {error}") from error
    for family in [each for each in registry if registry[each].__module__ == name]:
        registry.unregister(family)
    return tuple(registry.register(kind) for kind in kinds)


def _tried(name: str, path: Path) -> tuple[type[Encoding], ...]:
    """The families that the file defines, tried; ValueError with one sentence without one that can be used."""
    try:
        module = _run(name, path)
    except BaseException as error:  # code of other people can raise anything, and call sys.exit
        raise ValueError(f"it cannot be run: {told(error)}") from error
    found = dict.fromkeys(each for each in vars(module).values() if isinstance(each, type))  # one may have two names
    defined = [each for each in found if each.__module__ == name]
    kinds = tuple(each for each in defined if issubclass(each, Encoding) and hasattr(each, "family"))
    if not kinds:
        raise ValueError("it defines no class that derives from Encoding and has a family")
    for kind in kinds:
        check_family(kind)
    return tuple(map(guard, kinds))


def _run(name: str, path: Path) -> ModuleType:
    spec = spec_from_file_location(name, path, loader=_PlainLoader(name, str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses look names up
    spec.loader.exec_module(module)
    return module


class _PlainLoader(SourceFileLoader):
    """Runs the present file, and writes no compiled file beside it."""

    @override
    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def _check_names(registry: Registry[Encoding], kinds: tuple[type[Encoding], ...]) -> None:
    named: dict[str, type[Encoding]] = {}
    for kind in kinds:
        first = named.setdefault(kind.family, kind)
        if first is not kind:
            raise ValueError(f"{first.__name__} and {kind.__name__} have the same family, {kind.family}")
        if kind.family in registry and registry[kind.family].__module__ != kind.__module__:
            raise ValueError(f"{kind.family} is the name of another kind, {registry[kind.family].title}")


def _restore(name: str, before: ModuleType | None) -> None:
    if before is None:
        sys.modules.pop(name, None)
    else:
        sys.modules[name] = before


def _module_name(path: Path) -> str:
    """A module's name that no other file has."""
    whole = str(path.absolute())
    return f"posenc_plugin_{re.sub('[^a-zA-Z0-9]', '_', path.stem)}_{crc32(whole.encode(errors='surrogatepass')):08x}"
