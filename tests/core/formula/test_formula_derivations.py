"""Derivations of formulas: signs of rounded results, negative and infinite numbers."""

from snippet_cases import formula

from posenc_core import explain


def test_the_last_line_of_a_formula_is_an_equation_only_if_nothing_is_rounded():
    texts = [step.text for step in explain(formula("-p^0.5", d_model=1), 2, 0).steps]
    assert texts[-1] == "-p ^ 0.5 ≈ -1.414213562"
    assert explain(formula("-p^0.5", d_model=1), 4, 0).steps[-1].text == "-p ^ 0.5 = -2"
    assert [step.text for step in explain(formula("2^-p", d_model=1), 1100, 0).steps][-1] == "2 ^ (-1100) ≈ 0"
    assert explain(formula("-tanh(p)", d_model=1), 800, 0).steps[-1].text == "-tanh(p) ≈ -1"
    assert [step.text for step in explain(formula("p*0", d_model=1), 1100, 0).steps][-1] == "1100 * 0 = 0"


def test_a_negative_number_under_a_minus_has_parentheses():
    derivation = explain(formula("2^-p", d_model=1), -3, 0)
    assert derivation.formula == "PE(-3, 0) = 2 ^ (-(-3))"
    assert derivation.formula_latex == r"PE_{(-3, 0)} = {2}^{-\left(-3\right)}"


def test_an_infinite_number_is_written_as_the_sign_of_infinity():
    texts = [step.text for step in explain(formula("1/(2/(p+1))", d_model=1), -1, 0).steps]
    assert "1 / ∞ ≈ 0" in texts


def test_a_formulas_quotient_by_a_rounded_number_is_no_equation():
    texts = [step.text for step in explain(formula("1/(2/(p+1))", d_model=1), 12, 0).steps]
    assert texts[-2:] == ["2 / 13 ≈ 0.15384615385", "1 / 0.15384615385 ≈ 6.5"]
    assert explain(formula("floor(p/3)", d_model=1), 1, 0).steps[-1].text == "floor(0.3333333333) = 0"
    assert explain(formula("p/3 < 2", d_model=1), 1, 0).steps[-1].text == "0.3333333333 < 2 = 1"
