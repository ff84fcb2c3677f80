"""A new encoding or scaling takes a file and an entry, a new panel a folder and a line, a workspace a line.

All are added to a copy of the program; command line, window and import contracts must follow without another edit.
"""

import difflib
import filecmp
import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from made_families import FadingBias, LogBias, RootScaling, file_of

from posenc_core.encodings import described, headings
from posenc_gui.panels import WORKSPACES

ROOT = Path(__file__).parents[2]

LOUDER = '''
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

PANEL = {
    "__init__.py": '"""The panel of a count."""\n',
    "spec.py": """
from posenc_core.fields import IntegerField
from posenc_gui.model.panel_spec import PanelSpec

COUNT_BY = IntegerField(
    name="count_by", label="count by", help="How many positions are one.", default=1, minimum=1, maximum=100
)

SPEC = PanelSpec(
    package=__package__,
    title="Count",
    hint="number of positions",
    explanation="The number of positions that the other panels show, in parts of as many as the option says.",
    options=(COUNT_BY,),
    controls=(COUNT_BY.name,),
)
""",
    "numbers.py": """
import numpy as np

from posenc_gui.panels.count.spec import COUNT_BY


def count_of(document):
    return document.seq_len / document.option(COUNT_BY)


def numbers(document, progress):
    return {"count": np.array([count_of(document)])}
""",
    "derive.py": """
from posenc_core import Derivation
from posenc_core.explain import Step
from posenc_gui.model.subjects import Subject
from posenc_gui.panels.count.numbers import count_of


class Counted(Subject, frozen=True):
    def words(self, document):
        return ("count of positions",)

    def derivation(self, document):
        count = count_of(document)
        return Derivation("n", f"n = {count}", f"n = {count}", f"print({count})", (Step("n", "n", count),))
""",
    "pointing.py": """
from msgspec.structs import replace

from posenc_gui.figures.pointing import Pointing
from posenc_gui.panels.count.derive import Counted
from posenc_gui.panels.count.numbers import count_of


class CountPointing(Pointing):
    def number(self):
        return count_of(self.view.document)

    def stepped(self, view, across, down):
        return replace(view.at, pinned=True, subject=Counted())
""",
    "picture.py": """
from posenc_gui.figures.figure import Figure
from posenc_gui.panels.count.numbers import count_of
from posenc_gui.panels.count.pointing import CountPointing
from posenc_gui.panels.count.spec import SPEC


class CountFigure(Figure):
    spec, pointing_class = SPEC, CountPointing

    def __init__(self, style):
        super().__init__(style)
        self._label = self.addLabel("")
        self._document_shown(self.document)

    def _document_shown(self, before):
        self._label.setText(f"{count_of(self.document):g} positions")


FIGURE = CountFigure
""",
    "script.py": """
from posenc_gui.panels.count.numbers import count_of


def script(view):
    return f"print({count_of(view.document)})"
""",
}
"""The texts of the files of a panel with an option, numbers, a derivation and a script."""

PANEL_LINE = '    "count": PanelEntry("Count", "counting"),'
WORKSPACE_LINE = '    "counting": Workspace("Counting", "How many positions are there?", ("waves",)),'

IN_THE_WINDOW = """
import json, sys
from posenc_gui.look.qt import make_application
application = make_application([])
from pathlib import Path
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget
from posenc_core import Document
from posenc_gui.window.main_window import MainWindow
from posenc_gui.files.settings import Settings
window = MainWindow(Settings(Path(sys.argv[1])))
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
store = window.store
store.edit("seq_len", 30)
loaded = [name for name in sys.modules if name.startswith("posenc_gui.panels.")]
made = list(window.panels)
window.workspaces.choose("counting")
application.processEvents()
by = named("count by")[0]
by.lineEdit().setText("4")
by.editingFinished.emit()
panel = window.panels["count"]
window.cursor_control.hold(panel.figure.pointing.moved(Qt.Key.Key_Right, 1))
application.processEvents()
actions = [action for menu in window.findChildren(QMenu) for action in menu.actions()]
print(json.dumps({
    "before": before,
    "families": [family.itemText(i) for i in range(family.count())],
    "tip": gain.toolTip(),
    "gain": store.document.value("gain"),
    "undo": store.history.undo_text,
    "count_by": store.document.value("count_by"),
    "stored": store.document.to_dict()["panels"]["count"],
    "same": Document.from_json(store.document.to_json()) == store.document,
    "made": made,
    "loaded": loaded,
    "entries": [action.text() for action in actions],
    "keys": {action.text(): action.shortcut().toString() for action in actions if not action.shortcut().isEmpty()},
    "workspaces": window.workspaces.offered,
    "shown": sorted(name for name, each in window.panels.items() if each.isVisible()),
    "number": panel.figure.pointing.number(),
    "derived": [each.value for each in window.number_dock._derivations],
    "script": panel.figure.script(),
}))
"""


FAMILIES_FILE, PANELS_FACE = "posenc_core/encodings/registry.py", "posenc_gui/panels/__init__.py"
SCALINGS_FILE = "posenc_core/rope_scaling/registry.py"


FAMILIES = {
    "louder": ("Louder", LOUDER),
    "fading": ("FadingBias", file_of(FadingBias)),
    "log_bias": ("LogBias", file_of(LogBias)),
}


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """A copy of the program with other encodings, another scaling, another panel and another workspace."""
    root = tmp_path_factory.mktemp("grown")
    for part in ("posenc_core", "posenc_gui", "resources"):
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("main.py", "pyproject.toml"):
        shutil.copy(ROOT / part, root)
    for name, (kind, text) in FAMILIES.items():
        (root / f"posenc_core/encodings/{name}.py").write_text(text, encoding="utf-8")
        edit(root / FAMILIES_FILE, "\n\nENCODINGS", f"\nfrom posenc_core.encodings.{name} import {kind}\n\nENCODINGS")
        edit(root / FAMILIES_FILE, "\n    ),\n)", f"\n        {kind},\n    ),\n)")
    (root / "posenc_core/rope_scaling/root.py").write_text(file_of(RootScaling), encoding="utf-8")
    edit(root / SCALINGS_FILE, "\n\nSCALINGS", "\nfrom posenc_core.rope_scaling.root import RootScaling\n\nSCALINGS")
    edit(root / SCALINGS_FILE, "\n    ),\n)\n", "\n        RootScaling,\n    ),\n)\n")
    folder = root / "posenc_gui/panels/count"
    folder.mkdir()
    for name, text in PANEL.items():
        (folder / name).write_text(text, encoding="utf-8")
    edit(root / PANELS_FACE, "\nPANELS = {\n", f"\nPANELS = {{\n{PANEL_LINE}\n")
    edit(root / PANELS_FACE, "\n}  # fmt: skip\n", f"\n{WORKSPACE_LINE}\n}}  # fmt: skip\n")
    return root


def edit(path, before, after):
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1
    path.write_text(text.replace(before, after), encoding="utf-8")


def python_files(root):
    paths = (path for part in ("posenc_core", "posenc_gui") for path in (root / part).rglob("*.py"))
    return {path.relative_to(root).as_posix() for path in paths}


def changed_lines(root, name):
    """The lines that the copy of a file has more (+) or less (-) than the file."""
    texts = [(folder / name).read_text(encoding="utf-8").splitlines() for folder in (ROOT, root)]
    return [line for line in difflib.ndiff(*texts) if line[0] in "+-"]


def run(root, *arguments):
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_encodings_and_scalings_are_files_with_entries_a_panel_a_folder_with_a_line_and_a_workspace_a_line(grown):
    before, after = python_files(ROOT), python_files(grown)
    assert after - before == {
        *(f"posenc_core/encodings/{name}.py" for name in FAMILIES),
        "posenc_core/rope_scaling/root.py",
        *(f"posenc_gui/panels/count/{name}" for name in PANEL),
    }
    changed = [
        name for name in (*before, "pyproject.toml") if not filecmp.cmp(ROOT / name, grown / name, shallow=False)
    ]
    assert set(changed) == {FAMILIES_FILE, SCALINGS_FILE, PANELS_FACE}
    assert changed_lines(grown, FAMILIES_FILE) == [
        *(f"+ from posenc_core.encodings.{name} import {kind}" for name, (kind, _) in FAMILIES.items()),
        *(f"+         {kind}," for kind, _ in FAMILIES.values()),
    ]
    assert changed_lines(grown, SCALINGS_FILE) == [
        "+ from posenc_core.rope_scaling.root import RootScaling",
        "+         RootScaling,",
    ]
    assert changed_lines(grown, PANELS_FACE) == [f"+ {WORKSPACE_LINE}", f"+ {PANEL_LINE}"]


def test_the_import_contracts_hold_with_them_and_forbid_a_panel_that_reaches_up(grown):
    check = "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache'])"
    assert " 0 broken" in run(grown, "-c", check)
    figure = grown / "posenc_gui/panels/count/picture.py"
    figure.write_text(PANEL["picture.py"] + "\nimport posenc_gui.window.main_window\n", encoding="utf-8")
    try:
        with pytest.raises(AssertionError):
            run(grown, "-c", check)
    finally:
        figure.write_text(PANEL["picture.py"], encoding="utf-8")


def test_the_command_line_knows_a_new_encoding_and_a_new_panel(grown, tmp_path):
    assert "--gain" in run(grown, "main.py", "export", "--help")
    written = run(
        grown, "main.py", "export", "--sentence", "Dan loves", "--family", "louder", "--gain", "2", "--d-model", "4",
        "--count-by", "4", "--panel", "count", "--format", "png", "--format", "npy", "--format", "csv",
        "--out", str(tmp_path),
    )  # fmt: skip
    assert {Path(line).name for line in written.splitlines()} == {"count.png", "vectors.npy", "count.csv"}
    assert (tmp_path / "count.csv").read_text(encoding="utf-8") == "count\n15\n"
    vectors = np.load(tmp_path / "vectors.npy")
    assert vectors[1] == pytest.approx([2 * np.sin(1), 2 * np.cos(1), 2 * np.sin(0.01), 2 * np.cos(0.01)], abs=1e-6)


def test_the_command_line_exports_a_bias_a_family_of_query_and_key_and_a_scaling(grown, tmp_path):
    helped = run(grown, "main.py", "export", "--help")
    assert all(flag in helped for flag in ("--strength", "--reach", "--root"))
    formats = ("--format", "npy", "--format", "png")
    common = ("main.py", "export", "--sentence", "a b c", "--seq-len", "3", *formats, "--out")
    bias = ("--family", "log_bias", "--n-heads", "2", "--reach", "2")
    run(grown, *common, str(tmp_path / "log"), *bias, "--panel", "scores", "--panel", "gallery")
    fading = ("--family", "fading", "--n-heads", "2", "--strength", "3")
    run(grown, *common, str(tmp_path / "fading"), *fading, "--panel", "pairs", "--panel", "scorecard")
    root = ("--family", "rotary", "--head-dim", "4", "--scaling", "root", "--root", "9")
    run(grown, *common, str(tmp_path / "root"), *root, "--compared-scalings", "root,linear", "--panel", "spectrum")
    drawn = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.png")}
    asked = {"log/scores.png", "log/gallery.png", "fading/pairs.png", "fading/scorecard.png", "root/spectrum.png"}
    assert drawn == asked
    log, fading, root = (np.load(tmp_path / name / "vectors.npy") for name in ("log", "fading", "root"))
    far = np.arange(2.0, -1.0, -1.0)
    assert log[:3] == pytest.approx(-np.outer(np.log1p(far / 2), [1, 1 / 2]), abs=1e-6)
    assert fading == pytest.approx(-3 * np.outer(far / (1 + 2), [1 / 2, 1 / 4]), abs=1e-6)
    angles = np.outer(np.arange(3), [1 / 3, 1 / 300])
    assert root == pytest.approx(np.hstack([np.cos(angles), np.sin(angles)]), abs=1e-6)


@pytest.fixture(scope="module")
def seen(grown, tmp_path_factory):
    """Report of the copy's window."""
    settings = tmp_path_factory.mktemp("settings") / "settings.json"
    return json.loads(run(grown, "-c", textwrap.dedent(IN_THE_WINDOW), str(settings)))


def test_the_window_has_the_new_field(seen):
    made_titles = ["Louder", "Fading bias", "Logarithmic bias"]
    built_in = {words for _, words in described()}
    assert set(seen["families"]) == {*built_in, *headings(), *made_titles}
    assert seen["before"] == 0
    assert "What every entry is multiplied by." in seen["tip"]
    assert seen["gain"] == 2.5


def test_the_window_has_the_new_panel_with_its_option_its_derivation_and_its_script(seen):
    assert "count" not in seen["made"]
    assert not {f"posenc_gui.panels.{name}.picture" for name in ("count", "pairs", "spectrum")} & set(seen["loaded"])
    assert "Count" in seen["entries"]
    assert seen["count_by"] == 4
    assert seen["undo"] == "count_by 1 → 4"
    assert seen["stored"] == {"count_by": 4}
    assert seen["same"]
    assert seen["number"] == 7.5
    assert seen["derived"] == [7.5]
    assert seen["script"] == "print(7.5)"


def test_the_window_has_the_new_workspace(seen):
    assert "counting" in seen["workspaces"]
    assert seen["keys"]["Counting"] == f"Ctrl+{len(WORKSPACES) + 1}", "the line stands behind the others"
    assert seen["shown"] == ["count", "waves"]


def test_no_file_of_the_window_names_a_family():
    """The registry is the only way to the families, also for docks and panels."""
    for path in (ROOT / "posenc_gui").rglob("*.py"):
        assert "sinusoidal" not in path.read_text(encoding="utf-8").lower().replace("encodings.sinusoidal", ""), path
