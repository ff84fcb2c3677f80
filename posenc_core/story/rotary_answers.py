"""The answers that lessons ask for, about turning queries and keys, longer contexts and models' files."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec.structs import astuple

from posenc_core.analysis import Way, three_ways, turns
from posenc_core.encodings import Encoding, Rotation
from posenc_core.fields import check_one_of, shortened
from posenc_core.long_context import NEVER, UnseenAngles, drift, slowdowns, unseen_angles
from posenc_core.model_config import open_model
from posenc_core.numerics import FloatArray
from posenc_core.session import Document, Model
from posenc_core.story.lesson_answers import by_name, edited

_WAYS = ("right", "wrong convention", "broken code")
_SAME = 1e-9
"""Largest relative difference of two numbers that are the same but for rounding."""

CONSTANCY, LENGTH = "move both and compare the scores", "compare the lengths"
VALUE = "compare the score with the model’s own"
"""The tests of a rotation's code, from the weakest to the strongest."""


def way_score(document: Document, way: str, shift: int) -> float:
    """The score of the view's query and key in one of three ways, with a shift in tokens added to both positions."""
    return _way(document, way, shift).score


def way_query_square(document: Document, way: str, shift: int) -> float:
    """The squared length of the turned query in one of three ways."""
    return _way(document, way, shift).query_square


def is_score_kept(document: Document, way: str, shifts: Sequence[int]) -> bool:
    """Whether a way gives the same score at each of the shifts, which move both positions."""
    return _all_same([way_score(document, way, shift) for shift in shifts])


def is_length_kept(document: Document, way: str, shifts: Sequence[int]) -> bool:
    """Whether a way keeps the length of the view's query at each of the shifts."""
    query, _ = _vectors(document)
    return _all_same([float(query @ query), *(way_query_square(document, way, shift) for shift in shifts)])


def turned_query_score(document: Document, shift: int) -> float:
    """The score of a query that is turned to its position plus the shift with a key that is not turned."""
    position = document.value("query_position") + shift
    return three_ways(document.encoding, *_vectors(document), position, 0)[0].score


def is_turned_query_score_kept(document: Document, shifts: Sequence[int]) -> bool:
    """Whether a query that alone is turned gives the same score at each of the shifts."""
    return _all_same([turned_query_score(document, shift) for shift in shifts])


def revealing_test(document: Document, way: str, shifts: Sequence[int]) -> str:
    """The first test that tells a way from the right one: constancy, the length, or else the value of the score."""
    if not is_score_kept(document, way, shifts):
        return CONSTANCY
    if not is_length_kept(document, way, shifts):
        return LENGTH
    return VALUE


def frequency(document: Document, pair: int) -> float:
    """The angle between neighbours in a pair, in rad."""
    return float(document.encoding.frequencies()[check_one_of(pair, "pair", len(document.encoding.frequencies()))])


def slowdown(document: Document, pair: int) -> float:
    """By what the scaling divides the frequency of a pair."""
    return float(slowdowns(document.encoding)[pair])


def pair_turns(document: Document, pair: int, length: int) -> float:
    """The turns of a pair over a length in tokens."""
    return float(turns(document.encoding, length)[pair])


def n_pairs(document: Document) -> int:
    """The number of pairs."""
    return len(document.encoding.frequencies())


def n_unseen_pairs(document: Document) -> int:
    """The number of pairs that reach an angle between the document's trained and target length that was not trained."""
    return _unseen(document).count


def n_complete_pairs(document: Document) -> int:
    """The number of pairs that made a full turn within the document's trained length."""
    return int(_unseen(document).is_complete.sum())


def first_incomplete_pair(document: Document) -> int:
    """The fastest pair that made no full turn within the document's trained length, -1 for none."""
    missing = np.flatnonzero(~_unseen(document).is_complete)
    return int(missing[0]) if len(missing) else NEVER


def first_unseen_position(document: Document) -> int:
    """The first position below the document's target length with an angle that was not trained, -1 for none."""
    found = _unseen(document).first
    return int(found[found != NEVER].min()) if (found != NEVER).any() else NEVER


def first_unseen_of_pair(document: Document, pair: int) -> int:
    """The first position below the target length at which a pair has an angle that was not trained, -1 for none."""
    return int(_unseen(document).first[pair])


def attention_factor(document: Document) -> float:
    """The factor of a rotation's cosines and sines."""
    return _rotation(document).attention_factor


def score_factor(document: Document) -> float:
    """The factor of every score: the square of the attention factor."""
    return attention_factor(document) ** 2


def scaled_base(document: Document) -> float:
    """The base that the encoding's scaling computes with; ValueError for a scaling without a base of its own."""
    rotation = _rotation(document)
    scaling = rotation.scaling
    if scaling is None or not scaling.has_base:
        raise ValueError("the encoding has no scaling that changes the base")
    return scaling.base(rotation.n_columns, rotation.rope_theta)


def changes_text(document: Document, scaling: Mapping[str, Any], length: int) -> bool:
    """Whether a scaling, by the fields that it sets, changes angles or scores of a text of that many tokens."""
    document = document.edited("seq_len", length)
    return differs_from(document, scaling)


def scaling_without_effect(document: Document, scalings: Sequence[Mapping[str, Any]], length: int) -> str:
    """The title of the one scaling of several that leaves a text of that many tokens as it was.

    ValueError unless exactly one does.
    """
    found = [each for each in scalings if not changes_text(document, each, length)]
    if len(found) != 1:
        raise ValueError(f"{len(found)} of the scalings leave the text as it was")
    scaled = _rotation(edited(document, found[0])).scaling
    return "none" if scaled is None else scaled.title


def differs_from(document: Document, other: Mapping[str, Any]) -> bool:
    """Whether the rotation differs from that with other fields of the document, in a frequency or in its factor."""
    one, two = _rotation(document), _rotation(edited(document, other))
    frequencies_same = np.allclose(one.pairs.frequencies, two.pairs.frequencies, rtol=_SAME, atol=0)
    return not (frequencies_same and abs(one.attention_factor - two.attention_factor) < _SAME)


def drift_from(document: Document, other: Mapping[str, Any]) -> int:
    """The first position at which a pair is off by more than the view's degrees from that with other fields."""
    return drift(*_compared(document, other), document.value("drift_degrees")).position


def n_pairs_off(document: Document, other: Mapping[str, Any], position: int) -> int:
    """The number of pairs that are off by more than the view's degrees at a position or before."""
    return int(drift(*_compared(document, other), document.value("drift_degrees")).count(np.array([position]))[0])


def drift_degrees(document: Document) -> int:
    """By how many degrees a pair must be off to count."""
    return int(document.value("drift_degrees"))


def n_layers(document: Document) -> int:
    """The number of layers of the document's model."""
    return len(_model(document).layers)


def n_layers_without_rotation(document: Document) -> int:
    """The number of layers of the document's model that do not rotate."""
    return sum(layer.kind == "none" for layer in _model(document).layers)


def first_layer_without_rotation(document: Document) -> int:
    """The index from 0 of the first layer of the document's model that does not rotate, -1 for none."""
    still = (index for index, layer in enumerate(_model(document).layers) if layer.kind == "none")
    return next(still, NEVER)


def note_on_model(document: Document, about: str) -> str:
    """The first sentence of the reader on the document's model that has the words ``about`` in it."""
    for note in _model(document).notes:
        if about in note:
            return note
    raise ValueError(f"the reader has no note on {about}")


def is_model_doubted(document: Document) -> bool:
    """Whether the reader notes more on the document's model than which layers do not rotate."""
    model = _model(document)
    return len(model.notes) > len({id(layer) for layer in model.layers if layer.kind == "none"})


def refusal_of_config(document: Document, config: Mapping[str, Any]) -> str:
    """The sentence with which the reader refuses a configuration; ValueError for one that it takes.

    No file is opened: ``config`` has the names and values themselves.
    """
    if not isinstance(config, Mapping):
        raise ValueError(f"config must be an object of names and values, got {shortened(config)}")
    try:
        open_model(config)
    except ValueError as error:
        return str(error)
    raise ValueError("the reader takes this configuration")


def _way(document: Document, way: str, shift: int) -> Way:
    if way not in _WAYS:
        raise ValueError(f"way must be one of {', '.join(_WAYS)}, got {shortened(way)}")
    positions = document.value("query_position") + shift, document.value("key_position") + shift
    return three_ways(document.encoding, *_vectors(document), *positions)[_WAYS.index(way)]


def _vectors(document: Document) -> tuple[FloatArray, FloatArray]:
    """The view's query and key in the width of a head."""
    width = _rotation(document).head_dim
    return np.resize(document.view.query_vector, width), np.resize(document.view.key_vector, width)


def _unseen(document: Document) -> UnseenAngles:
    return unseen_angles(document.encoding, *astuple(document.lengths))


def _compared(document: Document, other: Mapping[str, Any]) -> tuple[Encoding, Encoding]:
    return document.encoding, edited(document, other).encoding


def _rotation(document: Document) -> Rotation:
    if document.encoding.rotation is None:
        raise ValueError(f"{document.encoding.title} rotates nothing")
    return document.encoding.rotation


def _model(document: Document) -> Model:
    if document.model is None:
        raise ValueError("the document has no model")
    return document.model


def _all_same(numbers: Sequence[float]) -> bool:
    return bool(np.ptp(numbers) <= _SAME * max(map(abs, numbers)))


ROTARY_ANSWERS = by_name(
    way_score, way_query_square, is_score_kept, is_length_kept, turned_query_score, is_turned_query_score_kept,
    revealing_test, frequency, slowdown, pair_turns, n_pairs, n_unseen_pairs, n_complete_pairs, first_incomplete_pair,
    first_unseen_position, first_unseen_of_pair, attention_factor, score_factor, scaled_base, changes_text,
    scaling_without_effect, differs_from, drift_from, n_pairs_off, drift_degrees, n_layers, n_layers_without_rotation,
    first_layer_without_rotation, note_on_model, is_model_doubted, refusal_of_config,
)  # fmt: skip
