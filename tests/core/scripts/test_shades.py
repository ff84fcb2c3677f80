"""The numbers beside a script's logarithmic colours."""

import pytest

from posenc_core.scripts import Shades


@pytest.mark.parametrize(
    ("ends", "told"),
    [
        ((-3.0, 700.0), "[-1.0, 0.0, 1.0, 10.0, 100.0]"),
        ((20.0, 90.0), "[20.0, 90.0]"),  # no power of ten, as of positions with an offset
        ((-2.0, 0.5), "[-1.0, 0.0]"),
        ((-9.0, -2.0), "[-9.0, -2.0]"),
    ],
)
def test_a_logarithmic_colour_bar_has_at_least_two_numbers(ends, told):
    assert f"ticks={told}," in Shades(("#000000", "#ffffff"), *ends, 1.0).ticks
