"""The lines of scores by distance: of the chosen encoding, of its heads, and of the other encodings of the document."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from posenc_core import Document, Encoding, score_by_distance, score_spread
from posenc_core.analysis import (
    bias_of_head,
    biases_of_heads,
    first_negative_distance,
    row_cost,
    row_weights,
    rows_cost,
    softmax_weights,
)
from posenc_core.numerics import FloatArray, IntArray
from posenc_core.session import LETTERS
from posenc_gui.figures.lines import Line, Plot, Rule, named_look, padded, shade_look
from posenc_gui.look import counted
from posenc_gui.panels.scores.spec import (
    SCORE_MODE,
    SCORE_WEIGHTS,
    drawn_reach,
    has_heads,
    head_of,
    n_keys,
    reach_of,
)
from posenc_gui.panels.scores.vectors import Vectors, core_mode, score_vectors
from posenc_gui.plotting import Scale

_MOST_HEADS, _SCALED_HEADS = 8, 5
"""Most heads that are drawn, and the least number of heads whose colours are a scale."""

_ENTRIES, _FEWEST, _MOST = 1 << 20, 104, 4097
"""Products of a distance and a column that are computed for all lines, and the numbers of distances on one."""

_DEAREST = 2 << 20
"""Cost of the rows above which fewer distances are read."""

_WIDEST_COST, _LEAST = 100 * 65536, 9
"""Cost of the distances at which very wide tables are read, and the least number of distances."""

_MOST_WEIGHTS = 1 << 22
_SEARCHED = 1 << 22
"""Cosines among which the first negative score is sought."""


_ROOM = 0.06
"""Share of the axis above and below the lines."""

_LARGEST, _SMALLEST = 1e100, 1e-100
"""Numbers between these can be drawn."""


class Scores(Struct, frozen=True, eq=False):
    """The lines over the distances query - key, and a sentence for each encoding without a line.

    ``drawn`` are the indices of the encodings with lines. One distance in ``step`` is computed. ``vectors_from`` says
    the source of q and k in the mode typed.
    """

    distances: IntArray
    lines: tuple[Line, ...]
    drawn: tuple[int, ...]
    step: int
    refusals: tuple[str, ...]
    vectors_from: str = ""


@lru_cache(maxsize=2)
def scores_of(document: Document) -> Scores:
    """The lines of a document; ValueError with one sentence if the chosen encoding has none."""
    chosen = document.encoding
    distances, step = _distances(document)
    vectors, origin = score_vectors(document, chosen)
    lines = _seen(_lines_of(document, chosen, distances, vectors), chosen, distances)
    if document.option(SCORE_MODE) == "three" and not has_heads(chosen) and not document.option(SCORE_WEIGHTS):
        lines = [replace(lines[0], name="q = k = ones"), *_beside_ones(chosen, distances)]
    refusals, drawn = [], [document.current]
    for index, each in enumerate(document.encodings):
        if index == document.current:
            continue
        try:
            others = score_vectors(document, each.encoding)[0]
            own = _lines_of(document, each.encoding, distances, others, index)
            lines += _seen(own, each.encoding, distances)
            drawn.append(index)
        except ValueError as error:
            refusals.append(f"{LETTERS[index]} is left out: {error}")
    return Scores(distances, tuple(lines), tuple(drawn), step, tuple(refusals), origin)


def _seen(lines: Iterable[Line], encoding: Encoding, distances: IntArray) -> list[Line]:
    """The lines without later keys if the encoding's models mask them, whatever its formula gives there."""
    masked = (distances < 0) & encoding.causal
    return [replace(line, y=np.where(masked, np.nan, line.y)) for line in lines]


def plots(document: Document) -> tuple[Plot, ...]:
    """The score of a query and a key, or the bias of a head, by the distance from the query back to the key."""
    scores = scores_of(document)
    x = scores.distances.astype(np.float64)
    across = Scale("distance, query − key, in tokens", float(x[0]), max(float(x[-1]), float(x[0]) + 1), whole=True)
    upright = _upright(quantity_of(document), scores.lines, document.option(SCORE_WEIGHTS))
    rules = tuple(
        Rule(f"{letter} first negative {counted(first)}".strip(), first, upright=True)
        for letter, first in first_negatives(document).items()
        if first is not None
    )
    return (Plot(x, scores.lines, across, upright, rules),)


def _upright(title: str, lines: tuple[Line, ...], from_zero: bool) -> Scale:
    """The axis of all lines and their spreads; ValueError for numbers that no axis can show."""
    ends = [each for line in lines for each in (line.y - _spread(line), line.y + _spread(line))]
    values = np.concatenate(ends)
    values = values[~np.isnan(values)]
    if not values.size or np.abs(values).max() > _LARGEST:
        raise ValueError(f"the scores are beyond {_LARGEST:g}, the largest number that the axis can show")
    low, high = float(values.min()), float(values.max())
    if from_zero:
        low = 0.0
    if high - low <= max(1e-9 * max(abs(low), abs(high)), _SMALLEST):
        low, high = low - 1, high + 1
    room = _ROOM * (high - low)
    return Scale(title, low if from_zero else low - room, high + room)


def _spread(line: Line) -> np.ndarray | float:
    return 0.0 if line.spread is None else line.spread


def quantity_of(document: Document) -> str:
    """Name of the axis."""
    if document.option(SCORE_WEIGHTS):
        return "weight"
    if all(has_heads(each.encoding) for each in document.encodings):
        return "bias"
    return "mean of |S_j|, a bound" if document.option(SCORE_MODE) == "bound" else "score"


def negative_words(document: Document) -> str:
    """First distances with a negative score of ones; empty without such scores."""
    found = first_negatives(document)
    words = []
    for letter, first in found.items():
        searched = _searched(document.encodings[LETTERS.index(letter) if letter else 0].encoding, reach_of(document))
        text = f"first negative at {counted(first)}" if first is not None else f"not negative up to {counted(searched)}"
        words.append(f"{letter} {text}".strip())
    return " · ".join(words)


def key_counts(document: Document) -> list[int]:
    """The numbers of keys, each once, of encodings whose scores belong to one query and end at its first key."""
    counts = [n_keys(each.encoding) for each in document.encodings if each.encoding.depends_on_query]
    return sorted({each for each in counts if each is not None})


def first_negatives(document: Document) -> dict[str, int | None]:
    """By letter the first distance at which the score of ones is negative, or None; the letter is "" for one."""
    if document.option(SCORE_MODE) not in ("ones", "three") or document.option(SCORE_WEIGHTS):
        return {}
    several = len(document.encodings) > 1
    return {
        LETTERS[index] if several else "": _first_negative(each.encoding, _searched(each.encoding, reach_of(document)))
        for index, each in enumerate(document.encodings)
        if each.encoding.rotation is not None and not each.encoding.depends_on_query
    }


@lru_cache(maxsize=16)
def _first_negative(encoding: Encoding, most: int) -> int | None:
    return None if encoding.rotation is None else first_negative_distance(encoding.rotation, most + 1)


def _searched(encoding: Encoding, reach: int) -> int:
    """The largest distance that is searched for a negative score."""
    return min(reach, max(1, _SEARCHED // encoding.n_columns))


def _distances(document: Document) -> tuple[IntArray, int]:
    """The distances query - key, and their step; later keys too if an encoding does not mask them."""
    scored = [(each.encoding, each.encoding.scores) for each in document.encodings]
    costs = [row_cost(encoding) * scores.row_costs for encoding, scores in scored if scores is not None]
    encodings = [encoding for encoding, scores in scored if scores is not None]
    reach = drawn_reach(document)
    if document.option(SCORE_WEIGHTS):
        if reach * max(each.n_columns for each in encodings) > _MOST_WEIGHTS:
            allowed = max(1, _MOST_WEIGHTS // max(each.n_columns for each in encodings))
            raise ValueError(f"weights of a row need a score for each of its keys: draw up to {allowed:,} at most")
        return np.arange(reach, dtype=np.int64), 1
    is_both = any(each.relative and not each.causal for each in encodings)
    fewest = max(_LEAST, min(_FEWEST, _WIDEST_COST // sum(costs)))
    most = min(_MOST, max(fewest, _ENTRIES // sum(each.n_columns for each in encodings)))
    distances, step = _spread_out(reach, is_both, most)
    cost = sum(rows_cost(each, -distances[::-1]) for each in encodings)
    if cost > _DEAREST and most > fewest:
        distances, step = _spread_out(reach, is_both, max(fewest, len(distances) * _DEAREST // cost))
    return distances, step


def _spread_out(reach: int, is_both: bool, most: int) -> tuple[IntArray, int]:
    """At most ``most`` distances in equal steps up to ``reach``, to both sides if ``is_both``, and the step."""
    step = -(-(reach * (2 if is_both else 1) + 1) // most)
    return np.arange(-(reach // step) if is_both else 0, reach // step + 1, dtype=np.int64) * step, step


def _lines_of(
    document: Document, encoding: Encoding, distances: IntArray, vectors: Vectors, other: int | None = None
) -> list[Line]:
    """The line of an encoding, or its lines by head; ``other`` is the index of an encoding beside the chosen one."""
    if has_heads(encoding):
        return _lines_of_heads(document, encoding, distances, other)
    name, look = named_look(document, document.current if other is None else other)
    if document.option(SCORE_WEIGHTS):
        count = min(len(distances), n_keys(encoding) or len(distances))
        weights = row_weights(encoding, count, core_mode(document), **vectors)[::-1]
        return [Line(name, padded(weights, len(distances)), look)]
    spread = score_spread(encoding, -distances) if document.option(SCORE_MODE) == "independent" else None
    scores = score_by_distance(encoding, -distances, core_mode(document), **vectors)
    return [Line(name, scores, look, _checked(spread))]


def _beside_ones(encoding: Encoding, distances: IntArray) -> list[Line]:
    """The bound, if the encoding has one, and the scores of independent normal vectors with their spread."""
    spread = _checked(score_spread(encoding, -distances))
    lines = [Line("independent normal q and k", score_by_distance(encoding, -distances, "independent"), 2, spread)]
    if encoding.scores is not None and encoding.scores.is_bounded:
        lines.append(Line("RoFormer's bound", score_by_distance(encoding, -distances, "bound"), 1))
    return lines


def _checked(spread: FloatArray | None) -> FloatArray | None:
    """The spread; ValueError for one beyond float64."""
    if spread is not None and not np.isfinite(spread).all():
        raise ValueError("the scores are beyond the largest number of float64")
    return spread


def _lines_of_heads(document: Document, encoding: Encoding, distances: IntArray, other: int | None) -> list[Line]:
    """The line of one head, and of more heads of the chosen encoding; all are read at once."""
    name, look = named_look(document, document.current if other is None else other)
    chosen = head_of(document, encoding)
    head = chosen or 0
    if chosen is not None:
        name = f"{name}, head {head}"
    if head >= encoding.n_columns:
        raise ValueError(f"head {head} is outside 0..{encoding.n_columns - 1} of {encoding.title}")
    if document.option(SCORE_WEIGHTS):
        biases = bias_of_head(encoding, head, -distances)
        return [Line(name, padded(softmax_weights(biases[: n_keys(encoding)]), len(distances)), look)]
    more = _other_heads(encoding, head) if other is None else {}
    own, *others = biases_of_heads(encoding, [head, *more], -distances).T
    lines = [Line(f"head {each}", y, shade) for (each, shade), y in zip(more.items(), others, strict=True)]
    return [Line(name, own, look), *lines]


def _other_heads(encoding: Encoding, head: int) -> dict[int, int]:
    """Some heads beside this one, from the first to the last, with their looks: many in a scale of colours."""
    count = min(_MOST_HEADS, encoding.n_columns)
    heads = np.unique(np.linspace(0, encoding.n_columns - 1, count).round().astype(np.int64)).tolist()
    shown = [each for each in heads if each != head]
    is_scale = encoding.n_columns >= _SCALED_HEADS
    return {
        each: shade_look(each / (encoding.n_columns - 1)) if is_scale else 1 + index for index, each in enumerate(shown)
    }
