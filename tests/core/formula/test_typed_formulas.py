"""Typed formulas: their numbers against Python's math, their forms, and the sentences and places of their faults."""

import contextlib
import io
import math

import numpy as np
import pytest
from cases import each_case

from posenc_core.formula import (
    DEEPEST,
    LONGEST,
    FormulaError,
    as_latex,
    as_math,
    as_text,
    degree_in,
    evaluated,
    formula_steps,
    parsed_formula,
)

NAMES = ("x", "y")

PLACES = [(-7.25, 3.0), (-1.0, -2.0), (-0.4, 0.5), (0.0, 1.0), (0.3, -0.7), (2.5, 2.0), (40.0, 7.0)]


def sign(x: float) -> float:
    return math.copysign(1.0, x) if x else 0.0


def triangle(x: float) -> float:
    """From 0 up to 1 at a quarter of the period, down to -1 at three quarters, by the distance from the crest."""
    part = (x / (2 * math.pi)) % 1.0
    return 4 * part if part < 0.25 else 2 - 4 * part if part < 0.75 else 4 * part - 4


EXPECTED = {
    "sin(x)": lambda x, y: math.sin(x),
    "cos(x)": lambda x, y: math.cos(x),
    "tan(x)": lambda x, y: math.tan(x),
    "tanh(x)": lambda x, y: math.tanh(x),
    "exp(x)": lambda x, y: math.exp(x),
    "log(abs(x) + 1)": lambda x, y: math.log(abs(x) + 1),
    "sqrt(x^2)": lambda x, y: math.sqrt(x * x),
    "abs(x)": lambda x, y: abs(x),
    "floor(x)": lambda x, y: math.floor(x),
    "ceil(x)": lambda x, y: math.ceil(x),
    "round(x)": lambda x, y: round(x),
    "sign(x)": lambda x, y: sign(x),
    "min(x, y)": lambda x, y: min(x, y),
    "max(x, y, 1)": lambda x, y: max(x, y, 1),
    "mod(x, y)": lambda x, y: x - y * math.floor(x / y),
    "sigmoid(x)": lambda x, y: 1 / (1 + math.exp(-x)),
    "triangle(x)": lambda x, y: triangle(x),
    "square(x)": lambda x, y: 1.0 if (x / (2 * math.pi)) % 1.0 < 0.5 else -1.0,
    "x + y": lambda x, y: x + y,
    "x - y - 1": lambda x, y: (x - y) - 1,
    "x * y": lambda x, y: x * y,
    "x / y / 2": lambda x, y: (x / y) / 2,
    "x // y": lambda x, y: math.floor(x / y),
    "x % y": lambda x, y: x - y * math.floor(x / y),
    "abs(x) ^ y": lambda x, y: math.pow(abs(x), y) if x or y > 0 else math.inf,
    "2 ** -abs(x) ** 2": lambda x, y: 2 ** (-(abs(x) ** 2)),
    "-x^2": lambda x, y: -(x * x),
    "(-x)^2": lambda x, y: x * x,
    "x < y": lambda x, y: float(x < y),
    "x <= y": lambda x, y: float(x <= y),
    "x > y": lambda x, y: float(x > y),
    "x >= y": lambda x, y: float(x >= y),
    "x == 2.5": lambda x, y: float(x == 2.5),
    "x != 2.5": lambda x, y: float(x != 2.5),
    "-1 < x <= y": lambda x, y: float(-1 < x <= y),
    "x if x > y else 2*y": lambda x, y: x if x > y else 2 * y,
    "pi*x + e": lambda x, y: math.pi * x + math.e,
    "3·x − 2×y + π": lambda x, y: 3 * x - 2 * y + math.pi,
    "1.5e-3 + .5*x": lambda x, y: 0.0015 + 0.5 * x,
    "x - (y - 1) - -2": lambda x, y: x - (y - 1) + 2,
    "(x < y) < 1": lambda x, y: float((x < y) < 1),
    "x < (y < 1)": lambda x, y: float(x < float(y < 1)),
    "((x < y) == (y > 1)) != x": lambda x, y: float(((x < y) == (y > 1)) != x),
    "sign(x > -1)": lambda x, y: float(x > -1),
    "sign(1 if x < 2 else -1)": lambda x, y: 1.0 if x < 2 else -1.0,
}  # fmt: skip
"""Each function and operator with the same in Python's math."""


@each_case("text", EXPECTED)
def test_a_formula_has_the_number_of_python(text):
    """As arrays, one by one, in the last step of the derivation, and in the script; its text is the formula again."""
    tree = parsed_formula(text, NAMES)
    xs, ys = (np.array(each) for each in zip(*PLACES, strict=True))
    wanted = np.array([EXPECTED[text](x, y) for x, y in PLACES])
    np.testing.assert_allclose(evaluated(tree, {"x": xs, "y": ys}), wanted, rtol=1e-12, atol=1e-12)
    again = parsed_formula(as_text(tree), NAMES)
    np.testing.assert_allclose(evaluated(again, {"x": xs, "y": ys}), wanted, rtol=1e-12, atol=1e-12)
    assert as_latex(tree).count("{") == as_latex(tree).count("}")
    for (x, y), number in zip(PLACES, wanted.tolist(), strict=True):
        if not math.isfinite(number):
            continue
        steps = formula_steps(tree, {"x": x, "y": y})
        assert steps[-1].value == pytest.approx(number, rel=1e-12, abs=1e-12)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(f"import math\nx, y = {x}, {y}\nprint(float({as_math(tree)}))", {})
        assert float(printed.getvalue()) == pytest.approx(number, rel=1e-12, abs=1e-12)


FAULTS = {
    "": ("nothing is typed", (0, 0)),
    "sin(x": ("a bracket is not closed", (3, 4)),
    "sin(x))": ("a bracket is closed but not opened", (6, 7)),
    "x + 2y": (r"a sign is missing before y, such as \*y", (4, 6)),
    "x y": (r"a sign is missing before y, such as \*y", (0, 3)),
    "2(x)": ("a sign is missing before the bracket", (0, 2)),
    "x +": ('the formula ends after "[+]": a value is missing', (2, 3)),
    "x if": ('the formula ends after "if": a value is missing', (2, 4)),
    "sin": (r"sin is a function: write sin\(...\)", (0, 3)),
    "sin(x, y)": ("sin needs 1 number in its brackets, got 2", (0, 9)),
    "min(x)": ("min needs 2 to 12 numbers in its brackets, got 1", (0, 6)),
    "eval(x)": ("eval is not a function; the functions are sin, cos, ", (0, 4)),
    "x.real": ("character 2, '.', has no meaning here", (1, 2)),
    "x[0]": ("character 2, '\\[', has no meaning here", (1, 2)),
    "'x'": ('character 1, "\'", has no meaning here', (0, 1)),
    "lambda": ("lambda cannot be a name: it is a word of Python", (0, 6)),
    "None": ("None cannot be a name", (0, 4)),
    "x = 2": ("character 3, '=', has no meaning here", (2, 3)),
    "1e999": ("the number 1e999 is beyond float64", (0, 5)),
    "(x, y)": ("a formula has no lists", (0, 6)),
    "()": ("a formula has no lists", (0, 2)),
    "__import__": ("a name must start with a letter", (0, 10)),
    "h*x": ("h has no meaning in this kind of formula, which has x, y", (0, 1)),
    "+".join("abcdfgijklmno"): ("at most 12 parameters, got 13", (0, 25)),
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_fault_has_a_sentence_and_a_place(text):
    sentence, place = FAULTS[text]
    with pytest.raises(FormulaError, match=sentence) as caught:
        parsed_formula(text, NAMES, ("h",))
    assert caught.value.place == place


@pytest.mark.parametrize(
    "text",
    [
        "(" * 240 + "x" + ")" * 240, "-" * 450 + "x", "+".join("x" * 100), "x^" * 100 + "x", "(" * 1_000_000,
        "x" * (LONGEST + 1), "sin(" * 60 + "x" + ")" * 60, "1 if " * 60 + "x" + " else 1" * 30, "9" * 501, "\0",
        "\ud83d", "x; y",
        "x\\\ny", "x#y", "f'{x}'", "x:=1", "*x", "**x", "x if y", "not x", "x and y", "x @ y", "~x", "x | y",
        "0x10", "1_000", "1j", "x is y", "await x", "yield", "[x for x in y]", "{x}", "x,", "sin(*x)", "sin(x=1)",
        "...",
    ],
)  # fmt: skip
def test_hostile_texts_are_refused(text):
    with pytest.raises(FormulaError):
        parsed_formula(text, NAMES)


@pytest.mark.parametrize(
    "text", ["10**10**10", "9^9^9^9^9^9", "exp(exp(exp(exp(x))))", "1/0", "0^-1", "(-1)^0.5", "log(0)"]
)
def test_a_formula_without_a_finite_number_ends_at_once(text):
    found = evaluated(parsed_formula(text, NAMES), {"x": np.array([9.0, 99.0])})
    assert not np.isfinite(found).any()


def test_a_formula_of_40_operations_within_each_other_is_read():
    text = "sin(" * DEEPEST + "x" + ")" * DEEPEST
    assert float(evaluated(parsed_formula(text, NAMES), {"x": 1.0})) == pytest.approx(0.26, abs=0.01)


@pytest.mark.parametrize(
    ("text", "degree"),
    [("y", 0), ("x", 1), ("-2*x/y + x", 1), ("x*x", 2), ("1/x", 2), ("sin(x)", 2), ("x if y else 2*x", 1), ("y^x", 2)],
)
def test_a_formula_knows_whether_it_is_linear(text, degree):
    assert degree_in(parsed_formula(text, NAMES), "x") == degree


def test_names_keep_their_order_and_pi_and_e_are_numbers():
    tree = parsed_formula("tau*x + pi - omega_2/tau", NAMES)
    assert tree.names() == ("tau", "x", "pi", "omega_2")
    assert as_latex(tree) == r"\tau \cdot x + \pi - \frac{\omega_{2}}{\tau}"
