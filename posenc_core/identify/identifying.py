"""``identify``: what some numbers are, what is wrong with them, and where they part from what was asked for."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Alibi, Encoding, LearnedTable, Rotary, Sinusoidal, TransformerXLRelative, pair_members
from posenc_core.fields import N_HEADS, check_positions
from posenc_core.identify.against import Against, asked_encodings
from posenc_core.identify.compare import Compared, Reading, compared, first_wrong, sampled
from posenc_core.identify.faults import FORMATS
from posenc_core.identify.finding import Fault, Finding, Parting, Wrong
from posenc_core.identify.forms import Form
from posenc_core.identify.given import Given, forms_of, given_numbers
from posenc_core.identify.precision import Level, levels_of
from posenc_core.identify.scalings import BASES
from posenc_core.identify.search import MUCH_DEARER, Candidate, Rows, candidates, holds
from posenc_core.identify.wording import beside, described, fault_of, number, place_faults, rounded_to, unlike
from posenc_core.long_context import drift
from posenc_core.numerics import IntArray
from posenc_core.tables import ArrayTable, ProgressCallback, digest_of, never_cancelled

_COMPARED = 4
"""Candidates of which all numbers are compared at most."""

_SAMPLED = 512
"""Rows that tell the precision, and the nearest formula."""

_MOST_OTHERS, _DEARER = 6, 0.6
"""Other readings that are named at most, and how much more than the first of them they may cost."""

_SHARES = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
"""Changes of a parameter that numbers are asked to tell."""

_TOLD = ("base", "rope_theta", "factor", "original_max_position_embeddings")


class Chosen(Struct, frozen=True):
    """The best reading, its comparison with all numbers, the level of its rounding, and the other encodings."""

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
    rows, forms = Rows(spans, given.rows_per_head), forms_of(given)
    if spans is not None and (len(spans) == 0 or all(rows.of(form) is None for form in forms)):
        lengths = sorted({len(form.numbers) for form in forms})
        raise ValueError(f"{len(spans)} positions are given for {' or '.join(map(str, lengths))} rows")
    levels = levels_of(_sample(given), given.printed)
    chosen = _chosen(forms, rows, levels, asked, progress)
    return _unknown(forms, rows, levels[-1], asked) if chosen is None else _found(chosen, forms, asked)


def _sample(given: Given) -> Any:
    some = given.arrays[0][:_SAMPLED]
    return some.real if some.dtype.kind == "c" else np.where(np.isfinite(some), some, 0).astype(some.dtype)


def _chosen(
    forms: list[Form], rows: Rows, levels: tuple[Level, ...], asked: tuple[Encoding, ...], progress: ProgressCallback
) -> Chosen | None:
    """The simplest candidate that explains all numbers at the strictest level that has one; else the nearest."""
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
    meant, form = best.reading.encoding, best.reading.form
    codes = {code for code, _ in best.reading.faults}
    fitting = [each for each in ranked if each.tried.n_wrong <= best.tried.n_wrong and each.is_right]
    others = sorted((each for each in fitting if each.reading.encoding != meant), key=lambda each: each.cost)
    dearest = min(best.cost + MUCH_DEARER, others[0].cost + _DEARER) if others else 0.0
    found = [each.reading.encoding for each in others if each.cost <= dearest]
    if codes == {"positions_reversed"} and form.layout == "concatenated":
        found.append(TransformerXLRelative(meant.n_columns, meant.parameters()["base"]))
    if not form.tells_pairing:
        turned = {"half_split": "interleaved", "interleaved": "half_split"}
        rotary = (each for each in (meant, *found) if "pairing" in each.parameters())
        found = [*(each.edited("pairing", turned[each.parameters()["pairing"]]) for each in rotary), *found]
    return tuple(dict.fromkeys(each for each in found if each != meant))[:_MOST_OTHERS]


def _found(chosen: Chosen, forms: list[Form], asked: tuple[Encoding, ...]) -> Finding:
    """The finding for a reading."""
    reading, whole = chosen.reading, chosen.compared
    alike = [each for each in asked if len(each.frequencies()) == len(reading.encoding.frequencies())]
    wanted = next((each for each in asked if each in (reading.encoding, *chosen.others)), None)
    against = wanted or next(iter((*alike, *asked)), None)
    parted = against if wanted is None else None
    form = reading.form if parted is None else next((form for form in (reading.form, *forms) if holds(form, parted)), None)
    plain = Reading(form, parted or reading.encoding, reading.positions) if form is not None else None
    first = _first(plain, chosen.level) if plain is not None else None
    bent = [fault_of(each, reading) for each in reading.faults]
    faults = (*bent, *place_faults(reading, whole, first))
    formats = [FORMATS[amount] for code, amount in reading.faults if code == "positions_rounded"]
    precision = formats[0] if formats else chosen.level.name
    drifted = None if parted is None else _parting(reading.encoding, parted)
    return Finding(
        "bias" if reading.encoding.relative else reading.form.kind,
        reading.encoding,
        faults,
        precision,
        whole.residual,
        first,
        chosen.others,
        tuple(_sentences(chosen, faults, first, precision, parted, drifted)),
        _plain_positions(reading.positions),
        not faults and parted is None,
        against,
        drifted,
        _table(reading.form),
    )


def _first(plain: Reading, level: Level) -> Wrong | None:
    """The first number that differs from the right ones; None where none does."""
    form, pairs, right = plain.form, plain.form.pairs, plain.encoding
    place = first_wrong(plain, level) if len(plain.positions) == len(form.numbers) else None
    if place is None:
        return None
    (row, column), position = place, int(plain.positions[place[0]])
    exact = float(plain.right(np.array([row]), level)[0][0, column])
    entries, where = column, f"position {position}, column {column}"
    if form.kind == "bias":
        where = f"head {column}, distance {position}"
    elif len(pairs) and form.before is None:
        entries = int(pair_members(right, pairs[[column]])[form.quarters[column]][0])
        part = "cosine" if form.quarters[column] else "sine"
        where = {"frequencies": f"pair {column}", "cache": f"position {position}, the {part} of pair {pairs[column]}"}.get(
            form.kind, where
        )
    vector = () if form.before is None else tuple(form.before[row].astype(float).tolist())
    return Wrong(position, column, float(form.numbers[row, column]), exact, where, entries, vector)


def _parting(found: Encoding, wanted: Encoding) -> Parting | None:
    if not len(found.frequencies()) or not len(wanted.frequencies()):
        return None
    parted = drift(wanted, found)
    return Parting(parted.position, parted.pair)


def _sentences(
    chosen: Chosen, faults: tuple[Fault, ...], first: Wrong | None, precision: str, parted: Encoding | None, drifted: Parting | None
) -> Iterator[str]:
    reading, residual = chosen.reading, chosen.compared.residual
    off = f"the largest difference is {residual:.0e}".replace("e-0", "e-") if residual else "no number differs"
    said = f"{described(reading.encoding, _hidden(reading.form))}, {rounded_to(precision)}; {off}."
    codes = {fault.code for fault in faults}
    if not faults:
        yield f"Right. {said}" if parted is None else f"Not what was asked for: these are the right numbers of {said}"
    yield from (fault.sentence for fault in faults)
    if first is not None and not (codes == {"cells"} and chosen.compared.n_wrong == 1):
        yield "The first wrong number is at {}: {} in place of {}.".format(first.where, *beside(first.given, first.right))
    if faults:
        yield f"{'The rest is' if codes <= {'cells', 'columns'} else 'Meant is'} {said}"
    if parted is not None:
        yield f"Asked for: {described(parted)}."
    if drifted is not None and drifted.position >= 0:
        yield f"From position {drifted.position:,} on pair {drifted.pair} is off by more than 45 degrees."
    yield from _remarks(chosen)


def _hidden(form: Form) -> tuple[str, ...]:
    """The parameters that the numbers do not tell."""
    return () if form.tells_pairing else ("pairing",)


def _remarks(chosen: Chosen) -> Iterator[str]:
    """Positions that are not 0, 1, 2, ..., other readings, and what the numbers do not tell."""
    reading, positions, hidden = chosen.reading, chosen.reading.positions, _hidden(chosen.reading.form)
    if reading.form.positions is None and reading.form.kind != "frequencies":
        if positions[0] or (len(positions) > 1 and positions[1] != 1):
            yield f"The positions are {', '.join(map(str, positions[:3].tolist()))}, ..., {positions[-1]}."
    meant = reading.encoding
    others = dict.fromkeys(described(each, hidden) for each in chosen.others)
    others.pop(described(meant, hidden), None)
    if others:
        yield f"The same numbers have: {'; '.join(others)}."
    if hidden:
        yield "These numbers do not tell which columns are pairs."
    for name in _TOLD if not chosen.compared.n_wrong else ():
        value = meant.parameters().get(name)
        low, high = _range(chosen, name, value) if value else (0, 0)
        if low < high:
            yield f"They do not tell {name} {number(low)} from {number(high)}."


def _range(chosen: Chosen, name: str, value: float) -> tuple[float, float]:
    """The smallest and the largest value of a parameter, of a few tried, with which the numbers are right as well."""
    ends = [value, value]
    for end, sign in enumerate((-1, 1)):
        for share in _SHARES:
            other = type(value)(value * (1 + sign * share))
            try:
                reading = Reading(chosen.reading.form, chosen.reading.encoding.edited(name, other), chosen.reading.positions, chosen.reading.faults)
                if sampled(reading, chosen.level).n_wrong:
                    break
            except ValueError:  # outside the bounds of the parameter
                break
            ends[end] = other
    return ends[0], ends[1]


def _plain_positions(positions: IntArray) -> tuple[int, ...] | range:
    steps = np.unique(np.diff(positions[: 1 << 20]))
    if len(steps) != 1 or steps[0] == 0:
        return tuple(positions.tolist())
    return range(int(positions[0]), int(positions[-1] + np.sign(steps[0])), int(steps[0]))


def _table(form: Form) -> LearnedTable | None:
    """The numbers as a table of positions by columns; None where they are no such table."""
    if form.kind not in ("table", "cache") or not np.isfinite(form.numbers[:_SAMPLED]).all():
        return None
    height, width = form.numbers.shape
    return LearnedTable(ArrayTable(f"{height:,} x {width:,} given numbers", digest_of(form.numbers), form.numbers))


def _unknown(forms: list[Form], rows: Rows, level: Level, asked: tuple[Encoding, ...]) -> Finding:
    """The finding for numbers that no formula gives, with the nearest one."""
    form = next((each for each in forms if rows.of(each) is not None and each.law != "values"), forms[0])
    tried = [(math.inf, None), *_distances([each for each in forms if each.kind == form.kind], rows, level, asked)]
    distance, nearest = min(tried, key=lambda each: each[0])
    spans = rows.of(form)
    positions = _plain_positions(spans) if spans is not None else ()
    sentences = unlike(form, nearest, distance)
    against = next(iter(asked), None)
    return Finding(
        form.kind, None, (), level.name, distance, None, (), sentences, positions, False, against, table=_table(form)
    )


def _distances(
    forms: list[Form], rows: Rows, level: Level, asked: tuple[Encoding, ...]
) -> Iterator[tuple[float, Encoding | None]]:
    """The largest difference from each usual encoding, and from those asked for, that the forms can hold."""
    some = slice(0, _SAMPLED)
    for form in (form for form in forms if not form.faults):
        positions = rows.of(form)
        for encoding in (*asked, *_usual(form)) if positions is not None else ():
            if holds(form, encoding):
                right, _ = Reading(form, encoding, positions).right(some, level)
                given = form.numbers[some].astype(np.float64)
                if right.shape == given.shape:
                    yield float(np.abs(given - right).max()), encoding


def _usual(form: Form) -> Iterator[Encoding]:
    """The usual encodings that the form can hold."""
    if form.law == "sinusoidal":
        yield Sinusoidal(form.width, layout=form.layout)
    elif form.law == "rotary" and form.width % 2 == 0:
        yield from (Rotary(form.width, base, form.layout) for base in BASES[:3])
    elif form.kind == "bias" and form.width <= N_HEADS.maximum:
        yield Alibi(form.width)
