"""The sentences of a finding, the verdict first."""

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from posenc_core.encodings import Encoding
from posenc_core.engines import EngineRow, compare_engines
from posenc_core.fields import SEQ_LEN, shortened
from posenc_core.identify.closed.doubts import doubts, fits, fitted, untold
from posenc_core.identify.compare import Compared, Reading, base_name
from posenc_core.identify.faults import DEGREE, FAULTS, FORMATS, TURN, Bent
from posenc_core.identify.finding import Fault, Parting, Place, Wrong
from posenc_core.identify.forms import Form
from posenc_core.identify.precision import UNROUND, Level, roundest

FIRST_WRONG = "The first wrong number is at"
"""Beginning of the sentence about the first wrong number."""

_NAMED = 6
"""Most places that a sentence names."""

_SAMPLED = 1024
"""Rows and columns that the mean, the deviation and the periods are of."""

_QUIET = {
    "offset", "beta_fast", "beta_slow", "alpha", "beta", "low_freq_factor", "high_freq_factor", "attention_factor",
    "table_seed",
}  # fmt: skip
"""Parameters that are named if they are unusual."""

_UNSAID = ("none", "leading", "1", 1, "paper")
"""Choices that go without saying."""


def described(encoding: Encoding, hidden: Iterable[str] = ()) -> str:
    """The family and the parameters that matter, in words."""
    said, parameters = [encoding.title], encoding.parameters()
    for field in encoding.fields:
        value = parameters[field.name]
        is_empty = value is None or value in ("", ())
        if field.name in hidden or is_empty or (field.name in _QUIET and value == field.default):
            continue
        if field.kind == "choice":
            is_number = str(value).lstrip("-").isdigit()
            said += [] if value in _UNSAID else [f"{field.name} {_plain(str(value))}" if is_number else str(value)]
        elif isinstance(value, str):
            said.append(f"{field.name} {shortened(value)}")
        elif isinstance(value, tuple):
            some = ", ".join(number(each) if isinstance(each, int | float) else str(each) for each in value[:3])
            said.append(f"{field.name} {some}{f', ... ({len(value)} numbers)' if len(value) > 3 else ''}")
        elif isinstance(value, bool):
            said += [field.name if value else f"not {field.name}"] if value != field.default else []
        else:
            said.append(f"{field.name} {number(value)}")
    return ", ".join(said)


def number(value: float) -> str:
    """A parameter with the digits it has, and commas between thousands."""
    return _plain(f"{value:,.10g}" if abs(value) < 1e15 else f"{value:g}")


def _entry(value: float) -> str:
    return _plain(f"{value:.5g}")


def _plain(text: str) -> str:
    """The number as panels write numbers: with a true minus, and an exponent without a plus and leading zeros."""
    mantissa, _, exponent = text.partition("e")
    return (f"{mantissa}e{int(exponent)}" if exponent else mantissa).replace("-", "−")


def _beside(given: float, right: float) -> tuple[str, str]:
    """Two numbers with as many digits as they need to differ."""
    digits = next((digits for digits in range(5, 17) if f"{given:.{digits}g}" != f"{right:.{digits}g}"), 17)
    return _plain(f"{given:.{digits}g}"), _plain(f"{right:.{digits}g}")


def verdict(
    reading: Reading, compared: Compared, faults: tuple[Fault, ...], first: Wrong | None, precision: str, is_asked: bool
) -> Iterator[str]:
    """The verdict, faults and first wrong number; ``is_asked`` is False for right numbers of another encoding."""
    residual, codes = compared.residual, {fault.code for fault in faults}
    off = (
        f"the largest difference is {residual:.0e}".replace("e-0", "e-").replace("e-", "e−")
        if residual
        else "no number differs"
    )
    how = f"to {precision}" if precision[:1].isdigit() else f"in {precision}"
    said = f"{described(reading.encoding, untold(reading.form))}, {how}; {off}."
    if not faults:
        unusual = unusual_words(reading.encoding)
        has_length = any(field.name == SEQ_LEN.name for field in reading.encoding.fields)
        seq_len = reading.encoding.parameters()[SEQ_LEN.name] if has_length else len(reading.positions)
        if seq_len != len(reading.positions):  # p/T in place of p/(T - 1) has the numbers of another length
            unusual = f" if seq_len {number(seq_len)} is meant"
        yield (
            f"Right{unusual}. {said}" if is_asked else f"Not what was asked for: these are the right numbers of {said}"
        )
    yield from (fault.sentence for fault in faults)
    if first is not None and not (codes == {"cells"} and compared.n_wrong == 1):
        yield first_words(first)
    if faults:
        yield f"{'The rest is' if codes <= {'cells', 'columns'} else 'Nearest formula:'} {said}"


def unusual_words(encoding: Encoding) -> str:
    """The condition that parameters with more than four digits are meant; empty without any."""
    parameters = encoding.parameters()
    values = {name: parameters.get(name) or 1.0 for name in (base_name(encoding), "factor", "freq_scale")}
    odd = [name for name, each in values.items() if roundest((each * (1 - 1e-9), each * (1 + 1e-9)))[1] > UNROUND]
    verb = "are" if len(odd) > 1 else "is"
    return f" if {' and '.join(f'{name} {number(values[name])}' for name in odd)} {verb} meant" if odd else ""


def first_words(first: Wrong) -> str:
    """The first wrong number, its place, and the right number."""
    return "{} {}: {} in place of {}.".format(FIRST_WRONG, first.where, *_beside(first.given, first.right))


def parting_words(asked: Encoding, parting: Parting | None) -> Iterator[str]:
    """The requested encoding, and the first position at which the numbers differ from it."""
    yield f"Asked for: {described(asked)}."
    if parting is not None and parting.position >= 0:
        yield f"From position {parting.position:,} on pair {parting.pair} is off by more than 45 degrees."


def remarks(reading: Reading, others: Iterable[Encoding], is_asked: bool, level: Level) -> Iterator[str]:
    """Notes of the form, positions that are not 0, 1, 2, ..., other readings, and undetermined parameters."""
    form, positions, hidden = reading.form, reading.positions, untold(reading.form)
    yield from form.notes
    is_usual = positions[0] == 0 and (len(positions) < 2 or positions[1] == 1)
    if form.positions is None and form.kind != "frequencies" and not is_usual:
        few = [number(each) for each in positions[: 5 if len(positions) < 6 else 3].tolist()]
        few += ["...", number(int(positions[-1]))] if len(positions) > len(few) else []
        yield f"The position{'s are' if len(few) > 1 else ' is'} {', '.join(few)}."
    if form.kind != "frequencies" and reading.encoding.parameters().get("direction") == -1:
        yield "The sines have the other sign than in most models: they rotate backwards, by -theta p, as in nanochat."
    said = {described(other, hidden): other for other in others}
    said.pop(described(reading.encoding, hidden), None)
    if said:
        is_fault = bool(reading.faults) and all(fits(reading, each, level) for each in said.values())
        head = "Without a fault, these are the numbers of" if is_fault else "Encodings with the same numbers"
        yield f"{head}: {'; '.join(said)}."
    yield from fitted(reading, is_asked)
    if hidden:
        yield "These numbers do not show which columns are pairs."


def fault_of(bent: Bent, reading: Reading) -> Fault:
    """The fault with its sentence."""
    code, amount = bent
    said = _AMOUNTS[code](amount, reading) if code in _AMOUNTS else ""
    return Fault(code, FAULTS[code].sentence.format(amount=said))


def _multiple(amount: float) -> str:
    for turn, words in ((TURN, "2 pi"), (1 / TURN, "1/(2 pi)")):
        if math.isclose(amount, turn, rel_tol=1e-6):
            return f"{_entry(amount)}, {words},"
    few = _beside(amount, 1.0)[0]
    return f"{few}, 1/{number(round(1 / amount, 6))}," if amount < 1 and few == _entry(amount) else number(amount)


def _root(amount: float, reading: Reading) -> str:
    width = reading.form.width
    for power, words in ((0.5, "the square root of"), (-0.5, "one over the square root of")):
        if math.isclose(amount, width**power, rel_tol=1e-6):
            return f"{_entry(amount)}, {words} {width}"
    return _beside(amount, 1.0)[0]


def _widths(amount: float, reading: Reading) -> str:
    right = 2 * reading.form.n_pairs if reading.form.law == "rotary" else reading.form.width
    return f"divides by {round(right / amount)} and should divide by {right}"


def _attention(amount: float, reading: Reading) -> str:
    given = float(np.abs(reading.waves.amplitudes).max())
    is_even = math.isclose(given, 1, rel_tol=1e-6) and "mscale" in reading.encoding.parameters()
    unless = ", unless mscale and mscale_all_dim are equal, as in DeepSeek's models" if is_even else ""
    return "{} and should be {}".format(*_beside(given, given / amount)) + unless


_AMOUNTS: dict[str, Callable[[float, Reading], str]] = {
    "degrees": lambda amount, _: "degrees" if amount == DEGREE else "radians to convert into degrees",
    "position_scaled": lambda amount, _: _multiple(amount),
    "positions_shifted": lambda amount, _: number(amount),
    "positions_rounded": lambda amount, _: FORMATS[amount],
    "values_scaled": _root,
    "slopes_even": lambda _, reading: number(reading.form.width),
    "mixed_pairs": lambda _, reading: "in halves" if reading.form.layout == "half_split" else "with their neighbours",
    "exponent_width": _widths,
    "attention_factor": _attention,
}
"""The amount of a fault in words."""


def place_faults(reading: Reading, compared: Compared, first: Wrong | None) -> Iterator[Fault]:
    """The faults of whole columns and of single numbers."""
    kind, columns = reading.form.kind, compared.columns
    if columns:
        more = f" and {len(columns) - _NAMED} more" if len(columns) > _NAMED else ""
        said = f"{', '.join(map(str, columns[:_NAMED]))}{more}"
        yield Fault(
            "columns", f"{_counted(len(columns), 'head' if kind == 'bias' else 'column')} wrong: {said}.", columns
        )
    if compared.cells:
        rows = {row for row, _ in compared.cells}
        places: tuple[Place, ...] = tuple((int(reading.positions[row]), column) for row, column in compared.cells)
        if kind == "frequencies":
            places = tuple(column for _, column in compared.cells)
        where = (
            f" at position {reading.positions[next(iter(rows))]}" if len(rows) == 1 and kind != "frequencies" else ""
        )
        if len(places) == 1 and reading.faults:
            where = f" at position {reading.positions[next(iter(rows))]}, column {compared.cells[0][1]}"
        elif len(places) == 1 and first is not None:
            where = ": {} is {} and should be {}".format(first.where, *_beside(first.given, first.right))
        rest = f" The other {compared.n_numbers - compared.n_wrong:,} are right." if not columns else ""
        yield Fault("cells", f"{_counted(len(places), 'number')} wrong{where}.{rest}", places)


def _counted(count: int, noun: str) -> str:
    """The beginning of a sentence with a count."""
    return f"One {noun} is" if count == 1 else f"{count:,} {noun}s are"


def unlike(form: Form, nearest: Encoding | None, distance: float) -> tuple[str, ...]:
    """The sentences for numbers of no known formula."""
    off = ""
    if nearest is not None and distance < np.inf:  # a masked number that the nearest has not is off by inf
        off = f": the nearest, {described(nearest)}, is off by up to {_entry(distance)}"
    some = form.numbers[:_SAMPLED, :_SAMPLED].astype(np.float64)
    finite = some[np.isfinite(some)]  # without what masks a bias
    said = f"Mean {_plain(f'{round(finite.mean(), 3) + 0.0:.3f}')}, standard deviation {finite.std():.2g}"
    periodic = 0
    if form.kind == "table" and len(some) > 7:
        power = np.abs(np.fft.rfft(some - some.mean(axis=0), axis=0)) ** 2
        periodic = int((power.max(axis=0) > 0.5 * power.sum(axis=0) + 1e-300).sum())  # half of it in one frequency
        said += f"; {_counted(periodic, 'column')} periodic" if periodic else ", no periodic column: trained or random"
    return f"Not one of the formulas known here{off}.", f"{said}.", *doubts(form, periodic)


def engines_words(numbers: Encoding, against: Any, is_right: bool) -> Iterator[str]:
    """Engines that compute the encoding ``numbers`` instead of that of the configuration ``against``.

    ``is_right``: the numbers are also those of the model's class, in short texts; then engines that deviate in long
    texts are named. Nothing for a preset, and for a model without a comparison of engines.
    """
    rows = [row for row in _engine_rows(against) if _alike(row.computed.encoding, numbers)]
    rows = [row for row in rows if row.position is not None or not is_right]
    if not rows:
        return
    named = dict.fromkeys(f"{row.computed.source.project} {row.computed.source.version}" for row in rows)
    lengths = next((row.computed.lengths for row in rows if row.computed.lengths), "")
    who = f"This is what {_listed(named)} compute{'s' if len(named) == 1 else ''} for that configuration"
    yield f"{who}: {lengths}." if lengths else f"{who}."
    told = dict[str, dict[str, None]]()
    for row in rows:
        for each in row.computed.ignored:
            told.setdefault(each, {})[row.computed.source.project] = None
    yield from (f"In {_listed(projects)} {each}." for each, projects in told.items())


def _listed(names: Iterable[str]) -> str:
    """The names with commas, and with "and" before the last."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _alike(one: Encoding | None, other: Encoding) -> bool:
    """Whether two rotations have the same numbers."""
    a, b = None if one is None else one.rotation, other.rotation
    if a is None or b is None or a.pairs.n_pairs != b.pairs.n_pairs:
        return False
    same = np.allclose(a.pairs.frequencies, b.pairs.frequencies, rtol=1e-6, atol=0)
    return bool(same) and math.isclose(a.attention_factor, b.attention_factor, rel_tol=1e-6)


def engine_encodings(against: Any) -> tuple[Encoding, ...]:
    """Engines' encodings for the configuration that differ from its class; empty for anything else."""
    found = (row.computed.encoding for row in _engine_rows(against))
    return tuple(dict.fromkeys(each for each in found if each is not None))


def _engine_rows(against: Any) -> Iterator[EngineRow]:
    """The rows that differ, at the configuration's length and at half of it."""
    if not isinstance(against, Mapping | str | os.PathLike):
        return
    try:
        table = compare_engines(against)
        shorter = compare_engines(against, max(table.length // 2, 1))
    except (ValueError, OSError):  # a preset, or a model without a comparison of engines
        return
    yield from (row for row in (*table.rows, *shorter.rows) if row.differences)
