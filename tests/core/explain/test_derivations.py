"""The derivation of an entry: right, and such that whoever computes along arrives at what is written."""

import contextlib
import decimal
import io
import re
import subprocess
import sys
import warnings
from decimal import Decimal
from typing import Any

import mpmath
import pytest
from amounts import draws
from hypothesis import given
from hypothesis import strategies as st
from reference import exact_entry
from strategies import POSITIONS, SMALL, sinusoids

from posenc_core import Derivation, Sinusoidal, encode, explain
from posenc_core.explain.derivation import significant, to_decimals

ENTRIES = [
    (Sinusoidal(4), 1, 2),
    (Sinusoidal(4), 0, 0),
    (Sinusoidal(4), 0, 3),
    (Sinusoidal(1), 7, 0),
    (Sinusoidal(5), 9, 4),
    (Sinusoidal(6, layout="concatenated", offset=5), -3, 4),
    (Sinusoidal(5, layout="concatenated"), 3, 2),
    (Sinusoidal(512, spacing="tensor2tensor", layout="concatenated"), 1000, 511),
    (Sinusoidal(7, spacing="tensor2tensor"), 3, 6),
    (Sinusoidal(32, spacing="one_based", offset=-7), 10, 30),
    (Sinusoidal(65536, offset=10**7), 10**7, 1),
    (Sinusoidal(6, 1.0), 355, 4),
    (Sinusoidal(6, 0.1), 12, 4),
    (Sinusoidal(6, 1e-9, spacing="one_based"), 10**7, 5),
    (Sinusoidal(6, 5e-324, spacing="one_based", offset=1), 2, 4),
    (Sinusoidal(6, 1.7e308), -(10**7), 4),
    (Sinusoidal(6, 12345.678901234567), 77, 5),
    (Sinusoidal(6, 1.5e20), 77, 5),
]


def size_of(latex: str) -> tuple[float, float]:
    """Width and height of the formula as the window's typesetter draws it."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "path is deprecated", DeprecationWarning)  # its import on Python 3.11
        import ziamath
    width, height = ziamath.Latex(latex).getsize()
    return width, height


def test_the_papers_example_step_by_step() -> None:
    derivation = explain(Sinusoidal(4), 1, 2)
    assert derivation.to_text().splitlines() == [
        "PE(1, 2) = sin(1 / 10000^(2·1/4))",
        "column 2 is even: the sine of pair i = 2//2 = 1",
        "exponent 2i/d = 2·1/4 = 0.5",
        "divisor 10000^0.5 = 100",
        "wavelength 2π · 100 ≈ 628.319 tokens",
        "angle 1/100 = 0.01 rad ≈ 0.572958° ≈ 0.00159155 turns",
        "sin(0.01) ≈ 0.00999983",
    ]
    assert derivation.symbol == "PE(1, 2)"
    assert derivation.formula_latex == r"PE_{(1, 2)} = \sin\left(\frac{1}{10000^{2 \cdot 1/4}}\right)"
    assert [step.value for step in derivation.steps[:4]] == [1, 0.5, 100, pytest.approx(628.3185307)]
    assert derivation.value == pytest.approx(0.009999833334166664, abs=1e-18)
    assert derivation.to_python() == "import math\n\nprint(math.sin(1 / 10000 ** (2 * 1 / 4)))\n"


@pytest.mark.parametrize(
    ("encoding", "position", "column", "sentences"),
    [
        (
            Sinusoidal(6, layout="concatenated", offset=5),
            -3,
            4,
            [
                "PE(-3, 4) = cos((-3 + 5) / 10000^(2·1/6))",
                "column 4 is after the first 3: the cosine of pair i = 4 - 3 = 1",
                "position -3 is encoded as p = -3 + 5 = 2, because of the offset",
                "exponent 2i/d = 2·1/6 ≈ 0.333333",
                "divisor 10000^(2·1/6) ≈ 21.5443469",
            ],
        ),
        (
            Sinusoidal(8, layout="concatenated", offset=-2),
            1,
            3,
            [
                "PE(1, 3) = sin((1 - 2) / 10000^(2·3/8))",
                "column 3 is among the first 4: the sine of pair i = 3",
                "position 1 is encoded as p = 1 - 2 = -1, because of the offset",
                "angle -1/1000 = -0.001 rad",
            ],
        ),
        (
            Sinusoidal(7, spacing="tensor2tensor"),
            2,
            3,
            ["column 3 is odd: the cosine of pair i = 3//2 = 1", "exponent i/(d//2 - 1) = 1/2 = 0.5"],
        ),
        (
            Sinusoidal(4, spacing="one_based"),
            2,
            3,
            ["exponent 2(i + 1)/d = 2·2/4 = 1", "divisor 10000^1 = 10000"],
        ),
        (Sinusoidal(4, 1.0), 3, 3, ["divisor 1^0.5 = 1", "angle 3/1 = 3 rad"]),
        (Sinusoidal(4, 0.25), 3, 2, ["divisor 0.25^0.5 = 0.5", "angle 3/0.5 = 6 rad"]),
        (Sinusoidal(2, 0.1, spacing="one_based"), 3, 0, ["divisor 0.1^1 = 0.1", "angle 3/0.1 = 30 rad"]),
        (Sinusoidal(6, 1e300, spacing="tensor2tensor"), 9, 2, ["divisor (1e300)^0.5 = 1e150", "9e-150 rad"]),
        (Sinusoidal(4), 0, 1, ["angle 0/1 = 0 rad = 0° = 0 turns", "cos(0) = 1"]),
        (Sinusoidal(5, spacing="tensor2tensor"), 9, 4, ["column 4 has no partner in d_model = 5", "PE(9, 4) = 0"]),
    ],
)
def test_every_form_reads_well(encoding: Sinusoidal, position: int, column: int, sentences: list[str]) -> None:
    text = explain(encoding, position, column).to_text()
    for sentence in sentences:
        assert sentence in text


def test_an_angle_too_large_to_write_is_shown_less_its_turns() -> None:
    steps = explain(Sinusoidal(6, 5e-324, spacing="one_based"), 3, 3).to_text().splitlines()
    assert steps[-3:] == [
        "angle 3/2.9008355e-216 ≈ 1.034185e216 rad",
        "less whole turns ≈ -2.1813212769 rad, which has the same cosine (float64 has too few digits for the angle)",
        "cos(-2.1813212769) ≈ -0.57329766",
    ]


def printed(script: str) -> float:
    """Number printed by the script, which runs in this process."""
    with contextlib.redirect_stdout(io.StringIO()) as output, decimal.localcontext():
        exec(script, {})
    return float(output.getvalue())


def found(pattern: str, derivation: Derivation) -> re.Match[str]:
    (match,) = [match for step in derivation.steps if (match := re.fullmatch(pattern, step.text))]
    return match


def close(shown: str, sign: str, computed: Any, relative: float) -> bool:
    """Whether the number shown is what the reader computes: exactly so behind ``=``."""
    return abs(mpmath.mpf(shown) - computed) <= abs(computed) * (1e-15 if sign == "=" else relative)


@draws(8, 100)
@given(encoding=sinusoids(**SMALL), position=POSITIONS, data=st.data())
def test_whoever_computes_along_agrees(encoding: Sinusoidal, position: int, data: st.DataObject) -> None:
    """Each line follows from the numbers shown before it, to the last digit shown; the end is the table's entry."""
    column = data.draw(st.integers(0, encoding.n_columns - 1))
    derivation = explain(encoding, position, column)
    assert derivation.value == pytest.approx(exact_entry(encoding, position, column), abs=1e-15)
    assert derivation.value == pytest.approx(float(encode(encoding, [position], [column])[0, 0]), abs=2e-7)
    assert printed(derivation.to_python()) == pytest.approx(derivation.value, abs=1e-8)
    if encoding.column_info(column).part == "zero":
        return
    with mpmath.workdps(400):
        exponent = found(r"exponent .* = (2·)?(\d+)/(\d+) ([=≈]) (\S+)", derivation)
        fraction = mpmath.mpf(int(exponent[2]) * (2 if exponent[1] else 1)) / int(exponent[3])
        assert close(exponent[5], exponent[4], fraction, 1e-5)
        divisor = found(r"divisor (\(\S+\)|[^(^]+)\^(\S+) ([=≈]) (\S+)", derivation)
        written = fraction if "/" in divisor[2] else mpmath.mpf(divisor[2])
        assert close(divisor[4], divisor[3], mpmath.power(mpmath.mpf(divisor[1].strip("()")), written), 1e-6) or (
            encoding.base < 1e-300  # 5e-324 is how the number nearest to it is written, and 20% away from it
        )
        wavelength = found(r"wavelength 2π · (\S+) ≈ (\S+) tokens", derivation)
        assert wavelength[1] == divisor[4]
        assert close(wavelength[2], "≈", 2 * mpmath.pi * mpmath.mpf(divisor[4]), 1e-5)
        angle = found(r"angle (-?\d+)/(\S+) ([=≈]) (\S+) rad(?: [=≈] (\S+)° [=≈] (\S+) turns)?", derivation)
        assert (int(angle[1]), angle[2]) == (position + encoding.offset, divisor[4])
        quotient = int(angle[1]) / mpmath.mpf(divisor[4])
        assert close(angle[4], angle[3], quotient, 1e-6)
        assert abs(mpmath.mpf(angle[4]) - quotient) < 1e-10 or angle[5] is None
        if angle[5] is not None:
            assert close(angle[5], "≈", mpmath.degrees(mpmath.mpf(angle[4])), 1e-5)
            assert close(angle[6], "≈", mpmath.mpf(angle[4]) / (2 * mpmath.pi), 1e-5)
        last = found(r"(sin|cos)\((\S+)\) ([=≈]) (\S+)", derivation)
        assert last[2] == (angle[4] if angle[5] is not None else derivation.steps[-2].text.split()[4])
        value = getattr(mpmath, last[1])(mpmath.mpf(last[2]))
        assert abs(mpmath.mpf(last[4]) - value) < 0.6e-8
        assert close(last[4], "≈", value, 1e-5) or abs(value) > 1e-8
        assert (last[3] == "=") == (int(angle[1]) == 0)


@given(encoding=sinusoids(), position=st.integers(-(2**53), 2**53), data=st.data())
def test_any_cell_can_be_explained(encoding: Sinusoidal, position: int, data: st.DataObject) -> None:
    """Wherever the cursor may be, in any table: one line a step, numbers in order, LaTeX with matching braces."""
    column = data.draw(st.integers(0, encoding.n_columns - 1))
    derivation = explain(encoding, position, column)
    assert abs(derivation.value) <= 1
    for step in derivation.steps:
        assert "\n" not in step.text
        assert "nan" not in step.text
        assert "inf" not in step.text
        assert len(step.text) < 130
        assert step.latex.count("{") == step.latex.count("}")
        assert "e+" not in step.latex


@pytest.mark.parametrize(("encoding", "position", "column"), ENTRIES)
def test_the_python_runs_in_a_clean_process(encoding: Sinusoidal, position: int, column: int) -> None:
    derivation = explain(encoding, position, column)
    command = [sys.executable, "-I", "-S", "-W", "error", "-c", derivation.to_python()]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert float(output) == pytest.approx(exact_entry(encoding, position, column), abs=1e-8)


@pytest.mark.one_of(4)
@pytest.mark.parametrize(("encoding", "position", "column"), ENTRIES)
def test_the_latex_can_be_typeset(encoding: Sinusoidal, position: int, column: int) -> None:
    """Each step and the formula alone, as the window shows them."""
    derivation = explain(encoding, position, column)
    for latex in (derivation.formula_latex, *(step.latex for step in derivation.steps)):
        assert size_of(latex)[0] > 20


def test_the_whole_derivation_is_one_block_of_latex() -> None:
    derivation = explain(Sinusoidal(4), 1, 2)
    lines = derivation.to_latex().splitlines()
    assert (lines[0], lines[-1]) == (r"\begin{aligned}", r"\end{aligned}")
    shown = [line.removeprefix("  & ").removesuffix(r" \\") for line in lines[1:-1]]
    assert shown == [derivation.formula_latex, *(step.latex for step in derivation.steps)]
    assert size_of(derivation.to_latex())[1] > 100


def test_a_strangers_decimal_context_changes_nothing() -> None:
    expected = explain(Sinusoidal(6), 10**7, 3)
    with decimal.localcontext(decimal.Context(prec=3, rounding=decimal.ROUND_UP)) as context:
        assert explain(Sinusoidal(6, offset=0), 10**7, 3) == expected
        assert context.prec == 3
        assert Decimal(1) / 3 == Decimal("0.334")


@pytest.mark.parametrize(
    ("position", "column", "error", "sentence"),
    [
        (1, 4, IndexError, "column 4 is outside 0..3"),
        (1, -1, IndexError, "column -1 is outside 0..3"),
        (1.0, 0, TypeError, "position must be an integer, got 1.0 (float)"),
        (1, "2", TypeError, "column must be an integer, got '2' (str)"),
        (True, 0, TypeError, "position must be an integer, got True (bool)"),
        (2**53 + 1, 0, ValueError, "position must be between -2^53 and 2^53, got 9007199254740993"),
    ],
)
def test_cells_that_are_none(position: Any, column: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        explain(Sinusoidal(4), position, column)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("value", "digits", "text", "latex", "exact"),
    [
        ("100", 6, "100", "100", True),
        ("0", 6, "0", "0", True),
        ("-0.5", 6, "-0.5", "-0.5", True),
        ("1234567.8", 3, "1230000", "1230000", False),
        ("0.00001", 6, "0.00001", "0.00001", True),
        ("0.000001", 6, "1e-6", "10^{-6}", True),
        ("-1e20", 6, "-1e20", "-10^{20}", True),
        ("1.5e-7", 6, "1.5e-7", r"1.5 \cdot 10^{-7}", True),
        ("0.99999999", 6, "1", "1", False),
        ("2.00000000000000005", 6, "2", "2", True),
    ],
)
def test_rounded_numbers(value: str, digits: int, text: str, latex: str, exact: bool) -> None:
    rounded = significant(Decimal(value), digits)
    assert (rounded.text, rounded.latex, rounded.exact) == (text, latex, exact)
    assert rounded.sign == ("=" if exact else "≈")
    assert rounded.sign_latex == ("=" if exact else r"\approx")


def test_decimals_never_show_a_negative_zero() -> None:
    assert to_decimals(Decimal("-1e-12"), 8).text == "0"
    assert to_decimals(Decimal("-0.123456789"), 8).text == "-0.12345679"
