"""Names that encodings get by what sets them apart."""

import pytest

from posenc_core import Alibi, Linear, Llama3, Rotary, Sinusoidal, Yarn
from posenc_core.session import names_of_difference

LLAMA2 = Rotary(128)


@pytest.mark.parametrize(
    ("encodings", "names"),
    [
        ([LLAMA2, Rotary(128, 500000.0)], ["base 10,000", "base 500,000"]),
        ([Sinusoidal(8), Sinusoidal(8, base=500000.0)], ["base 10,000", "base 500,000"]),
        ([LLAMA2, Rotary(128, scaling=Yarn(4.0, 4096))], ["no scaling", "YaRN ×4"]),
        (
            [LLAMA2, Rotary(128, 500000.0, scaling=Llama3(8.0, 8192))],
            ["base 10,000, no scaling", "base 500,000, Llama 3 ×8"],
        ),
        ([Rotary(128, scaling=Linear(4.0)), Rotary(128, scaling=Yarn(8.0, 4096))],
         ["Position interpolation ×4", "YaRN ×8"]),
        ([LLAMA2, Rotary(128, pairing="interleaved")], ["half_split", "interleaved"]),
        ([LLAMA2, Rotary(64)], ["head_dim 128", "head_dim 64"]),
        ([LLAMA2, Alibi(8)], ["Rotary (RoPE)", "ALiBi"]),
        ([LLAMA2, Rotary(128)], ["", ""]),
        ([LLAMA2], [""]),
    ],
)  # fmt: skip
def test_encodings_are_named_by_what_differs(encodings, names):
    assert list(names_of_difference(encodings)) == names


def test_parameters_of_a_scaling_are_compared_with_those_of_the_same_scaling():
    yarn = Yarn(4.0, 4096)
    listed = [LLAMA2, Rotary(128, scaling=yarn), Rotary(128, scaling=Yarn(4.0, 4096, beta_fast=16.0))]
    assert names_of_difference(listed) == ("no scaling", "YaRN ×4, beta_fast 32", "YaRN ×4, beta_fast 16")


def test_a_name_lists_three_differences_and_cuts_long_ones():
    long = Rotary(128, 7.123456789012e4, "interleaved", rotary_dim=64, scaling=Yarn(4.0, 4096))
    for name in names_of_difference([LLAMA2, long]):
        parts = name.split(", ")
        assert len(parts) <= 3
        assert all(len(each) <= 24 for each in parts)
