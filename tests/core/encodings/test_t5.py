import math
import re
from fractions import Fraction

import numpy as np
import pytest
from family_checks import check_explained, check_tiles, check_traces, check_words, encodings, rows, sentence
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import T5Bias, encode, explain, frequencies, tile


def test_t5_biases_describes_itself() -> None:
    check_words(T5Bias)
    encoding = T5Bias(table_seed=5)
    assert encoding.relative
    assert encoding.n_columns == 8
    assert encoding.column_info(2).part == "head 2"
    assert encoding.label == "simulated (seed 5)"
    assert encoding.warnings == ("the biases are simulated (seed 5): a model learns its own; the buckets are exact",)
    assert len(frequencies(encoding)) == 0


def test_reference_buckets() -> None:
    for row in rows("t5_bucket"):
        encoding = T5Bias(**row["params"])
        assert encoding.bucket(row["pos"]) == row["value"]
        assert encoding.bucket(np.array([row["pos"]])).tolist() == [row["value"]]


def by_the_book(distance: int, num_buckets: int, max_distance: int, bidirectional: bool) -> int:
    """The bucket from its definition, the floor by comparing exact fractions."""
    sided = num_buckets // 2 if bidirectional else num_buckets
    first = sided if bidirectional and distance > 0 else 0
    n = abs(distance) if bidirectional else max(-distance, 0)
    exact = sided // 2
    if n < exact:
        return first + n
    wide, k = sided - exact, 0
    while k < wide and Fraction(n, exact) ** wide >= Fraction(max_distance, exact) ** (k + 1):
        k += 1
    return first + min(sided - 1, exact + k)


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize(("num_buckets", "max_distance"), [(32, 128), (64, 256), (8, 20), (4, 3), (6, 64), (34, 1000)])
def test_buckets_are_exact_for_every_distance(num_buckets: int, max_distance: int, bidirectional: bool) -> None:
    if max_distance <= num_buckets // 2:
        bidirectional = True
    distances = np.arange(-300, 301)
    found = T5Bias(num_buckets, max_distance, bidirectional).bucket(distances)
    assert found.tolist() == [by_the_book(int(d), num_buckets, max_distance, bidirectional) for d in distances]


@pytest.mark.parametrize(("base", "wide"), [(2, 8), (3, 5), (10, 6)])
def test_a_whole_logarithm_is_not_missed(base: int, wide: int) -> None:
    encoding = T5Bias(2 * wide, wide * base**wide, bidirectional=False)
    for k in range(1, wide):  # at n = E base^k the logarithm is k exactly, one before it is not
        assert encoding.bucket(-wide * base**k) == wide + k
        assert encoding.bucket(-wide * base**k + 1) == wide + k - 1


def test_where_the_default_buckets_end() -> None:
    both, causal = T5Bias(), T5Bias(bidirectional=False)
    assert [both.bucket(d) for d in (90, 91, -90, -91)] == [30, 31, 14, 15]
    assert [causal.bucket(d) for d in (-112, -113, 5, 0)] == [30, 31, 0, 0]
    assert 16 not in both.bucket(np.arange(-3000, 3000))  # +0 does not exist


def test_the_buckets_of_a_list() -> None:
    assert T5Bias().bucket([90, 91, -90, -91]).tolist() == [30, 31, 14, 15]
    assert T5Bias().bucket([]).shape == (0,)
    with pytest.raises(TypeError, match=r"^positions must be integers, got float64$"):
        T5Bias().bucket([1.5])
    with pytest.raises(TypeError, match=r"^positions must be a sequence of integers, got 1\.5$"):
        T5Bias().bucket(1.5)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match=r"^position must be between -2\^53 and 2\^53, got 9223372036854775808$"):
        T5Bias().bucket(2**63)


@given(st.integers(2, 1024), st.integers(2, 10**7), st.booleans(), st.integers(0, 2**53))
def test_buckets_never_fall_with_the_distance(num_buckets: int, most: int, bidirectional: bool, far: int) -> None:
    num_buckets += num_buckets % 2 if bidirectional else 0
    num_buckets = max(num_buckets, 4)
    encoding = T5Bias(num_buckets, max(most, num_buckets), bidirectional)
    buckets = encoding.bucket(-np.unique(np.r_[np.arange(2000), far, most, 2**53]))
    assert np.all(np.diff(buckets) >= 0)
    assert buckets[0] == 0
    assert buckets[-1] == encoding.n_sided - 1


def test_biases_are_looked_up_by_bucket() -> None:
    encoding = T5Bias(n_heads=5)
    distances = np.arange(-200, 201)
    table = encode(encoding, distances)
    biases = encoding.table.read(np.arange(32), np.arange(5)).astype(np.float32)
    assert np.array_equal(table, biases[encoding.bucket(distances)])
    assert not np.array_equal(table, encode(T5Bias(n_heads=5, table_seed=1), distances))
    low, high = encoding.range_over(0, 60)
    assert low <= table.min() < table.max() <= high


@given(encodings(T5Bias))
def test_tiles_are_means(encoding: T5Bias) -> None:
    check_tiles(encoding)


@pytest.mark.parametrize("bidirectional", [True, False])
def test_a_tile_over_all_distances_costs_no_more(bidirectional: bool) -> None:
    encoding = T5Bias(bidirectional=bidirectional)
    found = tile(encoding, (-(2**52), 2**52), (0, 8), (2, 8))
    assert found == pytest.approx(encode(encoding, [-(2**52), 2**52]), abs=1e-6)
    wide = tile(encoding, (-1000, 1001), (0, 8), (1, 1))
    assert wide[0, 0] == pytest.approx(encoding.values(np.arange(-1000, 1001), np.arange(8)).mean(), abs=1e-7)


@given(encodings(T5Bias), st.integers(-3000, 3000), st.integers(0, 99))
def test_the_derivation_is_the_entry(encoding: T5Bias, distance: int, head: int) -> None:
    check_explained(encoding, distance, head % encoding.n_heads)
    assert encoding.bucket(distance) == explain(encoding, distance, head % encoding.n_heads).steps[-2].value


def test_the_derivation_is_written_out() -> None:
    assert explain(T5Bias(), 46, 3).to_text().splitlines()[:-1] == [
        "bias(-46, 3) = b[bucket(-46), 3]",
        "distance query - key = -46, later key: buckets from 16 on, n = |-46| = 46",
        "46 >= E = 8: ln(46/8) / ln(128/8) · (16 - 8) ≈ 5.0471239",
        "floor, decided in whole numbers: 5; bucket of this direction: 8 + 5 = 13",
        "bucket 16 + 13 = 29",
    ]
    last = explain(T5Bias(), 46, 3).steps[-1].text
    assert last == "head 3's bias for that bucket ≈ 1.372196676, simulated (seed 0)"
    far = [step.text for step in explain(T5Bias(bidirectional=False), -500, 0).steps]
    assert far[0] == "distance query - key = 500, one direction: n = max(500, 0) = 500"
    assert "limited to the last bucket of this direction: 32 - 1 = 31" in far
    last = [step.text for step in explain(T5Bias(), 128, 0).steps]
    assert last[2] == "floor, decided in whole numbers: 8; bucket of this direction: 8 + 8 = 16"
    near = [step.text for step in explain(T5Bias(), -7, 0).steps]
    assert near[1] == "bucket n = 7 of this direction, as n is below the number of exact buckets: 7 < E = 8"


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize(("window", "pixels"), [((-20, 20), 900), ((-1e9, 1e9), 300), ((-90, 90), 40), ((5, 6), 20)])
def test_curves_meet_the_entries(window: tuple[float, float], pixels: int, bidirectional: bool) -> None:
    check_traces(T5Bias(n_heads=3, bidirectional=bidirectional), window, pixels)


def test_wrong_values_get_their_sentence() -> None:
    for given_values in ({"num_buckets": 2, "bidirectional": True}, {"num_buckets": 32, "max_distance": 8}):
        with pytest.raises(ValueError, match=re.escape(sentence("t5_bucket", **given_values))):
            T5Bias(**given_values)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="need num_buckets >= 4 and even, got 7"):
        T5Bias(7)
    with pytest.raises(ValueError, match="num_buckets must be an integer >= 2, got 1"):
        T5Bias(1, bidirectional=False)
    with pytest.raises(ValueError, match=re.escape(sentence("alibi", n_heads=0))):
        T5Bias(n_heads=0)
    with pytest.raises(TypeError, match="bidirectional must be true or false, got 1"):
        T5Bias(bidirectional=1)  # type: ignore[arg-type]


def test_the_smallest_causal_buckets() -> None:
    encoding = T5Bias(2, 2, bidirectional=False)
    assert [encoding.bucket(d) for d in (1, 0, -1, -2, -1000)] == [0, 0, 1, 1, 1]
    assert math.isclose(encoding.explain(-1000, 0).value, float(encode(encoding, [-1], [0])[0, 0]), rel_tol=1e-6)
