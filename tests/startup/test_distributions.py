"""The two distributions, built from this checkout and installed in fresh environments with an encoding's package."""

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest
from installed import ROOT, build_wheels, environment, run
from plugin_files import EXAMPLE

from posenc_core import __version__

WHOLE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CORE = tomllib.loads((ROOT / "tools" / "posenc-core" / "pyproject.toml").read_text(encoding="utf-8"))["project"]

PACKAGE = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "my-encodings"
version = "1.0"
dependencies = ["posenc-core"]

[project.entry-points."posenc.encodings"]
waves = "my_encodings:FadingWaves"

[tool.hatch.build.targets.wheel]
only-include = ["my_encodings.py"]
"""

IN_A_NOTEBOOK = """
import sys
import posenc_core as pc
rope = pc.encoding("rotary", head_dim=128)
assert rope._repr_html_().count("<rect") == 64 * 64
assert pc.table(pc.encoding("learned"), [0]).shape == (1, 32)
assert pc.identify(pc.table(pc.encoding("sinusoidal", d_model=32), range(48)), against="paper") is not None
print(pc.__version__, [name for name in sys.modules if name.startswith(("PySide6", "posenc_gui"))])
"""

IN_THE_WINDOW = """
import sys
from pathlib import Path
from posenc_gui.look import make_application
application = make_application([])
from posenc_core import Document
from posenc_gui.files import Settings
from posenc_gui.panels import PANELS, suitable_panels
from posenc_gui.window import MainWindow
raised = []
sys.excepthook = lambda *error: raised.append(error)
window = MainWindow(Settings(Path(sys.argv[1])))
window.show()
application.processEvents()
assert "fading_waves" not in str(sys.modules.keys())
window.commands.find_encodings()
window.store.replace(Document("the quick brown fox").edited("family", "fading_waves"), "mine")
shown = suitable_panels(window.store.document)
for panel in shown:
    window.workspaces.show_panel(panel, True)
    application.processEvents()
    window.panels[panel].figure.viewport.reset()
    window.store.edit("rate", 0.1 + 0.01 * len(panel))
    application.processEvents()
assert not raised, raised
print(len(shown), window.statusBar().currentMessage())
"""


def test_the_core_needs_a_part_of_what_the_whole_program_needs() -> None:
    assert set(CORE["dependencies"]) < set(WHOLE["dependencies"])
    assert not [each for each in CORE["dependencies"] if "PySide6" in each]
    assert CORE["requires-python"] == WHOLE["requires-python"]
    assert WHOLE["version"] == __version__
    assert CORE["dynamic"] == ["version"], "which is that of posenc_core"


def test_every_library_that_the_core_imports_is_a_dependency_of_its_distribution() -> None:
    names: set[str] = set()
    for path in (ROOT / "posenc_core").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                names.add(node.module or "")
    foreign = {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"posenc_core"}
    named = {
        re.split("[>=]", each)[0] for each in (*CORE["dependencies"], *CORE["optional-dependencies"]["tokenizers"])
    }
    assert foreign == named


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheels of both distributions, and of a package with an encoding."""
    folder = tmp_path_factory.mktemp("wheels")
    package = tmp_path_factory.mktemp("package")
    (package / "pyproject.toml").write_text(PACKAGE, encoding="utf-8")
    (package / "my_encodings.py").write_text(EXAMPLE, encoding="utf-8")
    build_wheels(folder, package)
    return folder


@pytest.mark.thorough
def test_the_core_is_installed_and_works_without_qt(wheels: Path, tmp_path: Path) -> None:
    programs = environment(tmp_path / "core", wheels, "posenc-core", "my-encodings")
    assert run(programs / "python", "-c", IN_A_NOTEBOOK) == f"{__version__} []\n"
    found = "import posenc_core as pc; print(pc.encoding('fading_waves', rate=0.5).rate, pc.ENCODINGS.complete())"
    assert run(programs / "python", "-c", found) == "0.5 ()\n"
    installed = run(programs / "python", "-m", "pip", "list").lower()
    assert "pyside" not in installed
    assert "posenc-core" in installed


@pytest.mark.thorough
def test_the_program_is_installed_with_the_core_and_shows_an_installed_encoding_in_every_panel(
    wheels: Path, tmp_path: Path
) -> None:
    programs = environment(tmp_path / "whole", wheels, "posenc", "my-encodings")
    assert run(programs / "posenc", "--version") == f"PosEnc {__version__}\n"
    options = ("--family", "fading_waves", "--rate", "0.1", "--panel", "all", "--format", "png", "--out", tmp_path)
    written = run(programs / "posenc", "export", "--sentence", "the quick brown fox", *options).splitlines()
    shown, message = (
        run(programs / "python", "-c", IN_THE_WINDOW, tmp_path / "settings.json").strip().partition(" ")[::2]
    )
    assert (int(shown), message) == (len(written), "")
    assert {"heatmap", "waves", "gallery", "scorecard", "similarity"} <= {Path(each).stem for each in written}
