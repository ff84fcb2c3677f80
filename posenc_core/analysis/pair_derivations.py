"""Derivations of numbers of two positions: a score, a similarity, a token pair's number."""

import math

import numpy as np

from posenc_core.analysis.pair_waves import whole_pairs
from posenc_core.analysis.row_similarity import MEASURES, is_toeplitz
from posenc_core.analysis.scores import explain_score
from posenc_core.analysis.shifts import shift_angles, shift_blocks
from posenc_core.encodings import Encoding
from posenc_core.explain import (
    Derivation,
    Step,
    Sum,
    Term,
    amplified_step,
    angle_step,
    bracketed,
    listed,
    number_step,
    product_words,
    shown_angle,
    shown_number,
    turn_words,
)
from posenc_core.fields import check_one_of, check_position, shortened
from posenc_core.text import TokenVectors

_DOT = "sum(a * b for a, b in zip(x, y))"


def explain_pair(
    encoding: Encoding, column: int, query: int, key: int, content: TokenVectors | None = None
) -> Derivation:
    """The derivation of a token pair's number in ``pair_values``.

    Relative families: the entry in ``column`` at the distance key - query, in the table of the query. RoPE with
    ``content``: the score of the tokens' query and key after the rotation. All others: the dot product of the rows of
    both positions, by pairs of columns where all columns form whole pairs. ValueError for a position without a value.
    """
    one, other = check_position(query), check_position(key)
    if encoding.relative:
        index = check_one_of(column, "column", encoding.n_columns)
        return encoding.seen_from(one, content).explain(other - one, index)
    if content is not None and encoding.rotation is not None:
        width = encoding.rotation.head_dim
        (q,), (k,) = content.queries(range(one, one + 1), width), content.keys(range(other, other + 1), width)
        return explain_score(encoding, other - one, "typed", q, k)
    return explain_similarity(encoding, one, other, "dot")


def explain_similarity(encoding: Encoding, position: int, other: int, measure: str = "cosine") -> Derivation:
    """The derivation of the similarity of the rows of two positions, by ``"dot"``, ``"cosine"`` or ``"euclidean"``.

    A sum over pairs where all columns form whole pairs, else over columns; the largest terms are written out.
    ValueError for another measure and for a position without a value.
    """
    if measure not in MEASURES:
        raise ValueError(f"measure must be one of {', '.join(MEASURES)}, got {shortened(measure)}")
    one, two = check_position(position), check_position(other)
    return (_by_pairs if is_toeplitz(encoding) else _by_columns)(encoding, one, two, measure)


def explain_shift_block(encoding: Encoding, k: int, pair: int) -> Derivation:
    """The derivation of a pair's block of the shift matrix, ``[[cos, sin], [-sin, cos]]`` of its turn over k.

    The value is the cosine, the entry on the diagonal. IndexError for a pair that the encoding does not have;
    ValueError for a table without a shift matrix. Source: Vaswani et al. 2017, section 3.5.
    """
    index = check_one_of(pair, "pair", len(shift_blocks(encoding, k)))
    angle = float(shift_angles(encoding, k)[index])
    turned, (words, latex) = shown_angle(angle), _turn_words(encoding, k, index, angle)
    steps = (
        angle_step(f"angle {words}", latex, angle),
        number_step(f"sine: sin({turned.text})", rf"\sin({turned.latex})", math.sin(angle), turned),
        number_step(f"cosine: cos({turned.text})", rf"\cos({turned.latex})", math.cos(angle), turned),
    )
    symbol = rf"M_{{{k}}}^{{({index})}}"
    matrix = r"\begin{pmatrix} \cos w k & \sin w k \\ -\sin w k & \cos w k \end{pmatrix}"
    python = f"import math\n\nprint(math.cos({angle!r}))\n"
    formula = f"block {index} of M_{k} = [[cos wk, sin wk], [-sin wk, cos wk]]"
    return Derivation(f"M_{k}[{index}]", formula, f"{symbol} = {matrix}", python, steps)


def _turn_words(encoding: Encoding, k: int, pair: int, angle: float) -> tuple[str, str]:
    """The turn of a pair over k positions as products of steps and frequencies, as text and as LaTeX."""
    cells = encoding.cells
    if cells is None or not cells.grid.is_picture:
        turn = turn_words(angle / k if k else 0.0, k)
        return f"w_{pair} · k = {turn.text}", rf"w_{{{pair}}} k = {turn.latex}"
    lattice = cells.lattices[-1]
    terms = zip(lattice.steps[:, pair].tolist(), lattice.apart(k), strict=True)
    turns = [turn_words(turn, step) for turn, step in terms if step] or [turn_words(0.0, 0)]
    words, latex = " + ".join(turn.text for turn in turns), " + ".join(turn.latex for turn in turns)
    return f"over {cells.apart_words(k) or '0 cells'} = {words}", rf"\varphi_{{{pair}}} = {latex}"


def _by_pairs(encoding: Encoding, one: int, two: int, measure: str) -> Derivation:
    pairs = whole_pairs(encoding)
    apart, frequencies, is_distance = two - one, pairs.wrapped, measure == "euclidean"
    factor = 1.0 if measure == "cosine" else pairs.amplitude
    terms = 4 * np.square(np.sin(frequencies * apart / 2)) if is_distance else np.cos(frequencies * apart)

    def written(pair: int) -> Term:
        turn = turn_words(float(frequencies[pair]), apart)
        if is_distance:
            return f"4 sin²({turn.text}/2)", rf"4 \sin^2({turn.latex}/2)", turn
        return f"cos({turn.text})", rf"\cos({turn.latex})", turn

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
    python = f"import math\n\n{lines}print({printed})\n"
    return total.derivation(*_symbol(measure, one, two), python, *last)


def _last_of_pairs(total: float, count: int, factor: float, measure: str) -> tuple[tuple[Step, ...], str]:
    """The steps after the sum, and the expression of a script in which ``{}`` is replaced by the sum."""
    if measure == "cosine":
        return (
            number_step(f"over the squared length of every row: Σ/{count}", rf"\Sigma / {count}", total / count),
        ), f"{{}} / {count}"
    if measure == "euclidean":
        root = math.sqrt(total)
        steps = [number_step("square root", r"\sqrt{\Sigma}", root)]
        if factor != 1:
            words, latex, *shown = product_words(factor, root)
            steps.append(number_step(f"times a: {words}", latex, factor * root, *shown))
        return tuple(steps), f"{factor!r} * math.sqrt({{}})"
    if factor == 1:
        return (), "{}"
    return (amplified_step(factor, total),), f"{factor * factor!r} * {{}}"


def _by_columns(encoding: Encoding, one: int, two: int, measure: str) -> Derivation:
    for position in (one, two):
        if not encoding.has_value(position):
            raise ValueError(encoding.no_value(position))
    left, right = encoding.values(np.array([one, two]), np.arange(encoding.n_columns))
    terms = np.square(left - right) if measure == "euclidean" else left * right

    def written(column: int) -> Term:
        if measure != "euclidean":
            return product_words(float(left[column]), float(right[column]))
        first, second = shown_number(float(left[column])), shown_number(float(right[column]))
        text, latex = f"({first.text} - {bracketed(second.text)})²", rf"({first.latex} - {bracketed(second.latex)})^2"
        return text, latex, first, second

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
        text, words, *shown = product_words(*lengths)
        text, words = f"over the rows' lengths: Σ/({text})", rf"\Sigma / ({words})"
        last = (number_step(text, words, total.total / math.prod(lengths), *shown),)
    elif measure == "euclidean":
        last = (number_step("square root", r"\sqrt{\Sigma}", math.sqrt(total.total)),)
    lines = listed("x", left) + listed("y", right)
    python = f"import math\n\n{lines}print({code})\n"
    return total.derivation(*_symbol(measure, one, two), python, *last)


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
