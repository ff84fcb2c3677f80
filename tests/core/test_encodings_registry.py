"""Whoever adds a family gets everything else for nothing, if it is what every family is."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from posenc_core import ENCODINGS, Encoding, encode, explain, frequencies, tile

each_family = pytest.mark.parametrize("kind", ENCODINGS.values(), ids=ENCODINGS.keys())


def default_of(kind: type[Encoding]) -> Encoding:
    return kind(**{field.name: field.default for field in kind.FIELDS})


def test_the_families_are_found_by_their_names() -> None:
    assert ENCODINGS
    assert all(name == kind.family for name, kind in ENCODINGS.items())


@each_family
def test_a_family_is_a_frozen_dataclass_of_its_fields(kind: type[Encoding]) -> None:
    parameters = getattr(kind, "__dataclass_params__")  # noqa: B009 - mypy knows no such attribute
    assert parameters.frozen
    assert parameters.eq
    assert [field.name for field in dataclasses.fields(kind)] == [field.name for field in kind.FIELDS]
    for own in dataclasses.fields(kind):
        (field,) = [field for field in kind.FIELDS if field.name == own.name]
        assert own.default in (dataclasses.MISSING, field.default)


@each_family
def test_a_family_says_what_it_is_and_where_it_comes_from(kind: type[Encoding]) -> None:
    assert kind.title
    assert kind.summary.endswith(".")
    assert any(character.isdigit() for character in kind.citation), "a year, a section"
    assert kind.__doc__


@each_family
def test_a_family_works_with_its_defaults(kind: type[Encoding]) -> None:
    encoding = default_of(kind)
    assert encoding == kind(**encoding.parameters())
    assert hash(encoding) == hash(kind(**encoding.parameters()))
    n = encoding.n_columns
    table = encode(encoding, range(20))
    assert table.shape == (20, n)
    low, high = encoding.value_range
    assert low <= table.min() < table.max() <= high
    np.testing.assert_allclose(table, encoding.values(np.arange(20), np.arange(n)), rtol=0, atol=2e-7)
    assert tile(encoding, (0, 20), (0, n), (5, 3)).shape == (5, 3)
    assert frequencies(encoding).ndim == 1
    assert explain(encoding, 3, 1).value == pytest.approx(float(table[3, 1]), abs=2e-7)
    traces = encoding.traces(np.arange(n), (0, 20), 100)
    drawn = [column for part in (*traces.lines, *traces.bands) for column in part.columns]
    assert sorted(drawn) == list(range(n))
    assert all(encoding.facts(column).part for column in range(n))
    assert all(isinstance(sentence, str) for sentence in encoding.warnings)


@each_family
def test_wavelengths_go_one_way_within_a_run(kind: type[Encoding]) -> None:
    """What the labels fast and slow at the ends of an axis stand on."""
    encoding = default_of(kind)
    runs = encoding.runs()
    assert [first for first, _ in runs] == sorted(first for first, _ in runs)
    for first, stop in runs:
        lengths = np.array([encoding.facts(column).wavelength for column in range(first, stop)], float)
        assert (np.diff(lengths) >= 0).all() or (np.diff(lengths) <= 0).all()


def test_the_core_needs_no_window() -> None:
    """Neither Qt nor a plotting library is loaded by anything in it, in a process of its own."""
    root = Path(__file__).parents[2]
    modules = [
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((root / "posenc_core").rglob("*.py"))
    ]
    assert len(modules) > 10
    script = (
        f"import importlib, sys\nfor name in {modules}: importlib.import_module(name)\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in "
        "('PySide6', 'shiboken6', 'pyqtgraph', 'superqt', 'ziamath', 'matplotlib', 'posenc_gui')))"
    )
    found = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert found.stderr == ""
    assert found.stdout == "[]\n"
