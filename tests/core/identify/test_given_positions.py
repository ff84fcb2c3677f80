"""Given positions below 0, falling or in any order, and families whose numbers a faulty reading has too."""

import numpy as np
import pytest
from own_code import bfloat16

from posenc_core import Rotary, Sinusoidal, TransformerXLRelative, Yarn, encoding, identify, table


@pytest.mark.parametrize(("d", "base"), [(64, 1e4), (16, 5e5), (6, 100.0), (8, 1000.0)])
@pytest.mark.parametrize("positions", [range(-47, 1), range(0, -48, -1), range(-95, -1, 2)])
def test_distances_key_minus_query_are_right(d, base, positions):
    meant = TransformerXLRelative(d, base)
    for numbers in (table(meant, positions), table(meant, positions).astype(np.float32)):
        finding = identify(numbers, positions=positions)
        assert (finding.is_right, finding.faults) == (True, ()), finding.sentences
        assert meant in (finding.encoding, *finding.also)
    finding = identify(bfloat16(table(meant, positions)), positions=positions)
    assert finding.is_right, finding.sentences


def test_a_wrong_sign_at_positions_from_0_on_is_still_wrong():
    turned = table(Sinusoidal(16, layout="concatenated"), range(48)) * np.repeat([-1.0, 1.0], 8)
    finding = identify(turned, positions=range(48))
    assert [fault.code for fault in finding.faults] == ["negative_sine"]


def test_pope_is_another_reading_beside_an_exponent_that_may_be_wrong():
    meant = encoding("pope", head_dim=16, rope_theta=100.0)
    finding = identify(table(meant, range(64)).astype(np.float32))
    assert [fault.code for fault in finding.faults] == ["exponent_width"]
    assert meant in finding.also


@pytest.mark.parametrize("positions", [range(47, -1, -1), range(100, 3, -2), [5, 40, 3, 0, 21, *range(30, 6, -1), 77]])
@pytest.mark.parametrize(
    "meant",
    [
        Sinusoidal(64, 12345.0),
        Sinusoidal(64, 777.0, "concatenated", offset=3),
        Rotary(64, 25000.0, scaling=Yarn(8.0, 4096)),
    ],
)
def test_given_positions_may_fall_or_have_any_order(meant, positions):
    finding = identify(table(meant, positions).astype(np.float32), positions=positions)
    assert (finding.is_right, finding.encoding) == (True, meant), finding.sentences


def test_slopes_may_be_at_falling_distances():
    meant = encoding("alibi", n_heads=6)
    assert identify(table(meant, range(0, -40, -1)), positions=range(0, -40, -1)).is_right
    assert identify(table(meant, range(0, -40, -1))).is_right


def test_vectors_before_and_after_a_rotation_may_be_at_falling_positions():
    meant, rows = Rotary(64, 25000.0), range(47, -1, -1)
    vectors = np.random.default_rng(0).normal(size=(48, 64))
    finding = identify((vectors, meant.rotate(vectors, rows)), positions=rows)
    assert (finding.is_right, finding.encoding) == (True, meant), finding.sentences
