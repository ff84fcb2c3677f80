"""Classes stay small: they are composed of parts, and do not grow by what they inherit."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from msgspec import Struct

ROOT = Path(__file__).parents[2]
MOST_OWN, MOST_WITH_INHERITED = 25, 45
MOST_OF_FIGURE, MOST_OF_ITS_KINDS, MOST_OF_ENCODING = 14, 35, 20


class Class(Struct, frozen=True):
    """The names of the functions in the body of a class, and those of its bases."""

    functions: frozenset[str]
    bases: tuple[str, ...]


@cache
def classes(package: str) -> dict[str, Class]:
    """The classes of a package by name."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in sorted((ROOT / package).rglob("*.py")))
    return {node.name: class_of(node) for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def class_of(node: ast.ClassDef) -> Class:
    functions = frozenset(each.name for each in node.body if isinstance(each, ast.FunctionDef))
    return Class(functions, tuple(name for base in node.bases for name in names_of(base)))


def names_of(base: ast.expr) -> Iterator[str]:
    """The name of a base class, without its module and its parameters."""
    plain = base.value if isinstance(base, ast.Subscript) else base
    if isinstance(plain, ast.Name | ast.Attribute):
        yield plain.id if isinstance(plain, ast.Name) else plain.attr


def all_functions(name: str, known: Mapping[str, Class]) -> frozenset[str]:
    """The functions of a class, those that it inherits from classes of ours included."""
    if name not in known:
        return frozenset()
    return known[name].functions.union(*(all_functions(base, known) for base in known[name].bases if base != name))


@pytest.fixture(scope="module", params=["posenc_core", "posenc_gui"])
def known(request):
    return classes(request.param)


def test_no_class_has_too_many_functions_of_its_own(known):
    assert len(known) > 100
    assert not {name: len(each.functions) for name, each in known.items() if len(each.functions) > MOST_OWN}


def test_no_class_has_too_many_functions_with_those_that_it_inherits(known):
    counts = {name: len(all_functions(name, known)) for name in known}
    assert not {name: count for name, count in counts.items() if count > MOST_WITH_INHERITED}


def test_a_figure_is_a_host_of_its_parts():
    known = classes("posenc_gui")
    assert len(known["Figure"].functions) <= MOST_OF_FIGURE
    counts = {name: len(all_functions(name, known)) for name in known if name.endswith("Figure")}
    assert len(counts) > 17
    assert not {name: count for name, count in counts.items() if count > MOST_OF_ITS_KINDS}


def test_an_encoding_is_asked_little():
    known = classes("posenc_core")
    assert len(known["Encoding"].functions) <= MOST_OF_ENCODING
    assert all_functions("Rotary", known) > all_functions("Encoding", known) > known["Encoding"].functions


def test_functions_of_bases_with_parameters_are_counted():
    source = "class A:\n def a(self): ...\nclass B(m.A[int]):\n def b(self): ...\nclass C(B, QWidget):\n pass"
    found = {node.name: class_of(node) for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}
    assert all_functions("C", found) == {"a", "b"}
