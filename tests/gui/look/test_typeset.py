import subprocess
import sys

import numpy as np
import pytest
from amounts import draws
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from posenc_gui.look.text_layout import Formula
from posenc_gui.look.typeset import MARGIN, load, typeset

INK = "#1b1f24"
FORMULAS = [
    r"PE_{(1,2)} = \sin\left(\frac{1}{10000^{2\cdot 1/4}}\right)",
    r"i = \lfloor 2/2 \rfloor = 1",
    r"\frac{2i}{d} = \frac{2\cdot 1}{4} = 0.5",
    r"10000^{0.5} = 100",
    r"\frac{1}{100} = 0.01\ \mathrm{rad}",
    r"\sin(0.01) = 0.00999983",
    r"\sqrt{\frac{1}{\ln(s)+1}} \cdot 10^{-4}",
    r"\left\lfloor \frac{\ln(n/16)}{\ln(128/16)} \cdot 16 \right\rfloor",
    r"\begin{pmatrix}\cos\theta & -\sin\theta\\ \sin\theta & \cos\theta\end{pmatrix}",
    r"\begin{cases}a & x>0\\ b & x\le 0\end{cases}",
    r"\boxed{y}",
    r"\overline{x} + \cancel{x}",
    r"f_{y}^{T} \widehat{x} \mathbf{W}\in\mathbb{R}",
]


def painted(formula: Formula, scale: int = 1, border: int = 0) -> np.ndarray:
    """The picture as (rows, columns, RGBA), ``border`` logical pixels of nothing around its box."""
    width, height = formula.width + 2 * border, formula.height + 2 * border
    image = QImage(width * scale, height * scale, QImage.Format.Format_RGBA8888)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(scale, scale)
    QSvgRenderer(formula.svg).render(painter, QRectF(border, border, formula.width, formula.height))
    painter.end()
    return np.frombuffer(image.constBits(), np.uint8).reshape(height * scale, width * scale, 4).copy()


def alpha(formula: Formula, scale: int = 1, border: int = 0) -> np.ndarray:
    return painted(formula, scale, border)[..., 3]


def longest_run(row: np.ndarray) -> int:
    """The most neighbouring pixels of a row that are fully covered."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], (row == 255).astype(int), [0]])))
    return int(max(edges[1::2] - edges[::2], default=0))


@pytest.mark.parametrize("font_px", [15, 20])
def test_fraction_bar_is_one_sharp_line_between_numerator_and_denominator(font_px):
    ink = alpha(typeset(r"\frac{1}{100}", font_px, INK))
    runs = [longest_run(row) for row in ink]
    (bar,) = np.flatnonzero(np.array(runs) > 0.8 * ink.shape[1])
    assert min(ink[: bar - 1].max(), ink[bar + 2 :].max()) > 200
    assert longest_run(ink[bar - 1]) == longest_run(ink[bar + 1]) == 0


def test_a_fraction_within_a_fraction_has_both_bars():
    ink = alpha(typeset(r"\frac{1}{1 + \frac{1}{100}}", 20, INK))
    assert sum(longest_run(row) > 0.3 * ink.shape[1] for row in ink) == 2


def test_exponent_stands_above_the_line():
    plain, power = typeset("10", 20, INK), typeset("10^{2}", 20, INK)
    assert power.ascent > plain.ascent + 3
    assert power.descent == plain.descent
    exponent = alpha(power)[:, int(plain.width) :]
    (rows,) = np.nonzero(exponent.max(axis=1))
    assert len(rows) > 6
    assert rows.max() < power.ascent - 4


def test_subscript_stands_below_the_line():
    assert typeset("x_{1}", 20, INK).descent > typeset("x", 20, INK).descent + 3


def test_floor_brackets_have_feet_and_no_heads():
    ink = alpha(typeset(r"\lfloor 2 \rfloor", 20, INK), scale=8)
    rows, columns = np.nonzero(ink > 128)
    ink = ink[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1] > 128
    for side in (ink[:, :28], ink[:, ::-1][:, :28]):  # a bracket is some 4 px wide
        assert side[:, :4].all()
        assert side[-4].sum() >= 2 * side[4].sum()


@pytest.mark.parametrize("before", ["x =", r"x \approx", "(", r"\left(", "x,", r"3 \cdot"])
def test_a_minus_that_is_a_sign_stands_close_to_its_number(before):
    after = r"\right)" if before == r"\left(" else ""
    signed, grouped = (typeset(f"{before} {minus}2 {after}", 15, INK) for minus in ("-", "{-}"))
    assert abs(signed.width - grouped.width) <= 1


def test_modulo_stands_apart_from_its_numbers():
    assert typeset(r"2 \bmod 3", 15, INK).width >= typeset(r"2\mathrm{mod}3", 15, INK).width + 6


@pytest.mark.parametrize("before", ["3", "x", "(x)", r"\lfloor x \rfloor", r"\left(x\right)", r"\frac{1}{2}"])
def test_a_minus_between_two_numbers_has_room_on_both_sides(before):
    difference, grouped = (typeset(f"{before} {minus} 2", 15, INK) for minus in ("-", "{-}"))
    assert difference.width >= grouped.width + 4


@pytest.mark.parametrize("font_px", [13, 15, 17, 20])
def test_root_line_meets_its_sign(font_px):
    ink = alpha(typeset(r"\sqrt{x}", font_px, INK), scale=16) > 128
    tops = ink.argmax(axis=0)[ink.any(axis=0)]
    assert (tops <= tops.min() + 1).sum() > 0.5 * len(tops)
    # The sign's stroke climbs to the line without a step or a gap.
    assert np.diff(tops[tops.argmin() - 16 :]).max() <= 1


@pytest.mark.parametrize("color", [INK, "#e8eaed", "#56b4e9", "black", "#fff"])
@pytest.mark.parametrize("latex", FORMULAS[:6])
def test_every_pixel_has_the_colour_asked_for(latex, color):
    pixels = painted(typeset(latex, 20, color), scale=2)
    solid = pixels[pixels[..., 3] == 255]
    assert len(solid) > 100
    wanted = QColor(color)
    assert (np.unique(solid[:, :3], axis=0) == [wanted.red(), wanted.green(), wanted.blue()]).all()


@pytest.mark.parametrize("latex", FORMULAS)
def test_box_holds_all_ink_and_fits_it(latex):
    formula = typeset(latex, 15, INK)
    rows, columns = np.nonzero(alpha(formula, scale=10, border=9))
    edges = np.array([columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]) / 10 - 9
    slack = edges * [1, 1, -1, -1] + [0, 0, formula.width, formula.height]
    # A picture cut at its own box would show no ink outside it: there has to be air within it.
    assert slack.min() > 0.3
    assert slack.max() < MARGIN + 1


@pytest.mark.parametrize("latex", ["1", "1 + 2", r"1 + \frac{1}{100}", r"1^{2}", r"1_{2}", r"1\lfloor 2 \rfloor"])
def test_ascent_is_the_way_from_the_top_to_the_digits_feet(latex):
    formula = typeset(latex, 20, INK)
    one = alpha(formula, scale=10)[:, :70]  # a digit is 10 px wide, the 1 in it 7
    assert np.flatnonzero(one.max(axis=1) > 128).max() + 1 == pytest.approx(formula.ascent * 10, abs=1)
    assert formula.ascent + formula.descent == formula.height


def test_size_follows_the_font_size():
    small, large = typeset(FORMULAS[5], 15, INK), typeset(FORMULAS[5], 30, INK)
    assert large.width == pytest.approx(2 * small.width, abs=4)
    assert large.height == pytest.approx(2 * small.height, abs=4)


def test_a_repeated_formula_is_the_cached_object():
    first = typeset("x^{2}", 15, INK)
    assert typeset("x^{2}", 15, "#e8eaed").svg != first.svg
    assert typeset("x^{2}", 15, INK) is first


NESTED = [
    opening * depth + "x" + closing * depth
    for opening, closing in [
        ("{", "}"),
        (r"\frac{1}{", "}"),
        (r"\sqrt{", "}"),
        ("x^{", "}"),
        (r"\left(", r"\right)"),
        (r"\hat{", "}"),
        (r"\mathrm{", "}"),
    ]
    for depth in (11, 26)
]
"""Formulas that would take the typesetter seconds to hours, since its work doubles with each level."""


@pytest.mark.parametrize(
    ("latex", "reason"),
    [
        ("", "no formula"),
        ("   ", "no formula"),
        (r"\frac{1}", "missing"),
        (r"\frac", "missing"),
        ("%", "missing"),
        (r"\left( x", r"\left"),
        ("x^", "nothing before or after"),
        ("_", "nothing before or after"),
        ("x^2^3", "superscripts"),
        ("x_2_3", "subscripts"),
        ("{x", "braces"),
        ("x}", "braces"),
        ("}x{", "braces"),
        (r"\begin{matrix}1", r"\begin"),
        (r"\foo{3}", r"\foo is not a known command"),
        (r"2 \mathbin{\mathrm{mod}} 3", r"\mathbin"),
        (r"\text{a漢}", "“漢”"),
        ("a & b", "not correct"),
        ("\x00", "not correct"),
        (r"\left", "not correct"),
        (r"\\", "draws nothing"),
        (r"\frac{}{}", "draws nothing"),
        ("{" * 2000 + "}" * 2000, "longer than 400 characters"),
        *((nested, "nested too deeply") for nested in NESTED),
    ],
)
def test_bad_latex_is_one_plain_sentence(latex, reason):
    with pytest.raises(ValueError, match=r"^[A-Z].*\.$") as caught:
        typeset(latex, 15, INK)
    sentence = str(caught.value)
    assert reason in sentence
    assert "\n" not in sentence
    assert len(sentence) < 140


@pytest.mark.parametrize("font_px", [0, -3, float("nan"), float("inf")])
def test_bad_size_is_one_plain_sentence(font_px):
    with pytest.raises(ValueError, match="font size above 0 pixels"):
        typeset("x", font_px, INK)


@pytest.mark.parametrize("color", ["", "no such colour", "#12", "transparent", "#80ff0000"])
def test_bad_colour_is_one_plain_sentence(color):
    with pytest.raises(ValueError, match="not an opaque colour"):
        typeset("x", 15, color)


PIECES = [
    *"x1+-=^_{}&$#%~\\<> .|'\"é",
    r"\frac",
    r"\sqrt",
    r"\left(",
    r"\right)",
    r"\lfloor",
    r"\text",
    r"\sin",
]
PIECES += [
    r"\mathrm",
    r"\begin{cases}",
    r"\end{cases}",
    r"\\",
    r"\cdot",
    r"\tag",
    "{1}",
    "^{2}",
    r"\sum",
    "\x07",
]


@draws(10, 150)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_any_text_gives_a_picture_or_a_sentence(latex):
    try:
        formula = typeset(latex, 15, INK)
    except ValueError:
        return
    assert QSvgRenderer(formula.svg).isValid()
    assert 2 * MARGIN < formula.width < 1000
    assert 2 * MARGIN < formula.height < 1000


def test_the_typesetter_is_not_loaded_before_the_first_formula():
    program = "import sys, posenc_gui.look.text_view; sys.exit('ziamath' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_each_part_of_a_plain_row_is_made_at_most_twice(monkeypatch):
    """ziamath makes the parts of a row in a row four times, which had doubled the time of every formula."""
    node, made = load().nodes.mnode.Mnode, []
    monkeypatch.setattr(node, "__init__", counted(node.__init__, made))
    typeset(r"71 + 72 + 73 = 216", 15, INK)
    assert [made.count(number) for number in ("71", "72", "73", "216")] == [2] * 4


def counted(function, made):
    """The method, which also notes the text of the element that it is given."""

    def noting(self, element, *others, **named):
        made.append(element.text)
        function(self, element, *others, **named)

    return noting


def test_lines_of_a_formula_stand_below_each_other():
    one, two = typeset("a", 15, INK), typeset(r"a \\ b", 15, INK)
    assert two.height > 1.5 * one.height
    assert two.width < 1.5 * one.width
