"""Columns too fast for a picture: found for all at once, as one by one."""

from itertools import pairwise

import numpy as np
import pytest

from posenc_core import (
    Alibi,
    BinaryCode,
    IntegerIndex,
    LearnedTable,
    LongRope,
    Rotary,
    Sinusoidal,
    TransformerXLRelative,
    Yarn,
)
from posenc_core.analysis.aliasing import aliased_columns, aliased_pairs
from posenc_core.encodings import n_whole_pairs, pair_members
from posenc_core.long_context import TableDifference

ENCODINGS = [
    Sinusoidal(1),
    Sinusoidal(64),
    Sinusoidal(7, layout="concatenated"),
    Sinusoidal(9, spacing="tensor2tensor", layout="concatenated"),
    Sinusoidal(16, base=0.5),
    BinaryCode(12),
    BinaryCode(12, order="lsb"),
    TransformerXLRelative(8),
    Rotary(64),
    Rotary(64, pairing="interleaved", scaling=Yarn(16.0, 512)),
    Rotary(8, scaling=LongRope((1.0, 9.0, 2.0, 40.0), (1.0, 9.0, 2.0, 40.0), 64, 128)),
]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("step", [1.01, 3.2, 17.0, 400.0, 1e5, 1e9])
def test_the_columns_are_those_whose_wave_is_shorter_than_two_steps(encoding, step):
    one_by_one = [
        column
        for column in range(encoding.n_columns)
        if (encoding.column_info(column).wavelength or np.inf) < 2 * step * (1 - 1e-12)
    ]
    ranges = aliased_columns(encoding, step)
    assert [column for first, stop in ranges for column in range(first, stop)] == one_by_one
    assert all(stop < first for (_, stop), (first, _) in pairwise(ranges)), "as few as can be"
    members, _ = pair_members(encoding, np.arange(n_whole_pairs(encoding))) if n_whole_pairs(encoding) else ([], [])
    pairs = [pair for first, stop in aliased_pairs(encoding, step) for pair in range(first, stop)]
    assert pairs == [pair for pair, column in enumerate(members) if column in one_by_one]


def test_columns_of_a_difference_are_fast_where_both_tables_turn_alike():
    assert aliased_columns(TableDifference(Rotary(64), Rotary(64, rope_theta=5e5)), 17.0) == ((0, 1), (32, 33))


def test_some_are_fast_and_some_are_not():
    assert aliased_columns(Sinusoidal(64), 17.0) == ((0, 12),)
    assert aliased_columns(Rotary(64), 17.0) == ((0, 6), (32, 38))
    assert aliased_pairs(Rotary(64), 17.0) == ((0, 6),)


@pytest.mark.parametrize("encoding", [Alibi(4), IntegerIndex(4), LearnedTable.untrained(8, 4)])
def test_a_column_without_waves_is_never_aliased(encoding):
    assert aliased_columns(encoding, 1e9) == ()
