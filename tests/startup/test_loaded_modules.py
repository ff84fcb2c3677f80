"""The modules that are loaded before the window is painted for the first time: the code behind a choice is not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from posenc_gui.panels import WORKSPACES, first_panels

MOST_OF_OURS = 190
"""Modules; ``tests/benchmarks/README.md`` says how many there were."""

STARTED = """
import json, linecache, sys
from pathlib import Path
from posenc_gui.look.qt import make_application
application = make_application([])
from posenc_gui.files.settings import Settings
from posenc_gui.window.main_window import MainWindow
window = MainWindow(Settings(Path(sys.argv[1])))
painted = []
for panel in window.panels.values():
    panel.painted.connect(painted.append)
window.show()
while len(painted) < sum(panel.isVisible() for panel in window.panels.values()):
    application.processEvents()
print(json.dumps({"modules": list(sys.modules), "read": list(linecache.cache)}))
"""

WINDOW = Path(__file__).with_name("edited_window.py")

BEHIND_REGISTRIES = {
    "posenc_core.encodings.": {"rotary", "learned", "no_position", "ramp", "binary", "t5", "shaw", "formula.family"},
    "posenc_core.rope_scaling.": {"by_parts", "listed", "longrope", "ntk", "proportional", "served", "uniform", "yarn"},
    "posenc_core.session.": {"session_schema", "model_schema"},
    "posenc_core.tables.": {"array_table", "table_files", "safetensors", "field"},
    "posenc_core.text.": {"tokenizer_opening", "tokenizer_shape", "model_tokens"},
    "posenc_gui.docks.": {"editors.formula_editor", "model_dock", "sentence.grid_row"},
}


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The modules at the first paint, and the files whose source was read until then."""
    settings = tmp_path_factory.mktemp("settings") / "settings.json"
    command = [sys.executable, "-c", STARTED, str(settings)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    answer = subprocess.run(
        command, cwd=Path(__file__).parents[2], env=environment, capture_output=True, text=True, check=True
    )
    found: dict[str, list[str]] = json.loads(answer.stdout)
    return found


@pytest.fixture(scope="module")
def loaded(started: dict[str, list[str]]) -> list[str]:
    """The modules at the first paint."""
    return started["modules"]


def test_few_modules_of_ours_are_loaded_before_the_first_paint(loaded: list[str]) -> None:
    ours = {name for name in loaded if name.startswith(("posenc_core", "posenc_gui"))}
    ours -= {"posenc_gui.look.typeset"}  # after a rest, which is over before the paint on a slow machine
    assert 100 < len(ours) <= MOST_OF_OURS


@pytest.mark.parametrize("room", BEHIND_REGISTRIES)
def test_families_scalings_and_readers_are_loaded_when_they_are_first_asked_for(room: str, loaded: list[str]) -> None:
    assert not {f"{room}{name}" for name in BEHIND_REGISTRIES[room]} & {*loaded}


def test_qt_reads_no_source_of_the_modules_that_are_imported_after_it(started: dict[str, list[str]]) -> None:
    assert {"pyqtgraph.functions", "posenc_gui.window.main_window"} <= {*started["modules"]}
    assert not {name for name in started["read"] if "pyqtgraph" in name or "posenc_" in name}


def test_after_the_first_paint_the_panels_of_all_workspaces_are_made(tmp_path: Path) -> None:
    folders = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("CONFIG", "DATA")}
    command = [sys.executable, str(WINDOW), "waiting", str(tmp_path)]
    answer = subprocess.run(
        command, env={**os.environ, **folders}, capture_output=True, text=True, check=True, timeout=600
    )
    assert answer.stdout.split() == sorted({name for workspace in WORKSPACES for name in first_panels(workspace)})
