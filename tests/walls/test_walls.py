"""What imports alone do not show: rooms without Qt, short files and functions, and no unfinished work."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from posenc_gui.panels import PANELS, figure_class

ROOT = Path(__file__).parents[2]
SOURCES = sorted(path for package in ("posenc_core", "posenc_gui") for path in (ROOT / package).rglob("*.py"))
LONGEST_FILE, LONGEST_FUNCTION = 300, 45
LONGEST_EXPLANATION = 80  # words


NO_QT = (
    "posenc_core",
    *(f"posenc_gui.cli.{path.stem}" for path in sorted((ROOT / "posenc_gui" / "cli").glob("[!_]*.py"))),
    "posenc_gui.export.numbers",
    "posenc_gui.look.number_format",
    "posenc_gui.model.cursor",
    "posenc_gui.panels",
)


@pytest.mark.parametrize("module", NO_QT)
def test_no_qt_is_imported_with(module):
    program = f"import sys, {module}\nsys.exit(any(name.startswith(('PySide6', 'pyqtgraph')) for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


@pytest.mark.parametrize("name", PANELS)
def test_every_panel_is_found_under_its_own_name_and_explains_itself(name):
    figure = figure_class(name)
    assert figure.name == name
    assert figure.spec.title
    assert figure.spec.hint
    assert len(figure.spec.explanation) > 100
    assert len(figure.spec.explanation.split()) <= LONGEST_EXPLANATION


def test_no_file_is_too_long():
    lengths = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert len(lengths) > 60
    assert not {name: length for name, length in lengths.items() if length > LONGEST_FILE}


def test_no_function_is_too_long():
    functions = {
        f"{path.relative_to(ROOT)}:{node.name}": (node.end_lineno or 0) + 1 - node.lineno
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    assert len(functions) > 600
    assert not {name: length for name, length in functions.items() if length > LONGEST_FUNCTION}


def test_no_mark_of_unfinished_work_is_left():
    left = re.compile(r"\b(TODO|FIXME|XXX)\b")
    found = {str(path.relative_to(ROOT)): left.findall(path.read_text(encoding="utf-8")) for path in SOURCES}
    assert not {name: marks for name, marks in found.items() if marks}
