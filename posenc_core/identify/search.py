"""The search among candidates: each form, alone and with faults of its columns, then the laws that its rates allow."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace as replace_reading

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from posenc_core.encodings import Encoding, turning_pairs
from posenc_core.identify.closed.families import closed_laws
from posenc_core.identify.closed.scalings import rotary_laws
from posenc_core.identify.compare import Compared, Reading, base_name, refined, report, sampled, within
from posenc_core.identify.faults import FORMATS, TURN, Bent, rounding_to
from posenc_core.identify.forms import Form, Spans, equal_rows, part_of
from posenc_core.identify.laws import Law, is_likely, sinusoidal_laws, unmeasured_laws
from posenc_core.identify.measured import Measured, by_distance_from_neighbours, measured_frequencies, measured_pairs
from posenc_core.identify.precision import UNROUND, Level, round_numbers, rounded
from posenc_core.long_context import pairs_that_turn
from posenc_core.numerics import IntArray
from posenc_core.tables import ProgressCallback

MUCH_DEARER = 2.0
"""Largest cost of a candidate above that of the simplest candidate."""

_COLUMN_FAULTS = {"sine_only": 0, "cosine_only": 1, "exponent_unpaired": 0, "exponent_of_column": 0}
"""Faults by which columns are no pairs, and the quarter of those that are right."""

_FEW_PAIRS = 2
"""Pairs that may turn too far from row to row for a rate to be measured."""

_LAWS = {"sinusoidal": sinusoidal_laws, "rotary": rotary_laws}
_UNMEASURED = Measured(np.empty(0), np.empty(0))
_LAYOUTS = {"layout", "pairing"}
"""Parameters of encodings whose columns are waves."""

_MOST_FAULTS = 2
_SURE = 1000
"""So many right numbers for each wrong one make a candidate sure."""

_VAGUE, _TELLING, _SIMPLE = 0.05, 6, 1.1
"""Uncertainty of a frequency; this many surer ones, and a simpler scaling, show that one is wrong."""

_DIGITS, _LOST = range(3, 12), 0.8  # of a base, and the share of wrong numbers from which on none fits better
_TRIED_ALONE = 128
"""Most frequencies among which a wrong one is sought by leaving some out."""

_LEFT_OUT = 32
"""Largest number of frequencies that are left out one by one."""

_ENDS, _LEAST, _COARSEST, _RUNS = 512, 8, 256, (256, 64, 24)
"""Rows at both ends in which equal rows are sought; fewest measured rows; largest step of rounded positions; rows whose
equal neighbours determine the first position, fewer if the rounding changes within more."""


class Candidate(Struct, frozen=True):
    """A reading that was tried on some rows, and its cost: the lower, the simpler."""

    reading: Reading
    cost: float
    tried: Compared

    @property
    def is_right(self) -> bool:
        """Whether its numbers have no fault, but perhaps rows for columns."""
        return {code for code, _ in self.reading.faults} <= {"transposed"}


def candidates(
    forms: Iterable[Form], spans: Spans, level: Level, asked: tuple[Encoding, ...], progress: ProgressCallback
) -> list[Candidate]:
    """The candidates that fit all or nearly all numbers, the best first; they include the ``asked`` encodings.

    ``progress`` is called with the share of forms tried; Cancelled once it returns False.
    """
    found: list[Candidate] = []
    starts = [(form, early) for form in forms for early in _early(form)]
    starts.sort(key=lambda start: start[0].cost + len(start[1]))
    for number, (form, early) in enumerate(starts):
        positions, base, least = spans.of(form), form.cost + len(early), _least(found)
        if least <= base:
            break
        if positions is None:
            continue
        report(progress, number / (2 * len(starts)))
        is_given = spans.given is not None
        laws = dict(_laws(form, early, positions, level, is_given, asked))
        for law in sorted(laws, key=lambda law: law.cost):
            if base + law.cost <= _least(found) + MUCH_DEARER and (early or is_likely(law, laws[law])):
                found += tried_law(form, law, early, laws[law], positions, level)
    for number, (form, early) in enumerate(starts):
        if not found:
            part = within(progress, len(starts) + number, 2 * len(starts))
            found += _with_one_wrong(form, early, spans.of(form), level, part)
    return sorted(found, key=lambda each: (each.tried.n_wrong, each.cost))


def _least(found: Iterable[Candidate]) -> float:
    """The cost of the simplest candidate that fits all numbers, or all but so few that they count as one fault."""
    fitting = (each for each in found if _SURE * each.tried.n_wrong <= each.tried.n_numbers)
    return min((each.cost + bool(each.tried.n_wrong) for each in fitting), default=math.inf)


def holds(form: Form, encoding: Encoding) -> bool:
    """Whether the form has the columns of the encoding."""
    pairs, parameters = turning_pairs(encoding), encoding.parameters()
    if pairs is None or not _LAYOUTS & parameters.keys():
        return form.law == "values" and encoding.n_columns == form.width
    if form.law == "values" or pairs.n_pairs != form.n_pairs:
        return False
    layout = parameters.get({"sinusoidal": "layout", "rotary": "pairing"}[form.law])
    return layout == form.layout or (layout is not None and not form.tells_pairing)


def _early(form: Form) -> Iterator[tuple[Bent, ...]]:
    """Faults of the columns, which are undone before rates are measured."""
    yield ()
    if form.kind != "frequencies" and len(form.numbers) == 1:
        return
    if form.kind == "frequencies" and form.numbers.min() > 0.5:
        yield (("inverted", 0.0),)
        yield (("wavelengths", 0.0),)
    elif form.kind == "cache":
        yield (("exchanged", 0.0),)
    elif form.kind == "rotation":
        yield from ((("no_rotation", 1.0),), (("no_rotation", -1.0),))
    elif form.law == "sinusoidal" and form.kind == "table":
        codes = ["cosine_first", *_COLUMN_FAULTS]
        yield from (((code, 0.0),) for code in codes if form.layout == "interleaved" or "exponent" not in code)


def _laws(
    form: Form, early: tuple[Bent, ...], positions: IntArray, level: Level, is_given: bool, asked: tuple[Encoding, ...]
) -> Iterator[tuple[Law, Measured]]:
    """The candidates of a form, with the measured pairs."""
    first = int(positions[0])
    yield from ((Law(encoding, -1.0, (), first), _UNMEASURED) for encoding in asked if holds(form, encoding))
    if not early:
        yield from ((law, _UNMEASURED) for law in closed_laws(form, positions, level, is_given))
    if form.law == "values":
        return
    is_short = form.kind != "frequencies" and (len(positions) == 1 or (is_given and form.n_pairs <= _FEW_PAIRS))
    if is_short or _COLUMN_FAULTS.keys() & dict(early).keys():  # few decimals give no rate
        yield from ((law, _UNMEASURED) for law in unmeasured_laws(form, positions, is_given))
    for part, some, late in _position_faults(form, positions, is_given):
        for law, measured in _measured_laws(part, early, some, level, is_given):
            moved, cost = law.first - int(some[0]) + first, law.cost + len(late)
            yield replace(law, faults=(*law.faults, *late), first=moved, cost=cost), measured
    if not is_given and form.kind != "frequencies":
        yield from _from_runs(form, early, level)


def _measured_laws(
    form: Form, early: tuple[Bent, ...], positions: IntArray, level: Level, is_given: bool
) -> Iterator[tuple[Law, Measured]]:
    """The laws of the rates that are measured in the form, with the rates."""
    measured = _measured(form, early, positions, level)
    if measured is not None and len(measured.known):
        laws = _LAWS[form.law](form, measured, positions.astype(np.float64), early, is_given)
        yield from ((law, measured) for law in laws)


def _measured(form: Form, early: tuple[Bent, ...], positions: IntArray, level: Level) -> Measured | None:
    codes, rows = dict(early), positions.astype(np.float64)
    if form.kind == "frequencies":
        numbers = form.numbers[0].astype(np.float64)
        turned = {"wavelengths": TURN / numbers, "inverted": 1 / numbers} if early else {}
        return measured_frequencies(next((turned[code] for code in codes), numbers), level)
    if codes.keys() & {"cosine_first", "exchanged"}:
        return measured_pairs(replace(form, quarters=1 - form.quarters), rows, level)
    quarter = next((_COLUMN_FAULTS[code] for code in codes if code in _COLUMN_FAULTS), None)
    return measured_pairs(replace(form, faults=early), rows, level, quarter)


def _with_one_wrong(
    form: Form, early: tuple[Bent, ...], positions: IntArray | None, level: Level, progress: ProgressCallback
) -> list[Candidate]:
    """Candidates from all frequencies except one: a single wrong number can hide the law.

    The frequency that is farthest from its neighbours' mean is left out first; the search ends with the first frequency
    without which all others fit. Equal frequencies are equal without any one, too.
    """
    measured = None
    if form.kind == "frequencies" and positions is not None and 3 < form.n_pairs <= _TRIED_ALONE:
        measured = _measured(form, early, positions, level)
    if measured is None or positions is None or len(np.unique(measured.rates[measured.known])) < 2:
        return []
    for number, pair in enumerate(by_distance_from_neighbours(measured.rates)[:_LEFT_OUT]):
        report(progress, number / _LEFT_OUT)
        some = replace(measured, rates=np.where(np.arange(form.n_pairs) == pair, np.nan, measured.rates))
        laws = _LAWS[form.law](form, some, positions.astype(np.float64), early, True) if len(some.known) else ()
        likely = [law for law in laws if is_likely(law, some)]
        found = [each for law in likely for each in tried_law(form, law, early, _UNMEASURED, positions, level)]
        if any(each.tried.n_wrong <= 1 for each in found):
            return found
    return []


def _position_faults(
    form: Form, positions: IntArray, is_given: bool
) -> Iterator[tuple[Form, IntArray, tuple[Bent, ...]]]:
    """All rows with their positions; for equal rows also earlier positions, or positions rounded by formats."""
    yield form, positions, ()
    ends = (form.numbers[:_ENDS], form.numbers[-_ENDS:])
    if form.kind == "frequencies" or not any(equal_rows(end).any() for end in ends):
        return
    for bits, name in FORMATS.items():
        coarse = rounded(positions, name).astype(np.int64)
        until = int(np.argmax(coarse != positions)) - 1
        if is_given and until < len(positions) and np.ptp(coarse):
            yield form, coarse, (("positions_rounded", bits),)
        elif until > _LEAST:
            yield part_of(form, slice(until)), positions[:until], (("positions_rounded", bits),)


def _from_runs(form: Form, early: tuple[Bent, ...], level: Level) -> Iterator[tuple[Law, Measured]]:
    """Rounded positions with an unknown first one, found from the runs of equal rows at either end."""
    height = len(form.numbers)
    ends = {(max(top, 0), length) for length in _RUNS for top in (0, height - length)}
    for top, length in sorted(ends, key=lambda end: (-end[1], end[0])):
        rows = slice(top, top + length)
        is_new = np.r_[True, ~equal_rows(form.numbers[rows])]
        if is_new.mean() > 0.6 or is_new.sum() < 2:
            continue
        once = part_of(part_of(form, rows), is_new)
        for law, measured in _measured_laws(once, early, np.arange(len(once.numbers)), level, False):
            if law.step <= _COARSEST:
                grid = law.first + law.step * (np.cumsum(is_new) - 1)
                for first, bits in rounding_to(grid, law.step):
                    bends = (*law.faults, ("positions_rounded", bits))
                    yield Law(law.encoding, law.cost + 1, bends, first - top), measured


def tried_law(
    form: Form, law: Law, early: tuple[Bent, ...], measured: Measured, positions: IntArray, level: Level
) -> Iterator[Candidate]:
    """The candidate of a law if nearly all numbers fit, with a fault of the amplitude if that is another."""
    placed, fitting = law.placed(positions), set[bool]()  # readings with a rounder amplitude
    for encoding, louder, extra in _with_amplitude(form, law.encoding, measured, level):
        reading = Reading(form, encoding, placed, (*form.faults, *early, *law.faults, *louder), law.is_flipped)
        if len(reading.faults) > _MOST_FAULTS or bool(louder) in fitting or not encoding.has_value(int(placed[0])):
            continue
        tried = sampled(reading, level) if encoding.has_value(int(placed[-1])) else None
        if tried is not None and 0 < tried.n_wrong < _LOST * tried.n_numbers and law.cost > UNROUND:
            reading, tried = _refined(reading, tried, level)
        if tried is not None and tried.is_near and _is_of_columns(form, law, measured, tried):
            fitting |= set() if tried.n_wrong else {bool(louder)}
            yield Candidate(reading, form.cost + len(early) + law.cost + extra, tried)


def _refined(reading: Reading, tried: Compared, level: Level) -> tuple[Reading, Compared]:
    """The reading with a base that fits better, of as few digits as fit as well as all, and its comparison."""
    finest = refined(reading, level)
    best = sampled(finest, level)
    if best.n_wrong >= tried.n_wrong:
        return reading, tried
    name = base_name(finest.encoding)
    for digits in _DIGITS if name else ():
        base = float(f"{finest.encoding.parameters()[name]:.{digits}g}")
        rounder = replace_reading(finest, encoding=finest.encoding.edited(name, base))
        again = sampled(rounder, level)
        if again.n_wrong <= best.n_wrong:
            return rounder, again
    return finest, best


def _is_of_columns(form: Form, law: Law, measured: Measured, tried: Compared) -> bool:
    """Whether wrong numbers are so by themselves: at most one pair turns at another rate, or enough frequencies fit."""
    is_plain: bool = law.encoding.parameters().get("scaling", "none") == "none"
    if form.kind == "frequencies" and tried.n_wrong:
        n_sure = (measured.unsure[measured.known] < _VAGUE).sum() if len(measured.rates) else _TELLING
        return bool((law.cost < _SIMPLE or is_plain) and n_sure >= _TELLING)
    if not tried.columns or not len(measured.starts):
        return True
    wrong = np.isin(np.arange(len(form.pairs)), tried.columns)
    turning = np.flatnonzero(np.isfinite(measured.rates)).tolist()
    return sum(bool(wrong[form.pairs == pair].all()) for pair in turning) <= is_plain


def _with_amplitude(
    form: Form, encoding: Encoding, measured: Measured, level: Level
) -> Iterator[tuple[Encoding, tuple[Bent, ...], float]]:
    """The encoding with the fault of an amplitude that is not its own, or with a parameter for it, and their costs."""
    own = pairs_that_turn(encoding, "amplitudes need").amplitude if len(measured.starts) else 1.0
    near = 8 * (level.wave + level.relative + level.absolute)
    if not len(measured.starts) or not abs(measured.amplitude - own) > near * max(own, 1.0):
        yield encoding, (), 0.0
        return
    interval = (measured.amplitude * (1 - near), measured.amplitude * (1 + near))
    given = encoding.parameters().get("attention_factor", math.nan)
    for amount, _ in round_numbers(interval, (1.0, math.sqrt(form.width), 1 / math.sqrt(form.width))):
        if given == 1.0:
            yield encoding.edited("attention_factor", amount), (), 0.0
        else:
            yield encoding, (("values_scaled" if form.kind == "table" else "attention_factor", amount / own),), 1.0
        if given is None:
            yield encoding.edited("attention_factor", amount), (), 1.2
        if abs(amount / measured.amplitude - 1) < near / 16:  # half the rounding: no other is nearer
            break
