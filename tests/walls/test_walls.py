"""Rules beyond imports: rooms without Qt, short files and functions, and no unfinished work."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from posenc_core import Document, View
from posenc_core.encodings import ENCODINGS
from posenc_gui.panels import PANELS, figure_class, spec_of

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
    "posenc_gui.model.panel_spec",
    "posenc_gui.panels",
    *(
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for part in ("spec", "numbers", "plots", "derive")
        for path in sorted((ROOT / "posenc_gui" / "panels").glob(f"*/{part}.py"))
    ),
)

COMPARED = """
from posenc_core import Document, Rotary, Sinusoidal, Yarn
from posenc_core.session import NamedEncoding
listed = [Rotary(16), Rotary(16, rope_theta=500.0), Rotary(16, scaling=Yarn(4.0, 512))]
document = Document("a b c").with_encodings([NamedEncoding(each) for each in listed], 1)
"""


def loads_qt(program: str) -> bool:
    """Whether a new process has loaded Qt at the end of a program."""
    ending = "\nimport sys; print([name for name in sys.modules if name.startswith(('PySide6', 'pyqtgraph'))])"
    run = subprocess.run([sys.executable, "-c", program + ending], cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()[-1] != "[]"


@pytest.mark.one_of(4)
@pytest.mark.parametrize("module", NO_QT)
def test_no_qt_is_imported_with(module):
    assert not loads_qt(f"import {module}")


def test_no_qt_is_needed_to_choose_panels_and_to_compute_their_numbers():
    program = f"""{COMPARED}
from posenc_gui.panels import PANELS, drawn_numbers, spec_of, suitable_panels
shown = suitable_panels(document)
assert {{"pairs", "seen", "patches", "cache"}} <= set(PANELS) - set(shown)
assert {{"waves", "spectrum", "drift", "scorecard"}} <= set(shown)
numbers = [name for name in shown if spec_of(name).has_numbers]
assert len(numbers) > 10
assert all(drawn_numbers(name, document) for name in numbers)
"""
    assert not loads_qt(program)
    assert loads_qt("from posenc_gui.panels import figure_class; figure_class('drift')")


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        (["--help"], set()),
        (["export", "--help"], set()),
        (["export", "--format", "csv", "--format", "npy"], {"vectors.csv", "vectors.npy"}),
        (
            ["export", "--format", "csv", "--panel", "similarity", "--panel", "gallery"],
            {"similarity.csv", "gallery.csv"},
        ),
    ],
)
def test_no_qt_is_needed_for_the_numbers_of_the_command_line(tmp_path, arguments, written):
    folder = ["--out", str(tmp_path)] if written else []
    given = [*arguments, *folder]
    program = f"""
from posenc_gui.start.launch import main
try:
    main({given!r})
except SystemExit as ended:
    assert not ended.code
"""
    assert not loads_qt(program)
    assert {path.name for path in tmp_path.iterdir()} == written


@pytest.mark.parametrize("name", PANELS)
def test_every_panel_is_found_under_its_own_name_and_explains_itself(name):
    spec = spec_of(name)
    assert figure_class(name).spec is spec
    assert (spec.name, spec.title) == (name, PANELS[name].title)
    assert spec.hint
    assert len(spec.explanation) > 100
    assert len(spec.explanation.split()) <= LONGEST_EXPLANATION


@pytest.mark.parametrize("name", PANELS)
def test_a_file_of_texts_has_no_text_that_no_panel_shows(name):
    written = json.loads((ROOT / "posenc_gui" / "panels" / name / "texts.json").read_text(encoding="utf-8"))
    assert {each: getattr(spec_of(name), each) for each in written} == written
    assert set(written) <= {"title", "hint", "explanation", "handling", "more"}


def test_no_two_fields_of_a_document_have_one_name():
    options = [field.name for name in PANELS for field in spec_of(name).options]
    own = {field.name for field in Document().edited("family", "none").fields} | {field.name for field in View.FIELDS}
    families = {field.name for family in ENCODINGS.values() for field in family.FIELDS}
    assert len(options) > 10
    assert len(set(options)) == len(options)
    assert not set(options) & (families | own - set(options))
    assert set(options) <= {field.name for field in Document().fields}


def test_every_control_of_a_panel_is_a_field_of_a_document():
    known = {field.name for field in Document().fields}
    assert all(set(spec_of(name).controls) <= known for name in PANELS)


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


def test_texts_have_one_form_of_apostrophe() -> None:
    """The one of keyboards, so that what is read can be typed into a search."""
    folders = ("posenc_core", "posenc_gui", "resources")
    texts = [
        path for folder in folders for end in ("py", "json", "txt", "js") for path in (ROOT / folder).rglob(f"*.{end}")
    ]
    assert len(texts) > 500
    curly = (
        f"{path.name}:{number}"
        for path in texts
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if re.search("[‘’]", line)
    )
    assert not list(curly)
