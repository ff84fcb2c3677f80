"""``identify``: what some numbers are, what is wrong with them, and where they part from what was asked for."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Alibi, Encoding, LearnedTable, Rotary, Sinusoidal, TransformerXLRelative
from posenc_core.fields import check_positions, shortened
from posenc_core.identify.against import Against, asked_encodings
from posenc_core.identify.compare import Compared, Reading, compared, first_wrong
from posenc_core.identify.faults import FORMATS
from posenc_core.identify.finding import Fault, Finding, Parting, Wrong
from posenc_core.identify.forms import Form
from posenc_core.identify.given import Given, forms_of, given_numbers, rows_per_head
from posenc_core.identify.precision import Level, levels_of
from posenc_core.identify.scalings import BASES
from posenc_core.identify.search import MUCH_DEARER, Candidate, Rows, candidates
from posenc_core.identify.wording import described, entry, fault_of, hidden_in, place_faults, unlike, wrong_at
from posenc_core.long_context import drift
from posenc_core.numerics import IntArray
from posenc_core.tables import ArrayTable, ProgressCallback, digest_of, never_cancelled

_COMPARED = 4
"""Candidates of which all numbers are compared at most."""

_SAMPLED = 512
"""Rows that tell the precision, and the nearest formula."""

_MOST_OTHERS, _DEARER = 6, 1.2
"""Other readings that are named at most, and how much more than the first of them they may cost."""


class Chosen(Struct, frozen=True):
    """The best reading, its comparison with all numbers, the level of its rounding, and the other candidates."""

    reading: Reading
    compared: Compared
    level: Level
    others: tuple[Encoding, ...]


def identify(
    numbers: Any, *, against: Against = None, positions: Any = None, progress: ProgressCallback = never_cancelled
) -> Finding:
    """What some numbers are, what is wrong with them, and the right encoding that was meant.

    ``numbers``: an array, two arrays (cosines and sines, or vectors before and after a rotation), arrays by name, the
    path of a ``.npy``, ``.npz``, ``.safetensors``, ``.csv``, ``.txt`` or JSON file, or a text as numpy or torch print
    it. They may be a table of positions by columns, frequencies, a cache of cosines and sines, complex phasors, rotated
    vectors, or biases of heads. ``against``: a config.json (path or mapping), the name of a preset, a document or an
    encoding that the numbers should be. ``positions``: those of the rows, integers; without them they are
    0, 1, 2, ... unless the numbers tell others. ``progress`` is called with the share of numbers compared.

    TypeError or ValueError with one sentence for what cannot be read or is too little to tell anything; Cancelled once
    ``progress`` returns False.
    """
    given, asked = given_numbers(numbers), asked_encodings(against)
    spans = None if positions is None else check_positions(positions)
    rows, forms = Rows(spans, rows_per_head(given)), list(forms_of(given))
    if spans is not None and all(rows.of(form) is None for form in forms):
        lengths = sorted({len(form.numbers) for form in forms})
        raise ValueError(f"{len(spans)} positions are given for {' or '.join(map(str, lengths))} rows")
    levels = levels_of(_sample(given), given.printed)
    chosen = _chosen(forms, rows, levels, asked, progress)
    return _unknown(forms, rows, levels[-1], asked) if chosen is None else _found(chosen, asked)


def _sample(given: Given) -> Any:
    some = given.arrays[0][:_SAMPLED]
    return some.real if some.dtype.kind == "c" else np.where(np.isfinite(some), some, 0).astype(some.dtype)


def _chosen(
    forms: list[Form], rows: Rows, levels: tuple[Level, ...], asked: tuple[Encoding, ...], progress: ProgressCallback
) -> Chosen | None:
    """The simplest candidate that explains all numbers, at the strictest level at which there is one; else the nearest."""
    nearest: list[Chosen] = []
    for level in levels:
        ranked = candidates(forms, rows, level, asked)
        for candidate in ranked[:_COMPARED]:
            whole = compared(candidate.reading, level, progress)
            if whole.is_near:
                nearest.append(Chosen(candidate.reading, whole, level, _others(candidate, ranked)))
            if not whole.n_wrong:
                return nearest[-1]
    return min(nearest, key=lambda each: each.compared.n_wrong, default=None)


def _others(best: Candidate, ranked: list[Candidate]) -> tuple[Encoding, ...]:
    """The other right encodings that fit as well and are not much less simple."""
    fitting = [each for each in ranked if each.tried.n_wrong <= best.tried.n_wrong and _is_right(each)]
    others = sorted((each for each in fitting if each.reading.encoding != best.reading.encoding), key=lambda each: each.cost)
    dearest = min(best.cost + MUCH_DEARER, others[0].cost + _DEARER) if others else 0.0
    found = dict.fromkeys(each.reading.encoding for each in others if each.cost <= dearest)
    meant = best.reading.encoding
    codes = [code for code, _ in best.reading.faults]
    if codes == ["positions_reversed"] and best.reading.form.layout == "concatenated":
        found[TransformerXLRelative(meant.n_columns, meant.parameters()["base"])] = None
    if "pairing" in hidden_in(best.reading.form):
        other = {"half_split": "interleaved", "interleaved": "half_split"}
        found |= {each.edited("pairing", other[each.parameters()["pairing"]]): None for each in _rotary([meant, *found])}
    return tuple(each for each in found if each != meant)[:_MOST_OTHERS]


def _is_right(candidate: Candidate) -> bool:
    return {code for code, _ in candidate.reading.faults} <= {"transposed"}


def _rotary(encodings: list[Encoding]) -> Iterator[Encoding]:
    return (each for each in encodings if "pairing" in each.parameters())


def _found(chosen: Chosen, asked: tuple[Encoding, ...]) -> Finding:
    """The finding for a reading."""
    reading, level, whole = chosen.reading, chosen.level, chosen.compared
    faults = (*(fault_of(each, reading) for each in reading.faults), *place_faults(reading, whole))
    rounded = [FORMATS[amount] for code, amount in reading.faults if code == "positions_rounded"]
    precision = rounded[0] if rounded else level.name
    wanted = _wanted(reading.encoding, asked)
    is_asked = wanted is None or wanted == reading.encoding or wanted in chosen.others
    plain = Reading(reading.form, reading.encoding if is_asked or wanted is None else wanted, reading.positions)
    first = _first(plain, level) if faults or not is_asked else None
    parting = None if is_asked or wanted is None else _parting(reading.encoding, wanted)
    sentences = tuple(_sentences(chosen, faults, first, precision, None if is_asked else wanted, parting))
    return Finding(
        "bias" if reading.encoding.relative else reading.form.kind,
        reading.encoding,
        faults,
        precision,
        whole.residual,
        first,
        chosen.others,
        sentences,
        _plain_positions(reading.positions),
        not faults and is_asked,
        wanted,
        parting,
        _table(reading.form),
    )


def _wanted(found: Encoding, asked: tuple[Encoding, ...]) -> Encoding | None:
    """Of the encodings asked for the one that was found, else one of as many pairs, else the first."""
    if not asked or found in asked:
        return found if asked else None
    alike = [each for each in asked if len(each.frequencies()) == len(found.frequencies())]
    return (alike or list(asked))[0]


def _first(reading: Reading, level: Level) -> Wrong | None:
    """The first number that differs from the right ones."""
    if len(reading.encoding.frequencies()) != len(set(reading.form.pairs[reading.form.pairs >= 0].tolist())):
        return None
    place = first_wrong(reading, level)
    if place is None:
        return None
    row, column = place
    right, _ = reading.right(np.array([row]), level)
    return wrong_at(reading, row, column, float(right[0, column]))


def _parting(found: Encoding, wanted: Encoding) -> Parting | None:
    if not len(found.frequencies()) or not len(wanted.frequencies()):
        return None
    parted = drift(wanted, found)
    return Parting(parted.position, parted.pair)


def _sentences(
    chosen: Chosen, faults: tuple[Fault, ...], first: Wrong | None, precision: str, wanted: Encoding | None, parting: Parting | None
) -> Iterator[str]:
    reading = chosen.reading
    said = described(reading.encoding, hidden_in(reading.form))
    difference = f"the largest difference is {chosen.compared.residual:.0e}".replace("e-0", "e-")
    if not faults and wanted is None:
        yield f"Right. {said}, in {precision}; {difference}."
    elif not faults and wanted is not None:
        yield f"Not what was asked for. The numbers are right for {said}, in {precision}; {difference}."
        yield f"Asked for: {described(wanted)}."
    else:
        codes = {fault.code for fault in faults}
        for fault in faults:
            yield fault.sentence
        if codes <= {"cells"} and first is not None and chosen.compared.n_wrong == 1:
            yield f"{first.where[0].upper()}{first.where[1:]} is {entry(first.given)} and should be {entry(first.right)}."
        yield f"{'The rest is' if codes <= {'cells', 'columns'} else 'Meant is'} {said}, in {precision}; {difference}."
    if first is not None and not (faults and {fault.code for fault in faults} <= {"cells"} and chosen.compared.n_wrong == 1):
        yield f"The first wrong number is at {first.where}: {entry(first.given)} in place of {entry(first.right)}."
    if parting is not None and parting.position >= 0:
        yield f"From position {parting.position:,} on pair {parting.pair} is off by more than 45 degrees."
    yield from _remarks(chosen)


def _remarks(chosen: Chosen) -> Iterator[str]:
    """Positions that are not 0, 1, 2, ..., other readings, and what the numbers do not tell."""
    reading = chosen.reading
    positions = reading.positions
    usual = reading.form.positions is not None or reading.form.kind == "frequencies" or positions[0] == 0
    if not usual or (len(positions) > 1 and reading.form.positions is None and positions[1] - positions[0] != 1):
        yield f"The positions are {', '.join(map(str, positions[:3].tolist()))}, ..., {positions[-1]}."
    if chosen.others:
        yield f"The same numbers have: {'; '.join(described(each) for each in chosen.others)}."


def _plain_positions(positions: IntArray) -> tuple[int, ...] | range:
    steps = np.unique(np.diff(positions[: 1 << 20]))
    if len(positions) == 1 or len(steps) != 1 or steps[0] == 0:
        return tuple(positions.tolist())
    return range(int(positions[0]), int(positions[-1]) + (1 if steps[0] > 0 else -1), int(steps[0]))


def _table(form: Form) -> LearnedTable | None:
    """The numbers as a table of positions by columns; None where they are no such table."""
    if form.kind not in ("table", "cache") or not np.isfinite(form.numbers[:_SAMPLED]).all():
        return None
    height, width = form.numbers.shape
    return LearnedTable(ArrayTable(f"{height:,} x {width:,} given numbers", digest_of(form.numbers), form.numbers))


def _unknown(forms: list[Form], rows: Rows, level: Level, asked: tuple[Encoding, ...]) -> Finding:
    """The finding for numbers that no formula gives, with the nearest one."""
    form = next((each for each in forms if rows.of(each) is not None and each.law != "values"), forms[0])
    nearest, distance = None, math.inf
    for each in (each for each in forms if each.kind == form.kind and not each.faults):
        positions = rows.of(each)
        for encoding in (*asked, *_usual(each)) if positions is not None else ():
            off = _distance(Reading(each, encoding, positions), level)
            if off < distance:
                nearest, distance = encoding, off
    sentences = unlike(form, nearest, distance)
    spans = rows.of(form)
    return Finding(
        form.kind, None, (), level.name, distance, None, (), sentences,
        _plain_positions(spans) if spans is not None else (), False, asked[0] if asked else None, None, _table(form),
    )  # fmt: skip


def _usual(form: Form) -> Iterator[Encoding]:
    """The usual encodings that the form can hold."""
    if form.law == "sinusoidal":
        yield Sinusoidal(form.width, layout=form.layout)
    elif form.law == "rotary":
        for base in BASES[:3]:
            yield Rotary(form.width, base, form.layout or "half_split")
    elif form.kind == "bias":
        yield Alibi(form.width)


def _distance(reading: Reading, level: Level) -> float:
    """The largest difference over the first rows; inf where the encoding does not suit the form."""
    some = slice(0, _SAMPLED)
    try:
        right, _ = reading.right(some, level)
    except (ValueError, IndexError):
        return math.inf
    given = reading.form.numbers[some].astype(np.float64)
    return float(np.abs(given - right).max()) if right.shape == given.shape else math.inf
