import re

import numpy as np
import pytest
from family_checks import check_explained, check_tiles, check_traces, check_words, encodings, rows, sentence
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import NormalizedIndex, encode, explain, frequencies, tile


def test_normalized_index_describes_itself() -> None:
    check_words(NormalizedIndex)
    encoding = NormalizedIndex(60, 4)
    assert encoding.range_over(0, 60) == encoding.range_over(3, 5) == (0.0, 1.0)
    assert encoding.domain == (0, 59)
    assert len(frequencies(encoding)) == 0
    assert encoding.warnings == ()


def value(seq_len: int, position: int) -> float:
    (entry,) = NormalizedIndex(seq_len, 1).values(np.array([position]), np.array([0])).ravel()
    return float(entry)


def test_reference_values() -> None:
    for row in rows("normalised_index"):
        seq_len, position = row["params"]["T"], row["pos"]
        if "T2" in row["params"]:
            measured = value(seq_len, position) - value(row["params"]["T2"], position)
        elif position is None:
            measured = value(seq_len, 1) - value(seq_len, 0)
        else:
            measured = value(seq_len, position)
        assert measured == pytest.approx(row["value"], abs=1e-15)


def test_a_single_token_is_zero() -> None:
    encoding = NormalizedIndex(1, 3)
    assert encode(encoding, [0]).tolist() == [[0, 0, 0]]
    assert explain(encoding, 0, 1).value == 0
    assert encoding.warnings == ("seq_len = 1: the share 0/0 of a single token is taken as 0",)
    check_traces(encoding, (-0.5, 0.5), 100)


@given(encodings(NormalizedIndex))
def test_tiles_are_means(encoding: NormalizedIndex) -> None:
    check_tiles(encoding)


@given(st.integers(1, 10**7), st.integers(1, 9), st.integers(0, 10**7))
def test_the_derivation_is_the_entry(seq_len: int, d_model: int, position: int) -> None:
    check_explained(NormalizedIndex(seq_len, d_model), position % seq_len, position % d_model)


@pytest.mark.parametrize(("window", "pixels"), [((0, 9), 600), ((0, 9), 10), ((-40, 60), 30), ((3.2, 3.4), 50)])
def test_curves_meet_the_entries_and_end_with_the_sequence(window: tuple[float, float], pixels: int) -> None:
    check_traces(NormalizedIndex(10, 2), window, pixels)


def test_nothing_is_drawn_outside_the_sequence() -> None:
    traces = NormalizedIndex(10, 2).sampler.traces(np.arange(2), (20.0, 30.0), 300)
    assert (traces.lines, traces.bands) == ((), ())


def test_positions_outside_the_sequence_are_refused() -> None:
    encoding = NormalizedIndex(10, 4)
    message = "position 12 is outside 0..T-1 = 0..9; a normalised index is defined only inside the sequence"
    with pytest.raises(ValueError, match=re.escape(message)):
        encode(encoding, [0, 12, 13])
    with pytest.raises(ValueError, match=re.escape(message)):
        explain(encoding, 12, 0)
    with pytest.raises(ValueError, match="position 10 is outside"):
        tile(encoding, (0, 11), (0, 4), (11, 4))
    with pytest.raises(ValueError, match="position -1 is outside"):
        tile(encoding, (-1, 5), (0, 4), (3, 4))


def test_wrong_values_get_their_sentence() -> None:
    with pytest.raises(ValueError, match=re.escape(sentence("any", seq_len=0))):
        NormalizedIndex(0, 4)
    with pytest.raises(TypeError, match=re.escape(sentence("any", seq_len=2.5))):
        NormalizedIndex(2.5, 4)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=re.escape(sentence("any", d_model=0))):
        NormalizedIndex(10, 0)
