"""What keeps the rooms apart and small, beyond the contracts on imports that the linter checks."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from posenc_gui.panels import PANEL_NAMES, figure_class

ROOT = Path(__file__).parents[2]
SOURCES = sorted(path for package in ("posenc_core", "posenc_gui") for path in (ROOT / package).rglob("*.py"))
LONGEST = 330


def test_the_core_and_the_export_of_numbers_load_no_qt():
    program = (
        "import sys, posenc_core, posenc_gui.cli.export_command, posenc_gui.export.numbers, posenc_gui.panels\n"
        "sys.exit(any(name.startswith(('PySide6', 'pyqtgraph')) for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


@pytest.mark.parametrize("name", PANEL_NAMES)
def test_every_panel_is_found_under_its_own_name_and_explains_itself(name):
    figure = figure_class(name)
    assert figure.name == name
    assert figure.title
    assert figure.hint
    assert len(figure.explanation) > 100


def test_no_file_is_longer_than_a_room_should_be():
    lengths = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert len(lengths) > 60
    assert not {name: length for name, length in lengths.items() if length > LONGEST}


def test_nothing_is_left_for_later():
    left = re.compile(r"\b(TODO|FIXME|XXX)\b")
    found = {str(path.relative_to(ROOT)): left.findall(path.read_text(encoding="utf-8")) for path in SOURCES}
    assert not {name: marks for name, marks in found.items() if marks}
