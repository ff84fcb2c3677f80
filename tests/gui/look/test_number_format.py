"""Numbers as the window writes them."""

import math

import numpy as np
import pytest

from posenc_gui.look.number_format import (
    as_read,
    counted,
    decimals_for,
    signed,
    significant,
    unit_over,
    wavelength_text,
    with_decimals,
)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (59, "59"),
        (-12.5, "−12.5"),
        (1.41421356, "1.414"),
        (29.5, "29.5"),
        (4_999_999.5, "5,000,000"),
        (-9_999_999, "−9,999,999"),
        (12_345.678, "12,346"),
        (1e7, "1e7"),
        (123_456_789, "1.235e8"),
        (-1.5e-7, "−1.5e−7"),
        (0.08, "0.08"),
        (math.inf, "inf"),
    ],
)
def test_significant_digits_are_kept(number, text):
    assert significant(number) == text


def test_a_number_with_decimals_has_separated_thousands():
    assert [significant(2559.54, digits) for digits in (6, 4)] == ["2,559.54", "2,560"]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "+0.000000"),
        (-1e-9, "+0.000000"),
        (59, "+59.000000"),
        (-12.5, "−12.500000"),
        (12_345.678, "+12345.6780"),
        (9_999_999, "+9999999.00"),
        (-1.5e12, "−1.5000000e12"),
    ],
)
def test_signed_numbers_align(number, text):
    assert signed(number) == text


@pytest.mark.parametrize(("number", "decimals", "text"), [(-0.0004, 3, "0.000"), (-0.5, 1, "−0.5"), (59, 0, "59")])
def test_zero_has_no_sign_with_any_decimals(number, decimals, text):
    assert with_decimals(number, decimals) == text


@pytest.mark.parametrize(
    ("values", "decimals"), [([0, 1], 0), ([0.5, 1], 3), ([-12.5], 2), ([123.5], 1), ([99999.5], 0), ([], 0)]
)
def test_decimals_suit_the_largest_value(values, decimals):
    assert decimals_for(np.array(values, np.float32)) == decimals


def test_counts_and_wavelengths_have_separated_thousands():
    assert [counted(number) for number in (0, -1234, 10_000_000)] == ["0", "−1,234", "10,000,000"]
    assert [wavelength_text(length) for length in (None, math.inf, 2.0, 2e-9)] == ["–", "∞", "2.0", "2e−9"]


@pytest.mark.parametrize("largest", [5e-324, 1e-310, 1e-200, 1e-31, 1e31, 1e200, 1.7976931348623157e308])
def test_extreme_numbers_are_ordinary_over_their_unit(largest):
    for low, high in ((-largest, largest), (0.0, largest), (-largest, 0.0)):
        unit = unit_over(low, high)
        assert math.frexp(unit)[0] == 0.5  # a power of two: dividing by it is exact
        assert 1 <= max(abs(low), abs(high)) / unit < 2
        assert high / unit - low / unit > 0


@pytest.mark.parametrize("largest", [0.0, 1e-30, 0.5, 1.0, 59.0, 1e30])
def test_ordinary_numbers_are_left_as_they_are(largest):
    assert unit_over(-largest, largest) == unit_over(0.0, largest) == 1.0


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("distance query - key = -4096, the same", "distance query − key = −4,096, the same"),
        ("turns in the original 4096 positions", "turns in the original 4,096 positions"),
        ("within 0..7: half-split, x-1", "within 0..7: half-split, x-1"),
        ("≈ 6.12e-17", "≈ 6.12e−17"),
        ("exp(-((1 - 0) / 8)^2) = 1", "exp(−((1 − 0) / 8)^2) = 1"),
        ("-(p) = -cos(0) * -alpha, half-split", "−(p) = −cos(0) * −alpha, half-split"),
        ("row 3 of 1,024 rows, -10,000 or 2,048.5", "row 3 of 1,024 rows, −10,000 or 2,048.5"),
    ],
)
def test_numbers_in_sentences_are_written_as_elsewhere(text, read):
    assert as_read(text) == read
    assert as_read(read) == read
