"""Small pictures of families: their numbers against formulas, and the words by which families are found."""

import numpy as np
import pytest
from made_families import FadingBias, registered

from posenc_core import ENCODINGS
from posenc_core.gallery import search_words, thumbnail

SHOWN = np.arange(24)[:, None], np.arange(40)[None, :]
QUERIES, KEYS = 48 + 3 * SHOWN[0], 3 * SHOWN[1]


def spread(numbers: np.ndarray) -> np.ndarray:
    """From -1 for the least number to 1 for the largest."""
    low, high = np.nanmin(numbers), np.nanmax(numbers)
    return 2 * (numbers - low) / (high - low) - 1


@pytest.mark.parametrize("family", ENCODINGS)
def test_every_family_has_a_picture(family):
    shown = thumbnail(ENCODINGS[family])
    assert shown.shape == (24, 40)
    known = shown[~np.isnan(shown)]
    assert known.size >= 0.7 * shown.size
    ends = (0, 0) if family == "none" else (-1, 1)
    assert (known.min(), known.max()) == pytest.approx(ends, abs=1e-12)


def test_a_family_that_is_added_shows_its_table_with_sines_and_cosines_apart():
    position, column = SHOWN
    angle = position / 10000 ** (column % 20 * 2 / 40)
    waves = np.where(column < 20, np.sin(angle), np.cos(angle))
    assert thumbnail(ENCODINGS["sinusoidal"]) == pytest.approx(spread(waves), abs=1e-9)
    assert thumbnail(ENCODINGS["integer"]) == pytest.approx(spread(position + 0 * column), abs=1e-12)


def test_a_rotation_shows_the_scores_of_token_pairs():
    rates = 10000.0 ** (-np.arange(0, 40, 2) / 40)
    scores = np.cos((QUERIES - KEYS)[..., None] * rates).sum(-1)
    assert thumbnail(ENCODINGS["rotary"]) == pytest.approx(spread(scores), abs=1e-9)


def test_a_causal_bias_falls_with_the_distance_and_later_keys_are_masked():
    bias = np.where(KEYS > QUERIES, np.nan, KEYS - QUERIES).astype(float)
    assert thumbnail(ENCODINGS["alibi"]) == pytest.approx(spread(bias), abs=1e-12, nan_ok=True)


def test_pictures_differ_except_of_families_with_the_same_numbers_up_to_a_scale():
    shown = {name: np.nan_to_num(thumbnail(kind), nan=2) for name, kind in ENCODINGS.items()}
    alike = [(a, b) for a in shown for b in shown if a < b and np.abs(shown[a] - shown[b]).max() < 0.05]
    assert set(alike) == {("integer", "normalized"), ("alibi", "forget_gate")}


def test_a_registered_family_has_a_picture_and_words():
    with registered(FadingBias):
        assert np.nanmax(thumbnail(FadingBias)) == 1
        assert FadingBias.summary in search_words(FadingBias)


@pytest.mark.parametrize(
    ("family", "word"),
    [("alibi", "slope"), ("rotary", "rope_theta"), ("t5", "2020"), ("cope", "By content"), ("t5", "num_buckets")],
)
def test_a_family_has_the_words_that_one_searches(family, word):
    assert word in search_words(ENCODINGS[family])
