"""Numbers that look like another encoding's, and numbers that fit no encoding: none of them is called right."""

import math
import re

import numpy as np
import pytest
from families import formula

from posenc_core import Alibi, NormalizedIndex, Sinusoidal, identify

ANGLES = np.outer(np.arange(100), 10000.0 ** (-np.arange(0, 64, 2) / 64))
THETA = 500000.0 ** (-np.arange(0, 96, 2) / 96)
TURN = 2 * math.pi


def sinusoids(factor=1.0):
    """48 rows of the paper's 16 columns, with positions times the factor."""
    angles = np.outer(np.arange(48) * factor, 10000.0 ** (-np.arange(0, 16, 2) / 16))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(48, 16)


def codes(numbers, **options):
    """The codes of the faults that are found, which numbers that are right have none of."""
    finding = identify(numbers, **options)
    assert finding.is_right == (finding.encoding is not None and not finding.faults)
    return [fault.code for fault in finding.faults]


@pytest.mark.parametrize("names", [("cos", "sin"), ("cos_cached", "sin_cached"), ("Cosines", "Sines")])
@pytest.mark.parametrize("repeat", [1, 2])
def test_arrays_under_each_others_names_are_exchanged(names, repeat):
    cosines, sines = (np.tile(each, repeat).astype(np.float32) for each in (np.cos(ANGLES), np.sin(ANGLES)))
    assert codes(dict(zip(names, (cosines, sines), strict=True))) == []
    swapped = identify(dict(zip(names, (sines, cosines), strict=True)))
    assert [fault.code for fault in swapped.faults] == ["exchanged"]
    assert "in place of 1" in swapped.sentences[1], swapped.sentences


def test_a_sine_as_the_real_part_of_a_phasor_is_exchanged():
    assert codes(np.sin(ANGLES) + 1j * np.cos(ANGLES)) == ["exchanged"]
    assert codes(np.cos(ANGLES) + 1j * np.sin(ANGLES)) == []


@pytest.mark.parametrize(
    ("factor", "code", "word"),
    [
        (math.pi / 180, "degrees", "taken for degrees"),
        (180 / math.pi, "degrees", "radians to convert into degrees"),
        (TURN, "position_scaled", "6.2832, 2 pi,"),
        (1 / TURN, "position_scaled", "0.15915, 1/(2 pi),"),
    ],
)
def test_angles_in_another_unit_are_no_scaling(factor, code, word):
    frequencies = (THETA * factor).astype(np.float32)
    finding = identify(frequencies)
    assert ([fault.code for fault in finding.faults], word in finding.sentences[0]) == ([code], True)
    assert finding.first is not None
    assert finding.first.column == 0
    angles = np.outer(np.arange(60), THETA * factor)
    assert codes(np.concatenate([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)) == [code]
    rng = np.random.default_rng(3)
    before = rng.normal(size=(60, 96)).astype(np.float32)
    turned = (before[:, :48] + 1j * before[:, 48:]) * np.exp(1j * angles)
    after = np.concatenate([turned.real, turned.imag], axis=1).astype(np.float32)
    assert codes((before, after)) == [code]


def test_powers_of_the_base_that_are_not_divided_by_are_inverted():
    finding = identify(1 / THETA)
    assert [fault.code for fault in finding.faults] == ["inverted"]
    assert finding.encoding.rope_theta == 500000.0
    assert codes(TURN / THETA) == ["wavelengths"]


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    "numbers", [THETA[::-1], np.ones(16), 2.0 ** np.arange(8), np.linspace(1, 0.1, 10)], ids=["up", "1", "2^k", "line"]
)
def test_frequencies_that_do_not_fall_geometrically_are_none(numbers):
    assert identify(numbers).encoding is None or codes(numbers) == ["inverted"]


@pytest.mark.parametrize("n_heads", [6, 12, 20])
def test_slopes_by_the_rule_for_a_power_of_two_are_wrong_for_another_number_of_heads(n_heads):
    slopes = 2.0 ** (-8.0 * np.arange(1, n_heads + 1) / n_heads)
    places = np.arange(24)
    bias = slopes[:, None, None] * (places - places[:, None])
    for numbers in (slopes.astype(np.float32), bias.astype(np.float32)):
        finding = identify(numbers)
        assert [fault.code for fault in finding.faults] == ["slopes_even"], finding.sentences
        assert (finding.encoding.family, finding.first is not None) == ("alibi", True)


def test_alibi_by_heads_and_keys_is_right():
    keys = 2.0 ** -np.arange(1.0, 9)[:, None, None] * np.arange(24)
    finding = identify(keys.astype(np.float32))
    assert (finding.encoding.family, finding.is_right) == ("alibi", True)


@pytest.mark.parametrize("base", [1000.0, 10000.0])
def test_three_frequencies_of_a_round_base_divide_by_their_own_width(base):
    assert codes(base ** (-np.arange(0, 6, 2) / 6)) == []


def test_a_list_of_float32_numbers_that_were_rounded_is_right():
    table = np.stack([np.sin(ANGLES), np.cos(ANGLES)], axis=-1).reshape(100, -1).astype(np.float32)
    finding = identify(str(np.round(table[:20], 6).tolist()))
    assert (finding.is_right, finding.precision) == (True, "6 decimals")
    assert not identify(table + np.float32(3e-6)).is_right


@pytest.mark.parametrize("base", [1e4, 123456.0, 777777.0])
def test_nearly_equal_readings_are_not_listed(base):
    finding = identify((base ** (-np.arange(0, 128, 2) / 128)).astype(np.float32))
    begin = "Encodings with the same numbers:"
    (told,) = [each for each in (*finding.sentences, begin) if each.startswith(begin)][:1]
    bases = [float(each.replace(",", "")) for each in re.findall(r"(?:base|rope_theta) ([\d,.]+\d)", told)]
    assert [each for each in bases if abs(each / base - 1) < 0.01] in ([], [base]), told
    assert len({each.parameters().get("pairing") for each in finding.also} - {None}) <= 2


def test_tables_without_a_formula_are_none():
    rows, columns = np.divmod(np.arange(196), 14)
    omega = 10000.0 ** (-np.arange(16) / 16)
    halves = [np.outer(each, omega) for each in (columns, rows)]
    grid = np.concatenate([wave(each) for each in halves for wave in (np.sin, np.cos)], axis=1)
    half = ANGLES.astype(np.float16).astype(np.float64)
    for numbers in (grid, np.concatenate([np.cos(half), np.sin(half)], axis=1)):
        finding = identify(numbers.astype(np.float32))
        assert (finding.encoding, finding.is_right) == (None, False)


def vectors(pairing, angles):
    """Random vectors, and what they are after one of the usual functions with these angles of the columns."""
    before = np.random.default_rng(5).normal(size=angles.shape)
    one, other = np.split(before, 2, axis=1)
    pairs = np.stack([-before[:, 1::2], before[:, ::2]], axis=-1).reshape(before.shape)
    turned = np.concatenate([-other, one], axis=1) if pairing == "half_split" else pairs
    return before.astype(np.float32), (before * np.cos(angles) + turned * np.sin(angles)).astype(np.float32)


@pytest.mark.parametrize("theta", [THETA, THETA / 4])
@pytest.mark.parametrize("pairing", ["half_split", "interleaved"])
def test_angles_of_one_pairing_with_the_columns_of_the_other_are_named(pairing, theta):
    angles = np.outer(np.arange(60), theta)
    repeated = {"half_split": np.tile(angles, (1, 2)), "interleaved": np.repeat(angles, 2, axis=1)}
    own = repeated.pop(pairing)
    assert codes(vectors(pairing, own)) == []
    (mixed,) = repeated.values()
    finding = identify(vectors(pairing, mixed))
    assert [fault.code for fault in finding.faults] == ["mixed_pairs"]
    assert (finding.encoding.pairing, finding.encoding.rope_theta) == (pairing, 500000.0)
    after = vectors(pairing, own)[1]
    row, column = np.argwhere(~np.isclose(vectors(pairing, mixed)[1], after, atol=1e-6))[0].tolist()
    assert (finding.first.position, finding.first.column) == (row, column)
    assert finding.first.right == pytest.approx(float(after[row, column]), abs=1e-6)


def test_a_rotation_that_runs_backwards_is_named_in_words():
    finding = identify(np.concatenate([np.cos(ANGLES), -np.sin(ANGLES)], axis=1).astype(np.float32))
    assert (finding.is_right, finding.encoding.direction) == (True, -1)
    assert any("other sign than in most models" in sentence for sentence in finding.sentences)


def test_vectors_of_zeros_and_caches_of_two_pairings_are_no_rotation():
    repeated = np.stack([np.tile(np.cos(ANGLES), (1, 2)), np.repeat(np.sin(ANGLES), 2, axis=1)])
    for numbers in (repeated, np.stack([np.zeros_like(repeated[0]), repeated[0]])):
        assert identify(numbers.astype(np.float32)).encoding is None


def alibi_biases(n_heads):
    """Biases of 8 to 12 heads by the slopes that Press et al. 2022 print, float64 ``(n_heads, 24, 24)``."""
    slopes = 2.0 ** -np.array([1, 2, 3, 4, 5, 6, 7, 8, 0.5, 1.5, 2.5, 3.5])[:n_heads]
    places = np.arange(24)
    return slopes[:, None, None] * (places - places[:, None])


@pytest.mark.parametrize(("n_heads", "first", "count", "others"), [(8, 0, 1, (16, 32)), (8, 0, 4, ()), (10, 8, 2, ())])
def test_biases_of_some_heads_are_right(n_heads, first, count, others):
    """A slope of 1/2 is that of head 0 of 8, of head 1 of 16, and so on: no mistake, and none is ruled out."""
    every = alibi_biases(n_heads)
    finding = identify(every[first : first + count])
    assert (finding.is_right, finding.encoding) == (True, Alibi(n_heads)), finding.sentences
    named = f"heads {first} to {first + count - 1}" if count > 1 else f"head {first}"
    assert f"These are the biases of {named} of {n_heads}." in finding.sentences
    assert {Alibi(other) for other in others} <= set(finding.also)
    every[first, 9, 4] = 3.0
    finding = identify(every[first : first + count])
    assert [fault.code for fault in finding.faults] == ["cells"]
    assert finding.first.where == f"head {first}, distance -5"
    assert finding.first.right == finding.derivation().value == every[first, 5, 0]


def test_zeros_at_all_later_keys_are_a_mask():
    biases = np.tril(alibi_biases(8))
    finding = identify(biases.astype(np.float32))
    assert (finding.is_right, finding.encoding) == (True, Alibi(8)), finding.sentences
    assert "All numbers of later keys are 0: they count as masked." in finding.sentences
    assert [fault.code for fault in identify(-biases).faults] == ["sign"]
    biases[3, 2, 20] = 0.25
    assert not identify(biases).is_right


@pytest.mark.parametrize(("seq_len", "first", "stop"), [(60, 0, 48), (60, 12, 60), (49, 0, 48), (10_001, 0, 100)])
def test_rows_of_a_longer_normalised_index_are_right_if_its_length_is_meant(seq_len, first, stop):
    """48 rows of p/48 may be a division by T in place of T - 1: the verdict names the length."""
    numbers = np.tile(np.arange(first, stop)[:, None] / (seq_len - 1), (1, 4)).astype(np.float32)
    finding = identify(numbers)
    assert (finding.is_right, finding.encoding) == (True, NormalizedIndex(seq_len, 4)), finding.sentences
    assert finding.positions == range(first, stop)
    assert finding.sentences[0].startswith(f"Right if seq_len {seq_len:,} is meant. Normalised index")


@pytest.mark.parametrize(
    ("factor", "words"),
    [
        (1 / 3, "0.33333"),
        (10 / 9, "1.1111"),
        (math.pi, "3.1416"),
        (1.00001, "1.00001"),
        (0.99995, "0.99995"),
        (4.0, "4, the square root of 16"),
    ],
)
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_any_factor_of_a_table_is_found_and_written_with_the_digits_that_tell_it_from_one(factor, words, kind):
    table = sinusoids() * factor
    finding = identify(table.astype(kind))
    assert finding.sentences[0] == f"All numbers are multiplied by {words}."
    assert finding.encoding == Sinusoidal(16)


@pytest.mark.parametrize(("factor", "words"), [(1.1, "1.1"), (1.01, "1.01"), (0.9, "0.9, 1/1.111111,"), (2.5, "2.5")])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_round_factor_of_positions_is_written_as_it_is(factor, words, kind):
    finding = identify(sinusoids(factor).astype(kind))
    assert finding.sentences[0] == f"The positions are multiplied by {words} and should count tokens."


def test_a_formula_without_the_length_is_right_at_any_length():
    text = "sin(p / b^(2*i/d))", "cos(p / b^(2*i/d))"
    finding = identify(sinusoids(), against=formula(*text, d_model=16, seq_len=60))
    assert finding.sentences[0].startswith("Right. Formula of your own")
    of_length = formula("p/L", d_model=2, seq_len=60)
    shares = np.tile(np.arange(48)[:, None] / 60, (1, 2))
    assert identify(shares, against=of_length).sentences[0].startswith("Right if seq_len 60 is meant. Formula")


def test_a_normalised_index_of_all_rows_is_right_and_uneven_steps_are_not():
    whole = np.tile(np.linspace(0, 1, 48)[:, None], (1, 4))
    assert identify(whole).sentences[0].startswith("Right. Normalised index, seq_len 48")
    assert identify(whole**2).encoding is None
    assert identify(whole * 47 / 59.5).encoding is None


def of_rows(frequencies: np.ndarray, loud: float = 1.0) -> np.ndarray:
    angles = np.outer(np.arange(200), frequencies)
    return loud * np.concatenate([np.cos(angles), np.sin(angles)], axis=1)


def test_a_fault_that_another_parameter_explains_is_said_with_that_parameter():
    pairs = np.arange(32)
    finding = identify(of_rows(100.0 ** (-pairs / 32)))
    assert [fault.code for fault in finding.faults] == ["exponent_width"]
    right = "Without a fault, these are the numbers of: Rotary (RoPE), head_dim 64, rope_theta 100; PoPE, head_dim 32"
    assert any(each.startswith(right) for each in finding.sentences)
    ramp = np.clip((pairs - 10) / 13, 0, 1)  # pairs 10 and 23 of 32 make 32 turns and one in 4,096 tokens
    finding = identify(of_rows(1e4 ** (-pairs / 32) * (1 - ramp * 39 / 40)))
    assert finding.sentences[0] == (
        "The attention factor is 1 and should be 1.3689, unless mscale and mscale_all_dim are equal, as in DeepSeek's "
        "models."
    )
    assert any("these are the numbers of" in each and "attention_factor 1." in each for each in finding.sentences)


def test_no_other_family_of_a_nearly_equal_base_is_named():
    finding = identify(of_rows(1e4 ** (-np.arange(32) / 32), 1.1).astype(np.float32))
    assert [fault.code for fault in finding.faults] == ["attention_factor"]
    assert not any("PoPE" in each for each in finding.sentences)
