"""Whoever adds a family gets everything else for nothing, if it is what every family is."""

import dataclasses
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from families import each_family

from posenc_core import ENCODINGS, Encoding, NoPosition, Rotary, encode, explain, frequencies, tile, tokenize
from posenc_core.encodings import Effect, Pope, RopeAxes
from posenc_core.text import TokenVectors


def default_of(kind: type[Encoding]) -> Encoding:
    """The default, as the query at position 9 of ten words sees a family with a table for each query."""
    return kind.from_parameters({}).seen_from(
        9, TokenVectors(tokenize("one two three four five six seven eight nine ten"), 1)
    )


def test_the_families_are_found_by_their_names() -> None:
    assert ENCODINGS
    assert all(name == kind.family for name, kind in ENCODINGS.items())


@each_family
def test_a_family_is_a_frozen_dataclass_of_its_fields(kind: type[Encoding]) -> None:
    parameters = getattr(kind, "__dataclass_params__")  # noqa: B009 - mypy knows no such attribute
    assert parameters.frozen
    assert parameters.eq
    of_a_query = {"query", "content"} if kind.depends_on_query else set()
    compared = [field for field in dataclasses.fields(kind) if field.compare and field.name not in of_a_query]
    assert [field.name for field in compared] == [field.name for field in kind.FIELDS]
    for own in compared:
        (field,) = [field for field in kind.FIELDS if field.name == own.name]
        assert own.default in (dataclasses.MISSING, field.default)


@each_family
def test_a_family_says_what_it_is_and_where_it_comes_from(kind: type[Encoding]) -> None:
    assert kind.title
    assert kind.summary.endswith(".")
    has_a_number = any(character.isdigit() for character in kind.citation)
    assert has_a_number or kind.citation.startswith("No paper"), "a year, a section, or that there is none"
    assert kind.__doc__


@each_family
def test_a_family_works_with_its_defaults(kind: type[Encoding]) -> None:
    encoding = default_of(kind)
    unseen = encoding.seen_from(None)
    assert unseen == kind.from_parameters(encoding.parameters())
    assert hash(unseen) == hash(kind.from_parameters(encoding.parameters()))
    assert {field.name for field in encoding.fields} <= encoding.parameters().keys()
    n = encoding.n_columns
    first = -9 if encoding.causal and kind is not NoPosition else 0
    table = encode(encoding, range(first, first + 10))
    assert table.shape == (10, n)
    low, high = encoding.range_over(first, first + 10)
    assert -math.inf < low <= table.min() <= table.max() <= high < math.inf
    assert (table.min() == table.max()) == (kind is NoPosition)
    values = encoding.values(np.arange(first, first + 10), np.arange(n))
    np.testing.assert_allclose(table, values, rtol=2e-7, atol=2e-7)
    assert tile(encoding, (first, first + 10), (0, n), (5, 3)).shape == (5, 3)
    assert frequencies(encoding).ndim == 1
    found = explain(encoding, first + 3, n - 1).value
    assert found == pytest.approx(float(table[3, -1]), rel=2e-7, abs=2e-7)
    traces = encoding.sampler.traces(np.arange(n), (first, first + 10), 100)
    drawn = [column for part in (*traces.lines, *traces.bands) for column in part.columns]
    assert sorted(drawn) == list(range(n))
    assert all(encoding.column_info(column).part for column in range(n))
    assert all(isinstance(sentence, str) for sentence in encoding.warnings)


@each_family
def test_wavelengths_go_one_way_within_a_run(kind: type[Encoding]) -> None:
    """The labels "fast" and "slow" at the ends of an axis rely on this order."""
    encoding = default_of(kind)
    runs = encoding.column_blocks()
    assert [first for first, _ in runs] == sorted(first for first, _ in runs)
    for first, stop in runs:
        lengths = [encoding.column_info(column).wavelength for column in range(first, stop)]
        if lengths[0] is None:
            assert set(lengths) == {None}, "all columns have one, or none has"
            if encoding.rotation is None or encoding.rotation.distance_rule is None:  # whose columns have no one angle
                assert not len(encoding.frequencies())
            continue
        axes = ("",) * len(lengths) if encoding.cells is None else encoding.cells.axis_of_pairs
        for axis in set(axes):  # each axis starts again with its fastest pair
            of_axis = [length for column, length in zip(range(first, stop), lengths, strict=True)
                       if not axis or axes[encoding.column_info(column).pair or 0] == axis]  # fmt: skip
            steps = np.diff([each for each in of_axis if each is not None and math.isfinite(each)])
            assert (steps >= 0).all() or (steps <= 0).all()


@each_family
def test_a_column_outside_the_table_is_refused(kind: type[Encoding]) -> None:
    """By everything that is asked for one: a negative one is not counted from the end."""
    encoding = default_of(kind)
    n = encoding.n_columns
    for column in (-1, n, 10**6):
        said = rf"^column {column} is outside 0\.\.{n - 1}$"
        with pytest.raises(IndexError, match=said):
            encoding.column_info(column)
        with pytest.raises(IndexError, match=said):
            encoding.sampler.traces(np.array([0, column]), (0, 20), 100)
        with pytest.raises(IndexError, match=said):
            encode(encoding, [0], [column])
        with pytest.raises(IndexError, match=said):
            explain(encoding, 0, column)
    with pytest.raises(IndexError, match=r"^columns must be within"):
        tile(encoding, (0, 20), (0, n + 1), (1, 1))
    with pytest.raises(ValueError, match=r"^pixels must be at least 1, got 0$"):
        encoding.sampler.traces(np.array([0]), (0, 20), 0)
    with pytest.raises(ValueError, match=r"^positions must be \(first, stop\) with first < stop"):
        encoding.sampler.traces(np.array([0]), (20, 20), 100)


@each_family
def test_a_position_without_a_value_is_refused(kind: type[Encoding]) -> None:
    """By everything that is asked for one, in the same sentence."""
    encoding = default_of(kind)
    for end, step in zip(encoding.domain, (-1, 1), strict=True):
        if math.isinf(end):
            continue
        outside = int(end) + step
        said = f"^{re.escape(encoding.no_value(outside))}$"
        with pytest.raises(ValueError, match=said):
            encode(encoding, [outside])
        with pytest.raises(ValueError, match=said):
            explain(encoding, outside, 0)
        with pytest.raises(ValueError, match=said):
            tile(encoding, (outside, outside + 1), (0, 1), (1, 1))
        assert encode(encoding, [int(end)]).shape == (1, encoding.n_columns)


def test_the_core_needs_no_window() -> None:
    """Neither Qt nor a plotting library is loaded by anything in it, in a process of its own."""
    root = Path(__file__).parents[3]
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
        check=False,
    )
    assert found.stderr == ""
    assert found.stdout == "[]\n"


@each_family
def test_a_table_is_added_to_vectors_or_rotates_them_or_leaves_them_alone(kind: type[Encoding]) -> None:
    encoding = default_of(kind)
    combination, positions = encoding.combination, np.arange(3, 7)
    assert combination.kind == (
        "none" if encoding.relative or kind is Pope else "rotation" if encoding.effect is Effect.ROTATES else "sum"
    )
    vectors = np.random.RandomState(0).standard_normal((len(positions), combination.width))
    if isinstance(encoding, Rotary | RopeAxes):
        assert np.array_equal(combination.combined(vectors, positions), encoding.rotate(vectors, positions))
        assert (combination.width, combination.factor) == (
            encoding.head_dim,
            getattr(encoding, "attention_factor", 1.0),
        )
        assert combination.explain is not None
        derivation = combination.explain(vectors[1], 4, 0)
        assert derivation.value == pytest.approx(combination.combined(vectors, positions)[1, 0], abs=1e-12)
        return
    assert combination.width == encoding.n_columns
    assert (combination.explain, combination.factor) == (None, 1.0)
    if combination.kind == "sum":
        added = vectors + encoding.values(positions, np.arange(encoding.n_columns))
        assert np.array_equal(combination.combined(vectors, positions), added)
