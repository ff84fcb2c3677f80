"""Derivations of what two positions have to do with each other: a score, a similarity, a token pair's number."""

import math
from typing import Any

import numpy as np

from posenc_core.analysis.row_similarity import MEASURES, is_toeplitz
from posenc_core.analysis.scores import check_vector, pair_products, score_by_distance
from posenc_core.analysis.shifts import shift_angles, shift_blocks
from posenc_core.encodings import Alibi, Encoding, Rotary, T5Bias
from posenc_core.explain import Derivation, Step, Sum, bracketed, listed, number_step, product_words, shown_number
from posenc_core.fields import check_one_of, check_position, shortened

_DOT = "sum(a * b for a, b in zip(x, y))"


def explain_pair(encoding: Encoding, column: int, query: int, key: int, q: Any = None, k: Any = None) -> Derivation:
    """The derivation of a token pair's number, that of ``pair_values``.

    Relative families: the entry in ``column`` at the distance key - query. RoPE with ``q`` and ``k`` ``(head_dim,)``:
    their score after the rotation. All others: the dot product of the rows of both positions, by pairs of columns where
    all columns form whole pairs. ValueError for a position without a value and for vectors of another length.
    """
    one, other = check_position(query), check_position(key)
    if encoding.relative:
        return encoding.explain(other - one, check_one_of(column, "column", encoding.n_columns))
    if q is not None or k is not None:
        return explain_score(encoding, other - one, "typed", q, k)
    return explain_similarity(encoding, one, other, "dot")


def explain_similarity(encoding: Encoding, position: int, other: int, measure: str = "cosine") -> Derivation:
    """The derivation of the likeness of the rows of two positions, by ``"dot"``, ``"cosine"`` or ``"euclidean"``.

    A sum over pairs where all columns form whole pairs, else over columns; the largest terms are written out.
    ValueError for another measure and for a position without a value.
    """
    if measure not in MEASURES:
        raise ValueError(f"measure must be one of {', '.join(MEASURES)}, got {shortened(measure)}")
    one, two = check_position(position), check_position(other)
    return (_by_pairs if is_toeplitz(encoding) else _by_columns)(encoding, one, two, measure)


def explain_score(
    encoding: Encoding, distance: int, mode: str = "ones", q: Any = None, k: Any = None, head: int = 0
) -> Derivation:
    """The derivation of ``score_by_distance`` at a distance key - query; ``head`` is that of a bias. Errors as there.

    IndexError for a head that the encoding does not have.
    """
    apart = check_position(distance)
    if isinstance(encoding, T5Bias | Alibi):
        return encoding.explain(apart, check_one_of(head, "head", encoding.n_columns))
    value = float(score_by_distance(encoding, [apart], mode, q, k)[0])
    if mode == "independent":
        step = Step("queries and keys are independent with mean 0: so is their score", r"E[q \cdot k] = 0", 0.0)
        return Derivation(f"score({apart})", f"score({apart}) = 0", "E[s] = 0", "print(0.0)\n", (step,))
    if not isinstance(encoding, Rotary):
        return _weighed_vector(encoding, apart, mode, q)
    if mode == "bound":
        return _bound(encoding, apart)
    return _rotated_score(encoding, apart, mode, q, k, value)


def explain_shift_block(encoding: Encoding, k: int, pair: int) -> Derivation:
    """The derivation of a pair's block of the shift matrix, ``[[cos, sin], [-sin, cos]]`` of its turn over k.

    The value is the cosine, both entries on the diagonal. IndexError for a pair that the encoding does not have;
    ValueError for a table without a shift matrix. Source: Vaswani et al. 2017, section 3.5.
    """
    index = check_one_of(pair, "pair", len(shift_blocks(encoding, k)))
    angle = float(shift_angles(encoding, k)[index])
    words, latex = product_words(angle / k if k else 0.0, k)
    turned = shown_number(angle)
    steps = (
        number_step(f"angle w_{index} · k = {words}", rf"w_{{{index}}} k = {latex}", angle),
        number_step(f"sine: sin({turned.text})", rf"\sin({turned.latex})", math.sin(angle)),
        number_step(f"cosine: cos({turned.text})", rf"\cos({turned.latex})", math.cos(angle)),
    )
    symbol = rf"M_{{{k}}}^{{({index})}}"
    matrix = r"\begin{pmatrix} \cos w k & \sin w k \\ -\sin w k & \cos w k \end{pmatrix}"
    python = f"import math\n\nprint(math.cos({angle!r}))\n"
    formula = f"block {index} of M_{k} = [[cos wk, sin wk], [-sin wk, cos wk]]"
    return Derivation(f"M_{k}[{index}]", formula, f"{symbol} = {matrix}", python, steps)


def _by_pairs(encoding: Encoding, one: int, two: int, measure: str) -> Derivation:
    apart, frequencies, is_distance = two - one, encoding.wrapped_frequencies(), measure == "euclidean"
    factor = encoding.attention_factor if isinstance(encoding, Rotary) and measure != "cosine" else 1.0
    terms = 4 * np.square(np.sin(frequencies * apart / 2)) if is_distance else np.cos(frequencies * apart)

    def written(pair: int) -> tuple[str, str]:
        angle, latex = product_words(float(frequencies[pair]), apart)
        return (f"4 sin²({angle}/2)", rf"4 \sin^2({latex}/2)") if is_distance else (f"cos({angle})", rf"\cos({latex})")

    distance = bracketed(str(apart))
    formula, latex = {
        "dot": (f"Σ cos(w_i · {distance})", rf"\sum_i \cos({apart}\,w_i)"),
        "cosine": (f"Σ cos(w_i · {distance}) / {len(terms)}", rf"\frac{{1}}{{{len(terms)}}} \sum_i \cos({apart}\,w_i)"),
        "euclidean": (f"sqrt(Σ 4 sin²(w_i · {distance}/2))", rf"\sqrt{{\sum_i 4 \sin^2({apart}\,w_i/2)}}"),
    }[measure]
    start = Step(f"distance {two} - {bracketed(str(one))} = {apart}", rf"\delta = {apart}", float(apart))
    head = _factor_words(factor, measure)
    total = Sum("pair", terms, written, head[0] + formula, head[1] + latex, (start,))
    last, ending = _last_of_pairs(total.total, len(terms), factor, measure)
    lines = listed("frequencies", frequencies)
    code = f"4 * math.sin(w * {apart} / 2) ** 2" if is_distance else f"math.cos(w * {apart})"
    printed = ending.format(f"sum({code} for w in frequencies)")
    python = f"import math\n\n{lines}print({printed})\n" if lines else _only(last[-1].value if last else total.total)
    return total.derivation(*_symbol(measure, one, two), python, *last)


def _last_of_pairs(total: float, count: int, factor: float, measure: str) -> tuple[tuple[Step, ...], str]:
    """The steps after the sum, and the expression of a script in which ``{}`` stands for the sum."""
    if measure == "cosine":
        return (
            number_step(f"over the squared length {count} of every row", rf"/ {count}", total / count),
        ), f"{{}} / {count}"
    if measure == "euclidean":
        root = math.sqrt(total)
        steps = [number_step("square root", r"\sqrt{\Sigma}", root)]
        if factor != 1:
            steps.append(number_step(f"times a = {shown_number(factor).text}", r"a \sqrt{\Sigma}", factor * root))
        return tuple(steps), f"{factor!r} * math.sqrt({{}})"
    if factor == 1:
        return (), "{}"
    words = f"times a² = {shown_number(factor).text}²"
    return (number_step(words, r"a^2 \Sigma", factor * factor * total),), f"{factor * factor!r} * {{}}"


def _by_columns(encoding: Encoding, one: int, two: int, measure: str) -> Derivation:
    for position in (one, two):
        if not encoding.has_value(position):
            raise ValueError(encoding.no_value(position))
    left, right = encoding.values(np.array([one, two]), np.arange(encoding.n_columns))
    terms = np.square(left - right) if measure == "euclidean" else left * right

    def written(column: int) -> tuple[str, str]:
        if measure != "euclidean":
            return product_words(float(left[column]), float(right[column]))
        first, second = shown_number(float(left[column])), shown_number(float(right[column]))
        return f"({first.text} - {bracketed(second.text)})²", rf"({first.latex} - {bracketed(second.latex)})^2"

    formula, latex, code = {
        "dot": ("Σ x_c y_c", r"\sum_c x_c y_c", _DOT),
        "cosine": (
            "Σ x_c y_c / (|x| |y|)",
            r"\frac{\sum_c x_c y_c}{|x| |y|}",
            f"{_DOT} / (math.hypot(*x) * math.hypot(*y))",
        ),
        "euclidean": ("sqrt(Σ (x_c - y_c)²)", r"\sqrt{\sum_c (x_c - y_c)^2}", "math.dist(x, y)"),
    }[measure]
    total = Sum("column", terms, written, formula, latex)
    last: tuple[Step, ...] = ()
    if measure == "cosine":
        lengths = math.hypot(*left), math.hypot(*right)
        if not all(lengths):
            raise ValueError("the row of a position is zero: it has no direction, and no cosine with another row")
        text, words = product_words(*lengths)
        last = (number_step(f"over the rows' lengths {text}", rf"/ ({words})", total.total / math.prod(lengths)),)
    elif measure == "euclidean":
        last = (number_step("square root", r"\sqrt{\Sigma}", math.sqrt(total.total)),)
    lines = listed("x", left) + listed("y", right)
    python = f"import math\n\n{lines}print({code})\n" if lines else _only(last[-1].value if last else total.total)
    return total.derivation(*_symbol(measure, one, two), python, *last)


def _rotated_score(rotary: Rotary, apart: int, mode: str, q: Any, k: Any, value: float) -> Derivation:
    """A score of RoPE: the pairs' products turned by the distance, the columns that are not rotated, the factor."""
    straight, crossed, passed = np.full(rotary.n_pairs, 2.0), np.zeros(rotary.n_pairs), 0.0
    if mode == "typed":
        straight, crossed, passed = pair_products(rotary, q, k)
    frequencies, square = rotary.wrapped_frequencies(), rotary.attention_factor * rotary.attention_factor
    terms = straight * np.cos(frequencies * apart) + crossed * np.sin(frequencies * apart)

    def written(pair: int) -> tuple[str, str]:
        angle, latex = product_words(float(frequencies[pair]), apart)
        a, b = shown_number(float(straight[pair])), shown_number(float(crossed[pair]))
        if mode == "ones":
            return f"2 cos({angle})", rf"2 \cos({latex})"
        return (
            f"{a.factor} · cos({angle}) + {bracketed(b.text)} · sin({angle})",
            rf"{a.latex} \cos({latex}) + {bracketed(b.latex)} \sin({latex})",
        )

    head = _factor_words(rotary.attention_factor, "dot")
    formula, latex = _score_formula(apart, mode)
    total = Sum("pair", terms, written, head[0] + formula, head[1] + latex, _score_steps(rotary, apart, mode))
    last = []
    if square != 1:
        words = f"times a² = {shown_number(rotary.attention_factor).text}²"
        last.append(number_step(words, r"a^2 \Sigma", square * total.total))
    if passed:
        words = f"plus {shown_number(passed).text} of the columns that are not rotated"
        last.append(number_step(words, r"+ \sum q_c k_c", value))
    lines = "".join(listed(*each) for each in (("theta", frequencies), ("A", straight), ("B", crossed)))
    code = f"sum(a * math.cos(t * {apart}) + b * math.sin(t * {apart}) for t, a, b in zip(theta, A, B))"
    python = f"import math\n\n{lines}print({square!r} * {code} + {passed!r})\n" if lines else _only(value)
    return total.derivation(f"score({apart})", rf"s({apart})", python, *last)


def _score_formula(apart: int, mode: str) -> tuple[str, str]:
    """The sum of a score of RoPE, as text and as LaTeX."""
    distance, angle = bracketed(str(apart)), rf"({apart}\,\theta_i)"
    if mode == "ones":
        return f"Σ 2 cos({distance} · θ_i)", rf"\sum_i 2 \cos{angle}"
    return (
        f"Σ A_i cos({distance} · θ_i) + B_i sin({distance} · θ_i)",
        rf"\sum_i A_i \cos{angle} + B_i \sin{angle}",
    )


def _score_steps(rotary: Rotary, apart: int, mode: str) -> tuple[Step, ...]:
    """The distance, and what the pairs' products are."""
    distance = _distance_step(apart)
    if mode == "ones":
        return (distance,)
    b = "q0 k1 - q1 k0, for direction -1" if rotary.is_reversed else "q1 k0 - q0 k1"
    b_latex = "q_0 k_1 - q_1 k_0" if rotary.is_reversed else "q_1 k_0 - q_0 k_1"
    text = f"from the two columns 0 and 1 of pair i of q and k: A = q0 k0 + q1 k1, B = {b}"
    return distance, Step(text, rf"A = q_0 k_0 + q_1 k_1, \quad B = {b_latex}", float(apart))


def _distance_step(apart: int) -> Step:
    return Step(f"distance key - query = {apart}", rf"\delta = j - i = {apart}", float(apart))


def _bound(rotary: Rotary, apart: int) -> Derivation:
    """RoFormer's bound: the mean of the absolute partial sums."""
    frequencies = rotary.wrapped_frequencies()
    sums = np.abs(np.cumsum(np.exp(1j * frequencies * apart)))

    def written(index: int) -> tuple[str, str]:
        return f"|S_{index + 1}|", f"|S_{{{index + 1}}}|"

    formula = f"mean of |S_j|, S_j = Σ_(i<j) exp(i · {apart} · θ_i)"
    latex = rf"\frac{{2}}{{r}} \sum_j |S_j|, \quad S_j = \sum_{{i<j}} e^{{\mathrm{{i}} {apart} \theta_i}}"
    total = Sum("partial sum", sums, written, formula, latex)
    last = number_step(f"over {len(sums)}", f"/ {len(sums)}", total.total / len(sums))
    lines = listed("theta", frequencies)
    code = (
        f"sums = itertools.accumulate(cmath.exp(1j * t * {apart}) for t in theta)\n"
        f"print(sum(abs(s) for s in sums) / {len(sums)})\n"
    )
    python = f"import cmath\nimport itertools\n\n{lines}{code}" if lines else _only(last.value)
    return total.derivation(f"bound({apart})", f"B({apart})", python, last)


def _weighed_vector(encoding: Encoding, apart: int, mode: str, q: Any) -> Derivation:
    """The product of a query with the distance's vector."""
    width = encoding.n_columns
    query = check_vector(q, "q", width) if mode == "typed" else np.ones(width)
    (vector,) = encoding.values(np.array([apart]), np.arange(width))

    def written(column: int) -> tuple[str, str]:
        return product_words(float(query[column]), float(vector[column]))

    total = Sum("column", query * vector, written, "Σ q_c r_c", r"\sum_c q_c r_c", (_distance_step(apart),))
    lines = listed("q", query) + listed("r", vector)
    python = f"{lines}print(sum(a * b for a, b in zip(q, r)))\n" if lines else _only(total.total)
    return total.derivation(f"score({apart})", rf"s({apart})", python)


def _factor_words(factor: float, measure: str) -> tuple[str, str]:
    """The attention factor before a sum, as text and as LaTeX; empty for 1."""
    if factor == 1:
        return "", ""
    return ("a · ", "a ") if measure == "euclidean" else ("a² · ", "a^2 ")


def _symbol(measure: str, one: int, two: int) -> tuple[str, str]:
    name = {"dot": "PE·PE", "cosine": "cos", "euclidean": "|PE - PE|"}[measure]
    latex = {
        "dot": rf"PE_{{{one}}} \cdot PE_{{{two}}}",
        "cosine": rf"\cos(PE_{{{one}}}, PE_{{{two}}})",
        "euclidean": rf"|PE_{{{one}}} - PE_{{{two}}}|",
    }[measure]
    return f"{name}({one}, {two})", latex


def _only(value: float) -> str:
    """A script of too many numbers to be written out: the result alone."""
    return f"print({value!r})  # of more numbers than are written out\n"
