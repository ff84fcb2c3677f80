"""Derivation of a formula's value: names replaced by numbers, then operation by operation from the inside out."""

import math
from collections.abc import Mapping
from decimal import Decimal

from posenc_core.explain import Step, significant
from posenc_core.formula.evaluation import evaluated
from posenc_core.formula.parsing import Node
from posenc_core.formula.writing import as_latex, as_text

_DIGITS = 10


def formula_steps(node: Node, numbers: Mapping[str, float]) -> tuple[Step, ...]:
    """A step per operation, equal operations once; the last one has the value."""
    found: dict[Node, Step] = {}
    inserted = _inserted(node, numbers)
    value = _value(inserted, found).value
    steps = tuple(found.values())
    if steps and node.kind != "neg":
        return steps
    return (*steps, Step(f"{as_text(node)} = {_text(value)}", f"{as_latex(node)} = {_latex(value)}", value))


def inserted_text(node: Node, numbers: Mapping[str, float]) -> tuple[str, str]:
    """The formula with its names replaced by numbers, as text and as LaTeX."""
    inserted = _inserted(node, numbers)
    return as_text(inserted, _text), as_latex(inserted, _latex)


def _inserted(node: Node, numbers: Mapping[str, float]) -> Node:
    """The formula with numbers in the place of names."""
    if node.kind == "name":
        return Node("number", value=numbers.get(node.name, node.value))
    return Node(node.kind, tuple(_inserted(part, numbers) for part in node.parts), value=node.value)


def _value(node: Node, found: dict[Node, Step]) -> Node:
    """The number of a node, after the steps of its operations."""
    if node.is_leaf:
        return node
    bare = Node(node.kind, tuple(_value(part, found) for part in node.parts))
    number = float(evaluated(bare, {}))
    if bare not in found and node.kind != "neg":
        shown = significant(Decimal(number), _DIGITS)
        found[bare] = shown.step(as_text(bare, _text), as_latex(bare, _latex), number)
    return Node("number", value=number)


def _text(value: float) -> str:
    return significant(Decimal(value), _DIGITS).text if math.isfinite(value) else str(value)


def _latex(value: float) -> str:
    return significant(Decimal(value), _DIGITS).latex if math.isfinite(value) else rf"\text{{{value}}}"
