"""The candidates of families whose parameters are fitted, for each form of numbers."""

from collections.abc import Iterator
from contextlib import suppress

import numpy as np
from msgspec.structs import replace

from posenc_core.encodings import Encoding, Sinusoidal, TransformerXLRelative
from posenc_core.identify.closed.cells import cell_encodings
from posenc_core.identify.closed.cosines import cosine_sums
from posenc_core.identify.closed.fading import amplitudes, fading_laws
from posenc_core.identify.closed.kernels import differs, is_learned, kernels
from posenc_core.identify.closed.plane import planes
from posenc_core.identify.faults import Bent
from posenc_core.identify.forms import Form
from posenc_core.identify.laws import Law, sinusoidal_laws, value_laws
from posenc_core.identify.measured import measured_pairs
from posenc_core.identify.precision import Level, roundest
from posenc_core.numerics import FloatArray, IntArray

_SOME = 4096
"""Biases of each head from which a formula is found: the last ones, whose query sees all distances."""

_MOST_HEADS = 256
"""Wider tables are no biases of heads."""

_KERNEL, _COSINES, _PLANE, _SIGN, _FAULT = 1.5, 0.5, 1.6, 1.0, 1.0
"""Costs of the families, of a wrong sign, and of another fault."""

_NEGATIVE: tuple[Bent, ...] = (("negative_sine", 0.0),)


def closed_laws(form: Form, positions: IntArray, level: Level, is_given: bool) -> Iterator[Law]:
    """The candidates whose parameters are fitted to the first or the last numbers of a form."""
    if form.law == "values":
        yield from value_laws(form, positions)
        yield from _biases(form, positions, level, is_given) if form.kind == "bias" else ()
        yield from plane_laws(form, positions, level) if not form.faults else ()
    if form.law == "rotary" and form.kind in ("cache", "rotation"):
        yield from _turned(form, positions, level, is_given)
    if form.law == "sinusoidal" and form.layout == "concatenated" and is_given and not form.faults:
        yield from _distances(form, positions, level) if form.kind == "table" and positions.max() <= 0 else ()


def _distances(form: Form, positions: IntArray, level: Level) -> Iterator[Law]:
    """Transformer-XL at positions key - query: the angles of its sines and cosines grow with query - key."""
    rows = positions.astype(np.float64)
    measured = measured_pairs(form, rows, level) if len(rows) > 1 else None
    if measured is None or not len(measured.known):
        return
    for law in sinusoidal_laws(form, measured, rows, (), True):
        base = law.encoding.parameters()["base"]
        if law.faults == _NEGATIVE and law.encoding == Sinusoidal(form.width, base, form.layout):
            with suppress(ValueError):  # an odd number of columns
                yield Law(TransformerXLRelative(form.width, base), law.cost - _SIGN, (), law.first)


def plane_laws(form: Form, positions: IntArray, level: Level) -> Iterator[Law]:
    """GRAPE-M for a table of values, of more than two columns if rows are exchanged for columns."""
    if form.kind == "table" and form.width >= 2 + len(form.faults):
        with suppress(ValueError):  # more columns than a plane has
            for encoding in planes(positions, form.numbers[:256].astype(np.float64), level):
                yield Law(encoding, _PLANE, (), int(positions[0]))


def mended_laws(form: Form, positions: IntArray, level: Level, is_given: bool) -> Iterator[Law]:
    """RoPE on several axes and xPos with one fault of their cosines and sines, for a cache of no formula."""
    for code, amount, mended in _mended(form, level) if form.kind == "cache" and not form.faults else ():
        for law in _turned(mended, positions, level, is_given):
            yield replace(law, cost=law.cost + _FAULT, faults=((code, amount), *law.faults))


def _turned(form: Form, positions: IntArray, level: Level, is_given: bool) -> Iterator[Law]:
    first = int(positions[0])
    yield from (Law(each, cost, (), first) for each, cost in cell_encodings(form, positions, level))
    for law, is_flipped in fading_laws(form, positions, level, is_given):
        yield replace(law, is_flipped=is_flipped)


def _mended(form: Form, level: Level) -> Iterator[tuple[str, float, Form]]:
    """The forms without one fault: a factor, sines in place of cosines or of the wrong sign, rows in reverse order."""
    near = 1e-6 + 8 * (level.wave + level.relative + level.absolute)
    found, wide = list(amplitudes(form)), np.result_type(form.numbers, np.float32)  # quotients overflow in float16
    if not found:
        return
    for louder in found:
        if abs(louder - 1) > near:
            amount = roundest((louder * (1 - near), louder * (1 + near)))[0]
            yield "values_scaled", amount, replace(form, numbers=form.numbers.astype(wide) / amount)
    yield "exchanged", 0.0, replace(form, quarters=1 - form.quarters)
    yield "negative_sine", 0.0, replace(form, numbers=np.where(form.quarters == 0, -form.numbers, form.numbers))
    yield "positions_reversed", 0.0, replace(form, numbers=form.numbers[::-1])


def _biases(form: Form, positions: IntArray, level: Level, is_given: bool) -> Iterator[Law]:
    """Kerple and Sandwich; with the wrong sign only at distances of the form, since rows that rise may be anything."""
    signs = (1.0, -1.0) if form.positions is not None else (1.0,)
    for first, distances, numbers in by_distance(form, positions, is_given):
        for encoding, cost, faults in _of_distance(distances, numbers, level, signs):
            yield Law(encoding, cost, faults, first)


def by_distance(form: Form, positions: IntArray, is_given: bool) -> Iterator[tuple[int, FloatArray, FloatArray]]:
    """The first distance, and some distances with their biases ``(n_distances, n_heads)``.

    The distances are those of the form, or of rows that begin or end with distance 0. Nothing for biases of some heads.
    """
    if form.width > _MOST_HEADS:
        return
    some = slice(-_SOME, None) if form.positions is not None else slice(0, _SOME)
    numbers = form.numbers[some].astype(np.float64)
    if not np.isfinite(numbers).all() or form.heads is not None:
        return
    placed = positions[some]
    for first in [int(positions[0])] if is_given or form.positions is not None else _firsts(form, numbers):
        yield first, (placed - positions[0] + first if form.positions is None else placed).astype(np.float64), numbers


def _firsts(form: Form, numbers: FloatArray) -> list[int]:
    """Possible first distances of rows: those whose row of distance 0 has the least and the largest bias."""
    size = np.abs(numbers).sum(axis=1)
    rows = (int(size.argmin()), int(size.argmax()), 0, len(form.numbers) - 1)
    return [-row for row in dict.fromkeys(rows)]


def _of_distance(
    distances: FloatArray, numbers: FloatArray, level: Level, signs: tuple[float, ...]
) -> Iterator[tuple[Encoding, float, tuple[Bent, ...]]]:
    for sign in signs:
        wrong = (("sign", -1.0),) * (sign < 0)
        for encoding, cost in cosine_sums(distances, sign * numbers, level):
            yield encoding, _COSINES + _SIGN * (sign < 0) + cost, wrong
        for each in kernels(distances, sign * numbers, level):
            if sign < 0 and not (differs(each) and is_learned(each)):  # any numbers may rise like that
                continue
            yield each, _KERNEL + _SIGN * (sign < 0), wrong
