import re

import numpy as np
import pytest
from family_checks import check_explained, check_tiles, check_traces, check_words, encodings, rows, sentence
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import ShawRelative, encode, explain, frequencies, tile


def test_shaw_vectors_describes_itself() -> None:
    check_words(ShawRelative)
    encoding = ShawRelative(8, 4, table_seed=3)
    assert encoding.relative
    assert encoding.label == "simulated (seed 3)"
    assert encoding.warnings == (
        "the vectors are simulated (seed 3): a model learns its own; which distances share one is exact",
    )
    assert len(frequencies(encoding)) == 0


def test_reference_rows() -> None:
    for row in rows("relative_shaw"):
        assert ShawRelative(4, row["params"]["clip_k"]).rows_of(np.array([row["pos"]])) == row["value"]


def test_the_index_matrix_is_tensor2tensors() -> None:
    distances = np.arange(12)[None, :] - np.arange(12)[:, None]  # range_mat - its transpose
    expected = np.clip(distances, -4, 4) + 4
    assert np.array_equal(ShawRelative(4, 4).rows_of(distances), expected)


def test_distances_beyond_the_limit_share_a_vector() -> None:
    table = encode(ShawRelative(8, 3), range(-9, 10))
    assert np.all(table[:6] == table[6])
    assert np.all(table[-7:] == table[-7])
    assert len(np.unique(table, axis=0)) == 7
    assert len(np.unique(encode(ShawRelative(8, 0), range(-9, 10)), axis=0)) == 1


def test_simulated_vectors_depend_on_the_seed_and_stay_in_range() -> None:
    encoding = ShawRelative(64, 100)
    table = encode(encoding, range(-100, 101))
    assert np.array_equal(table, encode(ShawRelative(64, 100), range(-100, 101)))
    assert not np.array_equal(table, encode(ShawRelative(64, 100, table_seed=1), range(-100, 101)))
    low, high = encoding.range_over(0, 60)
    assert low <= table.min() < table.max() <= high
    assert table.std() == pytest.approx(1 / 8, rel=0.02)


@given(encodings(ShawRelative))
def test_tiles_are_means(encoding: ShawRelative) -> None:
    check_tiles(encoding)


def test_a_tile_over_all_distances_costs_no_more() -> None:
    encoding = ShawRelative(4, 10)
    found = tile(encoding, (-(2**52), 2**52), (0, 4), (2, 4))
    assert found == pytest.approx(encode(encoding, [-10, 10]), abs=1e-6)
    wide = tile(encoding, (-1000, 1001), (0, 4), (1, 1))
    assert wide[0, 0] == pytest.approx(encoding.values(np.arange(-1000, 1001), np.arange(4)).mean(), abs=1e-7)


@given(encodings(ShawRelative), st.integers(-50, 50), st.integers(0, 99))
def test_the_derivation_is_the_entry(encoding: ShawRelative, distance: int, column: int) -> None:
    check_explained(encoding, distance, column % encoding.d)


def test_the_derivation_says_that_the_number_is_simulated() -> None:
    lines = explain(ShawRelative(4, 4), -9, 2).to_text().splitlines()
    assert lines[:4] == [
        "a(9, 2) = w[clip(-9, 4) + 4, 2]",
        "distance query - key = 9, so key - query = -9",
        "clipped: max(-4, min(4, -9)) = -4",
        "row (-4) + 4 = 0 of 9",
    ]
    assert re.fullmatch(r"column 2 of that row ≈ -?[0-9.]+, simulated \(seed 0\)", lines[4])


@pytest.mark.parametrize(("window", "pixels"), [((-20, 20), 900), ((-1e9, 1e9), 300), ((-90, 90), 40)])
def test_curves_meet_the_entries(window: tuple[float, float], pixels: int) -> None:
    for clip in (0, 3, 60):
        check_traces(ShawRelative(3, clip), window, pixels)


def test_wrong_values_get_their_sentence() -> None:
    with pytest.raises(ValueError, match=re.escape(sentence("relative_shaw", clip_k=-1))):
        ShawRelative(4, -1)
    with pytest.raises(TypeError, match="clip distance k must be an integer, got"):
        ShawRelative(4, 1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="d must be an integer >= 1, got 0"):
        ShawRelative(0, 4)
