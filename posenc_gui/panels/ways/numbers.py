"""Numbers of the three ways: their scores along a shift of both positions, and the tests that detect each."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct

from posenc_core import Document, Encoding
from posenc_core.analysis import Way, full_angles, query_alone_scores, three_ways, way_scores
from posenc_core.numerics import FloatArray
from posenc_core.tables import ProgressCallback
from posenc_gui.look import significant
from posenc_gui.panels.ways.spec import BOTH_SHIFT, KEY_POSITION, MOST_SHIFT, QUERY_ALONE, QUERY_POSITION

SHIFTS = np.arange(MOST_SHIFT + 1)
"""The shifts of both positions that are compared, in tokens."""

_SAME = 1e-8
"""Largest difference of two equal scores, over the lengths of the vectors: angles up to 1e6 tokens lose 1e-10."""


class Check(Struct, frozen=True):
    """A test of a rotation: its comparison, its result in words, and whether the way passes it."""

    name: str
    found: str
    passes: bool


class Hands(Struct, frozen=True):
    """The angles in rad by which a rotation turns a pair of the query and of the key."""

    pair: int
    positions: tuple[int, int]
    query: float
    key: float

    @classmethod
    def of(cls, encoding: Encoding, pair: int, positions: tuple[int, int]) -> "Hands":
        """The hands of a pair at the positions of the query and the key."""
        query, key = (float(full_angles(encoding, place)[pair]) for place in positions)
        return cls(pair, positions, query, key)

    @property
    def between(self) -> float:
        """The angle from the key to the query in rad, with whole turns."""
        return self.query - self.key


class WaysView(Struct, frozen=True, eq=False):
    """The three ways at the present shift, and their scores ``(3, n_shifts)`` at all of ``SHIFTS``.

    ``alone`` are the scores ``(n_shifts,)`` with only the query rotated, None unless requested.
    """

    ways: tuple[Way, Way, Way]
    scores: FloatArray
    shift: int
    positions: tuple[int, int]
    alone: FloatArray | None = None

    @classmethod
    def of(cls, document: Document) -> "WaysView":
        """The view of a document of RoPE. ValueError with one sentence for numbers beyond float64."""
        view, encoding = document.view, document.encoding
        query, key, shift = (document.option(each) for each in (QUERY_POSITION, KEY_POSITION, BOTH_SHIFT))
        scores = _scores(encoding, view.query_vector, view.key_vector, query, key)
        places = (query + shift, key + shift)
        if not all(np.isfinite(full_angles(encoding, place)).all() for place in places):
            raise ValueError("an angle of a pair is beyond float64, which ends at 1.8e308; use slower pairs")
        ways = three_ways(encoding, *_vectors(document), *places)
        has_alone = document.option(QUERY_ALONE)
        alone = query_alone_scores(encoding, *_vectors(document), query, SHIFTS) if has_alone else None
        return cls(ways, scores, shift, places, alone)

    @property
    def tolerance(self) -> float:
        """The largest difference of two scores that are the same but for rounding."""
        right = self.ways[0]
        return _SAME * float(np.sqrt(right.query_square) * np.sqrt(right.key_square))

    def checks(self, index: int) -> tuple[Check, Check, Check]:
        """Results of three tests of the way at this index: of lengths, of shifts, and of values."""
        way, right = self.ways[index], self.ways[0]
        kept = abs(way.query_square - right.query_square) <= _SAME * right.query_square
        low, high = float(self.scores[index].min()), float(self.scores[index].max())
        stays = high - low <= self.tolerance
        same = bool((np.abs(self.scores[index] - self.scores[0]) <= self.tolerance).all())
        length, expected = (significant(round(each.query_square, 6), 6) for each in (way, right))
        ends = f"{significant(low, 4)} to {significant(high, 4)}"
        off = significant(way.score - right.score, 6)
        return (
            Check("lengths", f"|q|² {length}, {'kept' if kept else f'not {expected}'}", kept),
            Check("shifts", "score stays" if stays else f"score moves, {ends}", stays),
            Check("values", "as the model's" if same else f"off by {off}", same),
        )

    def summary(self) -> str:
        """Sentence on the tests that detect each mistake."""
        wrong, broken = ([check for check in self.checks(index) if not check.passes] for index in (1, 2))
        if not wrong and not broken:
            return "these vectors do not distinguish the three ways"
        return f"{_finders(wrong)} the wrong convention · {_finders(broken)} broken code"


def _finders(failed: Sequence[Check]) -> str:
    """The tests that find a mistake, with their verb."""
    *first, last = [check.name for check in failed] or ["no test with these vectors"]
    if first:
        return f"{', '.join(first)} and {last} find"
    return f"only {last} find" if last == "values" else f"{last} finds"


def _vectors(document: Document) -> tuple[FloatArray, FloatArray]:
    """The query and the key in the width of the head, ``(head_dim,)`` each."""
    view, width = document.view, document.encoding.combination.width
    return np.resize(np.array(view.query_vector), width), np.resize(np.array(view.key_vector), width)


@lru_cache(maxsize=2)
def _scores(
    encoding: Encoding, query: tuple[float, ...], key: tuple[float, ...], query_at: int, key_at: int
) -> FloatArray:
    """The score of each way at each shift, ``(3, n_shifts)``: the slider only chooses among them."""
    q, k = (np.resize(np.array(each), encoding.combination.width) for each in (query, key))
    with np.errstate(over="ignore", invalid="ignore"):
        scores = way_scores(encoding, q, k, query_at, key_at, SHIFTS)
    if not np.isfinite(scores).all():
        raise ValueError("a score of these vectors is beyond float64, which ends at 1.8e308; use smaller numbers")
    return scores


def numbers(document: Document, progress: ProgressCallback) -> Mapping[str, FloatArray]:
    """The score of each way at each shift of both positions; the columns of a table by their heads."""
    view = WaysView.of(document)
    scores = {f"score, {way.name}": row for way, row in zip(view.ways, view.scores, strict=True)}
    alone = {} if view.alone is None else {"score, q alone": view.alone}
    return {"shift": SHIFTS.astype(np.float64), **scores, **alone}
