"""Numbers of other people's code: steps, few rows, other bases, reversed rows, and prints of other libraries."""

import math
from random import Random

import numpy as np
import pytest
from own_code import bfloat16, woven

from posenc_core import Rotary, Sinusoidal, identify


def waves(positions, theta):
    """Cosines and sines of the angles, one column per frequency."""
    angles = np.outer(positions, theta)
    return np.cos(angles), np.sin(angles)


def rates(width, base=10000.0, shift=0):
    """The frequencies of a width and a base; shifted by a pair for those that count from one."""
    return base ** (-(np.arange(0, width, 2) + shift) / width)


def table(positions, width, base=10000.0, layout="interleaved", shift=0):
    """A table of sines and cosines."""
    cosines, sines = waves(positions, rates(width, base, shift))
    return woven(sines, cosines) if layout == "interleaved" else np.concatenate([sines, cosines], axis=1)


def codes(finding):
    """The codes of the faults that are found."""
    return [fault.code for fault in finding.faults]


@pytest.mark.parametrize("base", [500000.0, 1e6, 130.0])
@pytest.mark.parametrize("step", [1, 7])
def test_sines_before_cosines_are_right_for_every_base(base, step):
    finding = identify(table(np.arange(0, 48 * step, step), 24, base, "concatenated").astype(np.float32))
    assert (finding.is_right, finding.encoding) == (True, Sinusoidal(24, base, "concatenated"))


@pytest.mark.parametrize("first", [0, 1, 14])
@pytest.mark.parametrize("stored", [np.float64, np.float32, bfloat16])
def test_a_step_and_a_first_position_are_found_together(first, stored):
    numbers = table(first + 7 * np.arange(100), 100)
    finding = identify(numbers.astype(stored) if stored is not bfloat16 else bfloat16(numbers))
    assert (finding.is_right, finding.encoding) == (True, Sinusoidal(100))
    assert finding.positions == range(first, first + 700, 7)


def test_a_step_of_frequencies_that_count_from_one_is_no_factor():
    finding = identify(table(7 * np.arange(64), 256, 1000.0, "concatenated", 2).astype(np.float32))
    assert (finding.is_right, finding.encoding) == (True, Sinusoidal(256, 1000.0, "concatenated", "one_based"))


@pytest.mark.parametrize("position", [1, 5, 1234])
@pytest.mark.parametrize("is_flat", [False, True])
def test_one_row_tells_its_position(position, is_flat):
    row = table([position], 32).astype(np.float32)
    finding = identify(row[0] if is_flat else row)
    assert (finding.is_right, finding.encoding, list(finding.positions)) == (True, Sinusoidal(32), [position])
    assert f"The position is {position:,}." in finding.sentences
    assert identify(row, positions=[position]).is_right


def test_the_first_row_alone_tells_no_base():
    finding = identify(table([0], 32))
    assert (finding.is_right, len(finding.also) > 2) == (True, True)
    assert any(sentence.startswith("These numbers fit every base from ") for sentence in finding.sentences)


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_one_pair_at_far_positions_is_right(layout):
    positions = [7, 9, 11, 400]
    assert identify(table(positions, 2, layout=layout).astype(np.float32), positions=positions).is_right


def test_constant_and_unit_rows_are_no_encoding():
    for numbers in (np.ones(32), np.eye(64), np.eye(64)[:, :32], np.linspace(1, 0.01, 32)):
        finding = identify(numbers)
        assert (finding.is_right, finding.encoding) == (False, None), finding.sentences


@pytest.mark.parametrize("pairing", ["halves", "neighbours"])
def test_rows_of_a_cache_in_reverse_order_are_named(pairing):
    cosines, sines = waves(np.arange(100)[::-1], rates(64, 500000.0))
    numbers = woven(cosines, sines) if pairing == "neighbours" else np.concatenate([cosines, sines], axis=1)
    finding = identify(numbers.astype(np.float32))
    assert (codes(finding), finding.encoding.rope_theta) == (["positions_reversed"], 500000.0)
    assert (finding.first.position, finding.first.column) == (0, 0)
    assert finding.first.right == 1.0


def test_cosines_and_sines_of_pairs_in_turn_are_a_cache():
    finding = identify(woven(*waves(np.arange(60), rates(64, 500000.0))).astype(np.float32))
    assert (finding.is_right, finding.kind) == (True, "cache")
    assert finding.encoding.rope_theta == 500000.0


@pytest.mark.parametrize("step", [1, 4])
def test_degrees_are_found_at_every_step(step):
    cosines, sines = waves(np.arange(0, 256 * step, step) * math.pi / 180, rates(32, 1e6))
    assert codes(identify(np.stack([cosines, sines]))) == ["degrees"]


def test_an_exponent_of_another_width_is_found_for_usual_bases():
    cosines, sines = waves(np.arange(60), 1e6 ** (-np.arange(0, 48, 2) / 64))
    finding = identify(np.concatenate([sines, cosines], axis=1))
    assert (codes(finding), finding.encoding.base) == (["exponent_width"], 1e6)


@pytest.mark.parametrize("base", [409.286, 27.1441, 38215.92578])
def test_right_numbers_of_an_unusual_base_are_right_on_that_condition(base):
    for numbers in (table(np.arange(40), 64, base), rates(64, base)):
        finding = identify(numbers)
        assert finding.is_right
        assert is_conditional(finding, base), finding.sentences[0]


def is_conditional(finding, base):
    """Whether the verdict begins with the condition on this base."""
    begin = f"Right if {'base' if finding.kind == 'table' else 'rope_theta'} {base:,.10g} is meant. "
    return finding.sentences[0].startswith(begin)


def test_a_frequency_that_is_left_out_is_no_scaling():
    finding = identify(np.delete(rates(64), 5))
    assert not finding.sentences[0].startswith("Right.")
    assert finding.encoding is None or finding.encoding.parameters()["scaling"] == "none"


def test_frequencies_that_round_to_zero_keep_their_scale():
    finding = identify(np.round(2 * rates(256, 25000.0), 3))
    assert (finding.is_right, finding.precision) == (True, "3 decimals")
    assert finding.encoding.rope_theta == 25000.0


@pytest.mark.parametrize("decimals", [2, 3, 4, 6])
@pytest.mark.parametrize("stored", [np.float64, np.float32])
def test_rounded_numbers_are_named_by_their_decimals(decimals, stored):
    finding = identify(np.round(table(np.arange(40), 16), decimals).astype(stored))
    assert (finding.is_right, finding.precision) == (True, f"{decimals} decimals")


def test_exact_powers_keep_the_precision_of_their_format():
    assert identify(rates(8).astype(np.float32)).precision == "float32"
    assert identify(rates(64)).precision == "float64"


@pytest.mark.parametrize("head", ["inv_freq: ", "inv_freq\n", "rope.inv_freq = ", "self.pe="])
def test_names_before_a_print_are_no_numbers(head):
    text = f"{head}tensor([{', '.join(f'{each:.4e}' for each in rates(64))}])"
    assert identify(text).encoding == Rotary(64)


@pytest.mark.parametrize("module", ["torch.", "mlx.core.", "jnp.", ""])
@pytest.mark.parametrize(("name", "digits"), [("bfloat16", 2), ("float16", 3)])
def test_a_print_of_16_bits_with_few_digits_is_right(name, digits, module):
    stored = bfloat16(table(np.arange(48), 16)) if name == "bfloat16" else table(np.arange(48), 16).astype(np.float16)
    rows = ", ".join(f"[{', '.join(f'{each:.{digits}e}' for each in row)}]" for row in stored.tolist())
    finding = identify(f"tensor([{rows}], dtype={module}{name})")
    assert (finding.is_right, finding.precision, finding.encoding) == (True, name, Sinusoidal(16))


def test_a_wrong_number_in_an_unrotated_column_is_named():
    rng = np.random.default_rng(7)
    before = rng.normal(size=(40, 80)).astype(np.float32)
    turned = (before[:, :64:2] + 1j * before[:, 1:64:2]) * np.exp(1j * np.outer(np.arange(40), rates(64)))
    after = np.concatenate([woven(turned.real, turned.imag), before[:, 64:]], axis=1)
    after[3, 70] += 0.5
    finding = identify((before, after.astype(np.float32)))
    assert [fault.places for fault in finding.faults] == [((3, 70),)]
    assert (finding.encoding.rope_theta, finding.encoding.rotary_dim) == (10000.0, 64)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(120))
def test_drawn_numbers_are_never_called_wrong_when_right_nor_right_when_faulty(seed):
    random = Random(f"strangers {seed}")
    width, base = 2 * random.randint(4, 64), random.choice((10000.0, 10000.0, 500000.0, 1e6, 130.0, 20000.0))
    positions = random.choice((0, 1, 100)) + random.choice((1, 1, 2, 4)) * np.arange(random.randint(6, 120))
    cosines, sines = waves(positions, rates(width, base))
    holder = random.choice(("interleaved", "concatenated", "cat", "stack", "complex"))
    wrong = random.choice(("", "", "cell", "sign", "scale", "half"))
    if wrong == "sign":
        sines = -sines
    if wrong == "scale":
        cosines, sines = 0.3 * cosines, 0.3 * sines
    if wrong == "half":  # one pair with half its frequency
        pair = random.randrange(width // 2)
        cosines[:, [pair]], sines[:, [pair]] = waves(positions, rates(width, base)[[pair]] / 2)
    if wrong == "cell":
        cosines[random.randrange(len(positions)), random.randrange(width // 2)] += 0.4
    held = {
        "interleaved": lambda: woven(sines, cosines),
        "concatenated": lambda: np.concatenate([sines, cosines], axis=1),
        "cat": lambda: np.concatenate([cosines, sines], axis=1),
        "stack": lambda: np.stack([cosines, sines]),
        "complex": lambda: cosines + 1j * sines,
    }
    numbers = held[holder]()
    finding = identify(numbers.astype(np.complex64 if holder == "complex" else np.float32))
    is_table = holder in ("interleaved", "concatenated")
    is_backwards = wrong == "sign" and not is_table  # nanochat's direction is right, and said
    assert finding.is_right == (not wrong or is_backwards), (holder, wrong, finding.sentences)
    if not wrong:
        assert finding.encoding.parameters()["base" if is_table else "rope_theta"] == base
    if wrong == "cell":
        assert codes(finding) == ["cells"], finding.sentences
    if is_backwards:
        assert finding.encoding.direction == -1
