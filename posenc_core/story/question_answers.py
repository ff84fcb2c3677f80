"""Answers of questions beside those of lessons; each is a pure function of the document.

The arguments are the document and plain JSON values. Errors are those of the core's functions: TypeError, ValueError,
KeyError or IndexError with one sentence.
"""

import math
from typing import Any

import numpy as np

from posenc_core.analysis import column_roles, first_negative_distance, score_by_distance, score_spread, turns
from posenc_core.encodings import ENCODINGS, Encoding, n_whole_pairs
from posenc_core.explain import NUMPY
from posenc_core.fields import shortened
from posenc_core.long_context import (
    Drift,
    cache_bases,
    distinct_positions,
    drift,
    pair_shares,
    precision_error,
    stale_angles,
)
from posenc_core.model_config import written_back
from posenc_core.numerics import FloatArray
from posenc_core.scripts import source_of
from posenc_core.session import Document
from posenc_core.story.asked_documents import edited, rotation_of

_FARTHEST = 1 << 20
"""Tokens: the largest distance at which a negative score is looked for."""


def n_tokens(document: Document) -> int:
    """The number of tokens of the sentence."""
    return len(document.token_list)


def n_columns(document: Document) -> int:
    """The number of columns of the table."""
    return document.encoding.n_columns


def n_full_pairs(document: Document) -> int:
    """The number of pairs that have both of their columns."""
    return n_whole_pairs(document.encoding)


def parameter(document: Document, field: str) -> Any:
    """A parameter of the encoding, by its name in sessions."""
    return document.encoding.parameters()[field]


def view_value(document: Document, field: str) -> Any:
    """A field of the document, by its name in sessions."""
    return document.value(field)


def refusal(document: Document, family: str, field: str, value: Any) -> str:
    """The sentence with which a family refuses the value of a parameter; ValueError for an allowed value."""
    try:
        ENCODINGS[family].from_parameters({field: value})
    except (TypeError, ValueError) as error:
        return str(error)
    raise ValueError(f"{family} accepts {shortened(value)} for {field}")


def pair_of_column(document: Document, column: int) -> int:
    """The index of the column's pair; ValueError for a column without one."""
    pair = document.encoding.column_info(column).pair
    if pair is None:
        raise ValueError(f"column {column} belongs to no pair")
    return pair


def n_still_sines(document: Document, limit: float) -> int:
    """The number of pairs whose sine changes by less than ``limit`` from the first token to the last."""
    angles = document.encoding.frequencies() * (len(document.token_list) - 1)
    return int((np.abs(np.sin(angles)) < limit).sum())


def n_still_pairs(document: Document, share: float) -> int:
    """The number of pairs that turn by less than this share of a turn over the positions shown."""
    return int((turns(document.encoding, document.seq_len) < share).sum())


def script_lines(document: Document) -> int:
    """The number of lines of the NumPy script that makes the table."""
    return len(source_of(document, None, NUMPY).splitlines())


def query_angle(document: Document, pair: int) -> float:
    """The angle of a pair at the position of the view's query, in rad with its whole turns."""
    return float(document.encoding.frequencies()[pair] * document.value("query_position"))


def query_square(document: Document) -> float:
    """The squared length of the view's query before it is turned."""
    query = _query(document)
    return float(query @ query)


def turned_query_square(document: Document) -> float:
    """The squared length of the view's query once it is turned to its position."""
    turned = rotation_of(document).rotate(_query(document)[None], [document.value("query_position")])[0]
    return float(turned @ turned)


def raised_query_square(document: Document) -> float:
    """The squared length of the view's query plus encoding B's row at its position."""
    query = _query(document)
    row = _named(document, 1).values(np.array([document.value("query_position")]), np.arange(len(query)))[0]
    return float((query + row) @ (query + row))


def n_head_columns(document: Document, role: str) -> int:
    """The number of columns of a head with a role: ``turning``, ``standing still`` or ``passing``."""
    return sum(run.stop - run.first for run in column_roles(document.encoding) if run.role == role)


def frequency_over_head(document: Document, pair: int) -> float:
    """Frequency of a pair if its exponent divided by the head's width and not by the rotated one."""
    rotary = rotation_of(document)
    return float(rotary.rope_theta ** (-2 * pair / rotary.head_dim))


def trained_length(document: Document) -> int:
    """The trained length L in tokens."""
    return document.lengths.trained


def target_length(document: Document) -> int:
    """The target length L' in tokens."""
    return document.lengths.target


def length_factor(document: Document) -> float:
    """L' over L."""
    return document.lengths.factor


def keys_to_write(document: Document, scaling: str) -> str:
    """The keys of a config.json, on one line, that extend the trained length to the target length by a scaling."""
    lengths = document.lengths
    fields = {"scaling": scaling, "factor": lengths.factor, "original_max_position_embeddings": lengths.trained}
    rotation_of(document)  # refuses an encoding without the fields of a rotation
    rotation = rotation_of(edited(document, fields))
    return " ".join(written_back(rotation, "rope_scaling").text.split())


def scaled_length(document: Document) -> float:
    """The scaling's factor times L: the length that the scaling is made for."""
    return float(parameter(document, "factor")) * document.lengths.trained


def n_kept_pairs(document: Document) -> int:
    """The number of pairs whose frequency the scaling keeps."""
    return pair_shares(document.encoding).kept


def largest_excess(document: Document) -> float:
    """Largest excess of B's frequency over A's among the pairs, in percent."""
    return float(100 * (_quotients(document).max() - 1))


def pair_of_largest_excess(document: Document) -> int:
    """The pair in which B's frequency exceeds A's most."""
    return int(np.argmax(_quotients(document)))


def n_equal_pairs(document: Document) -> int:
    """The number of pairs that have the same frequency in A and B, to nine digits."""
    return int((np.abs(_quotients(document) - 1) <= 1e-9).sum())


def drift_position(document: Document, other: Any = None) -> int:
    """The first position at which a pair is off by more than the view's degrees, -1 for none.

    The pairs are those of B beside A; with fields of ``other`` those of the encoding beside the same with these edited.
    """
    return _drift(document, other).position


def drift_pair(document: Document) -> int:
    """The first pair of B that deviates from A's, -1 for none."""
    return _drift(document).pair


def n_drifted_pairs(document: Document, position: int, other: Any = None) -> int:
    """The number of pairs that are off at a position or before; ``other`` as in ``drift_position``."""
    return int(_drift(document, other).count(np.array([position]))[0])


def cache_base(document: Document, length: int) -> float:
    """The base of dynamic NTK at a length of the sequence."""
    return float(cache_bases(document.encoding, [length])[0])


def n_stale_pairs(document: Document, key: int, length: int, degrees: float) -> int:
    """The number of pairs of a cached key that deviate by more than some degrees, without whole turns."""
    angles = stale_angles(document.encoding, [key], length)[0]
    off = np.abs(np.remainder(angles + math.pi, 2 * math.pi) - math.pi)
    return int((off > math.radians(degrees)).sum())


def n_distinct_rows(document: Document, arithmetic: str) -> int:
    """Number of different rows of the shown positions in an arithmetic."""
    return distinct_positions(document.encoding, document.seq_len, arithmetic)


def rounding_error(document: Document, position: int, arithmetic: str) -> float:
    """The largest error of a cosine or a sine at a position in an arithmetic."""
    return float(precision_error(document.encoding, [position], arithmetic).max())


def score_of_ones(document: Document, distance: int) -> float:
    """The score of a query and a key of ones at a distance in tokens."""
    return float(score_by_distance(document.encoding, [distance])[0])


def score_deviation(document: Document, distance: int) -> float:
    """The standard deviation of the score of independent normal queries and keys at a distance in tokens."""
    return float(score_spread(document.encoding, [distance])[0])


def first_negative_score(document: Document) -> int:
    """The first distance at which a query and a key of ones have a negative score; ValueError for none."""
    found = first_negative_distance(rotation_of(document), _FARTHEST)
    if found is None:
        raise ValueError(f"no score below the distance {_FARTHEST:,} is negative")
    return found


def _named(document: Document, index: int) -> Encoding:
    """Encoding A or B of the document."""
    if index >= len(document.encodings):
        raise ValueError("the document compares no encodings")
    return document.encodings[index].encoding


def _query(document: Document) -> FloatArray:
    return np.resize(np.array(document.view.query_vector), rotation_of(document).head_dim)


def _quotients(document: Document) -> FloatArray:
    """B's frequency over A's for each pair."""
    return np.asarray(_named(document, 1).frequencies() / _named(document, 0).frequencies())


def _drift(document: Document, other: Any = None) -> Drift:
    if other is None:
        one, two = _named(document, 0), _named(document, 1)
    else:
        one, two = document.encoding, edited(document, other).encoding
    return drift(one, two, document.value("drift_degrees"))
