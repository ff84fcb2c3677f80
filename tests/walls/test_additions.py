"""What an engineer who adds an encoding or a picture is promised: a new file and a line in a table, no more.

The promise is tried on a copy of the program: a file is added, a line is changed, and the rest must follow.
"""

import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from posenc_core import ENCODINGS
from posenc_gui.panels import PANEL_NAMES

ROOT = Path(__file__).parents[2]

ENCODING = '''
from dataclasses import dataclass
from typing import ClassVar

from posenc_core.encodings.sinusoidal import Sinusoidal
from posenc_core.fields import Field, RealField

GAIN = RealField(
    name="gain", label="&gain", help="What every entry is multiplied by.", default=1.0, above=0.0, slider=(0.1, 10.0)
)


@dataclass(frozen=True)
class Louder(Sinusoidal):
    """Sinusoids times a gain."""

    gain: float = 1.0

    family: ClassVar[str] = "louder"
    title: ClassVar[str] = "Louder"
    summary: ClassVar[str] = "Sinusoids times a gain."
    FIELDS: ClassVar[tuple[Field, ...]] = (*Sinusoidal.FIELDS, GAIN)

    def values(self, positions, columns):
        return self.gain * super().values(positions, columns)

    def encode(self, positions, columns):
        return self.values(positions, columns).astype("float32")
'''

PANEL = '''
from posenc_gui.panels.heatmap.figure import HeatmapFigure


class MirrorFigure(HeatmapFigure):
    """Another picture."""

    name = "mirror"
    title = "Mirror"
    hint = "another picture"
'''

IN_THE_WINDOW = """
import json, sys
from posenc_gui.look.qt import make_application
application = make_application([])
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QMenu, QWidget
from posenc_core import Document
from posenc_gui.window.main_window import MainWindow
from posenc_gui.files.settings import Settings
window = MainWindow(Settings(QSettings(sys.argv[1], QSettings.Format.IniFormat)))
window.show()
application.processEvents()
def named(name):
    return [w for w in window.findChildren(QWidget) if w.accessibleName() == name and w.isVisible()]
family = named("family")[0]
before = len(named("gain"))
family.setCurrentIndex(family.findText("Louder"))
family.activated.emit(family.currentIndex())
application.processEvents()
gain = named("gain")[0]
gain.setText("2.5")
gain.editingFinished.emit()
print(json.dumps({
    "before": before,
    "families": [family.itemText(i) for i in range(family.count())],
    "tip": gain.toolTip(),
    "gain": window.store.document.value("gain"),
    "undo": window.store.history.undoText(),
    "same": Document.from_json(window.store.document.to_json()) == window.store.document,
    "panels": list(window.panels),
    "entries": [a.text() for m in window.findChildren(QMenu) if m.title() == "&View" for a in m.actions()],
    "painted": window.panels["mirror"].view.isVisible(),
}))
"""


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """A copy of the program with one encoding and one panel more."""
    root = tmp_path_factory.mktemp("grown")
    for part in ("posenc_core", "posenc_gui", "resources"):
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "main.py", root)
    (root / "posenc_core/encodings/louder.py").write_text(ENCODING, encoding="utf-8")
    table = root / "posenc_core/encodings/__init__.py"
    listed = table.read_text(encoding="utf-8").replace(
        "        Rotary,\n    )", "        Rotary,\n        Louder,\n    )"
    )
    table.write_text(
        listed.replace("\n\nENCODINGS", "\nfrom posenc_core.encodings.louder import Louder\n\nENCODINGS"),
        encoding="utf-8",
    )
    (root / "posenc_gui/panels/mirror").mkdir()
    (root / "posenc_gui/panels/mirror/__init__.py").write_text("", encoding="utf-8")
    (root / "posenc_gui/panels/mirror/figure.py").write_text(PANEL, encoding="utf-8")
    table = root / "posenc_gui/panels/__init__.py"
    listed = table.read_text(encoding="utf-8")
    line = '    "mirror": "posenc_gui.panels.mirror.figure:MirrorFigure",\n'
    table.write_text(listed.replace("_FIGURES = {\n", "_FIGURES = {\n" + line, 1), encoding="utf-8")
    return root


def run(root, *arguments):
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_command_line_knows_a_new_encoding_and_a_new_panel(grown, tmp_path):
    assert "--gain" in run(grown, "main.py", "export", "--help")
    written = run(
        grown, "main.py", "export", "--sentence", "Dan loves", "--family", "louder", "--gain", "2", "--d-model", "4",
        "--panel", "mirror", "--format", "png", "--format", "npy", "--out", str(tmp_path),
    )  # fmt: skip
    assert {Path(line).name for line in written.splitlines()} == {"mirror.png", "vectors.npy"}
    vectors = np.load(tmp_path / "vectors.npy")
    assert vectors[1] == pytest.approx([2 * np.sin(1), 2 * np.cos(1), 2 * np.sin(0.01), 2 * np.cos(0.01)], abs=1e-6)


def test_the_window_has_the_new_field_and_the_new_panel(grown, tmp_path):
    seen = json.loads(run(grown, "-c", textwrap.dedent(IN_THE_WINDOW), str(tmp_path / "settings.ini")))
    assert seen["families"] == [*(family.title for family in ENCODINGS.values()), "Louder"]
    assert seen["before"] == 0
    assert "What every entry is multiplied by." in seen["tip"]
    assert seen["gain"] == 2.5
    assert seen["undo"] == "gain 1 → 2.5"
    assert seen["same"]
    assert set(seen["panels"]) == {*PANEL_NAMES, "mirror"}
    assert "Mirror" in seen["entries"]
    assert seen["painted"]


def test_no_name_of_a_family_stands_in_the_window():
    """Families are reached by their table alone: neither docks nor panels know one of them."""
    for path in (ROOT / "posenc_gui").rglob("*.py"):
        assert "sinusoidal" not in path.read_text(encoding="utf-8").lower().replace("encodings.sinusoidal", ""), path
