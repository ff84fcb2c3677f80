"""The last search for numbers that no formula explains: learned rows, and families of fitted numbers with a fault."""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from posenc_core.encodings import Alibi, Encoding, Kerple
from posenc_core.identify.closed.cosines import cosine_sums, mistaken_sums
from posenc_core.identify.closed.families import by_distance, mended_laws, plane_laws
from posenc_core.identify.closed.kernels import differs, is_learned, kernels
from posenc_core.identify.closed.shared import shared_laws
from posenc_core.identify.compare import report
from posenc_core.identify.faults import CLAMPED, SHIFTED, Bent, moved
from posenc_core.identify.forms import Form, Spans
from posenc_core.identify.laws import Law
from posenc_core.identify.measured import Measured
from posenc_core.identify.precision import Level
from posenc_core.identify.search import Candidate, tried_law
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.tables import ProgressCallback

_UNMEASURED = Measured(np.empty(0), np.empty(0))

_FAULT = 2.0
"""Cost of biases with a fault."""

_LEAST, _SHARP = 8, 1e-4
"""Rows that determine mistaken kernels, and their largest rounding as a share."""

_MANY, _LEAST_HEADS = 16, 2
"""Distances and heads that determine kernels whose distances are off by one, from coarser numbers."""

_MOVED: tuple[Bent, ...] = ((SHIFTED, 1.0), (SHIFTED, -1.0), (CLAMPED, 0.0))
"""The faults of distances."""


def late_candidates(
    forms: Sequence[Form], spans: Spans, level: Level, asked: tuple[Encoding, ...], progress: ProgressCallback
) -> list[Candidate]:
    """The candidates for numbers of no other formula, the best first: learned rows, and fitted families with a fault.

    Of learned rows only the distances that share one are determined; the numbers are taken as given, and therefore
    never those of an ``asked`` encoding. ``progress`` is called with the share of forms tried.
    """
    found: list[Candidate] = []
    for number, form in enumerate(forms):
        report(progress, number / len(forms))
        positions = spans.of(form)
        if positions is None:
            continue
        is_given = spans.given is not None
        if form.law != "values":
            laws = mended_laws(form, positions, level, is_given)
        else:
            learned = iter(()) if asked else shared_laws(form, positions, is_given)
            turned = plane_laws(form, positions, level) if form.faults else ()
            laws = chain(learned, turned, _mistaken_biases(form, positions, level, is_given))
        for law in laws:
            found += tried_law(form, law, (), _UNMEASURED, positions, level)
    return sorted(found, key=lambda each: (each.tried.n_wrong, each.cost))


def _mistaken_biases(form: Form, positions: IntArray, level: Level, is_given: bool) -> Iterator[Law]:
    """Sandwich times a factor, rows of Kerple with the wrong sign, and biases whose distances are off by one.

    Rows of both families from distance 1 on have no fault.
    """
    for first, distances, numbers in by_distance(form, positions, is_given) if form.kind == "bias" else ():
        for sums, amount, cost in mistaken_sums(distances, numbers, level):
            code = "sign" if amount == -1 else "values_scaled"
            yield from (Law(sums, _FAULT + cost, ((code, amount),), first),) if amount != 1 else ()
        if form.positions is None:
            rising = (each for each in kernels(distances, -numbers, level) if _is_of_heads(each, numbers, level))
            yield from (Law(each, _FAULT, (("sign", -1.0),), first) for each in rising)
            continue
        for fault in _MOVED:
            for each, cost in _at_distances(moved(distances, (fault,)), numbers, level):
                yield Law(each, _FAULT + cost, (fault,), first)
    if form.kind == "bias" and form.positions is None and not is_given:
        yield from _later_rows(form, positions, level)


def _later_rows(form: Form, positions: IntArray, level: Level) -> Iterator[Law]:
    """Kerple and Sandwich of rows that begin or end with distance 1."""
    for first, distances, numbers in by_distance(form, positions, True):
        for start in (1, -len(form.numbers)):
            placed = distances - first + start
            sums = ((each, cost) for each, amount, cost in mistaken_sums(placed, numbers, level) if amount == 1)
            found = ((each, 1.0) for each in kernels(placed, numbers, level) if _is_of_heads(each, numbers, level))
            yield from (Law(each, cost, (), start) for each, cost in chain(sums, found))


def _is_of_heads(found: Kerple, numbers: FloatArray, level: Level) -> bool:
    """Whether many sharp numbers of heads with other r2 are so: numbers of one formula may be anything."""
    is_sharp = level.relative + level.absolute / np.abs(numbers).max() < _SHARP
    return is_sharp and differs(found) and is_learned(found) and len(numbers) >= _LEAST


def _names_distances(found: Kerple, distances: FloatArray, numbers: FloatArray, level: Level) -> bool:
    """Whether the numbers suffice to call the distances wrong: 8 distances if sharp, 16 of two heads if coarse."""
    n_apart, n_heads = len(np.unique(np.abs(distances))), numbers.shape[1]
    is_sharp = level.relative + level.absolute / np.abs(numbers).max() < _SHARP
    is_enough = n_apart >= _LEAST if is_sharp else n_apart >= _MANY and n_heads >= _LEAST_HEADS
    return is_enough and is_learned(found) and (n_heads == 1 or differs(found))


def _at_distances(distances: FloatArray, numbers: FloatArray, level: Level) -> Iterator[tuple[Encoding, float]]:
    """The encodings with these biases at distances ``(n,)`` with a fault, with costs."""
    yield Alibi(numbers.shape[1]), 0.0
    yield from cosine_sums(distances, numbers, level)
    yield from ((sums, cost) for sums, amount, cost in mistaken_sums(distances, numbers, level) if amount == 1)
    found = kernels(distances, numbers, level)
    yield from ((each, 1.0) for each in found if _names_distances(each, distances, numbers, level))
