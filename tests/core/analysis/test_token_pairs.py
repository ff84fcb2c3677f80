"""Values of token pairs, cell by cell: entries by distance, or dot products of rows."""

import numpy as np
import pytest

from posenc_core import Encoding, Sinusoidal
from posenc_core.analysis.token_pairs import affordable_rows, is_shift_invariant, pair_reach
from posenc_core.encodings import ENCODINGS, known_values
from posenc_core.encodings.binary import BinaryCode
from posenc_core.encodings.ramp import IntegerIndex
from posenc_core.encodings.rotary import Rotary
from posenc_core.encodings.t5 import T5Bias

RELATIVE = [kind.from_parameters({}) for kind in ENCODINGS.values() if kind.relative and not kind.depends_on_query]
"""Families with one table for all queries."""

ABSOLUTE: list[Encoding] = [
    Sinusoidal(8), Sinusoidal(7), Sinusoidal(64, offset=5), Rotary(16), IntegerIndex(3), BinaryCode(6),
]  # fmt: skip
WINDOWS = [(range(4), range(4)), (range(2, 9), range(5)), (range(0, 30, 7), range(3, 30, 7))]


@pytest.mark.parametrize("encoding", RELATIVE, ids=lambda encoding: encoding.family)
@pytest.mark.parametrize(("queries", "keys"), WINDOWS)
def test_a_cell_is_the_entry_at_key_minus_query(encoding: Encoding, queries: range, keys: range) -> None:
    column = encoding.n_columns - 1
    wanted = [
        [known_values(encoding, np.array([key - query]), np.array([column]))[0, 0] for key in keys] for query in queries
    ]
    np.testing.assert_array_equal(encoding.pair_values(queries, keys, column), wanted)


@pytest.mark.parametrize("encoding", ABSOLUTE, ids=repr)
@pytest.mark.parametrize(("queries", "keys"), WINDOWS)
def test_a_cell_is_the_dot_product_of_two_rows(encoding: Encoding, queries: range, keys: range) -> None:
    columns = np.arange(encoding.n_columns)
    left, right = (encoding.values(np.array(rows), columns) for rows in (queries, keys))
    np.testing.assert_allclose(encoding.pair_values(queries, keys), left @ right.T, rtol=1e-12, atol=1e-11)


def test_which_tables_need_no_rows() -> None:
    known = {repr(encoding): is_shift_invariant(encoding) for encoding in ABSOLUTE}
    assert list(known.values()) == [True, False, True, True, False, False]


def test_a_position_without_a_value_has_none_with_any_other() -> None:
    values = BinaryCode(1).pair_values(range(4), range(3))
    wanted = np.full((4, 3), np.nan)
    wanted[:2, :2] = [[0, 0], [0, 1]]
    np.testing.assert_array_equal(values, wanted)


@pytest.mark.parametrize("encoding", [*RELATIVE, *ABSOLUTE], ids=repr)
@pytest.mark.parametrize("count", [1, 2, 40])
def test_no_number_exceeds_the_reach(encoding: Encoding, count: int) -> None:
    reach = pair_reach(encoding, 0, count)
    assert reach > 0
    assert np.nanmax(np.abs(encoding.pair_values(range(count), range(count)))) <= reach * (1 + 1e-12)


def test_a_million_tokens_are_sampled() -> None:
    every = range(0, 1_000_000, 2000)
    assert T5Bias().pair_values(every, every, 3).shape == (500, 500)
    assert Sinusoidal(512).pair_values(every, every)[7, 7] == pytest.approx(256)
    assert affordable_rows(IntegerIndex(65536)) < 100


def test_steps_must_agree() -> None:
    with pytest.raises(ValueError, match="queries and keys must ascend in the same steps, got 1 and 2"):
        T5Bias().pair_values(range(3), range(0, 6, 2))
