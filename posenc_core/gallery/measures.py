"""Properties of an encoding, each as a number that is computed from its table.

A measure maps an encoding and the setting to the number; Unmeasured with a sentence if the property makes
no sense for the family. No measure allocates length x columns: large tables are measured over fewer positions.
"""

import math

import numpy as np

from posenc_core.analysis import closest_rows, has_shift_matrix, is_toeplitz, shift_residual
from posenc_core.encodings import Effect, Encoding, Pairs, StoredRows, at_length, turning_pairs
from posenc_core.fields import SEQ_LEN
from posenc_core.gallery.setting import LONGER, Setting, Unmeasured
from posenc_core.long_context import unseen_angles
from posenc_core.numerics import FloatArray, IntArray, sine_block_envelope
from posenc_core.text import drawn_vectors

FAR = 1_000_000
"""Positions over which the largest entry is found."""

_MOST_ROWS = 512
_ENTRIES = 1 << 20
_ANGLES = 1 << 17
_READ = 1 << 18
_PRODUCTS = 1 << 27
_ENVELOPES = 8
_WIDEST_FIT = 256
_FITTED_ROWS = 50
_SPREAD_ROWS, _SPREAD_DISTANCES = 64, (1, 2, 4, 8)
_REFINED = 64


def largest_entry(encoding: Encoding, setting: Setting, n_positions: int = FAR) -> float:
    """The largest absolute entry over the positions 0..n_positions-1, or as many distances to keys before the query.

    In a table of sines, it is next to the crest of one of its pairs. The integers beside each crest of eight pairs,
    spread over all, are examined if the bound is not reached at one of the first positions. Of a large learned table
    only the first rows are read, and those examined at its opening.
    """
    rotation = encoding.rotation
    if rotation is not None and rotation.distance_rule is not None:
        return rotation.distance_rule.farthest(n_positions)
    encoding = encoding.seen_from(n_positions - 1)
    positions = _window(encoding, n_positions)
    if encoding.stored is not None:
        return _largest_read(encoding, encoding.stored, positions)
    bound = max(map(abs, encoding.range_over(positions.start, positions.stop)))
    ends = np.unique(np.r_[positions[:1000:97], positions[:2], positions[-1:]])
    found, pairs = float(np.abs(_rows(encoding, ends)).max()), turning_pairs(encoding)
    if found < bound and pairs is not None:
        found = max(found, _crest(pairs, positions))
    return found


def smallest_distance(encoding: Encoding, setting: Setting) -> float:
    """The smallest Euclidean distance of two rows of the text, in the entries' unit.

    Rows are those of the first ``n_compared`` positions, or of as many distances. Tables of whole pairs are compared by
    distance, independent of the position; the others row by row.
    """
    count = n_compared(encoding, setting)
    if count < 2:
        raise Unmeasured("a single position has a row: there are no two to compare")
    if is_toeplitz(encoding):
        return closest_rows(encoding, count)[0]
    rows = _rows(encoding, np.array(_window(encoding, count)))
    return _closest(rows)


def n_compared(encoding: Encoding, setting: Setting) -> int:
    """The number of rows among which ``smallest_distance`` finds the closest two."""
    if is_toeplitz(encoding):
        most = max(_MOST_ROWS, _ANGLES // max(1, len(encoding.frequencies())))
    else:
        most = max(2, min(_MOST_ROWS, _ENTRIES // encoding.n_columns, math.isqrt(_PRODUCTS // encoding.n_columns)))
    return len(_window(encoding, min(setting.length, most)))


def step_change(encoding: Encoding, setting: Setting) -> float:
    """Relative change of the step from the first row to the second in a text of twice the length.

    The largest change of a column's step over that step; 0 if no length is among the parameters.
    """
    shorter, longer = _lengths(encoding, setting.length, 2)
    before, after = _first_rows(shorter), _first_rows(longer)
    steps = before[1] - before[0]
    moved = np.abs((after[1] - after[0]) - steps)[steps != 0]
    return float((moved / np.abs(steps[steps != 0])).max(initial=0.0))


def shift_error(encoding: Encoding, setting: Setting) -> float:
    """The largest error of the best linear map from each row to the next one, in the entries' unit.

    The map of whole pairs is the shift matrix; that of other tables is fitted to more rows than there are columns, as
    for fewer rows any table has a map without error.
    """
    if encoding.effect is Effect.BIASES:
        raise Unmeasured("it adds a bias to scores and has no vectors to shift")
    if encoding.effect is Effect.NONE:
        raise Unmeasured("it adds nothing to vectors: there is nothing to shift")
    if has_shift_matrix(encoding):
        return shift_residual(encoding, 1)
    width = encoding.n_columns
    if width > _WIDEST_FIT:
        raise Unmeasured(f"it has no shift matrix, and {width:,} columns are too many to fit a map to")
    count = max(_FITTED_ROWS, 2 * width)
    rows = _window(encoding, count)
    stored = encoding.stored
    n_rows = len(rows) if stored is None else stored.n_runs_between(rows.start, rows.stop)
    if n_rows <= width + 1:
        raise Unmeasured("it has no more rows than columns: any such table has a map without an error")
    return shift_residual(encoding, 1, count)


def score_spread_over_positions(encoding: Encoding, setting: Setting) -> float:
    """Range of one score over positions at the same distance: its largest less its smallest value.

    One query and one key of simulated numbers are placed at up to 64 positions of the text, 1, 2, 4 and 8 tokens apart.
    The score is the product of both after the encoding, over sqrt(width), or the product with the distance's vector, or
    the distance's bias.
    """
    inside = range(setting.length) if encoding.depends_on_query else _window(encoding, setting.length)
    spreads = [_spread(encoding, setting, inside, apart) for apart in _SPREAD_DISTANCES if len(inside) > apart + 1]
    if not spreads:
        raise Unmeasured("the text is too short for two places at the same distance")
    return max(spreads)


def share_defined(encoding: Encoding, setting: Setting) -> float:
    """The share of the positions L..4L-1 that have a value, L the trained length; in relative families of distances."""
    first, stop = setting.trained, LONGER * setting.trained
    low, high = (1 - stop, -first) if encoding.relative else (first, stop - 1)
    start, end = encoding.seen_from(stop - 1).domain
    inside = min(high, end) - max(low, start) + 1
    return float(max(0.0, inside) / (stop - first))


def share_unseen(encoding: Encoding, setting: Setting) -> float:
    """The share of the pairs that reach angles which training did not show, in a text of the target length."""
    try:
        reaching = at_length(encoding, setting.reach)
        angles = unseen_angles(reaching, setting.trained, setting.reach, setting.longest_distance)
    except ValueError:
        raise Unmeasured("its table has no pairs that turn with the position") from None
    if not len(angles.first):
        raise Unmeasured("its table has no pairs that turn with the position")
    return angles.count / len(angles.first)


def n_pairs(encoding: Encoding) -> int:
    """The number of pairs that turn with the position."""
    return len(encoding.frequencies())


def n_trained(encoding: Encoding, setting: Setting) -> float:
    """The number of trained numbers in its table: all entries of a learned table, 0 for a formula."""
    return 0.0 if encoding.stored is None else float(math.prod(encoding.stored.table.shape))


def change_when_scaled(encoding: Encoding, setting: Setting) -> float:
    """The largest change of an entry of the sentence when the encoding is configured for a text 4 times as long.

    It is a share of the largest entry there. The changes are to a length among the parameters, and to RoPE's scaling,
    which is compared with the table as trained. 0 for an encoding without either: its rows do not change.
    """
    before, after = _lengths(encoding, setting.length, LONGER)
    before = _as_trained(before)
    count = min(max(1, setting.n_tokens), setting.length)
    positions = _spread_out(_window(before, count), max(1, _ENTRIES // (4 * before.n_columns)))
    if not len(positions):
        raise Unmeasured("no position of the sentence has a value")
    rows = _rows(before, positions)
    largest = float(np.abs(rows).max())
    return float(np.abs(_rows(after, positions) - rows).max()) / largest if largest else 0.0


def _lengths(encoding: Encoding, length: int, times: int) -> tuple[Encoding, Encoding]:
    """The encoding of a text, and that of one ``times`` as long, which differ if a length is a parameter.

    The longest text that a document can have is compared with a shorter one.
    """
    if "seq_len" not in encoding.parameters():
        return encoding, encoding
    if SEQ_LEN.maximum is not None and times * length > SEQ_LEN.maximum:
        return encoding.edited("seq_len", max(1, length // times)), encoding
    return encoding, encoding.edited("seq_len", times * length)


def _as_trained(encoding: Encoding) -> Encoding:
    """RoPE without its scaling; every other encoding itself."""
    rotation = encoding.rotation
    return encoding if rotation is None or rotation.scaling is None else rotation.scaled_by(None)


def _window(encoding: Encoding, count: int) -> range:
    """The first positions, at most ``count``, that have values; in relative families keys from the query backwards."""
    first, last = encoding.domain
    low = 1 - count if encoding.relative else math.ceil(max(0, first))
    return range(int(max(low, first)), int(min(low + count - 1, last)) + 1)


def _spread_out(positions: range, most: int) -> IntArray:
    """At most ``most`` of the positions, evenly spread, int64."""
    some = np.linspace(0, max(0, len(positions) - 1), min(len(positions), most)).round().astype(np.int64)
    return np.unique(some) + positions.start if len(positions) else np.empty(0, np.int64)


def _rows(encoding: Encoding, positions: IntArray) -> FloatArray:
    return encoding.values(positions, np.arange(encoding.n_columns))


def _first_rows(encoding: Encoding) -> FloatArray:
    """The rows of the positions 0 and 1, or of the distances 0 and -1; Unmeasured if there are no two."""
    first, last = encoding.domain
    begin = 0 if encoding.relative else math.ceil(max(0, first))
    if begin + 1 > last and not encoding.relative:
        raise Unmeasured("a single position has a row: there is no step")
    if encoding.relative and begin - 1 < first:
        raise Unmeasured("the query is at the first position: there is no step")
    return _rows(encoding, np.array([begin, begin + (-1 if encoding.relative else 1)]))


def _largest_read(encoding: Encoding, stored: StoredRows[Encoding], positions: range) -> float:
    """The largest absolute entry of the rows at these positions, as far as they are read."""
    n_left, found = max(1, _READ // encoding.n_columns), 0.0
    for block in encoding.sampler.equal_rows(positions.start, positions.stop):
        some = block[:n_left]
        found = max(found, float(np.abs(_rows(encoding, some)).max(initial=0.0)))
        n_left -= len(block)
        if n_left < 0:  # the length of a simulated table is a bound
            return found if stored.is_simulated else max(found, stored.table.largest)
    return found


def _crest(turning: Pairs, positions: range) -> float:
    """The largest absolute entry of some pairs, spread over all, at these positions."""
    pairs = np.unique(np.linspace(0, turning.n_pairs - 1, _ENVELOPES).round().astype(np.int64))
    start, stop = positions.start + turning.shift, positions.stop + turning.shift
    highest = 0.0
    for pair in pairs.tolist():
        frequency = abs(float(turning.wrapped[pair]))
        for phase in (0.0, math.pi / 2) if pair < turning.n_columns - turning.n_pairs else (0.0,):
            highest = max(highest, *map(abs, sine_block_envelope(frequency, phase, start, stop)))
    return turning.amplitude * highest


def _closest(rows: FloatArray) -> float:
    """The smallest distance of two rows: products find the nearest pairs, differences their distance."""
    squares = np.square(rows).sum(axis=1)
    apart = squares[:, None] + squares - 2 * (rows @ rows.T)
    apart[np.tril_indices(len(rows))] = np.inf
    nearest = np.argpartition(apart, min(_REFINED, apart.size - 1), axis=None)[:_REFINED]
    one, other = np.unravel_index(nearest, apart.shape)
    is_pair = one < other
    return float(np.sqrt(np.square(rows[one[is_pair]] - rows[other[is_pair]]).sum(axis=1)).min())


def _spread(encoding: Encoding, setting: Setting, inside: range, apart: int) -> float:
    places = _spread_out(range(inside.start + apart, inside.stop), _SPREAD_ROWS)
    scores = _scores(encoding, setting, places, apart)
    return float(np.ptp(scores, axis=0).max()) if len(scores) else 0.0


def _scores(encoding: Encoding, setting: Setting, places: IntArray, apart: int) -> FloatArray:
    """The score of the query at each place and the key ``apart`` tokens before it, ``(n_places, n_heads)``."""
    combination, rotation = encoding.combination, encoding.rotation
    width = encoding.n_columns if encoding.relative else combination.width
    if rotation is not None:
        width = rotation.head_dim
    query, key = (
        drawn_vectors(part, setting.seed, [text], width) for part, text in (("q", setting.query), ("k", setting.key))
    )
    if encoding.relative:
        tables = [encoding.seen_from(place) for place in places.tolist()] if encoding.depends_on_query else [encoding]
        if rotation is not None:
            found = np.array([_score_of(each, apart, query[0], key[0]) for each in tables])
            return np.asarray(found[np.isfinite(found[:, 0])])  # nan for a key that the query does not see
        rows = np.concatenate([_rows(each, np.full(len(places) // len(tables), -apart)) for each in tables])
        return rows if encoding.effect is Effect.BIASES else rows @ query.T / math.sqrt(width)
    sides = [
        combination.combined(np.repeat(vector, len(places), axis=0), positions)
        for vector, positions in ((query, places), (key, places - apart))
    ]
    return np.asarray((sides[0] * sides[1]).sum(axis=1, keepdims=True) / math.sqrt(width))


def _score_of(encoding: Encoding, apart: int, query: FloatArray, key: FloatArray) -> FloatArray:
    """The score of changed distances for the table's query, ``(1,)``."""
    assert encoding.scores is not None
    return encoding.scores.logits(encoding.scores.by_distance(np.array([-apart]), "typed", query, key))
