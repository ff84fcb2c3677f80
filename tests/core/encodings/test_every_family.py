"""Properties of every family with any parameters: values, ranges, means and derivations agree."""

import contextlib
import io
import math
import tracemalloc
from typing import Any

import numpy as np
import pytest
from amounts import draws
from brute_force import cells, mean_of_entries, windows
from hypothesis import given
from hypothesis import strategies as st
from strategies import ON_DISK, encodings, places, seen

from posenc_core import (
    ENCODINGS,
    BinaryCode,
    Encoding,
    Rotary,
    Sinusoidal,
    TransformerXLRelative,
    encode,
    explain,
    tile,
)
from posenc_core.fields import PartField

PROMISED = 2e-7
"""Promised error of an entry in float32, relative to the largest entry if that exceeds 1."""


def kinds_of(kind: type[Encoding]) -> list[tuple[str, type[Encoding], dict[str, str]]]:
    """The family once, or once with each kind of the part that it holds."""
    for field in kind.FIELDS:
        if isinstance(field, PartField):
            names = [name for name in field.choice.values if name not in ON_DISK]
            return [(f"{kind.family}-{name}", kind, {field.name: name}) for name in names]
    return [(kind.family, kind, {})]


EVERY = [each for kind in ENCODINGS.values() for each in kinds_of(kind)]
TURNING = [each for each in EVERY if each[1] in (Sinusoidal, TransformerXLRelative, Rotary)]


def for_each(cases: list[tuple[str, type[Encoding], dict[str, str]]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("kind", "part"), [each[1:] for each in cases], ids=[each[0] for each in cases])


def one_of(data: st.DataObject, kind: type[Encoding], part: dict[str, str]) -> Encoding:
    return data.draw(seen(encodings((kind,), small=True, **{name: st.just(part[name]) for name in part})))


def some_rows(data: st.DataObject, encoding: Encoding, most: int) -> tuple[int, int]:
    """First and stop of positions that have values, anywhere within the precision that is promised."""
    first = data.draw(places(encoding))
    last = int(min(encoding.domain[1], first + most - 1))
    return first, data.draw(st.integers(first, last)) + 1


def size(table: np.ndarray[Any, Any]) -> float:
    """The largest entry, at least 1."""
    return max(1.0, float(np.abs(table).max(initial=0.0)))


@for_each(EVERY)
@draws(2, 15)
@given(data=st.data())
def test_the_table_is_its_values(kind: type[Encoding], part: dict[str, str], data: st.DataObject) -> None:
    """In float32, in any order of positions and columns, and with one pixel a cell."""
    encoding = one_of(data, kind, part)
    first, stop = some_rows(data, encoding, 80)
    columns = np.arange(encoding.n_columns)
    values = encoding.values(np.arange(first, stop), columns)
    assert values.dtype == np.float64
    table = encode(encoding, range(first, stop))
    assert (table.dtype, table.shape) == (np.float32, (stop - first, encoding.n_columns))
    tolerance = {"rtol": 0, "atol": 1.5 * PROMISED * size(values)}
    np.testing.assert_allclose(table, values, **tolerance)
    picture = tile(encoding, (first, stop), (0, encoding.n_columns), table.shape)
    np.testing.assert_allclose(picture, values, **tolerance)
    rows = data.draw(st.lists(st.integers(first, stop - 1), max_size=12))
    some = data.draw(st.lists(st.sampled_from(columns.tolist()), max_size=12))
    found = encode(encoding, rows, some)
    assert found.flags.c_contiguous
    expected = values[np.array(rows, int) - first][:, some]
    np.testing.assert_allclose(found, expected, **tolerance)


@for_each(EVERY)
@draws(2, 20)
@given(data=st.data())
def test_a_window_is_the_mean_of_its_entries(kind: type[Encoding], part: dict[str, str], data: st.DataObject) -> None:
    """Zoomed in, zoomed out, beginning at fractions of cells, near 0 and at the ends of the domain."""
    encoding = one_of(data, kind, part)
    first, stop = some_rows(data, encoding, 700)
    rows, columns = data.draw(windows(0, stop - first)), data.draw(windows(0, encoding.n_columns))
    positions = (first + rows[0], first + rows[1])
    shape = data.draw(st.tuples(st.integers(1, 60), st.integers(1, 60)))
    picture = tile(encoding, positions, columns, shape)
    assert (picture.dtype, picture.shape) == (np.float32, shape)
    expected = mean_of_entries(encoding, cells(positions, shape[0]), cells(columns, shape[1]))
    np.testing.assert_allclose(picture, expected, rtol=0, atol=1.5 * PROMISED * size(expected))


@for_each(EVERY)
@draws(2, 20)
@given(data=st.data())
def test_the_derivation_arrives_at_the_entry(kind: type[Encoding], part: dict[str, str], data: st.DataObject) -> None:
    """And so does its script; its lines can be read, and typeset."""
    encoding = one_of(data, kind, part)
    position, column = data.draw(places(encoding)), data.draw(st.integers(0, encoding.n_columns - 1))
    derivation = explain(encoding, position, column)
    (entry,) = encode(encoding, [position], [column]).ravel().tolist()
    largest = max(1.0, abs(entry), *map(abs, encoding.range_over(position, position + 1)))
    assert derivation.value == pytest.approx(entry, abs=PROMISED * largest)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(derivation.to_python(), {})
    assert float(printed.getvalue()) == pytest.approx(derivation.value, abs=1e-8 * largest)
    assert derivation.symbol in derivation.formula
    for latex in (derivation.formula_latex, *(step.latex for step in derivation.steps)):
        assert latex.count("{") == latex.count("}")


@draws(10, 150)
@given(encoding=seen(encodings()), data=st.data())
def test_any_cell_can_be_explained(encoding: Encoding, data: st.DataObject) -> None:
    """Derivations of any parameters at any cursor have whole lines and finite numbers."""
    position = data.draw(places(encoding, reach=2**53))
    derivation = explain(encoding, position, data.draw(st.integers(0, encoding.n_columns - 1)))
    low, high = encoding.range_over(position, position + 1)
    assert low <= derivation.value <= high
    for step in derivation.steps:
        assert "\n" not in step.text
        assert "nan" not in step.text.split()
        assert "inf" not in step.text.split()
        assert step.latex.count("{") == step.latex.count("}")
        assert "e+" not in step.latex


@for_each(EVERY)
@draws(2, 15)
@given(data=st.data())
def test_curves_pass_through_the_dots(kind: type[Encoding], part: dict[str, str], data: st.DataObject) -> None:
    """At every whole position each column's line, or its band, is where the entry is; nothing is outside the window."""
    encoding = one_of(data, kind, part)
    first, stop = some_rows(data, encoding, 300)
    columns, pixels = np.arange(encoding.n_columns), 1000
    window, positions = (float(first), float(stop)), np.arange(first, stop)
    table = encoding.values(positions, columns)
    traces = encoding.sampler.traces(columns, window, pixels)
    drawn = [column for part in (*traces.lines, *traces.bands) for column in part.columns.tolist()]
    assert sorted(drawn) == columns.tolist()
    for line in traces.lines:
        assert line.x.min() >= window[0] - 1e-6
        assert line.x.max() <= window[1] + 1e-6
        for k, column in enumerate(line.columns):
            at_dots = np.interp(positions, line.x[k], line.y[k])
            np.testing.assert_allclose(at_dots, table[:, column], rtol=0, atol=0.04 * size(table))
    for band in traces.bands:
        pixel = np.clip(np.searchsorted(band.x, positions, side="right") - 1, 0, len(band.x) - 2)
        for k, column in enumerate(band.columns):
            assert (band.low[k, pixel] <= table[:, column] + 1e-6).all()
            assert (band.high[k, pixel] >= table[:, column] - 1e-6).all()


@for_each(TURNING)
@draws(2, 15)
@given(data=st.data())
def test_sine_and_cosine_of_a_pair_lie_on_a_circle(
    kind: type[Encoding], part: dict[str, str], data: st.DataObject
) -> None:
    """Of radius 1, or of the attention factor: whole pairs give every row the same length."""
    encoding = one_of(data, kind, part)
    first, stop = some_rows(data, encoding, 60)
    values = encoding.values(np.arange(first, stop), np.arange(encoding.n_columns))
    facts = [encoding.column_info(column) for column in range(encoding.n_columns)]
    where = {(each.pair, each.part): column for column, each in enumerate(facts)}
    for pair in [pair for pair, name in where if name == "cos"]:
        radius = np.hypot(values[:, where[pair, "sin"]], values[:, where[pair, "cos"]])
        np.testing.assert_allclose(radius, encoding.range_over(0, 60)[1], rtol=1e-12)


@for_each(TURNING)
@draws(2, 15)
@given(data=st.data())
def test_a_wavelength_is_a_period(kind: type[Encoding], part: dict[str, str], data: st.DataObject) -> None:
    """The frequencies and the facts say the same."""
    encoding = one_of(data, kind, part)
    frequencies = encoding.frequencies()
    for column in range(encoding.n_columns):
        facts = encoding.column_info(column)
        if facts.pair is not None:
            assert facts.wavelength is not None
            turns = frequencies[facts.pair] / (2 * math.pi)
            assert turns == pytest.approx(1 / facts.wavelength, rel=1e-12)  # no turns: the wavelength is infinite


@draws(3, 25)
@given(encodings((BinaryCode,)), st.data())
def test_a_binary_column_has_its_period(encoding: BinaryCode, data: st.DataObject) -> None:
    position, column = data.draw(places(encoding, reach=2**53)), data.draw(st.integers(0, encoding.n_columns - 1))
    period = encoding.column_info(column).wavelength
    assert period is not None
    here = encoding.values(np.array([position]), np.array([column]))
    for other in (position - int(period), position + int(period), position - int(period) // 2):
        if encoding.domain[0] <= other <= encoding.domain[1]:
            there = encoding.values(np.array([other]), np.array([column]))
            assert there == (here if abs(other - position) == period else 1 - here)


WHOLE_BYTES = 32_000_000
"""The table in float64 that no picture of 64 by 64 pixels makes."""


@pytest.mark.one_of(6)
@pytest.mark.parametrize("kind", [each for each in ENCODINGS.values() if not each.needs_content])
def test_a_picture_of_a_long_table_takes_a_small_part_of_its_memory(kind: type[Encoding]) -> None:
    encoding = kind.from_parameters({})
    n_positions = WHOLE_BYTES // (8 * encoding.n_columns)
    first, last = encoding.seen_from(n_positions - 1).domain
    start, stop = (max(first, 1 - n_positions), 1) if encoding.relative else (max(first, 0), min(last + 1, n_positions))
    shown = encoding.seen_from(n_positions - 1)
    tracemalloc.start()
    try:
        tile(shown, (start, stop), (0, shown.n_columns), (64, min(64, shown.n_columns)))
        assert tracemalloc.get_traced_memory()[1] < WHOLE_BYTES / 4
    finally:
        tracemalloc.stop()
