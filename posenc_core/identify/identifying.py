"""``identify``: the encoding of some numbers, their mistakes, and their drift from a requested encoding."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from posenc_core.encodings import (
    Encoding,
    TransformerXLRelative,
    pair_members,
    turning_pairs,
)
from posenc_core.identify.closed.doubts import coarse, distinct, is_nearly, same_numbers
from posenc_core.identify.closed.late import late_candidates
from posenc_core.identify.compare import (
    Compared,
    Reading,
    compared,
    first_wrong,
    report,
    sampled,
    within,
)
from posenc_core.identify.faults import FORMATS
from posenc_core.identify.finding import Finding, Parting, Wrong, plain_positions
from posenc_core.identify.forms import Form, Spans, as_encoding, spanned
from posenc_core.identify.given import forms_of, given_numbers
from posenc_core.identify.laws import usual_encodings
from posenc_core.identify.precision import Level, levels_of
from posenc_core.identify.search import Candidate, candidates, holds
from posenc_core.identify.wording import (
    engine_encodings,
    engines_words,
    fault_of,
    first_words,
    number,
    parting_words,
    place_faults,
    remarks,
    unlike,
    verdict,
)
from posenc_core.long_context import drift
from posenc_core.model_config import Asked, asked_encodings
from posenc_core.tables import ProgressCallback, never_cancelled

_COMPARED = 4
"""Candidates of which all numbers are compared at most."""

_SAMPLED = 512
"""Number of rows in the search for the nearest formula."""

_MOST_OTHERS = 5
"""Other readings that are named at most, without their other pairing."""

_SHARES = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 10.0, 100.0)
"""Changes of a parameter that numbers should distinguish."""

_TOLD = ("base", "rope_theta", "factor", "original_max_position_embeddings", "max_distance")


Search = Callable[[list[Form], Spans, Level, tuple[Encoding, ...], ProgressCallback], list[Candidate]]
"""A function that finds the candidates of forms at a level, the best first."""


class Chosen(Struct, frozen=True):
    """The best reading, its comparison with all numbers, the level of its rounding, and the other encodings."""

    reading: Reading
    compared: Compared
    level: Level
    others: tuple[Encoding, ...]


def identify(
    numbers: Any, *, against: Asked = None, positions: Any = None, progress: ProgressCallback = never_cancelled
) -> Finding:
    """Kind of the numbers, their faults, and the correct encoding.

    ``numbers``: an array, two arrays (cosines and sines, or vectors before and after a rotation), arrays by name, the
    path of a ``.npy``, ``.npz``, ``.safetensors``, ``.csv``, ``.txt`` or JSON file, or a text as printed by numpy or
    torch. They may be a table of positions by columns, frequencies, angles, a cache of cosines and sines, complex
    phasors, rotated vectors, or biases of heads. ``against``: a config.json (path or mapping), the name of a preset,
    a document or an encoding to compare with. ``positions``: integers, those of the rows; by default 0, 1, 2, ...
    unless the numbers or their file show others. ``progress`` is called with the share done of search and comparison.

    TypeError or ValueError with one sentence for numbers that cannot be read or are too few; Cancelled once
    ``progress`` returns False.
    """
    given, asked = given_numbers(numbers), asked_encodings(against)
    rows = given.rows_at(positions)
    spans, forms = Spans(rows, given.rows_per_head), forms_of(given)
    if rows is not None and (len(rows) == 0 or all(spans.of(form) is None for form in forms)):
        lengths = sorted({len(form.numbers) for form in forms})
        raise ValueError(f"{len(rows)} positions are given for {' or '.join(map(str, lengths))} rows")
    levels = levels_of(given.sample, given.printed)
    chosen = _chosen(forms, spans, levels, asked, progress)
    chosen = chosen or _chosen(forms, spans, levels, asked, lambda _share: progress(1.0), late_candidates)
    found = _unknown(forms, spans, levels[-1], asked) if chosen is None else _found(chosen, forms, asked)
    report(progress, 1.0)
    for encoding in engine_encodings(against) if asked else ():
        if identify(numbers, against=encoding, positions=positions, progress=lambda _: progress(1.0)).is_right:
            words = engines_words(encoding, against, found.is_right)
            return msgspec.structs.replace(found, sentences=(found.sentences[0], *words, *found.sentences[1:]))
    return found


def _chosen(
    forms: list[Form],
    spans: Spans,
    levels: tuple[Level, ...],
    asked: tuple[Encoding, ...],
    progress: ProgressCallback,
    found_by: Search = candidates,
) -> Chosen | None:
    """The simplest candidate that explains all numbers at the strictest level that has one; else the nearest."""
    nearest: list[Chosen] = []
    for step, level in enumerate(levels):
        searching, comparing = (within(progress, 2 * step + part, 2 * len(levels)) for part in (0, 1))
        ranked = found_by(forms, spans, level, asked, searching)
        for place, candidate in enumerate(ranked[:_COMPARED]):
            if any(candidate.tried.n_wrong >= each.compared.n_wrong for each in nearest):
                continue
            comparison = within(comparing, place, _COMPARED)
            reading, whole = _plainest(candidate.reading, compared(candidate.reading, level, comparison), level)
            if whole.is_near:
                nearest.append(Chosen(reading, whole, level, _others(candidate, ranked)))
            if not whole.n_wrong:
                return nearest[-1]
    return min(nearest, key=lambda each: each.compared.n_wrong, default=None)


def _plainest(reading: Reading, whole: Compared, level: Level) -> tuple[Reading, Compared]:
    """The reading without faults that change no number, with its comparison."""
    plain = replace(reading, faults=reading.form.faults)
    if whole.n_wrong or plain.faults == reading.faults or sampled(plain, level).n_wrong:
        return reading, whole
    alike = compared(plain, level)
    return (reading, whole) if alike.n_wrong else (plain, alike)


def _others(best: Candidate, ranked: list[Candidate]) -> tuple[Encoding, ...]:
    """The other encodings that fit as well, right or with the same faults: the simplest, at most two nearly equal."""
    meant, form, faults = best.reading.encoding, best.reading.form, best.reading.faults
    alike = [each for each in ranked if each.is_right or each.reading.faults == faults]
    fitting = [each for each in alike if each.tried.n_wrong <= best.tried.n_wrong]
    found, nearly = list[Encoding](), [coarse(meant)]
    for other in sorted(fitting, key=lambda each: (each.reading.encoding.family != meant.family, each.cost)):
        encoding = other.reading.encoding
        if encoding not in (meant, *found) and nearly.count(coarse(encoding)) < 2 and len(found) < _MOST_OTHERS:
            found.append(encoding)
            nearly.append(coarse(encoding))
    if dict(faults).keys() == {"positions_reversed"} and form.layout == "concatenated":
        found.append(TransformerXLRelative(meant.n_columns, meant.parameters()["base"]))
    unfaulty = found if faults else ()
    found += dict.fromkeys(each for one in (meant, *unfaulty) for each in same_numbers(one) if each not in found)
    if not form.tells_pairing:
        turned = {"half_split": "interleaved", "interleaved": "half_split"}
        pairings = [(each, each.parameters().get("pairing")) for each in (meant, *found)]
        found += [each.edited("pairing", turned[pairing]) for each, pairing in pairings if pairing]
    return tuple(found)


def _found(chosen: Chosen, forms: list[Form], asked: tuple[Encoding, ...]) -> Finding:
    """The finding for a reading."""
    reading, whole, level = chosen.reading, chosen.compared, chosen.level
    meant = reading.encoding
    wanted = next((each for each in asked if each in (meant, *chosen.others)), None)
    alike = [each for each in asked if len(each.frequencies()) == len(meant.frequencies())]
    against = wanted or next(iter((*alike, *asked)), None)
    other = against if wanted is None else None
    own = next((each for each in forms if "mixed_pairs" in dict(reading.faults) and holds(each, meant)), reading.form)
    plain = Reading(own, meant, reading.positions) if reading.faults or whole.n_wrong else None
    parting = None
    if other is not None:
        form = next((form for form in (reading.form, *forms) if holds(form, other)), None)
        plain = Reading(form, other, reading.positions) if form is not None else None
        parting = _parting(meant, other)
    first = _first(plain, level)
    faults = (*(fault_of(each, reading) for each in reading.faults), *place_faults(reading, whole, first))
    formats = [FORMATS[amount] for code, amount in reading.faults if code == "positions_rounded"]
    precision = formats[0] if formats else level.name
    sentences = [*verdict(reading, whole, faults, first, precision, other is None)]
    sentences += parting_words(other, parting) if other is not None else ()
    told = (each for each in chosen.others if not any(is_nearly(each, own) for own in same_numbers(meant)))
    sentences += remarks(reading, distinct(meant, told), wanted is not None, level)
    sentences += _ranges(chosen) if not whole.n_wrong else ()
    return Finding(
        kind="bias" if meant.relative and reading.form.law == "values" else reading.form.kind,
        encoding=meant,
        faults=faults,
        precision=precision,
        residual=whole.residual,
        first=first,
        also=chosen.others,
        sentences=tuple(sentences),
        positions=plain_positions(spanned(reading.form, reading.positions)),
        is_right=not faults and other is None,
        against=against,
        drift=parting,
        table=as_encoding(reading.form, reading.positions, meant),
        is_learned=plain is not None and plain.taken is not None,
    )


def _first(plain: Reading | None, level: Level) -> Wrong | None:
    """The first number that differs from the right ones; None if none does."""
    place = None if plain is None or len(plain.positions) != len(plain.form.numbers) else first_wrong(plain, level)
    if plain is None or place is None:
        return None
    form, (row, column), position = plain.form, place, int(plain.positions[place[0]])
    entry, where = column, f"position {position}, column {column}"
    if form.kind == "bias":
        entry = form.columns[column]
        where = f"head {entry}, distance {position}"
    elif len(form.pairs) and form.before is None:
        entry = int(pair_members(plain.encoding, form.pairs[[column]])[form.quarters[column]][0])
        pair, part = form.pairs[column], "cosine" if form.quarters[column] else "sine"
        names = {"frequencies": f"pair {pair}", "cache": f"position {position}, the {part} of pair {pair}"}
        names["angles"] = f"position {position}, the angle of pair {pair}"
        where = names.get(form.kind, where)
    right = float(plain.right(np.array([row]), level)[0][0, column])
    vector = () if form.before is None else tuple(form.before[row].astype(float).tolist())
    return Wrong(position, column, float(form.numbers[row, column]), right, where, entry, vector)


def _parting(found: Encoding, wanted: Encoding) -> Parting | None:
    """The drift of the found encoding from the requested one; None for encodings without turning pairs."""
    if turning_pairs(found) is None or turning_pairs(wanted) is None:
        return None
    parted = drift(wanted, found)
    return Parting(parted.position, parted.pair)


def _ranges(chosen: Chosen) -> Iterator[str]:
    """The parameters that the numbers do not determine exactly, with two tried values that fit as well."""
    for name, value in chosen.reading.encoding.parameters().items():
        if name in _TOLD and value is not None:
            low, high = (_end(chosen, name, value, sign) for sign in (-1, 1))
            if low < high:
                yield f"These numbers fit every {name} from {number(low)} to {number(high)}."


def _end(chosen: Chosen, name: str, value: float, sign: int) -> float:
    """The farthest value of a parameter, of a few tried, with which the numbers are right as well."""
    farthest = value
    for share in _SHARES:
        other = type(value)(value * (1 + share) ** sign)
        try:
            moved = replace(chosen.reading, encoding=chosen.reading.encoding.edited(name, other))
        except ValueError:  # beyond the bounds of the parameter
            break
        if sampled(moved, chosen.level).n_wrong:
            break
        farthest = other
    return farthest


def _unknown(forms: list[Form], spans: Spans, level: Level, asked: tuple[Encoding, ...]) -> Finding:
    """The finding for numbers of no known formula, with the nearest formula."""
    form = next((each for each in forms if spans.of(each) is not None and each.law != "values"), forms[0])
    alike = [each for each in forms if each.kind == form.kind and not each.faults]
    distance, nearest = min(_distances(alike, spans, level, asked), key=lambda each: each[0], default=(math.inf, None))
    rows = spans.of(form)
    held = ((each, wanted, spans.of(each)) for wanted in asked for each in alike if holds(each, wanted))
    plain = next((Reading(each, wanted, own) for each, wanted, own in held if own is not None), None)
    first = _first(plain, level)
    return Finding(
        kind=form.kind,
        encoding=None,
        faults=(),
        precision=level.name,
        residual=distance,
        first=first,
        also=(),
        sentences=(*unlike(form, nearest, distance), *((first_words(first),) if first is not None else ())),
        positions=plain_positions(spanned(form, rows)) if rows is not None else (),
        is_right=False,
        against=next(iter(asked), None) if plain is None else plain.encoding,
        table=as_encoding(form, np.arange(len(form.numbers))),
    )


def _distances(
    forms: list[Form], spans: Spans, level: Level, asked: tuple[Encoding, ...]
) -> Iterator[tuple[float, Encoding]]:
    """The largest difference from each usual and each requested encoding that suits the forms."""
    some = slice(0, _SAMPLED)
    for form in forms:
        positions = spans.of(form)
        for encoding in (*asked, *usual_encodings(form)) if positions is not None else ():
            if positions is not None and holds(form, encoding):
                right, _ = Reading(form, encoding, positions).right(some, level)
                yield float(np.abs(form.numbers[some] - right).max()), encoding
