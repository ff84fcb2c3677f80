"""Angles far from the start are written with the digits from which their sines and cosines follow."""

import math
import re

import pytest
from derivations import printed

from posenc_core import Linear, Proportional, Rotary, Sinusoidal, encoding, explain
from posenc_core.analysis import explain_shift_block

FAR = 1_000_003


def number_in(text: str) -> float:
    """The last number of a step."""
    return float(re.findall(r"-?\d[\d.]*(?:e-?\d+)?", text)[-1])


@pytest.mark.parametrize("column", range(4))
def test_the_cosine_of_pope_follows_from_the_written_angle(column):
    texts = [step.text for step in explain(encoding("pope", head_dim=4, rope_theta=777.0), FAR, column).steps]
    assert number_in(texts[1]) * FAR == pytest.approx(number_in(texts[2]), abs=1e-7)
    assert math.cos(number_in(texts[2])) == pytest.approx(number_in(texts[3]), abs=2e-8)


def test_the_cosines_of_sandwich_follow_from_the_written_frequencies():
    found = [step.text for step in explain(encoding("sandwich", d_bar=8, base=777.0), -FAR, 0).steps]
    cosines = [text for text in found if "cos(" in text]
    assert len(cosines) == 4
    for text in cosines:
        frequency, distance = map(float, re.search(r"cos\((\S+) · (\d+)\)", text).groups())
        assert math.cos(frequency * distance) == pytest.approx(number_in(text), abs=2e-8)


def test_the_angle_of_grape_follows_from_the_written_area():
    steps = explain(encoding("grape_m"), FAR, 0).steps
    area, angle = (number_in(step.text) for step in steps[:2])
    assert FAR * 0.1 * area == pytest.approx(angle, abs=1e-7)
    assert math.cos(angle) == pytest.approx(math.cos(steps[1].value), abs=2e-8)


def test_the_block_of_a_far_shift_follows_from_the_written_angle():
    texts = [step.text for step in explain_shift_block(encoding("sinusoidal", d_model=8, base=777.0), FAR, 1).steps]
    assert math.sin(number_in(texts[0])) == pytest.approx(number_in(texts[1]), abs=2e-8)
    assert math.cos(number_in(texts[0])) == pytest.approx(number_in(texts[2]), abs=2e-8)


def test_a_score_of_pope_follows_from_the_written_angles():
    steps = encoding("pope", head_dim=2, rope_theta=777.0).scores.derivation(-FAR, "ones", None, None, 0).steps
    for step in steps[1:3]:
        factor, angle, value = map(float, re.search(r": (\S+) · cos\((\S+)\) \S (\S+)", step.text).groups())
        assert factor * math.cos(angle) == pytest.approx(value, abs=1e-7)


@pytest.mark.parametrize(("family", "place"), [("rotary", 1), ("rope_axes", 4)])
def test_a_frequency_has_no_digits_of_float64_beyond_its_own(family, place):
    text = explain(encoding(family, head_dim=8 if family == "rotary" else 16), FAR, 1).steps[place].text
    assert "10000^(-2·1/8) = 0.1 rad" in text


def test_an_exponent_has_no_digits_of_float64_beyond_its_own():
    text = explain(encoding("rope_axes", head_dim=12, rope_theta=1.5), 10 * FAR, 1).steps[3].text
    assert text == "exponent -2 · 1/6 ≈ -0.333333333333333333"


@pytest.mark.parametrize("position", [2**31, 900_000_001, -(10**9) - 7, 2_900_000_001, 2**53])
@pytest.mark.parametrize(
    "encoded",
    [Sinusoidal(6, 3.7), Sinusoidal(6), Rotary(6, 3.7), Rotary(6, scaling=Linear(3.0)), Rotary(6, direction=-1)],
    ids=repr,
)
def test_a_script_prints_the_number_of_a_position_beyond_float64(encoded, position):
    for column in range(4):
        derivation = explain(encoded, position, column)
        assert printed(derivation) == pytest.approx(derivation.value, abs=1e-8)


def test_coordinates_after_a_long_text_are_written_whole():
    axes = encoding("rope_axes", head_dim=12, rule="ernie_3d", axes="h,w,t", grid="1234567+4x3")
    step = explain(axes, 1234571, 0).steps[2]
    assert step.text == "coordinate of index 1 of 4, after 1234567 tokens of text: h = 1234567 + 1 = 1234568"
    assert step.latex == "x_{h} = 1234567 + 1 = 1234568"
    assert axes.cells.words(1234571) == "row 1, column 1 (h 1234568, w 1234568, t 1234567)"
    assert (
        encoding("rope_axes", rule="normalised", grid="3x3").cells.words(0) == "row 0, column 0 (h -0.6667, w -0.6667)"
    )


def test_an_exact_logarithm_and_a_small_factor_are_written_as_such():
    texts = [step.text for step in explain(encoding("t5", num_buckets=8, max_distance=64), -2, 0).steps]
    assert "2 >= E = 2: ln(2/2) / ln(64/2) · (4 - 2) = 0" in texts
    texts = [step.text for step in explain(encoding("grape_m", omega=1e-7), 5, 0).steps]
    assert texts[1].startswith("angle φ = 5 · (1e-7) · s ≈ ")


def test_an_angle_of_a_rounded_frequency_is_no_equation():
    texts = [step.text for step in explain(Rotary(2, scaling=Linear(1.5)), 3, 0).steps]
    assert "angle 3 · 0.666666666667 ≈ 2 rad ≈ 0.31831 turns" in texts
    assert "angle 3 · 0.5 = 1.5 rad ≈ 0.238732 turns" in [
        step.text for step in explain(Rotary(2, scaling=Linear(2.0)), 3, 0).steps
    ]


def test_the_number_of_turning_pairs_follows_from_the_written_share():
    (counted,) = (s for s in explain(Rotary(6, scaling=Proportional(1 / 3)), 1, 0).steps if s.text.startswith("pairs"))
    assert eval(counted.text.removeprefix("pairs that turn: ").partition(" = ")[0].replace("·", "*")) == counted.value
