"""The answers that lessons ask for, about turning queries and keys, longer contexts and models' files."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec.structs import astuple

from posenc_core.analysis import Way, three_ways, turns
from posenc_core.encodings import at_length
from posenc_core.fields import check_one_of, shortened
from posenc_core.long_context import NEVER, UnseenAngles, slowdowns, unseen_angles
from posenc_core.model_config import open_model
from posenc_core.numerics import FloatArray
from posenc_core.session import Document, Model
from posenc_core.story.asked_documents import edited, rotation_of

_WAYS = ("right", "wrong convention", "broken code")
_SAME = 1e-9
"""Largest relative difference of two numbers that are the same but for rounding."""

CONSTANCY, LENGTH = "move both and compare the scores", "compare the lengths"
VALUE = "compare the score with the model's own"
"""The tests of a rotation's code, from the weakest to the strongest."""


def way_score(document: Document, way: str, shift: int) -> float:
    """The score of the view's query and key in one of three ways, with a shift in tokens added to both positions."""
    return _way(document, way, shift).score


def way_query_square(document: Document, way: str, shift: int) -> float:
    """The squared length of the turned query in one of three ways."""
    return _way(document, way, shift).query_square


def is_score_kept(document: Document, way: str, shifts: Sequence[int]) -> bool:
    """Whether a way has the same score at each of the shifts, which move both positions."""
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
    """Whether the score is the same at each of the shifts if only the query is rotated."""
    return _all_same([turned_query_score(document, shift) for shift in shifts])


def revealing_test(document: Document, way: str, shifts: Sequence[int]) -> str:
    """The first test that distinguishes a way from the right one: constancy, the length, or the value of the score."""
    if not is_score_kept(document, way, shifts):
        return CONSTANCY
    if not is_length_kept(document, way, shifts):
        return LENGTH
    return VALUE


def frequency(document: Document, pair: int) -> float:
    """The angle between neighbours in a pair, in rad."""
    return float(document.encoding.frequencies()[check_one_of(pair, "pair", len(document.encoding.frequencies()))])


def slowdown(document: Document, pair: int) -> float:
    """Divisor of a pair's frequency under the scaling, in a text of the target length."""
    return float(slowdowns(at_length(document.encoding, document.lengths.target))[pair])


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
    return rotation_of(document).attention_factor


def score_factor(document: Document) -> float:
    """The factor of every score: the square of the attention factor."""
    return attention_factor(document) ** 2


def scaled_base(document: Document) -> float:
    """The base that the encoding's scaling computes with; ValueError for a scaling without a base of its own."""
    rotation = rotation_of(document)
    scaling = rotation.scaling
    if scaling is None or not scaling.has_base:
        raise ValueError("the encoding has no scaling that changes the base")
    return scaling.base(rotation.n_columns, rotation.rope_theta)


def changes_text(document: Document, scaling: Mapping[str, Any], length: int) -> bool:
    """Whether a scaling, by the fields that it sets, changes angles or scores of a text of that many tokens."""
    document = document.edited("seq_len", length)
    return differs_from(document, scaling)


def scaling_without_effect(document: Document, scalings: Sequence[Mapping[str, Any]], length: int) -> str:
    """The title of the one scaling among several that has no effect on a text of ``length`` tokens.

    ValueError unless there is exactly one.
    """
    found = [each for each in scalings if not changes_text(document, each, length)]
    if len(found) != 1:
        raise ValueError(f"{len(found)} of the scalings leave the text as it was")
    scaled = rotation_of(edited(document, found[0])).scaling
    return "none" if scaled is None else scaled.title


def differs_from(document: Document, other: Mapping[str, Any]) -> bool:
    """Whether the rotation differs from that with other fields of the document, in a frequency or in its factor."""
    one, two = rotation_of(document), rotation_of(edited(document, other))
    frequencies_same = np.allclose(one.pairs.frequencies, two.pairs.frequencies, rtol=_SAME, atol=0)
    return not (frequencies_same and abs(one.attention_factor - two.attention_factor) < _SAME)


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


def is_key_effective(document: Document, config: Mapping[str, Any], key: str) -> bool:
    """Whether the reader's encoding of a layer depends on a key of a configuration, at its top or in an object in it.

    No file is opened: ``config`` has the names and values themselves. ValueError for a configuration without the key.
    """
    if not isinstance(config, Mapping):
        raise ValueError(f"config must be an object of names and values, got {shortened(config)}")
    without = {name: _without(value, key) for name, value in config.items() if name != key}
    if without == config:
        raise ValueError(f"this configuration has no key {shortened(key)}")
    read, other = ([layer.encoding for layer in open_model(each).layers] for each in (config, without))
    return read != other


def refusal_of_config(document: Document, config: Mapping[str, Any]) -> str:
    """The sentence with which the reader refuses a configuration; ValueError for an accepted one.

    No file is opened: ``config`` has the names and values themselves.
    """
    if not isinstance(config, Mapping):
        raise ValueError(f"config must be an object of names and values, got {shortened(config)}")
    try:
        open_model(config)
    except ValueError as error:
        return str(error)
    raise ValueError("this configuration is accepted")


def _without(value: Any, key: str) -> Any:
    return {name: each for name, each in value.items() if name != key} if isinstance(value, Mapping) else value


def _way(document: Document, way: str, shift: int) -> Way:
    if way not in _WAYS:
        raise ValueError(f"way must be one of {', '.join(_WAYS)}, got {shortened(way)}")
    positions = document.value("query_position") + shift, document.value("key_position") + shift
    return three_ways(document.encoding, *_vectors(document), *positions)[_WAYS.index(way)]


def _vectors(document: Document) -> tuple[FloatArray, FloatArray]:
    """The view's query and key in the width of a head."""
    width = rotation_of(document).head_dim
    return np.resize(document.view.query_vector, width), np.resize(document.view.key_vector, width)


def _unseen(document: Document) -> UnseenAngles:
    return unseen_angles(at_length(document.encoding, document.lengths.target), *astuple(document.lengths))


def _model(document: Document) -> Model:
    if document.model is None:
        raise ValueError("the document has no model")
    return document.model


def _all_same(numbers: Sequence[float]) -> bool:
    return bool(np.ptp(numbers) <= _SAME * max(map(abs, numbers)))
