"""Limits of an identification: nearly equal encodings, families with the same numbers, and learned numbers."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from posenc_core.encodings import Encoding, Pope, turning_pairs
from posenc_core.identify.compare import Reading, sampled
from posenc_core.identify.forms import Form
from posenc_core.identify.precision import Level

_NEARLY = 0.01
"""Share of its real parameters below which two encodings are one reading of numbers."""

_WAVES = 0.25
"""Share of columns with one strong frequency from which on a table is like FoPE's."""

_FITTED = {
    "grape_m": "They determine the plane and its speed, not a and b: those given are orthogonal and of length 1.",
    "t5": "The number of each bucket is learned and taken as given: only the distances that share one are checked.",
    "shaw": "The numbers up to clip are learned and taken as given: only that farther keys share theirs is checked.",
    "relative_bank": "The numbers below rel_extent are learned and taken as given: only the zeros beyond are checked.",
}
"""Sentences on parameters that numbers of a family do not determine."""

BY_QUERY = "biases that depend on more than the distance, as in FIRE, CoPE and a forget gate, are learned or of a text"
"""The families whose biases no formula determines."""


def is_nearly(one: Encoding, other: Encoding) -> bool:
    """Whether two encodings of a family differ by a small share of their real numbers, or not at all."""
    some, others = one.parameters(), other.parameters()
    return (one.family, some.keys()) == (other.family, others.keys()) and all(
        value == others[name]
        or (isinstance(value, float) and math.isclose(value, others[name] or 0.0, rel_tol=_NEARLY))
        for name, value in some.items()
    )


def distinct(meant: Encoding, others: Iterable[Encoding]) -> list[Encoding]:
    """The other encodings without those that nearly equal ``meant`` or an earlier one."""
    found = list[Encoding]()
    for each in others:
        if not any(is_nearly(each, other) for other in (meant, *found)):
            found.append(each)
    return found


def coarse(encoding: Encoding) -> tuple[object, ...]:
    """The parameters, numbers with four digits only: equal for encodings that are nearly so."""
    parameters = encoding.parameters().values()
    return (encoding.family, *(f"{each:.3e}" if isinstance(each, float) else each for each in parameters))


def untold(form: Form) -> tuple[str, ...]:
    """The parameters that numbers of this form do not determine."""
    return () if form.tells_pairing else ("pairing",)


def fits(reading: Reading, other: Encoding, level: Level) -> bool:
    """Whether another encoding has the numbers of the reading without its faults."""
    plain = replace(reading, encoding=other, faults=reading.form.faults)
    return turning_pairs(other) is not None and not sampled(plain, level).n_wrong


def same_numbers(encoding: Encoding) -> Iterator[Encoding]:
    """Encodings of other families whose tables have the same numbers: PoPE for a rotation of twice its width."""
    turned = encoding.rotation
    if turned is None or turned.pairing != "half_split" or encoding.cells is not None:
        return
    is_whole = turned.n_columns == turned.head_dim and turned.scaling is None and turned.distance_rule is None
    if is_whole and turned.direction == 1:
        yield Pope(turned.head_dim // 2, turned.rope_theta)


def fitted(reading: Reading, is_asked: bool) -> Iterator[str]:
    """The sentence on parameters or numbers that are fitted to the given ones; nothing if these are compared.

    ``is_asked``: the encoding is the requested one. Simulated numbers are compared unless others are taken as given.
    """
    family, stored = reading.encoding.family, reading.encoding.stored
    if reading.encoding.parameters().get("scaling") == "listed" and not is_asked:
        yield "The divisors are taken as given: LongRoPE and rope_freqs.weight of GGUF files list such numbers."
    cells = reading.encoding.cells
    if cells is not None and not is_asked and reading.positions[-1] + 1 < (cells.grid.n_cells or 0):
        yield "The last row of the grid is not complete: the grid may have more rows."
    is_simulated = stored is not None and stored.is_simulated
    if family in _FITTED and (reading.taken is not None if is_simulated else not is_asked):
        yield _FITTED[family]
    amount, n_heads = dict(reading.faults).get("values_scaled", 0.0), reading.form.width
    if family == "sandwich" and amount > 1 and (n_heads * amount).is_integer():
        yield f"Heads 0 to {n_heads - 1} of {n_heads * amount:,.0f} have the same numbers, which are then right."


def doubts(form: Form, n_periodic: int) -> Iterator[str]:
    """The families without a formula that such numbers may be of; ``n_periodic`` columns have one frequency."""
    if form.kind == "bias" and form.positions is not None:
        yield (
            "A number for each distance may be learned, as in T5 or a relative bank, and is then no formula: name the "
            "model with against."
        )
    elif n_periodic >= _WAVES * form.numbers.shape[1]:
        yield (
            "Columns with one strong frequency may be FoPE's or trained: the coefficients of its waves are random or "
            "learned numbers, so name such a model with against."
        )
