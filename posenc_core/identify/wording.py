"""The sentences of a finding, the verdict first."""

import math
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from posenc_core.encodings import Encoding
from posenc_core.identify.compare import Compared, Reading
from posenc_core.identify.faults import DEGREE, FAULTS, FORMATS, Bent
from posenc_core.identify.finding import Fault, Place, Wrong
from posenc_core.identify.forms import Form

_NAMED = 6
"""Most places that a sentence names."""

_SAMPLED = 1024
"""Rows and columns that the mean, the deviation and the periods are of."""

_QUIET = {
    "offset", "beta_fast", "beta_slow", "alpha", "beta", "low_freq_factor", "high_freq_factor", "attention_factor",
}  # fmt: skip
"""Parameters that are named where they are unusual."""

_UNSAID = ("none", "leading", "1", 1, "paper")
"""Choices that go without saying."""


def described(encoding: Encoding, hidden: Iterable[str] = ()) -> str:
    """The family and the parameters that matter, in words."""
    said, parameters = [encoding.title], encoding.parameters()
    for field in encoding.fields:
        value = parameters[field.name]
        if field.name in hidden or value is None or (field.name in _QUIET and value == field.default):
            continue
        if field.kind == "choice":
            said += [] if value in _UNSAID else [str(value)]
        elif isinstance(value, tuple):
            said.append(f"{field.name} {', '.join(map(number, value[:3]))}, ... ({len(value)} numbers)")
        elif not isinstance(value, bool) or value != field.default:
            said.append(f"{field.name} {number(value)}")
    return ", ".join(said)


def number(value: float) -> str:
    """A parameter with the digits it has, and commas between thousands."""
    return f"{value:,.10g}" if abs(value) < 1e15 else f"{value:g}"


def entry(value: float) -> str:
    """A number of a table with five significant digits."""
    return f"{value:.5g}"


def beside(given: float, right: float) -> tuple[str, str]:
    """Two numbers with as many digits as they need to differ."""
    digits = next((digits for digits in range(5, 17) if f"{given:.{digits}g}" != f"{right:.{digits}g}"), 17)
    return f"{given:.{digits}g}", f"{right:.{digits}g}"


def rounded_to(precision: str) -> str:
    """The precision in words."""
    return f"to {precision}" if precision[:1].isdigit() else f"in {precision}"


def fault_of(bent: Bent, reading: Reading) -> Fault:
    """The fault with its sentence."""
    code, amount = bent
    said = _AMOUNTS[code](amount, reading) if code in _AMOUNTS else ""
    return Fault(code, FAULTS[code].sentence.format(amount=said))


def _root(amount: float, reading: Reading) -> str:
    width = reading.form.width
    if math.isclose(amount, math.sqrt(width), rel_tol=1e-6):
        return f"{entry(amount)}, the square root of {width}"
    over = ", one over the square root of {width}" if math.isclose(amount, width**-0.5, rel_tol=1e-6) else ""
    return f"{entry(amount)}{over.format(width=width)}"


def _widths(amount: float, reading: Reading) -> str:
    right = 2 * reading.form.n_pairs if reading.form.law == "rotary" else reading.form.width
    return f"divides by {round(right / amount)} and should divide by {right}"


def _attention(amount: float, reading: Reading) -> str:
    right = float(np.abs(reading.waves.amplitudes).max()) / amount
    return f"{entry(right * amount)} and should be {entry(right)}"


def _scale(amount: float, reading: Reading) -> str:
    return f"{entry(amount)}, 1/{number(round(1 / amount, 6))}," if amount < 1 else number(amount)


_AMOUNTS: dict[str, Callable[[float, Reading], str]] = {
    "degrees": lambda amount, _: "degrees" if amount == DEGREE else "radians to convert into degrees",
    "position_scaled": _scale,
    "positions_shifted": lambda amount, _: number(amount),
    "positions_rounded": lambda amount, _: FORMATS[amount],
    "values_scaled": _root,
    "exponent_width": _widths,
    "attention_factor": _attention,
}
"""The amount of a fault in words."""


def place_faults(reading: Reading, compared: Compared, first: Wrong | None) -> Iterator[Fault]:
    """The faults of whole columns and of single numbers."""
    noun = {"bias": "head", "frequencies": "pair"}.get(reading.form.kind, "column")
    if compared.columns:
        more = f" and {len(compared.columns) - _NAMED} more" if len(compared.columns) > _NAMED else ""
        said = f"{', '.join(map(str, compared.columns[:_NAMED]))}{more}"
        yield Fault("columns", f"{counted(len(compared.columns), noun)} wrong: {said}.", compared.columns)
    if compared.cells:
        places: tuple[Place, ...] = tuple((int(reading.positions[row]), column) for row, column in compared.cells)
        if reading.form.kind == "frequencies":
            places = tuple(column for _, column in compared.cells)
        rows = {row for row, _ in compared.cells}
        where = f" at position {reading.positions[next(iter(rows))]}" if len(rows) == 1 else ""
        if len(places) == 1 and first is not None:
            where = ": {} is {} and should be {}".format(first.where, *beside(first.given, first.right))
        rest = f" The other {compared.n_numbers - compared.n_wrong:,} are right." if not compared.columns else ""
        yield Fault("cells", f"{counted(len(places), 'number')} wrong{where}.{rest}", places)


def counted(count: int, noun: str) -> str:
    """The beginning of a sentence about so many things."""
    return f"One {noun} is" if count == 1 else f"{count:,} {noun}s are"


def unlike(form: Form, nearest: Encoding | None, distance: float) -> tuple[str, ...]:
    """The sentences for numbers that no formula gives."""
    off = f": the nearest, {described(nearest)}, is off by up to {entry(distance)}" if nearest is not None else ""
    some = form.numbers[:_SAMPLED, :_SAMPLED].astype(np.float64)
    said = f"Mean {some.mean():.3f}, standard deviation {some.std():.2g}"
    if form.kind == "table" and len(some) > 7:
        power = np.abs(np.fft.rfft(some - some.mean(axis=0), axis=0)) ** 2
        periodic = int((power.max(axis=0) > 0.5 * power.sum(axis=0) + 1e-300).sum())  # more than half in one frequency
        said += f"; {counted(periodic, 'column')} periodic" if periodic else ", no periodic column: trained or random numbers"
    return f"Not one of the formulas known here{off}.", f"{said}."
