"""Distances that share learned numbers: T5's buckets, Shaw's clipped distances, and a relative bank's end."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

import numpy as np
from msgspec import Struct

from posenc_core.encodings import Encoding, RelativeBank, ShawRelative, T5Bias, TransformerXLRelative
from posenc_core.fields import N_HEADS
from posenc_core.identify.forms import ENDS, Form, end_rows, typical_rows
from posenc_core.identify.laws import BASES, Law
from posenc_core.identify.precision import falling
from posenc_core.numerics import FloatArray, IntArray

_LEAST_CHANGES, _LEAST_EQUAL, _LEAST_RUNS = 3, 3, 2
"""Changes, equal neighbours, and for T5 runs of equal rows, that a rule of distances must show.

T5's must show a run more for each unusual parameter, which is fitted to one of them.
"""

_MISSED = 2
"""Changes that may be missing or too many: one wrong number makes two."""

_FARTHEST = (128, 256, 64, 512, 1024, 32, 100, 20, 40, 50, 200, 2048, 4096, 8192)
"""Values of max_distance, the most frequent first."""

_BUCKETS, _UNUSUAL = 32, 0.1
"""The usual number of buckets, and the cost of another number for buckets of one sign."""

_COST, _CLAMPED, _CLIPPED, _MORE = 1.4, 0.3, 0.5, 0.1
"""Costs of all these families, of a clamped and of a clipped distance, and of each change that is missed."""

_NEAR = 1e-5
"""Uncertainty, as a share, of a base that is measured at distance 1."""

_SEEDS, _MOST_BANK = 16, 1 << 16
"""Seeds of simulated numbers that are compared, and numbers of a bank."""


class Seen(Struct, frozen=True):
    """Rows ``(n_distances, n_columns)`` at consecutive distances key - query, and the distances at which they change.

    The first row has the distance ``first``, and ``step`` is 1 or -1 from row to row as given.
    """

    distances: IntArray
    rows: FloatArray
    first: int
    step: int = 1

    @property
    def changes(self) -> IntArray:
        """The distances whose row differs from that of the distance before."""
        return np.asarray(self.distances[1:][(self.rows[1:] != self.rows[:-1]).any(axis=1)])

    @property
    def starts(self) -> IntArray:
        """The absolute distances from which on keys of either side have other numbers, in ascending order."""
        changes = self.changes
        return np.unique(np.where(changes <= 0, 1 - changes, changes))

    @property
    def has_both_sides(self) -> bool:
        """Whether rows are alike at both ends, as far distances are; at one end, they may be any table's padding."""
        few = self.rows[:_LEAST_EQUAL], self.rows[-_LEAST_EQUAL:]
        return bool(self.distances[0] < 0 < self.distances[-1]) and all((each == each[0]).all() for each in few)

    @property
    def is_dense(self) -> bool:
        """Whether most columns differ where rows change, as learned numbers do."""
        differs = self.rows[1:] != self.rows[:-1]
        return bool(differs[differs.any(axis=1)].mean() > 0.5)

    def missed(self, encoding: Encoding) -> int:
        """The number of changes that the encoding's shared rows lack or have beyond the seen ones."""
        runs = encoding.stored.run_of(self.distances) if encoding.stored is not None else self.distances
        return len(np.setxor1d(self.distances[1:][np.diff(runs) != 0], self.changes))


def shared_laws(form: Form, positions: IntArray, is_given: bool) -> Iterator[Law]:
    """The families with the changes of the rows; nothing for a single column of rows, which shows too little."""
    is_of_one = form.positions is None and form.width == 1
    if (form.faults and form.positions is None) or form.heads is not None or is_of_one:
        return
    for seen in _seen(form, positions, is_given):
        n_changes = len(seen.changes)
        n_equal = len(seen.distances) - 1 - n_changes
        if n_changes < _LEAST_CHANGES or n_equal < _LEAST_EQUAL or not seen.is_dense:
            continue
        found = [*_buckets(seen)] if form.kind == "bias" else [*_clamped(seen)]
        has_distances = form.positions is not None or is_given or seen.has_both_sides
        if has_distances and (form.kind == "table" or form.positions is not None):
            found += _clipped(seen)
        if has_distances and form.kind == "bias":
            found += _ended(seen)
        for encoding, cost in found:
            yield Law(_seeded(encoding, seen), _COST + cost, (), seen.first, seen.step)


def _seen(form: Form, positions: IntArray, is_given: bool) -> Iterator[Seen]:
    """The rows at the form's distances, or at those that rows may have: from 0, up to 0, or with 0 in the middle."""
    numbers, first = form.numbers, int(positions[0])
    if form.positions is not None:
        some = end_rows(len(numbers))
        distances, groups = np.unique(positions[some], return_inverse=True)
        if (np.diff(distances) == 1).all() and np.isfinite(numbers[some]).all():
            yield Seen(distances, typical_rows(numbers[some].astype(np.float64), groups), first)
        return
    rows, count = numbers.astype(np.float64), len(numbers)
    if (np.diff(positions) != 1).any() or len(numbers) > ENDS:
        return
    changed = np.flatnonzero((rows[1:] != rows[:-1]).any(axis=1)) + 1
    if not len(changed):
        return
    last = int(changed[-1])
    firsts = [first] if is_given else [1 - count, -last, 1 - last]  # up to 0, or all later keys alike
    if not is_given and changed[0] > 1 and last < count - 1:
        firsts.insert(1, -(int(changed[0]) + last - 1) // 2)  # alike at both ends, with 0 in the middle
    yield from (Seen(each + np.arange(count), rows, each) for each in dict.fromkeys(firsts))
    if not is_given:
        yield Seen(np.arange(1 - count, 1), rows[::-1], 0, -1)


def _buckets(seen: Seen) -> Iterator[tuple[Encoding, float]]:
    """T5's buckets with the changes of the rows: the number of buckets from the single distances near 0."""
    starts, changes = seen.starts, seen.changes
    n_runs = int((np.diff(starts) > 1).sum())
    if len(starts) < _LEAST_CHANGES or n_runs < _LEAST_RUNS or seen.rows.shape[1] > N_HEADS.maximum:
        return
    n_single = int(np.argmax(np.append(np.diff(starts) > 1, True))) + 1
    both = [True] if (changes > 0).any() else [False] if seen.distances[-1] > 0 else [False, True]
    found = list[tuple[int, float, Encoding]]()
    for n_exact in range(n_single, max(1, n_single // 2) - 1, -1):
        for rank, farthest in enumerate(_farthest(starts[starts > n_exact], n_exact)):
            for is_both in both:
                with suppress(ValueError):  # too many buckets, or a farthest distance among the exact ones
                    made = T5Bias(2 * n_exact * (1 + is_both), farthest, is_both, seen.rows.shape[1])
                    n_fitted = (made.num_buckets != _BUCKETS) + (farthest not in _FARTHEST)
                    if n_runs < _LEAST_RUNS + n_fitted:
                        continue
                    cost = 0.01 * rank + (0.0 if made.num_buckets == _BUCKETS else _UNUSUAL * (1 + is_both))
                    found.append((seen.missed(made), cost, made))
    least = min((missed for missed, *_ in found), default=_MISSED + 1)
    if least <= _MISSED:
        yield from ((made, cost + _MORE * least) for missed, cost, made in found if missed == least)


def _farthest(starts: IntArray, n_exact: int) -> Iterable[int]:
    """Values of max_distance by which logarithmic buckets begin at these distances, the usual ones first.

    Bucket k of them begins at the least n >= E (M/E)^(k/E), so that M <= E (n/E)^(E/k).
    """
    with np.errstate(over="ignore"):
        powers = n_exact / np.arange(1, len(starts) + 1)
        ends = [float(value) for value in np.minimum(n_exact * (starts / n_exact) ** powers, 2.0**40)]
        begins = [float(value) for value in np.minimum(n_exact * ((starts - 1) / n_exact) ** powers, 2.0**40)]
    low, high = int(np.floor(max(begins, default=0.0))) + 1, int(min(ends, default=0.0) + 1e-9)
    within = [each for each in _FARTHEST if low <= each <= high]
    if within or low > high:
        return within or _FARTHEST
    round_ones = (-(-low // step) * step for step in (1000, 100, 50, 10, 5, 1))
    return [next(each for each in round_ones if each <= high)]


def _clipped(seen: Seen) -> Iterator[tuple[Encoding, float]]:
    """Shaw's clipped distance: a separate row up to the last change, then the same one."""
    clip = int(seen.starts[-1])
    with suppress(ValueError):
        made = ShawRelative(seen.rows.shape[1], clip)
        if seen.missed(made) <= _MISSED and np.abs(seen.distances).max() >= clip + _LEAST_EQUAL:
            yield made, _CLIPPED + _MORE * seen.missed(made)


def _clamped(seen: Seen) -> Iterator[tuple[Encoding, float]]:
    """Transformer-XL's clamped distance: sines and cosines up to the last change, with the base of distance 1."""
    width, at_one = seen.rows.shape[1], np.flatnonzero(seen.distances == -1)
    if width % 2 or width < 4 or not len(at_one):
        return
    pairs, sines = np.arange(1, width // 2), seen.rows[at_one[0], 1 : width // 2]
    if not ((sines > 0) & (sines < 1)).all():
        return
    base = float(np.exp(np.median(-np.log(np.arcsin(sines)) * width / (2 * pairs))))
    for each, cost in falling((base * (1 - _NEAR), base * (1 + _NEAR)), BASES):
        with suppress(ValueError):
            made = TransformerXLRelative(width, each, int(seen.starts[-1]))
            if np.allclose(made.values(seen.distances, np.arange(width)), seen.rows, atol=1e-2):
                yield made, _CLAMPED + 0.01 * cost


def _ended(seen: Seen) -> Iterator[tuple[Encoding, float]]:
    """A relative bank of the given biases: one profile per head, and 0 from the first distance that has none on.

    Its biases differ from distance to distance, as learned numbers do; a table with columns of zeros may not.
    """
    near = seen.rows[seen.distances <= 0][::-1]
    extent = len(near) - int(np.argmax(np.append((near[::-1] != 0).any(axis=1), True)))
    is_causal = not seen.rows[seen.distances > 0].any()
    differ = near[:1].any() and (near[1:extent] != near[: extent - 1]).any(axis=1).all()
    is_ended = extent <= len(near) - _LEAST_EQUAL and extent * near.shape[1] <= _MOST_BANK
    if is_causal and differ and is_ended:
        with suppress(ValueError):
            yield RelativeBank.from_arrays(near[:extent].T, np.eye(near.shape[1])), 0.0


def _seeded(encoding: Encoding, seen: Seen) -> Encoding:
    """The encoding with the seed whose simulated numbers these are; unchanged without one."""
    columns = np.arange(seen.rows.shape[1])
    for seed in range(_SEEDS) if encoding.stored is not None else ():
        simulated = encoding.edited("table_seed", seed)
        if np.allclose(simulated.values(seen.distances[:8], columns), seen.rows[:8], rtol=1e-2, atol=1e-3):
            return simulated
    return encoding
