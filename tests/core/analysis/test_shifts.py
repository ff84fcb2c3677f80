"""Shifts as linear maps: blocks, maps of least squares and what is left of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import rotaries

from posenc_core import Alibi, IntegerIndex, LearnedTable, Rotary, Sinusoidal, shift_matrix, shift_residual
from posenc_core.analysis import best_linear_map, shift_blocks, shift_residuals


@given(rotaries(), st.integers(-500, 500))
def test_blocks_are_those_of_the_matrix(rotary, k):
    blocks, matrix = shift_blocks(rotary, k), shift_matrix(rotary, k)
    for pair in range(rotary.pairs.n_pairs):
        columns = [2 * pair, 2 * pair + 1] if rotary.pairs.is_interleaved else [pair, pair + rotary.pairs.n_pairs]
        members = columns[::-1]  # a rotary pair's first column is its cosine
        np.testing.assert_array_equal(matrix[np.ix_(members, members)], blocks[pair])


def test_without_cosines_no_map_is_exact():
    assert shift_residual(Sinusoidal(4), 1) < 1e-15
    assert shift_residual(Sinusoidal(4), 1, without="cos") == pytest.approx(0.87, abs=5e-3)
    sines = np.sin(np.outer(np.arange(51), Sinusoidal(4).frequencies()))
    mapped = np.linalg.lstsq(sines[:-1], sines[1:])[0]
    np.testing.assert_allclose(shift_matrix(Sinusoidal(4), 1, without="cos"), mapped.T, atol=1e-12)
    for encoding in (Sinusoidal(4, layout="concatenated"), Rotary(4), Rotary(4, pairing="interleaved")):
        assert shift_residual(encoding, 1, without="cos") == pytest.approx(0.8735302678830725)
    assert shift_matrix(Sinusoidal(4), 0, without="cos") == pytest.approx(np.eye(2))


def test_the_residual_at_each_position():
    positions, residuals = shift_residuals(Sinusoidal(8), 3, 200)
    assert positions.tolist() == list(range(200))
    assert residuals.shape == (200,)
    assert residuals.max() < 1e-12
    positions, residuals = shift_residuals(Sinusoidal(8), 3, 200, "cos")
    assert residuals.max() == shift_residual(Sinusoidal(8), 3, 200, "cos") > 0.1


def test_a_learned_table_has_a_best_map_with_an_honest_residual():
    table = LearnedTable()
    found = best_linear_map(table, 1, 10**6)
    rows = table.values(np.arange(64), np.arange(32))
    mapped = np.linalg.lstsq(rows[:-1], rows[1:])[0]
    np.testing.assert_allclose(found.matrix, mapped.T, atol=1e-10)
    np.testing.assert_allclose(found.residuals, np.abs(rows[:-1] @ mapped - rows[1:]).max(axis=1), atol=1e-10)
    assert found.positions.tolist() == list(range(63))
    assert not found.is_trivial
    assert shift_residual(table, 1, 10**6) == pytest.approx(found.residuals.max())
    assert found.held_out > 3 * found.residuals.max(), "rows that the map was not fitted to"
    exact = LearnedTable.from_array(Sinusoidal(8).values(np.arange(100), np.arange(8)))
    assert best_linear_map(exact, 1).held_out < 1e-10


def test_as_many_columns_as_rows_fit_any_numbers():
    noise = LearnedTable.untrained(512, 64)
    assert best_linear_map(noise, 1, 64).is_trivial
    assert best_linear_map(noise, 1, 64).residuals.max() < 1e-9
    assert not best_linear_map(noise, 1, 65).is_trivial
    assert best_linear_map(noise, 1, 500).residuals.max() > 0.01


def test_negative_shifts_and_tables_with_an_end():
    table = LearnedTable.from_array(np.arange(12.0).reshape(6, 2), offset=1)
    assert table.domain == (0, 4)
    assert best_linear_map(table, -2).positions.tolist() == [2, 3, 4]
    assert best_linear_map(table, 2).positions.tolist() == [0, 1, 2]
    assert best_linear_map(table, 4).positions.tolist() == [0]


def test_no_shift_is_the_identity_without_a_negative_zero():
    for found in (shift_matrix(Sinusoidal(6), 0), *shift_blocks(Rotary(8), 0)):
        np.testing.assert_array_equal(found, np.eye(len(found)))
        assert not np.signbit(found).any()


def test_wide_tables_have_blocks_and_residuals_but_no_matrix():
    for encoding in (Rotary(16_384), Sinusoidal(4096)):
        assert shift_blocks(encoding, 7).shape == (encoding.n_columns // 2, 2, 2)
        assert shift_residual(encoding, 7) < 1e-12
    assert shift_residual(Sinusoidal(4097), 7) < 1e-9
    small, wide = LearnedTable.untrained(200, 100), LearnedTable.untrained(200, 2049)
    assert shift_residual(small, 1, 150) > 0.01
    assert shift_residual(wide, 1, 150) < 1e-9


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: shift_matrix(Rotary(4096), 1), "a matrix of 4,096 columns is too large: at most 2,048 are computed"),
        (
            lambda: shift_residual(LearnedTable(), 64),
            "k = 64 leaves no two rows of this table: its positions are 0..63",
        ),
        (
            lambda: best_linear_map(LearnedTable(), -100),
            "k = -100 leaves no two rows of this table: its positions are 0..63",
        ),
        (lambda: shift_residual(Rotary(4), 2**63), "k must be between -2^53 and 2^53, got 9223372036854775808"),
        (lambda: shift_matrix(Sinusoidal(4), -(10**30)), "k must be between -2^53 and 2^53, got a number of 31 digits"),
        (lambda: shift_residual(Rotary(4), 1, 0), "n_positions must be an integer >= 1, got 0"),
        (lambda: shift_matrix(Rotary(4), 1, "sin"), "without must be 'cos' or '' for nothing, got 'sin'"),
        (
            lambda: shift_matrix(Alibi(4), 1, "cos"),
            "ALiBi has no cosines to leave out: shifts without them need sinusoids or RoPE",
        ),
        (
            lambda: shift_blocks(IntegerIndex(2), 1),
            "column 0 (index) is not a sine or cosine: this table has no shift matrix",
        ),
    ],
)
def test_a_shift_without_an_answer_is_refused_in_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=r"\S") as caught:
        call()
    assert str(caught.value) == sentence
