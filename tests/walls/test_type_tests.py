"""No room asks of what family an encoding is: what an encoding can do is its own answer, as a value or None.

Only file formats and the answers of lessons name families and scalings, and what has a picture of its own.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path

import pytest
from test_classes import Class, classes

ROOT = Path(__file__).parents[2]

ALLOWED = {
    "posenc_core/long_context/table_difference.py": (1, "a difference has pictures of its own, of both its tables"),
    "posenc_core/model_config/description.py": (1, "a file of ALiBi may give other slopes than the encoding's"),
    "posenc_core/model_config/writing_back.py": (9, "each scaling has keys and options of its own in a file"),
    "posenc_core/story/lesson_answers.py": (1, "a lesson asks for that family by name"),
}
"""How often a file names a family or a scaling to ask for it, and why it must."""

MOST_NAMED = 20
ROOTS = {"Encoding", "RopeScaling"}
NAMES = {"family", "rope_type"}


def trees(*packages: str) -> Iterator[tuple[str, ast.Module]]:
    """The path and the syntax of each file in turn: of all files at once, syntax is half a gigabyte."""
    for path in sorted(path for package in packages for path in (ROOT / package).rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def names_in(node: ast.AST | None) -> set[str]:
    """The names in an expression, of attributes the last part too."""
    if node is None:
        return set()
    named = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return named | {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}


def kinds(known: Mapping[str, Class]) -> set[str]:
    """The classes of families and of scalings, those derived from others too, but not their two bases."""
    found = set(ROOTS)
    while more := {name for name, each in known.items() if found & {*each.bases}} - found:
        found |= more
    return found - ROOTS


def asked(tree: ast.Module, families: AbstractSet[str]) -> Iterator[int]:
    """The lines that ask of what family or scaling something is."""
    named = families | tuples_of(tree, families)
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kind]) if names_in(kind) & named:
                yield node.lineno
            case ast.MatchClass(cls=kind) if names_in(kind) & named:
                yield kind.lineno
            case ast.Compare() if compares_kind(node, named):
                yield node.lineno


def tuples_of(tree: ast.Module, families: AbstractSet[str]) -> set[str]:
    """The names of the module for several families at once."""
    return {
        name
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and names_in(node.value) & families
        for name in names_in(node if isinstance(node, ast.Assign) else node.target) - families
        if isinstance(node.value, ast.Tuple | ast.BinOp)
    }


def compares_kind(node: ast.Compare, named: AbstractSet[str]) -> bool:
    """Whether a class is compared with a family, or the name of a family or of a scaling with a text."""
    sides = (node.left, *node.comparators)
    has_text = any(
        isinstance(each, ast.Constant) and isinstance(each.value, str) for side in sides for each in ast.walk(side)
    )
    if has_text and any(isinstance(each, ast.Attribute) and each.attr in NAMES for each in sides):
        return any(isinstance(each, ast.Attribute) and names_in(each.value) & {"encoding", "scaling"} for each in sides)
    return any(isinstance(each, ast.Name) and each.id in named for each in sides)


def test_only_file_formats_lessons_and_differences_ask_for_a_family():
    families = kinds(classes("posenc_core"))
    assert {"Rotary", "Sinusoidal", "Alibi", "Yarn", "DynamicNtk", "TableDifference", "QueryKeyEncoding"} <= families
    assert "Encoding" not in families
    found = Counter(path for path, tree in trees("posenc_core", "posenc_gui") for _ in asked(tree, families))
    assert found == {path: count for path, (count, why) in ALLOWED.items() if why}
    assert found.total() <= MOST_NAMED


@pytest.mark.parametrize(
    "line",
    [
        "isinstance(encoding, Rotary)",
        "isinstance(encoding, rotary.Rotary | Alibi)",
        "issubclass(kind, (Rotary, Sinusoidal))",
        "isinstance(encoding, TURNING)",
        "match encoding:\n    case Rotary(): pass",
        "type(encoding) is Rotary",
        "encoding.family == 'rotary'",
        "document.encoding.family in ('rotary', other)",
        "rotation.scaling.rope_type != 'yarn'",
    ],
)
def test_the_wall_sees(line):
    tree = ast.parse(f"TURNING = (Rotary, Sinusoidal)\n{line}")
    assert list(asked(tree, {"Rotary", "Sinusoidal", "Alibi"}))
