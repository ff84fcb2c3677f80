"""Operations that a formula may have: their numpy functions, and their forms in text, LaTeX and scripts."""

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
from msgspec import Struct

from posenc_core.numerics import FloatArray

Compute = Callable[..., Any]

Bounds = tuple[float, float]

TERNARY, COMPARISON, SUM, PRODUCT, SIGN, POWER, ATOM = range(7)
"""Levels of binding, the loosest first."""


class Operation(Struct, frozen=True):
    """An operation: the numbers of its operands, its numpy function, and its forms.

    ``code`` and ``latex`` have ``{0}``, ``{1}`` for the operands. In ``code`` ``{m}`` is the module, and ``{math}``,
    where given, replaces it for scripts of the standard library. ``bounds`` contain all its values.
    """

    counts: tuple[int, int]
    compute: Compute
    latex: str
    code: str
    math: str = ""
    level: int = ATOM
    bounds: Bounds | None = None


_WAVE = (-1.0, 1.0)


def _triangle(x: FloatArray) -> FloatArray:
    return np.asarray(2 / np.pi * np.arcsin(np.sin(x)))


def _square(x: FloatArray) -> FloatArray:
    return np.asarray(1 - 2.0 * np.mod(np.floor(x / np.pi), 2))


def _sigmoid(x: FloatArray) -> FloatArray:
    return np.asarray(0.5 + 0.5 * np.tanh(x / 2))


def _smallest(*each: FloatArray) -> FloatArray:
    return reduce(np.minimum, each)


def _largest(*each: FloatArray) -> FloatArray:
    return reduce(np.maximum, each)


def _chosen(value: FloatArray, condition: FloatArray, other: FloatArray) -> FloatArray:
    return np.where(np.asarray(condition) != 0, value, other)


def _function(
    name: str, compute: Compute, latex: str = "", code: str = "", math: str = "", bounds: Bounds | None = None
) -> Operation:
    """A function of one number, with its own name in LaTeX and in all modules unless stated."""
    latex, code = latex or rf"\{name}\left({{0}}\right)", code or f"{{m}}.{name}({{0}})"
    return Operation((1, 1), compute, latex, code, math or code, bounds=bounds)


def _named(name: str) -> str:
    return rf"\mathrm{{{{{name}}}}}\left({{0}}\right)"


FUNCTIONS = {
    "sin": _function("sin", np.sin, bounds=_WAVE),
    "cos": _function("cos", np.cos, bounds=_WAVE),
    "tan": _function("tan", np.tan),
    "tanh": _function("tanh", np.tanh, bounds=_WAVE),
    "exp": _function("exp", np.exp),
    "log": _function("log", np.log, r"\ln\left({0}\right)"),
    "sqrt": _function("sqrt", np.sqrt, r"\sqrt{{{0}}}"),
    "abs": _function("abs", np.abs, r"\left|{0}\right|", math="abs({0})"),
    "floor": _function("floor", np.floor, r"\lfloor {0} \rfloor"),
    "ceil": _function("ceil", np.ceil, r"\lceil {0} \rceil"),
    "round": _function("round", np.round, _named("round"), math="round({0})"),
    "sign": _function("sign", np.sign, _named("sign"), math="((({0}) > 0) - (({0}) < 0))", bounds=_WAVE),
    "min": Operation((2, 12), _smallest, r"\min\left({0}\right)", "{m}.minimum({0}, {1})", "min({0})"),
    "max": Operation((2, 12), _largest, r"\max\left({0}\right)", "{m}.maximum({0}, {1})", "max({0})"),
    "mod": Operation((2, 2), np.mod, r"\left({0}\right) \bmod \left({1}\right)", "(({0}) % ({1}))"),
    "sigmoid": _function(
        "sigmoid", _sigmoid, _named("sigmoid"), "(0.5 + 0.5 * {m}.tanh(({0}) / 2))", bounds=(0.0, 1.0)
    ),
    "triangle": _function(
        "triangle", _triangle, _named("triangle"), "(2 / {m}.pi * {m}.arcsin({m}.sin({0})))",
        "(2 / math.pi * math.asin(math.sin({0})))", bounds=_WAVE,
    ),
    "square": _function(
        "square", _square, _named("square"), "(1 - 2.0 * ({m}.floor(({0}) / {m}.pi) % 2))", bounds=_WAVE
    ),
}  # fmt: skip
"""Functions by name. ``triangle`` and ``square`` are waves of period 2 pi and phase of the sine."""


def _sign(symbol: str, compute: Compute, level: int, latex: str = "", code: str = "") -> Operation:
    return Operation((2, 2), compute, latex or f"{{0}} {symbol} {{1}}", code or f"{{0}} {symbol} {{1}}", level=level)


def _comparison(symbol: str, compute: Compute, latex: str) -> Operation:
    def numbers(one: FloatArray, other: FloatArray) -> FloatArray:
        return np.asarray(compute(one, other), np.float64)

    return _sign(symbol, numbers, COMPARISON, f"{{0}} {latex} {{1}}")


OPERATORS = {
    "+": _sign("+", np.add, SUM),
    "-": _sign("-", np.subtract, SUM),
    "*": _sign("*", np.multiply, PRODUCT, r"{0} \cdot {1}"),
    "/": _sign("/", np.divide, PRODUCT, r"\frac{{{0}}}{{{1}}}"),
    "//": _sign("//", np.floor_divide, PRODUCT, r"\left\lfloor \frac{{{0}}}{{{1}}} \right\rfloor"),
    "%": _sign("%", np.mod, PRODUCT, r"{0} \bmod {1}"),
    "**": _sign("**", np.power, POWER, r"{{{0}}}^{{{1}}}"),
    "<": _comparison("<", np.less, "<"),
    "<=": _comparison("<=", np.less_equal, r"\leq"),
    ">": _comparison(">", np.greater, ">"),
    ">=": _comparison(">=", np.greater_equal, r"\geq"),
    "==": _comparison("==", np.equal, "="),
    "!=": _comparison("!=", np.not_equal, r"\neq"),
    "neg": Operation((1, 1), np.negative, "-{0}", "-{0}", level=SIGN),
    "if": Operation(
        (3, 3), _chosen, r"{0} \;\mathrm{{if}}\; {1} \;\mathrm{{else}}\; {2}", "{0} if {1} else {2}", level=TERNARY
    ),
}

OPERATIONS = {**FUNCTIONS, **OPERATORS}
CONSTANTS = {"pi": float(np.pi), "e": float(np.e)}
