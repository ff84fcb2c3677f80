"""Long texts of rotations that see changed distances count those alone: a walk over all queries and keys agrees."""

import numpy as np
import pytest
from derivations import printed

from posenc_core import Linear, Rotary, drift, frequencies, unseen_angles
from posenc_core.encodings import (
    ChunkedAttention,
    DistanceRemap,
    DualChunk,
    LeakyReRope,
    ReRope,
    SelfExtend,
    at_length,
    rotating_pairs,
    turning_pairs,
)
from posenc_core.long_context import distances_seen, explain_drift, explain_unseen, slowdowns
from posenc_core.model_config import asked_encodings, written_back

RULES = [
    DualChunk(12, 4),
    DualChunk(9, 0),
    DualChunk(30, 1),
    SelfExtend(8, 3),
    SelfExtend(0, 4),
    ReRope(5),
    ReRope(0),
    LeakyReRope(6, 4.0),
    ChunkedAttention(7),
]


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_no_pair_of_a_text_is_farther_apart_than_the_farthest_seen_one(rule) -> None:
    encoding = DistanceRemap(rule, 16)
    for count in range(1, 64):
        every = encoding.pair_values(range(count), range(count))
        assert int(np.nanmax(every)) == rule.farthest(count) // 1 == distances_seen(encoding, count) - 1
    assert distances_seen(Rotary(16), 40) == 40


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_the_colours_end_at_the_largest_seen_distance(rule) -> None:
    encoding, keys = DistanceRemap(rule, 16), np.arange(64)
    every = [encoding.row(query, keys[: query + 1], np.array([0])) for query in range(64)]
    for query, seen in enumerate(every):
        assert encoding.seen_from(query).range_over(-query, 1) == (0, max(1, np.nanmax(seen)))
        assert encoding.range_over(-query, 1) == (0, max(1, *(np.nanmax(each) for each in every[: query + 1])))


@pytest.mark.parametrize("rule", RULES, ids=repr)
@pytest.mark.parametrize("scaling", [None, Linear(3.0)])
def test_angles_beyond_the_farthest_seen_distance_are_never_unseen(rule, scaling) -> None:
    encoding = DistanceRemap(rule, 16, 100.0, scaling=scaling)
    plain = unseen_angles(encoding.rotary, 10, 60)
    found = unseen_angles(encoding, 10, 60)
    far = plain.first > rule.farthest(60)
    np.testing.assert_array_equal(found.first, np.where(far, -1, plain.first))
    np.testing.assert_array_equal(found.is_complete, plain.is_complete)
    for pair in range(8):
        derivation = explain_unseen(encoding, pair, 10, 60)
        assert derivation.value == found.first[pair] == printed(derivation)


def test_a_rule_within_the_trained_length_has_no_unseen_angle() -> None:
    assert unseen_angles(Rotary(16), 12, 1000).count > 0
    assert unseen_angles(DistanceRemap(DualChunk(12, 4), 16), 12, 1000).count == 0
    assert unseen_angles(DistanceRemap(ReRope(11), 16), 12, 1000).count == 0
    assert unseen_angles(DistanceRemap(SelfExtend(4, 2), 16), 12, 1000).count > 0


def test_drift_ends_at_the_farthest_distance_of_any_text() -> None:
    slower = Rotary(16, scaling=Linear(2.0))
    wanted = drift(Rotary(16), slower).first
    found = drift(DistanceRemap(ReRope(40), 16), slower)
    np.testing.assert_array_equal(found.first, np.where(wanted > 40, -1, wanted))
    assert (found.first == -1).sum() > (wanted == -1).sum()
    for pair in range(8):
        assert explain_drift(DistanceRemap(ReRope(40), 16), slower, pair).value == found.first[pair]
    growing = DistanceRemap(SelfExtend(8, 2), 16)
    np.testing.assert_array_equal(drift(growing, slower).first, wanted)


def test_the_rotation_is_that_of_rope_and_no_column_turns() -> None:
    encoding = DistanceRemap(ReRope(40), 16, 500.0, scaling=Linear(2.0))
    rotary = Rotary(16, 500.0, scaling=Linear(2.0))
    np.testing.assert_array_equal(frequencies(encoding), frequencies(rotary))
    np.testing.assert_array_equal(slowdowns(encoding), [2.0] * 8)
    assert turning_pairs(encoding) is None
    pairs = rotating_pairs(encoding)
    assert pairs is not None
    np.testing.assert_array_equal(pairs.unscaled, rotary.pairs.unscaled)
    assert encoding.rotation.scaled_by(None) == DistanceRemap(ReRope(40), 16, 500.0)
    assert at_length(encoding, 4000) == encoding
    vectors = np.arange(32.0).reshape(2, 16)
    np.testing.assert_array_equal(encoding.rotation.rotate(vectors, [3, 9]), rotary.rotate(vectors, [3, 9]))


def test_settings_of_programs_say_that_they_have_no_distances() -> None:
    own = written_back(DistanceRemap(ReRope(40), 16).rotation, "rope_parameters")
    assert own.text == written_back(Rotary(16).rotation, "rope_parameters").text
    assert "the changed distances are not among these settings" in own.limits


def test_numbers_are_looked_for_in_the_rotation_of_a_model_with_changed_distances() -> None:
    chunks = {"chunk_size": 12, "local_size": 4}
    config = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 500.0}
    assert asked_encodings({**config, "dual_chunk_attention_config": chunks}) == (Rotary(16, 500.0),)
