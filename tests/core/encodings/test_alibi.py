import math
import re

import numpy as np
import pytest
from cases import each_case
from family_checks import check_explained, check_tiles, check_traces, check_words, encodings, rows, sentence
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import Alibi, encode, explain, frequencies, tile


def test_alibi_describes_itself() -> None:
    check_words(Alibi)
    encoding = Alibi(8)
    assert encoding.relative
    assert encoding.range_over(-10, 1) == (-5.0, 0.0)
    assert encoding.column_info(3).part == "head 3"
    assert len(frequencies(encoding)) == 0
    assert encoding.warnings == ()


def slopes(n_heads: int) -> list[float]:
    return [float(slope) for slope in Alibi(n_heads).slopes(np.arange(n_heads))]


def test_reference_values() -> None:
    for row in rows("alibi_slope"):
        encoding, head = Alibi(row["params"]["n_heads"]), row["dim"]
        if row["pos"] is None:
            assert slopes(encoding.n_heads)[head] == pytest.approx(row["value"], rel=1e-15)
        else:
            assert encoding.explain(row["pos"], head).value == pytest.approx(row["value"], rel=1e-15)
            assert encode(encoding, [row["pos"]], [head])[0, 0] == np.float32(row["value"])


def authors_slopes(n: int) -> list[float]:
    """The recursion of the authors' ``get_slopes`` (ofirpress/attention_with_linear_biases, fairseq/models)."""
    power = 2 ** math.floor(math.log2(n))
    if power == n:
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**i for i in range(n)]
    return authors_slopes(power) + authors_slopes(2 * power)[0::2][: n - power]


@each_case("n_heads", [*range(1, 40), 71, 112, 1024])
def test_any_number_of_heads_agrees_with_the_authors_code(n_heads: int) -> None:
    assert slopes(n_heads) == pytest.approx(authors_slopes(n_heads), rel=1e-12)


@given(encodings(Alibi, most=40))
def test_tiles_are_means(encoding: Alibi) -> None:
    check_tiles(encoding)


def test_a_tile_over_a_million_distances_is_the_centres_bias() -> None:
    found = tile(Alibi(8), (-(10**6), 0), (0, 8), (1, 8))
    assert found[0] == pytest.approx(-500000.5 * np.array(slopes(8)), rel=1e-6)


@given(encodings(Alibi, most=200), st.integers(-(10**7), 10**7), st.integers(0, 10**6))
def test_the_derivation_is_the_entry(encoding: Alibi, distance: int, head: int) -> None:
    check_explained(encoding, distance, head % encoding.n_heads)


def test_the_derivation_says_what_happens_to_later_keys_and_to_extra_heads() -> None:
    assert "a causal model masks" in explain(Alibi(12), 3, 0).steps[0].text
    assert explain(Alibi(12), -7, 11).to_text() == (
        "bias(7, 11) = -2^(-28/8) · 7\n"
        "distance query - key = 7\n"
        "head h = 11 of 12 is beyond M = 8, the largest power of two: extra head t = 11 - 8 = 3, "
        "exponent -4(2t + 1)/M = -28/8\n"
        "slope 2^(-28/8) ≈ 0.08838834765\n"
        "bias -0.08838834765 · 7 ≈ -0.6187184335"
    )


@pytest.mark.parametrize(("window", "pixels"), [((-20, 20), 600), ((-1e6, 0.0), 300), ((-3.3, -3.1), 40)])
def test_curves_meet_the_entries(window: tuple[float, float], pixels: int) -> None:
    check_traces(Alibi(12), window, pixels)


def test_slopes_out_of_order_are_mentioned() -> None:
    (warning,) = Alibi(12).warnings
    assert warning == ("n_heads = 12 is not a power of two: the heads from 8 on have slopes of 16 heads, out of order")
    assert slopes(12)[8] > slopes(12)[7]


def test_wrong_values_get_their_sentence() -> None:
    with pytest.raises(ValueError, match=re.escape(sentence("alibi", n_heads=0))):
        Alibi(0)
    with pytest.raises(TypeError, match=r"n_heads must be an integer, got 8\.0"):
        Alibi(8.0)  # type: ignore[arg-type]
