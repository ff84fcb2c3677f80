"""Checks of the machine before the program starts; each problem is one sentence with the remedy.

Each check returns that sentence, or None if there is no problem. The examined objects are parameters, so that a test
can describe any machine. All checks together need a few milliseconds: Qt loads the same libraries a moment later.
Older versions of Python can parse this file (new types are only in annotations), so that they are refused in a
sentence too.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from posenc_gui.cli import command
from posenc_gui.start.scales import scale_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    Load = Callable[[str], object]
    """Loads a shared library by name or path; OSError with the loader's reason if that fails."""

DEPENDENCIES = ("numpy", "PySide6", "pyqtgraph", "ziamath", "msgspec", "regex", "filelock")
_EXPORT_COMMAND = 'export --sentence "Dan loves icecream" --out pictures'

_PRINTED = {"-h", "--help", "--version"}
"""Options that print in the terminal and open no window."""


class Package(NamedTuple):
    """The packages that contain a shared library."""

    debian: str
    fedora: str


def _libraries() -> Iterator[dict[str, Package]]:
    for libraries in json.loads(Path(__file__).with_name("libraries.json").read_text("ascii")).values():
        yield {name: Package(*packages) for name, packages in libraries.items()}


QT_LIBRARIES, XCB_LIBRARIES, WAYLAND_LIBRARIES = _libraries()
"""Libraries on Linux: those of QtCore, QtGui, QtWidgets and QtSvg, then those of Qt's plugins for X11 and Wayland.

Older versions of Qt also need libxcb-xinerama0 for X11; 6.10 does not.
"""

PACKAGES = {**QT_LIBRARIES, **XCB_LIBRARIES, **WAYLAND_LIBRARIES}


def problem(arguments: Sequence[str], needs_display: bool) -> str | None:
    """The sentence for the first problem of this machine, or None if the program can run with these arguments."""
    found = python_problem(sys.version_info[:2], pyside_version(sys.path)) or dependency_problem()
    if found is None and needs_display and not _PRINTED & set(arguments):
        found = scale_problem(os.environ)
    if found is None and needs_display and sys.platform.startswith("linux"):
        found = display_problem(arguments, os.environ, plugin_folder())
    return found


def python_problem(python: tuple[int, int], pyside: tuple[int, int] | None) -> str | None:
    """The sentence for a Python that is too old or that crashes with this PySide6, both (major, minor); or None."""
    if python < (3, 11):
        return f"PosEnc needs Python 3.11 or newer, and this is Python {python[0]}.{python[1]}: use a newer one."
    if pyside is not None and pyside >= (6, 12) and python < (3, 12):
        # From 6.12 on, each call that returns None loses a reference to None, until the interpreter aborts.
        return (
            f"PySide6 {pyside[0]}.{pyside[1]} crashes on Python {python[0]}.{python[1]}: "
            'run `python -m pip install "PySide6-Essentials>=6.10.3,<6.11"`, or use Python 3.12 or newer.'
        )
    return None


def pyside_version(path: Iterable[str]) -> tuple[int, int] | None:
    """The (major, minor) of the first PySide6 distribution on ``path``, or None; nothing is imported.

    It reads the names of folders: ``importlib.metadata`` needs 50 ms, more than all checks together.
    """
    named = re.compile(r"pyside6(?:[-_.]essentials)?-(\d+)\.(\d+)[^-]*\.(?:dist|egg)-info", re.IGNORECASE)
    for folder in path:
        try:
            with os.scandir(folder or ".") as entries:
                names = [entry.name for entry in entries]
        except OSError:
            continue  # not a folder, or not readable: Python skips it too
        versions = [(int(match[1]), int(match[2])) for match in map(named.fullmatch, names) if match]
        if versions:
            return max(versions)
    return None


def dependency_problem(find: Callable[[str], object] = importlib.util.find_spec) -> str | None:
    """The sentence that names every library that Python does not find, or None."""
    missing = [name for name in DEPENDENCIES if find(name) is None]
    return _reinstall(missing) if missing else None


def _reinstall(names: Sequence[str]) -> str:
    return (
        f"PosEnc needs {_listed(names)}, which this Python does not have: run `python -m pip install -e .` "
        "in PosEnc's folder (the README has the whole command with a virtual environment)."
    )


def import_problem(error: ImportError, load: Load | None = None) -> str | None:
    """The sentence for an import that fails because a library is missing; None for a fault of the program."""
    if isinstance(error, ModuleNotFoundError):
        top = (error.name or "posenc_gui").partition(".")[0]
        ours = top.startswith("posenc_") or top in sys.stdlib_module_names
        return None if ours else _reinstall([top])
    library = _library_named_in(str(error))
    return _library_sentence("Qt", {library, *_unloadable(QT_LIBRARIES, load or _load)}) if library else None


def platforms(arguments: Sequence[str], variables: Mapping[str, str]) -> list[str]:
    """The names of the platform plugins that Qt will try, in its order; empty if nothing names one."""
    chosen = variables.get("QT_QPA_PLATFORM", "")
    for flag in ("-platform", "--platform"):
        if flag in arguments[:-1]:
            chosen = arguments[arguments.index(flag) + 1]
    if chosen:
        return [name.partition(":")[0] for name in chosen.split(";") if name]
    sessions = (("WAYLAND_DISPLAY", "wayland"), ("DISPLAY", "xcb"))
    return [name for variable, name in sessions if variables.get(variable)]


def display_problem(
    arguments: Sequence[str], variables: Mapping[str, str], plugins: Path, load: Load | None = None
) -> str | None:
    """The sentence if no platform plugin can open a window on this Linux machine, or None."""
    if _PRINTED & set(arguments):
        return None
    found: str | None = (
        "There is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set); "
        f"pictures can be written without one: {command()} {_EXPORT_COMMAND}"
    )
    for name in platforms(arguments, variables):
        if name == "xcb" and variables.get("DISPLAY"):
            found = _x_problem(variables["DISPLAY"], plugins, load or _load)
        elif name.startswith("wayland"):
            found = _wayland_problem(variables, plugins, load or _load)
        elif name != "xcb":
            found = None  # offscreen, minimal, vnc and others have a screen of their own
        if found is None:
            return None
    return found


def _x_problem(display: str, plugins: Path, load: Load) -> str | None:
    """The sentence if no X server answers at this display or Qt's X11 plugin cannot be loaded, or None."""
    try:
        error = _x_connection_error(load("libxcb.so.1"))
    except OSError:
        error = 0  # the plugin lacks the library too, and is checked next
    if error:
        return (
            f"No X server answers at the display {display} that DISPLAY names: set it to a running X server, "
            f"or write pictures without one: {command()} {_EXPORT_COMMAND}"
        )
    return _plugin_problem(plugins / "libqxcb.so", XCB_LIBRARIES, load)


def _x_connection_error(xcb: Any) -> int:
    """The error number of a connection to the X server of DISPLAY through this libxcb, 0 if it is accepted."""
    import ctypes

    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    try:
        return int(xcb.xcb_connection_has_error(connection))
    finally:
        xcb.xcb_disconnect(connection)


def _wayland_problem(variables: Mapping[str, str], plugins: Path, load: Load) -> str | None:
    """The sentence if no Wayland compositor answers or Qt's Wayland plugin cannot be loaded, or None."""
    import socket

    address = Path(variables.get("XDG_RUNTIME_DIR", ""), variables.get("WAYLAND_DISPLAY") or "wayland-0")
    try:
        if "WAYLAND_SOCKET" not in variables:  # otherwise there is a connection already, which works only once
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(address))
    except OSError:
        return (
            f"No compositor answers at the Wayland display {address}: set WAYLAND_DISPLAY to a running compositor, "
            f"or write pictures without one: {command()} {_EXPORT_COMMAND}"
        )
    return _plugin_problem(plugins / "libqwayland.so", WAYLAND_LIBRARIES, load)


def _plugin_problem(plugin: Path, libraries: Iterable[str], load: Load) -> str | None:
    """The sentence if Qt's platform plugin cannot be loaded because libraries are missing, or None.

    The libraries are loaded by name, which is cheap. Only if one fails, the plugin itself is loaded: it may
    have libraries in a folder that the loader does not search otherwise.
    """
    missing = _unloadable(libraries, load)
    if not missing or not plugin.parent.is_dir():  # a Qt of the system, whose package depends on its libraries
        return None
    try:
        load(str(plugin))
    except OSError as error:
        named = _library_named_in(str(error))
        return _library_sentence(
            "Qt's window", {*missing, *_unloadable(QT_LIBRARIES, load), *([named] if named else [])}
        )
    return None


def plugin_folder() -> Path:
    """The folder of platform plugins of the PySide6 that Python would import; nothing is imported."""
    spec = importlib.util.find_spec("PySide6")
    package = (spec.submodule_search_locations if spec else None) or [""]
    return Path(package[0], "Qt", "plugins", "platforms")


def _load(name: str) -> object:
    import ctypes

    return ctypes.CDLL(name)


def _unloadable(libraries: Iterable[str], load: Load) -> list[str]:
    """The names of the libraries that cannot be loaded."""
    failed = []
    for name in libraries:
        try:
            load(name)
        except OSError:
            failed.append(name)
    return failed


def _library_named_in(reason: str) -> str | None:
    """The missing or unreadable library in the loader's message, or None."""
    match = re.match(r"(?:.*/)?([^/:\s]+\.so[.\d]*): (?:cannot open|file too short|invalid ELF)", reason)
    return match[1] if match else None


def _library_sentence(who: str, libraries: Iterable[str]) -> str:
    """One sentence that names the libraries that ``who`` lacks and the packages that contain them."""
    names = sorted(libraries)
    known = [PACKAGES[name] for name in names if name in PACKAGES]
    debian = " ".join(sorted({package.debian for package in known}))
    fedora = " ".join(sorted({package.fedora for package in known}))
    remedy = (
        f"run `sudo apt install {debian}` (Debian, Ubuntu) or `sudo dnf install {fedora}` (Fedora)"
        if known
        else "install the package of your system that contains it"
    )
    return f"{who} needs {_listed(names)}, which cannot be loaded here: {remedy}."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
