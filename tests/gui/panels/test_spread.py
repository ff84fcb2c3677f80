"""Labels pushed apart: properties for any labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc_gui.plotting.scale import spread

LOW, HIGH = 0.0, 500.0
TINY = 1e-6

labels = st.lists(st.tuples(st.floats(-50, 550), st.floats(1, 60)), min_size=1, max_size=30).map(sorted)


def spread_out(pairs, low=LOW, high=HIGH):
    centres, sizes = zip(*pairs, strict=True)
    return list(centres), list(sizes), spread(centres, sizes, low, high)


@given(labels)
def test_no_label_covers_another_and_all_keep_their_order(pairs):
    _, sizes, moved = spread_out(pairs)
    for index in range(len(moved) - 1):
        assert moved[index] + sizes[index] / 2 <= moved[index + 1] - sizes[index + 1] / 2 + TINY


@given(labels)
def test_labels_stay_within_the_bounds_if_they_fit(pairs):
    _, sizes, moved = spread_out(pairs)
    if sum(sizes) <= HIGH - LOW:
        assert moved[0] - sizes[0] / 2 >= LOW - TINY
        assert moved[-1] + sizes[-1] / 2 <= HIGH + TINY


@given(st.lists(st.floats(1, 40), min_size=1, max_size=10), st.floats(0, 20))
def test_labels_that_have_room_stay_where_they_are(sizes, gap):
    centres, edge = [], LOW
    for size in sizes:
        centres.append(edge + gap + size / 2)
        edge += gap + size
    assert spread(centres, sizes, LOW, edge + gap) == pytest.approx(centres)


@given(labels)
def test_spreading_again_moves_nothing(pairs):
    _, sizes, moved = spread_out(pairs)
    if sum(sizes) <= HIGH - LOW:
        assert spread(moved, sizes, LOW, HIGH) == pytest.approx(moved, abs=1e-6)


@given(labels)
def test_mirrored_labels_are_spread_mirrored(pairs):
    centres, sizes, moved = spread_out(pairs)
    if sum(sizes) <= HIGH - LOW:
        mirrored = spread([LOW + HIGH - c for c in centres[::-1]], sizes[::-1], LOW, HIGH)
        assert [LOW + HIGH - c for c in mirrored[::-1]] == pytest.approx(moved, abs=1e-6)


@given(st.lists(st.floats(100, 400), min_size=2, max_size=2).map(sorted), st.floats(2, 60))
def test_two_labels_that_collide_move_equally_far(centres, size):
    one, other = spread(centres, [size, size], LOW, HIGH)
    if centres[1] - centres[0] < size:
        assert other - one == pytest.approx(size)
        assert centres[0] - one == pytest.approx(other - centres[1])


def test_no_labels_have_no_places():
    assert spread([], [], LOW, HIGH) == []
