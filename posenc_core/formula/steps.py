"""Derivation of a formula's value: names replaced by numbers, then operation by operation from the inside out."""

import math
from collections.abc import Mapping
from decimal import Decimal

from msgspec.structs import replace

from posenc_core.explain import Rounded, Step, significant
from posenc_core.formula.evaluation import evaluated
from posenc_core.formula.parsing import Node
from posenc_core.formula.writing import as_latex, as_text

_DIGITS, _DECIMALS, _MOST_DIGITS = 10, 9, 17
"""Digits of a number; or, if these are more, so many that the largest number has its decimals for a sine."""

_RATIONAL_AT = {"exp": 0, "tanh": 0, "sigmoid": 0, "sin": 0, "cos": 0, "tan": 0, "log": 1}
"""The only rational argument at which a function has a rational value; float64 may round others to such a value."""

_LIMITED = {*_RATIONAL_AT, "triangle"}
"""Functions of whose values the written argument determines no more digits."""


_EXACT = {"floor", "ceil", "round", "sign", "square", "//", "<", "<=", ">", ">=", "==", "!=", "min", "max", "if"}
"""Operations whose results are exact also where an operand is rounded, unless they are that operand."""


class _Writer:
    """Writes numbers with these digits, and each result of an operation always as in its step."""

    def __init__(self, digits: int = _DIGITS) -> None:
        self._digits = digits
        self._results: dict[float, Rounded] = {}

    def result(self, node: Node, number: float, is_limited: bool) -> Rounded:
        """The result of an operation on numbers; ``is_limited`` if a function's value is among them."""
        shown = significant(Decimal(number), _digits_for([number]) if is_limited else self._digits)
        is_rounded = node.kind in _RATIONAL_AT and node.parts[0].value != _RATIONAL_AT[node.kind]
        is_rounded |= node.kind not in _EXACT and not all(self._shown(part.value).exact for part in node.parts)
        is_too_small = node.kind == "**" and not number and node.parts[0].value
        shown = replace(shown, exact=shown.exact and not (is_rounded or is_too_small))
        self._results.setdefault(number, shown)
        return shown

    @property
    def is_exact(self) -> bool:
        """Whether no result was rounded."""
        return all(each.exact for each in self._results.values())

    def text(self, value: float) -> str:
        """A number as text."""
        return self._shown(value).text

    def latex(self, value: float) -> str:
        """A number as LaTeX."""
        return self._shown(value).latex

    def _shown(self, value: float) -> Rounded:
        return self._results.get(value) or significant(Decimal(value), self._digits)


def formula_steps(node: Node, numbers: Mapping[str, float]) -> tuple[Step, ...]:
    """A step per operation, equal operations once; the last one, which is there in any case, has the value."""
    inserted, digits = _inserted(node, numbers), _DIGITS
    for _ in range(2):  # the first time for the largest number
        found: dict[Node, Step] = {}
        writer = _Writer(digits)
        value, last = _value(inserted, found, writer).value, _bare(inserted, found, writer)
        digits = _digits_for([step.value for step in found.values()])
    steps = tuple(found.values())
    if last in found:
        return steps if steps[-1] is found[last] else (*steps, found[last])
    shown = significant(Decimal(value), _DIGITS)
    shown = replace(shown, exact=shown.exact and writer.is_exact)
    return (*steps, shown.step(as_text(node), as_latex(node), value))


def inserted_text(node: Node, numbers: Mapping[str, float]) -> tuple[str, str]:
    """The formula with its names replaced by numbers, as text and as LaTeX."""
    inserted, writer = _inserted(node, numbers), _Writer()
    return as_text(inserted, writer.text), as_latex(inserted, writer.latex)


def _inserted(node: Node, numbers: Mapping[str, float]) -> Node:
    """The formula with numbers in the place of names."""
    if node.kind == "name":
        return Node("number", value=numbers.get(node.name, node.value))
    return Node(node.kind, tuple(_inserted(part, numbers) for part in node.parts), value=node.value)


def _value(node: Node, found: dict[Node, Step], writer: _Writer) -> Node:
    """The number of a node, after the steps of its operations."""
    if node.is_leaf:
        return node
    bare = _bare(node, found, writer)
    number = float(evaluated(bare, {}))
    if bare not in found and node.kind != "neg":
        text, latex = as_text(bare, writer.text), as_latex(bare, writer.latex)
        found[bare] = writer.result(bare, number, _is_limited(node)).step(text, latex, number)
    return Node("number", value=number)


def _bare(node: Node, found: dict[Node, Step], writer: _Writer) -> Node:
    """The operation of a node on numbers."""
    return Node(node.kind, tuple(_value(part, found, writer) for part in node.parts))


def _is_limited(node: Node) -> bool:
    return node.kind in _LIMITED or any(map(_is_limited, node.parts))


def _digits_for(values: list[float]) -> int:
    """Digits of all numbers for these results of operations."""
    largest = Decimal(max((abs(value) for value in values if math.isfinite(value)), default=0.0))
    return min(max(_DIGITS, largest.adjusted() + 1 + _DECIMALS), _MOST_DIGITS) if largest else _DIGITS
