import re

import numpy as np
import pytest
from family_checks import check_explained, check_tiles, check_traces, check_words, encodings, rows, sentence
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import BinaryCode, encode, explain, frequencies, tile


def test_binary_code_describes_itself() -> None:
    check_words(BinaryCode)
    encoding = BinaryCode(4)
    assert encoding.range_over(0, 60) == (0.0, 1.0)
    assert [encoding.column_info(column).part for column in range(4)] == ["bit 3", "bit 2", "bit 1", "bit 0"]
    assert [encoding.column_info(column).wavelength for column in range(4)] == [16, 8, 4, 2]
    assert frequencies(BinaryCode(3, "lsb")) == pytest.approx(2 * np.pi / np.array([2, 4, 8]))


def test_reference_values() -> None:
    for row in rows("binary"):
        given_params = row["params"]
        if "bit" in given_params:
            assert BinaryCode(8, "lsb").column_info(given_params["bit"]).wavelength == row["value"]
        elif "T" in given_params:
            assert BinaryCode.bits_for(given_params["T"]) == row["value"]
        elif isinstance(row["pos"], list):
            one, other = encode(BinaryCode(given_params["n_bits"]), row["pos"])
            assert np.sum(one != other) == row["value"]
        else:
            assert encode(BinaryCode(**given_params), [row["pos"]], [row["dim"]])[0, 0] == row["value"]


def test_rows_are_the_digits() -> None:
    for position, row in enumerate(encode(BinaryCode(6), range(64))):
        assert "".join(str(int(digit)) for digit in row) == f"{position:06b}"


def test_the_orders_are_mirror_images() -> None:
    assert np.array_equal(encode(BinaryCode(7, "lsb"), range(128)), encode(BinaryCode(7), range(128))[:, ::-1])


@given(encodings(BinaryCode, most=11))
def test_tiles_are_means(encoding: BinaryCode) -> None:
    check_tiles(encoding)


def test_a_tile_over_all_positions_is_a_half() -> None:
    assert np.all(tile(BinaryCode(53), (0, 2**53), (0, 53), (1, 53)) == 0.5)
    assert tile(BinaryCode(53), (0, 2**53), (0, 53), (2, 53))[:, 0].tolist() == [0, 1]


@given(encodings(BinaryCode, most=60), st.integers(0, 2**53))
def test_the_derivation_is_the_entry(encoding: BinaryCode, position: int) -> None:
    check_explained(encoding, position % 2**encoding.n_bits, position % encoding.n_bits)


@pytest.mark.parametrize("order", ["msb", "lsb"])
@pytest.mark.parametrize(
    ("window", "pixels"), [((0, 63), 900), ((0, 63), 40), ((-5, 1e6), 700), ((1000.25, 1003), 8), ((0, 9e15), 500)]
)
def test_curves_meet_the_entries(window: tuple[float, float], pixels: int, order: str) -> None:
    for n_bits in (3, 20, 53):
        check_traces(BinaryCode(n_bits, order), window, pixels)


def test_fast_bits_are_bands_and_slow_bits_few_points() -> None:
    traces = BinaryCode(20, "lsb").sampler.traces(np.arange(20), (0.0, 1e6), 500)
    (band,) = traces.bands
    assert band.columns.tolist() == list(range(12))
    assert np.all(band.low[:11] == 0)
    assert np.all(band.high[:11] == 1)
    assert max(line.x.shape[1] for line in traces.lines) <= 500


def test_positions_that_cannot_be_written_are_refused() -> None:
    for given_input, encoding in (({"n_bits": 3, "pos": 8}, BinaryCode(3)), ({"pos": -1}, BinaryCode(3))):
        message = re.escape(sentence("binary", **given_input))
        with pytest.raises(ValueError, match=message):
            encode(encoding, [given_input["pos"]])
        with pytest.raises(ValueError, match=message):
            explain(encoding, given_input["pos"], 0)
    with pytest.raises(ValueError, match="position 8 needs 4 bits, but n_bits = 3"):
        tile(BinaryCode(3), (0, 9), (0, 3), (9, 3))


def test_wrong_values_get_their_sentence() -> None:
    with pytest.raises(ValueError, match="n_bits must be an integer >= 1, got 0"):
        BinaryCode(0)
    with pytest.raises(ValueError, match="order must be msb or lsb, got 'big'"):
        BinaryCode(3, "big")
