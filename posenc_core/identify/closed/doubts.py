"""Sentences on what numbers do not determine: learned numbers of known families, and families without a formula."""

from collections.abc import Iterator

from posenc_core.identify.compare import Reading
from posenc_core.identify.forms import Form

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


def fitted(reading: Reading, is_asked: bool) -> Iterator[str]:
    """The sentence on parameters or numbers that are fitted to the given ones; nothing if these are compared.

    ``is_asked``: the encoding is the requested one. Simulated numbers are compared unless others are taken as given.
    """
    family, stored = reading.encoding.family, reading.encoding.stored
    is_simulated = stored is not None and stored.is_simulated
    if family in _FITTED and (reading.taken is not None if is_simulated else not is_asked):
        yield _FITTED[family]
    amount, n_heads = dict(reading.faults).get("values_scaled", 0.0), reading.form.width
    if family == "sandwich" and 0 < amount < 1 and (n_heads / amount).is_integer():
        yield f"Heads 0 to {n_heads - 1} of {n_heads / amount:,.0f} have the same numbers, which are then right."


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
