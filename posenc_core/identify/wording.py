"""The sentences of a finding, the verdict first."""

import math
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from posenc_core.encodings import Encoding
from posenc_core.fields import shortened
from posenc_core.identify.compare import Compared, Reading
from posenc_core.identify.faults import DEGREE, FAULTS, FORMATS, Bent
from posenc_core.identify.finding import Fault, Place, Wrong
from posenc_core.identify.forms import Form
from posenc_core.numerics import FloatArray

_SAMPLED = 1024
"""Rows and columns that the mean, the deviation and the periods are of."""

_NAMED = 6
"""Most places that a sentence names."""


def described(encoding: Encoding, hidden: Iterable[str] = ()) -> str:
    """The family and the parameters that matter, in words."""
    said = []
    for index, field in enumerate(encoding.fields):
        value = encoding.parameters()[field.name]
        if field.name in hidden or (index > 1 and value == field.default and field.kind != "choice"):
            continue
        if field.kind == "choice" and value in ("none", "leading", "1", 1, "paper"):
            continue
        said.append(_said(field.name, value) if field.kind != "choice" else str(value))
    return ", ".join([encoding.title, *said])


def _said(name: str, value: object) -> str:
    if isinstance(value, tuple):
        return f"{name} {', '.join(f'{each:g}' for each in value[:3])}, ... ({len(value)} numbers)"
    return f"{name} {number(value)}" if isinstance(value, float | int) and not isinstance(value, bool) else f"{name} {value}"


def number(value: float) -> str:
    """A parameter with the digits it has and commas between thousands."""
    return f"{value:,.10g}" if abs(value) < 1e15 else f"{value:g}"


def entry(value: float) -> str:
    """A number of a table with five significant digits."""
    return f"{value:.5g}"


def hidden_in(form: Form) -> tuple[str, ...]:
    """The parameters that numbers of this form do not tell."""
    is_repeated = form.kind == "cache" and len(form.pairs) > 2 * form.n_pairs
    return ("pairing",) if form.kind == "frequencies" or (form.kind == "cache" and not is_repeated) else ()


def fault_of(bent: Bent, reading: Reading) -> Fault:
    """The fault with its sentence."""
    code, amount = bent
    said = _AMOUNTS[code](amount, reading) if code in _AMOUNTS else ""
    return Fault(code, FAULTS[code].sentence.format(amount=said))


def _root(amount: float, width: int) -> str:
    if math.isclose(amount, math.sqrt(width), rel_tol=1e-6):
        return f", the square root of {width}"
    return f", one over the square root of {width}" if math.isclose(amount, width**-0.5, rel_tol=1e-6) else ""


def _widths(amount: float, reading: Reading) -> str:
    right = 2 * reading.form.n_pairs if reading.form.law == "rotary" else reading.form.width
    return f"divides by {round(right / amount)} and should divide by {right}"


def _attention(amount: float, reading: Reading) -> str:
    right = float(np.abs(reading.waves.amplitudes).max()) / amount
    return f"{entry(right * amount)} and should be {entry(right)}"


def _scale(amount: float, reading: Reading) -> str:
    return f"{entry(amount)}, 1/{number(round(1 / amount, 6))}" if amount < 1 else number(amount)


_AMOUNTS: dict[str, Callable[[float, Reading], str]] = {
    "degrees": lambda amount, _: "degrees" if amount == DEGREE else "radians to convert into degrees",
    "position_scaled": _scale,
    "positions_shifted": lambda amount, _: number(amount),
    "positions_rounded": lambda amount, _: FORMATS[amount],
    "values_scaled": lambda amount, reading: f"{entry(amount)}{_root(amount, reading.form.width)}",
    "exponent_width": _widths,
    "attention_factor": _attention,
}
"""The amount of a fault in words."""


def place_faults(reading: Reading, compared: Compared) -> Iterator[Fault]:
    """The faults of whole columns and of single numbers."""
    if compared.columns:
        noun = "head" if reading.form.kind == "bias" else "column"
        said = _listed(compared.columns)
        yield Fault("columns", f"{_counted(len(compared.columns), noun)} wrong: {said}.", compared.columns)
    if compared.cells:
        n_cells = len(compared.cells)
        places: tuple[Place, ...] = tuple((int(reading.positions[row]), column) for row, column in compared.cells)
        if reading.form.kind == "frequencies":
            places = tuple(column for _, column in compared.cells)
        rows = {row for row, _ in compared.cells}
        where = f" at position {reading.positions[next(iter(rows))]}" if len(rows) == 1 and n_cells > 1 else ""
        rest = f" The other {compared.n_numbers - compared.n_wrong:,} are right." if not compared.columns else ""
        yield Fault("cells", f"{_counted(n_cells, 'number')} wrong{where}.{rest}", places)


def _counted(count: int, noun: str) -> str:
    return f"One {noun} is" if count == 1 else f"{count:,} {noun}s are"


def _listed(places: tuple[int, ...]) -> str:
    more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
    return ", ".join(map(str, places[:_NAMED])) + more


def wrong_at(reading: Reading, row: int, column: int, right: float) -> Wrong:
    """The number at a row and a column beside the right one."""
    form, position = reading.form, int(reading.positions[row])
    given = float(form.numbers[row, column])
    vector: tuple[float, ...] = ()
    table_column = column
    if form.kind == "frequencies":
        where = f"pair {column}"
    elif form.kind == "bias":
        where = f"head {column}, distance {position}"
    elif form.kind == "cache" and not form.cost:
        pair, part = int(form.pairs[column]), "cosine" if form.quarters[column] else "sine"
        where = f"position {position}, the {part} of pair {pair}"
        table_column = 2 * pair + (part == "sine") if reading.encoding.column_blocks()[0][1] == form.width else pair
        table_column += form.n_pairs * (part == "sine" and table_column == pair and len(reading.encoding.column_blocks()) > 1)
    else:
        where = f"position {position}, column {column}"
    if form.before is not None:
        vector = tuple(form.before[row].astype(float).tolist())
    return Wrong(position, column, given, right, where, table_column, vector)


def unlike(form: Form, nearest: Encoding | None, distance: float) -> tuple[str, ...]:
    """The sentences for numbers that no formula gives."""
    some = form.numbers[:_SAMPLED, :_SAMPLED].astype(np.float64)
    if nearest is None:
        first = "Not one of the formulas known here."
    else:
        first = f"Not one of the formulas known here: the nearest, {described(nearest)}, is off by up to {entry(distance)}."
    said = f"Mean {some.mean():.3f}, standard deviation {some.std():.2g}"
    if form.kind != "table" or len(some) < 8:
        return first, f"{said}."
    periodic = int(_is_periodic(some).sum())
    if not periodic:
        return first, f"{said}, no periodic column: trained or random numbers."
    return first, f"{said}; {_counted(periodic, 'column')} periodic."


def _is_periodic(numbers: FloatArray) -> FloatArray:
    """Whether one frequency has more than half of each column's power."""
    power = np.abs(np.fft.rfft(numbers - numbers.mean(axis=0), axis=0)) ** 2
    return np.asarray(power.max(axis=0) > 0.5 * power.sum(axis=0) + 1e-300)
