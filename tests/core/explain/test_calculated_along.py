"""Steps of a derivation as a reader computes them: every number follows from the written ones, and is no better."""

import math
import re
from collections.abc import Iterator

import numpy as np
import pytest
from snippet_cases import formula

from posenc_core import LearnedTable, Rotary, encoding, explain
from posenc_core.analysis import explain_score, explain_shift_block, explain_similarity
from posenc_core.encodings import DistanceRemap, Fire, Fope, GivenMlp, GrapeM, LeakyReRope, SelfExtend, XPos
from posenc_core.explain import Sum
from posenc_core.long_context import TableDifference, explain_drift, explain_unseen
from posenc_core.rope_scaling import (
    FrequencyDivisors,
    LeRope,
    LongRope,
    NtkAware,
    NtkByParts,
    ServedNtk,
    ThetaScale,
    Yarn,
    YarnLog,
)

FAR = 10_000_019
NAMES = {name: getattr(math, name) for name in ("sin", "cos", "exp", "tanh", "pi", "log")} | {
    "ln": math.log,
    "relu": lambda x: max(x, 0.0),
    "clamp": lambda x, low, high: max(low, min(high, x)),
}


def calculated(text: str, **numbers: float) -> float:
    """The number of a written expression, by Python alone."""
    code = text.replace("·", "*").replace("^", "**").replace("2π", "2*pi").replace("²", "**2")
    code = re.sub(r"ln (\d+)", r"ln(\1)", re.sub(r"(?<=[\d)]) (?=[a-z(])", " * ", code))
    return float(eval(code, NAMES | numbers))


def lines(derivation) -> Iterator[tuple[str, str, float]]:
    """The left side, the relation and the number of every step that has some."""
    for step in derivation.steps:
        left, sign, right = re.split(r" ([=≈]) (?=[^=≈]*$)", step.text) if re.search(" [=≈] ", step.text) else ("",) * 3
        if sign and (number := re.match(r"-?\d[\d.]*(?:e-?\d+)?(?![\w·])", right)):
            yield left, sign, float(number[0])


@pytest.mark.parametrize("column", range(6))
def test_each_operation_of_a_formula_far_off_follows_from_the_written_numbers(column):
    shown = explain(formula("sin(p / b^(2*i/d))", "cos(p / b^(2*i/d))", d_model=7), FAR, column)
    for left, _, number in lines(shown):
        assert calculated(left) == pytest.approx(number, rel=1e-13, abs=2e-9), left


def test_a_functions_value_that_is_rounded_to_a_whole_number_is_no_equation():
    texts = [step.text for step in explain(formula("tanh(p) + exp(-p)", d_model=1), 800, 0).steps]
    assert "tanh(800) ≈ 1" in texts
    assert "exp(-800) ≈ 0" in texts
    assert "exp(0) = 1" in [step.text for step in explain(formula("exp(p)", d_model=1), 0, 0).steps]


@pytest.mark.parametrize("mode", ["ones", "typed"])
@pytest.mark.parametrize("encoded", [Rotary(16, 777.0), XPos(8)], ids=["rotary", "xpos"])
def test_the_terms_of_a_far_score_follow_from_the_written_frequencies(mode, encoded):
    vectors = {name: [0.3, -1.2, 0.7, 2.5] * (encoded.head_dim // 4) for name in ("q", "k")} if mode == "typed" else {}
    apart = -FAR if encoded.family == "rotary" else -5003
    terms = [step for step in explain_score(encoded, apart, mode, **vectors).steps if step.text.startswith("pair ")]
    assert len(terms) >= 4
    for step in terms:
        left, _, right = re.split(r" ([=≈]) ", step.text.partition(": ")[2])
        assert calculated(left) == pytest.approx(float(right), rel=1e-6, abs=1e-7), step.text
        assert f"{abs(apart)}" in step.latex


def test_the_terms_of_fope_are_computed_from_angles():
    derivation = explain(Fope(16, table_seed=3), FAR, 9)
    terms = [step for step in derivation.steps if step.text.startswith("source ")]
    assert len(terms) == 5
    for step in terms:
        left, _, right = re.split(r" ([=≈]) ", step.text.partition(": ")[2])
        assert "sin(" in left
        assert calculated(left) == pytest.approx(float(right), abs=3e-8)


def test_the_units_of_fire_are_computed_from_x():
    mlp = GivenMlp.of([1.0, -2.0], [0.1, 0.3], [[-1.5, 0.7]], [0.05])
    steps = explain(Fire(0.5, 12, True, mlp).seen_from(9), -3, 0).steps
    x = next(step.value for step in steps if step.text.startswith("x = "))
    units = [step for step in steps if step.text.startswith("unit ")]
    assert [calculated(re.split(" [=≈] ", step.text)[0].partition(": ")[2], x=x) for step in units] == pytest.approx(
        [-1.5 * (x + 0.1), 0.7 * max(0.0, 0.3 - 2 * x)]
    )
    (divisor,) = (step for step in steps if step.text.startswith("psi(max"))
    assert math.log(0.5 * 12 + 1) + 1e-6 == pytest.approx(divisor.value)
    assert divisor.latex.endswith(r"\ln(0.5 \cdot 12 + 1) + 10^{-6} \approx 1.9459111")


def test_a_number_of_float64_is_not_written_with_more_digits_than_it_has():
    found = explain(Rotary(32, 500.0, scaling=NtkByParts(4.0, 2048)), FAR, 0).steps
    (turns,) = (step.text for step in found if step.text.startswith("turns"))
    assert turns.endswith("≈ 325.94932345220167")  # 325.94932345220164765 by mpmath
    divisors = tuple(1 + 0.1 * pair for pair in range(16))
    found = explain(Rotary(32, 500.0, scaling=FrequencyDivisors(divisors)), FAR, 1).steps
    assert "divisor of pair 1, as listed: divisors[1] = 1.1" in [step.text for step in found]


def test_the_ends_of_yarns_ramp_are_limited_as_written():
    texts = [step.text for step in explain(Rotary(32, 500.0, scaling=Yarn(4.0, 7, 40.0, 30.0)), 1, 0).steps]
    assert any(text.startswith("high, the pair of 30 turns, rounded up to -8, at most 31: ") for text in texts)
    assert any(text.startswith("low, the pair of 40 turns, rounded down to 0, at least 0: ") for text in texts)


def test_an_equation_names_what_is_multiplied():
    scaling = LeRope(1.0, 512, lerope_alpha=(-0.5,) * 4)
    last = next(step for step in explain(Rotary(8, scaling=scaling), 3, 0).steps if step.text.startswith("times"))
    assert last.text == "times e^alpha: θ'' = θ' · e^(-0.5) ≈ 0.606530659713 rad/token"
    scaled = Rotary(8, scaling=Yarn(4.0, 64))
    texts = [explain_score(scaled, -3, "ones").steps[-1].text, explain_similarity(scaled, 1, 3, "dot").steps[-1].text]
    assert texts == ["times a²: 1.1386294² · 3.9849048 ≈ 5.1663374", "times a²: 1.1386294² · 2.5760382 ≈ 3.3397743"]
    assert explain_similarity(scaled, 1, 1, "euclidean").steps[-1].text == "times a: 1.1386294 · 0 ≈ 0"
    exponent = explain(Rotary(8, scaling=ThetaScale(4.0, 4096)), 3, 1).steps[2]
    assert exponent.text.startswith("exponent ln(4096·4/(2π))/ln(4096/(2π)) ≈ ")
    assert calculated(exponent.text.split()[1]) == pytest.approx(exponent.value)


def test_a_result_of_rounded_numbers_is_no_equation():
    end = explain_unseen(encoding("sinusoidal", d_model=4, base=100.5), 1, 4, 100).steps[3]
    assert end.text == "the arc ends at position θ L/θ' = 0.3990037344/0.09975093361 ≈ 4"
    axes = encoding("rope_axes", head_dim=24, rule="normalised", axes="w,h", grid="4x3")
    assert explain_shift_block(axes, 1, 0).steps[2].text == "cosine: cos(4.1887902) ≈ -0.5"


def test_a_difference_follows_from_the_written_entries():
    one, other = encoding("sinusoidal", d_model=8, base=100.5), encoding("sinusoidal", d_model=8)
    derivation = explain(TableDifference(one, other), 5, 3)
    numbers = [number for _, _, number in lines(derivation)]
    assert derivation.to_latex().isascii()
    assert numbers[0] - numbers[1] == pytest.approx(numbers[2], abs=1e-15) == pytest.approx(derivation.value)


def test_a_component_that_is_not_rotated_is_written():
    step = Rotary(8, rotary_dim=4).explain_rotation(np.arange(8) / 16, 3, 7).steps[-1]
    assert step.text.endswith("it passes through, x7 = 0.4375")
    assert step.latex == "y_{7} = x_{7} = 0.4375"


def test_names_of_files_and_of_parameters_are_written_whole_and_in_one_line():
    table = LearnedTable.from_array(np.ones((2, 2)), "a\ntable")
    assert [step.text.count("\n") for step in explain(table, 1, 1).steps] == [0, 0]
    steps = explain(formula("my_slope*p", d_model=1, my_slope=2.0), 3, 0).steps
    assert steps[0].latex == r"\mathrm{my\_slope} = 2,\; p = 3"
    factors = (1.0,) * 4
    longrope = Rotary(8, scaling=LongRope(factors, factors, 64, 128))
    assert r"\mathrm{short\_factor}_{0} = 1" in [step.latex for step in explain(longrope, 3, 0).steps]


@pytest.mark.parametrize(
    ("kind", "position", "column", "wanted"),
    [
        ("normalised", 3, 3, "index 0 of 3, normalised: w = 2 · (0 + 0.5)/3 - 1 ≈ -0.6666666666666667"),
        ("centred", 8, 3, "index 2 of 3, centred: w = 2 - 2 = 0"),
        ("scaled", 7, 0, "index 1 of 4, scaled: h = 1 · 20/4 = 5"),
        ("index", 7, 0, "index 1 of 4: h = 1"),
    ],
)
def test_a_coordinate_follows_from_the_index(kind, position, column, wanted):
    axes = encoding("rope_axes", head_dim=12, coordinate=kind, axes="h,w", grid="3+4x3", base_height=20)
    text = explain(axes, position, column).steps[2].text
    assert text == f"coordinate of {wanted}"


def test_a_time_is_not_scaled_and_a_continued_count_is_a_sum():
    scaled = encoding("rope_axes", head_dim=12, coordinate="scaled", axes="t,h,w", grid="2x5x4")
    assert explain(scaled, 20, 0).steps[2].text == "coordinate of index 1 of 2: t = 1"
    ernie = encoding("rope_axes", head_dim=12, rule="ernie_3d", axes="h,w,t", grid="5+4x3")
    assert explain(ernie, 8, 0).steps[2].text == "coordinate of index 1 of 4, after 5 tokens of text: h = 5 + 1 = 6"


def test_a_product_of_rounded_numbers_is_no_equation():
    texts = [step.text for step in explain_similarity(encoding("alibi", n_heads=12), -3, -8, "dot").steps]
    assert texts[:2] == ["column 8: -2.1213203 · (-5.6568542) ≈ 12", "column 0: -1.5 · (-4) = 6"]


def test_a_formula_whose_last_operation_repeats_an_earlier_one_ends_with_it():
    derivation = explain(formula("c + 1 - 1 + 1", d_model=3), 5, 2)
    assert [step.text for step in derivation.steps] == ["column c: 2", "2 + 1 = 3", "3 - 1 = 2", "2 + 1 = 3"]
    assert derivation.value == 3


def test_the_base_of_pope_is_written_whole():
    text = explain(encoding("pope", head_dim=2, rope_theta=16544159.787685433), 1_000_000, 1).steps[1].text
    left, right = text.removeprefix("frequency ").split(" ≈ ")
    assert calculated(left) == pytest.approx(float(right), rel=1e-11)


def test_a_sine_of_a_logarithm_follows_from_the_written_logarithm():
    for left, _, number in lines(explain(formula("sin(log(1 + p))", d_model=1), 1_000_000, 0)):
        assert calculated(left) == pytest.approx(number, abs=5e-10)


@pytest.mark.parametrize("scaling", [NtkAware(1e20), ServedNtk(1e20), YarnLog(1e20, 4096)])
def test_a_power_of_a_number_with_an_exponent_has_parentheses(scaling):
    steps = explain(Rotary(8, 1e20, scaling=scaling), 3, 2).steps
    assert not [step.text for step in steps if re.search(r"\de-?\d+\^", step.text)]
    assert not [step.latex for step in steps if re.search(r"\^\{[^{}]*\}\^", step.latex)]


def test_a_listed_number_that_is_rounded_is_no_equation():
    factors = (2.123456789123456,) * 4
    texts = [step.text for step in explain(Rotary(8, scaling=LongRope(factors, factors, 64, 128)), 3, 0).steps]
    assert any(text.endswith("short_factor[0] ≈ 2.12345678912") for text in texts)
    texts = [step.text for step in explain(GrapeM(vector_turned=(1 / 3, 0.5, 0.0)), 3, 0).steps]
    assert "component 0 of the vector: x_0 ≈ 0.33333333" in texts


def test_a_product_is_an_equation_exactly_if_its_written_numbers_are_exact():
    total = Sum.of_products("column", np.array([1.00000004, 1234567.5]), np.array([25.0, 2.0]), "", "")
    assert [step.text for step in total.steps()[:2]] == [
        "column 1: 1234567.5 · 2 = 2469135",
        "column 0: 1 · 25 ≈ 25.000001",
    ]


def test_a_distance_of_many_digits_is_written_whole():
    texts = [step.text for step in explain(encoding("sandwich", d_bar=4), 2**31, 0).steps]
    assert texts[1:3] == ["pair 1: cos(0.01 · 2147483648) ≈ -0.71979523", "pair 0: cos(1 · 2147483648) ≈ 0.23781619"]


def test_the_bias_of_kerple_is_the_same_product_in_latex():
    last = explain(encoding("kerple", kernel="log", r1=0.5, r2=0.7), -3, 0).steps[-1]
    assert last.text == "bias -0.5 · 1.1314021 ≈ -0.56570106"
    assert last.latex == r"b = -0.5 \cdot 1.1314021 \approx -0.56570106"


def test_a_quotient_by_lengths_names_what_is_divided():
    rows = LearnedTable.from_array(np.array([[3.0, 4.0], [1.0, 1.0]]))
    last = explain_similarity(rows, 0, 1).steps[-1]
    assert last.text == "over the rows' lengths: Σ/(5 · 1.4142136) ≈ 0.98994949"
    assert last.latex == r"\Sigma / (5 \cdot 1.4142136) \approx 0.98994949"
    assert explain_similarity(rows, 1, 1).steps[-1].text == "over the rows' lengths: Σ/(1.4142136 · 1.4142136) ≈ 1"
    last = explain_similarity(encoding("sinusoidal", d_model=4), 3, 3).steps[-1]
    assert last.text == "over the squared length of every row: Σ/2 = 1"


def test_a_score_at_a_changed_distance_names_the_distance():
    table = DistanceRemap(LeakyReRope(4, 1.7), 4).seen_from(9)
    derivation = explain_score(table, -9)
    assert derivation.formula == "score(9) = s(g)"
    assert derivation.steps[-1].text == "score of the rotation at the distance g: s(6.9411765) ≈ 3.5776285"
    assert derivation.steps[-1].latex == r"s(6.9411765) \approx 3.5776285"


def test_a_factor_below_any_number_is_no_equation():
    texts = [step.text for step in explain(XPos(4, scale_base=1), -4000, 0).steps]
    assert texts[-2:] == ["factor 0.285714285714^(4000/1) ≈ 0", "their product ≈ 0"]


def test_a_threshold_has_all_its_digits():
    steps = explain_drift(
        encoding("rotary", head_dim=4), encoding("rotary", head_dim=4, rope_theta=500.0), 1, 33.3333333
    )
    assert "threshold 33.3333333° ≈ 0.5817764167 rad" in [step.text for step in steps.steps]


def test_the_mean_of_partial_sums_names_what_is_divided():
    ahead = explain_score(encoding("rotary", head_dim=4), 3, "bound")
    assert ahead.formula.endswith("exp(i · (-3) · θ_i)")
    assert ahead.formula_latex.endswith(r"e^{\mathrm{i} \cdot (-3) \theta_i}")
    last = explain_score(encoding("rotary", head_dim=4), 0, "bound").steps[-1]
    assert (last.text, last.latex) == ("mean: Σ/2 = 1.5", r"\Sigma / 2 = 1.5")


def test_a_power_of_exponent_zero_is_an_equation():
    assert [step.text for step in explain(XPos(4), 0, 0).steps][-2:] == [
        "factor 0.285714286^(0/512) = 1",
        "their product = 1",
    ]


def test_a_rotated_component_multiplies_the_sine_as_its_step_shows_it():
    steps = Rotary(8, 5e7).explain_rotation(np.arange(1.0, 9.0), 1, 7).steps
    sine = next(step.text for step in steps if step.text.startswith("sin("))
    assert sine == "sin(1.681793e-6) ≈ 1.68179e-6"
    assert "x3 sin φ = 4 · (1.68179e-6) ≈ 6.73e-6" in [step.text for step in steps]


def test_the_formula_of_a_changed_distance_is_the_same_in_latex():
    for rule, name in ((LeakyReRope(4, 1.7), "Leaky ReRoPE"), (SelfExtend(6, 3), "Self-Extend")):
        for key in (0, 12):  # the later one is masked
            derivation = DistanceRemap(rule, 4).explain_pair(9, key, 0)
            assert derivation.formula == f"g(9, {key}) = {name}(9, {key})"
            assert derivation.formula_latex == rf"g_{{(9, {key})}} = \text{{{name}}}(9, {key})"


def test_a_clamped_distance_of_transformer_xl_names_the_same_entry_in_latex():
    derivation = explain(encoding("transformer_xl", d=4, clamp_len=5), -9, 0)
    assert derivation.formula == "R(9, 0) = sin(5 / 10000^(2·0/4))"
    assert derivation.formula_latex.startswith(r"R_{9, 0} = \sin\left(\frac{5}{")
