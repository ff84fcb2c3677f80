"""Formulas written as text, as LaTeX, and as expressions of scripts."""

import math
import re
from collections.abc import Callable

from posenc_core.explain import Dialect
from posenc_core.formula.evaluation import evaluated
from posenc_core.formula.operations import (
    ATOM,
    COMPARISON,
    CONSTANTS,
    FUNCTIONS,
    OPERATIONS,
    POWER,
    PRODUCT,
    SIGN,
    SUM,
    TERNARY,
)
from posenc_core.formula.parsing import Node

_GREEK = (
    "(alpha|beta|gamma|delta|epsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|rho|sigma|tau|phi|chi|psi|omega)(_?[0-9]+)?"
)
Leaf = Callable[[Node], str]


def as_text(node: Node, number: Callable[[float], str] = lambda value: f"{value:.10g}") -> str:
    """The formula in the notation in which it is typed; ``number`` writes its numbers."""

    def leaf(node: Node) -> str:
        return node.name or number(node.value)

    return _written(node, leaf, _typed_call).replace("**", "^")


def as_math(node: Node) -> str:
    """A Python expression of the formula, for the module ``math``."""

    def call(node: Node, parts: list[str]) -> str:
        operation = FUNCTIONS[node.kind]
        joined = ", ".join(parts) if "{1}" not in (operation.math or operation.code) else parts[0]
        return (operation.math or operation.code).format(joined, *parts[1:], m="math")

    return _written(node, _script_leaf("math"), call)


def in_dialect(node: Node, code: Dialect) -> str:
    """An expression of arrays for NumPy or PyTorch, whose functions have arrays as arguments."""

    def argument(part: Node, text: str) -> str:
        return text if _variable_names(part) else code.numbers(_number(part))

    def call(node: Node, parts: list[str]) -> str:
        first, *others = map(argument, node.parts, parts)
        for other in others or [""]:
            first = FUNCTIONS[node.kind].code.format(first, other, m=code.module)
        return first

    def written(node: Node) -> str:
        if not node.is_leaf and not _variable_names(node):
            return _number(node)
        if node.kind == "if":
            value, condition, other = (argument(part, written(part)) for part in node.parts)
            return f"{code.module}.where({condition} != 0, {value}, {other})"
        if node.is_leaf:
            return _script_leaf(code.module)(node)
        if OPERATIONS[node.kind].level == COMPARISON:
            one, other = (_bracketed(written(part), part, SIGN) for part in node.parts)
            return code.real(f"({one} {node.kind} {other})")
        if node.kind in FUNCTIONS:
            return call(node, [written(part) for part in node.parts])
        return _joined(node, [written(part) for part in node.parts], by_latex=False)

    return written(node)


def as_latex(node: Node, number: Callable[[float], str] = lambda value: f"{value:.10g}") -> str:
    """The formula in LaTeX; ``number`` writes its numbers."""
    if node.kind == "number":
        return number(node.value)
    if node.kind == "name":
        return _latex_name(node.name)
    parts = [as_latex(part, number) for part in node.parts]
    if node.kind in FUNCTIONS:
        joined = ", ".join(parts) if "{1}" not in FUNCTIONS[node.kind].latex else parts[0]
        return FUNCTIONS[node.kind].latex.format(joined, *parts[1:])
    return _joined(node, parts, by_latex=True)


def _written(node: Node, leaf: Leaf, call: Callable[[Node, list[str]], str]) -> str:
    """The formula by operators of Python; ``leaf`` writes numbers and names, ``call`` functions."""
    if node.is_leaf:
        return leaf(node)
    parts = [_written(part, leaf, call) for part in node.parts]
    if node.kind in FUNCTIONS:
        return call(node, parts)
    return _joined(node, parts, by_latex=False)


def _joined(node: Node, parts: list[str], by_latex: bool) -> str:
    """The operands with the operator between them, in parentheses if they bind less."""
    operation, form = OPERATIONS[node.kind], OPERATIONS[node.kind].latex if by_latex else OPERATIONS[node.kind].code
    if by_latex and node.kind in ("/", "//"):
        return form.format(*parts)
    least = [operation.level, *[operation.level + 1] * (len(parts) - 1)]
    if node.kind == "**":
        least = [ATOM, TERNARY if by_latex else SIGN]
    elif node.kind == "neg":
        least = [PRODUCT if by_latex else SIGN]
    elif operation.level == COMPARISON:
        least = [SUM, SUM]  # two comparisons side by side would be a chain
    elif node.kind == "if":
        least = [COMPARISON] * len(parts)
    levels = zip(parts, node.parts, least, strict=True)
    shown = [_bracketed(text, part, level, by_latex) for text, part, level in levels]
    for at, text in enumerate(shown):
        is_later = (at or node.kind == "neg") and node.kind != "if"
        if text.startswith("-") and is_later and not (by_latex and node.kind == "**"):
            shown[at] = _in_brackets(text, by_latex)
    return form.format(*shown)


def _bracketed(text: str, node: Node, least: int, by_latex: bool = False) -> str:
    """The text, in parentheses if the node binds less than ``least``."""
    level = ATOM if node.is_leaf or node.kind in FUNCTIONS else OPERATIONS[node.kind].level
    has_sign = text.startswith("-") or "e" in text or (by_latex and "^" in text)
    if node.is_leaf and not node.name and has_sign:
        level = SIGN
    if by_latex and node.kind == "/":
        level = POWER
    return text if level >= least else _in_brackets(text, by_latex)


def _in_brackets(text: str, by_latex: bool) -> str:
    return rf"\left({text}\right)" if by_latex else f"({text})"


def _number(node: Node) -> str:
    """The value of a formula without names, as Python writes it."""
    value = float(evaluated(node, {}))
    return repr(value) if math.isfinite(value) else f"float('{value}')"


def _typed_call(node: Node, parts: list[str]) -> str:
    return f"{node.kind}({', '.join(parts)})"


def _script_leaf(module: str) -> Leaf:
    def leaf(node: Node) -> str:
        return f"{module}.{node.name}" if node.name in CONSTANTS else node.name or repr(node.value)

    return leaf


def _variable_names(node: Node) -> bool:
    """Whether the formula has names other than constants."""
    return any(name not in CONSTANTS for name in node.names())


def _latex_name(name: str) -> str:
    greek = re.fullmatch(_GREEK, name)
    if name == "pi":
        return r"\pi"
    if greek:
        index = (greek.group(2) or "").replace("_", "")
        return rf"\{greek.group(1)}" + (f"_{{{index}}}" if index else "")
    if len(name) == 1:
        return name
    return rf"\mathrm{{{name}}}".replace("_", r"\_")
