"""The graph of imports, from the source alone: no circle, no import from a room above, no import behind a face.

Imports under ``TYPE_CHECKING`` and within functions count like all others. The order of the rooms is that of the layers
contracts in ``pyproject.toml``.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from cases import each_case

ROOT = Path(__file__).parents[2]
PACKAGES = ("posenc_core", "posenc_gui")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

LEAST, MOST = 4, 12
"""Modules of a room, its ``__init__`` not counted."""

MAY_HAVE_FEWER = ("posenc_gui.plotting", "posenc_gui.panels.")

Graph = Mapping[str, AbstractSet[str]]
Floors = Mapping[str, Mapping[str, int]]
"""For each package the floors of its rooms, 0 at the top; the package's own face is above all of them."""

Import = tuple[str, str]


def sources() -> dict[str, str]:
    """The text of every module by its dotted name; a package's name stands for its ``__init__``."""
    found = {}
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path.read_text(encoding="utf-8")
    return found


def graph_of(texts: Mapping[str, str]) -> Graph:
    """The modules that each module imports, among those of the mapping."""
    return {name: set(imported(ast.parse(text), texts)) - {name} for name, text in texts.items()}


def imported(tree: ast.AST, known: Collection[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                yield from [each for each in (submodule, node.module) if each in known][:1]


def floors_of(project: Mapping[str, Mapping[str, Mapping[str, Collection[Mapping[str, list[str]]]]]]) -> Floors:
    """The floors that the layers contracts of a ``pyproject.toml`` name."""
    return {
        contract["containers"][0]: {
            room.strip(): floor for floor, rooms in enumerate(contract["layers"]) for room in rooms.split("|")
        }
        for contract in project["tool"]["importlinter"]["contracts"]
        if contract["type"] == "layers"
    }


def room_of(module: str) -> tuple[str, str]:
    """The package and the room of a module; the room of a package's own face is empty."""
    package, _, rest = module.partition(".")
    return package, rest.partition(".")[0]


def circle(graph: Graph) -> list[str]:
    """The modules of a circle of imports, the first one again at the end; empty without a circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def upward(graph: Graph, floors: Floors) -> list[Import]:
    """The imports from a room above or beside, and those of the core from the window."""
    found = []
    for module, target in pairs(graph):
        (package, room), (other_package, other) = room_of(module), room_of(target)
        if package == other_package and room != other:
            found += [(module, target)] if floor(floors, target) <= floor(floors, module) else []
        elif package != other_package and package == "posenc_core":
            found.append((module, target))
    return found


def floor(floors: Floors, module: str) -> int:
    package, room = room_of(module)
    return floors[package][room] if room else -1


def behind_faces(graph: Graph) -> list[Import]:
    """The imports from a file by another room, which should import the face of the folder that the file is in."""
    folders = {module.rpartition(".")[0] for module in graph}
    return [
        (module, target)
        for module, target in pairs(graph)
        if target.count(".") > 1 and target not in folders and room_of(module) != room_of(target)
    ]


def names_of_faces() -> dict[str, list[str]]:
    """The names that each face offers, those of the registries of encodings, scalings and panels left out."""
    faces: dict[str, list[str]] = {}
    for name, text in sources().items():
        if "on_demand(__name__)" in text and name != "posenc_core.faces":
            imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
            ours = [node for node in imports if str(node.module).startswith(tuple(f"{each}." for each in PACKAGES))]
            faces[name] = [alias.name for node in ours for alias in node.names if alias.name != "on_demand"]
    return faces


def between_panels(graph: Graph) -> list[Import]:
    """The imports of one panel from another."""

    def panel(module: str) -> str:
        return module.split(".")[2] if module.startswith("posenc_gui.panels.") else ""

    return [(m, t) for m, t in pairs(graph) if panel(m) and panel(t) and panel(m) != panel(t)]


def between_docks(graph: Graph) -> list[Import]:
    """The imports of one dock from another; the sentence bar counts as a dock."""

    def is_dock(module: str) -> bool:
        return module.startswith("posenc_gui.docks.") and module.endswith(("_dock", ".sentence_bar"))

    return [(module, target) for module, target in pairs(graph) if is_dock(module) and is_dock(target)]


def sizes(names: Collection[str]) -> dict[str, int]:
    """The modules directly in each room; a room holds a module beside its ``__init__``."""
    rooms = {name.rpartition(".")[0] for name in names} - {""}
    modules = Counter(name.rpartition(".")[0] for name in names if name not in rooms)
    return {room: modules[room] for room in rooms if modules[room]}


def misfits(names: Collection[str]) -> dict[str, int]:
    """The rooms with too few or too many modules."""
    return {
        room: count
        for room, count in sizes(names).items()
        if room not in PACKAGES
        and count != 1
        and (count > MOST or (count < LEAST and not f"{room}.".startswith(MAY_HAVE_FEWER)))
    }


def pairs(graph: Graph) -> Iterator[Import]:
    return ((module, target) for module, targets in graph.items() for target in sorted(targets))


@pytest.fixture(scope="module")
def graph() -> Graph:
    return graph_of(sources())


def test_no_files_import_each_other_in_a_circle(graph: Graph) -> None:
    assert circle(graph) == []


def test_every_room_has_a_floor(graph: Graph) -> None:
    rooms = {(package, room) for package, room in map(room_of, graph) if room}
    assert {(package, room) for package, floors in floors_of(PROJECT).items() for room in floors} == rooms


def test_no_file_imports_from_a_room_above_or_beside(graph: Graph) -> None:
    assert upward(graph, floors_of(PROJECT)) == []


def test_other_rooms_import_the_faces_of_rooms_alone(graph: Graph) -> None:
    assert behind_faces(graph) == []


@each_case("face, names", names_of_faces().items())
def test_a_face_finds_what_it_offers(face: str, names: list[str]) -> None:
    """A file of the room with the same name would take the place of what the face offers."""
    assert names
    found = {name: getattr(import_module(face), name) for name in names}
    assert not [name for name, value in found.items() if isinstance(value, ModuleType) and not callable(value)]
    with pytest.raises(AttributeError, match=f"module '{face}' has no attribute 'no_such_name'"):
        import_module(face).no_such_name  # noqa: B018


@each_case("face", names_of_faces())
def test_a_face_loads_nothing_before_it_is_asked(face: str) -> None:
    program = f"import sys, {face}\nprint([name for name in sys.modules if name.startswith('{face}.')])"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(ast.literal_eval(done.stdout)) <= {"posenc_core.explain", "posenc_core.faces", "posenc_core.fields"}


def test_panels_do_not_import_each_other(graph: Graph) -> None:
    assert between_panels(graph) == []


def test_docks_do_not_import_each_other(graph: Graph) -> None:
    assert between_docks(graph) == []


def test_every_room_has_a_handful_of_modules(graph: Graph) -> None:
    assert misfits(graph) == {}


def test_the_arrows_of_the_picture_are_the_imports(graph: Graph) -> None:
    """Each arrow is an import, and each import can be followed along arrows."""
    picture = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").partition("```mermaid")[2].partition("```")[0]
    drawn = dict(re.findall(r"subgraph \w+ \[(\w+)\]\n(.*?)\n  end", picture, re.DOTALL))
    assert set(drawn) == set(PACKAGES)
    for package, lines in drawn.items():
        arrows: dict[str, set[str]] = {}
        for line in lines.replace(" ", "").splitlines():
            for froms, tos in pairwise(part.split("&") for part in line.split("-->")):
                for room in froms:
                    arrows.setdefault(room, set()).update(tos)
        both = [(room_of(module), room_of(target)) for module, target in pairs(graph)]
        inside = {(one[1], two[1]) for one, two in both if one[0] == two[0] == package and one != two and one[1]}
        imports = {(room, other) for room, other in inside if other != "faces"}  # which loads faces of rooms
        assert {(room, other) for room in arrows for other in arrows[room]} <= imports
        assert {(room, other) for room, other in imports if other not in led_to(room, arrows)} == set()


def led_to(room: str, arrows: Mapping[str, AbstractSet[str]]) -> set[str]:
    """The rooms that arrows lead to, in any number of steps."""
    return {found for other in arrows.get(room, ()) for found in (other, *led_to(other, arrows))}


TWO_FLOORS = {"posenc_core": {"encodings": 0, "tables": 1, "text": 1}, "posenc_gui": {"panels": 0, "docks": 1}}


@pytest.mark.parametrize(
    "line",
    [
        "import posenc_core.b",
        "from posenc_core import b",
        "from posenc_core.b import x",
        "def f():\n    import posenc_core.b",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from posenc_core.b import x",
    ],
)
def test_a_circle_is_found_whatever_the_form_of_the_import(line: str) -> None:
    texts = {"posenc_core": "", "posenc_core.a": line, "posenc_core.b": "from posenc_core.c import y"}
    assert circle(graph_of({**texts, "posenc_core.c": "import numpy"})) == []
    found = circle(graph_of({**texts, "posenc_core.c": "from posenc_core.a import z"}))
    assert set(found) == {"posenc_core.a", "posenc_core.b", "posenc_core.c"}


@pytest.mark.parametrize(
    ("module", "target", "is_upward"),
    [
        ("posenc_core.encodings.base", "posenc_core.tables", False),
        ("posenc_core", "posenc_core.encodings", False),
        ("posenc_core.tables.table", "posenc_core.tables.reductions", False),
        ("posenc_gui.docks.number_dock", "posenc_core.encodings", False),
        ("posenc_core.tables.table", "posenc_core.encodings", True),
        ("posenc_core.tables.table", "posenc_core.text", True),
        ("posenc_core.tables.table", "posenc_core", True),
        ("posenc_core.encodings.base", "posenc_gui.docks", True),
        ("posenc_gui.docks.number_dock", "posenc_gui.panels.waves.figure", True),
    ],
)
def test_an_import_from_a_room_above_or_beside_is_found(module: str, target: str, is_upward: bool) -> None:
    assert upward({module: {target}, target: set()}, TWO_FLOORS) == [(module, target)] * is_upward


def test_the_floors_are_read_from_the_contracts() -> None:
    text = '[[tool.importlinter.contracts]]\ntype = "layers"\ncontainers = ["posenc_core"]\nlayers = ["a", "b | c"]\n'
    assert floors_of(tomllib.loads(text)) == {"posenc_core": {"a": 0, "b": 1, "c": 1}}
    assert set(floors_of(PROJECT)) == set(PACKAGES)


@pytest.mark.parametrize(
    ("module", "target", "is_deep"),
    [
        ("posenc_gui.docks.number_dock", "posenc_core", False),
        ("posenc_gui.docks.number_dock", "posenc_core.encodings", False),
        ("posenc_core.encodings.rotary", "posenc_core.encodings.base", False),
        ("posenc_core", "posenc_core.encodings", False),
        ("posenc_gui.docks.number_dock", "posenc_core.encodings.base", True),
        ("posenc_core.encodings.base", "posenc_core.tables.table", True),
        ("posenc_core", "posenc_core.encodings.base", True),
        ("posenc_gui.window.menus", "posenc_gui.look", False),
        ("posenc_gui.window.menus", "posenc_gui.docks.editors", False),
        ("posenc_gui.docks.number_dock", "posenc_gui.docks.editors.form", False),
        ("posenc_gui.window.menus", "posenc_gui.look.style", True),
        ("posenc_gui.figures.panel", "posenc_gui.docks.editors.form", True),
    ],
)
def test_an_import_behind_a_face_is_found(module: str, target: str, is_deep: bool) -> None:
    nested: dict[str, AbstractSet[str]] = {"posenc_gui.docks.editors.number_editors": set()}
    assert behind_faces({module: {target}, **nested}) == [(module, target)] * is_deep


def test_an_import_between_panels_or_between_docks_is_found() -> None:
    figures = ("posenc_gui.panels.waves.figure", "posenc_gui.panels.pairs.cells")
    docks = ("posenc_gui.docks.number_dock", "posenc_gui.docks.sentence.sentence_bar")
    graph = {
        figures[0]: {figures[1], "posenc_gui.panels.waves.curves"},
        docks[0]: {docks[1], "posenc_gui.docks.headline"},
    }
    assert between_panels(graph) == [figures]
    assert between_docks(graph) == [docks]


@pytest.mark.parametrize(
    ("room", "count", "fits"),
    [
        ("posenc_core.tables", 4, True),
        ("posenc_core.tables", 12, True),
        ("posenc_gui.plotting", 2, True),
        ("posenc_gui.panels.waves", 2, True),
        ("posenc_core.tables", 1, True),
        ("posenc_core.tables", 3, False),
        ("posenc_core.tables", 13, False),
        ("posenc_gui.panels.waves", 13, False),
    ],
)
def test_a_room_with_too_few_or_too_many_modules_is_found(room: str, count: int, fits: bool) -> None:
    names = [room.partition(".")[0], room, *(f"{room}.module{number}" for number in range(count))]
    assert misfits(names) == ({} if fits else {room: count})
