"""The last search for numbers that no formula explains: learned rows, and families of fitted numbers with a fault."""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from posenc_core.encodings import Alibi, Encoding, Kerple
from posenc_core.identify.closed.cosines import cosine_sums, mistaken_sums
from posenc_core.identify.closed.families import by_distance, mended_laws, plane_laws
from posenc_core.identify.closed.kernels import kernels
from posenc_core.identify.closed.shared import shared_laws
from posenc_core.identify.compare import report
from posenc_core.identify.faults import SHIFTED
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

_LEAST, _SHARP, _SAME = 8, 1e-4, 1e-3
"""Rows that determine mistaken kernels, their largest rounding, and the least difference of r2, both as shares."""


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
    """Sandwich times a factor, rows of Kerple with the wrong sign, and biases whose distances are off by one."""
    for first, distances, numbers in by_distance(form, positions, is_given) if form.kind == "bias" else ():
        for sums, amount, cost in mistaken_sums(distances, numbers, level):
            code = "sign" if amount == -1 else "values_scaled"
            yield from (Law(sums, _FAULT + cost, ((code, amount),), first),) if amount != 1 else ()
        if form.positions is None:
            rising = (each for each in kernels(distances, -numbers, level) if _is_of_heads(each, numbers, level))
            yield from (Law(each, _FAULT, (("sign", -1.0),), first) for each in rising)
            continue
        for shift in (1, -1):
            for each, cost in _shifted(distances - shift, numbers, level):
                yield Law(each, _FAULT + cost, ((SHIFTED, float(shift)),), first)


def _is_of_heads(found: Kerple, numbers: FloatArray, level: Level) -> bool:
    """Whether many sharp numbers of heads with other r2 are so: numbers of one formula may be anything."""
    rates = found.learned[1]
    is_sharp = level.relative + level.absolute / np.abs(numbers).max() < _SHARP
    is_learned = np.mean(2 * rates == np.round(2 * rates)) <= 0.5 and np.ptp(rates) > _SAME * rates.max()
    return bool(is_sharp and is_learned and len(numbers) >= _LEAST)


def _shifted(distances: FloatArray, numbers: FloatArray, level: Level) -> Iterator[tuple[Encoding, float]]:
    """The encodings with these biases at distances ``(n,)`` that are off by one, with costs."""
    yield Alibi(numbers.shape[1]), 0.0
    yield from cosine_sums(distances, numbers, level)
    yield from ((sums, cost) for sums, amount, cost in mistaken_sums(distances, numbers, level) if amount == 1)
    yield from ((each, 1.0) for each in kernels(distances, numbers, level) if _is_of_heads(each, numbers, level))
