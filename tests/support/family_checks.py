"""Requirements of every family, and the reference rows that the tests quote."""

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from posenc_core import Encoding, encode, explain, tile
from posenc_core.fields import ChoiceField, Field, FlagField, IntegerField, OptionalField, RealField

REFERENCE = json.loads((Path(__file__).parents[1] / "data" / "families.json").read_text())


def rows(encoding: str, **wanted: Any) -> list[dict[str, Any]]:
    """The reference rows of an encoding whose ``what``, or another key, is as wanted."""
    found = [
        row
        for row in REFERENCE["vectors"]
        if row["encoding"] == encoding and all(row.get(key) == value for key, value in wanted.items())
    ]
    assert found
    return found


def sentence(scope: str, **given: Any) -> str:
    """The sentence for a wrong input."""
    (message,) = [row["message"] for row in REFERENCE["errors"] if row["scope"] == scope and row["input"] == given]
    return str(message)


def drawn(field: Field, most: int = 24) -> st.SearchStrategy[Any]:
    """Values of a field: small ones, for tables that brute force can check, and all kinds of numbers."""
    if isinstance(field, IntegerField):
        return st.integers(field.minimum, min(field.maximum, max(field.minimum, 0) + most))
    if isinstance(field, OptionalField):
        return st.none() | drawn(field.of, most)
    if isinstance(field, RealField):
        return st.floats(0.01, 1e7).filter(lambda number: number > field.above)
    if isinstance(field, ChoiceField):
        return st.sampled_from(field.values)
    assert isinstance(field, FlagField)
    return st.booleans()


def parameters(kind: type[Encoding], most: int = 24) -> st.SearchStrategy[dict[str, Any]]:
    """Parameters within the bounds of each field, which may still contradict each other."""
    return st.fixed_dictionaries({field.name: drawn(field, most) for field in kind.FIELDS})


def encodings(kind: type[Encoding], most: int = 24) -> st.SearchStrategy[Any]:
    """Encodings of a family; parameters that contradict each other are left out, whose sentences others test."""
    return parameters(kind, most).map(lambda given: _made(kind, given)).filter(lambda made: made is not None)


def _made(kind: type[Encoding], given: dict[str, Any]) -> Encoding | None:
    try:
        return kind(**given)
    except ValueError:
        return None


def some_positions(encoding: Encoding, reach: int = 25) -> tuple[int, int]:
    """First and stop of positions that all have values."""
    first, last = encoding.domain
    return int(max(first, -reach)), int(min(last, reach)) + 1


def check_tiles(encoding: Encoding, shapes: tuple[tuple[int, int], ...] = ((3, 2), (1, 1), (7, 50))) -> None:
    """Tiles of whole, fine and coarse pixels against means that are taken by brute force."""
    first, stop = some_positions(encoding)
    n = encoding.n_columns
    table = encoding.values(np.arange(first, stop), np.arange(n))
    np.testing.assert_allclose(encode(encoding, range(first, stop)), table, rtol=2e-7, atol=2e-7)
    np.testing.assert_allclose(tile(encoding, (first, stop), (0, n), table.shape), table, rtol=2e-7, atol=2e-7)
    for shape in shapes:
        found = tile(encoding, (first, stop), (0, n), shape)
        down, across = _members(first, stop, shape[0]), _members(0, n, shape[1])
        blocks = [table[block[0] - first : block[-1] + 1 - first] for block in down]
        brute = [[block[:, group[0] : group[-1] + 1].mean() for group in across] for block in blocks]
        np.testing.assert_allclose(found, brute, rtol=3e-7, atol=3e-7)


def _members(first: int, stop: int, parts: int) -> list[list[int]]:
    """The integers in each part of [first, stop), or the cell around its middle."""
    size, cells = stop - first, range(first, stop)
    found = []
    for k in range(parts):
        inside = [p for p in cells if k * size <= (p - first) * parts < (k + 1) * size]
        found.append(inside or [first + (2 * k + 1) * size // (2 * parts)])
    return found


def check_explained(encoding: Encoding, position: int, column: int, tolerance: float = 1e-12) -> None:
    """The derivation ends with the table's entry, as do its script and the last line of its text."""
    derivation = explain(encoding, position, column)
    (entry,) = encoding.values(np.array([position]), np.array([column])).ravel()
    assert derivation.value == pytest.approx(float(entry), rel=1e-12, abs=tolerance)
    assert encode(encoding, [position], [column])[0, 0] == pytest.approx(derivation.value, rel=2e-7, abs=2e-7)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(derivation.python, {})
    assert float(printed.getvalue()) == pytest.approx(derivation.value, rel=1e-12, abs=tolerance)
    for step in derivation.steps:
        assert step.text
        assert step.latex
        assert step.latex.count("{") == step.latex.count("}")
    assert derivation.symbol in derivation.formula
    assert derivation.formula_latex.count("{") == derivation.formula_latex.count("}")


def check_traces(encoding: Encoding, window: tuple[float, float], pixels: int) -> None:
    """Every drawn value lies on a curve of its column or within its band, and nothing is drawn outside the window."""
    columns = np.arange(encoding.n_columns)
    traces = encoding.sampler.traces(columns, window, pixels)
    seen: set[int] = set()
    low, high = max(window[0], encoding.domain[0]), min(window[1], encoding.domain[1])
    positions = np.unique(np.linspace(np.ceil(low), np.floor(high), 50).round().astype(np.int64))
    positions = positions[(positions >= low) & (positions <= high)]
    table = encoding.values(positions, columns)
    for line in traces.lines:
        assert line.x.shape == line.y.shape
        assert np.all(np.diff(line.x, axis=1) >= 0)
        assert line.x.size == 0 or (line.x.min() >= window[0] and line.x.max() <= window[1])
        for row, column in enumerate(line.columns):
            found = np.interp(positions, line.x[row], line.y[row])
            tolerance = 1e-9 * max(1.0, float(np.abs(table).max(initial=0)))
            np.testing.assert_allclose(found, table[:, column], atol=tolerance)
            seen.add(int(column))
    for band in traces.bands:
        pixel = np.clip(np.searchsorted(band.x, positions, side="right") - 1, 0, len(band.x) - 2)
        inside = (positions >= band.x[0]) & (positions <= band.x[-1])
        assert inside.all()
        for row, column in enumerate(band.columns):
            assert np.all(table[:, column] >= band.low[row, pixel] - 1e-12)
            assert np.all(table[:, column] <= band.high[row, pixel] + 1e-12)
            seen.add(int(column))
    if len(positions):
        assert seen == set(columns.tolist())


def check_words(kind: type[Encoding]) -> None:
    """A family says what it is and where it comes from, and its fields make one without further ado."""
    made = kind(**{field.name: field.default for field in kind.FIELDS})
    assert kind(**made.parameters()) == made
    assert hash(kind(**made.parameters())) == hash(made)
    for words in (kind.family, kind.title, kind.summary, kind.citation):
        assert words
    for field in kind.FIELDS:
        assert field.parse(field.format(field.default)) == field.default
        assert len(field.tool_tip.splitlines()) >= 2
    assert made.column_info(0).part
    assert made.column_blocks()[0][0] == 0
