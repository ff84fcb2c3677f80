"""The angle of a pair is position times frequency, less whole turns, wherever its sine and cosine stand."""

import numpy as np
import pytest

from posenc_core import (
    Alibi,
    BinaryCode,
    IntegerIndex,
    LearnedTable,
    Rotary,
    ShawRelative,
    Sinusoidal,
    TransformerXLRelative,
    Yarn,
)
from posenc_core.encodings import n_whole_pairs, pair_angles, pair_members, pair_of

POSITIONS = np.array([-400, -1, 0, 1, 2, 3, 77, 100_000])


def wrapped(angles):
    """The same angles above -pi up to pi, by the definition."""
    return np.angle(np.exp(1j * angles))


@pytest.mark.parametrize(
    ("encoding", "sign", "offset"),
    [
        (Sinusoidal(8), 1, 0),
        (Sinusoidal(7, offset=5), 1, 5),
        (Sinusoidal(8, layout="concatenated"), 1, 0),
        (Sinusoidal(7, layout="concatenated"), 1, 0),
        (Sinusoidal(9, spacing="tensor2tensor", layout="concatenated"), 1, 0),
        (Sinusoidal(2, layout="concatenated"), 1, 0),
        (TransformerXLRelative(8), -1, 0),
        (Rotary(8), 1, 0),
        (Rotary(8, pairing="interleaved"), 1, 0),
        (Rotary(12, rotary_dim=8, scaling=Yarn(4.0, 64)), 1, 0),
    ],
)
def test_angles_are_positions_times_frequencies(encoding, sign, offset):
    n = n_whole_pairs(encoding)
    assert n == len([1 for part in map(encoding.column_info, range(encoding.n_columns)) if part.part == "cos"])
    angles = pair_angles(encoding, POSITIONS, np.arange(n))
    assert angles.shape == (len(POSITIONS), n)
    assert (angles > -np.pi).all()
    assert (angles <= np.pi).all()
    expected = np.multiply.outer(sign * (POSITIONS + offset), encoding.frequencies()[:n])
    assert np.abs(wrapped(angles - expected)).max() < 1e-9
    sines, cosines = pair_members(encoding, np.arange(n))
    assert [encoding.column_info(int(column)).part for column in (*sines, *cosines)] == ["sin"] * n + ["cos"] * n
    assert [pair_of(encoding, int(column)) for column in (*sines, *cosines)] == [*range(n), *range(n)]


@pytest.mark.parametrize("encoding", [Sinusoidal(7), Sinusoidal(7, layout="concatenated")])
def test_a_sine_without_a_cosine_is_no_pair(encoding):
    lone = [column for column in range(7) if pair_of(encoding, column) is None]
    assert [encoding.column_info(column).part for column in lone] == ["sin"]


@pytest.mark.parametrize(
    "encoding",
    [
        Alibi(4),
        BinaryCode(4),
        IntegerIndex(4),
        LearnedTable.untrained(8, 4),
        ShawRelative(4, 2),
        Sinusoidal(1),
        Sinusoidal(1, layout="concatenated"),
    ],
)
def test_other_tables_have_no_pairs(encoding):
    assert n_whole_pairs(encoding) == 0
