"""Nothing that is read is ever run: no pickle, no evaluation, no shell, no network, in any file of the program."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted(path for package in ("posenc_core", "posenc_gui") for path in (ROOT / package).rglob("*.py"))

MODULES = {
    "pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "code", "codeop", "runpy", "subprocess", "pty",
    "socket", "socketserver", "ssl", "urllib", "http", "ftplib", "smtplib", "telnetlib", "xmlrpc", "requests", "httpx",
    "aiohttp", "asyncio", "webbrowser", "yaml", "xml", "ctypes", "cffi", "tarfile",
}  # fmt: skip
QT = {"QtNetwork", "QtWebEngineWidgets", "QtWebEngineCore", "QtWebSockets", "QtQml", "QtDBus", "QtSql"}
CALLS = {"eval", "exec", "compile", "__import__", "QProcess"}
METHODS = {
    "system",
    "popen",
    "spawnl",
    "spawnv",
    "execv",
    "execl",
    "execvp",
    "startfile",
    "openUrl",
    "fork",
    "exec_module",
    "load_module",
}

ALLOWED = {
    "posenc_core/encodings/plugins/files.py": {"exec_module"},  # of a file that a person chose to run
    "posenc_gui/cli/integrate_command.py": {"subprocess"},  # the desktop's own programs, on the files just written
    "posenc_gui/film/containers.py": {"subprocess"},  # ffmpeg, on frames that the program painted
    "posenc_gui/look/qt.py": {"ctypes"},  # a setting of the C library for freed memory
    "posenc_gui/start/environment.py": {"ctypes", "socket"},  # the libraries and the socket of a display
    "posenc_gui/start/signal_watch.py": {"socket"},  # a pair of them, within the process
    "posenc_gui/look/typeset.py": {"xml.etree.ElementTree"},  # of formulas that the program typeset itself
}


def used(tree: ast.AST) -> Iterator[str]:
    """The forbidden things that a file imports or calls."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom):
            parts = (node.module or "").split(".")
            if parts[0] in MODULES or QT & set(parts):
                yield node.module or ""
            yield from (alias.name for alias in node.names if alias.name in QT | CALLS | METHODS)
        elif isinstance(node, ast.Call):
            yield from _called(node)


def _called(node: ast.Call) -> Iterator[str]:
    if isinstance(node.func, ast.Name) and node.func.id in CALLS:
        yield node.func.id
    if isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
        yield node.func.attr
    for keyword in node.keywords:
        if keyword.arg in ("allow_pickle", "shell") and not (
            isinstance(keyword.value, ast.Constant) and keyword.value.value is False
        ):
            yield f"{keyword.arg}="
    loads = isinstance(node.func, ast.Attribute) and node.func.attr in ("load", "fromfile", "open_memmap")
    if loads and isinstance(node.func.value, ast.Name) and node.func.value.id == "np":
        yield f"np.{node.func.attr}"  # files of numbers are mapped after their header was checked


def test_no_file_can_run_what_it_reads() -> None:
    found = {path: {*used(ast.parse(path.read_text(encoding="utf-8")))} for path in SOURCES}
    assert {path.relative_to(ROOT).as_posix(): names for path, names in found.items() if names} == ALLOWED


@pytest.mark.parametrize(
    "line",
    [
        "import pickle", "from urllib.request import urlopen", "import http.client", "eval('1')", "exec(text)",
        "os.system('x')", "from PySide6.QtNetwork import QTcpSocket", "from PySide6 import QtNetwork",
        "np.load(path, allow_pickle=True)", "run(x, shell=True)", "QDesktopServices.openUrl(url)",
        "from os import system", "np.load(path)",
    ],
)  # fmt: skip
def test_the_wall_stands(line: str) -> None:
    assert list(used(ast.parse(line)))
